/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes one core's logs through their two readings, in steps. Tested by
 * tests/plugins/collect-sim/test_collect_sim.c.
 */
#include "job.h"
#include "lacks.h"
#include <inttypes.h>

#define STEP_LINES 8192u

/* ---- what is told on the way ---- */

static void tell_lack(void *context, const char *message)
{
    const Job *job = context;

    OpprofStageIncomplete(job->stage, "%s", message);
}

/* The totals of all instances are added up, so one tells the size of the whole. */
static void tell_bytes(void *context, uint64_t bytes)
{
    Job *job = context;

    job->done += bytes;
    job->core_done += bytes;
    OpprofStageProgress(job->stage, job->done,
                        OpprofStageInstance(job->stage, NULL) == 0 ? job->work->bytes : 0, "bytes");
}

/* What is left of a reading will not be read. */
static void skip_bytes(Job *job)
{
    const uint64_t all = job->core->bytes / 2;

    if (job->core_done < all) {
        tell_bytes(job, all - job->core_done);
    }
}

static SimLogEvents events_of(Job *job)
{
    return (SimLogEvents){ .context = job, .lack = tell_lack, .bytes = tell_bytes };
}

static void open_logs(Job *job)
{
    const SimLogEvents events = events_of(job);

    SimLogInit(&job->popped, &job->core->found->popped, &events, SimLineTrim);
    SimLogInit(&job->instr, &job->core->found->instr, &events, SimLineTrim);
}

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorSet(error, OPPROF_E_MEMORY, "No memory to read a core's dump files");
}

static bool is_first(JobPhase phase)
{
    return phase == JOB_COUNT_POPPED || phase == JOB_COUNT_INSTR;
}

void JobReset(Job *job)
{
    SimLogFinish(&job->popped);
    SimLogFinish(&job->instr);
    EmitterFinish(&job->rows);
    EmitterFinish(&job->issues);
    SimLogFinish(&job->fetches);
    SimLogFinish(&job->issued);
    OverheadDestroy(job->overhead);
    job->overhead = NULL;
    IcacheDestroy(job->icache);
    job->icache = NULL;
    job->phase = JOB_IDLE;
    job->core = NULL;
}

/* ---- the first reading ---- */

/* The first reading is over; `is_kept` false: the core comes to nothing. */
static void end_first(Job *job, bool is_kept)
{
    skip_bytes(job);
    if (!is_kept) {
        PairingDestroy(job->core->pairing);
        job->core->pairing = NULL;
    }
    if (WorkEndFirst(job->work)) {
        LacksCores(job->stage, job->work);
    }
    JobReset(job);
}

/* The core's id is known, and not wanted. */
static bool is_unwanted(const Job *job)
{
    return job->core->has_id && !WorkIsWanted(job->work, job->core->id);
}

static void learn_id(const Job *job)
{
    job->core->id = WorkCoreId(job->work, job->core);
    job->core->has_id = true;
}

OpprofStatus JobStartFirst(Job *job, WorkCore *core, OpprofError **error)
{
    const SimFacts *facts = &job->work->facts;
    const PairingOptions options = { .by_id = facts->by_id,
                                     .find_core = facts->has_logical_cores,
                                     .is_simt = facts->is_simt,
                                     .left_out = job->left_out };

    job->core = core;
    job->core_done = 0;
    job->phase = JOB_COUNT_POPPED;
    if (!facts->has_logical_cores) {
        learn_id(job);
    }
    if (is_unwanted(job) || LacksLog(job->stage, core->found)) {
        end_first(job, false);
        return OPPROF_OK;
    }
    core->pairing = PairingCreate(&options);
    if (core->pairing == NULL) {
        end_first(job, false);
        return no_memory(error);
    }
    open_logs(job);
    return OPPROF_OK;
}

