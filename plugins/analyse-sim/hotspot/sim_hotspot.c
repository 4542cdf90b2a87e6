/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sim-hotspot: where a simulated kernel spends its time, by instruction and by source line, as
 * tables and as records of everything that a source page shows.
 * Tested by tests/plugins/analyse-sim/hotspot/test_hotspot.
 */
#include "analyse-sim/common/kernel.h"
#include "launch_bound.h"
#include "pipe_tables.h"
#include "hot_rows.h"
#include "tables.h"

#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/kit/launches.h>
#include <opprof/log.h>
#include <opprof/records/hotspot.h>
#include <opprof/records/subject.h>
#include <opprof/plugin.h>
#include <opprof/text.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { INPUT_MARKS, INPUT_INSTRUCTIONS, INPUT_DETAILS, INPUT_MISSES, INPUT_ENDS };
enum {
    OUTPUT_CODE,
    OUTPUT_INSTRUCTIONS,
    OUTPUT_ADDRESSES,
    OUTPUT_LINES,
    OUTPUT_WAITS,
    OUTPUT_PIPES,
    OUTPUT_BARRIERS,
    OUTPUT_OPERATIONS,
    OUTPUT_LAUNCH_CODE,
    OUTPUT_LAUNCH_INSTRUCTIONS,
    OUTPUT_LAUNCH_WAITS,
    OUTPUT_LAUNCHES,
    OUTPUT_KERNELS,
    OUTPUT_SUBJECT
};

static const OpprofRecordType launches_type = OPPROF_LAUNCH_TYPE("sim.launches");
static const OpprofRecordType kernels_type = OPPROF_KERNEL_TYPE("sim.kernels");

/* Facts about a launch, shared by all instances. */
typedef struct LaunchSpots {
    Kernel *kernel;
    pthread_mutex_t lock; /* guards what follows */
    LaunchBound bound;    /* by all cores so far */
    uint32_t cores;       /* so far */
    uint32_t chip;        /* interned */
} LaunchSpots;

/* Facts about the run, shared by all instances. */
typedef struct Shared {
    SimLaunches *launches;
    pthread_mutex_t lock;  /* guards what follows */
    OpprofLaunchList list; /* of launches that have ended */
    OpprofSubject *subjects;
    uint32_t subject_count;
    uint32_t subject_capacity;
} Shared;

/* Facts about a core. */
typedef struct Core {
    SimLaunch *launch;
    CoreStats *stats;
    CorePipes *pipes; /* NULL: nobody reads what they do */
    bool has_details; /* all of them */
} Core;

typedef struct Hotspot {
    OpprofStage *stage;
    const OpprofParams *params;
    Shared *shared;
    bool wants_pipes; /* somebody reads what they do */
    SimCores cores;   /* each owns a Core */
} Hotspot;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "sum up hot spots");
}

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    return OpprofInstanceCreate(stage, sizeof(Hotspot), ret_self, error);
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    Hotspot *self = context;

    (void) error;
    self->params = params;
    return OPPROF_OK;
}

/* ---- cores ---- */

static void destroy_core(Core *core)
{
    CoreStatsDestroy(core->stats);
    CorePipesDestroy(core->pipes);
    free(core);
}

/* NULL without memory. */
static Core *create_core(Hotspot *self, SimLaunch *launch, uint32_t partition)
{
    Core *core = calloc(1, sizeof *core);
    OpprofSource *source;

    if (core == NULL || !KernelLines(((LaunchSpots *) launch->own)->kernel, &source)) {
        free(core);
        return NULL;
    }
    core->launch = launch;
    core->stats = CoreStatsCreate(SimCoreName(self->stage, partition), OPPROF_NA_STRING, source);
    core->pipes = self->wants_pipes ? CorePipesCreate(self->stage) : NULL;
    if (core->stats == NULL || (self->wants_pipes && core->pipes == NULL)) {
        destroy_core(core);
        return NULL;
    }
    if (core->pipes != NULL) {
        core->pipes->looks_for_misses = OpprofStageHasWriter(self->stage, INPUT_MISSES);
    }
    core->stats->partition = partition;
    core->stats->folder = launch->folder;
    core->stats->place = launch->place;
    return core;
}

