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

enum { KIND_WORK, KIND_WAIT, KIND_BARRIER, KIND_OTHER };

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

bool PipeNameIsWait(const InstructionFacts *words, const char *name)
{
    return begins_with_any(InstructionFactsFact(words, "flags.waits"), name);
}

bool PipeNameIsStall(const InstructionFacts *words, const char *name)
{
    return PipeNameIsWait(words, name) ||
           begins_with_any(InstructionFactsFact(words, "flags.no_work"), name);
}

static uint8_t kind_of(CorePipes *core, const InstructionFacts *words, uint32_t name)
{
    const uint32_t slot = name & (PIPE_NAMES - 1);

    if (core->names[slot] != name + 1) {
        const char *text = OpprofStageString(core->stage, name);

        core->names[slot] = name + 1;
        core->kinds[slot] =
            PipeNameIsWait(words, text)                                            ? KIND_WAIT
            : begins_with_any(InstructionFactsFact(words, "flags.barriers"), text) ? KIND_BARRIER
            : begins_with_any(InstructionFactsFact(words, "flags.no_work"), text)  ? KIND_OTHER
                                                                                   : KIND_WORK;
    }
    return core->kinds[slot];
}

/* Looked up once per core: all of its rows are of one chip. */
static const InstructionFacts *words_of(CorePipes *core, uint32_t chip)
{
    if (core->words == NULL) {
        core->words = InstructionFactsOf(
            chip == OPPROF_NA_STRING ? NULL : OpprofStageString(core->stage, chip));
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
    core->pipes[core->pipe_count] = (PipeStats){
        .pipe = pipe,
        .is_front = InstructionFactsListHas(InstructionFactsFact(core->words, "pipes.front_end"),
                                            OpprofStageString(core->stage, pipe)),
    };
    return &core->pipes[core->pipe_count++];
}

static bool add_time(OpprofBusyTime *busy, const OpprofSimInstruction *row, uint64_t start)
{
    if (busy->count >= STRETCHES_KEPT && row->reach > 0 && row->reach <= row->end) {
        OpprofBusyTimeSettle(busy, row->end - row->reach);
    }
    return OpprofBusyTimeAdd(busy, start, row->end) == OPPROF_OK;
}

/* The waits of an address; NULL without memory. */
static PipeWait *find_wait(CorePipes *core, const OpprofSimInstruction *row)
{
    uint32_t place = OpprofMapFind(&core->wait_of_pc, row->pc);

    if (place == OPPROF_MAP_NONE) {
        place = core->wait_count;
        if (!OpprofGrow32(&core->waits, &core->wait_capacity, place + 1u, sizeof *core->waits) ||
            !OpprofMapPut(&core->wait_of_pc, row->pc, place)) {
            return NULL;
        }
        core->waits[core->wait_count++] = (PipeWait){ .pc = row->pc, .pipe = row->pipe };
    }
    return &core->waits[place];
}

static void note_longest(PipeWait *wait, uint64_t from, uint64_t to)
{
    if (to > from && to - from > wait->longest) {
        wait->longest = to - from;
        wait->longest_start = from;
    }
}

static bool add_wait(CorePipes *core, PipeStats *pipe, const OpprofSimInstruction *row,
                     uint64_t start)
{
    const uint64_t from = start > pipe->last_end ? start : pipe->last_end;
    PipeWait *wait = find_wait(core, row);

    if (wait != NULL) {
        wait->ticks += row->end > from ? row->end - from : 0;
        wait->calls++;
        note_longest(wait, from, row->end);
    }
    return wait != NULL && add_time(&pipe->taken, row, start);
}

/* ---- barriers ---- */

/* Work begins after barriers: they kept it waiting. A barrier that only the end of the kernel
 * follows costs nothing. */
static void close_barriers(CorePipes *core)
{
    while (core->open > 0) {
        PipeWait *wait = &core->waits[core->open - 1];

        wait->ticks += wait->open_ticks;
        wait->calls += wait->open_calls;
        wait->open_ticks = wait->open_calls = 0;
        core->open = wait->next;
    }
}

/* Barriers of several pipes may overlap: time counts once. */
static bool add_barrier(CorePipes *core, const OpprofSimInstruction *row, uint64_t start)
{
    const uint64_t from = start > core->barrier_end ? start : core->barrier_end;
    PipeWait *wait = find_wait(core, row);

    if (wait == NULL) {
        return false;
    }
    wait->is_barrier = true;
    if (wait->open_calls++ == 0) {
        wait->next = core->open;
        core->open = (uint32_t) (wait - core->waits) + 1;
    }
    if (row->end > from) {
        wait->open_ticks += row->end - from;
        note_longest(wait, from, row->end);
        core->barrier_end = row->end;
    }
    return true;
}

/* ---- instructions ---- */

static bool add_work(CorePipes *core, PipeStats *pipe, const OpprofSimInstruction *row,
                     uint64_t start)
{
    const bool ok = add_time(&pipe->worked, row, start) && add_time(&pipe->taken, row, start);

    if (!ok || pipe->is_front) {
        return ok;
    }
    if (start >= core->barrier_end) {
        close_barriers(core);
    }
    core->head_end = start < core->head_end ? start : core->head_end;
    return add_time(&core->others, row, start);
}

static bool add_row(CorePipes *core, const OpprofSimInstruction *row)
{
    const uint64_t start = row->start < row->end ? row->start : row->end;
    const uint8_t kind = kind_of(core, words_of(core, row->chip), row->name);
    PipeStats *pipe = find_pipe(core, row->pipe);
    const bool ok = pipe != NULL && (kind == KIND_WORK      ? add_work(core, pipe, row, start)
                                     : kind == KIND_WAIT    ? add_wait(core, pipe, row, start)
                                     : kind == KIND_BARRIER ? add_barrier(core, row, start)
                                                            : true);

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

bool CorePipesMisses(CorePipes *core, const OpprofBatch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        const OpprofSimIcacheMiss *miss = OpprofBatchRecord(batch, i);

        core->misses++;
        if (OpprofMapFind(&core->missed, miss->pc) != OPPROF_MAP_NONE) {
            core->misses_again++;
        } else if (!OpprofMapPut(&core->missed, miss->pc, 0)) {
            return false;
        }
    }
    return true;
}

uint64_t PipeWaited(const PipeStats *pipe)
{
    return OpprofBusyTimeTotal(&pipe->taken) - OpprofBusyTimeTotal(&pipe->worked);
}

uint64_t CorePipesAlone(const CorePipes *core)
{
    return core->head_end == UINT64_MAX
               ? 0
               : core->last_end - core->head_end - OpprofBusyTimeTotal(&core->others);
}

bool CorePipesAreRough(const CorePipes *core)
{
    bool is_rough = core->others.is_rough;

    for (uint32_t i = 0; i < core->pipe_count; i++) {
        is_rough = is_rough || core->pipes[i].worked.is_rough || core->pipes[i].taken.is_rough;
    }
    return is_rough;
}

const PipeStats *CorePipesBusiest(const CorePipes *core)
{
    const PipeStats *best = NULL;
    uint64_t most = 0;

    if (CorePipesAreRough(core)) {
        return NULL;
    }
    for (uint32_t i = 0; i < core->pipe_count; i++) {
        const PipeStats *pipe = &core->pipes[i];
        const uint64_t worked = OpprofBusyTimeTotal(&pipe->worked);

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

        if (wait->pipe == pipe->pipe && !wait->is_barrier && wait->ticks > 0 &&
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
        core->head_end = UINT64_MAX;
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
    OpprofBusyTimeFinish(&core->others);
    OpprofMapFinish(&core->wait_of_pc);
    OpprofMapFinish(&core->missed);
    free(core->pipes);
    free(core->waits);
    free(core);
}
