/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collect-sim: brings in the dump directory of a camodel simulation. Descriptor, parameters, life.
 */
#include "job.h"
#include "lacks.h"
#include <ctype.h>
#include <opprof/records/sim.h>
#include <stdlib.h>

#define MOST_CORE_ID 49u

#define CONFLICTS "ResourceConflictRatio"
#define SAMPLING "PMSampling"
#define OVERHEAD "Overhead"

typedef struct Collector {
    Job job; /* job.work is shared by all instances */
    const OpprofParams *params;
    uint64_t core_ids; /* a bit per wanted id; 0: all */
    bool owns_work;
} Collector;

static OpprofStatus collector_create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Collector *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return OpprofErrorSet(error, OPPROF_E_MEMORY, "No memory for a collector");
    }
    self->job.stage = stage;
    *ret_self = self;
    return OPPROF_OK;
}

/* ---- parameters ---- */

static OpprofStatus wrong_core_id(const char *text, OpprofError **error)
{
    OpprofErrorSet(error, OPPROF_E_ARGUMENT, "Parameter core_id: '%s' is no number from 0 to %u",
                   text, MOST_CORE_ID);
    OpprofErrorHint(error, "for example core_id=0,2 or core_id=0|2");
    return OPPROF_E_ARGUMENT;
}

/* One element of the list may hold several ids with '|' between them. */
static OpprofStatus read_core_ids(Collector *self, const char *text, OpprofError **error)
{
    const char *at = text;

    for (;;) {
        char *end;
        const unsigned long id = strtoul(at, &end, 10);

        if (!isdigit((unsigned char) *at) || id > MOST_CORE_ID || (*end != '\0' && *end != '|')) {
            return wrong_core_id(text, error);
        }
        self->core_ids |= UINT64_C(1) << id;
        if (*end == '\0') {
            return OPPROF_OK;
        }
        at = end + 1;
    }
}

static const char *chip_name(const OpprofParams *params)
{
    const char *chip = OpprofParamsString(params, "chip");

    return chip == NULL || strcmp(chip, "auto") == 0 ? NULL : chip;
}

/* The chip's simulator has each metric that is asked for; all have PipeUtilization. */
static OpprofStatus check_metrics(const OpprofParams *params, const SimFacts *facts, OpprofError **error)
{
    const OpprofFact *known = OpprofChipFact(facts->chip, "simulator.metrics");

    for (size_t i = 0; i < OpprofParamsCount(params, "metrics"); i++) {
        const char *metric = OpprofParamsElement(params, "metrics", i);
        bool is_known = strcasecmp(metric, "PipeUtilization") == 0;

        for (size_t k = 0; k < OpprofFactCount(known) && !is_known; k++) {
            const char *name = OpprofFactText(OpprofFactAt(known, k));

            is_known = name != NULL && strcasecmp(metric, name) == 0;
        }
        if (!is_known) {
            OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                           "Parameter metrics: the simulator of %s (%s) has no '%s'",
                           OpprofChipSoc(facts->chip), OpprofChipSeries(facts->chip), metric);
            OpprofErrorHint(error, "leave it out, or say which chip it is: chip=NAME");
            return OPPROF_E_ARGUMENT;
        }
    }
    return OPPROF_OK;
}

static OpprofStatus collector_configure(void *instance, const OpprofParams *params, OpprofError **error)
{
    Collector *self = instance;
    OpprofStatus status = OPPROF_OK;
    SimFacts facts = { .chip = NULL };

    self->params = params;
    for (size_t i = 0; i < OpprofParamsCount(params, "core_id") && status == OPPROF_OK; i++) {
        status = read_core_ids(self, OpprofParamsElement(params, "core_id", i), error);
    }
    if (status == OPPROF_OK && chip_name(params) != NULL) {
        status = SimFactsLoad(chip_name(params), &facts, error);
        if (status == OPPROF_OK) {
            status = check_metrics(params, &facts, error);
        }
        SimFactsFinish(&facts);
    }
    if (status == OPPROF_E_NOT_FOUND) {
        status = OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                                "Parameter chip: '%s' is no chip that is known", chip_name(params));
    }
    return status;
}

