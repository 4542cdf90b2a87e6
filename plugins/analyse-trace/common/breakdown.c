/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The record types of breakdowns, and their rows.
 * Tested by tests/plugins/analyse-trace/test_sweep.
 */
#include "analyse-trace/common/breakdown.h"

#include <opprof/plugin.h>

Breakdown BreakdownOf(const Sweep *sweep)
{
    Breakdown result = { .kernel_ns = SweepSpan(sweep) };

    result.idle_ns = sweep->sums[0];
    result.compute_ns = SweepUnion(sweep, SWEEP_COMPUTATION);
    result.non_compute_ns = result.kernel_ns - result.compute_ns - result.idle_ns;
    return result;
}

double BreakdownPercent(uint64_t part_ns, uint64_t whole_ns)
{
    return whole_ns == 0 ? 0 : 100.0 * (double) part_ns / (double) whole_ns;
}

#define RANK_FIELD                                                                                 \
    OPPROF_FIELD(BreakdownRow, rank, OPPROF_FIELD_STRING,                                          \
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER,                                  \
                 .meaning = "Rank, or 'all': the sums over the ranks.")
#define DEVICE_FIELD                                                                               \
    OPPROF_FIELD(BreakdownRow, device, OPPROF_FIELD_STRING,                                        \
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER | OPPROF_FIELD_LABEL,             \
                 .meaning = "Device.", .absent = "the row covers all devices")
#define TIME_FIELD(member, head, text)                                                             \
    OPPROF_FIELD(BreakdownRow, member, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST,        \
                 .unit = "us", .heading = (head), .decimals = 4, .meaning = (text))
#define PERCENT_FIELD(member, head, text)                                                          \
    OPPROF_FIELD(BreakdownRow, member, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_MEAN,           \
                 .unit = "%", .heading = (head), .decimals = 5, .meaning = (text))
#define VALUE_FIELDS                                                                               \
    TIME_FIELD(idle_us, "idle_time(us)", "Time in which nothing ran."),                            \
        TIME_FIELD(compute_us, "compute_time(us)", "Time in which a computation ran."),            \
        TIME_FIELD(non_compute_us, "non_compute_time(us)",                                         \
                   "Time in which other work ran, but no computation."),                           \
        TIME_FIELD(kernel_us, "kernel_time(us)", "From the first start to the last end of work."), \
        PERCENT_FIELD(idle_percent, "idle_time_pctg", "Part of the kernel time."),                 \
        PERCENT_FIELD(compute_percent, "compute_time_pctg", "Part of the kernel time."),           \
        PERCENT_FIELD(non_compute_percent, "non_compute_time_pctg", "Part of the kernel time.")

static const OpprofField fields[] = { RANK_FIELD, VALUE_FIELDS };
static const OpprofField fields_by_device[] = { RANK_FIELD, DEVICE_FIELD, VALUE_FIELDS };

const OpprofRecordType breakdown_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = BREAKDOWN_TYPE,
    .summary = "Computation, other work and idle time of each rank.",
    .size = sizeof(BreakdownRow),
    .flags = OPPROF_RECORD_TABLE | OPPROF_RECORD_ALL_REPEATS,
    .fields = fields,
    .field_count = OPPROF_COUNT(fields),
    .title = "Temporal breakdown",
    .file_hint = "temporal_breakdown",
};

const OpprofRecordType breakdown_by_device_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = BREAKDOWN_TYPE "-by-device",
    .summary = "Computation, other work and idle time of each device.",
    .size = sizeof(BreakdownRow),
    .flags = OPPROF_RECORD_TABLE | OPPROF_RECORD_ALL_REPEATS,
    .fields = fields_by_device,
    .field_count = OPPROF_COUNT(fields_by_device),
    .title = "Temporal breakdown by device",
    .file_hint = "temporal_breakdown_by_device",
};
