/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Emits the events of a completely read launch, with times from its zero on. Tests:
 * tests/plugins/mc2/test_vectors.sh.
 */
#include "event.h"
#include "launch.h"
#include <opprof/grow.h>
#include <opprof/text.h>
#include <stdlib.h>

#include <inttypes.h>
#include <stdio.h>

#define MARKS_AT_ONCE 256u
#define NAME_ROOM 24u

typedef struct EmitCounts {
    uint64_t early;    /* spans that begin before zero */
    uint64_t unknown;  /* tasks of types that are in no table */
    uint64_t timeless; /* communication tasks without times */
    uint64_t empty;    /* phases of turns that end where they begin, or before */
} EmitCounts;

typedef struct Emitter {
    Launch *launch;
    OpprofStage *stage;
    uint32_t port;
    uint64_t zero;
    uint64_t *ids; /* of users' marks, ascending: their places are colours */
    size_t id_count;
    size_t id_capacity;
    OpprofMap seen; /* the same ids */
    uint64_t mark;  /* number of the current mark */
    EmitCounts counts;
    OpprofError **error;
} Emitter;

static OpprofStatus no_memory(const Emitter *emitter)
{
    return OpprofErrorNoMemory(emitter->error, "emit the events of launch '%s'",
                               OpprofLaunchPlace(&emitter->launch->base));
}

static uint32_t intern(const Emitter *emitter, const char *text)
{
    return OpprofStageIntern(emitter->stage, text, strlen(text));
}

/* An event of the launch with nothing but its times. */
static Mc2Event event_of(const Emitter *emitter, Mc2Kind kind, uint64_t start, uint64_t end)
{
    const OpprofLaunch *folder = &emitter->launch->base;

    return (Mc2Event){ .start = start - emitter->zero,
                       .end = end - emitter->zero,
                       .item = OPPROF_NA_U64,
                       .pc = OPPROF_NA_U64,
                       .bytes = OPPROF_NA_U64,
                       .notify = OPPROF_NA_U64,
                       .estimated_us = OpprofNaF64(),
                       .kind = kind,
                       .sort = -1,
                       .block = OPPROF_NA_U32,
                       .number = OPPROF_NA_U32,
                       .stream = OPPROF_NA_U32,
                       .task = OPPROF_NA_U32,
                       .local_rank = OPPROF_NA_U32,
                       .remote_rank = OPPROF_NA_U32,
                       .transport = OPPROF_NA_U32,
                       .data_type = OPPROF_NA_U32,
                       .link = OPPROF_NA_U32,
                       .device = folder->device,
                       .kernel = folder->kernel,
                       .order = folder->order };
}

static OpprofStatus emit(Emitter *emitter, const Mc2Event *event)
{
    return OpprofStageAppend(emitter->stage, emitter->port, emitter->launch->base.partition, event);
}

/* ---- blocks and core tasks ---- */

static OpprofStatus emit_blocks(Emitter *emitter)
{
    const Blocks *blocks = &emitter->launch->blocks;
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; status == OPPROF_OK && i < blocks->count; i++) {
        const BlockSpan *span = &blocks->list[i];
        char lane[LANE_NAME_ROOM];
        Mc2Event event = event_of(emitter, MC2_BLOCK, span->start, span->end);
        event.block = BlocksNumber(blocks, span);
        BlocksLane(blocks, span->is_cube, event.block, lane);
        event.lane = intern(emitter, lane);
        event.name = intern(emitter, span->is_cube ? "cube time" : "vector time");
        event.colour = span->is_cube ? PALETTE_GRASS : PALETTE_GREEN;
        event.rest = span->is_cube;
        event.sort = (int32_t) i + 1;
        status = emit(emitter, &event);
    }
    return status;
}

static OpprofStatus emit_core_task(Emitter *emitter, uint64_t start, uint64_t end)
{
    Mc2Event event = event_of(emitter, MC2_CORE_TASK, start, end);

    event.name = intern(emitter, "AI_CORE");
    event.colour = PALETTE_GRASS;
    return emit(emitter, &event);
}

/* ---- marks ---- */