/* The core of a partition, made at first use; NULL without memory. */
static SimCore *find_core(Hotspot *self, uint32_t partition)
{
    SimCore *found = SimCoresFind(&self->cores, partition);
    SimLaunch *launch = found == NULL ? SimLaunchesFind(self->shared->launches, partition) : NULL;
    Core *core = launch == NULL ? NULL : create_core(self, launch, partition);

    if (core != NULL) {
        found = SimCoresAdd(&self->cores, partition, core);
        if (found == NULL) {
            destroy_core(core);
        }
    }
    return found;
}

static void destroy_cores(Hotspot *self)
{
    for (uint32_t i = 0; i < self->cores.count; i++) {
        destroy_core(self->cores.list[i].own);
    }
    SimCoresFinish(&self->cores);
}

/* ---- life ---- */

static void close_launch(void *own)
{
    LaunchSpots *spots = own;

    KernelDestroy(spots->kernel);
    pthread_mutex_destroy(&spots->lock);
    free(spots);
}

static void *open_launch(void *context, const SimLaunch *launch)
{
    const Hotspot *self = context;
    LaunchSpots *spots = calloc(1, sizeof *spots);

    if (spots == NULL) {
        return NULL;
    }
    pthread_mutex_init(&spots->lock, NULL);
    spots->kernel = KernelCreate(self->stage, &(KernelOptions){ .params = self->params,
                                                                .lacking = "Source lines",
                                                                .folder = launch->folder,
                                                                .needs_lines = true });
    if (spots->kernel == NULL) {
        close_launch(spots);
        return NULL;
    }
    return spots;
}

static void destroy_shared(Shared *shared)
{
    if (shared != NULL) {
        SimLaunchesDestroy(shared->launches);
        OpprofLaunchListFinish(&shared->list);
        free(shared->subjects);
        pthread_mutex_destroy(&shared->lock);
        free(shared);
    }
}

/* NULL without memory. */
static Shared *make_shared(Hotspot *self)
{
    static const SimLaunchOps ops = { .open = open_launch, .close = close_launch };
    Shared *shared = calloc(1, sizeof *shared);

    if (shared == NULL) {
        return NULL;
    }
    pthread_mutex_init(&shared->lock, NULL);
    shared->launches = SimLaunchesCreate(self->stage, &ops, self);
    if (shared->launches == NULL) {
        destroy_shared(shared);
        return NULL;
    }
    return shared;
}

static OpprofStatus start(void *context, OpprofError **error)
{
    Hotspot *self = context;

    if (OpprofStageInstance(self->stage, NULL) == 0) {
        OpprofStageSetShared(self->stage, make_shared(self));
    }
    self->shared = OpprofStageShared(self->stage);
    self->wants_pipes = OpprofStageHasReader(self->stage, OUTPUT_PIPES) ||
                        OpprofStageHasReader(self->stage, OUTPUT_BARRIERS) ||
                        OpprofStageHasReader(self->stage, OUTPUT_OPERATIONS) ||
                        OpprofStageHasReader(self->stage, OUTPUT_SUBJECT) ||
                        OpprofStageHasReader(self->stage, OUTPUT_LAUNCHES);
    return self->shared == NULL ? no_memory(error) : OPPROF_OK;
}

/* Marks count for the pipe that the chip's file assigns to them. */
static bool take_marks(const Hotspot *self, CoreStats *stats, const OpprofBatch *batch)
{
    const OpprofSimMark *first = batch->count == 0 ? NULL : OpprofBatchRecord(batch, 0);
    const InstructionFacts *words =
        InstructionFactsOf(first == NULL || first->chip == OPPROF_NA_STRING
                               ? NULL
                               : OpprofStageString(self->stage, first->chip));
    const char *pipe = InstructionFactsUserMark(words);

    CoreStatsSetMarkPipe(stats, OpprofStageIntern(self->stage, pipe, strlen(pipe)));
    return words != NULL && CoreStatsMarks(stats, batch);
}

