/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_HOST_HOST_TABLES_H
#define ANALYSE_TRACE_HOST_HOST_TABLES_H

#include <opprof/record.h>

/* Rows of the tables of trace-host. */

enum {
    TABLE_IDLE,
    TABLE_ACTIVITIES,
    TABLE_CALLS,
    TABLE_SITES,
    TABLE_STEPS,
    TABLE_ANNOTATIONS,
    TABLES
};

typedef struct IdleRow {
    uint32_t rank;
    uint32_t device;
    uint32_t what;
    uint32_t kind;
    uint32_t around_operator;
    uint32_t around_annotation;
    uint32_t inner_operator;
    uint32_t step;
    double idle_us;
    uint64_t count;
    double longest_us;
    double longest_start_us;
} IdleRow;

typedef struct ActivityRow {
    uint32_t rank;
    uint32_t device;
    uint32_t activity;
    uint32_t kind;
    uint32_t cause;
    uint32_t reserved;
    double idle_us;
    uint64_t count;
    double longest_us;
    double longest_start_us;
} ActivityRow;

typedef struct CallRow {
    uint32_t rank;
    uint32_t name;
    uint32_t kind;
    uint32_t around_operator;
    uint32_t around_annotation;
    uint32_t inner_operator;
    uint64_t count;
    double total_us;
    double mean_us;
    double max_us;
    double idle_us;
    double after_us;
} CallRow;

typedef struct StepRow {
    uint32_t rank;
    uint32_t step;
    uint64_t place;
    double time_us;
    uint64_t kernels;
    double computation_us;
    double communication_us;
    double idle_us;
    uint32_t what;
    uint32_t kind;
    uint32_t around_operator;
    uint32_t around_annotation;
    uint32_t inner_operator;
    uint32_t reserved;
    double what_us;
} StepRow;

typedef struct AnnotationRow {
    uint32_t rank;
    uint32_t annotation;
    uint32_t step;
    uint32_t cause;
    uint64_t place;
    uint64_t count;
    double host_us;
    uint64_t kernels;
    double device_us;
} AnnotationRow;

extern const OpprofRecordType host_table_types[TABLES];

#endif
