/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sim-timeline: draws the instructions of a simulated run as operator developers know them from the
 * reference tool: one document for all cores ("trace"), one for each core ("<core>/trace").
 */
#include "analyse-sim/common/kernel.h"
#include "core_timeline.h"
#include "draw_main.h"

#include <inttypes.h>
#include <opprof/log.h>
#include <opprof/records/sim.h>

#include <opprof/kit/busy_time.h>
#include <opprof/grow.h>
#include <opprof/plugin.h>
#include <opprof/text.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { INPUT_INSTRUCTIONS, INPUT_MARKS, INPUT_CACHE_MISSES };
enum { OUTPUT_SPANS, OUTPUT_SUMMARY, OUTPUT_MARKS, OUTPUT_MISSES, OUTPUT_ARROWS };

/* Record of "sim.core-summary". */
typedef struct CoreSummary {
    uint32_t core;
    uint32_t reserved;
    double duration_us;
    double running_us;
} CoreSummary;

static const OpprofField summary_fields[] = {
    OPPROF_FIELD(CoreSummary, core, OPPROF_FIELD_STRING, .meaning = "Logical core.",
                 .heading = "core_name", .flags = OPPROF_FIELD_KEY),
    OPPROF_FIELD(CoreSummary, duration_us, OPPROF_FIELD_F64, .unit = "us",
                 .meaning = "From the first start to the last end of an instruction.",
                 .heading = "duration_time(us)", .decimals = 3),
    OPPROF_FIELD(CoreSummary, running_us, OPPROF_FIELD_F64, .unit = "us",
                 .meaning = "Time in which at least one instruction ran.",
                 .absent = "instructions overtake each other too far",
                 .heading = "running_time(us)", .decimals = 3),
};

static const OpprofRecordType summary_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "sim.core-summary",
    .summary = "How long a simulated core took and how much of that it was busy.",
    .size = sizeof(CoreSummary),
    .flags = OPPROF_RECORD_TABLE | OPPROF_RECORD_SUMMARY,
    .fields = summary_fields,
    .field_count = OPPROF_COUNT(summary_fields),
    .title = "Core operator results run in simulator as follow",
    .file_hint = "core_summary",
};

/* Shared by all instances. */
typedef struct Gathered {
    CrossPairs *cross;
    Kernel *kernel;
    pthread_mutex_t lock; /* guards what follows */
    CoreSummary *rows;    /* of all cores so far */
    size_t count;
    size_t capacity;
    uint32_t flushed; /* instances that have added theirs */
} Gathered;

/* An instance: the cores whose partitions it receives. */
typedef struct Timeline {
    TimelineShared shared;
    Gathered *gathered;
    const OpprofParams *params;
    CoreTimeline **cores;
    uint32_t core_count;
    uint32_t core_capacity;
    CoreTimeline *latest; /* core of the last batch */
} Timeline;

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Timeline *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return OpprofErrorNoMemory(error, "create the timeline");
    }
    self->shared.stage = stage;
    self->shared.port = OUTPUT_SPANS;
    self->shared.mark_port = OUTPUT_MARKS;
    self->shared.miss_port = OUTPUT_MISSES;
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    Timeline *self = context;

    (void) error;
    self->params = params;
    return OPPROF_OK;
}

static void destroy_gathered(Gathered *gathered)
{
    if (gathered != NULL) {
        CrossPairsDestroy(gathered->cross);
        KernelDestroy(gathered->kernel);
        pthread_mutex_destroy(&gathered->lock);
        free(gathered->rows);
        free(gathered);
    }
}

static Gathered *make_gathered(const Timeline *self)
{
    Gathered *gathered = calloc(1, sizeof *gathered);

    if (gathered == NULL) {
        return NULL;
    }
    pthread_mutex_init(&gathered->lock, NULL);
    gathered->cross = CrossPairsCreate();
    gathered->kernel = KernelCreate(self->shared.stage, self->params, "Call stacks", false);
    if (gathered->cross == NULL || gathered->kernel == NULL) {
        destroy_gathered(gathered);
        return NULL;
    }
    return gathered;
}

