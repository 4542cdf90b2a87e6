/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the raw files of one launch as they arrive, piece by piece. Tested by
 * tests/plugins/mc2/test_vectors.sh. */
#include "launch.h"

#include <opprof/grow.h>
#include <stdlib.h>

#define SPOOL_PIECE 256u /* marks written to the spool at once */

/* ---- the chip ---- */

static OpprofStatus load_facts(void *instance, const OpprofChip *chip, void *facts,
                               OpprofError **error)
{
    (void) instance;
    return Mc2FactsLoad(chip, facts, error);
}

static OpprofStatus choose(OpprofLaunch *base, OpprofError **error)
{
    Launch *launch = (Launch *) base;

    (void) error;
    launch->facts = base->model;
    launch->log.layout = &launch->facts->log;
    launch->blocks.layout = &launch->facts->blocks;
    return OPPROF_OK;
}

/* ---- blocks and tasks ---- */

/* Files of records of `size` bytes; 0: the chip leaves none. */
static OpprofStatus begin_records(OpprofLaunch *base, uint32_t size)
{
    base->file.record_bytes = size;
    return size == 0 ? OPPROF_END : OPPROF_OK;
}

static OpprofStatus begin_blocks(OpprofLaunch *base, OpprofError **error)
{
    Launch *launch = (Launch *) base;

    (void) error;
    launch->resets_blocks = true;
    launch->block_file = base->file.id;
    return begin_records(base, launch->facts->blocks.record.size);
}

/* The chip file lists kinds of records that are not of a block; any other
 * may have been a block's. */
static void keep_foreign(Launch *launch, const unsigned char *record)
{
    const OpprofCounterRecord *layout = &launch->facts->blocks.record;
    const uint64_t function = OpprofRecordBitsGet(&layout->function, record);

    if (function >= 64 || OpprofBitsGet(layout->known, (unsigned) function, 1) == 0) {
        launch->foreign++;
        OpprofLaunchKeep(&launch->base, record, layout->size,
                         "a record of a function type that the chip file does not name");
    }
}

static OpprofStatus take_blocks(OpprofLaunch *base, const unsigned char *records, size_t count,
                                OpprofError **error)
{
    Launch *launch = (Launch *) base;
    const uint32_t size = base->file.record_bytes;

    (void) error;
    if (launch->resets_blocks) {
        BlocksReset(&launch->blocks);
        launch->resets_blocks = false;
    }
    for (size_t i = 0; i < count; i++) {
        const uint64_t before = launch->blocks.records;

        if (!BlocksRecords(&launch->blocks, records + i * size, 1)) {
            return OPPROF_E_MEMORY;
        }
        if (launch->blocks.records == before) {
            keep_foreign(launch, records + i * size);
        }
    }
    return OPPROF_OK;
}

static OpprofStatus begin_log(OpprofLaunch *base, OpprofError **error)
{
    (void) error;
    return begin_records(base, ((const Launch *) base)->facts->log.size);
}

static OpprofStatus take_log(OpprofLaunch *base, const unsigned char *records, size_t count,
                             OpprofError **error)
{
    Launch *launch = (Launch *) base;
    const uint32_t size = base->file.record_bytes;

    (void) error;
    for (size_t i = 0; i < count; i++) {
        const uint64_t before = launch->log.counts.other;

        if (!TaskLogRecords(&launch->log, records + i * size, 1)) {
            return OPPROF_E_MEMORY;
        }
        if (launch->log.counts.other != before) {
            OpprofLaunchKeep(base, records + i * size, size,
                             "neither the start nor the end of a task");
        }
    }
    return OPPROF_OK;
}

/* ---- the AI CPU ---- */

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

static OpprofStatus take_aicpu(OpprofLaunch *base, const unsigned char *records, size_t count,
                               OpprofError **error)
{
    Launch *launch = (Launch *) base;
    AicpuCounts *counts = &launch->aicpu;

    (void) error;
    for (size_t i = 0; i < count; i++) {
        const unsigned char *record = records + i * AICPU_RECORD_BYTES;
        AicpuReport report;

        AicpuRead(record, &report);
        if (report.kind == AICPU_BAD) {
            counts->bad_at =
                counts->bad == 0 ? counts->reports * AICPU_RECORD_BYTES : counts->bad_at;
            counts->bad++;
        }
        if (report.kind == AICPU_BAD || report.kind == AICPU_OTHER) {
            OpprofLaunchKeep(base, record, AICPU_RECORD_BYTES,
                             report.kind == AICPU_BAD ? "a wrong magic number or length"
                                                      : "neither a turn nor communication tasks");
        }
        counts->reports++;
        if (!keep_report(launch, &report)) {
            return OPPROF_E_MEMORY;
        }
    }
    return OPPROF_OK;
}

/* ---- marks of cores ---- */

/* Notes that marks from here on belong to the current file. */
static bool note_mark_file(Launch *launch)
{
    const size_t count = launch->mark_file_count;

    if (count > 0 && launch->mark_files[count - 1].name == launch->base.file.id &&
        launch->base.file.at > 0) {
        return true;
    }
    if (!OpprofGrow(&launch->mark_files, &launch->mark_file_capacity, count + 1,
                    sizeof *launch->mark_files)) {
        return false;
    }
    launch->mark_files[launch->mark_file_count++] =
        (MarkFile){ .name = launch->base.file.id, .first = launch->mark_count };
    return true;
}

