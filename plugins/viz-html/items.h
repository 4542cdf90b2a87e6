/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_HTML_ITEMS_H
#define VIZ_HTML_ITEMS_H

#include <opprof/kit/room.h>
#include <opprof/stage.h>

/* A span, or several short ones of a lane that are shown as one. Times are picoseconds. */
typedef struct Item {
    int64_t start;
    uint64_t duration; /* to the end of the last one */
    uint64_t busy;     /* sum of their durations */
    uint32_t lane;
    uint32_t
        name; /* interned; of several the one that most of the time is of, as far as is known */
    uint32_t
        extra; /* one span: number of its arguments plus 1, or 0; several: how sure `name` is, a float's bits */
    uint32_t count; /* spans */
} Item;

/*
 * The spans of all timelines, bounded by ITEMS_MAX: when there are more, those shorter than a grain become one a lane and
 * ITEMS_WIDTH grains of time. The grain grows until there is room. Many of them lie in a file, so that only those that
 * are in hand take memory.
 */
typedef struct Items {
    OpprofStage *stage;               /* knows the names */
    OpprofOutputDirectory *directory; /* of the file; NULL: they stay in memory */
    OpprofRoom room;
    Item *items; /* in the room */
    size_t count;
    size_t used;    /* bytes, since they rested */
    uint64_t grain; /* picoseconds; 0: every span stands for itself */
    uint64_t width; /* of the time in which short spans are joined */
    uint64_t spans; /* all that came */
    uint32_t *open; /* by lane: place of its latest joint item plus 1; made once there is a grain */
    size_t open_count; /* entries of it */
    bool is_whole_ns;  /* all times are whole nanoseconds … */
    bool has_any;      /* … of those that came */
    int64_t first;     /* earliest start */
    int64_t last;      /* latest end */
} Items;

/* Wide enough to join spans that lie apart, without joining longer ones. */
#define ITEMS_WIDTH 8u
/* Items held; beyond, they are made fewer. */
#define ITEMS_MAX ((size_t) 3 << 18)

/* Bytes of items that may be used before they rest. */
#define ITEMS_IN_HAND ((size_t) 4 << 20)

/* So many items have been used: after a few MB they let go of their memory. */
static inline void ItemsUse(Items *items, size_t count)
{
    items->used += count * sizeof *items->items;
    if (items->used >= ITEMS_IN_HAND) {
        items->used = 0;
        OpprofRoomRest(&items->room);
    }
}

/* True if a span as long as this would be joined with others, so that its arguments are of no use. */
static inline bool ItemsAreJoined(const Items *items, uint64_t duration)
{
    return duration < items->grain;
}

/* Add a span: count 1, busy as its duration. False without memory. */
bool ItemsAdd(Items *items, const Item *span);

/* Bring them into the order of lanes and starts. False without memory. */
bool ItemsSort(Items *items);

/* Of sorted items, join those shorter than a grain that begin in the same `width` of time. They stay sorted. */
void ItemsJoin(Items *items, uint64_t grain, uint64_t width);

/* The next grain: 1, 2, 5, 10, 20 … ns. */
uint64_t ItemsNextGrain(uint64_t grain);

/* Copy sorted items and join those shorter than a larger grain, one a grain: a coarser level. False without memory. */
bool ItemsLevel(Items *items, uint64_t grain, Items *ret_level);

/* Free what it holds. */
void ItemsFinish(Items *items);

#endif
