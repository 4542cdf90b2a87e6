/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_DBI_REUSE_H
#define ANALYSE_DBI_REUSE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Reuse distances: how many different lines were accessed since a line was accessed last. Exact up
 * to a depth; whatever lies deeper is REUSE_BEYOND. The caller keeps a stamp for each line; memory
 * depends on the depth alone.
 *
 * The latest access of each line is a bit on a time axis; the distance is the number of bits after
 * it. Kernels access lines again in the order in which they did before: then the next bit's
 * distance follows from the last one's. Counts of bits a block and a group of blocks answer the
 * rest in a few steps.
 */

#define REUSE_NEVER 0u                /* stamp of a line that was not accessed */
#define REUSE_OLD UINT32_MAX          /* stamp of a line that lies beyond the depth */
#define REUSE_FIRST UINT32_MAX        /* distance: there was no access before */
#define REUSE_BEYOND (UINT32_MAX - 1) /* distance: at least the depth */

#define REUSE_WORD_BITS 64u
#define REUSE_BLOCK_BITS 512u /* a line of the machine's cache */
#define REUSE_GROUP_BITS (64u * REUSE_BLOCK_BITS)

typedef struct Reuse {
    uint32_t depth;
    uint32_t size;       /* bits of the axis */
    uint32_t now;        /* the last bit that was given; the first is 1 */
    uint32_t tail;       /* the oldest bit that is set, or later than all */
    uint32_t alive;      /* bits that are set */
    uint32_t last;       /* bit that was looked for last, … */
    uint32_t last_count; /* … and the bits that are set after it now */
    uint64_t *words;
    void *memory; /* that holds them */
    /* Bits that are set in a block and in a group, once `now` lies after it. Before, they lack what it was given. */
    uint16_t *block_counts;
    uint32_t *group_counts;
    uint32_t *ranks; /* of each word, bits set before it; while stamps are renumbered */
    uint32_t group_count;
} Reuse;

/* False without memory. 1 <= depth <= 2^26. */
bool ReuseInit(Reuse *reuse, uint32_t depth);
void ReuseFinish(Reuse *reuse);

/* False when so many accesses use the axis up: call ReuseRank, give every stamp to ReuseRenumber, then call
 * ReuseCompact. 1 <= accesses <= 256. */
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

/* What the stamp will be after ReuseCompact. */
uint32_t ReuseRenumber(const Reuse *reuse, uint32_t stamp);
void ReuseCompact(Reuse *reuse);

/*
 * Lines with these stamps are accessed, one after the other; there is room. Takes as many of the first ones as have the
 * same distance and can be taken together, one at least, and returns their number.
 */
uint32_t ReuseTouch(Reuse *reuse, uint32_t *stamps, uint32_t count, uint32_t *ret_distance);

#endif