static OpprofStatus start(void *context, OpprofError **error)
{
    Timeline *self = context;
    OpprofStage *stage = self->shared.stage;

    if (!VocabularyInit(&self->shared.words, stage)) {
        return OpprofErrorNoMemory(error, "start the timeline");
    }
    if (OpprofStageInstance(stage, NULL) == 0) {
        OpprofStageSetShared(stage, make_gathered(self));
    }
    self->gathered = OpprofStageShared(stage);
    if (self->gathered == NULL) {
        return OpprofErrorNoMemory(error, "start the timeline");
    }
    self->shared.cross = self->gathered->cross;
    self->shared.has_reader =
        OpprofStageHasReader(stage, OUTPUT_SPANS) || OpprofStageHasReader(stage, OUTPUT_MARKS) ||
        OpprofStageHasReader(stage, OUTPUT_MISSES) || OpprofStageHasReader(stage, OUTPUT_ARROWS);
    SheetInit(&self->shared.main, stage, OUTPUT_SPANS, self->shared.words.main_document);
    SheetInit(&self->shared.main_marks, stage, OUTPUT_MARKS, self->shared.words.main_document);
    SheetInit(&self->shared.main_misses, stage, OUTPUT_MISSES, self->shared.words.main_document);
    SheetInit(&self->shared.main_arrows, stage, OUTPUT_ARROWS, self->shared.words.main_document);
    return OPPROF_OK;
}

static OpprofStatus add_core(Timeline *self, uint32_t name, OpprofError **error)
{
    size_t length;

    OpprofStageStringLength(self->shared.stage, name, &length);
    if (length > CORE_NAME_MAX) {
        return OpprofErrorSet(error, OPPROF_E_DATA,
                              "Cannot draw a core whose name has %zu bytes: the limit is %u",
                              length, CORE_NAME_MAX);
    }
    if (!OpprofGrow32(&self->cores, &self->core_capacity, self->core_count + 1u,
                      sizeof(CoreTimeline *))) {
        return OpprofErrorNoMemory(error, "add a core");
    }
    if (self->shared.has_reader && !KernelLines(self->gathered->kernel, &self->shared.source)) {
        return OpprofErrorNoMemory(error, "open the kernel");
    }
    self->latest = CoreTimelineCreate(&self->shared, name);
    if (self->latest == NULL) {
        return OpprofErrorNoMemory(error, "add core '%s'",
                                   OpprofStageString(self->shared.stage, name));
    }
    self->cores[self->core_count++] = self->latest;
    return OPPROF_OK;
}

/* Makes the core of the partition the latest one. */
static OpprofStatus find_core(Timeline *self, uint32_t name, OpprofError **error)
{
    if (self->latest != NULL && CoreTimelineName(self->latest) == name) {
        return OPPROF_OK;
    }
    for (uint32_t i = 0; i < self->core_count; i++) {
        if (CoreTimelineName(self->cores[i]) == name) {
            self->latest = self->cores[i];
            return OPPROF_OK;
        }
    }
    return add_core(self, name, error);
}

static OpprofStatus draw_failed(const Timeline *self, const CoreTimeline *core, OpprofStatus status,
                                OpprofError **error)
{
    return OpprofErrorExplain(error, status, "Cannot draw the timeline of core '%s'",
                              OpprofStageString(self->shared.stage, CoreTimelineName(core)));
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Timeline *self = context;
    OpprofStatus status = find_core(self, batch->partition, error);

    if (status != OPPROF_OK) {
        return status;
    }
    switch (port) {
    case INPUT_INSTRUCTIONS:
        status = CoreTimelineInstructions(self->latest, batch);
        break;
    case INPUT_MARKS:
        status = CoreTimelineMarks(self->latest, batch);
        break;
    default:
        status = CoreTimelineCacheMisses(self->latest, batch);
        break;
    }
    return draw_failed(self, self->latest, status, error);
}

/* Microseconds with two decimals, rounded half up. */
static double to_us(const Timeline *self, uint32_t clock, uint64_t ticks)
{
    const OpprofClock *info = OpprofStageClockInfo(self->shared.stage, clock);
    const uint64_t hz = info == NULL ? UINT64_C(1000000000) : info->hz;
    const unsigned __int128 hundredths = ((unsigned __int128) ticks * 100000000 + hz / 2) / hz;

    return (double) hundredths / 100.0;
}

