/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sim-timeline: draws the instructions of a simulated run as operator developers know them from the
 * reference tool: one document for all cores ("trace"), one for each core ("<core>/trace"). Those
 * of a launch whose results lie in a folder are in that folder ("<folder>/trace").
 */
#include "analyse-sim/common/kernel.h"
#include "analyse-sim/common/launches.h"
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

enum { INPUT_INSTRUCTIONS, INPUT_MARKS, INPUT_CACHE_MISSES, INPUT_ENDS };
enum {
    OUTPUT_SPANS,
    OUTPUT_SUMMARY,
    OUTPUT_MARKS,
    OUTPUT_MISSES,
    OUTPUT_ARROWS,
    OUTPUT_LAUNCH_SUMMARY
};

/* Record of "sim.core-summary". */
typedef struct CoreSummary {
    uint32_t core;
    uint32_t reserved;
    double duration_us;
    double running_us;
    SimPlace place;
} CoreSummary;

static const OpprofField summary_fields[] = {
    OPPROF_FIELD(CoreSummary, core, OPPROF_FIELD_STRING, .meaning = "Logical core.",
                 .heading = "core_name", .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER),
    OPPROF_FIELD(CoreSummary, duration_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST,
                 .unit = "us", .meaning = "From the first start to the last end of an instruction.",
                 .heading = "duration_time(us)", .decimals = 3, .flags = OPPROF_FIELD_RUN_TIME),
    OPPROF_FIELD(CoreSummary, running_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST,
                 .unit = "us", .meaning = "Time in which at least one instruction ran.",
                 .absent = "instructions overtake each other too far",
                 .heading = "running_time(us)", .decimals = 3, .flags = OPPROF_FIELD_ALONE),
    SIM_PLACE_FIELDS(CoreSummary),
};

#define SUMMARY_TYPE(fewer, bytes, file)                                                           \
    {                                                                                              \
        .struct_size = sizeof(OpprofRecordType), .version = 1, .name = "sim.core-summary",         \
        .summary = "How long a simulated core took and how much of that it was busy.",             \
        .size = (bytes), .flags = OPPROF_RECORD_TABLE | OPPROF_RECORD_SUMMARY,                     \
        .fields = summary_fields, .field_count = OPPROF_COUNT(summary_fields) - (fewer),           \
        .title = "Time of each core", .file_hint = (file)                                          \
    }

static const OpprofRecordType summary_type =
    SUMMARY_TYPE(SIM_PLACE_COUNT, offsetof(CoreSummary, place), "core_summary");
/* Of launches with a folder. */
static const OpprofRecordType launch_summary_type =
    SUMMARY_TYPE(0, sizeof(CoreSummary), SIM_PLACE_HINT "core_summary");

/* What is known of a launch, shared by all instances. */
typedef struct Gathered {
    CrossPairs *cross;
    Kernel *kernel;
    pthread_mutex_t lock; /* guards what follows */
    CoreSummary *rows;    /* of all cores so far */
    size_t count;
    size_t capacity;
} Gathered;

/* A launch in an instance, while cores of it are open there. */
typedef struct Drawing {
    SimLaunch *launch;
    TimelineShared shared;
    uint32_t cores; /* open ones */
    struct Drawing *next;
} Drawing;

typedef struct Core {
    CoreTimeline *timeline;
    Drawing *drawing;
} Core;

/* An instance: the cores whose partitions it receives. */
typedef struct Timeline {
    OpprofStage *stage;
    const OpprofParams *params;
    SimLaunches *launches; /* of all instances */
    Drawing *drawings;
    SimCores cores; /* each owns a Core */
} Timeline;

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    return OpprofInstanceCreate(stage, sizeof(Timeline), ret_self, error);
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    Timeline *self = context;

    (void) error;
    self->params = params;
    return OPPROF_OK;
}

/* ---- launches ---- */

