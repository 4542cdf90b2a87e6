/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps spans in bounded memory: longer ones one by one, short ones joined.
 * Tested by tests/plugins/viz-html/test_items.
 */
#include "items.h"

#include <opprof/grow.h>

#include <stdlib.h>
#include <string.h>

static float load_weight(const Item *item)
{
    float weight;

    memcpy(&weight, &item->extra, sizeof weight);
    return weight;
}

static void store_weight(Item *item, float weight)
{
    memcpy(&item->extra, &weight, sizeof weight);
}

/* The name with most of the time wins: each name's time is subtracted from the others'. */
static void vote(Item *joint, uint32_t name, float weight)
{
    const float held = load_weight(joint);

    if (name == joint->name) {
        store_weight(joint, held + weight);
    } else if (weight > held) {
        joint->name = name;
        store_weight(joint, weight - held);
    } else {
        store_weight(joint, held - weight);
    }
}

/* How much of an item's time supports its name. */
static float weight_of(const Item *item)
{
    return item->count == 1 ? (float) item->busy : load_weight(item);
}

/* False without memory. */
static bool append(Items *self, const Item *item)
{
    if (!OpprofLargeArrayGrow(&self->room, self->directory, (self->count + 1) * sizeof *item)) {
        return false;
    }
    self->items = self->room.bytes;
    self->items[self->count++] = *item;
    ItemsUse(self, 1);
    return true;
}

/* Put a short item into one that begins in the same stretch of the same lane. */
static void join(Item *joint, const Item *item)
{
    const int64_t end = joint->start + (int64_t) joint->duration;
    const int64_t item_end = item->start + (int64_t) item->duration;

    if (joint->count == 1) {
        store_weight(joint, (float) joint->busy);
    }
    vote(joint, item->name, weight_of(item));
    joint->start = joint->start < item->start ? joint->start : item->start;
    joint->duration = (uint64_t) (end > item_end ? end : item_end) - (uint64_t) joint->start;
    joint->busy += item->busy;
    joint->count =
        joint->count > UINT32_MAX - item->count ? UINT32_MAX : joint->count + item->count;
}

/* Number of the stretch that contains a moment; times may be below 0. */
static int64_t stretch_of(int64_t time, uint64_t width)
{
    const int64_t length = (int64_t) width;

    return time >= 0 ? time / length : -1 - ~time / length;
}

static bool is_short(const Item *item, uint64_t grain)
{
    return item->count > 1 || item->duration < grain;
}

static bool is_together(const Item *a, const Item *b, uint64_t width)
{
    return a->lane == b->lane && stretch_of(a->start, width) == stretch_of(b->start, width);
}

/* ---- order ---- */

typedef struct OrderContext {
    const OpprofStage *stage;
} OrderContext;

/* By lane, then start, longer ones first; then by name, so that the order does not depend on the
 * order of arrival. */
static int compare_items(const void *one, const void *other, void *context)
{
    const Item *a = one;
    const Item *b = other;
    const OrderContext *order = context;

    if (a->lane != b->lane) {
        return a->lane < b->lane ? -1 : 1;
    }
    if (a->start != b->start) {
        return a->start < b->start ? -1 : 1;
    }
    if (a->duration != b->duration) {
        return a->duration > b->duration ? -1 : 1;
    }
    return a->name == b->name ? 0
                              : strcmp(OpprofStageString(order->stage, a->name),
                                       OpprofStageString(order->stage, b->name));
}

/* Whether the items of a range, end excluded, are sorted. */
static bool is_sorted(Items *self, size_t from, size_t to, OrderContext *order)
{
    for (size_t i = from + 1; i < to; i++) {
        if (compare_items(&self->items[i - 1], &self->items[i], order) > 0) {
            return false;
        }
        ItemsUse(self, 1);
    }
    return true;
}

/* The end of each lane's items; NULL without memory. */
static size_t *count_lanes(Items *self, size_t lanes)
{
    size_t *ends = calloc(lanes + 1, sizeof *ends);

    for (size_t i = 0; ends != NULL && i < self->count; i++) {
        ends[self->items[i].lane + 1]++;
        ItemsUse(self, 1);
    }
    for (size_t lane = 0; ends != NULL && lane < lanes; lane++) {
        ends[lane + 1] += ends[lane];
    }
    return ends;
}

