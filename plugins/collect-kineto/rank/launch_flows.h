/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_RANK_LAUNCH_FLOWS_H
#define COLLECT_KINETO_RANK_LAUNCH_FLOWS_H

#include "collect-kineto/rank/rank_trace.h"

#include <opprof/map.h>

/* An end of a flow, as context of SortCountUpTo. */
typedef struct FlowPlace {
    const RankTrace *trace;
    const FlowEnd *end;
} FlowPlace;

/* Whether what starts on a thread comes before an end of a flow, or begins with it. */
static inline bool FlowIsReached(const FlowEnd *end, uint32_t thread, int64_t start_ns)
{
    return thread < end->place || (thread == end->place && start_ns <= end->start_ns);
}

/* Of several flows with one key the first counts. False without memory. */
bool FlowsAddFirst(OpprofMap *map, uint64_t key, uint32_t i);

/* Flows of one kind: where the number of each begins, and what ends at a piece of work. */
typedef struct FlowIndex {
    const Chunks *list; /* of FlowEnd */
    OpprofMap starts;   /* in list, by number */
    OpprofMap finishes; /* in list, by stream and start of the work */
} FlowIndex;

/* Flows from calls, or from the operators around them, to the work that they launched. */
typedef struct LaunchFlows {
    FlowIndex calls;
    FlowIndex operators;
    uint32_t *order; /* numbers of the calls in the file, by thread, then by start */
    uint32_t count;
} LaunchFlows;

/* Where a call belongs, if not where it is: in the operator that launched its work from another
 * thread or process. */
typedef struct CallPlace {
    int64_t start_ns;
    uint32_t thread;
} CallPlace;

/* Index the flows. False without memory. Costs nothing without flows, else 48 bytes per flow and 4
 * per call. */
bool LaunchFlowsInit(const RankTrace *trace, LaunchFlows *ret_flows);

/*
 * The call of a piece of work whose correlation leads to none: the one at which its flow begins. If
 * none is there, a new one without duration. *ret_call is UINT32_MAX without a flow; then the
 * flow's number may be a correlation, *ret_correlation. False without memory.
 */
bool LaunchFlowsFind(const LaunchFlows *flows, RankTrace *trace, const WorkEvent *work,
                     uint32_t *ret_call, uint64_t *ret_correlation);

/* Places of all calls, if an operator launched some of their work, to be freed; else NULL. False
 * without memory. */
bool LaunchFlowsPlaces(const LaunchFlows *flows, const RankTrace *trace, CallPlace **ret_places);

/* A zeroed one is allowed. */
void LaunchFlowsFinish(LaunchFlows *flows);

#endif
