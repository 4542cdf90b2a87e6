/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_RANK_FAULTS_H
#define COLLECT_KINETO_RANK_FAULTS_H

#include "collect-kineto/rank/linked_trace.h"

/* Shorter overlaps of work in a stream are slips of clocks: real ones reach 13 us. */
#define FAULTS_OVERLAP_NS 50000

/*
 * Find what cannot be true of linked work that is sorted by start, and leave out what is in the
 * file twice or hours away from the call that launched it. False without memory.
 */
bool FaultsFind(const RankTrace *trace, LinkedTrace *linked);

#endif
