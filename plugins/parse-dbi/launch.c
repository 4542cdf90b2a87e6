/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of a launch: what they are, and who reads each.
 * Tested by tests/plugins/parse-dbi/test_runs.sh.
 */
#include "launch.h"

#include "launch_parts.h"

#include <opprof/kit/raw_names.h>
#include <opprof/text.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "read instrumentation records");
}

DbiLaunch *DbiLaunchCreate(OpprofStage *stage, DbiModel **models, const char *chip,
                           const char *op_type, uint32_t partition)
{
    DbiLaunch *launch = calloc(1, sizeof *launch);

    if (launch != NULL) {
        launch->stage = stage;
        launch->models = models;
        launch->chip = chip;
        launch->op_type = op_type;
        launch->partition = partition;
        launch->open =
            (OpprofOpenBatch){ .stage = stage, .port = OUTPUT_ACCESSES, .partition = partition };
        launch->start_pc = OPPROF_NA_U64;
        launch->has_reader = OpprofStageHasReader(stage, OUTPUT_ACCESSES);
        OpprofRawKeeperBegin(&launch->raw, stage, OUTPUT_RAW, partition);
    }
    return launch;
}

void DbiLaunchFree(DbiLaunch *launch)
{
    if (launch != NULL) {
        MovesFinish(&launch->moves);
        OpprofOpenBatchDrop(&launch->open);
        free(launch);
    }
}

static bool use_model(DbiLaunch *launch)
{
    const DbiTables *tables = &launch->model->tables;

    for (uint32_t i = 0; i < tables->memory_count; i++) {
        launch->memories[i] = DbiLaunchIntern(launch, tables->memories[i]);
    }
    for (uint32_t i = 0; i < DBI_MAX_TYPES; i++) {
        const DbiLayout *layout = DbiLayoutOf(tables, i);
        launch->records[i] =
            layout == NULL ? OPPROF_NA_STRING : DbiLaunchIntern(launch, layout->name);
    }
    launch->access =
        (OpprofDbiAccess){ .pc = OPPROF_NA_U64,
                           .start_pc = launch->start_pc,
                           .record = OPPROF_NA_STRING,
                           .chip = DbiLaunchIntern(launch, OpprofChipSoc(launch->model->chip)),
                           .device = launch->device,
                           .kernel = launch->kernel,
                           .order = launch->order };
    return MovesInit(&launch->moves, &launch->model->paths, tables->area.slots);
}

/* Prepares all that depends on the chip, once there are records. Without a chip the model stays NULL. */
static OpprofStatus set_up(DbiLaunch *launch, OpprofError **error)
{
    OpprofError *why = NULL;

    if (launch->is_set_up) {
        return OPPROF_OK;
    }
    launch->is_set_up = true;
    launch->start_pc = DbiStartOf(&launch->start);
    const OpprofStatus status =
        DbiModelFind(launch->models, launch->chip, &launch->info, &launch->model, &why);
    if (status == OPPROF_E_MEMORY) {
        OpprofErrorPass(error, why);
        return status;
    }
    if (status != OPPROF_OK) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': its instrumentation records are left out: %s",
                              DbiLaunchPlace(launch), OpprofErrorLine(why));
        OpprofErrorDestroy(why);
        return OPPROF_OK;
    }
    return use_model(launch) ? OPPROF_OK : no_memory(error);
}

static DbiFile kind_of(const char *role)
{
    static const struct {
        const char *role;
        DbiFile kind;
    } kinds[] = {
        { "info", DBI_FILE_INFO },          { "code_start", DBI_FILE_START },
        { "dbi_area", DBI_FILE_AREA },      { "dbi_packets", DBI_FILE_PACKETS },
        { "memory_chart", DBI_FILE_CHART },
    };

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i].role, role) == 0) {
            return kinds[i].kind;
        }
    }
    return DBI_FILE_OTHER;
}

/* Files that describe the code and are for another parser: a launch may have only those. */
static bool is_of_code(const char *role)
{
    return strcmp(role, "block_map") == 0 || strcmp(role, "samples") == 0 ||
           strcmp(role, "liveness") == 0 || strcmp(role, "warps") == 0;
}

