/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_RANK_LINK_H
#define COLLECT_KINETO_RANK_LINK_H

#include "collect-kineto/rank/linked_trace.h"

/* Work that was launched while a host event ran. Nanoseconds. */
typedef struct HostWork {
    uint64_t device_ns; /* of work launched in it, but not in others of its kind inside it */
    uint64_t device_all_ns;
    uint64_t delay_ns; /* from the ends of its launching calls to their first work */
    uint32_t launches;
    uint32_t kernels;
    uint32_t kernels_all;
} HostWork;

/* Times further than this from the trace's middle event are impossible. */
#define LINK_FAR_NS DURATION_MAX_NS

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

/* Add what a call launched to the work of what was open around it. */
void LinkAddWork(const RankTrace *trace, const LinkedTrace *linked, uint32_t call, HostWork *work);

/* A zeroed one is allowed. */
void LinkedTraceFinish(LinkedTrace *linked);

#endif
