/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parse-pmu: reads the counters, the task log and the basic facts of launches and merges the
 * replays of each into one record. The chip file defines record layouts, events and plans.
 * Tested by tests/plugins/parse-pmu/test_vectors.sh.
 */
#include "across.h"

#include <opprof/kit/facts.h>
#include <opprof/kit/chip.h>
#include <opprof/plugin.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INPUT_CHUNKS, INPUT_MOVES };

/* Shared by the instances of the stage. */
typedef struct Tally {
    pthread_mutex_t lock; /* guards the members below */
    uint32_t instances;   /* instances that have not flushed */
    uint64_t parsed;
    uint64_t failed;
    OpprofError *first; /* the reason of the first failure */
    Across across;
} Tally;

typedef struct Parser {
    OpprofLaunchReader reader;
    ParserSettings settings;
    const char **metrics;
} Parser;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "parse on-board data");
}

static OpprofStatus read_metrics(Parser *self, const OpprofParams *params, OpprofError **error)
{
    const size_t count = OpprofParamsCount(params, "metrics");

    self->metrics = calloc(count + 1, sizeof *self->metrics);
    if (self->metrics == NULL) {
        return no_memory(error);
    }
    for (size_t i = 0; i < count; i++) {
        self->metrics[i] = OpprofParamsElement(params, "metrics", i);
    }
    self->settings.metrics = (ChoiceItems){ .items = self->metrics, .count = count };
    return OPPROF_OK;
}

/* If the chip is known, the metrics are resolved right away; else some chip must know them. */
static OpprofStatus check_settings(Parser *self, OpprofError **error)
{
    return OpprofChipIsAuto(self->reader.chip) ? ChoicesCheck(&self->settings.metrics, error)
                                               : OpprofLaunchReaderCheck(&self->reader, error);
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    Parser *self = context;

    self->reader.chip = OpprofParamsString(params, "chip");
    self->settings = (ParserSettings){
        .replay = OpprofParamsString(params, "replay"),
        .memory_vendor = OpprofParamsString(params, "memory_vendor"),
        .rated_freq = OpprofParamsDouble(params, "rated_freq"),
        .scheduler_freq = OpprofParamsDouble(params, "scheduler_freq"),
        .cores = (uint32_t) OpprofParamsInt(params, "cores"),
        .operand_threads = (uint32_t) OpprofParamsInt(params, "operand_threads"),
    };
    const OpprofStatus status = read_metrics(self, params, error);
    return status == OPPROF_OK ? check_settings(self, error) : status;
}

static OpprofStatus start(void *context, OpprofError **error)
{
    Parser *self = context;
    uint32_t instances = 1;

    if (OpprofStageInstance(self->reader.stage, &instances) > 0) {
        return OPPROF_OK;
    }
    Tally *tally = calloc(1, sizeof *tally);
    if (tally == NULL) {
        return no_memory(error);
    }
    tally->instances = instances;
    if (pthread_mutex_init(&tally->lock, NULL) != 0) {
        free(tally);
        return no_memory(error);
    }
    OpprofStageSetShared(self->reader.stage, tally);
    return OPPROF_OK;
}

/* ---- launches ---- */

/* False without memory. */
static bool count_launch(Parser *self, const Launch *launch)
{
    Tally *tally = OpprofStageShared(self->reader.stage);
    const bool is_parsed = launch->model != NULL;
    bool is_good;

    pthread_mutex_lock(&tally->lock);
    tally->parsed += is_parsed;
    tally->failed += !is_parsed;
    is_good = !is_parsed || AcrossAdd(&tally->across, launch);
    pthread_mutex_unlock(&tally->lock);
    return is_good;
}

static OpprofStatus push_launch(const Parser *self, const Launch *launch, OpprofError **error)
{
    OpprofBatch *batch = OpprofStageNewBatch(self->reader.stage, PMU_OUTPUT_LAUNCHES);
    const OpprofStatus status = batch == NULL ? no_memory(error) : LaunchEmit(launch, batch, error);

    if (status != OPPROF_OK) {
        OpprofBatchUnref(batch);
        return status;
    }
    return OpprofStagePush(self->reader.stage, PMU_OUTPUT_LAUNCHES, batch);
}