static bool take(const Hotspot *self, SimCore *arriving, uint32_t port, const OpprofBatch *batch)
{
    static const unsigned kinds[] = { [INPUT_MARKS] = SIM_MARKS,
                                      [INPUT_INSTRUCTIONS] = SIM_INSTRUCTIONS,
                                      [INPUT_MISSES] = SIM_MISSES,
                                      [INPUT_ENDS] = SIM_KINDS };
    Core *core = arriving->own;

    if (port == INPUT_DETAILS) {
        core->has_details = batch->watermark == UINT64_MAX;
        return CoreStatsDetails(core->stats, batch);
    }
    SimCoreSee(arriving, kinds[port], batch);
    switch (port) {
    case INPUT_INSTRUCTIONS:
        return CoreStatsInstructions(core->stats, batch) &&
               (core->pipes == NULL || CorePipesInstructions(core->pipes, batch));
    case INPUT_MARKS:
        return take_marks(self, core->stats, batch);
    case INPUT_MISSES:
        return core->pipes == NULL || CorePipesMisses(core->pipes, batch);
    default:
        return true;
    }
}

static OpprofStatus flush_core(Hotspot *self, CoreStats *core)
{
    static const TablePorts code = { OUTPUT_CODE, OUTPUT_LAUNCH_CODE };
    static const TablePorts instructions = { OUTPUT_INSTRUCTIONS, OUTPUT_LAUNCH_INSTRUCTIONS };
    static const TablePorts waits = { OUTPUT_WAITS, OUTPUT_LAUNCH_WAITS };
    OpprofStatus status;
    uint64_t rough;

    if (!CoreStatsFinish(core)) {
        return OPPROF_E_MEMORY;
    }
    rough = CoreStatsRough(core);
    if (rough > 0) {
        OpprofStageIncomplete(self->stage,
                              "Running times of %llu %s of core '%s' are NA: "
                              "executions overtake each other too far",
                              (unsigned long long) rough,
                              OPPROF_PLURAL(rough, "line or instruction", "lines and instructions"),
                              OpprofStageString(self->stage, core->partition));
    }
    status = TablesPushCode(self->stage, &code, core);
    if (status == OPPROF_OK) {
        status = TablesPushInstructions(self->stage, &instructions, core);
    }
    if (status == OPPROF_OK && OpprofStageHasReader(self->stage, OUTPUT_ADDRESSES)) {
        status = HotRowsPushAddresses(self->stage, OUTPUT_ADDRESSES, core);
    }
    if (status == OPPROF_OK && OpprofStageHasReader(self->stage, OUTPUT_LINES)) {
        status = HotRowsPushLines(self->stage, OUTPUT_LINES, core);
    }
    return status == OPPROF_OK ? TablesPushWaits(self->stage, &waits, core) : status;
}

/* What its pipes did. */
static OpprofStatus flush_pipes(const Core *core)
{
    static const PipePorts ports = { OUTPUT_PIPES, OUTPUT_BARRIERS, OUTPUT_OPERATIONS };
    LaunchSpots *spots = core->launch->own;

    if (core->pipes == NULL) {
        return OPPROF_OK;
    }
    pthread_mutex_lock(&spots->lock);
    LaunchBoundConsider(&spots->bound, core->stats, core->pipes);
    spots->chip = core->stats->chip;
    spots->cores++;
    pthread_mutex_unlock(&spots->lock);
    return PipeTablesPush(core->pipes, core->stats, &ports);
}

/* Add a launch to the list, by what its last core said of it. */
static OpprofStatus list_launch(Hotspot *self, const LaunchBound *bound,
                                const OpprofSimCoreEnd *end)
{
    Shared *shared = self->shared;
    OpprofLaunchRow row = LaunchBoundRow(bound, self->stage);
    OpprofStatus status;

    row.kernel = end->kernel;
    row.device = end->device;
    row.order = end->order;
    pthread_mutex_lock(&shared->lock);
    status = OpprofLaunchListAdd(&shared->list, &row);
    pthread_mutex_unlock(&shared->lock);
    return status;
}

/* Interned name of the operator. `end`: NULL if none came; those of a dump have no name. */
static uint32_t name_of(const Hotspot *self, const LaunchSpots *spots, const OpprofSimCoreEnd *end)
{
    const bool is_named = end != NULL && end->kernel != OPPROF_NA_STRING;
    char *name = is_named ? NULL : KernelName(spots->kernel);
    const uint32_t id = is_named       ? end->kernel
                        : name == NULL ? OPPROF_NA_STRING
                                       : OpprofStageIntern(self->stage, name, strlen(name));

    free(name);
    return id;
}

