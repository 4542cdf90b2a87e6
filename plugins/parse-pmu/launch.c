/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collects the raw files of one launch until all have arrived.
 * Tested by tests/plugins/parse-pmu/test_vectors.sh.
 */
#include "launch.h"

#include <opprof/grow.h>
#include <opprof/intern.h>
#include <opprof/kit/bytes.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HASHED_BYTES (UINT64_C(1) << 16) /* of a file of counters */

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "parse a launch");
}

static const char *file_of(const Launch *launch)
{
    return OpprofStageString(launch->stage, launch->file);
}

Launch *LaunchCreate(OpprofStage *stage, const ParserSettings *settings, PmuModel **models,
                     uint32_t partition)
{
    Launch *launch = calloc(1, sizeof *launch);

    if (launch != NULL) {
        launch->stage = stage;
        launch->settings = settings;
        launch->models = models;
        launch->partition = partition;
        launch->l2_evict = OPPROF_NA_U64;
    }
    return launch;
}

void LaunchFree(Launch *launch)
{
    if (launch == NULL) {
        return;
    }
    free(launch->info_text);
    OpprofErrorDestroy(launch->failure);
    MergeFinish(&launch->merge);
    MovesFinish(&launch->moves);
    OperandRecordFinish(&launch->operands);
    free(launch);
}

/* ---- choosing the chip ---- */

static OpprofStatus choose_model(Launch *launch, OpprofError **error)
{
    const BasicInfoValue *value = &launch->info.values[INFO_SOC];
    char *soc = value->text != NULL ? strndup(value->text, value->length) : NULL;
    OpprofError *reason = NULL;

    if (value->text != NULL && soc == NULL) {
        return no_memory(error);
    }
    const OpprofStatus status =
        PmuModelFind(launch->models, launch->settings, soc, &launch->model, &reason);
    if (status == OPPROF_E_MEMORY || status == OPPROF_E_ARGUMENT) {
        free(soc);
        OpprofErrorPass(error, reason);
        return status;
    }
    if (status != OPPROF_OK) {
        OpprofStageIncomplete(launch->stage, "Launch '%s' is left out: %s", LaunchPlace(launch),
                              OpprofErrorLine(reason));
        launch->failure = reason;
    } else if (launch->model->is_substitute) {
        OpprofStageWarn(launch->stage,
                        "The data is from '%s', but the facts of '%s' are used, as requested", soc,
                        OpprofChipSoc(launch->model->chip));
    }
    free(soc);
    return OPPROF_OK;
}

bool LaunchIsApplicationReplay(const Launch *launch)
{
    const char *replay = launch->settings->replay;

    if (strcmp(replay, "auto") == 0) {
        /* The collector writes the process only when it replays kernels. */
        return launch->info_text != NULL && launch->info.values[INFO_PID].text == NULL;
    }
    return strcmp(replay, "application") == 0;
}

static uint32_t operand_threads(const Launch *launch)
{
    return launch->settings->operand_threads > 0 ? launch->settings->operand_threads
                                                 : launch->model->layout.facts.operand_threads;
}

/* Passes on a record of an unknown kind, for inspection. */
static void keep_raw(void *context, const unsigned char *record)
{
    Launch *launch = context;

    OpprofRawKeep(&launch->raw, launch->file,
                  launch->piece_at + (uint64_t) (record - launch->piece), record,
                  launch->merge.layout->counters.size,
                  "a record of a function or core type that the chip file does not name");
}

/* Prepares all that depends on the chip, once the basic facts are known. */
static OpprofStatus set_up(Launch *launch, OpprofError **error)
{
    if (launch->is_set_up) {
        return OPPROF_OK;
    }
    launch->is_set_up = true;
    launch->form = OpprofRawFormOf(launch->settings->chip, launch->info_text, launch->info_length);
    if (launch->info_text != NULL) {
        BasicInfoRead(&launch->form, launch->info_text, launch->info_length, &launch->info);
    }
    OpprofStatus status = choose_model(launch, error);
    if (status != OPPROF_OK || launch->model == NULL) {
        return status;
    }
    launch->plan = &launch->model->plans[LaunchIsApplicationReplay(launch)];
    launch->log.layout = &launch->model->layout.task_log;
    MergeInit(&launch->merge, &launch->model->layout, launch->plan);
    OpprofRawKeeperBegin(&launch->raw, launch->stage, LAUNCH_OUTPUT_RAW, launch->partition);
    launch->merge.on_foreign = keep_raw;
    launch->merge.context = launch;
    return status;
}

/* ---- files ---- */

static RawKind kind_of(const Launch *launch, const char *name, uint32_t *ret_round)
{
    static const struct {
        const char *role;
        RawKind kind;
    } kinds[] = {
        { "info", RAW_BASIC_INFO },   { "task_log", RAW_TASK_LOG }, { "counters", RAW_COUNTERS },
        { "l2_cache", RAW_L2_CACHE }, { "operands", RAW_OPERANDS },
    };
    const char *role = OpprofRawRole(launch->settings->chip, name, ret_round);

    for (size_t i = 0; role != NULL && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i].role, role) == 0) {
            return kinds[i].kind;
        }
    }
    return RAW_OTHER;
}

