/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COMPARE_STATISTICS_H
#define COMPARE_STATISTICS_H

#include <stdbool.h>
#include <stdint.h>

/* Verdict of repetitions on a change. */
typedef enum DiffVerdict {
    DIFF_SAME = 0,  /* within the noise, or no change at all */
    DIFF_LESS = 1,  /* the second side is less */
    DIFF_MORE = 2,  /* the second side is more */
    DIFF_UNSURE = 3 /* too few repetitions for a verdict at this error rate */
} DiffVerdict;

/* The middle value; sorts `values`. 0 of none. */
double DiffMedian(double *values, uint32_t count);
/* Half the distance of the quartiles; sorts `values`. 0 of fewer than two. */
double DiffSpread(double *values, uint32_t count);

/*
 * Probability that values of `b` are as large against those of `a` as they are, or larger, if both
 * come from the same distribution: the rank-sum test of Wilcoxon, Mann and Whitney. Up to 0.2 it is
 * exact, also with equal values, for up to 900 pairs of values; otherwise it is the normal
 * approximation. It assumes nothing of the noise's form.
 */
double DiffProbability(const double *a, uint32_t a_count, const double *b, uint32_t b_count);

/*
 * Is `b` another than `a`? With one value on each side any difference counts. With repetitions a
 * difference counts if noise alone gives one like it with a probability of at most `alpha`,
 * whichever way it goes.
 */
DiffVerdict DiffJudge(const double *a, uint32_t a_count, const double *b, uint32_t b_count,
                      double alpha);

#endif