static OpprofStatus count_popped(Job *job, OpprofError **error)
{
    const PairingSource source = { .context = &job->popped, .next = SimLogNext };
    const OpprofStatus status = PairingCountPopped(job->core->pairing, &source, STEP_LINES, error);

    if (OpprofFailed(status)) {
        return status;
    }
    if (status == OPPROF_END || PairingGetCore(job->core->pairing).has_block) {
        learn_id(job);
    }
    if (is_unwanted(job)) {
        end_first(job, false);
    } else if (status == OPPROF_END) {
        job->phase = JOB_COUNT_INSTR;
    }
    return OPPROF_OK;
}

static OpprofStatus count_instr(Job *job, OpprofError **error)
{
    const PairingSource source = { .context = &job->instr, .next = SimLogNext };
    const OpprofStatus status = PairingCountInstr(job->core->pairing, &source, STEP_LINES, error);

    if (status == OPPROF_END) {
        LacksRecords(job->stage, job->core, job->work->facts.by_id);
        LacksIcache(job->stage, job->work, job->core->found);
        end_first(job, true);
        return OPPROF_OK;
    }
    return status;
}

/* ---- the second reading: marks and pairs ---- */

static void tell_marks(const Job *job, const Marks *marks, uint64_t nested, uint64_t open)
{
    for (unsigned digit = 0; digit < MARK_DIGITS; digit++) {
        if (marks->is_nested[digit]) {
            OpprofStageIncomplete(
                job->stage,
                "Core %s: the user marks 0x%u are left out, because their starts and stops do not "
                "take turns (a nested loop, or TRACE_START without TRACE_STOP)",
                job->core->name, digit);
        }
    }
    if (open > 0) {
        OpprofStageIncomplete(job->stage,
                              "Core %s: %" PRIu64 " user %s left out for lack of an end",
                              job->core->name, open, open == 1 ? "mark is" : "marks are");
    }
    if (nested + open > 0) {
        OpprofStageCount(job->stage, "user marks left out", nested + open);
    }
}

static OpprofStatus emit_marks(Job *job, uint32_t name, uint32_t clock, OpprofError **error)
{
    uint64_t nested, open;
    const Marks *marks = PairingGetMarks(job->core->pairing, &nested, &open);
    OpprofStatus status = OPPROF_OK;
    Emitter emitter;

    tell_marks(job, marks, nested, open);
    EmitterInit(&emitter, job->stage, EMIT_MARKS, name, clock);
    for (size_t i = 0; i < marks->count && status == OPPROF_OK; i++) {
        status = EmitMark(&emitter, marks, &marks->marks[i], error);
    }
    if (status == OPPROF_OK) {
        OpprofStageCount(job->stage, "user marks", marks->count);
        status = EmitterFlush(&emitter);
    }
    EmitterFinish(&emitter);
    return status;
}

static uint32_t intern(void *context, const char *text, size_t length)
{
    const Emitter *emitter = context;

    return OpprofStageIntern(emitter->stage, text, length);
}

/* ---- the second reading: fetch and issue ---- */

static void no_bytes(void *context, uint64_t bytes)
{
    (void) context;
    (void) bytes;
}

static void open_overhead(Job *job)
{
    const SimLogEvents events = { .context = job, .lack = tell_lack, .bytes = no_bytes };

    SimLogInit(&job->fetches, &job->core->found->icache, &events, NULL);
    SimLogInit(&job->issued, &job->core->found->ccu, &events, NULL);
}

static bool has_rows(const void *context, uint64_t pc)
{
    return PairingHasRows(context, pc);
}

static OpprofStatus take_heads(void *context, uint64_t pc, uint64_t start, uint32_t *ret_cache,
                               uint32_t *ret_ccu, OpprofError **error)
{
    return OverheadTake(context, pc, start, ret_cache, ret_ccu, error);
}

static bool start_overhead(Job *job)
{
    job->overhead = OverheadCreate(has_rows, job->core->pairing);
    job->phase = JOB_COUNT_FETCHES;
    open_overhead(job);
    return job->overhead != NULL;
}