static OpprofStatus add_id(Emitter *emitter, uint64_t id)
{
    if (OpprofMapFind(&emitter->seen, id) != OPPROF_MAP_NONE) {
        return OPPROF_OK;
    }
    if (!OpprofGrow(&emitter->ids, &emitter->id_capacity, emitter->id_count + 1,
                    sizeof *emitter->ids) ||
        !OpprofMapPut(&emitter->seen, id, (uint32_t) emitter->id_count)) {
        return no_memory(emitter);
    }
    emitter->ids[emitter->id_count++] = id;
    return OPPROF_OK;
}

static int compare_ids(const void *a, const void *b)
{
    const uint64_t *left = a;
    const uint64_t *right = b;

    return (*left > *right) - (*left < *right);
}

static OpprofStatus rank_ids(Emitter *emitter)
{
    if (emitter->id_count > 0) {
        qsort(emitter->ids, emitter->id_count, sizeof *emitter->ids, compare_ids);
    }
    for (size_t i = 0; i < emitter->id_count; i++) {
        if (!OpprofMapPut(&emitter->seen, emitter->ids[i], (uint32_t) i)) {
            return no_memory(emitter);
        }
    }
    return OPPROF_OK;
}

static void name_pair(const Emitter *emitter, const MarkPair *pair, Mc2Event *event)
{
    char digits[NAME_ROOM];

    if (pair->is_user) {
        snprintf(digits, sizeof digits, "%u", pair->start.id);
        event->name = intern(emitter, digits);
        event->colour = OpprofMapFind(&emitter->seen, pair->start.id);
        return;
    }
    const NamedColour *named =
        event->kind == MC2_LCCL ? LcclPhase(pair->start.id) : ApiFind(pair->start.id);
    if (named != NULL) { /* else the mark would not be here */
        event->name = intern(emitter, named->name);
        event->colour = named->colour;
    }
}

static OpprofStatus emit_pair(Emitter *emitter, CoreMarkKind kind, const MarkPair *pair)
{
    const Blocks *blocks = &emitter->launch->blocks;
    char lane[LANE_NAME_ROOM];
    Mc2Event event = event_of(emitter,
                              kind == CORE_MARKS_LCCL ? MC2_LCCL
                              : pair->is_user         ? MC2_USER
                                                      : MC2_API,
                              pair->start.time, pair->end);

    BlocksLane(blocks, pair->is_cube, pair->number, lane);
    event.lane = intern(emitter, lane);
    event.block = pair->number;
    event.item = pair->start.id;
    event.pc = pair->start.pc;
    event.operation = pair->start.operation;
    event.rest = pair->start.reserved;
    name_pair(emitter, pair, &event);
    return emit(emitter, &event);
}

/* Reads a mark from the spool. */
typedef OpprofStatus MarkTake(Emitter *emitter, void *context, const CoreMark *mark);

static OpprofStatus each_mark(Emitter *emitter, MarkTake *take, void *context)
{
    const Launch *launch = emitter->launch;
    CoreMark marks[MARKS_AT_ONCE];
    OpprofStatus status = OPPROF_OK;

    for (uint64_t done = 0; status == OPPROF_OK && done < launch->mark_count;) {
        const uint64_t left = launch->mark_count - done;
        const size_t count = left < MARKS_AT_ONCE ? (size_t) left : MARKS_AT_ONCE;

        status = OpprofSpoolRead(&launch->marks, done * sizeof marks[0], count * sizeof marks[0],
                                 (char *) marks, emitter->error);
        for (size_t i = 0; status == OPPROF_OK && i < count; i++) {
            emitter->mark = done + i;
            status = take(emitter, context, &marks[i]);
        }
        done += count;
    }
    return status;
}

static OpprofStatus vote(Emitter *emitter, void *context, const CoreMark *mark)
{
    if (mark->time >= emitter->zero) {
        BlockVote(context, mark->block);
    }
    return OPPROF_OK;
}

static OpprofStatus collect_id(Emitter *emitter, void *context, const CoreMark *mark)
{
    MarkPair pair;
    bool is_pair = false;

    if (!MarkPairingTake(context, mark, &pair, &is_pair)) {
        return no_memory(emitter);
    }
    return is_pair && pair.is_user ? add_id(emitter, pair.start.id) : OPPROF_OK;
}

