/* SPDX-License-Identifier: Apache-2.0 */
/* Runs collect-sim on a directory and keeps what comes out. */
#include <opprof/records/sim.h>
#include "tests/plugins/collect-sim/harness.h"
#include "tests/plugins/collect-sim/scratch.h"
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const OpprofPlugin opprof_plugin_v0; /* collect-sim, linked in */

/* ---- lists of texts ---- */

void TextListAdd(TextList *list, const char *line)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity == 0 ? 64 : list->capacity * 2;
        list->lines = realloc(list->lines, list->capacity * sizeof *list->lines);
        ck_assert_ptr_nonnull(list->lines);
    }
    list->lines[list->count] = strdup(line);
    ck_assert_ptr_nonnull(list->lines[list->count]);
    list->count++;
}

static int compare_texts(const void *left, const void *right)
{
    return strcmp(*(char *const *) left, *(char *const *) right);
}

void TextListSort(TextList *list)
{
    if (list->count > 0) {
        qsort(list->lines, list->count, sizeof *list->lines, compare_texts);
    }
}

void TextListFinish(TextList *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->lines[i]);
    }
    free(list->lines);
    *list = (TextList){ .count = 0 };
}

/* ---- the other end ---- */

#define MOST_PARTITIONS 64

typedef struct Keeper {
    OpprofStage *stage;
    uint64_t last[2][MOST_PARTITIONS];
    uint64_t floor[2][MOST_PARTITIONS];
    uint32_t ids[MOST_PARTITIONS];
    uint32_t id_count;
} Keeper;

static Collected *collected_now;
static OpprofPipeline *pipeline_now;
static size_t rows_to_stop_at; /* 0: never */

static OpprofStatus keeper_create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Keeper *self = calloc(1, sizeof *self);

    (void) error;
    ck_assert_ptr_nonnull(self);
    self->stage = stage;
    *ret_self = self;
    return OPPROF_OK;
}

static void keeper_destroy(void *self)
{
    free(self);
}

static uint32_t place_of(Keeper *self, uint32_t partition)
{
    for (uint32_t i = 0; i < self->id_count; i++) {
        if (self->ids[i] == partition) {
            return i;
        }
    }
    ck_assert_uint_lt(self->id_count, MOST_PARTITIONS);
    self->ids[self->id_count] = partition;
    return self->id_count++;
}

static void check_order(Keeper *self, unsigned which, const OpprofBatch *batch, uint64_t tick)
{
    const uint32_t place = place_of(self, batch->partition);

    if (tick < self->last[which][place] || tick < self->floor[which][place]) {
        collected_now->out_of_order++;
    }
    self->last[which][place] = tick;
}

static void keep_instruction(Keeper *self, const OpprofBatch *batch,
                             const OpprofSimInstruction *row)
{
    char *line;

    check_order(self, 0, batch, row->end);
    ck_assert_int_gt(asprintf(&line,
                              "%s\t0x%" PRIx64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
                              "\t%s\t%s\t%.*s\t%d\t%d",
                              OpprofStageString(self->stage, row->core), row->pc,
                              row->id == OPPROF_NA_U64 ? 0 : row->id, row->start, row->end,
                              OpprofStageString(self->stage, row->pipe),
                              OpprofStageString(self->stage, row->name), (int) row->detail.length,
                              OpprofBatchText(batch, row->detail), row->warp, row->scheduler),
                     0);
    TextListAdd(&collected_now->rows, line);
    free(line);
}

static void keep_mark(Keeper *self, const OpprofBatch *batch, const OpprofSimMark *mark)
{
    char *line;

    ck_assert_int_gt(
        asprintf(&line, "%s\t%s\t0x%" PRIx64 "\t0x%" PRIx64 "\t%" PRIu64 "\t%" PRIu64 "\t%.*s",
                 OpprofStageString(self->stage, mark->core),
                 OpprofStageString(self->stage, mark->name), mark->pc, mark->end_pc, mark->start,
                 mark->end, (int) mark->detail.length, OpprofBatchText(batch, mark->detail)),
        0);
    TextListAdd(&collected_now->marks, line);
    free(line);
}

static void keep_miss(Keeper *self, const OpprofBatch *batch, const OpprofSimIcacheMiss *miss)
{
    char *line;

    check_order(self, 1, batch, miss->tick);
    ck_assert_int_gt(asprintf(&line, "%s\t%" PRIu64 "\t0x%" PRIx64 "\t%.*s\t%.*s",
                              OpprofStageString(self->stage, miss->core), miss->tick, miss->pc,
                              (int) miss->address.length, OpprofBatchText(batch, miss->address),
                              (int) miss->detail.length, OpprofBatchText(batch, miss->detail)),
                     0);
    TextListAdd(&collected_now->misses, line);
    free(line);
}

static void keep_end(const Keeper *self, const OpprofSimCoreEnd *end)
{
    char *line;

    ck_assert_int_gt(asprintf(&line, "%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%u",
                              OpprofStageString(self->stage, end->core), end->instructions,
                              end->marks, end->misses, end->cores),
                     0);
    TextListAdd(&collected_now->ends, line);
    free(line);
}

