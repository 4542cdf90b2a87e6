/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_COMMON_SWEEP_H
#define ANALYSE_TRACE_COMMON_SWEEP_H

#include "analyse-trace/common/rules.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A line that sweeps over intervals of several classes, which come by start, and adds up how long
 * each combination of classes was active. Intervals that overlap or touch are merged, so nothing is
 * counted twice, and nothing needs to be kept.
 */
typedef struct Sweep {
    uint64_t ends[ACTIVITY_CLASSES];       /* until when each class is active */
    uint64_t now;                          /* added up to here */
    uint64_t first;                        /* earliest start */
    uint64_t last;                         /* latest end */
    uint64_t intervals;                    /* how many came */
    uint64_t sums[1u << ACTIVITY_CLASSES]; /* by the set of active classes, as bits */
} Sweep;

#define SWEEP_COMPUTATION (1u << ACTIVITY_COMPUTATION)
#define SWEEP_COMMUNICATION (1u << ACTIVITY_COMMUNICATION)
#define SWEEP_MEMORY (1u << ACTIVITY_MEMORY)
#define SWEEP_OTHER (1u << ACTIVITY_OTHER)
#define SWEEP_ANY ((1u << ACTIVITY_CLASSES) - 1)

/* Add an interval; start is at least that of the one before. */
void SweepAdd(Sweep *sweep, ActivityClass class, uint64_t start, uint64_t end);

/* Add up to the end of the last interval. */
void SweepEnd(Sweep *sweep);

/* Time in which at least one of the classes was active. */
uint64_t SweepUnion(const Sweep *sweep, unsigned classes);

/* Time in which all of the classes were active. */
uint64_t SweepIntersection(const Sweep *sweep, unsigned classes);

/* From the first start to the last end. */
static inline uint64_t SweepSpan(const Sweep *sweep)
{
    return sweep->last - sweep->first;
}

#endif