/* Passes on a mark whose id is in no table, as in its file. */
static void keep_mark(const Emitter *emitter, const CoreMark *mark, bool is_lccl)
{
    Launch *launch = emitter->launch;
    unsigned char bytes[LCCL_MARK_BYTES];
    const uint32_t size = CoreMarkBytes(mark, is_lccl, bytes);
    size_t file = launch->mark_file_count;

    while (file > 1 && launch->mark_files[file - 1].first > emitter->mark) {
        file--;
    }
    if (file > 0) {
        const MarkFile *its = &launch->mark_files[file - 1];
        OpprofRawKeep(&launch->base.raw, its->name, (emitter->mark - its->first) * size, bytes,
                      size, "a mark whose id is unknown");
    }
}

static OpprofStatus put_mark(Emitter *emitter, void *context, const CoreMark *mark)
{
    MarkPairing *pairing = context;
    const uint64_t unknown = pairing->counts.unknown;
    MarkPair pair;
    bool is_pair = false;

    if (!MarkPairingTake(pairing, mark, &pair, &is_pair)) {
        return no_memory(emitter);
    }
    if (pairing->counts.unknown != unknown) {
        keep_mark(emitter, mark, pairing->kind == CORE_MARKS_LCCL);
    }
    return is_pair ? emit_pair(emitter, pairing->kind, &pair) : OPPROF_OK;
}

static void report_marks(const Emitter *emitter, const MarkCounts *counts)
{
    const struct {
        uint64_t count;
        const char *why;
    } lost[] = {
        { counts->without_end, "have no end" },
        { counts->without_start, "have no start" },
        { counts->repeated, "are starts of tasks that had started already" },
        { counts->backwards, "end before they start" },
        { counts->no_block, "are of blocks that no counters were recorded of" },
        { counts->outside, "lie outside of their block's time" },
        { counts->unknown, "have an unknown id" },
        { counts->again, "are repeated or out of order" },
    };

    for (size_t i = 0; i < sizeof lost / sizeof lost[0]; i++) {
        if (lost[i].count > 0) {
            OPPROF_LAUNCH_LACKS(&emitter->launch->base,
                                "%" PRIu64 " of %" PRIu64
                                " marks of cores in 'aic_timestamp.bin' %s",
                                lost[i].count, counts->marks, lost[i].why);
        }
    }
    if (counts->early > 0 && counts->early == emitter->launch->mark_count) {
        OPPROF_LAUNCH_LACKS(&emitter->launch->base,
                            "all %" PRIu64 " marks of cores in 'aic_timestamp.bin' "
                            "are of times before the launch",
                            counts->early);
    }
    OpprofStageCount(emitter->stage, "marks of cores", counts->marks);
    OpprofStageCount(emitter->stage, "marks before the launch", counts->early);
}

static OpprofStatus emit_marks(Emitter *emitter)
{
    Launch *launch = emitter->launch;
    BlockVotes votes = { .has_upper = false };
    MarkPairing pairing = { .kind = launch->is_mc2    ? CORE_MARKS_MC2
                                    : launch->is_lccl ? CORE_MARKS_LCCL
                                                      : CORE_MARKS_PLAIN,
                            .facts = launch->facts,
                            .blocks = &launch->blocks,
                            .zero = emitter->zero };

    OpprofStatus status = each_mark(emitter, vote, &votes);
    pairing.format = BlockVotesFormat(&votes, &launch->blocks);
    if (status == OPPROF_OK) {
        MarkPairing dry = pairing;
        status = each_mark(emitter, collect_id, &dry);
        MarkPairingFinish(&dry);
    }
    status = status == OPPROF_OK ? rank_ids(emitter) : status;
    if (status == OPPROF_OK) {
        status = each_mark(emitter, put_mark, &pairing);
        MarkPairingEnd(&pairing);
        report_marks(emitter, &pairing.counts);
    }
    MarkPairingFinish(&pairing);
    return status;
}

/* ---- the AI CPU's turns ---- */

