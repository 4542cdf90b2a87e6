/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parse-mindspore: what MindSpore's profiler wrote up to version 2.3, as operators, executions,
 * steps and other tables. Tested by tests/plugins/collect-mindspore/test_raw.sh.
 */
#include "parse-mindspore/log.h"
#include "parse-mindspore/types.h"

#include <opprof/log.h>
#include <opprof/plugin.h>
#include <stdlib.h>
#include <string.h>

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    return OpprofInstanceCreate(stage, sizeof(Device), ret_self, error);
}

/* ---- devices ---- */

static void begin_device(Device *device, uint32_t id)
{
    device->id = id;
    device->executions =
        (OpprofOpenBatch){ .stage = device->stage, .port = PORT_EXECUTIONS, .partition = id };
    TypeClear(&rank_type, &device->rank, id);
    DeviceSetClock(device, TICKS_A_SECOND);
}

static void finish_device(Device *device)
{
    OpprofStage *stage = device->stage;

    LogFinish(&device->log);
    TasksFinish(&device->tasks);
    UnwrapFinish(&device->counted);
    HwtsFinish(device);
    StepsFinish(device);
    GpuStepsFinish(device);
    free(device->gpu.list);
    OpprofOpenBatchDrop(&device->executions);
    memset(device, 0, sizeof *device);
    device->stage = stage;
}

static OpprofStatus end_device(Device *device)
{
    OpprofStatus status = OPPROF_OK;

    if (device->log.format != NULL) {
        status = LogEnd(device);
    }
    if (status == OPPROF_OK && !device->has_tables) {
        status = DeviceEmitOperators(device);
    }
    if (status == OPPROF_OK && device->tasks.operation_count > 0) {
        OpprofLog(OPPROF_LOG_INFO, OpprofStageId(device->stage),
                  "Device read: device=%s, tasks=%zu, operators=%zu",
                  OpprofStageString(device->stage, device->id), device->tasks.count,
                  device->tasks.operation_count);
    }
    if (status == OPPROF_OK && device->is_rank) {
        status = OpprofStageAppend(device->stage, PORT_RANKS, device->id, &device->rank);
    }
    finish_device(device);
    return status;
}

/* ---- pieces ---- */

static OpprofStatus begin_log(Device *device, const OpprofMindsporeChunk *chunk, const void *bytes)
{
    const char *kind = OpprofStageString(device->stage, chunk->kind);
    const Format *format = LogFormat(kind, chunk->generation, bytes, chunk->bytes.length);
    OpprofStatus status = OPPROF_OK;

    if (device->log.format != NULL) {
        status = LogEnd(device);
    }
    if (format == NULL) {
        OpprofStageIncomplete(device->stage, "'%s' is left out: nothing reads a log of kind '%s'",
                              OpprofStageString(device->stage, chunk->file), kind);
        return status;
    }
    if (status == OPPROF_OK && !format->is_table && !device->has_tables) {
        status = DeviceEmitOperators(device);
    }
    LogBegin(&device->log, format, chunk->generation,
             OpprofStageString(device->stage, chunk->file));
    return status;
}

static OpprofStatus take_chunk(Device *device, const OpprofMindsporeChunk *chunk,
                               const unsigned char *bytes)
{
    OpprofStatus status = OPPROF_OK;

    if (device->id != OPPROF_NA_STRING && device->id != chunk->device) {
        status = end_device(device);
    }
    if (status == OPPROF_OK && device->id == OPPROF_NA_STRING) {
        begin_device(device, chunk->device);
    }
    if (status == OPPROF_OK && chunk->kind == OPPROF_NA_STRING) {
        return end_device(device);
    }
    if (status == OPPROF_OK && (chunk->flags & OPPROF_MINDSPORE_FIRST) != 0) {
        status = begin_log(device, chunk, bytes);
    }
    if (status == OPPROF_OK && device->log.format != NULL && bytes != NULL) {
        status =
            LogFeed(device, bytes, chunk->bytes.length, (chunk->flags & OPPROF_MINDSPORE_GAP) != 0);
        device->log.slices = chunk->slice;
        if (status == OPPROF_OK && (chunk->flags & OPPROF_MINDSPORE_LAST) != 0) {
            status = LogEnd(device);
        }
    }
    return status;
}

static OpprofStatus fail(OpprofStatus status, OpprofError **error)
{
    return status == OPPROF_E_MEMORY ? OpprofErrorNoMemory(error, "parse %s", "MindSpore's logs")
                                     : status;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Device *device = context;
    OpprofStatus status = OPPROF_OK;

    (void) port;
    for (uint32_t i = 0; i < batch->count && status == OPPROF_OK; i++) {
        const OpprofMindsporeChunk *chunk = OpprofBatchRecord(batch, i);

        status =
            take_chunk(device, chunk, (const unsigned char *) OpprofBatchText(batch, chunk->bytes));
    }
    return fail(status, error);
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Device *device = context;

    return device->id == OPPROF_NA_STRING ? OPPROF_OK : fail(end_device(device), error);
}

static void destroy(void *context)
{
    finish_device(context);
    free(context);
}

/* ---- module ---- */

static const OpprofPort inputs[] = {
    { .name = "chunks",
      .type = "mindspore.chunk",
      .record_type = &opprof_mindspore_chunk_type,
      .summary = "Logs in pieces, device by device." },
};

#define PORT(number, port, type, says)                                                             \
    [number] = { .name = (port), .record_type = &(type), .summary = (says) }

static const OpprofPort outputs[PORTS] = {
    PORT(PORT_OPERATORS, "operators", opprof_mindspore_operator_type,
         "What is known about each operator."),
    PORT(PORT_EXECUTIONS, "executions", opprof_mindspore_execution_type,
         "Executions of operators."),
    PORT(PORT_AICPU, "aicpu", opprof_mindspore_aicpu_type, "Operators on the device's CPU."),
    PORT(PORT_STEPS, "steps", opprof_mindspore_step_type, "Training steps."),
    PORT(PORT_COLLECTIVES, "collectives", opprof_mindspore_collective_type,
         "Collectives of steps."),
    PORT(PORT_POINTS, "points", opprof_mindspore_point_type, "Operators at the points of steps."),
    PORT(PORT_SOURCES, "sources", opprof_mindspore_source_type, "Logs, and what they lack."),
    PORT(PORT_QUEUES, "queues", opprof_mindspore_queue_step_type,
         "What queues of data had in each step."),
    PORT(PORT_PIPELINE, "pipeline", pipeline_type, "Operations of the data pipeline."),
    PORT(PORT_CPU, "cpu", cpu_type, "How busy the host's CPU was."),
    PORT(PORT_GPU_OPERATORS, "gpu-operators", gpu_operator_type, "Operators of a GPU."),
    PORT(PORT_GPU_ACTIVITIES, "gpu-activities", gpu_activity_type, "Work of a GPU."),
    PORT(PORT_RANKS, "ranks", rank_type, "Ranks of a cluster."),
    PORT(PORT_LINKS, "links", link_type, "Links between ranks."),
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .process = process,
    .flush = flush,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(
        .name = "parse-mindspore", .version = "1.0", .license = "Apache-2.0",
        .summary = "Parses the logs of MindSpore's profiler up to version 2.3.",
        .help = "Reads tables of tasks, graphs and tensors, HWTS logs, logs of the device's CPU "
                "(text and records), training traces and the PMU's counts of operations, of both "
                "generations. Records go across slices; what is lost is counted and makes the run "
                "incomplete. Memory grows with operators and tasks, not with the logs.",
        .kind = OPPROF_PARSER, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
        .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .ops = &ops);