/* Add what ran to the list. */
static OpprofStatus list_subject(const Hotspot *self, const SimLaunch *launch,
                                 const OpprofSimCoreEnd *end)
{
    Shared *shared = self->shared;
    static const char way[] = "simulated";
    const LaunchSpots *spots = launch->own;
    const uint64_t longest = spots->bound.longest;
    OpprofSubject row = { .device = launch->place.device,
                          .kernel = launch->place.kernel,
                          .order = launch->place.order,
                          .chip = spots->chip,
                          .blocks = OPPROF_NA_U32,
                          .cores = spots->cores,
                          .cycles = longest > 0 ? longest : OPPROF_NA_U64 };

    if (spots->cores == 0 || !OpprofStageHasReader(self->stage, OUTPUT_SUBJECT)) {
        return OPPROF_OK;
    }
    row.name = name_of(self, spots, end);
    row.way = OpprofStageIntern(self->stage, way, sizeof way - 1);
    pthread_mutex_lock(&shared->lock);
    const bool has_room = OpprofGrow32(&shared->subjects, &shared->subject_capacity,
                                       (size_t) shared->subject_count + 1, sizeof row);
    if (has_room) {
        shared->subjects[shared->subject_count++] = row;
    }
    pthread_mutex_unlock(&shared->lock);
    return has_room ? OPPROF_OK : OPPROF_E_MEMORY;
}

static int compare_parts(OpprofStage *stage, uint32_t a, uint32_t b)
{
    return strcmp(OpprofStageString(stage, a), OpprofStageString(stage, b));
}

/* Launches end in any order; their rows come by folder. */
static int compare_subjects(const void *a, const void *b, void *stage)
{
    const OpprofSubject *x = a;
    const OpprofSubject *y = b;
    int order = compare_parts(stage, x->device, y->device);

    order = order != 0 ? order : compare_parts(stage, x->kernel, y->kernel);
    return order != 0 ? order : compare_parts(stage, x->order, y->order);
}

static OpprofStatus push_subjects(Hotspot *self)
{
    const Shared *shared = self->shared;
    OpprofStatus status = OPPROF_OK;

    if (shared->subject_count > 0) {
        qsort_r(shared->subjects, shared->subject_count, sizeof *shared->subjects, compare_subjects,
                self->stage);
    }
    for (uint32_t i = 0; i < shared->subject_count && status == OPPROF_OK; i++) {
        status = OpprofStageAppend(self->stage, OUTPUT_SUBJECT, 0, &shared->subjects[i]);
    }
    return status;
}

/* A launch is done: no more of its addresses are looked up. `end`: NULL if none came. */
static OpprofStatus finish_launch(Hotspot *self, SimLaunch *launch, const OpprofSimCoreEnd *end)
{
    const LaunchSpots *spots = launch->own;
    const char *problem = KernelProblem(spots->kernel);
    OpprofStatus status = OPPROF_OK;

    if (problem != NULL) {
        OpprofStageIncomplete(self->stage, "Source lines may be missing: %s", problem);
    }
    status = list_subject(self, launch, end);
    if (status == OPPROF_OK && end != NULL) {
        status = list_launch(self, &spots->bound, end);
    }
    SimLaunchesClose(self->shared->launches, launch);
    return status;
}

/* Nothing more comes of a core: readers of its rows need not wait for the next one. */
static OpprofStatus push_rows(Hotspot *self)
{
    OpprofStatus status = OPPROF_OK;

    for (uint32_t port = 0; status == OPPROF_OK && port < OUTPUT_LAUNCHES; port++) {
        status = OpprofStagePushOpen(self->stage, port, UINT64_MAX);
    }
    return status;
}

/* All of the core has arrived: its results are pushed, and its memory is not needed any more. */
static OpprofStatus finish_core(Hotspot *self, Core *core)
{
    OpprofStatus status = flush_core(self, core->stats);

    if (status == OPPROF_OK) {
        status = flush_pipes(core);
    }
    destroy_core(core);
    return status;
}

