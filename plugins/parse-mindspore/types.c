/* SPDX-License-Identifier: Apache-2.0 */
/* Types of tables. Tested by tests/plugins/collect-mindspore/test_parsed.sh. */
#include "parse-mindspore/types.h"

#include <string.h>

#define ABSENT "the profiler's file does not say"
#define US(type, member, rule, flags, meaning)                                                     \
    OPPROF_MINDSPORE_FIELD(type, member##_us, F64, #member "(us)", rule, flags, "us", meaning,     \
                           ABSENT)
#define STRING(type, member, flags, meaning)                                                       \
    OPPROF_RECORD_FIELD(type, member, STRING, flags, NULL, meaning, ABSENT)
#define KEY OPPROF_FIELD_KEY
#define ALONE OPPROF_FIELD_ALONE

static const OpprofField pipeline_fields[] = {
    OPPROF_MINDSPORE_DEVICE(PipelineRow),
    OPPROF_RECORD_FIELD(PipelineRow, op_id, U32, KEY, NULL, "Operation of the data pipeline.",
                        NULL),
    STRING(PipelineRow, op_type, 0, "What it does."),
    OPPROF_RECORD_FIELD(PipelineRow, num_workers, U32, ALONE, "1", "Its workers.", ABSENT),
    OPPROF_RECORD_FIELD(PipelineRow, queue_average, F64, ALONE, "1", "Mean length of its queue.",
                        ABSENT),
    OPPROF_RECORD_FIELD(PipelineRow, queue_length, U32, ALONE, "1", "Room in its queue.", ABSENT),
    OPPROF_RECORD_FIELD(PipelineRow, queue_usage, F64, ALONE, "1",
                        "Mean share of the queue that is filled.", ABSENT),
    OPPROF_RECORD_FIELD(PipelineRow, sample_interval, U32, ALONE, "ms", "Time between two samples.",
                        ABSENT),
    OPPROF_RECORD_FIELD(PipelineRow, parent_id, U32, ALONE, NULL,
                        "Operation that takes its output.", "it is the last one"),
    OPPROF_RECORD_FIELD(PipelineRow, children, TEXT, ALONE, NULL,
                        "Operations whose output it takes.", "it reads the data"),
    OPPROF_RECORD_FIELD(PipelineRow, queue_sizes, TEXT, ALONE, NULL,
                        "Length of its queue in each sample.", ABSENT),
};
const OpprofRecordType pipeline_type =
    OPPROF_RECORD_TYPE(PipelineRow, 1, "mindspore.pipeline",
                       "Operations of the data pipeline and how filled their queues are.",
                       OPPROF_RECORD_TABLE, pipeline_fields, "Data pipeline", "data_pipeline");

static const OpprofField cpu_fields[] = {
    OPPROF_MINDSPORE_DEVICE(CpuRow),
    STRING(CpuRow, scope, KEY, "Device, process, or operation of the data pipeline."),
    STRING(CpuRow, metric, KEY, "What was sampled."),
    OPPROF_RECORD_NUMBER(CpuRow, samples, U64, NONE, 0, "1", "Samples.", NULL),
    OPPROF_RECORD_FIELD(CpuRow, mean, F64, ALONE, "1", "Their mean.", ABSENT),
};
const OpprofRecordType cpu_type =
    OPPROF_RECORD_TYPE(CpuRow, 1, "mindspore.cpu", "How busy the host's CPU was.",
                       OPPROF_RECORD_TABLE, cpu_fields, "Host CPU", "cpu");

static const OpprofField gpu_operator_fields[] = {
    OPPROF_MINDSPORE_DEVICE(GpuOperatorRow),
    STRING(GpuOperatorRow, side, 0, "Where it ran."),
    STRING(GpuOperatorRow, op_type, 0, "Type."),
    STRING(GpuOperatorRow, kernel_name, ALONE, "Last part of its name."),
    STRING(GpuOperatorRow, op_name, KEY, "Operator."),
    OPPROF_RECORD_NUMBER(GpuOperatorRow, executions, U64, SUM, 0, "1", "Executions.", ABSENT),
    US(GpuOperatorRow, total, SUM, OPPROF_FIELD_WEIGHT, "Time of all executions."),
    US(GpuOperatorRow, mean, UNKNOWN, ALONE, "Mean time of an execution."),
    OPPROF_RECORD_FIELD(GpuOperatorRow, share, F64, ALONE, "%", "Share of all operators.", ABSENT),
    US(GpuOperatorRow, cuda, SUM, 0, "Time of its work on the device."),
    OPPROF_RECORD_NUMBER(GpuOperatorRow, cuda_calls, U64, SUM, 0, "1", "Pieces of this work.",
                         ABSENT),
};
const OpprofRecordType gpu_operator_type = OPPROF_RECORD_TYPE(
    GpuOperatorRow, 1, "mindspore.gpu-operators", "Operators of a GPU.", OPPROF_RECORD_TABLE,
    gpu_operator_fields, "Operators of the GPU", "gpu_operators");

static const OpprofField gpu_activity_fields[] = {
    OPPROF_MINDSPORE_DEVICE(GpuActivityRow),
    STRING(GpuActivityRow, name, KEY, "Kernel."),
    STRING(GpuActivityRow, type, 0, "Kind of the work."),
    STRING(GpuActivityRow, op_name, KEY, "Operator."),
    OPPROF_RECORD_FIELD(GpuActivityRow, stream, U32, ALONE, NULL, "Stream.", ABSENT),
    STRING(GpuActivityRow, block_dim, ALONE, "Threads of a block."),
    STRING(GpuActivityRow, grid_dim, ALONE, "Blocks of the grid."),
    OPPROF_RECORD_NUMBER(GpuActivityRow, count, U64, SUM, 0, "1", "How often.", ABSENT),
    US(GpuActivityRow, total, SUM, OPPROF_FIELD_WEIGHT, "Time of all of them."),
    US(GpuActivityRow, mean, UNKNOWN, ALONE, "Their mean."),
    US(GpuActivityRow, max, UNKNOWN, ALONE, "The longest."),
    US(GpuActivityRow, min, UNKNOWN, ALONE, "The shortest."),
};
const OpprofRecordType gpu_activity_type = OPPROF_RECORD_TYPE(
    GpuActivityRow, 1, "mindspore.gpu-activities", "Work of a GPU.", OPPROF_RECORD_TABLE,
    gpu_activity_fields, "Work of the GPU", "gpu_activities");