static void begin_operands(Launch *launch)
{
    OperandRecordFinish(&launch->operands);
    const char *why =
        OperandRecordBegin(&launch->operands, &launch->model->layout.facts.operand_record,
                           operand_threads(launch), launch->file_size);
    if (why != NULL) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': '%s' of %" PRIu64 " bytes is left out: %s",
                              LaunchPlace(launch), file_of(launch), launch->file_size, why);
        launch->kind = RAW_OTHER;
        return;
    }
    launch->has_operands = true;
}

static void begin_l2_cache(Launch *launch)
{
    const L2Layout *layout = &launch->model->layout.l2;

    if (layout->size == 0) {
        launch->kind = RAW_OTHER;
    } else if (launch->file_size != layout->size) {
        OpprofStageIncomplete(
            launch->stage, "Launch '%s': '%s' is left out: it has %" PRIu64 " bytes, not %u",
            LaunchPlace(launch), file_of(launch), launch->file_size, layout->size);
        launch->has_l2 = true;
        launch->kind = RAW_OTHER;
    } else {
        OpprofCutterBegin(&launch->cutter, layout->size);
    }
}

/*
 * A replay beyond the plan counted unknown events, at another time: neither its counters nor its
 * cycles belong to the launch.
 */
static void begin_counters(Launch *launch)
{
    if (launch->round > MergeRounds(&launch->merge)) {
        launch->rounds_beyond += launch->file_size > 0;
        launch->kind = RAW_OTHER;
        return;
    }
    OpprofCutterBegin(&launch->cutter, launch->model->layout.counters.size);
    launch->file_records = launch->merge.counts.records;
    launch->piece_at = 0;
}

/* Whether a file has a role in the chip's names: its bytes may be for another parser. */
static bool is_role(const Launch *launch, const char *name, const char *role)
{
    const char *own = OpprofRawRole(launch->settings->chip, name, NULL);

    return own != NULL && strcmp(own, role) == 0;
}

static OpprofStatus begin_file(Launch *launch, const OpprofOnboardChunk *chunk, OpprofError **error)
{
    const char *name = OpprofStageString(launch->stage, chunk->file);

    launch->file = chunk->file;
    launch->file_size = chunk->file_size;
    launch->has_block_counts =
        launch->has_block_counts || (chunk->file_size > 0 && (is_role(launch, name, "block_map") ||
                                                              is_role(launch, name, "counted")));
    launch->has_samples =
        launch->has_samples || (chunk->file_size > 0 && is_role(launch, name, "samples"));
    launch->file_bytes = 0;
    launch->round = 0;
    launch->kind = kind_of(launch, name, &launch->round);
    launch->file_records = 0;
    if (launch->kind == RAW_OTHER || (launch->kind == RAW_BASIC_INFO && !launch->is_set_up)) {
        return OPPROF_OK;
    }
    const OpprofStatus status = set_up(launch, error);
    if (launch->kind == RAW_BASIC_INFO) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': '%s' is left out: it comes after files that need it",
                              LaunchPlace(launch), name);
    }
    if (status != OPPROF_OK || launch->model == NULL || launch->kind == RAW_BASIC_INFO) {
        launch->kind = RAW_OTHER;
        return status;
    }
    switch ((unsigned) launch->kind) {
    case RAW_TASK_LOG:
        OpprofCutterBegin(&launch->cutter, launch->log.layout->size);
        launch->file_records = launch->log.records;
        break;
    case RAW_COUNTERS:
        begin_counters(launch);
        break;
    case RAW_L2_CACHE:
        begin_l2_cache(launch);
        break;
    default:
        begin_operands(launch);
        break;
    }
    return OPPROF_OK;
}

/* A record that is cut, or a replay without records. */
static void end_file(Launch *launch)
{
    const bool has_records = launch->kind == RAW_TASK_LOG || launch->kind == RAW_COUNTERS;

    if (has_records && launch->cutter.have > 0) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': '%s' ends in the middle of a record, at byte %" PRIu64
                              ": %u of %u bytes are there",
                              LaunchPlace(launch), file_of(launch), launch->file_bytes,
                              launch->cutter.have, launch->cutter.size);
    }
    if (launch->kind == RAW_COUNTERS && launch->merge.counts.records > launch->file_records) {
        launch->rounds_seen |= UINT64_C(1) << (launch->round - 1);
    }
    if (launch->kind == RAW_OPERANDS && launch->operands.is_refused) {
        OpprofStageIncomplete(
            launch->stage, "Launch '%s': '%s' is left out: it does not begin with its magic number",
            LaunchPlace(launch), file_of(launch));
        launch->has_operands = false;
    }
    launch->file = OPPROF_NA_STRING;
    launch->kind = RAW_NONE;
}

/* ---- pieces ---- */