/* The core, if all of it has arrived. */
static OpprofStatus end_core(Hotspot *self, const SimCore *ended)
{
    const bool has_marks = OpprofStageHasWriter(self->stage, INPUT_MARKS);
    const bool has_misses = OpprofStageHasWriter(self->stage, INPUT_MISSES);
    const unsigned kinds = 1u << SIM_INSTRUCTIONS | (has_marks ? 1u << SIM_MARKS : 0) |
                           (has_misses ? 1u << SIM_MISSES : 0);
    const bool has_details =
        ((Core *) ended->own)->has_details || !OpprofStageHasWriter(self->stage, INPUT_DETAILS);

    if (!has_details || !SimCoreIsWhole(ended, kinds)) {
        return OPPROF_OK;
    }
    const OpprofSimCoreEnd end = ended->end;
    Core *core = SimCoresTake(&self->cores, ended).own;
    SimLaunch *launch = core->launch;
    OpprofStatus status = finish_core(self, core);

    if (status == OPPROF_OK) {
        status = push_rows(self);
    }
    return status == OPPROF_OK && SimLaunchesEndCore(self->shared->launches, launch, end.cores)
               ? finish_launch(self, launch, &end)
               : status;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Hotspot *self = context;
    SimCore *core = find_core(self, batch->partition);
    const OpprofStatus status =
        core != NULL && take(self, core, port, batch) ? end_core(self, core) : OPPROF_E_MEMORY;

    return status == OPPROF_E_MEMORY ? no_memory(error) : status;
}

/* The last instance: launches that have not ended by themselves, and the list of the others. */
static OpprofStatus finish_run(Hotspot *self)
{
    Shared *shared = self->shared;
    OpprofStatus status = OPPROF_OK;

    while (status == OPPROF_OK && shared->launches->list != NULL) {
        status = finish_launch(self, shared->launches->list, NULL);
    }
    if (status == OPPROF_OK) {
        status = push_subjects(self);
    }
    return status == OPPROF_OK
               ? OpprofLaunchListPush(&shared->list, self->stage, OUTPUT_LAUNCHES, OUTPUT_KERNELS)
               : status;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Hotspot *self = context;
    OpprofStatus status = OPPROF_OK;

    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Adds up instructions: cores=%" PRIu32,
              self->cores.count);
    while (status == OPPROF_OK && self->cores.count > 0) {
        status = finish_core(
            self, SimCoresTake(&self->cores, &self->cores.list[self->cores.count - 1]).own);
    }
    if (status == OPPROF_OK && SimLaunchesEndInstance(self->shared->launches)) {
        status = finish_run(self);
    }
    return status == OPPROF_E_MEMORY ? no_memory(error) : status;
}

/* Instance 0 stops last. */
static OpprofStatus stop(void *context, OpprofError **error)
{
    Hotspot *self = context;

    (void) error;
    destroy_cores(self); /* they read the source */
    if (OpprofStageInstance(self->stage, NULL) == 0) {
        destroy_shared(self->shared);
        OpprofStageSetShared(self->stage, NULL);
    }
    self->shared = NULL;
    return OPPROF_OK;
}

static void destroy(void *context)
{
    Hotspot *self = context;

    destroy_cores(self);
    free(self);
}

static const OpprofPort inputs[] = {
    /* Marks first: they find their place among later instructions. */
    [INPUT_MARKS] = { .name = "marks",
                      .type = "sim.mark",
                      .record_type = &opprof_sim_mark_type,
                      .flags = OPPROF_PORT_OPTIONAL,
                      .summary = "User ranges." },
    [INPUT_INSTRUCTIONS] = { .name = "instructions",
                             .type = "sim.instruction",
                             .record_type = &opprof_sim_instruction_type,
                             .order = OPPROF_ORDER_END,
                             .summary = "Executed instructions, by end and address." },
    [INPUT_DETAILS] = { .name = "pc-details",
                        .type = "sim.pc-details",
                        .record_type = &opprof_sim_pc_details_type,
                        .flags = OPPROF_PORT_OPTIONAL,
                        .summary = "Registers, bytes and conflicts of addresses." },
    [INPUT_MISSES] = { .name = "icache-misses",
                       .type = "sim.icache-miss",
                       .record_type = &opprof_sim_icache_miss_type,
                       .flags = OPPROF_PORT_OPTIONAL,
                       .summary = "Misses of the instruction cache." },
    [INPUT_ENDS] = { .name = "core-ends",
                     .type = "sim.core-end",
                     .record_type = &opprof_sim_core_end_type,
                     .flags = OPPROF_PORT_OPTIONAL,
                     .summary = "The end of each core, so that it need not be held." },
};

