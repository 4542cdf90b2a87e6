/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorts numbers of things, fast where they are nearly in order, and finds places in them. Tested by
 * tests/plugins/collect-kineto/test_link.
 */
#include "collect-kineto/rank/sort.h"

#include <stdlib.h>
#include <string.h>

#define MOVES_A_NUMBER 2u /* average cost of insertion that is accepted */

typedef struct Sorter {
    SortIsBefore *is_before;
    const void *context;
} Sorter;

/* First number after the ascending run that begins at `at`. */
static uint32_t end_of_run(const Sorter *sorter, const uint32_t *numbers, uint32_t count,
                           uint32_t at)
{
    while (++at < count && !sorter->is_before(sorter->context, numbers[at], numbers[at - 1])) {
    }
    return at;
}

/* Merge [first, middle) and [middle, end) of `from` into the same places of `to`. */
static void merge(const Sorter *sorter, const uint32_t *from, uint32_t first, uint32_t middle,
                  uint32_t end, uint32_t *to)
{
    uint32_t left = first;
    uint32_t right = middle;

    for (uint32_t at = first; at < end; at++) {
        if (left < middle &&
            (right == end || !sorter->is_before(sorter->context, from[right], from[left]))) {
            to[at] = from[left++];
        } else {
            to[at] = from[right++];
        }
    }
}

/* Merge runs pairwise into `to`. Returns how many pairs, a lone last run included, there were. */
static uint32_t merge_runs(const Sorter *sorter, const uint32_t *from, uint32_t count, uint32_t *to)
{
    uint32_t pairs = 0;

    for (uint32_t first = 0; first < count; pairs++) {
        const uint32_t middle = end_of_run(sorter, from, count, first);
        const uint32_t end = middle < count ? end_of_run(sorter, from, count, middle) : count;

        merge(sorter, from, first, middle, end, to);
        first = end;
    }
    return pairs;
}

/*
 * Put each number into its place among those before it. Fast if few are far from their place;
 * otherwise gives up and leaves them in some order. True once they are sorted.
 */
static bool insert_all(const Sorter *sorter, uint32_t *numbers, uint32_t count)
{
    uint64_t moves = (uint64_t) MOVES_A_NUMBER * count;

    for (uint32_t i = 1; i < count; i++) {
        const uint32_t number = numbers[i];
        uint32_t at = i;

        for (; at > 0 && moves > 0 && sorter->is_before(sorter->context, number, numbers[at - 1]);
             at--, moves--) {
            numbers[at] = numbers[at - 1];
        }
        numbers[at] = number;
        if (moves == 0) {
            return false;
        }
    }
    return true;
}

bool SortNumbers(uint32_t *numbers, uint32_t count, SortIsBefore *is_before, const void *context)
{
    const Sorter sorter = { .is_before = is_before, .context = context };
    uint32_t *other;
    uint32_t *from = numbers;
    uint32_t *to;

    if (count < 2 || insert_all(&sorter, numbers, count)) {
        return true;
    }
    other = reallocarray(NULL, count, sizeof *other);
    if (other == NULL) {
        return false;
    }
    to = other;
    while (merge_runs(&sorter, from, count, to) > 1) {
        uint32_t *swap = from;

        from = to;
        to = swap;
    }
    if (to != numbers) {
        memcpy(numbers, to, count * sizeof *numbers);
    }
    free(other);
    return true;
}

uint32_t SortCountUpTo(const uint32_t *numbers, uint32_t count, SortIsUpTo *is_up_to,
                       const void *context)
{
    uint32_t low = 0;
    uint32_t high = count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (is_up_to(context, numbers[middle])) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}
