/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_DBI_HOT_SPOTS_H
#define ANALYSE_DBI_HOT_SPOTS_H

#include <opprof/map.h>
#include <opprof/records/dbi.h>

#include <stddef.h>

/*
 * The code of one launch: everything known about each of its instructions, joined. Addresses count
 * from the start of the code.
 */

#define SPOTS_STEP 4u                     /* bytes of the shortest instruction */
#define SPOTS_MAX_PCS (UINT64_C(1) << 20) /* shown at most: 4 MiB of code */

/* An instruction. */
typedef struct Spot {
    uint64_t pc;
    uint64_t calls;           /* absent: unknown */
    uint64_t samples;         /* all samples … */
    uint64_t waits;           /* … and those in which it was not issued */
    const OpprofDbiPc *moves; /* NULL: it moved nothing, or its traffic is unknown */
    uint32_t function;        /* interned, or absent */
    int32_t registers;        /* in use; absent: unknown */
} Spot;

/* Zeroed memory is empty. */
typedef struct Spots {
    OpprofDbiBlockCount *blocks; /* once joined: by start */
    size_t block_count;
    size_t block_capacity;
    OpprofDbiSample *samples;
    size_t sample_count;
    size_t sample_capacity;
    OpprofDbiRegister *registers;
    size_t register_count;
    size_t register_capacity;
    OpprofDbiPc *moves;
    size_t move_count;
    size_t move_capacity;

    Spot *list; /* once joined: by address */
    size_t count;
    size_t capacity;
    OpprofMap places;      /* in the list, by address */
    uint64_t lost_samples; /* of addresses that are not shown */
    uint64_t all_samples;
    uint64_t lost_moves; /* instructions that moved data and are not shown */
    bool is_cut;         /* more code exists than is shown */
} Spots;

/* Add a record; false without memory. */
bool SpotsAddBlock(Spots *spots, const OpprofDbiBlockCount *block);
bool SpotsAddSample(Spots *spots, const OpprofDbiSample *sample);
bool SpotsAddRegister(Spots *spots, const OpprofDbiRegister *one);
bool SpotsAddMoves(Spots *spots, const OpprofDbiPc *moves);

/*
 * All records have come: find the instructions. With blocks they lie between the first and the last
 * block of each function; without, they are all those about which anything is known. False without
 * memory.
 */
bool SpotsJoin(Spots *spots);

void SpotsFinish(Spots *spots);

#endif
