/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_RANK_WORKLESS_H
#define COLLECT_KINETO_RANK_WORKLESS_H

#include "collect-kineto/rank/linked_trace.h"

/*
 * Count the calls that always launch work, and those of them without any in the trace. Calls while
 * a graph is captured launch nothing, and of calls inside each other one has the work. False
 * without memory.
 */
bool WorklessFind(const RankTrace *trace, LinkedTrace *linked);

#endif
