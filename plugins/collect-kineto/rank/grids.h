/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_RANK_GRIDS_H
#define COLLECT_KINETO_RANK_GRIDS_H

#include "collect-kineto/formats/event.h"

#include <opprof/map.h>

/* How many blocks kernels had, added up. */

/* Kernels of one name in one lane with as many blocks and threads. */
typedef struct Grid {
    uint32_t name; /* number of the name */
    uint32_t lane;
    uint32_t blocks;
    uint32_t threads; /* 0: unknown */
    uint64_t count;
    uint64_t duration_ns;
    uint64_t occupied_ns; /* of those with an occupancy */
    double occupancy_ns;  /* percent by time */
} Grid;

/* Zeroed memory: none. */
typedef struct Grids {
    Grid *list;
    uint32_t count;
    uint32_t capacity;
    OpprofTextMap places; /* in list */
} Grids;

/* Add a kernel, if its blocks are known. False without memory. */
bool GridsAdd(Grids *grids, const TraceEvent *event, uint32_t name, uint32_t lane);

void GridsFinish(Grids *grids);

#endif