static const OpprofPort outputs[] = {
    [OUTPUT_CODE] = { .name = "code",
                      .record_type = &hotspot_code_types[TABLE_PLAIN],
                      .summary = "Source lines of each core, most cycles first." },
    [OUTPUT_INSTRUCTIONS] = { .name = "instructions",
                              .record_type = &hotspot_instr_types[TABLE_PLAIN],
                              .summary = "Addresses of each core, most cycles first." },
    [OUTPUT_ADDRESSES] = { .name = "addresses",
                           .record_type = &opprof_hot_address_type,
                           .summary =
                               "Addresses of each core, with all that is known about them." },
    [OUTPUT_LINES] = { .name = "lines",
                       .record_type = &opprof_hot_line_type,
                       .summary = "Addresses of the source lines of each core." },
    [OUTPUT_WAITS] = { .name = "waits",
                       .record_type = &hotspot_wait_types[TABLE_PLAIN],
                       .summary = "Waits of pipes for flags, by address." },
    [OUTPUT_PIPES] = { .name = "pipes",
                       .record_type = &hotspot_pipe_type,
                       .summary = "How long pipes worked and waited." },
    [OUTPUT_BARRIERS] = { .name = "barriers",
                          .record_type = &hotspot_barrier_type,
                          .summary = "Barriers that kept work waiting, by address." },
    [OUTPUT_OPERATIONS] = { .name = "operations",
                            .record_type = &hotspot_operation_type,
                            .summary = "What moves and vector instructions did, by address." },
    [OUTPUT_LAUNCH_CODE] = { .name = "launch-code",
                             .record_type = &hotspot_code_types[TABLE_WITH_PLACE],
                             .summary = "Source lines, of launches with a folder." },
    [OUTPUT_LAUNCH_INSTRUCTIONS] = { .name = "launch-instructions",
                                     .record_type = &hotspot_instr_types[TABLE_WITH_PLACE],
                                     .summary = "Addresses, of launches with a folder." },
    [OUTPUT_LAUNCH_WAITS] = { .name = "launch-waits",
                              .record_type = &hotspot_wait_types[TABLE_WITH_PLACE],
                              .summary = "Waits, of launches with a folder." },
    [OUTPUT_LAUNCHES] = { .name = "launches",
                          .record_type = &launches_type,
                          .summary =
                              "All launches, longest first; none in a run with a single launch." },
    [OUTPUT_KERNELS] = { .name = "kernels",
                         .record_type = &kernels_type,
                         .summary = "Time of the launches of each kernel." },
    [OUTPUT_SUBJECT] = { .name = "subject",
                         .record_type = &opprof_subject_type,
                         .summary = "What ran: each launch, its chip and its cores." },
};

static const OpprofParam params[] = { KERNEL_PARAMS("for its source lines") };

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

OPPROF_PLUGIN_DEFINE(.name = "sim-hotspot", .version = "1.0", .license = "Apache-2.0",
                     .summary = "Sums up simulated instructions by address and by source line.",
                     .help = "Lines come from the DWARF of the kernel's ELF file, with inlined "
                             "calls: an instruction counts for its own line and for the lines it "
                             "was inlined into. Lines of the toolkit (paths with ascend-toolkit) "
                             "do not count.",
                     .kind = OPPROF_ANALYSIS, .flags = OPPROF_PLUGIN_PARTITIONED, .inputs = inputs,
                     .input_count = OPPROF_COUNT(inputs), .outputs = outputs,
                     .output_count = OPPROF_COUNT(outputs), .params = params,
                     .param_count = OPPROF_COUNT(params), .ops = &ops);
