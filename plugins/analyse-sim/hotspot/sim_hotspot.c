/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sim-hotspot: where a simulated kernel spends its time, by instruction and by source line, as
 * tables and as records of everything that a source page shows.
 * Tested by tests/plugins/analyse-sim/hotspot/test_hotspot.
 */
#include "advice.h"
#include "analyse-sim/common/kernel.h"
#include "spots.h"
#include "tables.h"

#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/log.h>
#include <opprof/records/hotspot.h>
#include <opprof/plugin.h>
#include <opprof/text.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { INPUT_MARKS, INPUT_INSTRUCTIONS, INPUT_DETAILS };
enum {
    OUTPUT_CODE,
    OUTPUT_INSTRUCTIONS,
    OUTPUT_ADDRESSES,
    OUTPUT_LINES,
    OUTPUT_WAITS,
    OUTPUT_ADVICE
};

/* Shared by all instances. */
typedef struct Shared {
    Kernel *kernel;
    pthread_mutex_t lock; /* guards what follows */
    uint32_t flushed;     /* instances */
    PipeFinding finding;  /* of all cores so far */
} Shared;

/* Facts about a core. */
typedef struct Core {
    CoreStats *stats;
    CorePipes *pipes; /* NULL: no advice is wanted */
} Core;

typedef struct Hotspot {
    OpprofStage *stage;
    const OpprofParams *params;
    Shared *shared;
    Core *cores;
    uint32_t core_count;
    uint32_t core_capacity;
    Core *latest; /* core of the last batch */
} Hotspot;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "sum up hot spots");
}

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Hotspot *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return no_memory(error);
    }
    self->stage = stage;
    *ret_self = self;
    return OPPROF_OK;
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
}

static bool add_core(Hotspot *self, uint32_t name)
{
    const bool has_reader = OpprofStageHasReader(self->stage, OUTPUT_ADVICE);
    OpprofSource *source;
    Core core;

    if (!KernelLines(self->shared->kernel, &source) ||
        !OpprofGrow32(&self->cores, &self->core_capacity, self->core_count + 1u,
                      sizeof *self->cores)) {
        return false;
    }
    core = (Core){ .stats = CoreStatsCreate(name, OPPROF_NA_STRING, source),
                   .pipes = has_reader ? CorePipesCreate(self->stage) : NULL };
    if (core.stats == NULL || (has_reader && core.pipes == NULL)) {
        destroy_core(&core);
        return false;
    }
    self->latest = &self->cores[self->core_count++];
    *self->latest = core;
    return true;
}

static void destroy_cores(Hotspot *self)
{
    for (uint32_t i = 0; i < self->core_count; i++) {
        destroy_core(&self->cores[i]);
    }
    free(self->cores);
    self->cores = NULL;
    self->core_count = self->core_capacity = 0;
}

/* Makes the core of a partition the latest one. */
static bool find_core(Hotspot *self, uint32_t name)
{
    if (self->latest != NULL && self->latest->stats->core == name) {
        return true;
    }
    for (uint32_t i = 0; i < self->core_count; i++) {
        if (self->cores[i].stats->core == name) {
            self->latest = &self->cores[i];
            return true;
        }
    }
    return add_core(self, name);
}

/* ---- life ---- */

static void destroy_shared(Shared *shared)
{
    if (shared != NULL) {
        KernelDestroy(shared->kernel);
        pthread_mutex_destroy(&shared->lock);
        free(shared);
    }
}

static OpprofStatus make_shared(Hotspot *self, OpprofError **error)
{
    Shared *shared = calloc(1, sizeof *shared);

    if (shared == NULL) {
        return no_memory(error);
    }
    pthread_mutex_init(&shared->lock, NULL);
    shared->kernel = KernelCreate(self->stage, self->params, "Source lines", true);
    if (shared->kernel == NULL) {
        destroy_shared(shared);
        return no_memory(error);
    }
    OpprofStageSetShared(self->stage, shared);
    return OPPROF_OK;
}

static OpprofStatus start(void *context, OpprofError **error)
{
    Hotspot *self = context;
    OpprofStatus status =
        OpprofStageInstance(self->stage, NULL) == 0 ? make_shared(self, error) : OPPROF_OK;

    self->shared = OpprofStageShared(self->stage);
    return status;
}

