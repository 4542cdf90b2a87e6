/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts on repeated measurements. */
#include "statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXACT_MOST 900u   /* pairs, for the exact distribution */
#define CLEARLY_NOISE 0.2 /* the exact probability of what is as likely as that decides nothing */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *) a;
    const double y = *(const double *) b;

    return (x > y) - (x < y);
}

static int compare_down(const void *a, const void *b)
{
    return compare(b, a);
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
static double count_pairs(const double *a, uint32_t a_count, const double *b, uint32_t b_count)
{
    double pairs = 0;

    for (uint32_t i = 0; i < a_count; i++) {
        for (uint32_t j = 0; j < b_count; j++) {
            pairs += b[j] > a[i] ? 1 : b[j] < a[i] ? 0 : 0.5;
        }
    }
    return pairs;
}

/* Both sides together, the largest first. For free(). NULL without memory. */
static double *mix(const double *a, uint32_t a_count, const double *b, uint32_t b_count)
{
    double *all = calloc((size_t) a_count + b_count, sizeof *all);

    if (all != NULL) {
        memcpy(all, a, a_count * sizeof *all);
        memcpy(all + a_count, b, b_count * sizeof *all);
        qsort(all, a_count + b_count, sizeof *all, compare_down);
    }
    return all;
}

/* How many of the values from `at` on are equal. */
static uint32_t group_at(const double *all, uint32_t count, uint32_t at)
{
    uint32_t next = at + 1;

    while (next < count && !(all[next] < all[at])) {
        next++;
    }
    return next - at;
}

/* Ways to mix the sides, built up from the largest value down. */
typedef struct Ways {
    double *of;    /* a line per number of b among the values so far; in it by half pairs lost */
    uint32_t most; /* half pairs that are lost at most */
    uint32_t a_count, b_count;
    uint32_t values; /* so far */
} Ways;

/*
 * Adds `size` equal values, `chosen` of them to b, to the ways that have `had` values of b so far.
 */
static void add_chosen(Ways *ways, uint32_t size, uint32_t had, uint32_t chosen, double choices)
{
    const size_t line = (size_t) ways->most + 1;
    const double *from = ways->of + had * line;
    double *to = ways->of + (had + chosen) * line;
    const uint32_t above = ways->values - had; /* values of a that are larger */
    const uint32_t lost = chosen * (2 * above + size - chosen);

    for (uint32_t u = lost; u <= ways->most; u++) {
        to[u] += choices * from[u - lost];
    }
}

/*
 * Adds a group of equal values; lines of more values of b first, as they take from those of less.
 */
static void add_group(Ways *ways, uint32_t size)
{
    for (uint32_t b = ways->b_count + 1; b-- > 0;) {
        double choices = 1; /* of so many of the group */

        for (uint32_t chosen = 1; chosen <= size && chosen <= b; chosen++) {
            choices *= (double) (size - chosen + 1) / chosen;
            /* More of a than there are make no way in the end. */
            if (b - chosen <= ways->values && ways->values - (b - chosen) <= ways->a_count) {
                add_chosen(ways, size, b - chosen, chosen, choices);
            }
        }
    }
    ways->values += size;
}

/* Log of the binomial coefficient. */
static double log_mixtures(uint32_t a_count, uint32_t b_count)
{
    return lgamma(a_count + b_count + 1.0) - lgamma(a_count + 1.0) - lgamma(b_count + 1.0);
}

/* Share of all ways to mix the values of `all` that have at least this many pairs. */
static double exact_tail(const double *all, uint32_t a_count, uint32_t b_count, double pairs)
{
    const uint32_t count = a_count + b_count;
    Ways ways = { .most = (uint32_t) (2 * ((double) a_count * b_count - pairs)),
                  .a_count = a_count,
                  .b_count = b_count };
    double tail = 0;

    ways.of = calloc(((size_t) ways.most + 1) * (b_count + 1), sizeof *ways.of);
    if (ways.of == NULL) {
        return 1; /* no verdict */
    }
    ways.of[0] = 1;
    for (uint32_t at = 0; at < count;) {
        const uint32_t size = group_at(all, count, at);

        add_group(&ways, size);
        at += size;
    }
    for (uint32_t u = 0; u <= ways.most; u++) {
        tail += ways.of[b_count * ((size_t) ways.most + 1) + u];
    }
    free(ways.of);
    return fmin(1, tail * exp(-log_mixtures(a_count, b_count)));
}

static double normal_tail(const double *all, uint32_t a_count, uint32_t b_count, double pairs)
{
    const double product = (double) a_count * b_count;
    const uint32_t count = a_count + b_count;
    double ties = 0; /* t^3 - t over groups of equal values */
    double variance;

    for (uint32_t at = 0; at < count;) {
        const uint32_t size = group_at(all, count, at);

        ties += pow(size, 3) - size;
        at += size;
    }
    variance = product / 12 * (count + 1 - ties / ((double) count * (count - 1)));
    if (variance <= 0) {
        return 1; /* all are equal */
    }
    return erfc((pairs - product / 2 - 0.5) / sqrt(2 * variance)) / 2;
}

double DiffProbability(const double *a, uint32_t a_count, const double *b, uint32_t b_count)
{
    const double pairs = count_pairs(a, a_count, b, b_count);
    double *all = a_count == 0 || b_count == 0 ? NULL : mix(a, a_count, b, b_count);
    double probability = 1; /* also without memory: no verdict */

    if (all != NULL) {
        probability = normal_tail(all, a_count, b_count, pairs);
        if (probability <= CLEARLY_NOISE && a_count * b_count <= EXACT_MOST) {
            probability = exact_tail(all, a_count, b_count, pairs);
        }
    }
    free(all);
    return probability;
}

/* The smallest probability that this many repetitions can give: one way of all to mix them. */
static double least_probability(uint32_t a_count, uint32_t b_count)
{
    return exp(-log_mixtures(a_count, b_count));
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