/* A metric is on when it is named; PipeUtilization and ResourceConflictRatio also when none is. */
static bool has_metric(const OpprofParams *params, const char *metric)
{
    for (size_t i = 0; i < OpprofParamsCount(params, "metrics"); i++) {
        if (strcasecmp(OpprofParamsElement(params, "metrics", i), metric) == 0) {
            return true;
        }
    }
    return !OpprofParamsIsSet(params, "metrics") && strcmp(metric, CONFLICTS) == 0;
}

/* ---- life ---- */

static OpprofStatus make_work(Collector *self, OpprofError **error)
{
    const char *dump = OpprofParamsString(self->params, "dump");
    const uint64_t max_file_size = (uint64_t) OpprofParamsInt(self->params, "max_file_size");
    bool is_guessed = false;
    Work *work = NULL;
    OpprofStatus status =
        WorkCreate(dump, max_file_size, chip_name(self->params), &work, &is_guessed, error);

    if (status != OPPROF_OK) {
        return status;
    }
    status = check_metrics(self->params, &work->facts, error);
    if (status == OPPROF_OK && has_metric(self->params, OVERHEAD)) {
        status = WorkFindCcu(work, dump, max_file_size, error);
    }
    if (status == OPPROF_OK && has_metric(self->params, SAMPLING) &&
        OpprofStageHasReader(self->job.stage, EMIT_MTE)) {
        status = WorkFindMte(work, dump, max_file_size, error);
        if (status == OPPROF_OK) {
            LacksMte(self->job.stage, work);
        }
    }
    if (status != OPPROF_OK) {
        WorkDestroy(work);
        return status;
    }
    if (self->core_ids != 0) {
        WorkFilter(work, self->core_ids);
    }
    if (is_guessed) {
        OpprofStageWarn(
            self->job.stage,
            "The chip is taken to be %s, going by what the dump looks like; --set chip=NAME says "
            "which it is",
            OpprofChipSoc(work->facts.chip));
    }
    self->owns_work = true;
    self->job.work = work;
    OpprofStageSetShared(self->job.stage, work);
    OpprofStageProgress(self->job.stage, 0, work->bytes, "bytes");
    return OPPROF_OK;
}

static OpprofStatus collector_start(void *instance, OpprofError **error)
{
    Collector *self = instance;

    if (OpprofStageInstance(self->job.stage, NULL) == 0) {
        const OpprofStatus status = make_work(self, error);

        if (status != OPPROF_OK) {
            return status;
        }
    } else {
        self->job.work = OpprofStageShared(self->job.stage);
    }
    self->job.left_out = has_metric(self->params, CONFLICTS) ? NULL : self->job.work->facts.flags;
    return OPPROF_OK;
}

/* The next core for this instance, OPPROF_END if there is none. */
static OpprofStatus next_core(Collector *self, OpprofError **error)
{
    WorkCore *core = WorkTakeFirst(self->job.work);
    WorkMte *mte;

    if (core != NULL) {
        return JobStartFirst(&self->job, core, error);
    }
    mte = WorkTakeMte(self->job.work);
    if (mte != NULL) {
        return JobStartMte(&self->job, mte, error);
    }
    switch (WorkTakeSecond(self->job.work, &core)) {
    case WORK_CORE:
        return core->pairing != NULL ? JobStartSecond(&self->job, core, error) : OPPROF_OK;
    case WORK_WAIT:
        return OPPROF_OK;
    case WORK_LOST:
        return OpprofErrorSet(error, OPPROF_E_MEMORY, "No memory to name the cores");
    case WORK_NONE:
    default:
        return OPPROF_END;
    }
}

static OpprofStatus collector_process(void *instance, uint32_t port, const OpprofBatch *batch,
                                      OpprofError **error)
{
    Collector *self = instance;

    (void) port;
    (void) batch;
    return self->job.phase == JOB_IDLE ? next_core(self, error) : JobStep(&self->job, error);
}

static OpprofStatus collector_flush(void *instance, OpprofError **error)
{
    Collector *self = instance;

    return JobFlush(&self->job, error);
}