#define RANK(type)                                                                                 \
    OPPROF_RECORD_FIELD(type, rank, STRING, OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER, NULL, "Rank.", \
                        NULL)

static const OpprofField rank_fields[] = {
    RANK(RankRow),
    STRING(RankRow, mode, ALONE, "How the work is split over ranks."),
    OPPROF_RECORD_FIELD(RankRow, stage, U32, ALONE, "1", "Stage of the pipeline, from 1.", ABSENT),
    US(RankRow, iteration_interval, LONGEST, 0, "Mean time before the forward pass."),
    US(RankRow, computation, LONGEST, OPPROF_FIELD_WEIGHT, "Mean computation of a step."),
    US(RankRow, communication, LONGEST, 0, "Mean communication while nothing computes."),
    US(RankRow, stage, LONGEST, 0, "Mean time of its stage."),
    US(RankRow, receive, LONGEST, 0, "Mean waiting for data of other stages."),
    US(RankRow, collective, LONGEST, 0, "Mean collectives within the stage."),
    OPPROF_RECORD_FIELD(RankRow, mflops, F64, ALONE, "1e6", "Operations of a step.", ABSENT),
    OPPROF_RECORD_FIELD(RankRow, gflops, F64, ALONE, "1e9/s", "Operations a second.", ABSENT),
    OPPROF_RECORD_FIELD(RankRow, peak_memory, F64, ALONE, "GB", "Most memory in use.", ABSENT),
};
const OpprofRecordType rank_type =
    OPPROF_RECORD_TYPE(RankRow, 1, "mindspore.ranks", "Ranks of a cluster, by their mean step.",
                       OPPROF_RECORD_TABLE, rank_fields, "Ranks", "ranks");

static const OpprofField link_fields[] = {
    RANK(LinkRow),
    OPPROF_RECORD_FIELD(LinkRow, step, U64, KEY, "1", "Step.", "it is the mean of all steps"),
    STRING(LinkRow, src, KEY, "Rank that sends."),
    STRING(LinkRow, dst, KEY, "Rank that receives."),
    STRING(LinkRow, type, KEY, "What the data goes over."),
    US(LinkRow, cost, UNKNOWN, OPPROF_FIELD_WEIGHT | ALONE, "Time of the transfers."),
    OPPROF_RECORD_FIELD(LinkRow, size_kb, F64, ALONE, "KB", "Data.", ABSENT),
    OPPROF_RECORD_FIELD(LinkRow, bandwidth_kbs, F64, ALONE, "KB/s",
                        "Bandwidth, mean of its operators.", ABSENT),
};
const OpprofRecordType link_type =
    OPPROF_RECORD_TYPE(LinkRow, 1, "mindspore.links", "Links between ranks.", OPPROF_RECORD_TABLE,
                       link_fields, "Links between ranks", "links");

const OpprofRecordType *const port_types[PORTS] = {
    [PORT_OPERATORS] = &opprof_mindspore_operator_type,
    [PORT_EXECUTIONS] = &opprof_mindspore_execution_type,
    [PORT_AICPU] = &opprof_mindspore_aicpu_type,
    [PORT_STEPS] = &opprof_mindspore_step_type,
    [PORT_COLLECTIVES] = &opprof_mindspore_collective_type,
    [PORT_POINTS] = &opprof_mindspore_point_type,
    [PORT_SOURCES] = &opprof_mindspore_source_type,
    [PORT_QUEUES] = &opprof_mindspore_queue_step_type,
    [PORT_PIPELINE] = &pipeline_type,
    [PORT_CPU] = &cpu_type,
    [PORT_GPU_OPERATORS] = &gpu_operator_type,
    [PORT_GPU_ACTIVITIES] = &gpu_activity_type,
    [PORT_RANKS] = &rank_type,
    [PORT_LINKS] = &link_type,
};

/* ---- records ---- */

static void put_absent(const OpprofField *field, char *at)
{
    static const uint64_t na_f64 = OPPROF_NA_F64_BITS;

    switch (field->kind) {
    case OPPROF_FIELD_STRING:
        memset(at, 0, 4);
        break;
    case OPPROF_FIELD_U32:
        memset(at, 0xff, 4);
        break;
    case OPPROF_FIELD_F64:
        memcpy(at, &na_f64, sizeof na_f64);
        break;
    case OPPROF_FIELD_TEXT:
        memcpy(at, &(OpprofText){ OPPROF_NA_U32, 0 }, sizeof(OpprofText));
        break;
    default: /* OPPROF_NA_U64 */
        memset(at, 0xff, 8);
        break;
    }
}

void TypeClear(const OpprofRecordType *type, void *record, uint32_t device)
{
    memset(record, 0, type->size);
    for (uint32_t i = 0; i < type->field_count; i++) {
        const OpprofField *field = &type->fields[i];
        char *at = (char *) record + field->offset;

        if (strcmp(field->name, "device") == 0 || strcmp(field->name, "rank") == 0) {
            memcpy(at, &device, sizeof device);
        } else {
            put_absent(field, at);
        }
    }
}
