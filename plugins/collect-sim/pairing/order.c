/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts rows by their end. Tested by tests/plugins/collect-sim/test_pairing.c. */
#include "order.h"
#include <opprof/grow.h>
#include <stdlib.h>
#include <string.h>

#define SHORT_RUN 32u

static bool is_tie_before(const SlotPool *pool, const HeldRow *a, const HeldRow *b)
{
    const Slot *x = &pool->slots[a->slot];
    const Slot *y = &pool->slots[b->slot];

    if (x->pc != y->pc) {
        return x->pc < y->pc;
    }
    return x->start != y->start ? x->start < y->start : x->sequence < y->sequence;
}

static inline bool is_before(const SlotPool *pool, const HeldRow *a, const HeldRow *b)
{
    return a->end != b->end ? a->end < b->end : is_tie_before(pool, a, b);
}

/* The spare rows grow last, so that there is room for a row where they have it. */
static bool make_room(RowOrder *order)
{
    return OpprofGrow(&order->rows, &order->capacity, order->count + 1, sizeof *order->rows) &&
           OpprofGrow(&order->spare, &order->spare_capacity, order->count + 1,
                      sizeof *order->spare);
}

bool RowOrderAdd(RowOrder *order, uint64_t end, uint32_t slot)
{
    if (order->count >= order->spare_capacity && !make_room(order)) {
        return false;
    }
    order->rows[order->count++] = (HeldRow){ .end = end, .slot = slot };
    return true;
}

static void insertion_sort(const SlotPool *pool, HeldRow *rows, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const HeldRow row = rows[i];
        size_t at = i;

        for (; at > 0 && is_before(pool, &row, &rows[at - 1]); at--) {
            rows[at] = rows[at - 1];
        }
        rows[at] = row;
    }
}

/* The first of `count` sorted rows that is not before `row`. */
static size_t first_not_before(const SlotPool *pool, const HeldRow *rows, size_t count,
                               const HeldRow *row)
{
    size_t low = 0;

    while (low < count) {
        const size_t middle = low + (count - low) / 2;

        if (is_before(pool, &rows[middle], row)) {
            low = middle + 1;
        } else {
            count = middle;
        }
    }
    return low;
}

/* Merge two sorted neighbours. Only overlapping parts are moved. */
static void merge(const SlotPool *pool, HeldRow *rows, size_t middle, size_t count, HeldRow *spare)
{
    const size_t from = first_not_before(pool, rows, middle, &rows[middle]);
    size_t left = 0, right = middle, out = from;
    size_t left_count;

    if (from == middle) {
        return;
    }
    count = middle + first_not_before(pool, rows + middle, count - middle, &rows[middle - 1]);
    left_count = middle - from;
    memcpy(spare, rows + from, left_count * sizeof *spare);
    while (left < left_count) {
        if (right < count && is_before(pool, &rows[right], &spare[left])) {
            rows[out++] = rows[right++];
        } else {
            rows[out++] = spare[left++];
        }
    }
}

static void merge_sort(const SlotPool *pool, HeldRow *rows, size_t count, HeldRow *spare)
{
    for (size_t at = 0; at < count; at += SHORT_RUN) {
        insertion_sort(pool, rows + at, count - at < SHORT_RUN ? count - at : SHORT_RUN);
    }
    for (size_t run = SHORT_RUN; run < count; run *= 2) {
        for (size_t at = 0; count - at > run; at += 2 * run) {
            merge(pool, rows + at, run, count - at < 2 * run ? count - at : 2 * run, spare);
            if (count - at < 2 * run) {
                break;
            }
        }
    }
}

void RowOrderSort(RowOrder *order)
{
    const size_t fresh = order->count - order->sorted;

    if (fresh == 0) {
        return;
    }
    merge_sort(order->pool, order->rows + order->sorted, fresh, order->spare);
    if (order->sorted > 0) {
        merge(order->pool, order->rows, order->sorted, order->count, order->spare);
    }
    order->sorted = order->count;
}

void RowOrderDrop(RowOrder *order, size_t count)
{
    if (count == 0) {
        return;
    }
    order->count -= count;
    order->sorted = order->sorted > count ? order->sorted - count : 0;
    memmove(order->rows, order->rows + count, order->count * sizeof *order->rows);
}

void RowOrderFinish(RowOrder *order)
{
    free(order->rows);
    free(order->spare);
    *order = (RowOrder){ .pool = order->pool };
}
