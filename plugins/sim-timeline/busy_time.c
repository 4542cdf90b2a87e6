/* SPDX-License-Identifier: Apache-2.0 */
#include "busy_time.h"

#include <stdlib.h>
#include <string.h>

static BusyStretch put_together(BusyStretch older, BusyStretch younger)
{
    return (BusyStretch){ .start = older.start,
                          .end = younger.end,
                          .covered = older.covered + younger.covered };
}

/* Halve the number of stretches in the older half. */
static void compact(BusyTime *busy)
{
    size_t half = busy->count / 2;
    size_t kept = 0;

    for (size_t i = 0; i < half; i += 2) {
        bool has_neighbour = i + 1 < half;

        busy->stretches[kept++] = has_neighbour
                                      ? put_together(busy->stretches[i], busy->stretches[i + 1])
                                      : busy->stretches[i];
    }
    memmove(&busy->stretches[kept], &busy->stretches[half],
            (busy->count - half) * sizeof *busy->stretches);
    busy->count -= half - kept;
}

static bool make_room(BusyTime *busy)
{
    size_t capacity = busy->capacity == 0 ? 64 : busy->capacity * 2;
    BusyStretch *stretches;

    if (busy->count < busy->capacity) {
        return true;
    }
    if (busy->capacity == BUSY_STRETCHES_MAX) {
        compact(busy);
        return true;
    }
    stretches = reallocarray(busy->stretches, capacity, sizeof *stretches);
    if (stretches == NULL) {
        return false;
    }
    busy->stretches = stretches;
    busy->capacity = capacity;
    return true;
}

/* The new interval begins inside the stretch and ends behind it. */
static BusyStretch extend(BusyTime *busy, const BusyStretch *stretch, uint64_t start, uint64_t end)
{
    uint64_t before = start - stretch->start;

    if (stretch->covered < stretch->end - stretch->start) {
        busy->is_rough = true;
        before = stretch->covered < before ? stretch->covered : before;
    }
    return (BusyStretch){ .start = stretch->start, .end = end, .covered = before + (end - start) };
}

OpprofStatus BusyTimeAdd(BusyTime *busy, uint64_t start, uint64_t end)
{
    BusyStretch joined = { .start = start, .end = end, .covered = end - start };

    while (busy->count > 0) {
        const BusyStretch *top = &busy->stretches[busy->count - 1];

        if (top->end < start) {
            break;
        }
        joined.end = top->end > end ? top->end : end;
        if (top->start < start) {
            joined = extend(busy, top, start, joined.end);
            busy->count--;
            break;
        }
        joined.covered = joined.end - start;
        busy->count--;
    }
    if (!make_room(busy)) {
        return OPPROF_E_MEMORY;
    }
    busy->stretches[busy->count++] = joined;
    return OPPROF_OK;
}

uint64_t BusyTimeTotal(const BusyTime *busy)
{
    uint64_t total = 0;

    for (size_t i = 0; i < busy->count; i++) {
        total += busy->stretches[i].covered;
    }
    return total;
}

void BusyTimeFinish(BusyTime *busy)
{
    free(busy->stretches);
    *busy = (BusyTime){ 0 };
}
