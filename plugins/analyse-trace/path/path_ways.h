/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_PATH_PATH_WAYS_H
#define ANALYSE_TRACE_PATH_PATH_WAYS_H

#include "analyse-trace/path/path_graph.h"

/* How much of the time of each part counts, in halves: 0, 1 or 2. */
typedef struct PathShares {
    uint8_t halves[PATH_PARTS];
} PathShares;

/*
 * The longest way through a settled graph.
 *
 * best:        room for a number a moment and one more: the edge by which the longest way leads
 *              there, UINT32_MAX for none
 * ret_last:    where the way ends
 * ret_length:  half ticks
 * False without memory.
 */
bool PathGraphLongest(const PathGraph *graph, const PathShares *shares, uint32_t *best,
                      uint32_t *ret_last, uint64_t *ret_length);

/*
 * Lengths of the longest ways through a settled graph, each with other shares, in one look at it.
 *
 * ret_lengths:  for each of `count` shares, half ticks
 * False without memory.
 */
bool PathGraphLengths(const PathGraph *graph, const PathShares *shares, uint32_t count,
                      uint64_t *ret_lengths);

/* Of two ways of these lengths to one moment the longer one; if they are equally long, the one by
 * what the moment waited for. */
static inline bool PathWayIsBetter(uint64_t length, bool is_slack, uint64_t other_length,
                                   bool other_is_slack)
{
    return length > other_length || (length == other_length && other_is_slack && !is_slack);
}

#endif
