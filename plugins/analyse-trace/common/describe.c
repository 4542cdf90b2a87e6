/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Describes a list of values: count, mean, deviation, quartiles. Tested by
 * tests/plugins/analyse-trace/test_figures.
 */
#include "analyse-trace/common/describe.h"

#include <math.h>
#include <opprof/record.h>
#include <stdlib.h>

static int compare_doubles(const void *a, const void *b)
{
    const double left = *(const double *) a;
    const double right = *(const double *) b;

    return (left > right) - (left < right);
}

static double between(double low, double high, double part)
{
    return low + (high - low) * part;
}

double QuantileOf(const double *sorted, size_t count, double q)
{
    const double place = q * (double) (count - 1);
    const size_t below = (size_t) place;

    if (below + 1 >= count) {
        return sorted[count - 1];
    }
    return between(sorted[below], sorted[below + 1], place - (double) below);
}

static Description nothing(void)
{
    const double absent = OpprofNaF64();

    return (Description){ .mean = absent,
                          .std = absent,
                          .min = absent,
                          .q25 = absent,
                          .q50 = absent,
                          .q75 = absent,
                          .max = absent };
}

Description DescribeValues(double *values, size_t count)
{
    Description result = nothing();
    Running running = { .count = 0 };

    if (count == 0) {
        return result;
    }
    qsort(values, count, sizeof *values, compare_doubles);
    for (size_t i = 0; i < count; i++) {
        RunningAdd(&running, values[i]);
    }
    result.count = count;
    result.mean = running.sum / (double) count;
    result.std = count == 1 ? OpprofNaF64() : RunningStd(&running);
    result.min = values[0];
    result.q25 = QuantileOf(values, count, 0.25);
    result.q50 = QuantileOf(values, count, 0.5);
    result.q75 = QuantileOf(values, count, 0.75);
    result.max = values[count - 1];
    return result;
}

/* Value number `place` of the sorted list. */
static double value_at(const uint64_t *counts, size_t size, uint64_t place)
{
    uint64_t seen = 0;

    for (size_t i = 0; i < size; i++) {
        seen += counts[i];
        if (seen > place) {
            return (double) i;
        }
    }
    return 0;
}

static double count_quantile(const uint64_t *counts, size_t size, uint64_t total, double q)
{
    const double place = q * (double) (total - 1);
    const uint64_t below = (uint64_t) place;
    const double low = value_at(counts, size, below);

    if (below + 1 >= total) {
        return low;
    }
    return between(low, value_at(counts, size, below + 1), place - (double) below);
}

Description DescribeCounts(const uint64_t *counts, size_t size)
{
    Description result = nothing();
    uint64_t total = 0;
    double sum = 0;
    double squares = 0;

    for (size_t i = 0; i < size; i++) {
        total += counts[i];
        sum += (double) counts[i] * (double) i;
    }
    if (total == 0) {
        return result;
    }
    result.count = total;
    result.mean = sum / (double) total;
    for (size_t i = 0; i < size; i++) {
        const double distance = (double) i - result.mean;

        squares += (double) counts[i] * distance * distance;
    }
    result.std = total == 1 ? OpprofNaF64() : sqrt(squares / (double) (total - 1));
    result.min = value_at(counts, size, 0);
    result.q25 = count_quantile(counts, size, total, 0.25);
    result.q50 = count_quantile(counts, size, total, 0.5);
    result.q75 = count_quantile(counts, size, total, 0.75);
    result.max = value_at(counts, size, total - 1);
    return result;
}

void RunningAdd(Running *running, double value)
{
    const double distance = value - running->mean;

    running->min = running->count == 0 || value < running->min ? value : running->min;
    running->max = running->count == 0 || value > running->max ? value : running->max;
    running->count++;
    running->sum += value;
    running->mean += distance / (double) running->count;
    running->squares += distance * (value - running->mean);
}

double RunningStd(const Running *running)
{
    return running->count < 2 ? 0 : sqrt(running->squares / (double) (running->count - 1));
}
