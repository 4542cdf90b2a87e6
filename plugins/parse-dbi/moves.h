/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_DBI_MOVES_H
#define PARSE_DBI_MOVES_H

#include "record.h"

/*
 * Moves of each core: along the paths that the chip file names (`pmu.moves`), and between any two
 * memories.
 */

#define MOVES_MAX_PATHS 32u

typedef struct MovePath {
    const char *name; /* borrowed from the chip */
    uint32_t unit;    /* bytes of one request */
    bool is_credited; /* a cube core's move also counts for the vector core that it names */
} MovePath;

/* The paths of a chip. */
typedef struct MovePaths {
    MovePath list[MOVES_MAX_PATHS];
    uint32_t count;
    uint32_t memories; /* of the chip */
    OpprofBlockCores cores;
    uint64_t routes[DBI_MAX_MEMORIES]
                   [DBI_MAX_MEMORIES]; /* bit p: path p leads from there to there */
} MovePaths;

/* Read the paths; OPPROF_E_DATA names the fault. A chip without paths is valid: nothing counts. */
OpprofStatus MovePathsLoad(const OpprofChip *chip, const DbiTables *tables, MovePaths *paths,
                           OpprofError **error);

/* Between two memories. */
typedef struct MoveTotal {
    uint64_t accesses;
    uint64_t src_bytes;
    uint64_t dst_bytes;
} MoveTotal;

/* Sums of one core. */
typedef struct MoveSums {
    uint64_t bytes[MOVES_MAX_PATHS];
    uint64_t requests[MOVES_MAX_PATHS];
    uint64_t is_there; /* bit p: something moved along path p */
} MoveSums;

typedef struct Moves {
    const MovePaths *paths;
    MoveSums *sums;    /* by slot */
    MoveTotal *totals; /* by slot, source memory and destination memory */
    uint32_t slots;
    uint32_t memories;
} Moves;

/* False without memory. */
bool MovesInit(Moves *moves, const MovePaths *paths, uint32_t slots);
void MovesFinish(Moves *moves);

/* The sums of a slot for two memories. */
MoveTotal *MovesTotal(const Moves *moves, uint32_t slot, uint32_t from, uint32_t to);

/*
 * Count the accesses of a run, for a slot below `slots`. `sub_block` is the vector core that a cube
 * core's record names.
 */
void MovesAdd(Moves *moves, uint32_t slot, uint64_t sub_block, const DbiRun *run);

#endif
