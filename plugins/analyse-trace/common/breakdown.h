/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_COMMON_BREAKDOWN_H
#define ANALYSE_TRACE_COMMON_BREAKDOWN_H

#include "analyse-trace/common/sweep.h"

#include <opprof/record.h>

/* Name of the record types with breakdowns, and of the row that sums up all ranks. */
#define BREAKDOWN_TYPE "trace.temporal-breakdown"
#define BREAKDOWN_ALL "all"

/* Where the time of a device went. */
typedef struct Breakdown {
    uint64_t kernel_ns;      /* from the first start to the last end of work */
    uint64_t compute_ns;     /* at least one computation ran */
    uint64_t non_compute_ns; /* something ran, but no computation */
    uint64_t idle_ns;        /* nothing ran */
} Breakdown;

/* Breakdown of a finished sweep. */
Breakdown BreakdownOf(const Sweep *sweep);

/* 100 * part / whole; 0 if the whole is 0. */
double BreakdownPercent(uint64_t part_ns, uint64_t whole_ns);

/* Row of a table of breakdowns. Percents are of the kernel time. */
typedef struct BreakdownRow {
    uint32_t rank;
    uint32_t device; /* only by device, else absent */
    double idle_us;
    double compute_us;
    double non_compute_us;
    double kernel_us;
    double idle_percent;
    double compute_percent;
    double non_compute_percent;
} BreakdownRow;

/* Type of the table; the table by device has one more column and another file. */
extern const OpprofRecordType breakdown_type;
extern const OpprofRecordType breakdown_by_device_type;

#endif