static OpprofStatus count_overhead(Job *job, OpprofError **error)
{
    const OverheadSource fetches = { .context = &job->fetches, .next = SimLogNext };
    const OverheadSource issued = { .context = &job->issued, .next = SimLogNext };
    OpprofStatus status = job->phase == JOB_COUNT_FETCHES
                              ? OverheadCountFetches(job->overhead, &fetches, STEP_LINES, error)
                              : OverheadCountIssues(job->overhead, &issued, STEP_LINES, error);

    if (status != OPPROF_END) {
        return status;
    }
    if (job->phase == JOB_COUNT_FETCHES) {
        job->phase = JOB_COUNT_ISSUES;
        return OPPROF_OK;
    }
    SimLogFinish(&job->fetches);
    SimLogFinish(&job->issued);
    open_overhead(job);
    OverheadStart(job->overhead, &fetches, &issued);
    job->phase = JOB_PAIR;
    return OPPROF_OK;
}

/* Interned name of what operands look like. */
static uint32_t dialect_of(const Job *job)
{
    const char *name = job->work->facts.operands;

    return name == NULL ? OPPROF_NA_STRING : OpprofStageIntern(job->stage, name, strlen(name));
}

OpprofStatus JobStartSecond(Job *job, WorkCore *core, OpprofError **error)
{
    const OpprofClock core_clock = { .name = "core", .hz = job->work->facts.hz };
    const uint32_t name = OpprofStageIntern(job->stage, core->name, strlen(core->name));
    const uint32_t clock = OpprofStageClock(job->stage, &core_clock);
    PairingSink sink = { .context = &job->rows,
                         .intern = intern,
                         .row = EmitInstruction,
                         .issue = OpprofStageHasReader(job->stage, EMIT_ISSUES) ? EmitIssue : NULL,
                         .issue_context = &job->issues };
    OpprofStatus status;

    if (name == OPPROF_NA_STRING || clock == 0) {
        return no_memory(error);
    }
    job->core = core;
    job->core_done = 0;
    job->phase = JOB_PAIR;
    status = emit_marks(job, name, clock, error);
    if (status != OPPROF_OK) {
        JobReset(job);
        return status;
    }
    EmitterInit(&job->rows, job->stage, EMIT_INSTRUCTIONS, name, clock);
    EmitterInit(&job->issues, job->stage, EMIT_ISSUES, name, clock);
    job->rows.dialect = job->issues.dialect = dialect_of(job);
    if (job->work->has_overhead && !LacksOverhead(job->stage, job->work, core->found)) {
        if (!start_overhead(job)) {
            JobReset(job);
            return no_memory(error);
        }
        sink.heads = take_heads;
        sink.heads_context = job->overhead;
    }
    PairingSetSink(core->pairing, &sink);
    open_logs(job);
    return OPPROF_OK;
}

static void tell_counts(const Job *job)
{
    const PairingCounts counts = PairingGetCounts(job->core->pairing);

    OpprofStageCount(job->stage, "lines", counts.lines);
    OpprofStageCount(job->stage, "lines without a record", counts.no_records);
    OpprofStageCount(job->stage, "records left out by rule", counts.left_out);
    OpprofStageCount(job->stage, "records pruned", counts.pruned);
    OpprofStageCount(job->stage, "records without a partner", counts.alone);
    OpprofStageCount(job->stage, "pairs that end before they start", counts.backwards);
    OpprofStageCount(job->stage, "instructions", counts.rows);
    if (counts.is_out_of_order) {
        OpprofStageWarn(
            job->stage,
            "Core %s: ticks go back by so much that instructions could not be put into order of "
            "their end; they are all there, but some come late",
            job->core->name);
    }
    if (counts.missing > 0) {
        OpprofStageIncomplete(job->stage,
                              "Core %s: %" PRIu64
                              " %s not found again when its logs were read for the second time",
                              job->core->name, counts.missing,
                              counts.missing == 1 ? "instruction was" : "instructions were");
    }
}

