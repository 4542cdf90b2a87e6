/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the raw files of one launch as they arrive, piece by piece. Tested by tests/plugins/mc2/test_vectors.sh. */
#include "launch.h"

#include <opprof/grow.h>
#include <opprof/kit/chip_choice.h>
#include <opprof/kit/raw_names.h>
#include <stdlib.h>

#include <inttypes.h>

#define SPOOL_PIECE 256u /* marks written to the spool at once */

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "parse timelines");
}

Launch *LaunchCreate(OpprofStage *stage, const char *chip, uint32_t partition)
{
    Launch *launch = calloc(1, sizeof *launch);

    if (launch != NULL) {
        launch->stage = stage;
        launch->chip = chip;
        launch->partition = partition;
    }
    return launch;
}

void LaunchFree(Launch *launch)
{
    if (launch == NULL) {
        return;
    }
    TaskLogFinish(&launch->log);
    BlocksFinish(&launch->blocks);
    OpprofSpoolFinish(&launch->marks);
    OpprofErrorDestroy(launch->failure);
    OpprofChipFree(launch->soc);
    free(launch->turns);
    free(launch->mark_files);
    free(launch->tasks);
    free(launch->text);
    free(launch);
}

/* ---- chip ---- */

static bool choose_chip(Launch *launch)
{
    if (launch->soc != NULL || launch->failure != NULL) {
        return launch->soc != NULL;
    }
    if (OpprofChipChoose(launch->chip, launch->info.soc, &launch->soc, NULL, &launch->failure) !=
        OPPROF_OK) {
        return false;
    }
    if (Mc2FactsLoad(launch->soc, &launch->facts, &launch->failure) != OPPROF_OK) {
        OpprofChipFree(launch->soc);
        launch->soc = NULL;
        return false;
    }
    launch->log.layout = &launch->facts.log;
    launch->blocks.layout = &launch->facts.blocks;
    return true;
}

/* ---- files ---- */

static RawKind kind_of(const Launch *launch, const char *name)
{
    static const struct {
        const char *role;
        RawKind kind;
    } kinds[] = {
        { "info", RAW_BASIC_INFO },   { "code_start", RAW_START_PC }, { "counters", RAW_BLOCKS },
        { "task_log", RAW_TASK_LOG }, { "aicpu", RAW_AICPU },         { "marks", RAW_MARKS },
    };
    const char *role = OpprofRawRole(launch->chip, name, NULL);

    for (size_t i = 0; role != NULL && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i].role, role) == 0) {
            return kinds[i].kind;
        }
    }
    return RAW_OTHER;
}

static uint32_t record_size(const Launch *launch)
{
    switch (launch->kind) {
    case RAW_BLOCKS:
        return launch->facts.blocks.record.size;
    case RAW_TASK_LOG:
        return launch->facts.log.size;
    case RAW_AICPU:
        return AICPU_RECORD_BYTES;
    case RAW_MARKS:
        return launch->info.is_lccl && !launch->info.is_mc2 ? LCCL_MARK_BYTES : CORE_MARK_BYTES;
    case RAW_OTHER:
    case RAW_BASIC_INFO:
    case RAW_START_PC:
    default:
        return 0;
    }
}

static void close_text(Launch *launch)
{
    if (launch->kind == RAW_BASIC_INFO) {
        LaunchInfoBasic(&launch->info, launch->chip, launch->text, launch->text_length);
        LaunchInfoTell(launch->stage, launch->partition, launch->file, launch->text,
                       launch->text_length);
    } else if (launch->kind == RAW_START_PC) {
        LaunchInfoStart(&launch->info, launch->text, launch->text_length);
    }
    free(launch->text);
    launch->text = NULL;
    launch->text_length = 0;
    launch->text_capacity = 0;
}

/* Reports what was cut off the file: whole records count. */
static void check_end(Launch *launch)
{
    const char *place = OpprofStageString(launch->stage, launch->partition);
    const char *name = OpprofStageString(launch->stage, launch->file);

    if (launch->file_bytes < launch->file_size) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': '%s' ends at byte %" PRIu64 " of %" PRIu64, place, name,
                              launch->file_bytes, launch->file_size);
    } else if (launch->pieces.size > 0 && launch->pieces.have > 0) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': '%s' ends within a record at byte %" PRIu64
                              ": %u of %u bytes are there",
                              place, name, launch->file_bytes - launch->pieces.have,
                              launch->pieces.have, launch->pieces.size);
    }
}

