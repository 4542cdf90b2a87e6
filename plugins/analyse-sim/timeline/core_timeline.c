/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes one core's instructions, marks and misses to both documents. Tested by
 * tests/plugins/analyse-sim/timeline/test_sim_timeline.c.
 */
#include "core_timeline.h"

#include "draw_main.h"
#include "draw_own.h"
#include "drawing.h"

#include <opprof/kit/busy_time.h>

#include <stdlib.h>
#include <string.h>

/* Busy stretches of the core that are kept even if no later row can touch them. */
#define STRETCHES_KEPT 1024u

struct CoreTimeline {
    CoreLanes lanes;
    MainDrawing main;
    OwnDrawing own;
    uint32_t name;  /* interned */
    uint32_t clock; /* of the instructions */
    uint32_t cache_track;
    uint32_t mark_track;
    uint32_t mark_own_tracks[CORE_MARK_DIGITS];
    OpprofBusyTime busy;
    uint64_t first_start;
    uint64_t last_end;
};

static OpprofStatus draw_warp_row(CoreTimeline *core, Instruction *instruction)
{
    WarpState *warp = CoreFindWarp(&core->lanes, (unsigned) instruction->row->warp);
    PipeState *pipe = CoreFindPipe(&core->lanes, instruction->row->pipe);
    OpprofStatus status;

    if (warp == NULL || pipe == NULL) {
        return OPPROF_E_MEMORY;
    }
    instruction->bytes = 0;
    status = DrawMainWarp(&core->main, pipe, warp, instruction);
    instruction->kind = ROW_PLAIN;
    return status == OPPROF_OK ? DrawOwnWarp(&core->own, warp, instruction) : status;
}

static OpprofStatus draw_pipe_row(CoreTimeline *core, const Instruction *instruction)
{
    PipeState *pipe = CoreFindPipe(&core->lanes, instruction->row->pipe);
    OpprofStatus status = pipe == NULL ? OPPROF_E_MEMORY : DrawMain(&core->main, pipe, instruction);

    return status == OPPROF_OK ? DrawOwnPipe(&core->own, pipe, instruction) : status;
}

static OpprofStatus draw_instruction(CoreTimeline *core, const OpprofBatch *batch,
                                     const OpprofSimInstruction *row)
{
    if (!VocabularyUse(&core->lanes.shared->words, row->chip)) {
        return OPPROF_E_MEMORY;
    }
    const NameInfo *name = VocabularyName(&core->lanes.shared->words, row->name);
    const char *detail = OpprofBatchText(batch, row->detail);
    Instruction instruction = { .row = row,
                                .detail = detail == NULL ? "" : detail,
                                .detail_length = detail == NULL ? 0 : row->detail.length,
                                .kind = name->kind,
                                .cross = name->cross,
                                .simt_colour = name->simt_colour };

    if (name->facts.move != NULL) {
        instruction.bytes =
            ProcessBytes(&name->facts, instruction.detail, instruction.detail_length);
    }
    if (row->warp >= 0 && (unsigned) row->warp < CORE_WARPS && row->scheduler >= 0) {
        return draw_warp_row(core, &instruction);
    }
    return draw_pipe_row(core, &instruction);
}

/* Times of the batch are ticks of this clock; the core's own document uses another. */
static OpprofStatus set_clock(CoreTimeline *core, uint32_t clock, Sheet *main, Sheet *own_sheet)
{
    const OpprofClock *info = OpprofStageClockInfo(core->lanes.shared->stage, clock);
    OpprofClock twice;
    uint32_t own;
    OpprofStatus status = SheetSetClock(main, clock);

    if (status != OPPROF_OK || (core->clock == clock && own_sheet->open.clock != 0)) {
        return status;
    }
    twice = info != NULL ? *info : (OpprofClock){ .name = "tick", .hz = UINT64_C(1000000000) };
    twice.hz *= 2;
    own = OpprofStageClock(core->lanes.shared->stage, &twice);
    core->clock = clock;
    return own == 0 ? OPPROF_E_MEMORY : SheetSetClock(own_sheet, own);
}

OpprofStatus CoreTimelineInstructions(CoreTimeline *core, const OpprofBatch *batch)
{
    OpprofStatus status =
        set_clock(core, batch->clock, &core->lanes.shared->main, &core->own.sheet);

    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        const OpprofSimInstruction *row = OpprofBatchRecord(batch, i);

        if (row->start > row->end) {
            continue;
        }
        core->first_start = row->start < core->first_start ? row->start : core->first_start;
        core->last_end = row->end > core->last_end ? row->end : core->last_end;
        if (core->busy.count >= STRETCHES_KEPT && row->reach > 0 && row->reach <= row->end) {
            OpprofBusyTimeSettle(&core->busy, row->end - row->reach);
        }
        status = OpprofBusyTimeAdd(&core->busy, row->start, row->end);
        if (status == OPPROF_OK && core->lanes.shared->has_reader) {
            status = draw_instruction(core, batch, row);
        }
    }
    return status == OPPROF_OK ? CoreLanesKeep(&core->lanes) : status;
}

static OpprofStatus draw_miss(CoreTimeline *core, const OpprofBatch *batch,
                              const OpprofSimIcacheMiss *miss)
{
    const Vocabulary *words = &core->lanes.shared->words;
    const char *address = OpprofBatchText(batch, miss->address);
    const char *detail = OpprofBatchText(batch, miss->detail);
    const OpprofSimInstruction row = {
        .pc = miss->pc,
        .start = miss->tick,
        .end = miss->tick + (miss->tick < UINT64_MAX),
        .name = address == NULL
                    ? words->empty
                    : OpprofStageIntern(core->lanes.shared->stage, address, miss->address.length)
    };
    const Instruction drawn = { .row = &row,
                                .detail = detail == NULL ? "" : detail,
                                .detail_length = detail == NULL ? 0 : miss->detail.length };
    OpprofStatus status = DrawMainSlice(&core->main, &core->lanes.shared->main_misses, &drawn,
                                        core->cache_track, words->cache_miss_colour);

    return status == OPPROF_OK ? DrawOwnMiss(&core->own, &drawn, words->cache_miss_colour) : status;
}

