/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_SUB_LANES_H
#define OPPROF_KIT_SUB_LANES_H

/**
 * @file
 * Spans that overlap, side by side: each goes to the lowest lane that is free when it starts. A
 * tree of minima finds it in O(log n). Experimental.
 */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Lanes side by side. Zeroed memory has none yet. */
typedef struct OpprofSubLanes {
    uint64_t *tree; /**< Node i has the children 2i and 2i + 1; the leaves start at `capacity`. */
    uint32_t capacity; /**< Leaves, a power of two, or 0. */
    uint32_t count;    /**< Lanes in use. */
} OpprofSubLanes;

#define OPPROF_SUB_LANES_NO_MEMORY UINT32_MAX  /**< Instead of a lane: memory ran out. */
#define OPPROF_SUB_LANES_FULL (UINT32_MAX - 1) /**< Instead of a lane: all are taken. */

/**
 * Take the lowest lane that is free at `start`. Spans come in an order in which a lane that is free
 * once stays free until it is taken: by start, or by end.
 *
 * @param start      First moment that is needed.
 * @param free_from  First moment at which the lane is free again.
 * @param limit      Most lanes there may be.
 * @return The lane, from 0, or one of the two above. [owner]
 */
uint32_t OpprofSubLanesPlace(OpprofSubLanes *lanes, uint64_t start, uint64_t free_from,
                             uint32_t limit);

/** Take a `lane` below `count` whether it is free or not, until `free_from`. [owner] */
void OpprofSubLanesTake(OpprofSubLanes *lanes, uint32_t lane, uint64_t free_from);

/** Free the memory; there are no lanes then. [owner] */
void OpprofSubLanesFinish(OpprofSubLanes *lanes);

#ifdef __cplusplus
}
#endif

#endif
