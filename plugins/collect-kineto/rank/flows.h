/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_RANK_FLOWS_H
#define COLLECT_KINETO_RANK_FLOWS_H

#include "collect-kineto/rank/host.h"

/*
 * Find the operators at both ends of each flow from a forward operator to its backward one. `links`
 * has its order. False without memory. Costs nothing without flows, else 8 bytes per host event and
 * 40 per flow.
 */
bool FlowsTie(const RankTrace *trace, HostLinks *links);

/*
 * Let the calls of backward operators have module and annotation of the forward one, where none was
 * open on their own thread, and add up what each of these inherits. False without memory.
 */
bool FlowsInherit(const RankTrace *trace, const LinkedTrace *linked, HostLinks *links);

/* A zeroed one is allowed. */
void FlowsFinish(FlowLinks *flows);

#endif
