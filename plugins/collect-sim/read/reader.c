/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a dump directory from its list of work to the ports, phase by phase. Tested by
 * tests/plugins/collect-sim/test_collect_sim.c. */
#include "reader.h"
#include "collect-sim/choices.h"
#include "missing.h"
#include "mark_rows.h"
#include <inttypes.h>
#include <opprof/log.h>

void ReaderJoin(Reader *reader, const OpprofParams *params)
{
    reader->reading.left_out =
        ChoicesHasMetric(params, CHOICES_CONFLICTS) ? NULL : reader->reading.work->facts.flags;
}

OpprofStatus ReaderOpen(Reader *reader, const OpprofParams *params, const ReaderSource *source,
                        OpprofError **error)
{
    const char *dump = source->dump;
    const uint64_t max_file_size = source->max_file_size;
    bool is_guessed = false;
    Work *work = NULL;
    OpprofStatus status = WorkCreate(dump, max_file_size, source->chip, &work, &is_guessed, error);

    if (status != OPPROF_OK) {
        return status;
    }
    status = ChoicesCheckMetrics(params, &work->facts, error);
    if (status == OPPROF_OK && ChoicesHasMetric(params, CHOICES_OVERHEAD)) {
        status = WorkFindCcu(work, dump, max_file_size, error);
    }
    if (status == OPPROF_OK && ChoicesHasMetric(params, CHOICES_SAMPLING) &&
        OpprofStageHasReader(reader->reading.stage, EMIT_MTE)) {
        status = WorkFindMte(work, dump, max_file_size, error);
        if (status == OPPROF_OK) {
            MissingMte(reader->reading.stage, work);
        }
    }
    if (status != OPPROF_OK) {
        WorkDestroy(work);
        return status;
    }
    if (source->core_ids != 0) {
        WorkFilter(work, source->core_ids);
    }
    if (is_guessed) {
        OpprofStageWarn(reader->reading.stage,
                        "The chip is taken to be %s, judging by the dump; if it is another one, "
                        "use --set chip=NAME",
                        OpprofChipSoc(work->facts.chip));
    }
    work->launch = source->launch;
    work->knows_end = source->knows_end;
    reader->reading.work = work;
    reader->reading.done = 0;
    OpprofLog(
        OPPROF_LOG_INFO, OpprofStageId(reader->reading.stage),
        "Dump opened: path=%s, chip=%s, cores=%" PRIu32 ", mte_logs=%" PRIu32 ", bytes=%" PRIu64,
        dump, OpprofChipSoc(work->facts.chip), work->found.count, work->mte_count, work->bytes);
    if (work->found.damage != NULL && work->found.damage[0] != '\0') {
        OpprofStageIncomplete(reader->reading.stage, "%s", work->found.damage);
    }
    ReaderJoin(reader, params);
    OpprofStageProgress(reader->reading.stage, 0, work->bytes, "bytes");
    return OPPROF_OK;
}

/* ---- from phase to phase ---- */

void ReaderReset(Reader *reader)
{
    switch (reader->phase) {
    case READER_COUNTS:
        CountReaderFinish(&reader->counts);
        break;
    case READER_HEADS:
        HeadReaderFinish(&reader->heads);
        break;
    case READER_PAIRS:
        PairReaderFinish(&reader->pairs);
        break;
    case READER_MISSES:
        MissReaderFinish(&reader->misses);
        break;
    case READER_MTE:
        MteReaderFinish(&reader->mte);
        break;
    case READER_IDLE:
    default:
        break;
    }
    reader->phase = READER_IDLE;
}

/* The second reading of a core is over. */
static OpprofStatus end_core(Reader *reader, OpprofError **error)
{
    Reading *reading = &reader->reading;

    ReadingSkip(reading, reader->core);
    PairingDestroy(reader->core->pairing);
    reader->core->pairing = NULL;
    reader->core = NULL;
    if (!reading->ends_by_core) {
        return OPPROF_OK;
    }
    reading->ends->all = reading->work->paired;
    return EmitEndsSend(reading->ends, reading->stage, error);
}

static OpprofStatus start_counts(Reader *reader, WorkCore *core, OpprofError **error)
{
    const OpprofStatus status = CountReaderStart(&reader->counts, &reader->reading, core, error);

    if (status == OPPROF_OK) {
        reader->phase = READER_COUNTS;
    }
    return status == OPPROF_END ? OPPROF_OK : status;
}

static OpprofStatus start_mte(Reader *reader, WorkMte *mte, OpprofError **error)
{
    reader->phase = READER_MTE;
    return MteReaderStart(&reader->mte, &reader->reading, mte, error);
}

static OpprofStatus start_pairs(Reader *reader, Overhead *overhead, OpprofError **error)
{
    reader->phase = READER_PAIRS;
    return PairReaderStart(&reader->pairs, &reader->reading, reader->core, overhead, error);
}

