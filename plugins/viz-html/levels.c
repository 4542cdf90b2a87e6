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

#define ITEM_NUMBERS 5u /* of a packed item, at most */

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
    char packed[ITEM_NUMBERS * PACK_NUMBER_MAX];
    char *end = packed;

    end = PackPut(end, ((uint64_t) item->start - (uint64_t) before) / levels->unit);
    end = PackPut(end, item->duration / levels->unit);
    end = PackPut(end, (uint64_t) NamesNumber(names, item->name) << FLAG_BITS | flags);
    if (is_joint) {
        end = PackPut(end, item->count);
        end = PackPut(end, share_of(item));
    }
    if (has_arguments) {
        end = PackPut(end, item->extra - 1);
    }
    OpprofJsonPutBytes(bytes, packed, (size_t) (end - packed));
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

static bool can_join(const Items *items)
{
    return items->grain < UINT64_MAX / 16;
}

/* True if spans must be joined for the levels so far to be small enough. */
static bool is_too_large(const Levels *self, const Items *items)
{
    return size_of(self) > PAGE_SPANS_BYTES && can_join(items);
}

/* ---- the grain of the finest level ---- */

static uint32_t packed_bytes(uint64_t number)
{
    uint32_t bytes = 1;

    while (number >= 0x80) {
        number >>= 7;
        bytes++;
    }
    return bytes;
}

/* About the bytes of an item, without its name's number. */
static uint32_t bytes_of(const Levels *levels, const Item *item, int64_t before)
{
    enum { NAME = 2, JOINT = 4 };
    const uint32_t times =
        packed_bytes(((uint64_t) item->start - (uint64_t) before) / levels->unit) +
        packed_bytes(item->duration / levels->unit);

    return times + NAME +
           (item->count > 1    ? JOINT
            : item->extra != 0 ? packed_bytes(item->extra)
                               : 0);
}

/*
 * Join spans until about as many are left as have room: in one step by the lengths of spans, and as
 * many more as the joint ones need. So the levels are made once, or again with the next grain where
 * this was too few. Levels above the finest one together are about half as large.
 */
static void choose_grain(const Levels *self, Items *items)
{
    const uint64_t room = PAGE_SPANS_BYTES / 3 * 2;

    for (uint64_t bytes = UINT64_MAX; bytes > room;) {
        ItemsByGrain by_grain = { .amount = { 0 } };
        int64_t before = items->first;
        uint32_t lane = 0;

        bytes = 0;
        for (size_t i = 0; i < items->count; i++) {
            const Item *item = &items->items[i];
            const uint32_t own = bytes_of(self, item, item->lane == lane ? before : items->first);

            before = item->start;
            lane = item->lane;
            bytes += own;
            if (item->count == 1) {
                ItemsByGrainAdd(&by_grain, item->duration, own);
            }
            ItemsUse(items, 1);
        }
        if (bytes <= room || !can_join(items)) {
            return;
        }
        ItemsJoinShort(items, ItemsByGrainFind(&by_grain, ItemsNextGrain(items->grain), room));
    }
}

/* ---- levels ---- */

/*
 * Each level is made from the one before. Levels that join little are left out: the previous one
 * serves as well. None is looked for where not even one item per lane would be few enough.
 */
static bool make_levels(Levels *self, Timeline *timeline)
{
    Items *items = &timeline->items;
    const uint64_t span = span_of(items);
    Items latest = { 0 };
    const Items *before = items;
    bool is_good = true;
    const size_t lanes = pack_level(self, timeline, items, items->first);

    for (uint64_t grain = first_grain(items);
         is_good && before->count > FEW_ITEMS && lanes <= before->count / 2 &&
         self->count < LEVELS_MAX && grain <= span && !is_too_large(self, items);
         grain *= COARSER) {
        const size_t most = before->count / 2;
        Items level;

        is_good = ItemsLevel(before == items ? items : &latest, grain, most, &level);
        if (!is_good || level.count > most) {
            ItemsFinish(&level);
            continue;
        }
        pack_level(self, timeline, &level, items->first);
        ItemsFinish(&latest);
        latest = level;
        before = &latest;
    }
    ItemsFinish(&latest);
    return is_good;
}

bool LevelsMake(Levels *self, Timeline *timeline)
{
    Items *items = &timeline->items;
    const uint32_t unit = items->is_whole_ns ? 1000 : 1;
    bool is_good;

    self->unit = unit;
    choose_grain(self, items);
    is_good = ArgumentsSweep(&timeline->arguments, items) && make_levels(self, timeline);
    while (is_good && is_too_large(self, items)) {
        ItemsJoinShort(items, ItemsNextGrain(items->grain));
        LevelsFinish(self);
        self->unit = unit;
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
