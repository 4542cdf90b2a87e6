/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_RANK_CALL_INDEX_H
#define COLLECT_KINETO_RANK_CALL_INDEX_H

#include "collect-kineto/rank/call_match.h"

/*
 * Calls by correlation. A file may have several calls of one correlation: recordings of one process
 * count from 1 each, and so do the processes of ranks that were merged into one file. The call of a
 * piece of work is then its partner (call_match.h), or the latest one before it, in the process
 * that launches the work of its device.
 */
typedef struct CallIndex {
    /* An open table, two thirds full at most: 6 to 12 bytes a call, while linking. Not an
     * OpprofMap, which would keep each key again: it takes 140 instead of 76 ms for a million
     * calls, 11 instead of 3 ms for a hundred thousand, and four times the memory. */
    uint32_t *slots; /* number of the first call of a correlation plus 1; 0: free */
    uint32_t mask;
    uint64_t seed;     /* so that no file can be made to collide */
    bool has_twins;    /* a correlation has several calls */
    uint32_t *order;   /* with twins: all calls by correlation, origin, process and start */
    uint32_t count;    /* of order */
    CallMatch match;   /* with twins */
    uint32_t *votes;   /* with twins: how much work of a device a process may have launched */
    OpprofMap pairs;   /* in votes, by device and process */
    OpprofMap origins; /* those that threads have */
    uint32_t pair_count;
    size_t pair_capacity;
} CallIndex;

/* Index the calls of a trace that may launch work. False without memory. */
bool CallIndexInit(const RankTrace *trace, CallIndex *ret_index);

/* The call of a piece of work, by its number, with that correlation; UINT32_MAX if none. A guess:
 * calls of several ranks, which nothing tells apart, may have launched it. */
uint32_t CallIndexFind(const CallIndex *index, const RankTrace *trace, uint32_t number,
                       uint64_t correlation, bool *ret_is_guess);

/* A zeroed one is allowed. */
void CallIndexFinish(CallIndex *index);

#endif
