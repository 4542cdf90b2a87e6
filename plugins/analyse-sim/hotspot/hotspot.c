/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hotspot: where a simulated kernel spends its time, by instruction and by source line, as tables
 * and as the blocks behind the viewer's source page.
 */
#include "analyse-sim/common/kernel.h"
#include "blocks.h"
#include "tables.h"

#include <opprof/records/block.h>
#include <opprof/plugin.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { INPUT_MARKS, INPUT_INSTRUCTIONS, INPUT_DETAILS };
enum { OUTPUT_CODE, OUTPUT_INSTRUCTIONS, OUTPUT_BLOCKS };

/* Cores of one instance or of all. */
typedef struct CoreList {
    CoreStats **cores;
    uint32_t count;
    uint32_t capacity;
} CoreList;

/* What all instances share. */
typedef struct Shared {
    OpprofSource *source; /* or NULL */
    pthread_mutex_t lock; /* guards what follows */
    bool has_opened;      /* the source, or found that there is none; not looked at before */
    CoreList cores;       /* of instances that have flushed */
    uint32_t flushed;
} Shared;

typedef struct Hotspot {
    OpprofStage *stage;
    const OpprofParams *params;
    Shared *shared;
    CoreList cores;
    CoreStats *latest; /* core of the last batch */
    uint32_t mark_pipe;
} Hotspot;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorSet(error, OPPROF_E_MEMORY, "Cannot sum up hot spots: out of memory");
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

/* ------------------------------------------------------------------ cores */

static bool add_core(CoreList *list, CoreStats *core)
{
    const uint32_t capacity = list->capacity == 0 ? 16 : list->capacity * 2;
    CoreStats **grown;

    if (list->count == list->capacity) {
        grown = reallocarray(list->cores, capacity, sizeof(CoreStats *));
        if (grown == NULL) {
            return false;
        }
        list->cores = grown;
        list->capacity = capacity;
    }
    list->cores[list->count++] = core;
    return true;
}

static void destroy_cores(CoreList *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        CoreStatsDestroy(list->cores[i]);
    }
    free(list->cores);
    *list = (CoreList){ 0 };
}

static OpprofStatus open_source(Hotspot *self, Shared *shared, OpprofError **error);

/* A kernel that is there when its instructions are: the first instance that needs it opens it. */
static bool open_late(Hotspot *self)
{
    OpprofError *error = NULL;
    OpprofStatus status = OPPROF_OK;

    pthread_mutex_lock(&self->shared->lock);
    if (!self->shared->has_opened) {
        status = open_source(self, self->shared, &error);
    }
    pthread_mutex_unlock(&self->shared->lock);
    OpprofErrorDestroy(error);
    return status == OPPROF_OK;
}

/* Makes the core of a partition the latest one. */
static bool find_core(Hotspot *self, uint32_t name)
{
    CoreStats *core;

    if (self->latest != NULL && self->latest->core == name) {
        return true;
    }
    for (uint32_t i = 0; i < self->cores.count; i++) {
        if (self->cores.cores[i]->core == name) {
            self->latest = self->cores.cores[i];
            return true;
        }
    }
    if (!open_late(self)) {
        return false;
    }
    core = CoreStatsCreate(name, self->mark_pipe, self->shared->source);
    if (core == NULL || !add_core(&self->cores, core)) {
        CoreStatsDestroy(core);
        return false;
    }
    self->latest = core;
    return true;
}

/* ------------------------------------------------------------------ life */

/* Without its lines a kernel's instructions are worth a look all the same, so this ends nothing. */
static void tell_no_lines(OpprofStage *stage, OpprofError *error)
{
    char *text = OpprofErrorText(error, false);

    OpprofStageIncomplete(stage, "Source lines are missing: %s",
                          text == NULL ? "out of memory" : text);
    free(text);
    OpprofErrorDestroy(error);
}

static OpprofStatus open_source(Hotspot *self, Shared *shared, OpprofError **error)
{
    OpprofError *why = NULL;
    const OpprofStatus status = KernelOpen(self->stage, self->params, &shared->source, &why);

    shared->has_opened = true;

    if (status == OPPROF_E_MEMORY) {
        OpprofErrorDestroy(why);
        return no_memory(error);
    }
    if (status != OPPROF_OK && status != OPPROF_E_NOT_FOUND) {
        tell_no_lines(self->stage, why);
    }
    if (status == OPPROF_OK && !OpprofSourceHasLines(shared->source)) {
        OpprofStageWarn(
            self->stage,
            "Kernel '%s' has no debug information, so source lines are missing; compile it "
            "with -g",
            OpprofSourcePath(shared->source));
    }
    return OPPROF_OK;
}