static void close_launch(void *own)
{
    Gathered *gathered = own;

    CrossPairsDestroy(gathered->cross);
    KernelDestroy(gathered->kernel);
    pthread_mutex_destroy(&gathered->lock);
    free(gathered->rows);
    free(gathered);
}

static void *open_launch(void *context, const SimLaunch *launch)
{
    const Timeline *self = context;
    Gathered *gathered = calloc(1, sizeof *gathered);

    if (gathered == NULL) {
        return NULL;
    }
    pthread_mutex_init(&gathered->lock, NULL);
    gathered->cross = CrossPairsCreate();
    gathered->kernel = KernelCreate(self->stage, &(KernelOptions){ .params = self->params,
                                                                   .lacking = "Call stacks",
                                                                   .folder = launch->folder });
    if (gathered->cross == NULL || gathered->kernel == NULL) {
        close_launch(gathered);
        return NULL;
    }
    return gathered;
}

static OpprofStatus start(void *context, OpprofError **error)
{
    static const SimLaunchOps ops = { .open = open_launch, .close = close_launch };
    Timeline *self = context;

    if (OpprofStageInstance(self->stage, NULL) == 0) {
        OpprofStageSetShared(self->stage, SimLaunchesCreate(self->stage, &ops, self));
    }
    self->launches = OpprofStageShared(self->stage);
    return self->launches == NULL ? OpprofErrorNoMemory(error, "start the timeline") : OPPROF_OK;
}

/* The document of all cores of a launch, interned; absent without memory. */
static uint32_t main_document(Timeline *self, const SimLaunch *launch, const Vocabulary *words)
{
    char *document = NULL;
    uint32_t name;

    if (launch->folder == OPPROF_NA_STRING) {
        return words->main_document;
    }
    if (asprintf(&document, "%s/trace", OpprofStageString(self->stage, launch->folder)) < 0) {
        return OPPROF_NA_STRING;
    }
    name = OpprofStageIntern(self->stage, document, strlen(document));
    free(document);
    return name;
}

static bool init_shared(Timeline *self, const SimLaunch *launch, TimelineShared *shared)
{
    const Gathered *gathered = launch->own;
    OpprofStage *stage = self->stage;
    uint32_t document;

    shared->stage = stage;
    shared->port = OUTPUT_SPANS;
    shared->mark_port = OUTPUT_MARKS;
    shared->miss_port = OUTPUT_MISSES;
    shared->cross = gathered->cross;
    shared->has_reader =
        OpprofStageHasReader(stage, OUTPUT_SPANS) || OpprofStageHasReader(stage, OUTPUT_MARKS) ||
        OpprofStageHasReader(stage, OUTPUT_MISSES) || OpprofStageHasReader(stage, OUTPUT_ARROWS);
    if (!VocabularyInit(&shared->words, stage)) {
        return false;
    }
    document = main_document(self, launch, &shared->words);
    SheetInit(&shared->main, stage, OUTPUT_SPANS, document);
    SheetInit(&shared->main_marks, stage, OUTPUT_MARKS, document);
    SheetInit(&shared->main_misses, stage, OUTPUT_MISSES, document);
    SheetInit(&shared->main_arrows, stage, OUTPUT_ARROWS, document);
    return document != OPPROF_NA_STRING;
}

/* The drawing of a launch, made at first use; NULL without memory. */
static Drawing *find_drawing(Timeline *self, SimLaunch *launch)
{
    Drawing *drawing = self->drawings;

    while (drawing != NULL && drawing->launch != launch) {
        drawing = drawing->next;
    }
    if (drawing != NULL) {
        return drawing;
    }
    drawing = calloc(1, sizeof *drawing);
    if (drawing == NULL || !init_shared(self, launch, &drawing->shared)) {
        free(drawing);
        return NULL;
    }
    drawing->launch = launch;
    drawing->next = self->drawings;
    self->drawings = drawing;
    return drawing;
}