/* ---- single counters, for inspection ---- */

static uint32_t event_name(const Parser *self, const PmuLayout *layout, uint32_t column)
{
    char key[16];

    snprintf(key, sizeof key, "%u", layout->events[column]);
    const char *name = layout->event_facts[column]->name;
    return OpprofStageIntern(self->reader.stage, name == NULL ? key : name,
                             strlen(name == NULL ? key : name));
}

/* A record for each counter of a key. */
static OpprofStatus put_key(const Parser *self, const Launch *launch, uint32_t index)
{
    const PmuLayout *layout = &launch->model->layout;
    const MergeKey *key = &launch->merge.keys[index];
    OpprofStatus status = OPPROF_OK;

    for (uint32_t column = 0; status == OPPROF_OK && column < layout->event_count; column++) {
        const size_t cell = (size_t) index * layout->event_count + column;
        if (launch->merge.values[cell] == OPPROF_NA_U64) {
            continue;
        }
        const OpprofPmuCounter record = { .value = launch->merge.values[cell],
                                          .device = launch->base.device,
                                          .kernel = launch->base.kernel,
                                          .order = launch->base.order,
                                          .block = key->block,
                                          .key = LaunchKeyName(launch, key),
                                          .event = layout->events[column],
                                          .event_name = event_name(self, layout, column),
                                          .round = launch->merge.rounds[cell] };
        status = OpprofStageAppend(self->reader.stage, PMU_OUTPUT_COUNTERS, launch->base.partition,
                                   &record);
    }
    return status;
}

static OpprofStatus push_counters(const Parser *self, const Launch *launch, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    if (!OpprofStageHasReader(self->reader.stage, PMU_OUTPUT_COUNTERS)) {
        return OPPROF_OK;
    }
    uint32_t *order = LaunchKeyOrder(launch);
    if (order == NULL) {
        return no_memory(error);
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < launch->merge.key_count; i++) {
        status = put_key(self, launch, order[i]);
    }
    free(order);
    if (status == OPPROF_OK) {
        status = OpprofStagePushOpen(self->reader.stage, PMU_OUTPUT_COUNTERS, UINT64_MAX);
    }
    return status == OPPROF_E_MEMORY ? no_memory(error) : status;
}

/* A launch is complete when its files have arrived, and its moves if they are summed up. */
static bool is_whole(const OpprofLaunch *launch)
{
    return ((const Launch *) launch)->moves.is_whole ||
           !OpprofStageHasWriter(launch->stage, INPUT_MOVES);
}

static OpprofStatus load_model(void *instance, const OpprofChip *chip, void *model,
                               OpprofError **error)
{
    return PmuModelLoad(chip, &((const Parser *) instance)->settings, model, error);
}

static void unload_model(void *model)
{
    PmuModelFinish(model);
}

static OpprofStatus begin_launch(OpprofLaunch *launch)
{
    ((Launch *) launch)->settings = &((const Parser *) launch->reader)->settings;
    return LaunchBegin(launch);
}

static OpprofStatus end_launch(OpprofLaunch *base, OpprofError **failure, OpprofError **error)
{
    Parser *self = (Parser *) base->reader;
    Launch *launch = (Launch *) base;
    const bool is_good = launch->model != NULL;

    (void) failure; /* the reader's */
    if (!count_launch(self, launch)) {
        return no_memory(error);
    }
    if (!is_good) {
        OpprofStageIncomplete(base->stage, "Launch '%s' is left out: %s", OpprofLaunchPlace(base),
                              OpprofErrorLine(base->failure));
        return OPPROF_OK;
    }
    LaunchCheck(launch);
    OpprofStageCount(base->stage, "records of counters", launch->merge.counts.records);
    OpprofStageCount(base->stage, "records of the task log", launch->log.records);
    const OpprofStatus status = push_launch(self, launch, error);
    return status == OPPROF_OK ? push_counters(self, launch, error) : status;
}