/* A copy of another replay's file has the same first bytes: cycles and counters of many cores. */
static void hash_replay(Launch *launch, const unsigned char *bytes, size_t size)
{
    ReplayFile *replay = &launch->replays[launch->round - 1];
    const uint64_t left = launch->piece_at < HASHED_BYTES ? HASHED_BYTES - launch->piece_at : 0;

    replay->size = launch->file_size;
    if (left > 0) {
        replay->hash = OpprofInternHash(replay->hash, bytes, size < left ? size : (size_t) left);
    }
}

static bool take_counters(void *context, const unsigned char *records, size_t count)
{
    Launch *launch = context;
    bool is_good;

    launch->piece = records;
    hash_replay(launch, records, count * launch->merge.layout->counters.size);
    is_good = MergeRecords(&launch->merge, launch->round, records, count);
    launch->piece_at += count * launch->merge.layout->counters.size;
    return is_good;
}

static bool take_log(void *context, const unsigned char *records, size_t count)
{
    Launch *launch = context;
    TaskLogRecords(&launch->log, records, count);
    return true;
}

static bool take_l2(void *context, const unsigned char *records, size_t count)
{
    Launch *launch = context;
    const L2Layout *layout = &launch->model->layout.l2;
    const char *group = launch->model->layout.facts.l2.group;
    const char *groups = launch->model->choices.groups;
    uint32_t key = 0;

    (void) count;
    if (layout->evict_slot != LAYOUT_NO_COLUMN && groups[0] != '\0') {
        launch->l2_evict = CounterGet(layout->width, records + layout->at, layout->evict_slot);
    }
    launch->has_l2 = true;
    if (layout->column_count == 0 || (group != NULL && !OpprofPmuListHas(groups, group))) {
        return true;
    }
    if (!MergeOnlyKey(&launch->merge, &key)) {
        return false;
    }
    for (uint32_t i = 0; i < layout->column_count; i++) {
        MergeSet(&launch->merge, key, layout->columns[i],
                 CounterGet(layout->width, records + layout->at, i), 1);
    }
    return true;
}

static OpprofStatus take_info(Launch *launch, const unsigned char *bytes, size_t length,
                              OpprofError **error)
{
    if (launch->info_length + length > BASIC_INFO_MAX_BYTES) {
        OpprofStageIncomplete(launch->stage, "Launch '%s': '%s' is left out beyond its first MiB",
                              LaunchPlace(launch), file_of(launch));
        length = BASIC_INFO_MAX_BYTES - launch->info_length;
        launch->kind = RAW_OTHER;
    }
    if (!OpprofGrow(&launch->info_text, &launch->info_capacity, launch->info_length + length + 1,
                    1)) {
        return no_memory(error);
    }
    memcpy(launch->info_text + launch->info_length, bytes, length);
    launch->info_length += length;
    return OPPROF_OK;
}

static OpprofStatus take_piece(Launch *launch, const unsigned char *bytes, size_t length,
                               OpprofError **error)
{
    bool is_good = true;

    launch->file_bytes += length;
    switch (launch->kind) {
    case RAW_BASIC_INFO:
        return take_info(launch, bytes, length, error);
    case RAW_TASK_LOG:
        is_good = OpprofCutterFeed(&launch->cutter, bytes, length, take_log, launch);
        break;
    case RAW_COUNTERS:
        is_good = OpprofCutterFeed(&launch->cutter, bytes, length, take_counters, launch);
        break;
    case RAW_L2_CACHE:
        is_good = OpprofCutterFeed(&launch->cutter, bytes, length, take_l2, launch);
        break;
    case RAW_OPERANDS:
        is_good = OperandRecordFeed(&launch->operands, bytes, length);
        break;
    case RAW_NONE:
    case RAW_OTHER:
        break;
    }
    return is_good ? OPPROF_OK : no_memory(error);
}

OpprofStatus LaunchFeed(Launch *launch, const OpprofOnboardChunk *chunk, const unsigned char *bytes,
                        OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    launch->folder = *chunk;
    launch->is_range = launch->is_range || (chunk->flags & OPPROF_ONBOARD_CHUNK_RANGE) != 0;
    if (chunk->file != launch->file || chunk->offset == 0) {
        if (launch->file != OPPROF_NA_STRING) {
            end_file(launch);
        }
        if (chunk->file == OPPROF_NA_STRING) {
            return OPPROF_OK;
        }
        status = begin_file(launch, chunk, error);
    }
    return status == OPPROF_OK && bytes != NULL
               ? take_piece(launch, bytes, chunk->bytes.length, error)
               : status;
}

/* ---- the end ---- */

OpprofStatus LaunchEnd(Launch *launch, bool *ret_is_good, OpprofError **error)
{
    OpprofStatus status;

    if (launch->file != OPPROF_NA_STRING) {
        end_file(launch);
    }
    status = set_up(launch, error);
    *ret_is_good = status == OPPROF_OK && launch->model != NULL;
    if (!*ret_is_good) {
        return status;
    }
    LaunchCheck(launch);
    return OPPROF_OK;
}
