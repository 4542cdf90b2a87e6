/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mindspore-steps: what steps consist of, and steps, collectives and operators of the device's CPU
 * as timelines. Tested by tests/plugins/collect-mindspore/test_raw.sh.
 */
#include "analyse-mindspore/lanes.h"

#include <opprof/grow.h>
#include <opprof/log.h>
#include <opprof/plugin.h>
#include <opprof/records/activity.h>
#include <opprof/records/mindspore.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IN_STEPS, IN_COLLECTIVES, IN_AICPU };
enum { OUT_SUMMARY, OUT_SPANS };
enum { PART_TOTAL, PART_INTERVAL, PART_FP_AND_BP, PART_TAIL, PARTS };

static const char *const part_names[PARTS] = { "total", "iteration_interval", "fp_and_bp", "tail" };

/* ---- table ---- */

typedef struct SummaryRow {
    uint64_t steps;
    double mean_us, share, mean_all_us, min_us, max_us, step_us;
    uint32_t device, part;
} SummaryRow;

#define US(member, flags, meaning, absent)                                                         \
    OPPROF_MINDSPORE_FIELD(SummaryRow, member##_us, F64, #member "(us)", UNKNOWN, flags, "us",     \
                           meaning, absent)

static const OpprofField summary_fields[] = {
    OPPROF_MINDSPORE_DEVICE(SummaryRow),
    OPPROF_RECORD_FIELD(
        SummaryRow, part, STRING, OPPROF_FIELD_KEY, NULL,
        "Part of a step. total: from the end of the step before to its own; "
        "iteration_interval: until the forward pass begins; fp_and_bp: forward and "
        "backward pass; tail: from the end of the backward pass to that of the step",
        NULL),
    OPPROF_RECORD_NUMBER(SummaryRow, steps, U64, NONE, 0, "1", "Steps.", NULL),
    US(mean, OPPROF_FIELD_WEIGHT, "Mean of all steps but the first; of one step, its own.", NULL),
    OPPROF_RECORD_FIELD(SummaryRow, share, F64, OPPROF_FIELD_ALONE, "%", "Share of the mean step.",
                        "steps take no time"),
    US(mean_all, OPPROF_FIELD_ALONE, "Mean of all steps.", NULL),
    US(min, OPPROF_FIELD_ALONE, "The shortest.", NULL),
    US(max, OPPROF_FIELD_ALONE, "The longest.", NULL),
    US(step, OPPROF_FIELD_ALONE | OPPROF_FIELD_HIDDEN | OPPROF_FIELD_RUN_TIME,
       "The mean, of the total.", "it is a part"),
};
static const OpprofRecordType summary_type = OPPROF_RECORD_TYPE(
    SummaryRow, 1, "mindspore.step-summary", "What a step consists of.",
    OPPROF_RECORD_TABLE | OPPROF_RECORD_SUMMARY, summary_fields, "Parts of a step", "step_summary");

/* ---- sums ---- */

typedef struct Sum {
    uint64_t count;
    double first, sum, min, max;
} Sum;

typedef struct Device {
    uint32_t id;
    Sum parts[PARTS];
} Device;

typedef struct Analysis {
    OpprofStage *stage;
    Device *devices;
    size_t count;
    size_t room;
    OpprofOpenBatch spans;
} Analysis;

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    return OpprofInstanceCreate(stage, sizeof(Analysis), ret_self, error);
}

static Device *find_device(Analysis *self, uint32_t id)
{
    for (size_t i = self->count; i-- > 0;) {
        if (self->devices[i].id == id) {
            return &self->devices[i];
        }
    }
    if (!OpprofGrow(&self->devices, &self->room, self->count + 1, sizeof *self->devices)) {
        return NULL;
    }
    self->devices[self->count] = (Device){ .id = id };
    return &self->devices[self->count++];
}