/* The core is done. */
static void end_second(Job *job)
{
    WorkCore *core = job->core;

    skip_bytes(job);
    JobReset(job);
    PairingDestroy(core->pairing);
    core->pairing = NULL;
}

static OpprofStatus end_pairing(Job *job, OpprofError **error)
{
    const SimLogEvents events = events_of(job);
    OpprofStatus status = EmitterFlush(&job->issues);

    if (status == OPPROF_OK) {
        status = EmitterFlush(&job->rows);
    }
    tell_counts(job);
    if (job->overhead != NULL) {
        LacksIssues(job->stage, job->core->found, OverheadLate(job->overhead));
    }
    if (job->overhead != NULL && OverheadForgotten(job->overhead) > 0) {
        OpprofStageIncomplete(
            job->stage,
            "Core %s: fetch and issue of some addresses (%" PRIu64
            ") are not known to the end, because too many of them have no instruction",
            job->core->name, OverheadForgotten(job->overhead));
    }
    SimLogFinish(&job->popped);
    SimLogFinish(&job->instr);
    if (status != OPPROF_OK) {
        return status;
    }
    if (job->core->found->icache.bytes == 0 || !OpprofStageHasReader(job->stage, EMIT_MISSES)) {
        end_second(job);
        return OPPROF_OK;
    }
    job->icache = IcacheCreate(job->work->facts.icache_miss, 0);
    if (job->icache == NULL) {
        return no_memory(error);
    }
    EmitterInit(&job->rows, job->stage, EMIT_MISSES, job->rows.partition, job->rows.clock);
    SimLogInit(&job->popped, &job->core->found->icache, &events, SimLogTrimNothing);
    job->found = 0;
    job->phase = JOB_COUNT_MISSES;
    return OPPROF_OK;
}

static OpprofStatus pair(Job *job, OpprofError **error)
{
    const PairingSource popped = { .context = &job->popped, .next = SimLogNext };
    const PairingSource instr = { .context = &job->instr, .next = SimLogNext };
    const OpprofStatus status = PairingPair(job->core->pairing, &popped, &instr, STEP_LINES, error);

    return status == OPPROF_END ? end_pairing(job, error) : status;
}

/* ---- the second reading: cache misses ---- */

static OpprofStatus count_misses(Job *job, OpprofError **error)
{
    const SimLogEvents events = events_of(job);
    const char *line;
    size_t length;

    for (uint32_t i = 0; i < STEP_LINES; i++) {
        const OpprofStatus status = SimLogNext(&job->popped, &line, &length, error);

        if (status == OPPROF_END) {
            SimLogFinish(&job->popped);
            SimLogInit(&job->popped, &job->core->found->icache, &events, SimLogTrimNothing);
            job->phase = JOB_TAKE_MISSES;
            return OPPROF_OK;
        }
        if (status != OPPROF_OK) {
            return status;
        }
        if (!IcacheCount(job->icache, line, length)) {
            return no_memory(error);
        }
    }
    return OPPROF_OK;
}

static OpprofStatus take_miss(void *context, const IcacheMiss *miss, OpprofError **error)
{
    Job *job = context;

    job->found++;
    return EmitMiss(&job->rows, miss, error);
}

static OpprofStatus end_misses(Job *job, OpprofError **error)
{
    const IcacheSink sink = { .context = job, .miss = take_miss };
    OpprofStatus status = IcacheFlush(job->icache, &sink, error);

    if (status == OPPROF_OK) {
        status = EmitterFlush(&job->rows);
    }
    OpprofStageCount(job->stage, "cache misses", job->found);
    return status;
}

static OpprofStatus take_misses(Job *job, OpprofError **error)
{
    const IcacheSink sink = { .context = job, .miss = take_miss };
    OpprofStatus status = OPPROF_OK;
    const char *line;
    size_t length;

    for (uint32_t i = 0; i < STEP_LINES && status == OPPROF_OK; i++) {
        status = SimLogNext(&job->popped, &line, &length, error);
        if (status == OPPROF_OK) {
            status = IcacheTake(job->icache, line, length, &sink, error);
        }
    }
    if (status == OPPROF_END) {
        status = end_misses(job, error);
        if (status == OPPROF_OK) {
            end_second(job);
        }
    }
    return status;
}