static void warn_about(const Timeline *self, const CoreTimeline *core, const CoreTimes *times)
{
    OpprofStage *stage = self->shared.stage;
    const char *name = OpprofStageString(stage, CoreTimelineName(core));
    uint64_t forgotten = CoreTimelineForgottenFlags(core);

    if (times->is_rough) {
        OpprofStageIncomplete(stage,
                              "Running time of core '%s' is NA: it was idle more than %u times "
                              "before an instruction ended that had begun earlier",
                              name, OPPROF_BUSY_STRETCHES_MAX);
    }
    if (forgotten > 0) {
        OpprofStageIncomplete(stage,
                              "Core '%s': %llu set or wait %s forgotten without partner: "
                              "arrows are missing",
                              name, (unsigned long long) forgotten,
                              OPPROF_PLURAL(forgotten, "flag was", "flags were"));
    }
    if (CoreTimelineLetGo(core)) {
        OpprofStageWarn(
            stage,
            "Core '%s': too many rows overlap, so some of them share a sub-lane in '%s/trace'",
            name, name);
    }
}

/* Adds the core's row, for the instance that flushes last. */
static OpprofStatus add_summary(Timeline *self, const CoreTimeline *core)
{
    Gathered *gathered = self->gathered;
    CoreTimes times;
    bool ok;

    CoreTimelineTimes(core, &times);
    warn_about(self, core, &times);
    if (times.first_start > times.last_end) {
        return OPPROF_OK;
    }
    pthread_mutex_lock(&gathered->lock);
    ok = OpprofGrow(&gathered->rows, &gathered->capacity, gathered->count + 1,
                    sizeof *gathered->rows);
    if (ok) {
        gathered->rows[gathered->count++] = (CoreSummary){
            .core = CoreTimelineName(core),
            .duration_us = to_us(self, times.clock, times.last_end - times.first_start),
            .running_us =
                times.is_rough ? OpprofNaF64() : to_us(self, times.clock, times.busy_ticks)
        };
    }
    pthread_mutex_unlock(&gathered->lock);
    return ok ? OPPROF_OK : OPPROF_E_MEMORY;
}

static int compare_summaries(const void *a, const void *b, void *stage)
{
    const CoreSummary *x = a;
    const CoreSummary *y = b;

    return strcmp(OpprofStageString(stage, x->core), OpprofStageString(stage, y->core));
}

/* The rows of all cores, by name, so that the assignment of cores to instances does not show. */
static OpprofStatus push_summary(Timeline *self)
{
    OpprofStage *stage = self->shared.stage;
    Gathered *gathered = self->gathered;
    OpprofStatus status = OPPROF_OK;

    if (gathered->count > 0) {
        qsort_r(gathered->rows, gathered->count, sizeof *gathered->rows, compare_summaries, stage);
    }
    for (size_t i = 0; status == OPPROF_OK && i < gathered->count; i++) {
        status = OpprofStageAppend(stage, OUTPUT_SUMMARY, 0, &gathered->rows[i]);
    }
    return status;
}

/* Called when all instances have added their rows. */
static bool is_last(Timeline *self)
{
    uint32_t instances;
    bool result;

    OpprofStageInstance(self->shared.stage, &instances);
    pthread_mutex_lock(&self->gathered->lock);
    result = ++self->gathered->flushed == instances;
    pthread_mutex_unlock(&self->gathered->lock);
    return result;
}

static OpprofStatus push_sheets(Timeline *self)
{
    OpprofStatus status = SheetPush(&self->shared.main);

    if (status == OPPROF_OK) {
        status = SheetPush(&self->shared.main_marks);
    }
    if (status == OPPROF_OK) {
        status = SheetPush(&self->shared.main_misses);
    }
    return status == OPPROF_OK ? SheetPush(&self->shared.main_arrows) : status;
}

