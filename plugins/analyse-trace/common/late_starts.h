/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_COMMON_LATE_STARTS_H
#define ANALYSE_TRACE_COMMON_LATE_STARTS_H

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
    double cost;    /* how much earlier all would have begun had it come with the second last */
} LateScore;

/* Spread of the durations: standard deviation of a sample; count is at least 2. */
double LateStartsSpread(const LateStart *starts, size_t count);

/*
 * Score an iteration: of the `candidates` latest starts those are late that come more than `noise`
 * after the latest of the others; there is always another one, so that equal starts are not late.
 * Sorts the starts. `scores` is indexed by rank.
 */
void LateStartsScore(LateStart *starts, size_t count, size_t candidates, double noise,
                     LateScore *scores);

/*
 * Sort the scores, the latest first, by late iterations, cost and rank. Returns how many of the
 * first ones are stragglers: `candidates` at most, and late more often than all others.
 */
size_t LateStartsRank(LateScore *scores, size_t count, size_t candidates);

#endif
