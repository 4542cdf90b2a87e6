/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_COMMON_DESCRIBE_H
#define ANALYSE_TRACE_COMMON_DESCRIBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Statistics of a list of values. Without values all but `count` are the absent double. */
typedef struct Description {
    uint64_t count;
    double mean;
    double std; /* of a sample; absent for a single value */
    double min;
    double q25; /* quantiles, interpolated linearly between neighbours */
    double q50;
    double q75;
    double max;
} Description;

/* Fields of a Description for record types that have one as member `stats`. */
#define DESCRIPTION_FIELDS(type, unit_text)                                                        \
    OPPROF_FIELD(type, stats.count, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM,               \
                 .heading = "count", .unit = "1", .meaning = "Number of values."),                 \
        DESCRIPTION_FIELD(type, mean, "mean", unit_text, "Arithmetic mean."),                      \
        DESCRIPTION_FIELD(type, std, "std", unit_text, "Standard deviation of a sample."),         \
        DESCRIPTION_FIELD(type, min, "min", unit_text, "Smallest value."),                         \
        DESCRIPTION_FIELD(type, q25, "25%", unit_text, "First quartile."),                         \
        DESCRIPTION_FIELD(type, q50, "50%", unit_text, "Median."),                                 \
        DESCRIPTION_FIELD(type, q75, "75%", unit_text, "Third quartile."),                         \
        DESCRIPTION_FIELD(type, max, "max", unit_text, "Largest value.")

#define DESCRIPTION_FIELD(type, member, head, unit_text, text)                                     \
    OPPROF_FIELD(type, stats.member, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_NONE,             \
                 .heading = (head), .unit = (unit_text), .flags = OPPROF_FIELD_ALONE,              \
                 .meaning = (text), .absent = "there are too few values")

/* Describe a list; sorts it. */
Description DescribeValues(double *values, size_t count);

/* Describe a list in which the value i occurs counts[i] times. */
Description DescribeCounts(const uint64_t *counts, size_t size);

/* Quantile of a sorted list that is not empty; q from 0 to 1. */
double QuantileOf(const double *sorted, size_t count, double q);

/* Statistics of values that are not kept. */
typedef struct Running {
    uint64_t count;
    double sum;
    double mean;
    double squares; /* sum of squared distances from the mean */
    double min;
    double max;
} Running;

void RunningAdd(Running *running, double value);

/* Standard deviation of a sample; 0 for a single value. */
double RunningStd(const Running *running);

#endif
