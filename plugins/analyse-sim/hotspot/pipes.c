/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums up how long the pipes of a core work and wait. Tested by
 * tests/plugins/analyse-sim/hotspot/test_pipes.
 */
#include "pipes.h"

#include <opprof/grow.h>
#include <opprof/records/sim.h>
#include <stdlib.h>
#include <string.h>

/* Stretches kept even if no later instruction can touch them. */
#define STRETCHES_KEPT 64u

enum { KIND_WORK, KIND_WAIT, KIND_OTHER };

/* Whether a name begins with one of a list's texts. */
static bool begins_with_any(const OpprofFact *beginnings, const char *name)
{
    for (size_t i = 0; i < OpprofFactCount(beginnings); i++) {
        const char *text = OpprofFactText(OpprofFactAt(beginnings, i));
        if (text != NULL && strncmp(name, text, strlen(text)) == 0) {
            return true;
        }
    }
    return false;
}

bool PipeNameIsWait(const ChipWords *words, const char *name)
{
    return begins_with_any(ChipWordsFact(words, "flags.waits"), name);
}

bool PipeNameIsStall(const ChipWords *words, const char *name)
{
    return PipeNameIsWait(words, name) ||
           begins_with_any(ChipWordsFact(words, "flags.no_work"), name);
}

static uint8_t kind_of(CorePipes *core, const ChipWords *words, uint32_t name)
{
    const uint32_t slot = name & (PIPE_NAMES - 1);

    if (core->names[slot] != name + 1) {
        const char *text = OpprofStageString(core->stage, name);

        core->names[slot] = name + 1;
        core->kinds[slot] = PipeNameIsWait(words, text) ? KIND_WAIT
                            : begins_with_any(ChipWordsFact(words, "flags.no_work"), text)
                                ? KIND_OTHER
                                : KIND_WORK;
    }
    return core->kinds[slot];
}

/* Looked up once per core: all of its rows are of one chip. */
static const ChipWords *words_of(CorePipes *core, uint32_t chip)
{
    if (core->words == NULL) {
        core->words =
            ChipWordsOf(chip == OPPROF_NA_STRING ? NULL : OpprofStageString(core->stage, chip));
    }
    return core->words;
}

/* NULL without memory. */
static PipeStats *find_pipe(CorePipes *core, uint32_t pipe)
{
    for (uint32_t i = 0; i < core->pipe_count; i++) {
        if (core->pipes[i].pipe == pipe) {
            return &core->pipes[i];
        }
    }
    if (!OpprofGrow32(&core->pipes, &core->pipe_capacity, core->pipe_count + 1u,
                      sizeof *core->pipes)) {
        return NULL;
    }
    core->pipes[core->pipe_count] = (PipeStats){ .pipe = pipe };
    return &core->pipes[core->pipe_count++];
}

static bool add_time(OpprofBusyTime *busy, const OpprofSimInstruction *row, uint64_t start)
{
    if (busy->count >= STRETCHES_KEPT && row->reach > 0 && row->reach <= row->end) {
        OpprofBusyTimeSettle(busy, row->end - row->reach);
    }
    return OpprofBusyTimeAdd(busy, start, row->end) == OPPROF_OK;
}

/* False without memory. */
static bool add_wait(CorePipes *core, const PipeStats *pipe, const OpprofSimInstruction *row,
                     uint64_t start)
{
    const uint64_t from = start > pipe->last_end ? start : pipe->last_end;
    uint32_t place = OpprofMapFind(&core->wait_of_pc, row->pc);

    if (place == OPPROF_MAP_NONE) {
        place = core->wait_count;
        if (!OpprofGrow32(&core->waits, &core->wait_capacity, place + 1u, sizeof *core->waits) ||
            !OpprofMapPut(&core->wait_of_pc, row->pc, place)) {
            return false;
        }
        core->waits[core->wait_count++] = (PipeWait){ .pc = row->pc, .pipe = row->pipe };
    }
    core->waits[place].ticks += row->end > from ? row->end - from : 0;
    return true;
}

static bool add_row(CorePipes *core, const OpprofSimInstruction *row)
{
    const uint64_t start = row->start < row->end ? row->start : row->end;
    const uint8_t kind = kind_of(core, words_of(core, row->chip), row->name);
    PipeStats *pipe = find_pipe(core, row->pipe);
    bool ok = pipe != NULL;

    if (ok && kind == KIND_WAIT) {
        ok = add_wait(core, pipe, row, start) && add_time(&pipe->taken, row, start);
    } else if (ok && kind == KIND_WORK) {
        ok = add_time(&pipe->worked, row, start) && add_time(&pipe->taken, row, start);
    }
    if (ok) {
        pipe->last_end = row->end;
        core->first_start = start < core->first_start ? start : core->first_start;
        core->last_end = row->end > core->last_end ? row->end : core->last_end;
    }
    return ok;
}

bool CorePipesInstructions(CorePipes *core, const OpprofBatch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        if (!add_row(core, OpprofBatchRecord(batch, i))) {
            return false;
        }
    }
    return true;
}

uint64_t PipeWaited(const PipeStats *pipe)
{
    return OpprofBusyTimeTotal(&pipe->taken) - OpprofBusyTimeTotal(&pipe->worked);
}

const PipeStats *CorePipesBusiest(const CorePipes *core)
{
    const PipeStats *best = NULL;
    uint64_t most = 0;

    for (uint32_t i = 0; i < core->pipe_count; i++) {
        const PipeStats *pipe = &core->pipes[i];
        const uint64_t worked = OpprofBusyTimeTotal(&pipe->worked);

        if (pipe->worked.is_rough || pipe->taken.is_rough) {
            return NULL;
        }
        if (worked > most || (worked == most && best != NULL &&
                              strcmp(OpprofStageString(core->stage, pipe->pipe),
                                     OpprofStageString(core->stage, best->pipe)) < 0)) {
            best = pipe;
            most = worked;
        }
    }
    return best;
}

const PipeWait *CorePipesLongestWait(const CorePipes *core, const PipeStats *pipe)
{
    const PipeWait *longest = NULL;

    for (uint32_t i = 0; i < core->wait_count; i++) {
        const PipeWait *wait = &core->waits[i];

        if (wait->pipe == pipe->pipe && wait->ticks > 0 &&
            (longest == NULL || wait->ticks > longest->ticks ||
             (wait->ticks == longest->ticks && wait->pc < longest->pc))) {
            longest = wait;
        }
    }
    return longest;
}

CorePipes *CorePipesCreate(OpprofStage *stage)
{
    CorePipes *core = calloc(1, sizeof *core);

    if (core != NULL) {
        core->stage = stage;
        core->first_start = UINT64_MAX;
    }
    return core;
}

void CorePipesDestroy(CorePipes *core)
{
    if (core == NULL) {
        return;
    }
    for (uint32_t i = 0; i < core->pipe_count; i++) {
        OpprofBusyTimeFinish(&core->pipes[i].worked);
        OpprofBusyTimeFinish(&core->pipes[i].taken);
    }
    OpprofMapFinish(&core->wait_of_pc);
    free(core->pipes);
    free(core->waits);
    free(core);
}