static OpprofStatus start_misses(Reader *reader, OpprofError **error)
{
    if (reader->core->found->icache.bytes == 0 ||
        !OpprofStageHasReader(reader->reading.stage, EMIT_MISSES)) {
        return end_core(reader, error);
    }
    reader->phase = READER_MISSES;
    return MissReaderStart(&reader->misses, &reader->reading, reader->core, error);
}

static OpprofStatus start_second(Reader *reader, WorkCore *core, OpprofError **error)
{
    const Reading *reading = &reader->reading;
    OpprofStatus status;

    if (core->pairing == NULL) {
        MissingRequests(reading->stage, WorkFindMteOf(reading->work, core->found->number));
        return OPPROF_OK;
    }
    reader->core = core;
    reader->reading.core_done = 0;
    status = MarkRowsEmit(reading, core, error);
    if (status != OPPROF_OK) {
        return status;
    }
    if (reading->work->has_overhead && !MissingOverhead(reading->stage, core->found)) {
        reader->phase = READER_HEADS;
        return HeadReaderStart(&reader->heads, &reader->reading, core, error);
    }
    return start_pairs(reader, NULL, error);
}

/* The next piece of work for this instance, OPPROF_END if none. */
static OpprofStatus start_next(Reader *reader, OpprofError **error)
{
    Work *work = reader->reading.work;
    WorkCore *core = WorkTakeFirst(work);
    WorkMte *mte;

    if (core != NULL) {
        return start_counts(reader, core, error);
    }
    mte = WorkTakeMte(work);
    if (mte != NULL) {
        return start_mte(reader, mte, error);
    }
    switch (WorkTakeSecond(work, &core)) {
    case WORK_CORE:
        return start_second(reader, core, error);
    case WORK_WAIT:
        return OPPROF_OK;
    case WORK_LOST:
        return OpprofErrorNoMemory(error, "name the cores");
    case WORK_NONE:
    default:
        return OPPROF_END;
    }
}

static OpprofStatus step(Reader *reader, OpprofError **error)
{
    switch (reader->phase) {
    case READER_COUNTS:
        return CountReaderStep(&reader->counts, error);
    case READER_HEADS:
        return HeadReaderStep(&reader->heads, error);
    case READER_PAIRS:
        return PairReaderStep(&reader->pairs, error);
    case READER_MISSES:
        return MissReaderStep(&reader->misses, error);
    case READER_MTE:
        return MteReaderStep(&reader->mte, error);
    case READER_IDLE:
    default:
        return OPPROF_OK;
    }
}

/* A phase is over: the next one of the same core. */
static OpprofStatus go_on(Reader *reader, OpprofError **error)
{
    const ReaderPhase ended = reader->phase;
    Overhead *overhead = ended == READER_HEADS ? HeadReaderTake(&reader->heads) : NULL;

    ReaderReset(reader);
    switch (ended) {
    case READER_HEADS:
        return start_pairs(reader, overhead, error);
    case READER_PAIRS:
        return start_misses(reader, error);
    case READER_MISSES:
        return end_core(reader, error);
    case READER_COUNTS:
    case READER_MTE:
    case READER_IDLE:
    default:
        return OPPROF_OK;
    }
}

/* Says which core a failure was in; logs of memory engines belong to none. */
static void name_core(const Reader *reader, OpprofStatus status, OpprofError **error)
{
    const WorkCore *core = reader->phase == READER_COUNTS ? reader->counts.core : reader->core;

    if (core != NULL) {
        OpprofErrorExplain(error, status, "Cannot read core '%s'", core->found->name);
    }
}

OpprofStatus ReaderStep(Reader *reader, OpprofError **error)
{
    OpprofStatus status;

    if (reader->phase == READER_IDLE) {
        status = start_next(reader, error);
    } else {
        status = step(reader, error);
        if (status == OPPROF_END) {
            status = go_on(reader, error);
        }
    }
    if (status != OPPROF_OK) {
        name_core(reader, status, error);
        ReaderReset(reader);
    }
    return status;
}

OpprofStatus ReaderFlush(Reader *reader, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    switch (reader->phase) {
    case READER_COUNTS:
        CountReaderCut(&reader->counts);
        break;
    case READER_HEADS:
        status = go_on(reader, error);
        if (status == OPPROF_OK) { /* nothing is paired yet, but its counts are reported */
            status = PairReaderCut(&reader->pairs, error);
        }
        break;
    case READER_PAIRS:
        status = PairReaderCut(&reader->pairs, error);
        break;
    case READER_MISSES:
        status = MissReaderCut(&reader->misses, error);
        break;
    case READER_MTE:
        status = MteReaderCut(&reader->mte, error);
        break;
    case READER_IDLE:
    default:
        break;
    }
    name_core(reader, status, error);
    ReaderReset(reader);
    return status;
}