/* Instance 0 stops last, when nobody looks at the list of work any more. */
static OpprofStatus collector_stop(void *instance, OpprofError **error)
{
    Collector *self = instance;

    (void) error;
    JobReset(&self->job);
    if (self->owns_work) {
        WorkDestroy(self->job.work);
        self->owns_work = false;
    }
    self->job.work = NULL;
    return OPPROF_OK;
}

static void collector_destroy(void *instance)
{
    free(instance);
}

/* ---- descriptor ---- */

static const OpprofPort outputs[] = {
    [EMIT_INSTRUCTIONS] = { .name = "instructions",
                            .record_type = &opprof_sim_instruction_type,
                            .order = OPPROF_ORDER_END,
                            .summary = "Executed instructions of each core." },
    [EMIT_MARKS] = { .name = "marks",
                     .record_type = &opprof_sim_mark_type,
                     .summary = "User ranges (TRACE_START to TRACE_STOP)." },
    [EMIT_MISSES] = { .name = "icache-misses",
                      .record_type = &opprof_sim_icache_miss_type,
                      .order = OPPROF_ORDER_END,
                      .summary = "Misses of the instruction cache, by tick and then address." },
    [EMIT_ISSUES] = { .name = "issues",
                      .record_type = &opprof_sim_issue_type,
                      .order = OPPROF_ORDER_START,
                      .summary = "Issued instructions of each core, by start and place in the "
                                 "popped log." },
    [EMIT_MTE] = { .name = "mte",
                   .record_type = &opprof_sim_mte_type,
                   .summary = "What happened to requests on memory interfaces of all cores, with "
                              "PMSampling." },
};

static const char *const metrics[] = { "PipeUtilization", CONFLICTS, SAMPLING, OVERHEAD, NULL };

static const OpprofParam params[] = {
    { .name = "dump",
      .type = OPPROF_PARAM_PATH,
      .flags = OPPROF_PARAM_REQUIRED,
      .summary =
          "Directory with the simulator's dump files, such as core0.veccore0.instr_log.dump." },
    { .name = "chip",
      .type = OPPROF_PARAM_STRING,
      .default_value = "auto",
      .summary = "SoC or series that was simulated, such as Ascend910B1; auto: by what the dump "
                 "looks like." },
    { .name = "metrics",
      .type = OPPROF_PARAM_LIST,
      .choices = metrics,
      .summary =
          "Metrics to collect for; default: PipeUtilization and ResourceConflictRatio. Without "
          "ResourceConflictRatio the instructions that set flags and wait for them are left out; "
          "PMSampling adds memory bandwidth, Overhead cycles of fetch and issue." },
    { .name = "core_id",
      .type = OPPROF_PARAM_LIST,
      .summary = "Ids of the cores to read, 0 to 49, all unless given; logical ids where the chip "
                 "has them." },
    { .name = "max_file_size",
      .type = OPPROF_PARAM_SIZE,
      .default_value = "1GiB",
      .unit = "byte",
      .summary = "Dump files larger than this are refused." },
};

static const OpprofPluginOps ops = { .struct_size = sizeof(OpprofPluginOps),
                                     .create = collector_create,
                                     .configure = collector_configure,
                                     .start = collector_start,
                                     .process = collector_process,
                                     .flush = collector_flush,
                                     .stop = collector_stop,
                                     .destroy = collector_destroy };

OPPROF_PLUGIN_DEFINE(
        .name = "collect-sim", .version = "1.0.0", .license = "Apache-2.0",
        .summary = "Reads the dump directory of a camodel simulation.",
        .help = "Pairs the popped log of each core (issue) with its instr log (retirement), "
                "and brings user marks and instruction-cache misses along. Cores are read "
                "in parallel, each file twice, in memory that does not grow with the "
                "length of the trace.\n\n"
                "What differs from chip to chip comes from the chip's file: the clock, "
                "whether records pair by PC or by instruction id, the names and form of "
                "the instruction-cache log, whether file names show physical cores.",
        .kind = OPPROF_COLLECTOR, .flags = OPPROF_PLUGIN_PARALLEL, .outputs = outputs,
        .output_count = OPPROF_COUNT(outputs), .params = params,
        .param_count = OPPROF_COUNT(params), .ops = &ops);
