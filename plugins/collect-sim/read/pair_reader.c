/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Passes the lines of a core's logs to the pairing, and its rows to the ports.
 * Tested by tests/plugins/collect-sim/test_collect_sim.c.
 */
#include "pair_reader.h"
#include "missing.h"
#include <inttypes.h>
#include <opprof/log.h>

static uint32_t intern(void *context, const char *text, size_t length)
{
    const PairReader *reader = context;

    return OpprofStageIntern(reader->reading->stage, text, length);
}

static OpprofStatus take_row(void *context, const PairingRow *row, OpprofError **error)
{
    PairReader *reader = context;

    for (uint32_t i = 0; i < reader->move_count; i++) {
        if (row->name == reader->moves[i]) {
            MovesSee(reader->mte->moves, row->end);
            break;
        }
    }
    return EmitInstruction(&reader->rows, row, error);
}

/* Names of instructions that make requests, if there is a log of those. */
static void find_moves(PairReader *reader)
{
    const Work *work = reader->reading->work;
    const OpprofFact *names = WorkMoves(work);

    reader->mte = WorkFindMteOf(work, reader->core->found->number);
    for (size_t i = 0; reader->mte != NULL && i < OpprofFactCount(names) && i < PAIR_MOVES; i++) {
        const char *name = OpprofFactText(OpprofFactAt(names, i));

        if (name != NULL) {
            reader->moves[reader->move_count++] =
                OpprofStageIntern(reader->reading->stage, name, strlen(name));
        }
    }
}

static void open_logs(PairReader *reader)
{
    const SimLogEvents events = ReadingEvents(reader->reading);
    const SimLogEvents quiet = ReadingQuietEvents(reader->reading);
    const SimForms *forms = reader->reading->work->facts.forms;
    FoundCore *found = reader->core->found;

    SimLogInit(&reader->logs[PAIRING_POPPED], &found->popped, &events, SimLineTrim);
    SimLogInit(&reader->logs[PAIRING_INSTR], &found->instr, &events, SimLineTrim);
    SimLogUseForms(&reader->logs[PAIRING_POPPED], forms);
    SimLogUseForms(&reader->logs[PAIRING_INSTR], forms);
    SimLogInit(&reader->logs[PAIRING_FETCHES], &found->icache, &quiet, NULL);
    SimLogInit(&reader->logs[PAIRING_ISSUES], &found->ccu, &quiet, NULL);
}

OpprofStatus PairReaderStart(PairReader *reader, Reading *reading, WorkCore *core,
                             Overhead *overhead, OpprofError **error)
{
    OpprofStage *stage = reading->stage;
    const OpprofClock core_clock = { .name = "core", .hz = reading->work->facts.hz };
    const uint32_t name = OpprofStageIntern(stage, core->name, strlen(core->name));
    const uint32_t clock = OpprofStageClock(stage, &core_clock);
    const bool has_issues = OpprofStageHasReader(stage, EMIT_ISSUES);

    *reader = (PairReader){ .reading = reading, .core = core, .overhead = overhead };
    if (name == OPPROF_NA_STRING || clock == 0) {
        return OpprofErrorNoMemory(error, "pair the instructions of core '%s'", core->name);
    }
    EmitterInit(&reader->rows, stage, EMIT_INSTRUCTIONS, name, clock);
    EmitterInit(&reader->issues, stage, EMIT_ISSUES, name, clock);
    reader->rows.chip = reader->issues.chip = WorkChip(reading->work, stage);
    find_moves(reader);
    PairingStart(core->pairing, &(PairingSink){ .context = reader,
                                                .intern = intern,
                                                .row = take_row,
                                                .issue = has_issues ? EmitIssue : NULL,
                                                .issue_context = &reader->issues,
                                                .overhead = overhead });
    open_logs(reader);
    return OPPROF_OK;
}

