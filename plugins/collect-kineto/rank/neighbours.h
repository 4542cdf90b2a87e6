/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_RANK_NEIGHBOURS_H
#define COLLECT_KINETO_RANK_NEIGHBOURS_H

#include "collect-kineto/rank/rank_trace.h"

/*
 * End what the host did where its neighbour begins, if they overlap only because times are rounded:
 * start and duration each to the digits of the trace.
 *
 * order:  numbers of the events by thread, then by start, outer ones first
 * Returns false without memory.
 */
bool NeighboursPart(const RankTrace *trace, const uint32_t *order, uint32_t count);

#endif