static size_t lanes_of(Items *self)
{
    uint32_t last = 0;

    for (size_t i = 0; i < self->count; i++) {
        last = self->items[i].lane > last ? self->items[i].lane : last;
        ItemsUse(self, 1);
    }
    return (size_t) last + 1;
}

/* Group items by lane, those of a lane in their order; `ends` becomes the end of each lane. */
static bool gather_lanes(Items *self, size_t *ends)
{
    Items gathered = { .directory = self->directory };

    if (!OpprofLargeArrayGrow(&gathered.room, self->directory, self->count * sizeof *self->items)) {
        return false;
    }
    gathered.items = gathered.room.bytes;
    for (size_t i = 0; i < self->count; i++) {
        gathered.items[ends[self->items[i].lane]++] = self->items[i];
        ItemsUse(&gathered, 1);
        ItemsUse(self, 1);
    }
    OpprofLargeArrayFinish(&self->room);
    self->room = gathered.room;
    self->items = gathered.items;
    return true;
}

/* First group by lane: most lanes then are in order, or nearly. */
bool ItemsSort(Items *self)
{
    OrderContext order = { .stage = self->stage };
    const size_t lanes = lanes_of(self);
    size_t *ends;

    if (self->count < 2 || is_sorted(self, 0, self->count, &order)) {
        return true;
    }
    ends = count_lanes(self, lanes);
    if (ends == NULL || !gather_lanes(self, ends)) {
        free(ends);
        return false;
    }
    for (size_t lane = 0; lane < lanes; lane++) {
        const size_t first = lane == 0 ? 0 : ends[lane - 1];

        if (!is_sorted(self, first, ends[lane], &order)) {
            qsort_r(self->items + first, ends[lane] - first, sizeof *self->items, compare_items,
                    &order);
            ItemsUse(self, ends[lane] - first);
        }
    }
    free(ends);
    return true;
}

/* ---- joining ---- */

#define DECADE(ps) (ps), (ps) *2, (ps) *5
#define DECADES_4(ps) DECADE(ps), DECADE((ps) *10), DECADE((ps) *100), DECADE((ps) *1000)

static const uint64_t grains[ITEMS_GRAINS] = {
    DECADES_4(UINT64_C(1000)),             /* from a nanosecond … */
    DECADES_4(UINT64_C(10000000)),         /* … */
    DECADES_4(UINT64_C(100000000000)),     /* … */
    DECADES_4(UINT64_C(1000000000000000)), /* … to more than a page can show */
    UINT64_C(10000000000000000000)
};

/* Place of the first grain after a time; ITEMS_GRAINS: none. */
static uint32_t place_after(uint64_t time)
{
    uint32_t from = 0;
    uint32_t to = ITEMS_GRAINS;

    while (from < to) {
        const uint32_t middle = (from + to) / 2;

        if (grains[middle] > time) {
            to = middle;
        } else {
            from = middle + 1;
        }
    }
    return from;
}

uint64_t ItemsNextGrain(uint64_t time)
{
    const uint32_t place = place_after(time);

    return grains[place < ITEMS_GRAINS ? place : ITEMS_GRAINS - 1];
}

void ItemsByGrainAdd(ItemsByGrain *by_grain, uint64_t duration, uint64_t amount)
{
    by_grain->amount[place_after(duration)] += amount;
}

uint64_t ItemsByGrainFind(const ItemsByGrain *by_grain, uint64_t least, uint64_t most)
{
    uint32_t at = ITEMS_GRAINS - 1;
    uint64_t rest = by_grain->amount[ITEMS_GRAINS];

    /* What a grain does not join has its place after it. */
    while (at > 0 && grains[at - 1] >= least && rest + by_grain->amount[at] <= most) {
        rest += by_grain->amount[at--];
    }
    return grains[at];
}

/* The first grain after the current one that leaves at most `most` single items. Joint ones come on
 * top. */
static uint64_t grain_for(Items *self, size_t most)
{
    ItemsByGrain by_grain = { .amount = { 0 } };

    for (size_t i = 0; i < self->count; i++) {
        if (self->items[i].count == 1) {
            ItemsByGrainAdd(&by_grain, self->items[i].duration, 1);
        }
        ItemsUse(self, 1);
    }
    return ItemsByGrainFind(&by_grain, ItemsNextGrain(self->grain), most);
}

/* Joins items on their way from one list to its end, or to that of another. */
typedef struct Joining {
    uint64_t grain;
    uint64_t width;
    size_t joint; /* place of the last joint item; SIZE_MAX: none */
} Joining;

