/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many blocks kernels had, added up. Tested by tests/plugins/analyse-trace/test_grids.sh.
 */
#include "collect-kineto/rank/grids.h"

#include <opprof/grow.h>
#include <stdlib.h>

/* The common members of a Grid, as the key of a map. */
typedef struct GridKey {
    uint32_t name;
    uint32_t lane;
    uint32_t blocks;
    uint32_t threads;
} GridKey;

/* NULL without memory. */
static Grid *find(Grids *grids, const GridKey *key)
{
    const uint32_t place = OpprofTextMapFind(&grids->places, (const char *) key, sizeof *key);

    if (place != OPPROF_MAP_NONE) {
        return &grids->list[place];
    }
    if (!OpprofGrow32(&grids->list, &grids->capacity, (size_t) grids->count + 1,
                      sizeof *grids->list) ||
        !OpprofTextMapPut(&grids->places, (const char *) key, sizeof *key, grids->count, NULL)) {
        return NULL;
    }
    grids->list[grids->count] = (Grid){
        .name = key->name, .lane = key->lane, .blocks = key->blocks, .threads = key->threads
    };
    return &grids->list[grids->count++];
}

bool GridsAdd(Grids *grids, const TraceEvent *event, uint32_t name, uint32_t lane)
{
    const GridKey key = {
        .name = name, .lane = lane, .blocks = event->blocks, .threads = event->threads
    };
    Grid *grid;

    if (event->blocks == 0) {
        return true;
    }
    grid = find(grids, &key);
    if (grid == NULL) {
        return false;
    }
    grid->count++;
    grid->duration_ns += (uint64_t) event->duration_ns;
    if (event->occupancy > 0) {
        grid->occupied_ns += (uint64_t) event->duration_ns;
        grid->occupancy_ns += (double) event->occupancy * (double) event->duration_ns;
    }
    return true;
}

void GridsFinish(Grids *grids)
{
    free(grids->list);
    OpprofTextMapFinish(&grids->places);
    *grids = (Grids){ .list = NULL };
}
