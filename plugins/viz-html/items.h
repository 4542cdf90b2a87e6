/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_HTML_ITEMS_H
#define VIZ_HTML_ITEMS_H

#include <opprof/kit/large_array.h>
#include <opprof/stage.h>

/* A span, or several short ones of a lane that are shown as one. Times are picoseconds. */
typedef struct Item {
    int64_t start;
    uint64_t duration; /* end of the last one */
    uint64_t busy;     /* sum of their durations */
    uint32_t lane;
    uint32_t name;  /* interned; of several spans the name with most of the time, as far as known */
    uint32_t extra; /* one span: arguments' number + 1, or 0; several: weight of `name` */
    uint32_t count; /* number of spans */
} Item;

/*
 * The spans of all timelines, bounded by ITEMS_MAX: when there are more, spans shorter than a grain
 * are joined to one item per lane and ITEMS_WIDTH grains of time. The grain grows until there is
 * room. Large numbers of items lie in a file, so that only the part in use takes memory.
 */
typedef struct Items {
    OpprofStage *stage;               /* resolves names */
    OpprofOutputDirectory *directory; /* of the file; NULL: they stay in memory */
    OpprofLargeArray room;
    Item *items; /* in the room */
    size_t count;
    size_t used;    /* bytes used since the last release */
    uint64_t grain; /* picoseconds; 0: no span is joined */
    uint64_t width; /* stretch of time in which short spans are joined */
    uint64_t spans; /* all spans so far */
    uint32_t *open; /* by lane: place of its latest joint item plus 1; made once there is a grain */
    size_t open_count; /* entries of it */
    bool is_whole_ns;  /* all times are whole nanoseconds … */
    bool has_any;      /* … of the spans so far */
    int64_t first;     /* earliest start */
    int64_t last;      /* latest end */
} Items;

/* Wide enough to join spans with gaps between them, without joining longer ones. */
#define ITEMS_WIDTH 8u
/* Items held at most; beyond this, more are joined. */
#define ITEMS_MAX ((size_t) 3 << 17)

/* Bytes of items that may be used before they are released. */
#define ITEMS_IN_HAND ((size_t) 4 << 20)

/* This many items were used: after a few MB their memory is released. */
static inline void ItemsUse(Items *items, size_t count)
{
    items->used += count * sizeof *items->items;
    if (items->used >= ITEMS_IN_HAND) {
        items->used = 0;
        OpprofLargeArrayRest(&items->room);
    }
}

/* True if a span of this length would be joined with others, so that its arguments are useless. */
static inline bool ItemsAreJoined(const Items *items, uint64_t duration)
{
    return duration < items->grain;
}

/* Add a span: count 1, busy for its duration. False without memory. */
bool ItemsAdd(Items *items, const Item *span);

/* Sort by lane and start. False without memory. */
bool ItemsSort(Items *items);

/* Join sorted items that are shorter than the grain and begin in the same `width` of time. They
 * stay sorted. */
void ItemsJoin(Items *items, uint64_t grain, uint64_t width);

/* ItemsJoin, with a width of ITEMS_WIDTH grains. */
void ItemsJoinShort(Items *items, uint64_t grain);

/* Grains: 1, 2, 5, 10, 20 … ns. */
#define ITEMS_GRAINS 49u

/* The next grain after any time. */
uint64_t ItemsNextGrain(uint64_t time);

/* How much of something there is by length: that of spans which a grain joins first. */
typedef struct ItemsByGrain {
    uint64_t amount[ITEMS_GRAINS + 1];
} ItemsByGrain;

/* Add an amount for a span of that length. */
void ItemsByGrainAdd(ItemsByGrain *by_grain, uint64_t duration, uint64_t amount);

/* The first grain from `least` on beside which spans as long or longer have at most `most`. */
uint64_t ItemsByGrainFind(const ItemsByGrain *by_grain, uint64_t least, uint64_t most);

/*
 * Copy sorted items and join those shorter than a larger grain, per grain: a coarser level. False
 * without memory.
 *
 * most:  items that are of use; a level with more is only known to have more, and none of them
 */
bool ItemsLevel(Items *items, uint64_t grain, size_t most, Items *ret_level);

/* Free what it holds. */
void ItemsFinish(Items *items);

#endif