static void close_file(Launch *launch)
{
    if (launch->file == OPPROF_NA_STRING) {
        return;
    }
    check_end(launch);
    close_text(launch);
    launch->file = OPPROF_NA_STRING;
    launch->kind = RAW_OTHER;
}

static void open_file(Launch *launch, const OpprofOnboardChunk *chunk)
{
    launch->file = chunk->file;
    launch->kind = kind_of(launch, OpprofStageString(launch->stage, chunk->file));
    launch->file_size = chunk->file_size;
    launch->file_bytes = 0;
    launch->file_records = 0;
    launch->resets_blocks = launch->kind == RAW_BLOCKS;
    if (launch->kind == RAW_BLOCKS) {
        launch->block_file = chunk->file;
    }
    const bool is_binary = launch->kind >= RAW_BLOCKS;
    if (is_binary && !choose_chip(launch)) {
        launch->kind = RAW_OTHER;
    }
    const uint32_t size = record_size(launch);
    launch->pieces.size = launch->pieces.have = 0; /* of a text */
    if (size > 0) {
        OpprofCutterBegin(&launch->pieces, size);
    }
}

static OpprofStatus take_text(Launch *launch, const unsigned char *bytes, size_t length,
                              OpprofError **error)
{
    const size_t room = LAUNCH_TEXT_MAX - launch->text_length;
    const size_t taken = length < room ? length : room;

    if (!OpprofGrow(&launch->text, &launch->text_capacity, launch->text_length + taken + 1, 1)) {
        return no_memory(error);
    }
    memcpy(launch->text + launch->text_length, bytes, taken);
    launch->text_length += taken;
    return OPPROF_OK;
}

/* ---- records ---- */

/* Passes on a record of the current file that is of no known kind. */
static void keep_raw(Launch *launch, const unsigned char *record, const char *reason)
{
    OpprofRawKeep(&launch->raw, launch->file, launch->file_records * launch->pieces.size, record,
                  launch->pieces.size, reason);
}

static bool take_blocks(void *context, const unsigned char *records, size_t count)
{
    Launch *launch = context;

    if (launch->resets_blocks) {
        BlocksReset(&launch->blocks);
        launch->resets_blocks = false;
    }
    for (size_t i = 0; i < count; i++, launch->file_records++) {
        const unsigned char *record = records + i * launch->pieces.size;
        const uint64_t before = launch->blocks.records;
        if (!BlocksRecords(&launch->blocks, record, 1)) {
            return false;
        }
        if (launch->blocks.records == before) {
            keep_raw(launch, record,
                     "a record of a function type that the chip file does not name");
        }
    }
    return true;
}

static bool take_log(void *context, const unsigned char *records, size_t count)
{
    Launch *launch = context;

    for (size_t i = 0; i < count; i++, launch->file_records++) {
        const unsigned char *record = records + i * launch->pieces.size;
        const uint64_t before = launch->log.counts.other;
        if (!TaskLogRecords(&launch->log, record, 1)) {
            return false;
        }
        if (launch->log.counts.other != before) {
            keep_raw(launch, record, "neither the start nor the end of a task");
        }
    }
    return true;
}

static bool is_same_turn(const AicpuTurn *one, const AicpuTurn *other)
{
    return one->turn == other->turn && memcmp(one->times, other->times, sizeof one->times) == 0;
}

static bool keep_report(Launch *launch, const AicpuReport *report)
{
    if (report->kind == AICPU_TURN && launch->turn_count > 0 &&
        is_same_turn(&report->turn, &launch->turns[0])) {
        launch->aicpu.again++;
        return true;
    }
    if (report->kind == AICPU_TURN) {
        if (!OpprofGrow(&launch->turns, &launch->turn_capacity, launch->turn_count + 1,
                        sizeof *launch->turns)) {
            return false;
        }
        launch->turns[launch->turn_count++] = report->turn;
    }
    for (uint32_t i = 0; report->kind == AICPU_TASKS && i < report->task_count; i++) {
        if (!OpprofGrow(&launch->tasks, &launch->task_capacity, launch->task_count + 1,
                        sizeof *launch->tasks)) {
            return false;
        }
        launch->tasks[launch->task_count++] = report->tasks[i];
    }
    return true;
}

