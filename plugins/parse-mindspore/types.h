/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_MINDSPORE_TYPES_H
#define PARSE_MINDSPORE_TYPES_H

/* Tables that leave the parser as files have them, and the types of all ports. */

#include "parse-mindspore/device.h"

typedef struct PipelineRow {
    double queue_average, queue_usage;
    uint32_t device, op_id, op_type, num_workers, queue_length, sample_interval, parent_id;
    uint32_t reserved;
    OpprofText children, queue_sizes;
} PipelineRow;

typedef struct CpuRow {
    double mean;
    uint64_t samples;
    uint32_t device, scope, metric, reserved;
} CpuRow;

typedef struct GpuOperatorRow {
    double total_us, mean_us, share, cuda_us;
    uint64_t executions, cuda_calls;
    uint32_t device, side, op_type, kernel_name, op_name, reserved;
} GpuOperatorRow;

typedef struct GpuActivityRow {
    double total_us, mean_us, max_us, min_us;
    uint64_t count;
    uint32_t device, name, type, op_name, stream, block_dim, grid_dim, reserved;
} GpuActivityRow;

typedef struct LinkRow {
    uint64_t step;
    double cost_us, size_kb, bandwidth_kbs;
    uint32_t rank, src, dst, type;
} LinkRow;

extern const OpprofRecordType pipeline_type, cpu_type, gpu_operator_type, gpu_activity_type;
extern const OpprofRecordType rank_type, link_type;
extern const OpprofRecordType *const port_types[PORTS];

/* A record of a type that says nothing but its device. */
void TypeClear(const OpprofRecordType *type, void *record, uint32_t device);

#endif
