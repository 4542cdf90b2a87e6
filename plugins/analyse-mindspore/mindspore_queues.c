/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mindspore-queues: how often queues of data were empty or full.
 * Tested by tests/plugins/collect-mindspore/test_parsed.sh.
 */
#include <opprof/grow.h>
#include <opprof/log.h>
#include <opprof/plugin.h>
#include <opprof/records/mindspore.h>
#include <opprof/stage.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- table ---- */

typedef struct QueueRow {
    uint64_t batches, empty, full;
    double mean_get_us, mean_push_us, mean_total_us;
    uint32_t device, queue;
} QueueRow;

#define US(member, flags, meaning)                                                                 \
    OPPROF_MINDSPORE_FIELD(QueueRow, member##_us, F64, #member "(us)", UNKNOWN, flags, "us",       \
                           meaning, "the profiler's file does not say")
#define COUNT(member, meaning)                                                                     \
    OPPROF_RECORD_NUMBER(QueueRow, member, U64, SUM, 0, "1", meaning, NULL)

static const OpprofField queue_fields[] = {
    OPPROF_MINDSPORE_DEVICE(QueueRow),
    OPPROF_RECORD_FIELD(QueueRow, queue, STRING, OPPROF_FIELD_KEY, NULL,
                        "Queue. device_queue: the host fills it; get_next: the device empties it",
                        NULL),
    COUNT(batches, "Batches that were taken."),
    COUNT(empty, "Of them, from an empty queue."),
    COUNT(full, "Of them, from a full queue."),
    US(mean_get, OPPROF_FIELD_ALONE, "Mean time of getting a batch."),
    US(mean_push, OPPROF_FIELD_ALONE, "Mean time of pushing it."),
    US(mean_total, OPPROF_FIELD_WEIGHT | OPPROF_FIELD_ALONE, "Mean time of both."),
};
static const OpprofRecordType queue_type = OPPROF_RECORD_TYPE(
    QueueRow, 1, "mindspore.queues", "Queues of data.", OPPROF_RECORD_TABLE | OPPROF_RECORD_SUMMARY,
    queue_fields, "Queues of data", "data_queues");

/* ---- sums ---- */

typedef struct Sum {
    double sum;
    uint64_t count;
} Sum;

typedef struct Queue {
    QueueRow row;
    Sum get, push, total;
} Queue;

typedef struct Analysis {
    OpprofStage *stage;
    Queue *list; /* two for each device */
    size_t count;
    size_t room;
} Analysis;

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    return OpprofInstanceCreate(stage, sizeof(Analysis), ret_self, error);
}

static Queue *find(Analysis *self, const OpprofMindsporeQueueStep *step)
{
    for (size_t i = self->count; i-- > 0;) {
        if (self->list[i].row.device == step->device && self->list[i].row.queue == step->queue) {
            return &self->list[i];
        }
    }
    if (!OpprofGrow(&self->list, &self->room, self->count + 1, sizeof *self->list)) {
        return NULL;
    }
    self->list[self->count] = (Queue){ .row = { .device = step->device, .queue = step->queue } };
    return &self->list[self->count++];
}

static void add(Sum *sum, double value)
{
    if (!OpprofIsNaF64(value)) {
        sum->sum += value;
        sum->count++;
    }
}

static double mean(const Sum *sum)
{
    return sum->count == 0 ? OpprofNaF64() : sum->sum / (double) sum->count;
}

/* Each row of this queue is a batch, also where its size is unknown. */
static bool is_get_next(const Analysis *self, const OpprofMindsporeQueueStep *step)
{
    return strcmp(OpprofStageString(self->stage, step->queue), "get_next") == 0;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Analysis *self = context;

    (void) port;
    for (uint32_t i = 0; i < batch->count; i++) {
        const OpprofMindsporeQueueStep *step = OpprofBatchRecord(batch, i);
        Queue *queue = find(self, step);

        if (queue == NULL) {
            return OpprofErrorNoMemory(error, "analyse %s", "queues of data");
        }
        queue->row.batches += step->size != OPPROF_NA_U64 || is_get_next(self, step);
        if (step->size != OPPROF_NA_U64) {
            queue->row.empty += step->size == 0;
            queue->row.full += step->size == step->capacity;
        }
        add(&queue->get, step->get_us);
        add(&queue->push, step->push_us);
        add(&queue->total, step->total_us);
    }
    return OPPROF_OK;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    const Analysis *self = context;
    OpprofStatus status = OPPROF_OK;

    (void) error;
    for (size_t i = 0; i < self->count && status == OPPROF_OK; i++) {
        Queue *queue = &self->list[i];

        queue->row.mean_get_us = mean(&queue->get);
        queue->row.mean_push_us = mean(&queue->push);
        queue->row.mean_total_us = mean(&queue->total);
        status = OpprofStageAppend(self->stage, 0, queue->row.device, &queue->row);
    }
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Analysed: queues=%zu", self->count);
    return status;
}

static void destroy(void *context)
{
    Analysis *self = context;

    free(self->list);
    free(self);
}

/* ---- module ---- */

static const OpprofPort inputs[] = {
    { .name = "queues",
      .type = "mindspore.queue-steps",
      .record_type = &opprof_mindspore_queue_step_type,
      .summary = "What queues had in each step." },
};

static const OpprofPort outputs[] = {
    { .name = "queues", .record_type = &queue_type, .summary = "Queues of data." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .process = process,
    .flush = flush,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(.name = "mindspore-queues", .version = "1.0", .license = "Apache-2.0",
                     .summary = "Shows how often MindSpore's queues of data were empty or full.",
                     .help = "Memory grows with devices.", .kind = OPPROF_ANALYSIS,
                     .inputs = inputs, .input_count = OPPROF_COUNT(inputs), .outputs = outputs,
                     .output_count = OPPROF_COUNT(outputs), .ops = &ops);
