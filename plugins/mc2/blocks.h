/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_BLOCKS_H
#define MC2_BLOCKS_H

#include "facts.h"
#include <opprof/map.h>

/* When the blocks of a launch ran on which cores, and the names of their lanes. */

#define LANE_NAME_ROOM 40u

/* Times are of the system counter. */
typedef struct BlockSpan {
    uint64_t start;
    uint64_t end;
    uint32_t block;
    uint32_t sub_block;
    bool is_cube;
} BlockSpan;

typedef struct Blocks {
    const BlockLayout *layout; /* borrowed */
    OpprofMap map;             /* (kind, block, sub-block): index */
    BlockSpan *list;
    size_t count;
    size_t capacity;
    uint32_t cubes;   /* how many are cube blocks */
    uint32_t vectors; /* largest sub-block of a vector block, plus 1; 0 if none */
    uint32_t stream;  /* of the launch, normalised */
    uint32_t task;
    bool has_task;
    uint64_t records;
    uint64_t repeated;  /* repeated records of blocks; the later one counts */
    uint64_t backwards; /* records that end before they start; left out */
} Blocks;

/* Take records of the layout's size. False without memory. */
bool BlocksRecords(Blocks *blocks, const unsigned char *records, size_t count);

/* Forget the records: another replay follows, and only the last one counts. */
void BlocksReset(Blocks *blocks);

/* Sort by lane: core0.cubecore0, core0.veccore0, core0.veccore1, core1 … */
void BlocksSort(Blocks *blocks);

/* The span of a block by its number in the operator: for vector blocks sub-blocks count. NULL:
 * none. */
const BlockSpan *BlocksFind(const Blocks *blocks, bool is_cube, uint32_t number);

/* Number in the operator of a block span. */
uint32_t BlocksNumber(const Blocks *blocks, const BlockSpan *span);

/* Earliest start; 0: no blocks. */
uint64_t BlocksStart(const Blocks *blocks);
/* Latest end. */
uint64_t BlocksLastEnd(const Blocks *blocks);

/* Lane of a block by its number: "core1.veccore0"; "NA" if there is no vector block at all. */
void BlocksLane(const Blocks *blocks, bool is_cube, uint32_t number, char lane[LANE_NAME_ROOM]);

void BlocksFinish(Blocks *blocks);

#endif
