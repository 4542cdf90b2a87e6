/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts on repeated measurements. Tested by tests/cli/test_diff_stats. */
#include "diff_stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXACT_MOST 30u /* values of a side, for the exact distribution */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *) a;
    const double y = *(const double *) b;

    return (x > y) - (x < y);
}

double DiffMedian(double *values, uint32_t count)
{
    if (count == 0) {
        return 0;
    }
    qsort(values, count, sizeof *values, compare);
    return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static double quantile(const double *sorted, uint32_t count, double part)
{
    const double at = part * (count - 1);
    const uint32_t low = (uint32_t) at;
    const uint32_t high = low + 1 < count ? low + 1 : low;

    return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
}

double DiffSpread(double *values, uint32_t count)
{
    if (count < 2) {
        return 0;
    }
    qsort(values, count, sizeof *values, compare);
    return (quantile(values, count, 0.75) - quantile(values, count, 0.25)) / 2;
}

/* Pairs in which b is above a; equal ones count half. */
static double count_pairs(const double *a, uint32_t a_count, const double *b, uint32_t b_count,
                          bool *ret_has_ties)
{
    double pairs = 0;

    *ret_has_ties = false;
    for (uint32_t i = 0; i < a_count; i++) {
        for (uint32_t j = 0; j < b_count; j++) {
            const bool is_tie = !(b[j] > a[i] || b[j] < a[i]);

            pairs += is_tie ? 0.5 : b[j] > a[i] ? 1 : 0;
            *ret_has_ties = *ret_has_ties || is_tie;
        }
    }
    return pairs;
}

/*
 * Share of all ways to mix the two sides that have at least this many pairs. ways[j][u]: mixtures of i of a and j of b
 * with u pairs; the largest value is one of a, above no further b, or one of b, above all i of a.
 */
static double exact_tail(uint32_t a_count, uint32_t b_count, double pairs)
{
    const uint32_t most = a_count * b_count;
    const size_t row = (size_t) most + 1;
    double *ways = calloc(row * (b_count + 1), sizeof *ways);
    double all = 0;
    double tail = 0;

    if (ways == NULL) {
        return 1; /* no verdict */
    }
    for (uint32_t j = 0; j <= b_count; j++) {
        ways[j * row] = 1; /* none of a: no pairs */
    }
    for (uint32_t i = 1; i <= a_count; i++) {
        for (uint32_t j = 1; j <= b_count; j++) {
            double *now = ways + j * row;   /* holds those of i - 1 */
            const double *less = now - row; /* those of i and j - 1 */

            for (uint32_t u = most + 1; u-- > 0;) {
                now[u] += u >= i ? less[u - i] : 0;
            }
        }
    }
    for (uint32_t u = 0; u <= most; u++) {
        all += ways[b_count * row + u];
        tail += u >= pairs ? ways[b_count * row + u] : 0;
    }
    free(ways);
    return tail / all;
}

/* Sum of t^3 - t over groups of equal values. */
static double tie_sum(const double *a, uint32_t a_count, const double *b, uint32_t b_count)
{
    const uint32_t count = a_count + b_count;
    double *all = calloc(count, sizeof *all);
    double sum = 0;

    if (all == NULL) {
        return 0;
    }
    memcpy(all, a, a_count * sizeof *all);
    memcpy(all + a_count, b, b_count * sizeof *all);
    qsort(all, count, sizeof *all, compare);
    for (uint32_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && !(all[next] > all[i]); next++) {
        }
        sum += pow(next - i, 3) - (next - i);
    }
    free(all);
    return sum;
}

static double normal_tail(const double *a, uint32_t a_count, const double *b, uint32_t b_count,
                          double pairs)
{
    const double product = (double) a_count * b_count;
    const double count = (double) a_count + b_count;
    const double variance =
        product / 12 * (count + 1 - tie_sum(a, a_count, b, b_count) / (count * (count - 1)));

    if (variance <= 0) {
        return 1; /* all are equal */
    }
    return erfc((pairs - product / 2 - 0.5) / sqrt(2 * variance)) / 2;
}

double DiffProbability(const double *a, uint32_t a_count, const double *b, uint32_t b_count)
{
    bool has_ties;
    const double pairs = count_pairs(a, a_count, b, b_count, &has_ties);

    if (a_count == 0 || b_count == 0) {
        return 1;
    }
    return !has_ties && a_count <= EXACT_MOST && b_count <= EXACT_MOST
               ? exact_tail(a_count, b_count, pairs)
               : normal_tail(a, a_count, b, b_count, pairs);
}

/* The smallest probability that this many repetitions can give: one way of all to mix them. */
static double least_probability(uint32_t a_count, uint32_t b_count)
{
    return exp(lgamma(a_count + 1.0) + lgamma(b_count + 1.0) - lgamma(a_count + b_count + 1.0));
}

DiffVerdict DiffJudge(const double *a, uint32_t a_count, const double *b, uint32_t b_count,
                      double alpha)
{
    if (a_count == 0 || b_count == 0) {
        return DIFF_UNSURE;
    }
    if (a_count == 1 && b_count == 1) {
        return b[0] > a[0] ? DIFF_MORE : b[0] < a[0] ? DIFF_LESS : DIFF_SAME;
    }
    if (DiffProbability(a, a_count, b, b_count) <= alpha / 2) {
        return DIFF_MORE;
    }
    if (DiffProbability(b, b_count, a, a_count) <= alpha / 2) {
        return DIFF_LESS;
    }
    return least_probability(a_count, b_count) > alpha / 2 ? DIFF_UNSURE : DIFF_SAME;
}
