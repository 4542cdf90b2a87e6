/* SPDX-License-Identifier: Apache-2.0 */
/* Gives the log of memory transfer engines to its port. Tested by tests/plugins/collect-sim/test_collect_sim.c. */
#include "mte_reader.h"

OpprofStatus MteReaderStart(MteReader *reader, Reading *reading, WorkMte *mte, OpprofError **error)
{
    const OpprofClock core_clock = { .name = "core", .hz = reading->work->facts.hz };
    const uint32_t clock = OpprofStageClock(reading->stage, &core_clock);
    const SimLogEvents events = ReadingEvents(reading);

    *reader = (MteReader){ .reading = reading, .mte = mte };
    if (clock == 0) {
        return OpprofErrorNoMemory(error, "read '%s'", mte->files.pieces[0].path);
    }
    EmitterInit(&reader->requests, reading->stage, EMIT_MTE, OPPROF_NA_STRING, clock);
    SimLogInit(&reader->log, &mte->files, &events, NULL);
    return OPPROF_OK;
}

OpprofStatus MteReaderStep(MteReader *reader, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    uint64_t requests = 0;
    const char *text;
    size_t length;
    MteLine line;

    for (uint32_t i = 0; i < READING_STEP_LINES && status == OPPROF_OK; i++) {
        status = SimLogNext(&reader->log, &text, &length, error);
        if (status == OPPROF_OK && MteLineParse(text, length, &line)) {
            requests++;
            status = EmitMte(&reader->requests, reader->mte->core, &line, error);
        }
    }
    OpprofStageCount(reader->reading->stage, "lines of memory engines", requests);
    reader->found += requests;
    if (status != OPPROF_END) {
        return status;
    }
    if (reader->found == 0) {
        OpprofStageIncomplete(reader->reading->stage,
                              "No line of dump file '%s' is a request of an instruction",
                              reader->mte->files.pieces[0].path);
    }
    status = EmitterFlush(&reader->requests);
    return status == OPPROF_OK ? OPPROF_END : status;
}

OpprofStatus MteReaderCut(MteReader *reader, OpprofError **error)
{
    (void) error;
    return EmitterFlush(&reader->requests);
}

void MteReaderFinish(MteReader *reader)
{
    SimLogFinish(&reader->log);
    EmitterFinish(&reader->requests);
}