static bool flag_of(const DbiLaunch *launch, const char *fact)
{
    size_t length = 0;
    const char *value = DbiValueOf(&launch->info, launch->chip, fact, &length);

    return value != NULL && length == 1 && value[0] == '1';
}

static void refuse_second(DbiLaunch *launch)
{
    OpprofStageWarn(
        launch->stage,
        "Launch '%s': '%s' is another form of the records that were read already, skipping it",
        DbiLaunchPlace(launch), DbiLaunchFile(launch));
    launch->kind = DBI_FILE_REFUSED;
}

/* Records of operators that communicate are useless: these operators are never instrumented. */
static OpprofStatus begin_records(DbiLaunch *launch, OpprofError **error)
{
    launch->has_records_file = true;
    if (launch->file_size == 0) {
        OpprofStageIncomplete(launch->stage, "Launch '%s': '%s' is empty", DbiLaunchPlace(launch),
                              DbiLaunchFile(launch));
        launch->kind = DBI_FILE_REFUSED;
        return OPPROF_OK;
    }
    if (flag_of(launch, "mc2") || flag_of(launch, "lccl")) {
        OpprofStageWarn(launch->stage,
                        "Launch '%s': '%s' is of an operator that communicates, skipping it",
                        DbiLaunchPlace(launch), DbiLaunchFile(launch));
        launch->kind = DBI_FILE_REFUSED;
        return OPPROF_OK;
    }
    const OpprofStatus status = set_up(launch, error);
    if (status != OPPROF_OK || launch->model == NULL) {
        launch->kind = DBI_FILE_REFUSED;
        return status;
    }
    if (launch->source != DBI_FILE_OTHER) {
        refuse_second(launch);
        return OPPROF_OK;
    }
    launch->source = launch->kind;
    launch->handler =
        (DbiHandler){ DbiLaunchTakeRecord, DbiLaunchTellFinding, launch, DbiLaunchKeepRaw };
    launch->have = 0;
    if (launch->kind == DBI_FILE_AREA) {
        DbiAreaBegin(&launch->area, &launch->model->tables, &launch->handler);
    } else if (launch->kind == DBI_FILE_PACKETS) {
        DbiPacketsBegin(&launch->packets, &launch->model->tables, &launch->handler);
    }
    return OPPROF_OK;
}

static void tell_info(const DbiLaunch *launch)
{
    const char *fault = DbiTextFault(&launch->info);

    if (fault != NULL) {
        OpprofStageIncomplete(launch->stage, "Launch '%s': '%s' %s", DbiLaunchPlace(launch),
                              DbiLaunchFile(launch), fault);
    }
}

static bool holds_records(DbiFile kind)
{
    return kind == DBI_FILE_AREA || kind == DBI_FILE_PACKETS || kind == DBI_FILE_CHART;
}

/* The rest of a file of records was not read, which its reader would take for damage. */
static bool was_stopped(const DbiLaunch *launch)
{
    return launch->is_stopping ||
           (holds_records(launch->kind) && launch->file_bytes < launch->file_size &&
            OpprofStageStopRequested(launch->stage));
}

static void tell_stopped(DbiLaunch *launch)
{
    OpprofStageIncomplete(launch->stage,
                          "Launch '%s': the run was stopped after %" PRIu64 " %s of '%s'",
                          DbiLaunchPlace(launch), launch->taken,
                          OPPROF_PLURAL(launch->taken, "record", "records"), DbiLaunchFile(launch));
    DbiLaunchTellLeftOut(launch);
}