static OpprofStatus emit_turn(Emitter *emitter, const AicpuTurn *turn)
{
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < TURN_PHASES; i++) {
        if (turn->times[i] < emitter->zero || turn->times[i + 1] <= turn->times[i]) {
            emitter->counts.empty++;
            continue;
        }
        Mc2Event event = event_of(emitter, MC2_TURN, turn->times[i], turn->times[i + 1]);
        event.name = intern(emitter, TurnPhase(i)->name);
        event.colour = TurnPhase(i)->colour;
        event.number = turn->turn;
        event.rest = i;
        event.stream = turn->stream;
        event.task = turn->task;
        status = emit(emitter, &event);
    }
    return status;
}

/* ---- tasks of streams ---- */

static OpprofStatus emit_task(Emitter *emitter, const TaskTime *time)
{
    const bool is_core = OpprofBitsGet(emitter->launch->facts->log.task_types, time->type, 1) != 0;
    const char *name = TaskTypeName(time->type);

    if (time->start < emitter->zero) {
        emitter->counts.early++;
        return OPPROF_OK;
    }
    if (is_core) {
        return emit_core_task(emitter, time->start, time->end);
    }
    if (name == NULL) {
        emitter->counts.unknown++;
        return OPPROF_OK;
    }
    Mc2Event event = event_of(emitter, time->type == TASK_TYPE_AI_CPU ? MC2_CPU_TASK : MC2_TASK,
                              time->start, time->end);
    event.name = intern(emitter, name);
    event.colour = time->type;
    event.number = time->stream;
    event.stream = time->stream;
    event.task = time->task;
    return emit(emitter, &event);
}

static OpprofStatus emit_comm(Emitter *emitter, const CommTask *task)
{
    uint32_t stream = task->stream;
    uint32_t number = task->task & 0xffff;

    TaskNormalise(&stream, &number);
    const TaskTime *time = TaskLogTake(&emitter->launch->log, stream, number);
    if (time == NULL || time->start < emitter->zero) {
        emitter->counts.timeless++;
        return OPPROF_OK;
    }
    Mc2Event event = event_of(emitter, MC2_COMM, time->start, time->end);
    const NamedColour *named = TaskNameFind(task->item);
    event.name = intern(emitter, named->name);
    event.colour = named->colour;
    event.item = task->item;
    event.number = task->plane;
    event.stream = stream;
    event.task = (task->task & ~UINT32_C(0xffff)) | number; /* as the log of tasks has it */
    event.bytes = task->bytes;
    event.notify = task->notify;
    event.estimated_us = task->estimated_us;
    event.local_rank = task->local_rank;
    event.remote_rank = task->remote_rank;
    event.transport = task->transport;
    event.data_type = task->data_type;
    event.link = task->link;
    return emit(emitter, &event);
}

static OpprofStatus emit_streams(Emitter *emitter)
{
    const Launch *launch = emitter->launch;
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; status == OPPROF_OK && i < launch->turn_count; i++) {
        status = emit_turn(emitter, &launch->turns[i]);
    }
    for (size_t i = 0; status == OPPROF_OK && i < launch->log.time_count; i++) {
        status = emit_task(emitter, &launch->log.times[i]);
    }
    for (size_t i = 0; status == OPPROF_OK && i < launch->task_count; i++) {
        status = emit_comm(emitter, &launch->tasks[i]);
    }
    return status;
}

/* ---- zero ---- */

static uint64_t least_of(uint64_t a, uint64_t b)
{
    return a == 0 || (b != 0 && b < a) ? b : a;
}

/* When the operator began: "AI_CORE" is drawn from there. 0: unknown. */
static uint64_t find_baseline(const Launch *launch, const LaunchStart *start)
{
    if (start->cores == 0) {
        return start->cpu != 0 ? start->cpu : BlocksStart(&launch->blocks);
    }
    return launch->is_mc2 ? least_of(start->cores, start->cpu) : start->cores;
}

static OpprofStatus note_first(Emitter *emitter, void *context, const CoreMark *mark)
{
    uint64_t *first = context;

    (void) emitter;
    *first = least_of(*first, mark->time);
    return OPPROF_OK;
}

