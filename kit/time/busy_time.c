/* SPDX-License-Identifier: Apache-2.0 */
/* Length of the union of intervals that come one by one, in bounded memory. */
#include <opprof/grow.h>
#include <opprof/kit/busy_time.h>
#include <opprof/require.h>

#include <stdlib.h>
#include <string.h>

static uint32_t limit_of(const OpprofBusyTime *busy)
{
    return busy->limit == 0 ? OPPROF_BUSY_STRETCHES_MAX : busy->limit;
}

static OpprofBusyStretch put_together(OpprofBusyStretch older, OpprofBusyStretch younger)
{
    return (OpprofBusyStretch){ .start = older.start,
                                .end = younger.end,
                                .covered = older.covered + younger.covered };
}

/* Halve the number of stretches in the older half. */
static void compact(OpprofBusyTime *busy)
{
    uint32_t half = busy->count / 2;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < half; i += 2) {
        bool has_neighbour = i + 1 < half;

        busy->stretches[kept++] = has_neighbour
                                      ? put_together(busy->stretches[i], busy->stretches[i + 1])
                                      : busy->stretches[i];
    }
    memmove(&busy->stretches[kept], &busy->stretches[half],
            (busy->count - half) * sizeof *busy->stretches);
    busy->count -= half - kept;
}

static bool make_room(OpprofBusyTime *busy)
{
    if (busy->count < busy->capacity) {
        return true;
    }
    if (busy->capacity >= limit_of(busy)) {
        compact(busy);
        return true;
    }
    if (!OpprofGrow32(&busy->stretches, &busy->capacity, (size_t) busy->count + 1,
                      sizeof *busy->stretches)) {
        return false;
    }
    if (busy->capacity > limit_of(busy)) {
        busy->capacity = limit_of(busy);
    }
    return true;
}

/* The part of a stretch that is busy and outside of [from, to]; one of its ends is inside. */
static uint64_t covered_outside(OpprofBusyTime *busy, const OpprofBusyStretch *stretch,
                                uint64_t from, uint64_t to)
{
    uint64_t outside = 0;

    outside += stretch->start < from ? from - stretch->start : 0;
    outside += stretch->end > to ? stretch->end - to : 0;
    if (outside > 0 && stretch->covered < stretch->end - stretch->start) {
        busy->is_rough = true;
        outside = stretch->covered < outside ? stretch->covered : outside;
    }
    return outside;
}

/* The new interval and the stretches from `first` up to before `after`, all of which it touches,
 * become one. */
static OpprofStatus join(OpprofBusyTime *busy, uint32_t first, uint32_t after, uint64_t start,
                         uint64_t end)
{
    OpprofBusyStretch joined = { .start = start, .end = end, .covered = end - start };

    for (uint32_t i = first; i < after; i++) {
        const OpprofBusyStretch *stretch = &busy->stretches[i];

        joined.covered += covered_outside(busy, stretch, start, end);
        joined.start = stretch->start < joined.start ? stretch->start : joined.start;
        joined.end = stretch->end > joined.end ? stretch->end : joined.end;
    }
    if (first < after) {
        memmove(&busy->stretches[first + 1], &busy->stretches[after],
                (busy->count - after) * sizeof *busy->stretches);
        busy->count -= after - first - 1;
        busy->stretches[first] = joined;
        return OPPROF_OK;
    }
    const uint32_t before = busy->count;
    if (!make_room(busy)) {
        return OPPROF_E_MEMORY;
    }
    if (busy->count != before) { /* stretches were put together: look for the place again */
        return OpprofBusyTimeInsert(busy, start, end);
    }
    memmove(&busy->stretches[first + 1], &busy->stretches[first],
            (busy->count - first) * sizeof *busy->stretches);
    busy->stretches[first] = joined;
    busy->count++;
    return OPPROF_OK;
}

OpprofStatus OpprofBusyTimeInsert(OpprofBusyTime *busy, uint64_t start, uint64_t end)
{
    OPPROF_REQUIRE("busy-given", busy != NULL, "The busy time is given");

    uint32_t after = busy->count;
    uint32_t first;

    busy->is_rough |= start < busy->floor;
    while (after > 0 && busy->stretches[after - 1].start > end) {
        after--;
    }
    first = after;
    while (first > 0 && busy->stretches[first - 1].end >= start) {
        first--;
    }
    return join(busy, first, after, start, end);
}

