/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_REGION_MAP_H
#define MC2_REGION_MAP_H

#include <opprof/map.h>

/* The instructions that the compiler put marks around (dfx_region_map.txt), and where it ran out of
 * marks. */

#define REGION_OPCODE_ROOM 48u

typedef struct Region {
    uint64_t pc; /* address, with the kernel's start */
    uint32_t id;
    uint32_t pipe;                   /* index of the pipe */
    uint32_t colour;                 /* order of first use of the opcode; set by the user */
    char opcode[REGION_OPCODE_ROOM]; /* "" is impossible */
} Region;

typedef struct RegionMap {
    OpprofMap map; /* (pipe, id): index */
    Region *list;
    size_t count;
    size_t capacity;
    uint64_t lines;
    uint64_t skipped; /* lines of another form */
} RegionMap;

/* One line, without its end. False without memory. */
bool RegionMapLine(RegionMap *map, const char *line, size_t length, uint64_t start_pc);

/* NULL: the map does not contain it. */
const Region *RegionMapFind(const RegionMap *map, uint32_t pipe, uint32_t id);

/*
 * True, and the pipe, if a line of dfx_tune.log says that a pipe had more instructions than marks.
 */
bool RegionTuneLine(const char *line, size_t length, uint32_t *ret_pipe);

void RegionMapFinish(RegionMap *map);

#endif