static const OpprofLaunchParser launch_parser = {
    .instance_bytes = sizeof(Parser),
    .launch_bytes = sizeof(Launch),
    .roles = pmu_roles,
    .role_count = PMU_ROLES,
    .flags = OPPROF_PARSER_NEEDS_CHIP,
    .raw_port = PMU_OUTPUT_RAW,
    .model_bytes = sizeof(PmuModel),
    .load = load_model,
    .unload = unload_model,
    .begin = begin_launch,
    .choose = LaunchChoose,
    .is_whole = is_whole,
    .end = end_launch,
    .finish = LaunchFinish,
};

static OpprofStatus create(OpprofStage *stage, void **ret_instance, OpprofError **error)
{
    return OpprofLaunchReaderCreate(stage, &launch_parser, ret_instance, error);
}

static OpprofStatus take_moves(Parser *self, const OpprofBatch *batch, OpprofError **error)
{
    Launch *launch = (Launch *) OpprofLaunchesGet(&self->reader, batch->partition, error);

    if (launch == NULL || !MovesTake(&launch->moves, batch)) {
        return no_memory(error);
    }
    return launch->base.is_over && is_whole(&launch->base) ? OpprofLaunchesEnd(&launch->base, error)
                                                           : OPPROF_OK;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Parser *self = context;

    return port == INPUT_MOVES ? take_moves(self, batch, error)
                               : OpprofLaunchesProcess(self, port, batch, error);
}

/* The last instance reports if nothing at all could be parsed. */
static OpprofStatus judge(Parser *self, OpprofError **error)
{
    Tally *tally = OpprofStageShared(self->reader.stage);
    OpprofStatus status = OPPROF_OK;

    pthread_mutex_lock(&tally->lock);
    if (tally->first == NULL) {
        tally->first = self->reader.first;
        self->reader.first = NULL;
    }
    tally->instances--;
    if (tally->instances == 0) {
        AcrossJudge(&tally->across, self->reader.stage);
    }
    if (tally->instances == 0 && tally->parsed == 0 && tally->failed > 0) {
        *error = tally->first;
        tally->first = NULL;
        status =
            tally->failed == 1
                ? OpprofErrorSet(error, OPPROF_E_DATA, "The launch cannot be parsed")
                : OpprofErrorSet(error, OPPROF_E_DATA, "None of the %llu launches can be parsed",
                                 (unsigned long long) tally->failed);
    }
    pthread_mutex_unlock(&tally->lock);
    return status;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Parser *self = context;
    const OpprofStatus status = OpprofLaunchesEndAll(&self->reader, error);

    return status == OPPROF_OK ? judge(self, error) : status;
}

static OpprofStatus stop(void *context, OpprofError **error)
{
    Parser *self = context;
    Tally *tally = OpprofStageShared(self->reader.stage);

    (void) error;
    if (OpprofStageInstance(self->reader.stage, NULL) == 0 && tally != NULL) {
        OpprofErrorDestroy(tally->first);
        AcrossFinish(&tally->across);
        pthread_mutex_destroy(&tally->lock);
        free(tally);
        OpprofStageSetShared(self->reader.stage, NULL);
    }
    return OPPROF_OK;
}

static void destroy(void *context)
{
    free(((Parser *) context)->metrics);
    OpprofLaunchReaderDestroy(context);
}

static const OpprofPort inputs[] = {
    [INPUT_CHUNKS] = { .name = "chunks",
                       .type = "onboard.chunk",
                       .record_type = &opprof_onboard_chunk_type,
                       .summary = "Raw files of launches." },
    [INPUT_MOVES] = { .name = "moves",
                      .type = "dbi.move",
                      .record_type = &opprof_dbi_move_type,
                      .flags = OPPROF_PORT_OPTIONAL,
                      .summary = "What instrumented launches moved, by core and path." },
};

