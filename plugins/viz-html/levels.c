/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the levels of detail of a timeline. Tested by tests/plugins/viz-html/test_timeline. */
#include "levels.h"

#include "limits.h"
#include "packed.h"

#include <string.h>

#define FEW_ITEMS 3000u /* a level with fewer items needs no coarser one after it */
#define COARSER 4u      /* factor from one level's grain to the next */
/* grains of the coarsest first level over the whole time: about the pixels of a screen */
#define WINDOW 4000u

/* bits of an item's key below the number of its name */
enum { IS_JOINT = 1, HAS_ARGUMENTS = 2, FLAG_BITS = 2 };

/* Per mille of an item's time in which its spans ran. */
static uint64_t share_of(const Item *item)
{
    if (item->duration == 0 || item->busy >= item->duration) {
        return 1000;
    }
    return (uint64_t) ((double) item->busy * 1000 / (double) item->duration + 0.5);
}

static void pack_item(const Levels *levels, Names *names, const Item *item, int64_t before,
                      OpprofJsonOut *bytes)
{
    const bool is_joint = item->count > 1;
    const bool has_arguments = !is_joint && item->extra != 0;
    const uint32_t flags = (is_joint ? IS_JOINT : 0) | (has_arguments ? HAS_ARGUMENTS : 0);

    PackNumber(bytes, ((uint64_t) item->start - (uint64_t) before) / levels->unit);
    PackNumber(bytes, item->duration / levels->unit);
    PackNumber(bytes, (uint64_t) NamesNumber(names, item->name) << FLAG_BITS | flags);
    if (is_joint) {
        PackNumber(bytes, item->count);
        PackNumber(bytes, share_of(item));
    }
    if (has_arguments) {
        PackNumber(bytes, item->extra - 1);
    }
}

static void put_lane(OpprofJsonOut *lanes, uint32_t lane, size_t items, size_t bytes)
{
    OpprofJsonPutRaw(lanes, lanes->length == 0 ? "" : ",");
    OpprofJsonPutU64(lanes, lane);
    OpprofJsonPutBytes(lanes, ",", 1);
    OpprofJsonPutU64(lanes, items);
    OpprofJsonPutBytes(lanes, ",", 1);
    OpprofJsonPutU64(lanes, bytes);
}

/* Pack a level after the others. Starts count from the earliest time of all. Returns how many lanes
 * have items. */
static size_t pack_level(Levels *self, Timeline *timeline, Items *items, int64_t origin)
{
    OpprofJsonOut *bytes = &self->bytes[self->count];
    size_t first = 0;
    size_t lanes = 0;

    self->grains[self->count] = items->width;
    self->items[self->count] = items->count;
    for (size_t i = 0; i < items->count; i = first) {
        const uint32_t lane = items->items[i].lane;
        const size_t length = bytes->length;
        int64_t before = origin;

        while (first < items->count && items->items[first].lane == lane) {
            pack_item(self, timeline->names, &items->items[first], before, bytes);
            before = items->items[first++].start;
            ItemsUse(items, 1);
        }
        put_lane(&self->lanes[self->count], lane, first - i, bytes->length - length);
        lanes++;
    }
    self->count++;
    return lanes;
}

/* The time of all items, which may be longer than a signed number holds. */
static uint64_t span_of(const Items *items)
{
    return (uint64_t) items->last - (uint64_t) items->first;
}

/* The grain of the first level above the finest one. */
static uint64_t first_grain(const Items *items)
{
    uint64_t grain = items->width == 0 ? 1 : items->width;
    const uint64_t span = span_of(items);

    while (items->count > 0 && grain < span / WINDOW / 1024) {
        grain *= COARSER; /* finer levels would join almost nothing */
    }
    return grain * COARSER;
}

static uint64_t size_of(const Levels *self)
{
    uint64_t size = 0;

    for (uint32_t i = 0; i < self->count; i++) {
        size += self->bytes[i].length;
    }
    return size;
}

static bool has_failed(const Levels *self)
{
    for (uint32_t i = 0; i < self->count; i++) {
        if (self->bytes[i].is_short || self->lanes[i].is_short) {
            return true;
        }
    }
    return false;
}

/* True if the levels so far cannot stay: spans must be joined, and all levels made anew. */
static bool is_too_large(const Levels *self, const Items *items)
{
    return size_of(self) > PAGE_SPANS_BYTES && items->grain < UINT64_MAX / 16;
}

/*
 * Levels that join little are left out: the previous one serves as well. None is looked for where
 * not even one item per lane would be few enough.
 */
static bool make_levels(Levels *self, Timeline *timeline)
{
    Items *items = &timeline->items;
    const uint64_t span = span_of(items);
    uint64_t grain = first_grain(items);
    size_t before = items->count;
    bool is_good = true;
    const size_t lanes = pack_level(self, timeline, items, items->first);

    while (is_good && before > FEW_ITEMS && lanes <= before / 2 && self->count < LEVELS_MAX &&
           grain <= span && !is_too_large(self, items)) {
        Items level;

        is_good = ItemsLevel(items, grain, before / 2, &level);
        if (is_good && level.count <= before / 2) {
            before = level.count;
            pack_level(self, timeline, &level, items->first);
        }
        ItemsFinish(&level);
        grain *= COARSER;
    }
    return is_good;
}

bool LevelsMake(Levels *self, Timeline *timeline)
{
    Items *items = &timeline->items;
    bool is_good;

    self->unit = items->is_whole_ns ? 1000 : 1;
    is_good = make_levels(self, timeline);
    while (is_good && is_too_large(self, items)) {
        const uint64_t grain = ItemsNextGrain(items->grain);

        ItemsJoin(items, grain, grain * ITEMS_WIDTH);
        LevelsFinish(self);
        self->unit = items->is_whole_ns ? 1000 : 1;
        is_good = ArgumentsSweep(&timeline->arguments, items) && make_levels(self, timeline);
    }
    return is_good && !has_failed(self);
}

void LevelsFinish(Levels *self)
{
    for (uint32_t i = 0; i < LEVELS_MAX; i++) {
        OpprofJsonOutFinish(&self->bytes[i]);
        OpprofJsonOutFinish(&self->lanes[i]);
    }
    *self = (Levels){ 0 };
}