static void add(Sum *sum, double value)
{
    if (OpprofIsNaF64(value)) {
        return;
    }
    if (sum->count++ == 0) {
        *sum = (Sum){ 1, value, value, value, value };
        return;
    }
    sum->sum += value;
    sum->min = value < sum->min ? value : sum->min;
    sum->max = value > sum->max ? value : sum->max;
}

/* ---- timelines ---- */

/* A slice of a line of the device; its name is a text. */
typedef struct Piece {
    const char *lane;
    int32_t sort;
    uint32_t flags;
    const char *category;
    const char *name;
    uint64_t start;
    uint64_t end;
} Piece;

static OpprofStatus draw(Analysis *self, const OpprofBatch *batch, const Piece *piece)
{
    uint32_t track, name;

    if (piece->start == OPPROF_NA_U64 || piece->end == OPPROF_NA_U64 || piece->end < piece->start) {
        return OPPROF_OK;
    }
    track = LanesTrack(self->stage, batch->partition, piece->lane, piece->sort, piece->flags);
    name = OpprofStageIntern(self->stage, piece->name, strlen(piece->name));
    if (track == OPPROF_NA_U32 || name == OPPROF_NA_STRING) {
        return OPPROF_E_MEMORY;
    }
    OpprofSpan span = LanesSlice(self->stage, track, name, piece->category);
    span.start = piece->start;
    span.duration = piece->end - piece->start;
    return LanesAppend(&self->spans, batch->clock, &span);
}

static OpprofStatus draw_step(Analysis *self, const OpprofBatch *batch,
                              const OpprofMindsporeStep *step)
{
    const uint64_t ends[] = { step->fp_tick, step->bp_tick, step->end_tick };
    const uint64_t starts[] = { step->start_tick, step->fp_tick, step->bp_tick };
    char name[40];
    OpprofStatus status;

    snprintf(name, sizeof name, "step %llu", (unsigned long long) step->step);
    status = draw(self, batch,
                  &(Piece){ "steps", LANE_STEPS, OPPROF_TRACK_LABELS, OPPROF_ACTIVITY_STEP, name,
                            step->start_tick, step->end_tick });
    for (unsigned i = 0; i < 3 && status == OPPROF_OK; i++) {
        if (ends[i] > starts[i]) {
            status = draw(self, batch,
                          &(Piece){ "parts of steps", LANE_PARTS, OPPROF_TRACK_LABELS, "part",
                                    part_names[i + 1], starts[i], ends[i] });
        }
    }
    return status;
}

static OpprofStatus draw_collective(Analysis *self, const OpprofBatch *batch,
                                    const OpprofMindsporeCollective *collective)
{
    char lane[48] = "collectives";

    if (collective->stream != OPPROF_NA_U32) {
        snprintf(lane, sizeof lane, "collectives of stream %u", collective->stream);
    }
    return draw(self, batch,
                &(Piece){ lane, LANE_COLLECTIVES, 0, OPPROF_ACTIVITY_COMMUNICATION,
                          OpprofStageString(self->stage, collective->name), collective->start_tick,
                          collective->end_tick });
}

static OpprofStatus draw_aicpu(Analysis *self, const OpprofBatch *batch,
                               const OpprofMindsporeAicpu *node)
{
    return draw(self, batch,
                &(Piece){ "AI CPU", LANE_STREAMS - 1, 0, OPPROF_ACTIVITY_COMPUTATION,
                          OpprofStageString(self->stage, node->kernel_name), node->start_tick,
                          node->end_tick });
}

/* ---- records ---- */

static OpprofStatus take_step(Analysis *self, const OpprofBatch *batch,
                              const OpprofMindsporeStep *step)
{
    Device *device = find_device(self, step->device);

    if (device == NULL) {
        return OPPROF_E_MEMORY;
    }
    add(&device->parts[PART_TOTAL], step->total_us);
    add(&device->parts[PART_INTERVAL], step->iteration_interval_us);
    add(&device->parts[PART_FP_AND_BP], step->fp_and_bp_us);
    add(&device->parts[PART_TAIL], step->tail_us);
    return OpprofStageHasReader(self->stage, OUT_SPANS) ? draw_step(self, batch, step) : OPPROF_OK;
}