/* After the last rows of all cores: draws the arrows between cores that were uncertain until then. */
static OpprofStatus push_arrows(Timeline *self)
{
    CrossPairs *cross = self->shared.cross;
    OpprofStatus status = CrossPairsEnd(cross);
    CrossLine *line;

    for (size_t i = 0; status == OPPROF_OK && (line = CrossPairsLine(cross, i)) != NULL; i++) {
        status = DrawCrossArrows(&self->shared, line);
    }
    if (CrossPairsForgotten(cross) > 0) {
        OpprofStageIncomplete(self->shared.stage,
                              "%llu %s forgotten without partner: arrows are missing",
                              (unsigned long long) CrossPairsForgotten(cross),
                              OPPROF_PLURAL(CrossPairsForgotten(cross), "flag between cores was",
                                            "flags between cores were"));
    }
    return status == OPPROF_OK ? SheetPush(&self->shared.main_arrows) : status;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Timeline *self = context;
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < self->core_count; i++) {
        status = CoreTimelineFlush(self->cores[i]);
        if (status == OPPROF_OK) {
            status = add_summary(self, self->cores[i]);
        }
        status = draw_failed(self, self->cores[i], status, error);
    }
    if (status == OPPROF_OK) {
        OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->shared.stage), "Drew cores: %" PRIu32,
                  self->core_count);
        status = push_sheets(self);
    }
    if (status != OPPROF_OK || !is_last(self)) {
        return status;
    }
    status = push_arrows(self);
    return status == OPPROF_OK ? push_summary(self) : status;
}

static OpprofStatus stop(void *context, OpprofError **error)
{
    Timeline *self = context;

    (void) error;
    if (OpprofStageInstance(self->shared.stage, NULL) == 0) {
        destroy_gathered(self->gathered);
        OpprofStageSetShared(self->shared.stage, NULL);
    }
    return OPPROF_OK;
}

static void destroy(void *context)
{
    Timeline *self = context;

    for (uint32_t i = 0; i < self->core_count; i++) {
        CoreTimelineDestroy(self->cores[i]);
    }
    free(self->cores);
    SheetFinish(&self->shared.main);
    SheetFinish(&self->shared.main_marks);
    SheetFinish(&self->shared.main_misses);
    SheetFinish(&self->shared.main_arrows);
    free(self);
}

static const OpprofPort inputs[] = {
    [INPUT_INSTRUCTIONS] = { .name = "instructions",
                             .type = "sim.instruction",
                             .record_type = &opprof_sim_instruction_type,
                             .order = OPPROF_ORDER_END,
                             .summary = "Executed instructions, by end and address." },
    [INPUT_MARKS] = { .name = "marks",
                      .type = "sim.mark",
                      .record_type = &opprof_sim_mark_type,
                      .flags = OPPROF_PORT_OPTIONAL,
                      .summary = "User ranges." },
    [INPUT_CACHE_MISSES] = { .name = "icache-misses",
                             .type = "sim.icache-miss",
                             .record_type = &opprof_sim_icache_miss_type,
                             .flags = OPPROF_PORT_OPTIONAL,
                             .order = OPPROF_ORDER_END,
                             .summary = "Instruction-cache misses." },
};

static const OpprofPort outputs[] = {
    [OUTPUT_SPANS] = { .name = "spans",
                       .record_type = &opprof_span_type,
                       .summary = "The documents 'trace' and '<core>/trace'; each batch belongs to "
                                  "one document." },
    [OUTPUT_SUMMARY] = { .name = "summary",
                         .record_type = &summary_type,
                         .summary = "Duration and running time of each core." },
    [OUTPUT_MARKS] = { .name = "mark-spans",
                       .record_type = &opprof_span_type,
                       .summary = "The same documents: user ranges." },
    [OUTPUT_MISSES] = { .name = "miss-spans",
                        .record_type = &opprof_span_type,
                        .summary = "The same documents: instruction-cache misses." },
    [OUTPUT_ARROWS] = { .name = "arrow-spans",
                        .record_type = &opprof_span_type,
                        .summary = "The same documents: arrows between cores." },
};

static const OpprofParam params[] = { KERNEL_PARAMS("for call stacks") };

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .configure = configure,
    .start = start,
    .process = process,
    .flush = flush,
    .stop = stop,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(
        .name = "sim-timeline", .version = "1.0", .license = "Apache-2.0",
        .summary = "Draws simulated instructions as timelines of all cores and of each core.",
        .help = "Set and wait flags become arrows, instruction-cache misses and user ranges lanes "
                "of their own. The timeline of all cores has one lane per pipe; the timeline of "
                "one core has as many sub-lanes per pipe as rows overlap.",
        .kind = OPPROF_ANALYSIS, .flags = OPPROF_PLUGIN_PARTITIONED, .inputs = inputs,
        .input_count = OPPROF_COUNT(inputs), .outputs = outputs,
        .output_count = OPPROF_COUNT(outputs), .params = params,
        .param_count = OPPROF_COUNT(params), .ops = &ops);