static OpprofStatus begin_marks(OpprofLaunch *base, OpprofError **error)
{
    const bool is_lccl = OpprofLaunchFlag(base, "lccl") && !OpprofLaunchFlag(base, "mc2");

    (void) error;
    return begin_records(base, is_lccl ? LCCL_MARK_BYTES : CORE_MARK_BYTES);
}

static OpprofStatus take_marks(OpprofLaunch *base, const unsigned char *records, size_t count,
                               OpprofError **error)
{
    Launch *launch = (Launch *) base;
    const uint32_t size = base->file.record_bytes;
    CoreMark marks[SPOOL_PIECE];
    uint64_t unused;

    if (!note_mark_file(launch)) {
        return OPPROF_E_MEMORY;
    }
    for (size_t done = 0; done < count;) {
        size_t have = 0;

        while (have < SPOOL_PIECE && done < count) {
            const unsigned char *record = records + done++ * size;
            marks[have++] = size == LCCL_MARK_BYTES ? LcclMarkRead(record) : CoreMarkRead(record);
        }
        const OpprofStatus status =
            OpprofSpoolAppend(&launch->marks, OpprofStageOutput(base->stage), (const char *) marks,
                              have * sizeof marks[0], &unused, error);
        if (status != OPPROF_OK) {
            return status;
        }
        launch->mark_count += have;
    }
    return OPPROF_OK;
}

static const OpprofRoleReader roles[] = {
    { .role = "counters",
      .flags = OPPROF_ROLE_NEEDS_CHIP,
      .begin = begin_blocks,
      .take = take_blocks },
    { .role = "task_log", .flags = OPPROF_ROLE_NEEDS_CHIP, .begin = begin_log, .take = take_log },
    { .role = "aicpu",
      .flags = OPPROF_ROLE_NEEDS_CHIP,
      .record_bytes = AICPU_RECORD_BYTES,
      .take = take_aicpu },
    { .role = "marks", .flags = OPPROF_ROLE_NEEDS_CHIP, .begin = begin_marks, .take = take_marks },
};

/* ---- launches ---- */

/* For some chips the meaning of some task types is uncertain. */
static void warn_of_types(const Launch *launch)
{
    Mc2Parser *self = (Mc2Parser *) launch->base.reader;

    if (self->warned_of_types || !launch->facts->uncertain_types || !launch->is_mc2) {
        return;
    }
    for (size_t i = 0; i < launch->log.time_count; i++) {
        const uint32_t type = launch->log.times[i].type;
        if (type != TASK_TYPE_AI_CORE &&
            OpprofBitsGet(launch->facts->log.task_types, type, 1) != 0) {
            self->warned_of_types = true;
            OpprofStageWarn(launch->base.stage,
                            "Tasks of type %u of this chip are taken as tasks of AI cores; what "
                            "they are is uncertain",
                            type);
            return;
        }
    }
}

/* The launch is left to other parsers, or has no timeline, without any harm. */
static void forgive(OpprofLaunch *launch)
{
    OpprofErrorDestroy(launch->failure);
    launch->failure = NULL;
}

static OpprofStatus end_launch(OpprofLaunch *base, OpprofError **failure, OpprofError **error)
{
    const bool is_optional = ((const Mc2Parser *) base->reader)->is_optional;
    Launch *launch = (Launch *) base;

    (void) failure; /* the reader's */
    launch->is_mc2 = OpprofLaunchFlag(base, "mc2");
    launch->is_lccl = OpprofLaunchFlag(base, "lccl");
    launch->may_lack_marks = is_optional;
    if (is_optional && !launch->is_mc2 && !launch->is_lccl && launch->mark_count == 0) {
        forgive(base);
        return OPPROF_OK;
    }
    const OpprofStatus status = OpprofLaunchChoose(base, error);
    if (status == OPPROF_END && is_optional && OpprofErrorStatus(base->failure) == OPPROF_E_DATA) {
        OPPROF_LAUNCH_LACKS(base, "there is no timeline of its communication: %s",
                            OpprofErrorLine(base->failure));
        forgive(base);
    }
    if (status != OPPROF_OK) {
        return status == OPPROF_END ? OPPROF_OK : status;
    }
    TaskLogEnd(&launch->log);
    BlocksSort(&launch->blocks);
    warn_of_types(launch);
    return LaunchEmit(launch, MC2_OUTPUT_EVENTS, error);
}

static void finish_launch(OpprofLaunch *base)
{
    Launch *launch = (Launch *) base;

    TaskLogFinish(&launch->log);
    BlocksFinish(&launch->blocks);
    OpprofSpoolFinish(&launch->marks);
    free(launch->turns);
    free(launch->mark_files);
    free(launch->tasks);
}

const OpprofLaunchParser mc2_launch_parser = {
    .instance_bytes = sizeof(Mc2Parser),
    .launch_bytes = sizeof(Launch),
    .roles = roles,
    .role_count = OPPROF_COUNT(roles),
    .raw_port = MC2_OUTPUT_RAW,
    .model_bytes = sizeof(Mc2Facts),
    .load = load_facts,
    .choose = choose,
    .end = end_launch,
    .finish = finish_launch,
};
