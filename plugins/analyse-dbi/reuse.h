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
 * it. Counts of bits a word, a group of words and a group of groups answer that in a few steps.
 */

#define REUSE_NEVER 0u                /* stamp of a line that was not accessed */
#define REUSE_OLD UINT32_MAX          /* stamp of a line that lies beyond the depth */
#define REUSE_FIRST UINT64_MAX        /* distance: there was no access before */
#define REUSE_BEYOND (UINT64_MAX - 1) /* distance: at least the depth */

typedef struct Reuse {
    uint32_t depth;
    uint32_t size;  /* bits of the axis */
    uint32_t now;   /* the last bit that was given; the first is 1 */
    uint32_t tail;  /* the oldest bit that is set, or later than all */
    uint32_t alive; /* bits that are set */
    uint64_t *words;
    uint8_t *word_counts;
    uint16_t *group_counts;
    uint32_t *super_counts;
    uint32_t *ranks; /* of each word, bits set before it; while stamps are renumbered */
    uint32_t group_count;
    uint32_t super_count;
} Reuse;

/* False without memory. 1 <= depth <= 2^26. */
bool ReuseInit(Reuse *reuse, uint32_t depth);
void ReuseFinish(Reuse *reuse);

/* True when the axis is used up: call ReuseRank, give every stamp to ReuseRenumber, then call
 * ReuseCompact. */
static inline bool ReuseIsFull(const Reuse *reuse)
{
    return reuse->now + 1 == reuse->size;
}

void ReuseRank(Reuse *reuse);

/* What the stamp will be after ReuseCompact. */
uint32_t ReuseRenumber(const Reuse *reuse, uint32_t stamp);
void ReuseCompact(Reuse *reuse);

/* The line with this stamp is accessed; the axis is not full. Returns the distance. */
uint64_t ReuseTouch(Reuse *reuse, uint32_t *stamp);

#endif
