/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Passes the lines of a core's instruction-cache log to be sorted, and its misses to their port.
 * Tested by tests/plugins/collect-sim/test_collect_sim.c.
 */
#include "miss_reader.h"
#include "missing.h"

static void open_log(MissReader *reader)
{
    const SimLogEvents events = ReadingEvents(reader->reading);

    SimLogInit(&reader->log, &reader->core->found->icache, &events, SimLogTrimNothing);
    reader->log.is_free = reader->reading->work->facts.forms != NULL;
}

OpprofStatus MissReaderStart(MissReader *reader, Reading *reading, WorkCore *core,
                             OpprofError **error)
{
    OpprofStage *stage = reading->stage;
    const OpprofClock core_clock = { .name = "core", .hz = reading->work->facts.hz };
    const uint32_t name = OpprofStageIntern(stage, core->name, strlen(core->name));
    const uint32_t clock = OpprofStageClock(stage, &core_clock);

    *reader = (MissReader){ .reading = reading,
                            .core = core,
                            .icache = IcacheCreate(&reading->work->facts.misses, 0) };
    if (name == OPPROF_NA_STRING || clock == 0 || reader->icache == NULL) {
        return OpprofErrorNoMemory(error, "read the cache misses of core '%s'", core->name);
    }
    EmitterInit(&reader->misses, stage, EMIT_MISSES, name, clock);
    reader->misses.chip = WorkChip(reading->work, stage);
    open_log(reader);
    return OPPROF_OK;
}

static OpprofStatus count(MissReader *reader, OpprofError **error)
{
    const SimForms *forms = &reader->reading->work->facts.misses;
    OpprofStatus status = OPPROF_OK;
    const char *line;
    size_t length;

    for (uint32_t i = 0; i < READING_STEP_LINES && status == OPPROF_OK; i++) {
        status = SimLogNext(&reader->log, &line, &length, error);
        if (status == OPPROF_OK && !IcacheCount(reader->icache, line, length)) {
            return OpprofErrorNoMemory(error, "read the cache misses of core '%s'",
                                       reader->core->name);
        }
        if (status == OPPROF_OK && SimFormsIsSpoiltMiss(forms, line, length)) {
            SimLogNoteBroken(&reader->log);
        }
    }
    if (status != OPPROF_END) {
        return status;
    }
    SimLogFinish(&reader->log);
    open_log(reader);
    reader->is_counted = true;
    return OPPROF_OK;
}

static OpprofStatus take_miss(void *context, const IcacheMiss *miss, OpprofError **error)
{
    MissReader *reader = context;

    reader->doubled += reader->found > 0 && miss->tick == reader->tick && miss->pc == reader->pc;
    reader->tick = miss->tick;
    reader->pc = miss->pc;
    reader->found++;
    return EmitMiss(&reader->misses, miss, error);
}

static OpprofStatus push_rest(MissReader *reader, OpprofError **error)
{
    const IcacheSink sink = { .context = reader, .miss = take_miss };
    OpprofStatus status = IcacheFlush(reader->icache, &sink, error);

    if (status == OPPROF_OK) {
        status = EmitterEnd(&reader->misses, reader->reading->ends, error);
    }
    OpprofStageCount(reader->reading->stage, "cache misses", reader->found);
    return status;
}

static OpprofStatus take(MissReader *reader, OpprofError **error)
{
    const IcacheSink sink = { .context = reader, .miss = take_miss };
    OpprofStatus status = OPPROF_OK;
    const char *line;
    size_t length;

    for (uint32_t i = 0; i < READING_STEP_LINES && status == OPPROF_OK; i++) {
        status = SimLogNext(&reader->log, &line, &length, error);
        if (status == OPPROF_OK) {
            status = IcacheTake(reader->icache, line, length, &sink, error);
        }
    }
    if (status != OPPROF_END) {
        return status;
    }
    status = push_rest(reader, error);
    MissingMisses(reader->reading->stage, reader->core, reader->doubled);
    return status == OPPROF_OK ? OPPROF_END : status;
}

OpprofStatus MissReaderStep(MissReader *reader, OpprofError **error)
{
    return reader->is_counted ? take(reader, error) : count(reader, error);
}

OpprofStatus MissReaderCut(MissReader *reader, OpprofError **error)
{
    return reader->is_counted ? push_rest(reader, error) : OPPROF_OK;
}

void MissReaderFinish(MissReader *reader)
{
    SimLogFinish(&reader->log);
    EmitterFinish(&reader->misses);
    IcacheDestroy(reader->icache);
    reader->icache = NULL;
}