/* True if it was joined with the item before it. */
static bool join_next(Joining *joining, Items *to, const Item *item)
{
    if (!is_short(item, joining->grain)) {
        return false;
    }
    if (joining->joint != SIZE_MAX &&
        is_together(&to->items[joining->joint], item, joining->width)) {
        join(&to->items[joining->joint], item);
        return true;
    }
    joining->joint = to->count;
    return false;
}

void ItemsJoin(Items *self, uint64_t grain, uint64_t width)
{
    Joining joining = { .grain = grain, .width = width, .joint = SIZE_MAX };
    const size_t count = self->count;

    self->grain = grain;
    self->width = width;
    self->count = 0;
    for (size_t i = 0; i < count; i++) {
        const Item item = self->items[i];

        if (!join_next(&joining, self, &item)) {
            self->items[self->count++] = item;
        }
        ItemsUse(self, 1);
    }
    if (self->open_count > 0) {
        memset(self->open, 0, self->open_count * sizeof *self->open);
    }
}

void ItemsJoinShort(Items *self, uint64_t grain)
{
    ItemsJoin(self, grain,
              grain <= INT64_MAX / ITEMS_WIDTH ? grain * ITEMS_WIDTH : (uint64_t) INT64_MAX);
}

/* Frees at least half of the room. */
static bool make_fewer(Items *self)
{
    if (!ItemsSort(self)) {
        return false;
    }
    /* Joint items remain as well: few of them, or another grain follows. */
    for (uint64_t grain = grain_for(self, ITEMS_MAX / 2); self->count > ITEMS_MAX / 2;
         grain = ItemsNextGrain(grain)) {
        ItemsJoinShort(self, grain);
    }
    return true;
}

static void note_times(Items *self, const Item *span)
{
    const int64_t end = span->start + (int64_t) span->duration;

    if (!self->has_any) {
        self->has_any = true;
        self->is_whole_ns = true;
        self->first = span->start;
        self->last = end;
    }
    self->is_whole_ns = self->is_whole_ns && span->start % 1000 == 0 && span->duration % 1000 == 0;
    self->first = span->start < self->first ? span->start : self->first;
    self->last = end > self->last ? end : self->last;
}

bool ItemsAdd(Items *self, const Item *span)
{
    const bool is_joined = ItemsAreJoined(self, span->duration);

    note_times(self, span);
    self->spans++;
    if (is_joined && !OpprofGrowCleared(&self->open, &self->open_count, (size_t) span->lane + 1,
                                        sizeof *self->open)) {
        return false;
    }
    if (is_joined && self->open[span->lane] != 0) {
        Item *joint = &self->items[self->open[span->lane] - 1];

        if (is_together(joint, span, self->width)) {
            join(joint, span);
            return true;
        }
    }
    if (self->count >= ITEMS_MAX && !make_fewer(self)) {
        return false;
    }
    if (!append(self, span)) {
        return false;
    }
    if (is_joined) {
        self->open[span->lane] = (uint32_t) self->count;
    }
    return true;
}

/* Items that a level of sorted ones has, or more than `most`. */
static size_t count_level(Items *self, uint64_t grain, size_t most)
{
    const Item *joint = NULL; /* the first of those that become the last joint item */
    size_t count = 0;

    for (size_t i = 0; i < self->count && count <= most; i++) {
        const Item *item = &self->items[i];

        if (!is_short(item, grain)) {
            count++;
        } else if (joint == NULL || !is_together(joint, item, grain)) {
            joint = item;
            count++;
        }
        ItemsUse(self, 1);
    }
    return count;
}

bool ItemsLevel(Items *self, uint64_t grain, size_t most, Items *ret_level)
{
    Joining joining = { .grain = grain, .width = grain, .joint = SIZE_MAX };

    *ret_level = (Items){
        .stage = self->stage, .directory = self->directory, .grain = grain, .width = grain
    };
    ret_level->count = count_level(self, grain, most);
    if (ret_level->count > most) {
        return true;
    }
    ret_level->count = 0;
    for (size_t i = 0; i < self->count; i++) {
        const Item item = self->items[i];

        if (!join_next(&joining, ret_level, &item) && !append(ret_level, &item)) {
            return false;
        }
        ItemsUse(self, 1);
    }
    return true;
}

void ItemsFinish(Items *self)
{
    OpprofLargeArrayFinish(&self->room);
    free(self->open);
    *self = (Items){ 0 };
}