static void report_counts(const PairReader *reader)
{
    const PairingCounts counts = PairingGetCounts(reader->core->pairing);
    OpprofStage *stage = reader->reading->stage;

    OpprofLog(OPPROF_LOG_DEBUG, OpprofStageId(stage),
              "Core paired: name=%s, lines=%" PRIu64 ", no_records=%" PRIu64 ", left_out=%" PRIu64
              ", pruned=%" PRIu64 ", alone=%" PRIu64 ", rows=%" PRIu64 ", peak_in_flight=%" PRIu64,
              reader->core->name, counts.lines, counts.no_records, counts.left_out, counts.pruned,
              counts.alone, counts.rows, counts.peak_in_flight);
    OpprofStageCount(stage, "lines", counts.lines);
    OpprofStageCount(stage, "lines without a record", counts.no_records);
    OpprofStageCount(stage, "records left out by rule", counts.left_out);
    OpprofStageCount(stage, "records pruned", counts.pruned);
    OpprofStageCount(stage, "records without a partner", counts.alone);
    OpprofStageCount(stage, "pairs that end before they start", counts.backwards);
    OpprofStageCount(stage, "instructions", counts.rows);
    MissingEnds(stage, reader->core);
    if (counts.is_out_of_order) {
        OpprofStageWarn(
            stage,
            "Core %s: ticks go back by so much that instructions could not be put into order of "
            "their end; they are all there, but some come late",
            reader->core->name);
    }
    if (counts.missing > 0) {
        OpprofStageIncomplete(stage,
                              "Core %s: %" PRIu64
                              " %s not found again when its logs were read for the second time",
                              reader->core->name, counts.missing,
                              counts.missing == 1 ? "instruction was" : "instructions were");
    }
}

static void report_overhead(const PairReader *reader)
{
    const uint64_t forgotten = OverheadForgotten(reader->overhead);

    MissingIssues(reader->reading->stage, reader->core, reader->overhead);
    if (forgotten > 0) {
        OpprofStageIncomplete(
            reader->reading->stage,
            "Core %s: fetch and issue of some addresses (%" PRIu64
            ") are not completely known, because too many of them have no instruction",
            reader->core->name, forgotten);
    }
}

static OpprofStatus push_rest(PairReader *reader, OpprofError **error)
{
    EmitEnds *ends = reader->reading->ends;
    const OpprofStatus status = EmitterEnd(&reader->issues, ends, error);

    return status == OPPROF_OK ? EmitterEnd(&reader->rows, ends, error) : status;
}

static OpprofStatus end(PairReader *reader, OpprofError **error)
{
    const OpprofStatus status = push_rest(reader, error);

    report_counts(reader);
    MissingRequests(reader->reading->stage, reader->mte);
    if (reader->overhead != NULL) {
        report_overhead(reader);
    }
    return status == OPPROF_OK ? OPPROF_END : status;
}

OpprofStatus PairReaderStep(PairReader *reader, OpprofError **error)
{
    Pairing *pairing = reader->core->pairing;
    OpprofStatus status = OPPROF_OK;
    const char *line;
    size_t length;

    for (uint32_t i = 0; i < READING_STEP_LINES && status == OPPROF_OK; i++) {
        const PairingLog log = PairingWants(pairing);

        if (log == PAIRING_DONE) {
            return end(reader, error);
        }
        status = SimLogNext(&reader->logs[log], &line, &length, error);
        if (status == OPPROF_OK) {
            status = PairingGive(pairing, line, length, error);
        } else if (status == OPPROF_END) {
            status = PairingGiveEnd(pairing, error);
        }
    }
    return status;
}

OpprofStatus PairReaderCut(PairReader *reader, OpprofError **error)
{
    OpprofStatus status = PairingFlush(reader->core->pairing, error);

    if (status == OPPROF_OK) {
        status = push_rest(reader, error);
    }
    report_counts(reader);
    return status;
}

void PairReaderFinish(PairReader *reader)
{
    for (unsigned i = 0; i < PAIRING_DONE; i++) {
        SimLogFinish(&reader->logs[i]);
    }
    EmitterFinish(&reader->rows);
    EmitterFinish(&reader->issues);
    OverheadDestroy(reader->overhead);
    reader->overhead = NULL;
}
