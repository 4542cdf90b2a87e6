/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_RANK_LINKED_TRACE_H
#define COLLECT_KINETO_RANK_LINKED_TRACE_H

#include "collect-kineto/rank/launch_flows.h"

/* Events that cannot be true, and the first of them. */
typedef struct Fault {
    uint64_t count;
    uint32_t name; /* in names */
    int64_t ns;    /* where it starts */
} Fault;

static inline void FaultAdd(Fault *fault, uint32_t name, int64_t ns)
{
    if (fault->count++ == 0) {
        fault->name = name;
        fault->ns = ns;
    }
}

/* What cannot be true of a trace's events. */
typedef struct Faults {
    Fault early;       /* work that begins before its launch call does */
    Fault far;         /* the same, hours or seconds away: it was left out */
    Fault twice;       /* work that is in the file twice: its copies were left out */
    Fault host_twice;  /* the same of calls, operators and steps, which are counted twice */
    Fault crossing;    /* work that begins long before earlier work of its stream ends */
    Fault guessed;     /* work whose call may be another one of its correlation */
    Fault workless;    /* calls that always launch work, without any */
    uint64_t enqueued; /* calls that always launch work */
    uint64_t linked;   /* pieces of work whose call is known */
} Faults;

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
    bool has_twins;       /* several calls have one correlation */
    Faults faults;
    CallSum *calls;       /* by number of the call */
    CallPlace *places;    /* the same; NULL: each is where its call is */
    int64_t earliest_ns;  /* earliest time of all; 0 if empty */
    int64_t latest_ns;    /* latest end of all */
    int64_t last_step_ns; /* start of the latest step, for messages */
} LinkedTrace;

#endif