void OpprofBusyTimeSettle(OpprofBusyTime *busy, uint64_t floor)
{
    OPPROF_REQUIRE("busy-given", busy != NULL, "The busy time is given");

    uint32_t count = 0;

    if (floor <= busy->floor) {
        return;
    }
    busy->floor = floor;
    while (count < busy->count && busy->stretches[count].end < floor) {
        busy->settled += busy->stretches[count++].covered;
    }
    if (count > 0) {
        busy->count -= count;
        memmove(busy->stretches, busy->stretches + count, busy->count * sizeof *busy->stretches);
    }
}

/* A block of its own size: what realloc cut off would lie between blocks that stay. */
static void give_back(OpprofBusyTime *busy)
{
    const size_t size = busy->count * sizeof *busy->stretches;
    OpprofBusyStretch *fitting = size > 0 && busy->count < busy->capacity ? malloc(size) : NULL;

    if (fitting != NULL) {
        memcpy(fitting, busy->stretches, size);
        free(busy->stretches);
        busy->stretches = fitting;
        busy->capacity = busy->count;
    }
}

void OpprofBusyTimeFold(OpprofBusyTime *busy, uint32_t kept)
{
    OPPROF_REQUIRE("busy-given", busy != NULL, "The busy time is given");

    const uint32_t folded = busy->count > kept ? busy->count - kept : 0;

    for (uint32_t i = 1; i < folded; i++) {
        busy->stretches[0] = put_together(busy->stretches[0], busy->stretches[i]);
    }
    if (folded > 1) {
        memmove(&busy->stretches[1], &busy->stretches[folded], kept * sizeof *busy->stretches);
        busy->count = kept + 1;
    }
    give_back(busy);
}

uint64_t OpprofBusyTimeTotal(const OpprofBusyTime *busy)
{
    OPPROF_REQUIRE("busy-given", busy != NULL, "The busy time is given");

    uint64_t total = busy->settled;

    for (uint32_t i = 0; i < busy->count; i++) {
        total += busy->stretches[i].covered;
    }
    return total;
}

void OpprofBusyTimeFinish(OpprofBusyTime *busy)
{
    OPPROF_REQUIRE("busy-given", busy != NULL, "The busy time is given");
    free(busy->stretches);
    *busy = (OpprofBusyTime){ .limit = busy->limit };
}

/* ---- lanes ---- */

OpprofBusyLane *OpprofBusyLanesFind(OpprofBusyLanes *lanes, uint32_t partition, uint32_t name,
                                    uint32_t clock)
{
    OPPROF_REQUIRE("busy-lanes-given", lanes != NULL, "The lanes are given");

    const uint64_t key = (uint64_t) partition << 32 | name;
    const uint32_t place = OpprofMapFind(&lanes->places, key);

    if (place != OPPROF_MAP_NONE) {
        return &lanes->list[place];
    }
    if (!OpprofGrow(&lanes->list, &lanes->capacity, lanes->count + 1, sizeof *lanes->list) ||
        !OpprofMapPut(&lanes->places, key, (uint32_t) lanes->count)) {
        return NULL;
    }
    lanes->list[lanes->count] =
        (OpprofBusyLane){ .partition = partition, .name = name, .clock = clock };
    return &lanes->list[lanes->count++];
}

static int by_names(const void *left, const void *right, void *context)
{
    const OpprofBusyLane *a = left;
    const OpprofBusyLane *b = right;
    const bool is_same = a->partition == b->partition;

    return strcmp(OpprofStageString(context, is_same ? a->name : a->partition),
                  OpprofStageString(context, is_same ? b->name : b->partition));
}

void OpprofBusyLanesSort(OpprofBusyLanes *lanes, OpprofStage *stage)
{
    OPPROF_REQUIRE("busy-lanes-given", lanes != NULL, "The lanes are given");
    if (lanes->count > 0) {
        qsort_r(lanes->list, lanes->count, sizeof *lanes->list, by_names, stage);
    }
    OpprofMapFinish(&lanes->places);
}

void OpprofBusyLanesFinish(OpprofBusyLanes *lanes)
{
    OPPROF_REQUIRE("busy-lanes-given", lanes != NULL, "The lanes are given");
    for (size_t i = 0; i < lanes->count; i++) {
        OpprofBusyTimeFinish(&lanes->list[i].busy);
    }
    OpprofMapFinish(&lanes->places);
    free(lanes->list);
    *lanes = (OpprofBusyLanes){ .count = 0 };
}
