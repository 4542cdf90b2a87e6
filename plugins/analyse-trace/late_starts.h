/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_LATE_STARTS_H
#define ANALYSE_TRACE_LATE_STARTS_H

#include <stddef.h>
#include <stdint.h>

/* A rank's part in a collective of an iteration; times are fractions of a mean iteration. */
typedef struct LateStart {
    size_t rank;
    double duration;
    double start;
} LateStart;

/* How often a rank was late. */
typedef struct LateScore {
    size_t rank;
    uint64_t late_steps;
    uint64_t steps; /* it took part in */
} LateScore;

/* Spread of the durations: standard deviation of a sample; count is at least 2. */
double LateStartsSpread(const LateStart *starts, size_t count);

/*
 * Score an iteration: the `candidates` latest starts are late, and so are starts equal to the
 * earliest of these. Sorts the starts. `scores` is indexed by rank.
 */
void LateStartsScore(LateStart *starts, size_t count, size_t candidates, LateScore *scores);

#endif
