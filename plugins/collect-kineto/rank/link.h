/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_RANK_LINK_H
#define COLLECT_KINETO_RANK_LINK_H

#include "collect-kineto/rank/launch_flows.h"

/* Times further than this from the trace's middle event are impossible. */
#define LINK_FAR_NS DURATION_MAX_NS

/* Work that a call launched. */
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
    uint64_t pieces;      /* of work in the file */
    uint64_t correlated;  /* those that name a call */
    uint64_t unlinked;    /* those whose call is unknown, whether they name one or not */
    int64_t near_from_ns; /* other times are absurd: see LINK_FAR_NS */
    int64_t near_to_ns;
    uint64_t absurd;      /* events of any kind that were left out for that */
    uint32_t absurd_name; /* of the first of them */
    int64_t absurd_ns;    /* start of the same */
    CallSum *calls;       /* by number of the call */
    CallPlace *places;    /* the same; NULL: each is where its call is */
    int64_t earliest_ns;  /* earliest time of all; 0 if empty */
    int64_t latest_ns;    /* latest end of all */
    int64_t last_step_ns; /* start of the latest step, for messages */
} LinkedTrace;

/* True if an event that begins then is not left out. */
static inline bool LinkIsNear(const LinkedTrace *linked, int64_t ns)
{
    return ns >= linked->near_from_ns && ns <= linked->near_to_ns;
}

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
