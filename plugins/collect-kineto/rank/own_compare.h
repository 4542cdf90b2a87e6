/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_RANK_OWN_COMPARE_H
#define COLLECT_KINETO_RANK_OWN_COMPARE_H

#include "collect-kineto/rank/link.h"

/* The trace's own sums, and the same of its work. */
typedef struct OwnComparison {
    bool has_own;
    uint64_t own_ns[WORK_CLASSES];
    uint64_t work_ns[WORK_CLASSES]; /* merged within each device */
} OwnComparison;

/* Compare the sums that a profiler wrote beside the work with the work. False without memory. */
bool OwnCompare(const RankTrace *trace, const LinkedTrace *linked, OwnComparison *ret_comparison);

#endif
