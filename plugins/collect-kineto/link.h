/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_LINK_H
#define COLLECT_KINETO_LINK_H

#include "rank_trace.h"

/* A trace made ready: calls tied to what they launched, everything in order of time. */
typedef struct LinkedTrace {
    uint32_t *work;  /* numbers of the work events, by start, then by place in the file */
    uint32_t *steps; /* numbers of the steps, by start */
    uint32_t work_count;
    uint32_t step_count;
    uint64_t dropped;     /* pieces of work that the step filter left out */
    int64_t earliest_ns;  /* least time of all; 0 if there is nothing */
    int64_t last_step_ns; /* start of the latest step, for messages */
} LinkedTrace;

/*
 * Tie and sort.
 *
 * exclude_last_step:  if there are two steps of different names, keep only work whose call began
 *                     before the latest step did
 * False without memory. The trace's work events change: see WorkEvent.correlation.
 */
bool LinkTrace(RankTrace *trace, bool exclude_last_step, LinkedTrace *ret_linked);

/* Accepts a zeroed one. */
void LinkedTraceFinish(LinkedTrace *linked);

#endif