static const OpprofPort outputs[] = {
    { .name = "launches",
      .record_type = &opprof_pmu_launch_type,
      .batch_records = 1,
      .summary = "Each launch, merged over its replays." },
    { .name = "counters",
      .record_type = &opprof_pmu_counter_type,
      .summary = "Each counter of each launch, for inspection." },
    { .name = "raw",
      .record_type = &opprof_raw_type,
      .summary = "Records of kinds that the chip file does not name, unchanged." },
};

static const char *const replays[] = { "auto", "kernel", "application", "range", NULL };

static const OpprofParam params[] = {
    { .name = "chip",
      .type = OPPROF_PARAM_STRING,
      .default_value = "auto",
      .summary = "SoC or series that ran; auto: as stated in the data." },
    { .name = "metrics",
      .type = OPPROF_PARAM_LIST,
      .flags = OPPROF_PARAM_SKIP_EMPTY,
      .summary = "Metrics that were collected, as requested then; default: all groups." },
    { .name = "replay",
      .type = OPPROF_PARAM_CHOICE,
      .default_value = "auto",
      .choices = replays,
      .summary = "What was replayed to count all events; auto: as the data suggests." },
    { .name = "rated_freq",
      .type = OPPROF_PARAM_DOUBLE,
      .default_value = "0",
      .max = 1e6,
      .unit = "MHz",
      .summary = "Rated clock of the cores; 0: as the chip file states." },
    { .name = "scheduler_freq",
      .type = OPPROF_PARAM_DOUBLE,
      .default_value = "0",
      .max = 1e9,
      .unit = "kHz",
      .summary = "Clock of the task scheduler's log; 0: as the chip file states." },
    { .name = "cores",
      .type = OPPROF_PARAM_INT,
      .default_value = "0",
      .max = 65536,
      .summary = "AI cores of the device; 0: as the chip file states." },
    { .name = "memory_vendor",
      .type = OPPROF_PARAM_STRING,
      .default_value = "default",
      .summary = "Vendor of the device's memory (default, SK, SS, CJ), on which peaks depend." },
    { .name = "operand_threads",
      .type = OPPROF_PARAM_INT,
      .default_value = "0",
      .max = 65536,
      .summary = "SIMT threads of an operand record; 0: as the chip file states." },
};

/* Also the facts that several families read. */
static OpprofStatus explain(const char *chip, const char *name, FILE *out, OpprofError **error)
{
    const OpprofStatus status = OpprofFactsExplain(chip, pmu_chip_tables, name, out, error);

    return status != OPPROF_E_NOT_FOUND || *error != NULL
               ? status
               : OpprofFactsExplain(chip, NULL, name, out, error);
}

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .configure = configure,
    .start = start,
    .process = process,
    .flush = flush,
    .stop = stop,
    .destroy = destroy,
    .explain = explain,
};

static const char *const chip_sections[] = { "cores", "metrics", "pmu", NULL };

OPPROF_PLUGIN_DEFINE(.name = "parse-pmu", .version = "1.0", .license = "Apache-2.0",
                     .summary = "Merges the performance counters of a launch over its replays.",
                     .help =
                         "Reads DeviceProf<k>.bin, duration.bin, L2Cache.bin, "
                         "OperandRecord.bin and "
                         "op_basic_info.txt. The chip file defines layouts, events, replay plans "
                         "and metrics. What is missing is absent in the result, never zero.",
                     .kind = OPPROF_PARSER, .flags = OPPROF_PLUGIN_PARTITIONED, .inputs = inputs,
                     .input_count = OPPROF_COUNT(inputs), .outputs = outputs,
                     .output_count = OPPROF_COUNT(outputs), .params = params,
                     .param_count = OPPROF_COUNT(params), .ops = &ops,
                     .chip_sections = chip_sections, .chip_tables = pmu_chip_tables);
