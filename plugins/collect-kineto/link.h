/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_LINK_H
#define COLLECT_KINETO_LINK_H

#include "rank_trace.h"

/* Times further than this from the trace's middle event are impossible. */
#define LINK_FAR_NS DURATION_MAX_NS

/* True if a time is near those from one to another. */
static inline bool LinkIsNear(int64_t from_ns, int64_t to_ns, int64_t ns)
{
    return ns >= from_ns - LINK_FAR_NS && ns <= to_ns + LINK_FAR_NS;
}

/* What a call launched. */
typedef struct CallSum {
    uint64_t duration_ns; /* of all its work, added up */
    uint32_t count;       /* pieces of it */
    uint32_t first;       /* number of the first of them by time */
} CallSum;

/* A trace made ready: calls tied to what they launched, everything in order of time. */
typedef struct LinkedTrace {
    uint32_t *work;  /* numbers of the work events, by start, then by place in the file */
    uint32_t *steps; /* numbers of the steps, by start */
    uint32_t work_count;
    uint32_t step_count;
    uint64_t dropped;     /* pieces of work that the step filter left out */
    uint64_t correlated;  /* pieces of work that should have a call */
    uint64_t unlinked;    /* those of them whose call is unknown */
    uint64_t absurd;      /* pieces of work, calls and steps left out: see LINK_FAR_NS */
    uint32_t absurd_work; /* number of the first such piece of work, UINT32_MAX if none */
    CallSum *calls;       /* by number of the call */
    int64_t earliest_ns;  /* earliest time of all; 0 if empty */
    int64_t latest_ns;    /* latest end of all */
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

/* A zeroed one is allowed. */
void LinkedTraceFinish(LinkedTrace *linked);

#endif