static void drop_drawing(Timeline *self, Drawing *drawing)
{
    Drawing **place = &self->drawings;

    while (*place != drawing) {
        place = &(*place)->next;
    }
    *place = drawing->next;
    SheetFinish(&drawing->shared.main);
    SheetFinish(&drawing->shared.main_marks);
    SheetFinish(&drawing->shared.main_misses);
    SheetFinish(&drawing->shared.main_arrows);
    free(drawing);
}

/* ---- cores ---- */

static OpprofStatus check_name(const Timeline *self, uint32_t partition, OpprofError **error)
{
    const char *name = OpprofStageString(self->stage, partition);
    const char *slash = strrchr(name, '/');
    const size_t length = strlen(slash == NULL ? name : slash + 1);

    return length <= CORE_NAME_MAX
               ? OPPROF_OK
               : OpprofErrorSet(error, OPPROF_E_DATA,
                                "Cannot draw a core whose name has %zu bytes: the limit is %u",
                                length, CORE_NAME_MAX);
}

static void destroy_core(Core *core)
{
    if (core != NULL) {
        CoreTimelineDestroy(core->timeline);
        free(core);
    }
}

/* NULL without memory. */
static SimCore *open_core(Timeline *self, uint32_t partition)
{
    SimLaunch *launch = SimLaunchesFind(self->launches, partition);
    Drawing *drawing = launch == NULL ? NULL : find_drawing(self, launch);
    TimelineShared *shared = drawing == NULL ? NULL : &drawing->shared;
    Core *core = shared == NULL ? NULL : calloc(1, sizeof *core);
    SimCore *added = NULL;

    if (core == NULL ||
        (shared->has_reader && !KernelLines(((Gathered *) launch->own)->kernel, &shared->source))) {
        free(core);
        return NULL;
    }
    core->drawing = drawing;
    core->timeline = CoreTimelineCreate(shared, partition);
    if (core->timeline != NULL) {
        added = SimCoresAdd(&self->cores, partition, core);
    }
    if (added == NULL) {
        destroy_core(core);
        return NULL;
    }
    drawing->cores++;
    return added;
}

/* The core of a partition, made at first use. */
static OpprofStatus find_core(Timeline *self, uint32_t partition, SimCore **ret_core,
                              OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    *ret_core = SimCoresFind(&self->cores, partition);
    if (*ret_core == NULL) {
        status = check_name(self, partition, error);
    }
    if (*ret_core == NULL && status == OPPROF_OK) {
        *ret_core = open_core(self, partition);
        if (*ret_core == NULL) {
            status = OpprofErrorNoMemory(error, "add core '%s'",
                                         OpprofStageString(self->stage, partition));
        }
    }
    return status;
}

static OpprofStatus draw_failed(const Timeline *self, uint32_t partition, OpprofStatus status,
                                OpprofError **error)
{
    return OpprofErrorExplain(error, status, "Cannot draw the timeline of core '%s'",
                              OpprofStageString(self->stage, partition));
}

static OpprofStatus take(SimCore *core, uint32_t port, const OpprofBatch *batch)
{
    static const unsigned kinds[] = { [INPUT_INSTRUCTIONS] = SIM_INSTRUCTIONS,
                                      [INPUT_MARKS] = SIM_MARKS,
                                      [INPUT_CACHE_MISSES] = SIM_MISSES,
                                      [INPUT_ENDS] = SIM_KINDS };
    CoreTimeline *timeline = ((Core *) core->own)->timeline;

    SimCoreSee(core, kinds[port], batch);
    switch (port) {
    case INPUT_INSTRUCTIONS:
        return CoreTimelineInstructions(timeline, batch);
    case INPUT_MARKS:
        return CoreTimelineMarks(timeline, batch);
    case INPUT_CACHE_MISSES:
        return CoreTimelineCacheMisses(timeline, batch);
    default:
        return OPPROF_OK;
    }
}

