/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sim-timeline: draws the instructions of a simulated run as the operator's developer knows them
 * from the reference tool: one document for all cores ("trace"), one for each core
 * ("<core>/trace").
 */
#include "analyse-sim/common/kernel.h"
#include "core_timeline.h"

#include <opprof/kit/busy_time.h>
#include <opprof/plugin.h>
#include <stdlib.h>
#include <string.h>

enum { INPUT_INSTRUCTIONS, INPUT_MARKS, INPUT_CACHE_MISSES };
enum { OUTPUT_SPANS, OUTPUT_SUMMARY };

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

/* An instance: the cores whose partitions it gets. */
typedef struct Timeline {
    TimelineShared shared;
    const OpprofParams *params;
    CoreTimeline **cores;
    uint32_t core_count;
    uint32_t core_capacity;
    CoreTimeline *latest; /* core of the last batch */
    bool has_opened;      /* the kernel, or found that there is none */
} Timeline;

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Timeline *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return OpprofErrorSet(error, OPPROF_E_MEMORY, "Cannot create the timeline: out of memory");
    }
    self->shared.stage = stage;
    self->shared.port = OUTPUT_SPANS;
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

/* Without call stacks a timeline is worth a look all the same. */
static void open_source(Timeline *self)
{
    OpprofError *error = NULL;
    const OpprofStatus status =
        KernelOpen(self->shared.stage, self->params, &self->shared.source, &error);

    self->has_opened = true;

    if (status != OPPROF_OK && status != OPPROF_E_NOT_FOUND &&
        OpprofStageInstance(self->shared.stage, NULL) == 0) {
        OpprofStageWarn(self->shared.stage, "Call stacks are missing: %s", OpprofErrorMessage(error));
    }
    OpprofErrorDestroy(error);
}

static OpprofStatus start(void *context, OpprofError **error)
{
    Timeline *self = context;
    OpprofStage *stage = self->shared.stage;

    if (!VocabularyInit(&self->shared.words, stage)) {
        return OpprofErrorSet(error, OPPROF_E_MEMORY, "Cannot start the timeline: out of memory");
    }
    if (OpprofStageInstance(stage, NULL) == 0) {
        OpprofStageSetShared(stage, CrossFlagsCreate());
    }
    self->shared.cross = OpprofStageShared(stage);
    if (self->shared.cross == NULL) {
        return OpprofErrorSet(error, OPPROF_E_MEMORY, "Cannot start the timeline: out of memory");
    }
    self->shared.has_reader = OpprofStageHasReader(stage, OUTPUT_SPANS);
    if (self->shared.has_reader && !KernelComesLate(self->params)) {
        open_source(self);
    }
    self->shared.main = (Sheet){ .stage = stage,
                                 .port = OUTPUT_SPANS,
                                 .document = self->shared.words.main_document };
    return OPPROF_OK;
}

static OpprofStatus add_core(Timeline *self, uint32_t name, OpprofError **error)
{
    uint32_t capacity = self->core_capacity == 0 ? 16 : self->core_capacity * 2;
    size_t length;
    CoreTimeline **cores;

    OpprofStageStringLength(self->shared.stage, name, &length);
    if (length > CORE_NAME_MAX) {
        return OpprofErrorSet(error, OPPROF_E_DATA,
                              "Cannot draw a core whose name has %zu bytes: the limit is %u",
                              length, CORE_NAME_MAX);
    }
    if (self->core_count == self->core_capacity) {
        cores = reallocarray(self->cores, capacity, sizeof(CoreTimeline *));
        if (cores == NULL) {
            return OpprofErrorSet(error, OPPROF_E_MEMORY, "Cannot add a core: out of memory");
        }
        self->cores = cores;
        self->core_capacity = capacity;
    }
    if (self->shared.has_reader && !self->has_opened) {
        open_source(self);
    }
    self->latest = CoreTimelineCreate(&self->shared, name);
    if (self->latest == NULL) {
        return OpprofErrorSet(error, OPPROF_E_MEMORY, "Cannot add core '%s': out of memory",
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
    if (!OpprofFailed(status)) {
        return status;
    }
    return OpprofErrorSet(error, status, "Cannot draw the timeline of core '%s': %s",
                          OpprofStageString(self->shared.stage, CoreTimelineName(core)),
                          OpprofStatusName(status));
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch, OpprofError **error)
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
        OpprofStageWarn(stage, "Running time of core '%s' is approximate: it was idle more than %u times",
                  name, OPPROF_BUSY_STRETCHES_MAX);
    }
    if (forgotten > 0) {
        OpprofStageWarn(stage,
                  "Core '%s': %llu set or wait flags without partner were forgotten, arrows of "
                  "them are missing",
                  name, (unsigned long long) forgotten);
    }
    if (CoreTimelineLetGo(core)) {
        OpprofStageWarn(stage,
                  "Core '%s': too many rows overlap at one time, some of them share a sub-lane in "
                  "'%s/trace'",
                  name, name);
    }
}

