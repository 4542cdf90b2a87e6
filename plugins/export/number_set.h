/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EXPORT_NUMBER_SET_H
#define EXPORT_NUMBER_SET_H

#include <opprof/map.h>
#include <stdbool.h>

/* Numbers in the order in which they were added. Zeroed: none. */
typedef struct NumberSet {
    uint32_t *list;
    uint32_t count;
    uint32_t capacity;
    OpprofMap places; /* of all of them, once there are many */
} NumberSet;

/* Adds a number. *ret_is_new: it was not there. False without memory. */
bool NumberSetAdd(NumberSet *set, uint32_t number, bool *ret_is_new);

/* Hold no more memory than the numbers take. */
void NumberSetTrim(NumberSet *set);

/* A zeroed one is allowed. */
void NumberSetFinish(NumberSet *set);

#endif