/* Reports what is wrong with a file that was read to its end. */
static void judge_file(DbiLaunch *launch)
{
    switch (launch->kind) {
    case DBI_FILE_AREA:
        DbiAreaEnd(&launch->area);
        DbiLaunchTellLeftOut(launch);
        break;
    case DBI_FILE_PACKETS:
        DbiPacketsEnd(&launch->packets);
        DbiLaunchTellLeftOut(launch);
        break;
    case DBI_FILE_CHART:
        DbiLaunchEndChart(launch);
        DbiLaunchTellLeftOut(launch);
        break;
    case DBI_FILE_START:
        if (!DbiStartIsSaid(&launch->start)) {
            OpprofStageIncomplete(launch->stage,
                                  "Launch '%s': '%s' has no hexadecimal address: addresses count "
                                  "from the start of the code",
                                  DbiLaunchPlace(launch), DbiLaunchFile(launch));
        }
        break;
    case DBI_FILE_INFO:
        tell_info(launch);
        break;
    case DBI_FILE_REFUSED:
    case DBI_FILE_OTHER:
        break;
    }
}

static void end_file(DbiLaunch *launch)
{
    if (launch->file == OPPROF_NA_STRING) {
        return;
    }
    if (was_stopped(launch)) {
        tell_stopped(launch);
    } else {
        judge_file(launch);
    }
    launch->file = OPPROF_NA_STRING;
    launch->kind = DBI_FILE_OTHER;
}

static OpprofStatus begin_file(DbiLaunch *launch, const OpprofOnboardChunk *chunk,
                               OpprofError **error)
{
    end_file(launch);
    launch->file = chunk->file;
    launch->file_size = chunk->file_size;
    launch->file_bytes = 0;
    const char *role = OpprofRawRole(launch->chip, DbiLaunchFile(launch), NULL);
    launch->kind = role == NULL ? DBI_FILE_OTHER : kind_of(role);
    launch->has_records_file |= role != NULL && is_of_code(role);
    return holds_records(launch->kind) ? begin_records(launch, error) : OPPROF_OK;
}

/* False: a handler stopped; launch->status or launch->is_stopping gives the reason. */
static bool feed_file(DbiLaunch *launch, const char *text, size_t length)
{
    const unsigned char *bytes = (const unsigned char *) text;

    switch (launch->kind) {
    case DBI_FILE_INFO:
        DbiTextTake(&launch->info, text, length);
        return true;
    case DBI_FILE_START:
        DbiTextTake(&launch->start, text, length);
        return true;
    case DBI_FILE_AREA:
        return DbiAreaFeed(&launch->area, bytes, length);
    case DBI_FILE_PACKETS:
        return DbiPacketsFeed(&launch->packets, bytes, length);
    case DBI_FILE_CHART:
        return DbiLaunchFeedChart(launch, bytes, length);
    case DBI_FILE_REFUSED:
    case DBI_FILE_OTHER:
        break;
    }
    return true;
}

OpprofStatus DbiLaunchFeed(DbiLaunch *launch, const OpprofOnboardChunk *chunk, const char *bytes,
                           OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    launch->device = chunk->device;
    launch->kernel = chunk->kernel;
    launch->order = chunk->order;
    if (chunk->file == OPPROF_NA_STRING || launch->is_stopping) {
        return OPPROF_OK;
    }
    if (chunk->offset == 0 || chunk->file != launch->file) {
        status = begin_file(launch, chunk, error);
    }
    if (status != OPPROF_OK) {
        return status;
    }
    const bool is_good = bytes == NULL || feed_file(launch, bytes, chunk->bytes.length);
    launch->file_bytes += chunk->bytes.length;
    if (is_good || launch->is_stopping) {
        return OPPROF_OK;
    }
    return launch->status == OPPROF_E_MEMORY ? no_memory(error) : launch->status;
}

OpprofStatus DbiLaunchEnd(DbiLaunch *launch, OpprofError **error)
{
    end_file(launch);
    OpprofRawKeeperEnd(&launch->raw);
    OpprofStatus status =
        launch->source != DBI_FILE_OTHER ? DbiLaunchPushTraffic(launch) : OPPROF_OK;
    if (status == OPPROF_OK) {
        status = DbiLaunchPushMoves(launch);
    }
    if (status == OPPROF_OK) {
        status = DbiLaunchPushEnd(launch);
    }
    return status == OPPROF_E_MEMORY ? no_memory(error) : status;
}
