/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_DBI_REUSE_H
#define ANALYSE_DBI_REUSE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Reuse distances: how many distinct lines were accessed since the last access of a line. Exact up
 * to a depth; anything deeper is REUSE_BEYOND. The caller keeps a stamp for each line; memory
 * depends on the depth alone.
 *
 * The latest access of each line is a bit on a time axis; the distance is the number of bits after
 * it. Kernels often access lines again in the same order: then the next bit's distance follows from
 * the last one's. Counts of bits per block and per group of blocks answer the rest in a few steps.
 */

#define REUSE_NEVER 0u                /* stamp of a line without an access */
#define REUSE_OLD UINT32_MAX          /* stamp of a line beyond the depth */
#define REUSE_FIRST UINT32_MAX        /* distance: no earlier access */
#define REUSE_BEYOND (UINT32_MAX - 1) /* distance: at least the depth */

#define REUSE_WORD_BITS 64u
#define REUSE_BLOCK_BITS 512u /* a line of the machine's cache */
#define REUSE_GROUP_BITS (64u * REUSE_BLOCK_BITS)

typedef struct Reuse {
    uint32_t depth;
    uint32_t size;       /* bits of the axis */
    uint32_t now;        /* the last bit in use; the first is 1 */
    uint32_t tail;       /* the oldest bit that is set, or a later one if none is */
    uint32_t alive;      /* bits that are set */
    uint32_t last;       /* the bit looked up last, … */
    uint32_t last_count; /* … and the number of bits set after it now */
    uint64_t *words;
    void *memory; /* that holds them */
    /* Bits that are set in a block and in a group, complete once `now` has passed it. */
    uint16_t *block_counts;
    uint32_t *group_counts;
    uint32_t *ranks; /* for each word, bits set before it; only while stamps are renumbered */
    uint32_t group_count;
} Reuse;

/* False without memory. 1 <= depth <= 2^26. */
bool ReuseInit(Reuse *reuse, uint32_t depth);
void ReuseFinish(Reuse *reuse);

/*
 * False when so many accesses do not fit the axis: call ReuseRank, give every stamp to
 * ReuseRenumber, then call ReuseCompact. 1 <= accesses <= 256.
 */
static inline bool ReuseHasRoom(const Reuse *reuse, uint32_t accesses)
{
    return reuse->size - reuse->now > accesses;
}

/* Whether a line with this stamp is within the depth. */
static inline bool ReuseIsAlive(const Reuse *reuse, uint32_t stamp)
{
    return stamp - reuse->tail < reuse->now + 1 - reuse->tail;
}

void ReuseRank(Reuse *reuse);

/* The value of the stamp after ReuseCompact. */
uint32_t ReuseRenumber(const Reuse *reuse, uint32_t stamp);
void ReuseCompact(Reuse *reuse);

/*
 * Access lines with these stamps one after another; there is room. Takes as many of the first ones
 * as have the same distance and can be taken together, at least one, and returns their number.
 */
uint32_t ReuseTouch(Reuse *reuse, uint32_t *stamps, uint32_t count, uint32_t *ret_distance);

#endif
