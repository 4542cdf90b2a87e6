/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_RANK_OWN_SUMS_H
#define COLLECT_KINETO_RANK_OWN_SUMS_H

#include "collect-kineto/formats/event.h"
#include "collect-kineto/rank/processes.h"

/*
 * Sums that a profiler wrote beside the work (Ascend's "Overlap Analysis"): when its devices
 * compute and when they communicate. They are another reading of the same work.
 */

/* Sums in one process of the trace. */
typedef struct OwnSum {
    int64_t process;
    uint64_t ns[WORK_CLASSES]; /* computation and communication */
    uint64_t events;
} OwnSum;

#define OWN_SUMS_MAX 64u /* processes; further ones are left out */

typedef struct OwnSums {
    OwnSum list[OWN_SUMS_MAX];
    uint32_t count;
    bool is_full;
} OwnSums;

/* Add an event, if its name is that of a sum; the name of its process may come later. */
void OwnSumsAdd(OwnSums *sums, const Vocabulary *vocabulary, const TraceEvent *event);

#endif
