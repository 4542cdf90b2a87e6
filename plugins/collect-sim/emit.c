/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts rows, marks, misses and lines into batches of their ports. Tested by
 * tests/plugins/collect-sim/test_collect_sim.c.
 */
#include "emit.h"
#include <opprof/grow.h>
#include <opprof/records/sim.h>
#include <stdlib.h>
#include <string.h>

const OpprofPort emit_ports[EMIT_PORT_COUNT] = {
    [EMIT_INSTRUCTIONS] = { .name = "instructions",
                            .record_type = &opprof_sim_instruction_type,
                            .order = OPPROF_ORDER_END,
                            .summary = "Executed instructions of each core." },
    [EMIT_MARKS] = { .name = "marks",
                     .record_type = &opprof_sim_mark_type,
                     .summary = "User ranges (TRACE_START to TRACE_STOP)." },
    [EMIT_MISSES] = { .name = "icache-misses",
                      .record_type = &opprof_sim_icache_miss_type,
                      .order = OPPROF_ORDER_END,
                      .summary = "Misses of the instruction cache, by tick and then address." },
    [EMIT_ISSUES] = { .name = "issues",
                      .record_type = &opprof_sim_issue_type,
                      .order = OPPROF_ORDER_START,
                      .summary = "Issued instructions of each core, by start and place in the "
                                 "popped log." },
    [EMIT_MTE] = { .name = "mte",
                   .record_type = &opprof_sim_mte_log_type,
                   .summary = "Logs of the memory transfer engines of all cores, with "
                              "PMSampling." },
    [EMIT_ENDS] = { .name = "core-ends",
                    .record_type = &opprof_sim_core_end_type,
                    .summary = "The end of each core's records, launch by launch." },
};

void EmitterInit(Emitter *emitter, OpprofStage *stage, EmitPort port, uint32_t partition,
                 uint32_t clock)
{
    const char *slash = strrchr(OpprofStageString(stage, partition), '/');

    *emitter = (Emitter){
        .open = { .stage = stage, .port = (uint32_t) port, .partition = partition, .clock = clock },
        .core = slash == NULL ? partition : OpprofStageIntern(stage, slash + 1, strlen(slash + 1))
    };
}

/* ---- ends ---- */

/* NULL without memory. */
static EmitCore *find_core(EmitEnds *ends, uint32_t partition)
{
    for (uint32_t i = ends->count; i-- > 0;) {
        if (ends->cores[i].partition == partition) {
            return &ends->cores[i];
        }
    }
    if (!OpprofGrow32(&ends->cores, &ends->capacity, (size_t) ends->count + 1,
                      sizeof *ends->cores)) {
        return NULL;
    }
    ends->cores[ends->count] = (EmitCore){ .partition = partition };
    return &ends->cores[ends->count++];
}

OpprofStatus EmitterEnd(Emitter *emitter, EmitEnds *ends, OpprofError **error)
{
    EmitCore *core =
        ends == NULL || emitter->records == 0 ? NULL : find_core(ends, emitter->open.partition);

    if (core != NULL) {
        core->records[emitter->open.port] += emitter->records;
    } else if (ends != NULL && emitter->records > 0) {
        return OpprofErrorNoMemory(error, "count the records of a core");
    }
    emitter->records = 0;
    return OpprofOpenBatchPush(&emitter->open);
}

OpprofStatus EmitEndsSend(EmitEnds *ends, OpprofStage *stage, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    Emitter emitter;

    for (uint32_t i = 0; i < ends->count && status == OPPROF_OK; i++) {
        const uint64_t *records = ends->cores[i].records;

        EmitterInit(&emitter, stage, EMIT_ENDS, ends->cores[i].partition, 0);
        const OpprofSimCoreEnd end = { .instructions = records[EMIT_INSTRUCTIONS],
                                       .marks = records[EMIT_MARKS],
                                       .misses = records[EMIT_MISSES],
                                       .issues = records[EMIT_ISSUES],
                                       .core = emitter.core,
                                       .cores = ends->all > 0 ? ends->all : ends->count,
                                       .kernel = ends->kernel,
                                       .device = ends->device,
                                       .order = ends->order };

        status = OpprofStageAppend(stage, EMIT_ENDS, ends->cores[i].partition, &end);
    }
    ends->count = 0;
    if (status == OPPROF_OK) {
        status = OpprofStagePushOpen(stage, EMIT_ENDS, 0);
    }
    return status == OPPROF_E_MEMORY ? OpprofErrorNoMemory(error, "end a launch") : status;
}

void EmitEndsFinish(EmitEnds *ends)
{
    free(ends->cores);
    *ends = (EmitEnds){ .count = 0 };
}

/* ---- records ---- */

void EmitterFinish(Emitter *emitter)
{
    OpprofOpenBatchDrop(&emitter->open);
}

/* A batch with room for one more record. */
static OpprofStatus make_room(Emitter *emitter, OpprofError **error)
{
    const OpprofStatus status = OpprofOpenBatchRoom(&emitter->open);

    emitter->records += status == OPPROF_OK;
    return status == OPPROF_E_MEMORY ? OpprofErrorNoMemory(error, "make a batch of records")
                                     : status;
}