/* ---- memory transfer engines ---- */

OpprofStatus JobStartMte(Job *job, WorkMte *mte, OpprofError **error)
{
    const OpprofClock core_clock = { .name = "core", .hz = job->work->facts.hz };
    const uint32_t clock = OpprofStageClock(job->stage, &core_clock);
    const SimLogEvents events = events_of(job);

    if (clock == 0) {
        return no_memory(error);
    }
    job->mte = mte;
    job->found = 0;
    job->phase = JOB_MTE;
    EmitterInit(&job->rows, job->stage, EMIT_MTE, OPPROF_NA_STRING, clock);
    SimLogInit(&job->popped, &mte->files, &events, NULL);
    return OPPROF_OK;
}

static OpprofStatus take_mte(Job *job, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    uint64_t requests = 0;
    const char *text;
    size_t length;
    MteLine line;

    for (uint32_t i = 0; i < STEP_LINES && status == OPPROF_OK; i++) {
        status = SimLogNext(&job->popped, &text, &length, error);
        if (status == OPPROF_OK && MteLineParse(text, length, &line)) {
            requests++;
            status = EmitMte(&job->rows, job->mte->core, &line, error);
        }
    }
    OpprofStageCount(job->stage, "lines of memory engines", requests);
    job->found += requests;
    if (status == OPPROF_END) {
        if (job->found == 0) {
            OpprofStageIncomplete(job->stage,
                                  "No line of dump file '%s' is a request of an instruction",
                                  job->mte->files.pieces[0].path);
        }
        status = EmitterFlush(&job->rows);
        if (status == OPPROF_OK) {
            JobReset(job);
        }
    }
    return status;
}

/* ---- steps ---- */

static OpprofStatus step(Job *job, OpprofError **error)
{
    switch (job->phase) {
    case JOB_COUNT_POPPED:
        return count_popped(job, error);
    case JOB_COUNT_INSTR:
        return count_instr(job, error);
    case JOB_COUNT_FETCHES:
    case JOB_COUNT_ISSUES:
        return count_overhead(job, error);
    case JOB_PAIR:
        return pair(job, error);
    case JOB_COUNT_MISSES:
        return count_misses(job, error);
    case JOB_TAKE_MISSES:
        return take_misses(job, error);
    case JOB_MTE:
        return take_mte(job, error);
    case JOB_IDLE:
    default:
        return OPPROF_OK;
    }
}

OpprofStatus JobStep(Job *job, OpprofError **error)
{
    const OpprofStatus status = step(job, error);

    if (status == OPPROF_OK) {
        return OPPROF_OK;
    }
    if (is_first(job->phase)) {
        end_first(job, false); /* others wait for it */
    } else {
        JobReset(job);
    }
    return status;
}

OpprofStatus JobFlush(Job *job, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    if (job->phase == JOB_PAIR || job->phase == JOB_COUNT_FETCHES ||
        job->phase == JOB_COUNT_ISSUES) {
        status = PairingFlush(job->core->pairing, error);
        if (status == OPPROF_OK) {
            status = EmitterFlush(&job->issues);
        }
        if (status == OPPROF_OK) {
            status = EmitterFlush(&job->rows);
        }
        tell_counts(job);
    } else if (job->phase == JOB_TAKE_MISSES) {
        status = end_misses(job, error);
    } else if (job->phase == JOB_MTE) {
        status = EmitterFlush(&job->rows);
    } else if (is_first(job->phase)) {
        OpprofStageIncomplete(
            job->stage,
            "Core %s: the run was cut short in the first of the two readings of its "
            "logs, so none of its instructions are paired",
            job->core->found->name);
        end_first(job, false);
    }
    JobReset(job);
    return status;
}
