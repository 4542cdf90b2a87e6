/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_RANK_SORT_H
#define COLLECT_KINETO_RANK_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True if the thing with number a belongs before the one with number b. */
typedef bool SortIsBefore(const void *context, uint32_t a, uint32_t b);

/*
 * Sort numbers of things, keeping the order of equal ones. Merges the existing ascending runs,
 * since device events mostly come in order, queue by queue. False without memory (4 bytes per
 * number).
 */
bool SortNumbers(uint32_t *numbers, uint32_t count, SortIsBefore *is_before, const void *context);

/* True for the first of sorted numbers, up to some place, and false for all others. */
typedef bool SortIsUpTo(const void *context, uint32_t number);

/* How many of sorted numbers come up to that place. */
uint32_t SortCountUpTo(const uint32_t *numbers, uint32_t count, SortIsUpTo *is_up_to,
                       const void *context);

#endif
