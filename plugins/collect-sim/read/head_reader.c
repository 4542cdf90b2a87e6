/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Passes the lines of fetch and issue of a core to be counted.
 * Tested by tests/plugins/collect-sim/test_collect_sim.c.
 */
#include "head_reader.h"

static bool has_rows(const void *context, uint64_t pc)
{
    return PairingHasRows(context, pc);
}

static void open_log(HeadReader *reader, OverheadLog which)
{
    FoundCore *found = reader->core->found;

    reader->at = which;
    SimLogInit(&reader->log, which == OVERHEAD_FETCHES ? &found->icache : &found->ccu,
               &reader->events, NULL);
}

OpprofStatus HeadReaderStart(HeadReader *reader, Reading *reading, WorkCore *core,
                             OpprofError **error)
{
    *reader =
        (HeadReader){ .core = core,
                      .events = ReadingQuietEvents(reading),
                      .forms = { &reading->work->facts.fetches, &reading->work->facts.issues },
                      .overhead =
                          OverheadCreate(&reading->work->facts.fetches,
                                         &reading->work->facts.issues, has_rows, core->pairing) };
    if (reader->overhead == NULL) {
        return OpprofErrorNoMemory(error, "read fetch and issue of core '%s'", core->name);
    }
    open_log(reader, OVERHEAD_FETCHES);
    return OPPROF_OK;
}

static bool is_spoilt(const HeadReader *reader, const char *line, size_t length)
{
    return SimFormsIsSpoiltEvent(reader->forms[reader->at == OVERHEAD_ISSUES], line, length);
}

OpprofStatus HeadReaderStep(HeadReader *reader, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    const char *line;
    size_t length;

    for (uint32_t i = 0; i < READING_STEP_LINES && status == OPPROF_OK; i++) {
        status = SimLogNext(&reader->log, &line, &length, error);
        if (status == OPPROF_OK && !OverheadCount(reader->overhead, reader->at, line, length)) {
            return OpprofErrorNoMemory(error, "read fetch and issue of core '%s'",
                                       reader->core->name);
        }
        if (status == OPPROF_OK && is_spoilt(reader, line, length)) {
            SimLogNoteBroken(&reader->log);
        }
    }
    if (status != OPPROF_END) {
        return status;
    }
    OverheadCountEnd(reader->overhead, reader->at);
    SimLogFinish(&reader->log);
    if (reader->at == OVERHEAD_ISSUES) {
        return OPPROF_END;
    }
    open_log(reader, OVERHEAD_ISSUES);
    return OPPROF_OK;
}

Overhead *HeadReaderTake(HeadReader *reader)
{
    Overhead *overhead = reader->overhead;

    reader->overhead = NULL;
    return overhead;
}

void HeadReaderFinish(HeadReader *reader)
{
    SimLogFinish(&reader->log);
    OverheadDestroy(reader->overhead);
    reader->overhead = NULL;
}