static OpprofStatus fail(OpprofStatus status, OpprofError **error)
{
    return status == OPPROF_E_MEMORY ? OpprofErrorNoMemory(error, "analyse %s", "MindSpore's steps")
                                     : status;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Analysis *self = context;
    const bool has_spans = OpprofStageHasReader(self->stage, OUT_SPANS);
    OpprofStatus status = OPPROF_OK;

    self->spans.stage = self->stage;
    self->spans.port = OUT_SPANS;
    for (uint32_t i = 0; i < batch->count && status == OPPROF_OK; i++) {
        const void *record = OpprofBatchRecord(batch, i);

        if (port == IN_STEPS) {
            status = take_step(self, batch, record);
        } else if (has_spans) {
            status = port == IN_COLLECTIVES ? draw_collective(self, batch, record)
                                            : draw_aicpu(self, batch, record);
        }
    }
    return fail(status, error);
}

static OpprofStatus emit_device(const Analysis *self, const Device *device)
{
    OpprofStatus status = OPPROF_OK;
    double total = 0;

    for (unsigned i = 0; i < PARTS && status == OPPROF_OK; i++) {
        const Sum *sum = &device->parts[i];
        const double count = (double) sum->count;
        SummaryRow row = {
            .steps = sum->count,
            .mean_all_us = sum->sum / count,
            .mean_us = sum->count == 1 ? sum->first : (sum->sum - sum->first) / (count - 1),
            .min_us = sum->min,
            .max_us = sum->max,
            .step_us = OpprofNaF64(),
            .device = device->id,
            .part = OpprofStageIntern(self->stage, part_names[i], strlen(part_names[i]))
        };

        if (sum->count == 0) {
            continue; /* inference has no tail */
        }
        if (i == PART_TOTAL) {
            row.step_us = total = row.mean_us;
        }
        row.share = total > 0 ? 100 * row.mean_us / total : OpprofNaF64();
        status = OpprofStageAppend(self->stage, OUT_SUMMARY, device->id, &row);
    }
    return status;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Analysis *self = context;
    OpprofStatus status = OpprofOpenBatchPush(&self->spans);

    for (size_t i = 0; i < self->count && status == OPPROF_OK; i++) {
        status = emit_device(self, &self->devices[i]);
    }
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Analysed: devices with steps=%zu",
              self->count);
    return fail(status, error);
}

static void destroy(void *context)
{
    Analysis *self = context;

    OpprofOpenBatchDrop(&self->spans);
    free(self->devices);
    free(self);
}

/* ---- module ---- */

static const OpprofPort inputs[] = {
    { .name = "steps",
      .type = "mindspore.steps",
      .record_type = &opprof_mindspore_step_type,
      .flags = OPPROF_PORT_OPTIONAL,
      .summary = "Training steps." },
    { .name = "collectives",
      .type = "mindspore.step-collectives",
      .record_type = &opprof_mindspore_collective_type,
      .flags = OPPROF_PORT_OPTIONAL,
      .summary = "Collectives of steps." },
    { .name = "aicpu",
      .type = "mindspore.aicpu",
      .record_type = &opprof_mindspore_aicpu_type,
      .flags = OPPROF_PORT_OPTIONAL,
      .summary = "Operators on the device's CPU." },
};

static const OpprofPort outputs[] = {
    { .name = "summary", .record_type = &summary_type, .summary = "Parts of a step." },
    { .name = "spans",
      .record_type = &opprof_span_type,
      .summary = "Steps, their collectives, and operators on the device's CPU." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .process = process,
    .flush = flush,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(
        .name = "mindspore-steps", .version = "1.0", .license = "Apache-2.0",
        .summary = "Shows what MindSpore's training steps consist of.",
        .help = "Means of the parts of steps, without the first step. Memory grows with devices.",
        .kind = OPPROF_ANALYSIS, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
        .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .ops = &ops);