/* Without the launch's own start and without blocks the first event serves. */
static OpprofStatus find_first(Emitter *emitter)
{
    const Launch *launch = emitter->launch;
    uint64_t first = 0;

    for (size_t i = 0; i < launch->log.time_count; i++) {
        first = least_of(first, launch->log.times[i].start);
    }
    for (size_t i = 0; i < launch->turn_count; i++) {
        first = least_of(first, launch->turns[i].times[0]);
    }
    const OpprofStatus status = each_mark(emitter, note_first, &first);
    emitter->zero = first;
    OPPROF_LAUNCH_LACKS(&launch->base, "it is unknown when it began, times count from the first "
                                       "event");
    return status;
}

/* The operator as one span, if the streams' tasks are not drawn. */
static OpprofStatus emit_operator(Emitter *emitter, const LaunchStart *start, uint64_t baseline)
{
    const uint64_t end =
        start->core_end != 0 ? start->core_end : BlocksLastEnd(&emitter->launch->blocks);

    return baseline == 0 || end < baseline ? OPPROF_OK : emit_core_task(emitter, baseline, end);
}

/* ---- what was left out ---- */

static void report_blocks(const Emitter *emitter)
{
    const Launch *launch = emitter->launch;
    const char *file = OpprofStageString(emitter->stage, launch->block_file);

    if (launch->foreign > 0) {
        OPPROF_LAUNCH_LACKS(
            &launch->base,
            "%" PRIu64 " %s of kinds that the chip's file does not know, and %s left out",
            launch->foreign, OPPROF_PLURAL(launch->foreign, "record is", "records are"),
            OPPROF_PLURAL(launch->foreign, "is", "are"));
    }
    if (launch->blocks.backwards > 0) {
        OPPROF_LAUNCH_LACKS(&launch->base,
                            "%" PRIu64 " %s of blocks in '%s' with an end before the start",
                            launch->blocks.backwards,
                            OPPROF_PLURAL(launch->blocks.backwards, "record", "records"), file);
    }
    if (launch->blocks.repeated > 0) {
        OPPROF_LAUNCH_LACKS(
            &launch->base, "%" PRIu64 " %s more than one record in '%s': the last one counts",
            launch->blocks.repeated,
            OPPROF_PLURAL(launch->blocks.repeated, "block has", "blocks have"), file);
    }
}

/* Files that every launch has, or every launch that communicates. */
static void report_missing(const Emitter *emitter)
{
    const Launch *launch = emitter->launch;
    const bool is_mc2 = launch->is_mc2;
    const char *blocks = launch->block_file != OPPROF_NA_STRING
                             ? OpprofStageString(emitter->stage, launch->block_file)
                             : "DeviceProf1.bin";
    const struct {
        bool is_missing;
        const char *file, *what;
    } missing[] = {
        { launch->blocks.records == 0, blocks, "the times of blocks" },
        { launch->log.counts.records == 0, "duration.bin", "the times of tasks" },
        { is_mc2 && launch->aicpu.reports == 0, "aicpu.bin", "turns and communication tasks" },
        { (is_mc2 || launch->is_lccl) && launch->mark_count == 0 && !launch->may_lack_marks,
          "aic_timestamp.bin", "what cores called" },
    };

    for (size_t i = 0; i < OPPROF_COUNT(missing); i++) {
        if (missing[i].is_missing) {
            OPPROF_LAUNCH_LACKS(&launch->base,
                                "'%s' is missing or holds no record: %s are not "
                                "known",
                                missing[i].file, missing[i].what);
        }
    }
}

