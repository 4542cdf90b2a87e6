/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_DBI_CHOOSE_H
#define ANALYSE_DBI_CHOOSE_H

#include <stdint.h>

/*
 * Choices without branches. A processor cannot predict whether or where a set holds a line, and a
 * misprediction costs more than comparing all ways. So `missing` has all bits or none.
 */

/* All bits if nothing was `found` (0), none for 1 to 2^31. A comparison would become a branch. */
static inline uint32_t MissingOf(uint32_t found)
{
    return -((found - 1) >> 31);
}

static inline uint32_t Choose(uint32_t missing, uint32_t if_missing, uint32_t if_not)
{
    return (if_missing & missing) | (if_not & ~missing);
}

#endif
