/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_PAIRING_HORIZON_H
#define COLLECT_SIM_PAIRING_HORIZON_H

/*
 * The earliest tick in the rest of a log. The first reading notes the smallest tick of every
 * HORIZON_BLOCK records; the second one asks for it. So rows can be sorted exactly although ticks
 * go back and forth, with eight bytes per block.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef HORIZON_BLOCK
#define HORIZON_BLOCK 4096u /* tests use a small one */
#endif

typedef struct Horizon {
    uint64_t *minima; /* per block; after HorizonClose: of that block and all after it */
    size_t count;
    size_t capacity;
    uint64_t records;
} Horizon;

/* Begin a block of records. False without memory. */
bool HorizonStartBlock(Horizon *horizon);

/* Count a record. False without memory. */
static inline bool HorizonAdd(Horizon *horizon, uint64_t tick)
{
    if (horizon->records % HORIZON_BLOCK == 0 && !HorizonStartBlock(horizon)) {
        return false;
    }
    if (tick < horizon->minima[horizon->count - 1]) {
        horizon->minima[horizon->count - 1] = tick;
    }
    horizon->records++;
    return true;
}

/* All records are counted: from now on HorizonFloor may be called. */
void HorizonClose(Horizon *horizon);

/*
 * No record from number `record` on is earlier than this; UINT64_MAX: no record is left. May be too
 * small, due to the records before it in its block.
 */
static inline uint64_t HorizonFloor(const Horizon *horizon, uint64_t record)
{
    const uint64_t block = record / HORIZON_BLOCK;

    return record < horizon->records ? horizon->minima[block] : UINT64_MAX;
}

void HorizonFinish(Horizon *horizon);

#endif