static OpprofStatus keeper_process(void *instance, uint32_t port, const OpprofBatch *batch,
                                   OpprofError **error)
{
    Keeper *self = instance;
    const OpprofClock *clock = OpprofStageClockInfo(self->stage, batch->clock);

    (void) error;
    for (uint32_t i = 0; port == 3 && i < batch->count; i++) {
        keep_end(self, OpprofBatchRecord(batch, i));
    }
    if (port == 3) {
        return OPPROF_OK;
    }
    if (clock == NULL || strcmp(clock->name, "core") != 0) {
        collected_now->wrong_clock++;
    } else {
        collected_now->hz = clock->hz;
    }
    for (uint32_t i = 0; i < batch->count; i++) {
        if (port == 0) {
            keep_instruction(self, batch, OpprofBatchRecord(batch, i));
        } else if (port == 1) {
            keep_mark(self, batch, OpprofBatchRecord(batch, i));
        } else {
            keep_miss(self, batch, OpprofBatchRecord(batch, i));
        }
    }
    if (rows_to_stop_at > 0 && collected_now->rows.count >= rows_to_stop_at) {
        OpprofPipelineStop(pipeline_now, "the test wants it");
        rows_to_stop_at = 0;
    }
    if (port != 1) {
        self->floor[port / 2][place_of(self, batch->partition)] = batch->watermark;
    }
    return OPPROF_OK;
}

static const OpprofPort keeper_inputs[] = {
    { .name = "instructions", .type = "sim.instruction", .order = OPPROF_ORDER_END },
    { .name = "marks", .type = "sim.mark" },
    { .name = "icache-misses", .type = "sim.icache-miss", .order = OPPROF_ORDER_END },
    { .name = "core-ends", .type = "sim.core-end" },
};

static const OpprofPluginOps keeper_ops = { .struct_size = sizeof(OpprofPluginOps),
                                            .create = keeper_create,
                                            .process = keeper_process,
                                            .destroy = keeper_destroy };

static const OpprofPlugin keeper_plugin = { .struct_size = sizeof(OpprofPlugin),
                                            .abi_major = OPPROF_ABI_MAJOR,
                                            .abi_minor = OPPROF_ABI_MINOR,
                                            .name = "keeper",
                                            .version = "1.0",
                                            .license = "Apache-2.0",
                                            .summary = "Keeps what it gets.",
                                            .kind = OPPROF_EXPORTER,
                                            .inputs = keeper_inputs,
                                            .input_count = OPPROF_COUNT(keeper_inputs),
                                            .ops = &keeper_ops };

/* ---- running ---- */

static OpprofStatus run(OpprofPipeline *pipeline, const char *params_json, const char *output,
                        OpprofError **error)
{
    OpprofRunReport report = { .outcome = OPPROF_RUN_FAILED };
    OpprofStatus status =
        AddPluginDescriptor(pipeline, "dump", &opprof_plugin_v0, params_json, error);
    const char *record;

    if (status == OPPROF_OK) {
        status = AddPluginDescriptor(pipeline, "keep", &keeper_plugin, NULL, error);
    }
    if (status == OPPROF_OK) {
        status = OpprofPipelineSetOutput(pipeline, output, true, error);
    }
    if (status == OPPROF_OK) {
        status = RunAllPlugins(pipeline, &report, error);
    }
    record = OpprofPipelineRecord(pipeline);
    collected_now->status = status;
    collected_now->outcome = report.outcome;
    collected_now->reason = report.reason == NULL ? NULL : strdup(report.reason);
    collected_now->record = strdup(record == NULL ? "" : record);
    OpprofRunReportFinish(&report);
    return status;
}

static void drop_line(void *context, OpprofLogLevel level, const char *line)
{
    (void) context;
    (void) level;
    (void) line;
}

Collected *CollectSimStopped(const char *params_json, size_t rows)
{
    Collected *collected = calloc(1, sizeof *collected);
    OpprofPipeline *pipeline = OpprofPipelineCreate();
    char *output = ScratchMake();
    OpprofError *error = NULL;

    setenv("OPPROF_CHIP_PATH", TEST_SOURCE_DIR "/chips", 0);
    setenv("OPPROF_SYSTEM_CHIP_PATH", TEST_FACT_PATH, 0);
    ck_assert_ptr_nonnull(collected);
    ck_assert_ptr_nonnull(pipeline);
    OpprofLogSetSink(drop_line, NULL);
    collected_now = collected;
    pipeline_now = pipeline;
    rows_to_stop_at = rows;
    run(pipeline, params_json, output, &error);
    collected_now = NULL;
    collected->error = error == NULL ? NULL : OpprofErrorText(error, false);
    OpprofErrorDestroy(error);
    OpprofPipelineDestroy(pipeline);
    ScratchFree(output);
    return collected;
}

Collected *CollectSim(const char *params_json)
{
    return CollectSimStopped(params_json, 0);
}

void CollectedFree(Collected *collected)
{
    TextListFinish(&collected->rows);
    TextListFinish(&collected->marks);
    TextListFinish(&collected->ends);
    TextListFinish(&collected->misses);
    free(collected->reason);
    free(collected->record);
    free(collected->error);
    free(collected);
}
