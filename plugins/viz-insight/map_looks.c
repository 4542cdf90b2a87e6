/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The viewer's memory map: its pictures, by the layout of a chip's memories, and numbers of paths.
 * Tested by tests/plugins/viz-insight/test_map_looks.c.
 */
#include "map_looks.h"

#include <opprof/plugin.h>
#include <string.h>

static const MapLook looks[] = {
    { .layout = "310P", .drawing = "310P", .suffixes = { "bandwidth_suffix", "requests_suffix" } },
    { .layout = "910B",
      .drawing = "910B",
      .has_peaks = true,
      .suffixes = { "bandwidth_suffix", "request_suffix" } },
    { .layout = "950", .drawing = "910A5", .has_memory_detail = true },
};

static const struct {
    const char *name;
    int number;
} paths[] = {
    { "GM_TO_L2", 0 },
    { "L2_TO_GM", 1 },
    { "L2_TO_L1", 2 },
    { "L1_TO_L2", 3 },
    { "ANY_TO_L0A", 4 },
    { "ANY_TO_L0B", 5 },
    { "L0A_TO_CUBE", 6 },
    { "L0B_TO_CUBE", 7 },
    { "CUBE_TO_L0C", 8 },
    { "L0C_TO_L1", 9 },
    { "L0C_TO_L2", 10 },
    { "L0C_TO_CUBE", 11 },
    { "L2_TO_UB", 12 },
    { "UB_TO_L2", 13 },
    { "UB_TO_VECTOR", 14 },
    { "VECTOR_TO_UB", 15 },
    { "L2_TO_UB1", 16 },
    { "UB1_TO_L2", 17 },
    { "UB1_TO_VECTOR1", 18 },
    { "VECTOR1_TO_UB1", 19 },
    { "ANY_TO_L1", 20 },
    { "MTE_TO_L0A", 21 },
    { "MTE_TO_L0B", 22 },
    { "VECTOR_TO_L0C", 23 },
    { "L0C_TO_VECTOR", 24 },
    { "ANY_TO_UB", 25 },
    { "GM_TO_L0A", 35 },
    { "GM_TO_L0B", 36 },
    { "L1_TO_L0A", 37 },
    { "L1_TO_L0B", 38 },
    { "L0C_TO_FIXP", 39 },
    { "FIXP_TO_L2", 40 },
    { "FIXP_TO_L1", 41 },
    { "FIXP_TO_UB", 42 },
    { "FIXP_TO_UB1", 43 },
    { "L1_TO_UB", 44 },
    { "L1_TO_UB1", 45 },
    { "UB_TO_L1", 46 },
    { "UB1_TO_L1", 47 },
    { "L2_TO_DCACHE", 48 },
    { "L2_TO_DCACHE1", 49 },
    { "DCACHE_TO_L2", 50 },
    { "DCACHE1_TO_L2", 51 },
    { "VECTOR_TO_DCACHE", 52 },
    { "VECTOR1_TO_DCACHE1", 53 },
    { "DCACHE_TO_VECTOR", 54 },
    { "DCACHE1_TO_VECTOR1", 55 },
};

MapLook MapLookOf(const char *layout)
{
    for (size_t i = 0; i < OPPROF_COUNT(looks); i++) {
        if (strcmp(looks[i].layout, layout) == 0) {
            return looks[i];
        }
    }
    return (MapLook){ .layout = layout, .drawing = layout, .has_peaks = true };
}

int MapPathNumber(const char *name)
{
    for (size_t i = 0; i < OPPROF_COUNT(paths); i++) {
        if (strcmp(paths[i].name, name) == 0) {
            return paths[i].number;
        }
    }
    return -1;
}