static OpprofStatus add_summary(Timeline *self, const CoreTimeline *core, OpprofBatch **batch)
{
    OpprofStage *stage = self->shared.stage;
    CoreSummary *row;
    CoreTimes times;

    CoreTimelineTimes(core, &times);
    warn_about(self, core, &times);
    if (times.first_start > times.last_end) {
        return OPPROF_OK;
    }
    if (*batch == NULL) {
        *batch = OpprofStageNewBatch(stage, OUTPUT_SUMMARY);
    }
    row = *batch == NULL ? NULL : OpprofBatchAppend(*batch);
    if (row == NULL) {
        return OPPROF_E_MEMORY;
    }
    *row =
        (CoreSummary){ .core = CoreTimelineName(core),
                       .duration_us = to_us(self, times.clock, times.last_end - times.first_start),
                       .running_us = to_us(self, times.clock, times.busy_ticks) };
    if ((*batch)->count == (*batch)->capacity) {
        OpprofBatch *full = *batch;

        *batch = NULL;
        return OpprofStagePush(stage, OUTPUT_SUMMARY, full);
    }
    return OPPROF_OK;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Timeline *self = context;
    OpprofStatus status = OPPROF_OK;
    OpprofBatch *summary = NULL;

    for (uint32_t i = 0; status == OPPROF_OK && i < self->core_count; i++) {
        status = CoreTimelineFlush(self->cores[i]);
        if (status == OPPROF_OK) {
            status = add_summary(self, self->cores[i], &summary);
        }
        status = draw_failed(self, self->cores[i], status, error);
    }
    if (status == OPPROF_OK) {
        status = SheetPush(&self->shared.main);
    }
    if (status != OPPROF_OK || summary == NULL) {
        OpprofBatchUnref(summary);
        return status;
    }
    return OpprofStagePush(self->shared.stage, OUTPUT_SUMMARY, summary);
}

static OpprofStatus stop(void *context, OpprofError **error)
{
    Timeline *self = context;

    (void) error;
    if (OpprofStageInstance(self->shared.stage, NULL) == 0) {
        CrossFlagsDestroy(self->shared.cross);
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
    OpprofSourceClose(self->shared.source);
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
                       .summary = "The documents 'trace' and '<core>/trace'; a batch holds one "
                                  "document's." },
    [OUTPUT_SUMMARY] = { .name = "summary",
                         .record_type = &summary_type,
                         .summary = "Duration and running time of each core." },
};

static const OpprofParam params[] = {
    { .name = "kernel",
      .type = OPPROF_PARAM_PATH,
      .summary = "ELF file of the kernel, for call stacks; aicore_binary.o in the dump directory "
                 "unless given." },
    { .name = "dump",
      .type = OPPROF_PARAM_PATH,
      .summary = "Dump directory, which tells the kernel and the address it was loaded at." },
    KERNEL_RESULT_DUMP_PARAM,
};

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

OPPROF_PLUGIN_DEFINE(.name = "sim-timeline", .version = "1.0", .license = "Apache-2.0",
                     .summary =
                         "Draws simulated instructions as timelines of all cores and of each core.",
                     .help = "Set and wait flags become arrows, instruction-cache misses and user "
                             "ranges lanes of their own. "
                             "The timeline of all cores has a lane a pipe; the timeline of one "
                             "core has as many sub-lanes a "
                             "pipe as rows overlap.",
                     .kind = OPPROF_ANALYSIS, .flags = OPPROF_PLUGIN_PARTITIONED, .inputs = inputs,
                     .input_count = OPPROF_COUNT(inputs), .outputs = outputs,
                     .output_count = OPPROF_COUNT(outputs), .params = params,
                     .param_count = OPPROF_COUNT(params), .ops = &ops);
