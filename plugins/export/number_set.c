/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sets of a few numbers, of which there may be thousands. Tested by
 * tests/plugins/export/test_trace.
 */
#include "number_set.h"

#include "trim.h"

#include <opprof/grow.h>

#include <stdlib.h>

#define FEW 16u /* that are found without a map */

static bool has_number(const NumberSet *set, uint32_t number)
{
    if (set->places.count > 0) {
        return OpprofMapFind(&set->places, number) != OPPROF_MAP_NONE;
    }
    for (uint32_t i = 0; i < set->count; i++) {
        if (set->list[i] == number) {
            return true;
        }
    }
    return false;
}

/* Adds the numbers to the map, from the first missing one on. False without memory. */
static bool index_all(NumberSet *set)
{
    bool is_good = true;

    for (uint32_t i = set->places.count; is_good && i < set->count; i++) {
        is_good = OpprofMapPut(&set->places, set->list[i], i);
    }
    return is_good;
}

bool NumberSetAdd(NumberSet *set, uint32_t number, bool *ret_is_new)
{
    *ret_is_new = !has_number(set, number);
    if (!*ret_is_new) {
        return true;
    }
    if (!OpprofGrow32(&set->list, &set->capacity, (size_t) set->count + 1, sizeof *set->list)) {
        return false;
    }
    set->list[set->count++] = number;
    return set->count <= FEW || index_all(set);
}

void NumberSetTrim(NumberSet *set)
{
    Trim32(&set->list, &set->capacity, set->count, sizeof *set->list);
}

void NumberSetFinish(NumberSet *set)
{
    free(set->list);
    OpprofMapFinish(&set->places);
    *set = (NumberSet){ .list = NULL };
}