/*
 * Cache misses have a lane of their own, separate from a pipe of that name: they come on another
 * port, so the two have no common order.
 */
static bool make_cache_lane(CoreTimeline *core)
{
    const Vocabulary *words = &core->lanes.shared->words;
    const PipeLook look = VocabularyLook(words, words->roles.cache_miss);

    if (core->cache_track == OPPROF_NA_U32) {
        core->cache_track = CoreMainTrack(&core->lanes, words->roles.cache_miss, look.sort);
    }
    if (core->own.miss_lane == NULL) {
        core->own.miss_lane = CoreAddMissLane(&core->lanes, words->roles.cache_miss);
    }
    return core->cache_track != OPPROF_NA_U32 && core->own.miss_lane != NULL;
}

OpprofStatus CoreTimelineCacheMisses(CoreTimeline *core, const OpprofBatch *batch)
{
    OpprofStatus status;

    if (!core->lanes.shared->has_reader) {
        return OPPROF_OK;
    }
    const OpprofSimIcacheMiss *first = batch->count > 0 ? OpprofBatchRecord(batch, 0) : NULL;
    const bool is_ready =
        VocabularyUse(&core->lanes.shared->words, first == NULL ? OPPROF_NA_STRING : first->chip) &&
        make_cache_lane(core);
    status = is_ready ? set_clock(core, batch->clock, &core->lanes.shared->main_misses,
                                  &core->own.misses)
                      : OPPROF_E_MEMORY;
    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        status = draw_miss(core, batch, OpprofBatchRecord(batch, i));
    }
    return status == OPPROF_OK ? CoreLanesKeep(&core->lanes) : status;
}

static OpprofStatus draw_mark(CoreTimeline *core, const OpprofSimMark *mark)
{
    if (!VocabularyUse(&core->lanes.shared->words, mark->chip)) {
        return OPPROF_E_MEMORY;
    }
    const Vocabulary *words = &core->lanes.shared->words;
    const PipeLook look = VocabularyLook(words, words->roles.user_mark);
    const uint32_t digit = mark->digit % CORE_MARK_DIGITS;
    uint32_t *own_track = &core->mark_own_tracks[digit];
    OpprofStatus status;

    if (core->mark_track == OPPROF_NA_U32) {
        core->mark_track = CoreMainTrack(&core->lanes, words->roles.user_mark, look.sort);
    }
    if (*own_track == OPPROF_NA_U32) {
        *own_track = CoreOwnTrack(&core->lanes, look.number, words->roles.user_mark, digit);
    }
    if (core->mark_track == OPPROF_NA_U32 || *own_track == OPPROF_NA_U32) {
        return OPPROF_E_MEMORY;
    }
    status = DrawMark(core->lanes.shared, &core->lanes.shared->main_marks, mark, core->mark_track,
                      mark->start, mark->end);
    return status == OPPROF_OK ? DrawOwnMark(&core->own, mark, *own_track) : status;
}

OpprofStatus CoreTimelineMarks(CoreTimeline *core, const OpprofBatch *batch)
{
    OpprofStatus status;

    if (!core->lanes.shared->has_reader) {
        return OPPROF_OK;
    }
    status = set_clock(core, batch->clock, &core->lanes.shared->main_marks, &core->own.marks);
    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        status = draw_mark(core, OpprofBatchRecord(batch, i));
    }
    return status;
}

CoreTimeline *CoreTimelineCreate(TimelineShared *shared, uint32_t name)
{
    CoreTimeline *core = calloc(1, sizeof *core);

    if (core == NULL) {
        return NULL;
    }
    core->name = name;
    core->first_start = UINT64_MAX;
    core->cache_track = OPPROF_NA_U32;
    core->mark_track = OPPROF_NA_U32;
    memset(core->mark_own_tracks, 0xff, sizeof core->mark_own_tracks);
    if (!CoreLanesInit(&core->lanes, shared, name) || !DrawMainInit(&core->main, &core->lanes) ||
        !DrawOwnInit(&core->own, &core->lanes)) {
        CoreTimelineDestroy(core);
        return NULL;
    }
    return core;
}

void CoreTimelineDestroy(CoreTimeline *core)
{
    if (core == NULL) {
        return;
    }
    DrawMainFinish(&core->main);
    DrawOwnFinish(&core->own);
    CoreLanesFinish(&core->lanes);
    OpprofBusyTimeFinish(&core->busy);
    free(core);
}

uint32_t CoreTimelineName(const CoreTimeline *core)
{
    return core->name;
}

OpprofStatus CoreTimelineFlush(CoreTimeline *core)
{
    const OpprofStatus status = DrawMainFlush(&core->main);

    return status == OPPROF_OK ? DrawOwnFlush(&core->own) : status;
}

void CoreTimelineTimes(const CoreTimeline *core, CoreTimes *ret_times)
{
    *ret_times = (CoreTimes){ .first_start = core->first_start,
                              .last_end = core->last_end,
                              .busy_ticks = OpprofBusyTimeTotal(&core->busy),
                              .is_rough = core->busy.is_rough,
                              .clock = core->clock };
}

uint64_t CoreTimelineForgottenFlags(const CoreTimeline *core)
{
    return FlagTableForgotten(core->main.flags);
}

bool CoreTimelineLetGo(const CoreTimeline *core)
{
    return CoreLanesLetGo(&core->lanes);
}