/* Marks count for the pipe that the chip's file assigns to them. */
static bool take_marks(Hotspot *self, const OpprofBatch *batch)
{
    const OpprofSimMark *first = batch->count == 0 ? NULL : OpprofBatchRecord(batch, 0);
    const ChipWords *words = ChipWordsOf(first == NULL || first->chip == OPPROF_NA_STRING
                                             ? NULL
                                             : OpprofStageString(self->stage, first->chip));
    const char *pipe = ChipWordsUserMark(words);

    CoreStatsSetMarkPipe(self->latest->stats, OpprofStageIntern(self->stage, pipe, strlen(pipe)));
    return words != NULL && CoreStatsMarks(self->latest->stats, batch);
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Hotspot *self = context;
    bool ok = find_core(self, batch->partition);

    if (ok && port == INPUT_INSTRUCTIONS) {
        ok = CoreStatsInstructions(self->latest->stats, batch) &&
             (self->latest->pipes == NULL || CorePipesInstructions(self->latest->pipes, batch));
    } else if (ok && port == INPUT_MARKS) {
        ok = take_marks(self, batch);
    } else if (ok) {
        ok = CoreStatsDetails(self->latest->stats, batch);
    }
    return ok ? OPPROF_OK : no_memory(error);
}

static OpprofStatus flush_core(Hotspot *self, CoreStats *core)
{
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
                              OpprofStageString(self->stage, core->core));
    }
    status = TablesPushCode(self->stage, OUTPUT_CODE, core);
    if (status == OPPROF_OK) {
        status = TablesPushInstructions(self->stage, OUTPUT_INSTRUCTIONS, core);
    }
    if (status == OPPROF_OK && OpprofStageHasReader(self->stage, OUTPUT_ADDRESSES)) {
        status = SpotsPushAddresses(self->stage, OUTPUT_ADDRESSES, core);
    }
    if (status == OPPROF_OK && OpprofStageHasReader(self->stage, OUTPUT_LINES)) {
        status = SpotsPushLines(self->stage, OUTPUT_LINES, core);
    }
    return status == OPPROF_OK ? TablesPushWaits(self->stage, OUTPUT_WAITS, core) : status;
}

/* Keep the advice of its pipes if it is worth more than the present one. */
static OpprofStatus consider_core(Hotspot *self, const Core *core)
{
    Shared *shared = self->shared;
    bool ok = true;

    if (core->pipes != NULL) {
        pthread_mutex_lock(&shared->lock);
        ok = PipeFindingConsider(&shared->finding, core->stats, core->pipes);
        pthread_mutex_unlock(&shared->lock);
    }
    return ok ? OPPROF_OK : OPPROF_E_MEMORY;
}

/* Reports for all instances, once no more addresses are looked up. */
static OpprofStatus finish(Hotspot *self)
{
    Shared *shared = self->shared;
    uint32_t instances;
    bool is_last;

    OpprofStageInstance(self->stage, &instances);
    pthread_mutex_lock(&shared->lock);
    is_last = ++shared->flushed == instances;
    pthread_mutex_unlock(&shared->lock);
    const char *problem = is_last ? KernelProblem(shared->kernel) : NULL;
    if (problem != NULL) {
        OpprofStageIncomplete(self->stage, "Source lines may be missing: %s", problem);
    }
    return is_last ? PipeFindingAdvise(&shared->finding, self->stage, OUTPUT_ADVICE) : OPPROF_OK;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Hotspot *self = context;
    OpprofStatus status = OPPROF_OK;

    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Adds up instructions: cores=%" PRIu32,
              self->core_count);
    self->latest = NULL;
    while (status == OPPROF_OK && self->core_count > 0) {
        Core *core = &self->cores[--self->core_count];

        status = flush_core(self, core->stats);
        if (status == OPPROF_OK) {
            status = consider_core(self, core);
        }
        destroy_core(core); /* the finding is pushed, and its memory is not needed any more */
    }
    if (status == OPPROF_OK) {
        status = finish(self);
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
};

static const OpprofPort outputs[] = {
    [OUTPUT_CODE] = { .name = "code",
                      .record_type = &hotspot_code_type,
                      .summary = "Source lines of each core, most cycles first." },
    [OUTPUT_INSTRUCTIONS] = { .name = "instructions",
                              .record_type = &hotspot_instr_type,
                              .summary = "Addresses of each core, most cycles first." },
    [OUTPUT_ADDRESSES] = { .name = "addresses",
                           .record_type = &opprof_hot_address_type,
                           .summary =
                               "Addresses of each core, with all that is known about them." },
    [OUTPUT_LINES] = { .name = "lines",
                       .record_type = &opprof_hot_line_type,
                       .summary = "Addresses of the source lines of each core." },
    [OUTPUT_WAITS] = { .name = "waits",
                       .record_type = &hotspot_wait_type,
                       .summary = "Waits of pipes for flags, by address." },
    [OUTPUT_ADVICE] = { .name = "advice",
                        .record_type = &opprof_advice_type,
                        .summary = "What bounds the core whose busiest pipe works longest." },
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