static void destroy_shared(Shared *shared)
{
    if (shared != NULL) {
        destroy_cores(&shared->cores);
        OpprofSourceClose(shared->source);
        pthread_mutex_destroy(&shared->lock);
        free(shared);
    }
}

static OpprofStatus make_shared(Hotspot *self, OpprofError **error)
{
    Shared *shared = calloc(1, sizeof *shared);
    OpprofStatus status;

    if (shared == NULL) {
        return no_memory(error);
    }
    pthread_mutex_init(&shared->lock, NULL);
    status = KernelComesLate(self->params) ? OPPROF_OK : open_source(self, shared, error);
    if (status != OPPROF_OK) {
        destroy_shared(shared);
        return status;
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
    self->mark_pipe = OpprofStageIntern(self->stage, "USERMARK", strlen("USERMARK"));
    return status == OPPROF_OK && self->mark_pipe == OPPROF_NA_STRING ? no_memory(error) : status;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Hotspot *self = context;
    bool ok = find_core(self, batch->partition);

    if (ok && port == INPUT_INSTRUCTIONS) {
        ok = CoreStatsInstructions(self->latest, batch);
    } else if (ok && port == INPUT_MARKS) {
        ok = CoreStatsMarks(self->latest, batch);
    } else if (ok) {
        ok = CoreStatsDetails(self->latest, batch);
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
                              "Running times of %llu lines and instructions of core '%s' are NA: "
                              "their executions overtake each other too far",
                              (unsigned long long) rough,
                              OpprofStageString(self->stage, core->core));
    }
    status = TablesPushCode(self->stage, OUTPUT_CODE, core);
    return status == OPPROF_OK ? TablesPushInstructions(self->stage, OUTPUT_INSTRUCTIONS, core)
                               : status;
}

/* Hand the cores over; *ret_is_last tells that all instances have done so. */
static bool hand_over(Hotspot *self, bool *ret_is_last)
{
    Shared *shared = self->shared;
    uint32_t instances;
    bool ok = true;

    OpprofStageInstance(self->stage, &instances);
    pthread_mutex_lock(&shared->lock);
    while (ok && self->cores.count > 0) {
        ok = add_core(&shared->cores, self->cores.cores[self->cores.count - 1]);
        self->cores.count -= ok;
    }
    shared->flushed++;
    *ret_is_last = shared->flushed == instances;
    pthread_mutex_unlock(&shared->lock);
    return ok;
}

static int compare_cores(const void *a, const void *b, void *stage)
{
    const CoreStats *x = *(CoreStats *const *) a;
    const CoreStats *y = *(CoreStats *const *) b;

    return strcmp(OpprofStageString(stage, x->core), OpprofStageString(stage, y->core));
}

/* All cores are there. */
static OpprofStatus finish_all(Hotspot *self)
{
    Shared *shared = self->shared;
    const char *problem = shared->source == NULL ? NULL : OpprofSourceProblem(shared->source);

    if (problem != NULL) {
        OpprofStageIncomplete(self->stage, "Source lines may be missing: %s", problem);
    }
    if (shared->cores.count == 0 || !OpprofStageHasReader(self->stage, OUTPUT_BLOCKS)) {
        return OPPROF_OK;
    }
    qsort_r(shared->cores.cores, shared->cores.count, sizeof(CoreStats *), compare_cores,
            self->stage);
    return BlocksPush(self->stage, OUTPUT_BLOCKS, shared->cores.cores, shared->cores.count);
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Hotspot *self = context;
    OpprofStatus status = OPPROF_OK;
    bool is_last;

    for (uint32_t i = 0; status == OPPROF_OK && i < self->cores.count; i++) {
        status = flush_core(self, self->cores.cores[i]);
    }
    if (status == OPPROF_OK) {
        self->latest = NULL;
        status = hand_over(self, &is_last) ? OPPROF_OK : OPPROF_E_MEMORY;
        if (status == OPPROF_OK && is_last) {
            status = finish_all(self);
        }
    }
    return status == OPPROF_E_MEMORY ? no_memory(error) : status;
}

/* Instance 0 stops last. */
static OpprofStatus stop(void *context, OpprofError **error)
{
    Hotspot *self = context;

    (void) error;
    destroy_cores(&self->cores); /* they look at the source */
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

    destroy_cores(&self->cores);
    free(self);
}

static const OpprofPort inputs[] = {
    /* Marks first: they find their place among instructions that have not come yet. */
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
    [OUTPUT_BLOCKS] = { .name = "blocks",
                        .record_type = &opprof_block_type,
                        .summary = "Source texts, lines and instructions for the viewer." },
};

static const OpprofParam params[] = {
    { .name = "kernel",
      .type = OPPROF_PARAM_PATH,
      .summary = "ELF file of the kernel, for its source lines; aicore_binary.o in the dump "
                 "directory unless given." },
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