OpprofStatus EmitInstruction(void *self, const PairingRow *row, OpprofError **error)
{
    Emitter *emitter = self;
    OpprofText detail;
    OpprofStatus status = make_room(emitter, error);
    OpprofSimInstruction *record;

    if (status != OPPROF_OK) {
        return status;
    }
    if (OpprofBatchAppendText(emitter->open.batch, row->detail, row->detail_length, &detail) !=
        OPPROF_OK) {
        return OpprofErrorNoMemory(error, "make a batch of records");
    }
    record = OpprofBatchAppend(emitter->open.batch);
    *record = (OpprofSimInstruction){ .pc = row->pc,
                                      .id = row->id,
                                      .start = row->start,
                                      .end = row->end,
                                      .core = emitter->core,
                                      .pipe = row->pipe,
                                      .name = row->name,
                                      .warp = row->warp,
                                      .scheduler = row->scheduler,
                                      .sequence = row->sequence,
                                      .detail = detail,
                                      .cache_cycles = row->cache_cycles,
                                      .ccu_cycles = row->ccu_cycles,
                                      .chip = emitter->chip,
                                      .reach = row->reach };
    emitter->open.watermark = row->floor;
    return OPPROF_OK;
}

OpprofStatus EmitIssue(void *self, const PairingIssue *issue, OpprofError **error)
{
    Emitter *emitter = self;
    OpprofText detail;
    OpprofStatus status = make_room(emitter, error);
    OpprofSimIssue *record;

    if (status != OPPROF_OK) {
        return status;
    }
    if (OpprofBatchAppendText(emitter->open.batch, issue->detail, issue->detail_length, &detail) !=
        OPPROF_OK) {
        return OpprofErrorNoMemory(error, "make a batch of records");
    }
    record = OpprofBatchAppend(emitter->open.batch);
    *record = (OpprofSimIssue){ .pc = issue->pc,
                                .start = issue->start,
                                .sequence = issue->sequence,
                                .core = emitter->core,
                                .name = issue->name,
                                .chip = emitter->chip,
                                .detail = detail };
    return OPPROF_OK;
}

OpprofStatus EmitMiss(void *self, const IcacheMiss *miss, OpprofError **error)
{
    Emitter *emitter = self;
    OpprofText address, detail;
    OpprofStatus status = make_room(emitter, error);
    OpprofSimIcacheMiss *record;

    if (status != OPPROF_OK) {
        return status;
    }
    if (OpprofBatchAppendText(emitter->open.batch, miss->address, miss->address_length, &address) !=
            OPPROF_OK ||
        OpprofBatchAppendText(emitter->open.batch, miss->detail, miss->detail_length, &detail) !=
            OPPROF_OK) {
        return OpprofErrorNoMemory(error, "make a batch of records");
    }
    record = OpprofBatchAppend(emitter->open.batch);
    *record = (OpprofSimIcacheMiss){ .pc = miss->pc,
                                     .tick = miss->tick,
                                     .core = emitter->core,
                                     .chip = emitter->chip,
                                     .address = address,
                                     .detail = detail };
    emitter->open.watermark = miss->floor;
    return OPPROF_OK;
}

OpprofStatus EmitMteLog(Emitter *emitter, const EmitLines *lines, OpprofError **error)
{
    OpprofText text;
    OpprofStatus status = make_room(emitter, error);
    OpprofSimMteLog *record;

    if (status != OPPROF_OK) {
        return status;
    }
    if (OpprofBatchAppendText(emitter->open.batch, lines->text, lines->length, &text) !=
        OPPROF_OK) {
        return OpprofErrorNoMemory(error, "make a batch of records");
    }
    record = OpprofBatchAppend(emitter->open.batch);
    *record = (OpprofSimMteLog){ .core = lines->core,
                                 .file = lines->file,
                                 .lines = text,
                                 .chip = emitter->chip,
                                 .is_own = lines->is_own };
    return OPPROF_OK;
}

OpprofStatus EmitMark(Emitter *emitter, const Marks *marks, const Mark *mark, OpprofError **error)
{
    char name[] = "Mark 0x0";
    OpprofText detail;
    OpprofStatus status = make_room(emitter, error);
    OpprofSimMark *record;

    if (status != OPPROF_OK) {
        return status;
    }
    if (OpprofBatchAppendText(emitter->open.batch, marks->texts + mark->text, mark->length,
                              &detail) != OPPROF_OK) {
        return OpprofErrorNoMemory(error, "make a batch of records");
    }
    name[7] = (char) ('0' + mark->digit);
    record = OpprofBatchAppend(emitter->open.batch);
    *record =
        (OpprofSimMark){ .pc = mark->start_pc,
                         .end_pc = mark->end_pc,
                         .start = mark->start,
                         .end = mark->end,
                         .core = emitter->core,
                         .name = OpprofStageIntern(emitter->open.stage, name, sizeof name - 1),
                         .digit = mark->digit,
                         .chip = emitter->chip,
                         .detail = detail };
    return OPPROF_OK;
}