/* ---- results ---- */

/* Microseconds with two decimals, rounded half up. */
static double to_us(const Timeline *self, uint32_t clock, uint64_t ticks)
{
    const OpprofClock *info = OpprofStageClockInfo(self->stage, clock);
    const uint64_t hz = info == NULL ? UINT64_C(1000000000) : info->hz;
    const unsigned __int128 hundredths = ((unsigned __int128) ticks * 100000000 + hz / 2) / hz;

    return (double) hundredths / 100.0;
}

static void warn_about(const Timeline *self, const CoreTimeline *core, const CoreTimes *times)
{
    OpprofStage *stage = self->stage;
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

/* Adds the core's row, for the instance that ends the launch. */
static OpprofStatus add_summary(const Timeline *self, const SimLaunch *launch,
                                const CoreTimeline *core)
{
    Gathered *gathered = launch->own;
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
            .core = SimCoreName(self->stage, CoreTimelineName(core)),
            .place = launch->place,
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
static OpprofStatus push_summary(Timeline *self, const SimLaunch *launch)
{
    const bool has_folder = launch->folder != OPPROF_NA_STRING;
    const uint32_t port = has_folder ? OUTPUT_LAUNCH_SUMMARY : OUTPUT_SUMMARY;
    const Gathered *gathered = launch->own;
    OpprofStatus status = OPPROF_OK;

    if (gathered->count > 0) {
        qsort_r(gathered->rows, gathered->count, sizeof *gathered->rows, compare_summaries,
                self->stage);
    }
    for (size_t i = 0; status == OPPROF_OK && i < gathered->count; i++) {
        status = OpprofStageAppend(self->stage, port, launch->folder, &gathered->rows[i]);
    }
    return status == OPPROF_OK && has_folder ? OpprofStagePushOpen(self->stage, port, UINT64_MAX)
                                             : status;
}

static OpprofStatus push_sheets(TimelineShared *shared)
{
    OpprofStatus status = SheetPush(&shared->main);

    if (status == OPPROF_OK) {
        status = SheetPush(&shared->main_marks);
    }
    if (status == OPPROF_OK) {
        status = SheetPush(&shared->main_misses);
    }
    return status == OPPROF_OK ? SheetPush(&shared->main_arrows) : status;
}

/* After the last rows of all cores: draws the arrows between cores that were
 * uncertain until then. */
static OpprofStatus push_arrows(TimelineShared *shared)
{
    CrossPairs *cross = shared->cross;
    OpprofStatus status = CrossPairsEnd(cross);
    CrossLine *line;

    for (size_t i = 0; status == OPPROF_OK && (line = CrossPairsLine(cross, i)) != NULL; i++) {
        status = DrawCrossArrows(shared, line);
    }
    if (CrossPairsForgotten(cross) > 0) {
        OpprofStageIncomplete(shared->stage,
                              "%llu %s forgotten without partner: arrows are missing",
                              (unsigned long long) CrossPairsForgotten(cross),
                              OPPROF_PLURAL(CrossPairsForgotten(cross), "flag between cores was",
                                            "flags between cores were"));
    }
    return status == OPPROF_OK ? SheetPush(&shared->main_arrows) : status;
}

/* All cores of a launch are drawn, and it has no drawing in other instances. */
static OpprofStatus end_launch(Timeline *self, SimLaunch *launch, OpprofError **error)
{
    Drawing *drawing = find_drawing(self, launch);
    OpprofStatus status = drawing == NULL ? OpprofErrorNoMemory(error, "end a launch")
                                          : push_arrows(&drawing->shared);

    if (status == OPPROF_OK) {
        status = push_summary(self, launch);
    }
    if (drawing != NULL) {
        drop_drawing(self, drawing);
    }
    SimLaunchesClose(self->launches, launch);
    return status;
}

static OpprofStatus draw_rest(Timeline *self, const Core *core, OpprofError **error)
{
    OpprofStatus status = CoreTimelineFlush(core->timeline);

    if (status == OPPROF_OK) {
        status = add_summary(self, core->drawing->launch, core->timeline);
    }
    return draw_failed(self, CoreTimelineName(core->timeline), status, error);
}

/* The core, if all of it has arrived. */
static OpprofStatus end_core(Timeline *self, const SimCore *ended, OpprofError **error)
{
    const unsigned kinds =
        1u << SIM_INSTRUCTIONS |
        (OpprofStageHasWriter(self->stage, INPUT_MARKS) ? 1u << SIM_MARKS : 0) |
        (OpprofStageHasWriter(self->stage, INPUT_CACHE_MISSES) ? 1u << SIM_MISSES : 0);

    if (!SimCoreIsWhole(ended, kinds)) {
        return OPPROF_OK;
    }
    const uint32_t cores = ended->end.cores;
    Core *core = SimCoresTake(&self->cores, ended).own;
    Drawing *drawing = core->drawing;
    SimLaunch *launch = drawing->launch;
    OpprofStatus status = draw_rest(self, core, error);

    destroy_core(core);
    drawing->cores--;
    if (status == OPPROF_OK && drawing->cores == 0) {
        status = push_sheets(&drawing->shared);
    }
    if (drawing->cores == 0) { /* before others may close the launch */
        drop_drawing(self, drawing);
    }
    const bool is_last = SimLaunchesEndCore(self->launches, launch, cores);
    return status == OPPROF_OK && is_last ? end_launch(self, launch, error) : status;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Timeline *self = context;
    SimCore *core;
    OpprofStatus status = find_core(self, batch->partition, &core, error);

    if (status != OPPROF_OK) {
        return status;
    }
    status = take(core, port, batch);
    return status == OPPROF_OK ? end_core(self, core, error)
                               : draw_failed(self, batch->partition, status, error);
}

/* The launches that have not ended by themselves. */
static OpprofStatus end_launches(Timeline *self, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    while (status == OPPROF_OK && self->launches->list != NULL) {
        status = end_launch(self, self->launches->list, error);
    }
    return status;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Timeline *self = context;
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < self->cores.count; i++) {
        status = draw_rest(self, self->cores.list[i].own, error);
    }
    if (status == OPPROF_OK) {
        OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Drew cores: %" PRIu32,
                  self->cores.count);
    }
    for (Drawing *drawing = self->drawings; status == OPPROF_OK && drawing != NULL;
         drawing = drawing->next) {
        status = push_sheets(&drawing->shared);
    }
    return status == OPPROF_OK && SimLaunchesEndInstance(self->launches) ? end_launches(self, error)
                                                                         : status;
}

static void drop_cores(Timeline *self)
{
    for (uint32_t i = 0; i < self->cores.count; i++) {
        destroy_core(self->cores.list[i].own);
    }
    SimCoresFinish(&self->cores);
    while (self->drawings != NULL) {
        drop_drawing(self, self->drawings);
    }
}

static OpprofStatus stop(void *context, OpprofError **error)
{
    Timeline *self = context;

    (void) error;
    if (OpprofStageInstance(self->stage, NULL) == 0) {
        SimLaunchesDestroy(self->launches);
        OpprofStageSetShared(self->stage, NULL);
    }
    return OPPROF_OK;
}

static void destroy(void *context)
{
    Timeline *self = context;

    drop_cores(self);
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
    [INPUT_ENDS] = { .name = "core-ends",
                     .type = "sim.core-end",
                     .record_type = &opprof_sim_core_end_type,
                     .flags = OPPROF_PORT_OPTIONAL,
                     .summary = "The end of each core, so that it need not be held." },
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
    [OUTPUT_LAUNCH_SUMMARY] = { .name = "launch-summary",
                                .record_type = &launch_summary_type,
                                .summary = "Duration and running time of each core, of launches "
                                           "with a folder." },
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