static void report(const Emitter *emitter)
{
    const Launch *launch = emitter->launch;
    const TaskLogCounts *log = &launch->log.counts;
    const struct {
        uint64_t count;
        const char *one, *several;
    } lost[] = {
        { launch->base.is_stopped ? 0 : log->without_end, "task in 'duration.bin' has no end",
          "tasks in 'duration.bin' have no end" },
        { log->without_start, "end in 'duration.bin' has no start",
          "ends in 'duration.bin' have no start" },
        { log->repeated, "task in 'duration.bin' starts again before it ends",
          "tasks in 'duration.bin' start again before they end" },
        { log->backwards, "task in 'duration.bin' ends before it starts",
          "tasks in 'duration.bin' end before they start" },
        { log->timeless, "record in 'duration.bin' has no time",
          "records in 'duration.bin' have no time" },
        { log->again, "task in 'duration.bin' is repeated, with the same times",
          "tasks in 'duration.bin' are repeated, with the same times" },
        { launch->aicpu.again, "turn in 'aicpu.bin' is repeated, with the same times",
          "turns in 'aicpu.bin' are repeated, with the same times" },
        { emitter->counts.unknown, "task in 'duration.bin' is of a type that is not known",
          "tasks in 'duration.bin' are of types that are not known" },
        { emitter->counts.timeless,
          "communication task in 'aicpu.bin' has no times in 'duration.bin'",
          "communication tasks in 'aicpu.bin' have no times in 'duration.bin'" },
    };

    for (size_t i = 0; i < sizeof lost / sizeof lost[0]; i++) {
        if (lost[i].count > 0) {
            OPPROF_LAUNCH_LACKS(&launch->base, "%" PRIu64 " %s", lost[i].count,
                                OPPROF_PLURAL(lost[i].count, lost[i].one, lost[i].several));
        }
    }
    report_blocks(emitter);
    if (launch->base.is_over && !launch->base.is_stopped) {
        report_missing(emitter);
    }
    if (launch->aicpu.bad > 0) {
        OPPROF_LAUNCH_LACKS(&launch->base,
                            "%" PRIu64 " %s a wrong magic "
                            "number or length in 'aicpu.bin', the first at byte %" PRIu64,
                            launch->aicpu.bad,
                            OPPROF_PLURAL(launch->aicpu.bad, "report has", "reports have"),
                            launch->aicpu.bad_at);
    }
    OpprofStageCount(emitter->stage, "tasks", log->tasks);
    OpprofStageCount(emitter->stage, "tasks before the launch", emitter->counts.early);
    OpprofStageCount(emitter->stage, "phases of turns without length", emitter->counts.empty);
}

static OpprofStatus emit_facts(Emitter *emitter)
{
    Launch *launch = emitter->launch;
    Mc2Event event = event_of(emitter, MC2_LAUNCH, emitter->zero, emitter->zero);

    event.name = intern(emitter, launch->is_mc2 ? "MC2" : launch->is_lccl ? "LCCL" : "plain");
    event.item = emitter->zero;
    event.pc = OpprofLaunchCodeStart(&launch->base);
    return emit(emitter, &event);
}

static OpprofStatus emit_all(Emitter *emitter)
{
    Launch *launch = emitter->launch;
    const Blocks *blocks = &launch->blocks;
    const LaunchStart start =
        TaskLogLaunch(&launch->log, blocks->has_task, blocks->stream, blocks->task);
    const uint64_t baseline = find_baseline(launch, &start);

    emitter->zero = least_of(baseline, BlocksStart(blocks));
    OpprofStatus status = emitter->zero == 0 ? find_first(emitter) : OPPROF_OK;
    status = status == OPPROF_OK ? emit_facts(emitter) : status;
    status = status == OPPROF_OK ? emit_blocks(emitter) : status;
    if (status == OPPROF_OK && !launch->is_mc2) {
        status = emit_operator(emitter, &start, baseline);
    }
    status = status == OPPROF_OK ? emit_marks(emitter) : status;
    if (status == OPPROF_OK && launch->is_mc2) {
        status = emit_streams(emitter);
    }
    return status == OPPROF_OK && !LaunchFindContradictions(launch, &start, emitter->zero)
               ? no_memory(emitter)
               : status;
}

OpprofStatus LaunchEmit(Launch *launch, uint32_t port, OpprofError **error)
{
    const OpprofClock clock = { .name = "system counter", .hz = launch->facts->counter_khz * 1000 };
    Emitter emitter = {
        .launch = launch, .stage = launch->base.stage, .port = port, .error = error
    };

    OpprofStageSetClock(launch->base.stage, port, OpprofStageClock(launch->base.stage, &clock));
    OpprofStatus status = emit_all(&emitter);
    if (status == OPPROF_OK) {
        report(&emitter);
        status = OpprofStagePushOpen(launch->base.stage, port, UINT64_MAX);
    }
    OpprofMapFinish(&emitter.seen);
    free(emitter.ids);
    return *error == NULL ? OpprofErrorExplain(error, status, "Cannot emit the timeline") : status;
}