static bool take_aicpu(void *context, const unsigned char *records, size_t count)
{
    Launch *launch = context;
    AicpuCounts *counts = &launch->aicpu;

    for (size_t i = 0; i < count; i++) {
        AicpuReport report;
        AicpuRead(records + i * AICPU_RECORD_BYTES, &report);
        if (report.kind == AICPU_BAD) {
            counts->bad_at =
                counts->bad == 0 ? counts->reports * AICPU_RECORD_BYTES : counts->bad_at;
            counts->bad++;
        }
        if (report.kind == AICPU_BAD || report.kind == AICPU_OTHER) {
            keep_raw(launch, records + i * AICPU_RECORD_BYTES,
                     report.kind == AICPU_BAD ? "a wrong magic number or length"
                                              : "neither a turn nor communication tasks");
        }
        launch->file_records++;
        counts->reports++;
        if (!keep_report(launch, &report)) {
            return false;
        }
    }
    return true;
}

/* Notes that marks from here on belong to the current file. */
static bool note_mark_file(Launch *launch)
{
    const size_t count = launch->mark_file_count;

    if (count > 0 && launch->mark_files[count - 1].name == launch->file &&
        launch->file_records > 0) {
        return true;
    }
    if (!OpprofGrow(&launch->mark_files, &launch->mark_file_capacity, count + 1,
                    sizeof *launch->mark_files)) {
        return false;
    }
    launch->mark_files[launch->mark_file_count++] =
        (MarkFile){ .name = launch->file, .first = launch->mark_count };
    return true;
}

static bool take_marks(void *context, const unsigned char *records, size_t count)
{
    Launch *launch = context;
    CoreMark marks[SPOOL_PIECE];
    const uint32_t size = launch->pieces.size;
    uint64_t unused;

    if (!note_mark_file(launch)) {
        return false;
    }
    launch->file_records += count;
    for (size_t done = 0; done < count;) {
        size_t have = 0;
        while (have < SPOOL_PIECE && done < count) {
            const unsigned char *record = records + done++ * size;
            marks[have++] = size == LCCL_MARK_BYTES ? LcclMarkRead(record) : CoreMarkRead(record);
        }
        if (OpprofSpoolAppend(&launch->marks, OpprofStageOutput(launch->stage),
                              (const char *) marks, have * sizeof marks[0], &unused,
                              &launch->failure) != OPPROF_OK) {
            return false;
        }
        launch->mark_count += have;
    }
    return true;
}

static OpprofStatus take_records(Launch *launch, const unsigned char *bytes, size_t length,
                                 OpprofError **error)
{
    static OpprofCutterTake *const takes[] = { [RAW_BLOCKS] = take_blocks,
                                               [RAW_TASK_LOG] = take_log,
                                               [RAW_AICPU] = take_aicpu,
                                               [RAW_MARKS] = take_marks };

    if (OpprofCutterFeed(&launch->pieces, bytes, length, takes[launch->kind], launch)) {
        return OPPROF_OK;
    }
    if (launch->failure != NULL) {
        *error = launch->failure;
        launch->failure = NULL;
        return OpprofErrorStatus(*error);
    }
    return no_memory(error);
}

OpprofStatus LaunchFeed(Launch *launch, const OpprofOnboardChunk *chunk, const unsigned char *bytes,
                        OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    launch->folder = *chunk;
    if (chunk->file != launch->file) {
        close_file(launch);
        if (chunk->file == OPPROF_NA_STRING) {
            return OPPROF_OK;
        }
        open_file(launch, chunk);
    }
    if (bytes == NULL) {
        return OPPROF_OK;
    }
    if (launch->kind == RAW_BASIC_INFO || launch->kind == RAW_START_PC) {
        status = take_text(launch, bytes, chunk->bytes.length, error);
    } else if (launch->kind != RAW_OTHER && launch->pieces.size > 0) {
        status = take_records(launch, bytes, chunk->bytes.length, error);
    }
    launch->file_bytes += chunk->bytes.length;
    return status;
}

bool LaunchEnd(Launch *launch)
{
    close_file(launch);
    if (!choose_chip(launch)) {
        return false;
    }
    TaskLogEnd(&launch->log);
    BlocksSort(&launch->blocks);
    return true;
}
