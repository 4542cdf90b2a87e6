/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Passes the lines of a core's logs to the pairing, to be counted.
 * Tested by tests/plugins/collect-sim/test_collect_sim.c.
 */
#include "count_reader.h"
#include "ending.h"
#include "missing.h"
#include <opprof/log.h>

void CountReaderFinish(CountReader *reader)
{
    SimLogFinish(&reader->log);
}

/* `is_kept` false: the core is left out. Other instances wait for this call. */
static void end(CountReader *reader, bool is_kept)
{
    WorkCore *core = reader->core;

    ReadingSkip(reader->reading, core);
    if (!is_kept) {
        OpprofLog(OPPROF_LOG_INFO, OpprofStageId(reader->reading->stage), "Core skipped: %s",
                  core->found->name);
        PairingDestroy(core->pairing);
        core->pairing = NULL;
    }
    if (WorkEndFirst(reader->reading->work)) {
        MissingCores(reader->reading->stage, reader->reading->work);
        EndingJudge(reader->reading->stage, reader->reading->work);
    }
    CountReaderFinish(reader);
}

static OpprofStatus leave_out(CountReader *reader)
{
    end(reader, false);
    return OPPROF_END;
}

static OpprofStatus fail_memory(CountReader *reader, OpprofError **error)
{
    end(reader, false);
    return OpprofErrorNoMemory(error, "count the instructions of core '%s'",
                               reader->core->found->name);
}

/* The core's id is known, and not wanted. */
static bool is_unwanted(const CountReader *reader)
{
    return reader->core->has_id && !WorkIsWanted(reader->reading->work, reader->core->id);
}

static void learn_id(const CountReader *reader)
{
    reader->core->id = WorkCoreId(reader->reading->work, reader->core);
    reader->core->has_id = true;
}

/* Both logs are counted. */
static OpprofStatus keep(CountReader *reader)
{
    const Reading *reading = reader->reading;

    reader->core->lacks_records =
        MissingRecords(reading->stage, reader->core, reading->work->facts.by_id);
    reader->core->end = PairingGetEnd(reader->core->pairing);
    reader->core->lowest_pc = PairingLowestPc(reader->core->pairing);
    reader->core->is_counted = true;
    MissingIcache(reading->stage, reading->work, reader->core->found);
    end(reader, true);
    return OPPROF_END;
}

static void open_log(CountReader *reader, SimFiles *files)
{
    const SimLogEvents events = ReadingEvents(reader->reading);

    SimLogInit(&reader->log, files, &events, SimLineTrim);
    SimLogUseForms(&reader->log, reader->reading->work->facts.forms);
    reader->log.what = "instruction";
}

static void note_broken(void *context)
{
    CountReader *reader = context;

    SimLogNoteBroken(&reader->log);
}

OpprofStatus CountReaderStart(CountReader *reader, Reading *reading, WorkCore *core,
                              OpprofError **error)
{
    const SimFacts *facts = &reading->work->facts;
    PairingOptions options;

    *reader = (CountReader){ .reading = reading, .core = core };
    reading->core_done = 0;
    if (!facts->has_logical_cores || core->pairing != NULL) {
        learn_id(reader);
    }
    if (is_unwanted(reader) || MissingLog(reading->stage, core->found)) {
        return leave_out(reader);
    }
    if (core->pairing != NULL) {
        return keep(reader);
    }
    options = WorkPairing(facts, reading->left_out);
    options.on_broken = note_broken;
    options.context = reader;
    core->pairing = PairingCreate(&options);
    if (core->pairing == NULL) {
        return fail_memory(reader, error);
    }
    open_log(reader, &core->found->popped);
    return OPPROF_OK;
}

/* The popped log has ended. */
static void go_on(CountReader *reader)
{
    SimLogFinish(&reader->log);
    open_log(reader, &reader->core->found->instr);
    reader->is_instr = true;
}

static OpprofStatus count_popped(CountReader *reader, OpprofError **error)
{
    Pairing *pairing = reader->core->pairing;
    OpprofStatus status = OPPROF_OK;
    const char *line;
    size_t length;

    for (uint32_t i = 0; i < READING_STEP_LINES && status == OPPROF_OK; i++) {
        status = SimLogNext(&reader->log, &line, &length, error);
        if (status == OPPROF_OK && !PairingCountPopped(pairing, line, length)) {
            return fail_memory(reader, error);
        }
    }
    if (OpprofFailed(status)) {
        end(reader, false);
        return status;
    }
    if (status == OPPROF_END || PairingGetCore(pairing).has_block) {
        learn_id(reader);
    }
    if (is_unwanted(reader)) {
        return leave_out(reader);
    }
    if (status == OPPROF_END) {
        go_on(reader);
    }
    return OPPROF_OK;
}

static OpprofStatus count_instr(CountReader *reader, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    const char *line;
    size_t length;

    for (uint32_t i = 0; i < READING_STEP_LINES && status == OPPROF_OK; i++) {
        status = SimLogNext(&reader->log, &line, &length, error);
        if (status == OPPROF_OK && !PairingCountInstr(reader->core->pairing, line, length)) {
            return fail_memory(reader, error);
        }
    }
    if (status == OPPROF_END) {
        PairingCountEnd(reader->core->pairing);
        return keep(reader);
    }
    if (OpprofFailed(status)) {
        end(reader, false);
    }
    return status;
}

OpprofStatus CountReaderStep(CountReader *reader, OpprofError **error)
{
    return reader->is_instr ? count_instr(reader, error) : count_popped(reader, error);
}

void CountReaderCut(CountReader *reader)
{
    OpprofStageIncomplete(reader->reading->stage,
                          "Core %s: the run was cut short in the first of the two readings of its "
                          "logs, so none of its instructions are paired",
                          reader->core->found->name);
    end(reader, false);
}
