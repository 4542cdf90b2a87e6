/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIM_TIMELINE_SUB_LANES_H
#define SIM_TIMELINE_SUB_LANES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Assigns sub-lanes to the rows of a lane so that overlapping rows are drawn side by side: the
 * lowest sub-lane that no earlier row touches. Rows come by end, so the last end of each sub-lane
 * is enough; a tree of minima finds the lowest free one in O(log n).
 */
typedef struct SubLanes {
    uint64_t *tree;    /* node i has the children 2i and 2i+1; leaves start at `capacity` */
    uint32_t capacity; /* leaves, a power of two, or 0 */
    uint32_t count;    /* sub-lanes in use */
    uint32_t limit;    /* no more sub-lanes than this; 0: SUB_LANES_MAX */
    bool is_full;      /* a row had to share the last one */
} SubLanes;

#define SUB_LANES_MAX (1u << 20)
#define SUB_LANES_NO_MEMORY UINT32_MAX

/*
 * Place a row that needs the ticks start..end, both included. Ends must not decrease from call to
 * call. Returns the sub-lane, from 0, or SUB_LANES_NO_MEMORY. Beyond the limit rows share the last
 * sub-lane.
 */
uint32_t SubLanesPlace(SubLanes *lanes, uint64_t start, uint64_t end);

/* Sub-lane of a row that takes no room and touches nothing: always the first. */
uint32_t SubLanesPlaceNothing(SubLanes *lanes);

void SubLanesFinish(SubLanes *lanes);

#endif
