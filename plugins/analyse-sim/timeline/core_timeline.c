/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes one core's instructions, marks and misses to both documents. Tested by
 * tests/plugins/analyse-sim/timeline/test_sim_timeline.c.
 */
#include "core_state.h"

#include <stdlib.h>
#include <string.h>

/* Stretches in which the core was busy that are kept although no later row can touch them. */
#define STRETCHES_KEPT 1024u

static OpprofStatus draw_warp_row(CoreTimeline *core, Instruction *instruction)
{
    WarpState *warp = CoreFindWarp(core, (unsigned) instruction->row->warp);
    PipeState *pipe = CoreFindPipe(core, instruction->row->pipe);
    OpprofStatus status;

    if (warp == NULL || pipe == NULL) {
        return OPPROF_E_MEMORY;
    }
    DrawnPlain(pipe, instruction->row->end);
    instruction->bytes = 0;
    core->plain_rows++;
    status = DrawMainSlice(core, &core->shared->main, instruction, warp->main_track,
                           instruction->simt_colour);
    instruction->kind = ROW_PLAIN;
    return status == OPPROF_OK ? DrawOwn(core, warp->lane, instruction, instruction->simt_colour)
                               : status;
}

static OpprofStatus draw_pipe_row(CoreTimeline *core, const Instruction *instruction)
{
    PipeState *pipe = CoreFindPipe(core, instruction->row->pipe);
    OpprofStatus status = pipe == NULL ? OPPROF_E_MEMORY : DrawMain(core, pipe, instruction);

    return status == OPPROF_OK ? DrawOwnPipe(core, pipe, instruction) : status;
}

static OpprofStatus draw_instruction(CoreTimeline *core, const OpprofBatch *batch,
                                     const OpprofSimInstruction *row)
{
    const NameInfo *name = VocabularyName(&core->shared->words, row->name, row->dialect);
    const char *detail = OpprofBatchText(batch, row->detail);
    Instruction instruction = { .row = row,
                                .detail = detail == NULL ? "" : detail,
                                .detail_length = detail == NULL ? 0 : row->detail.length,
                                .kind = name->kind,
                                .cross = name->cross,
                                .simt_colour = name->simt_colour };

    if (name->facts.bytes != BYTES_NONE) {
        instruction.bytes =
            ProcessBytes(&name->facts, instruction.detail, instruction.detail_length);
    }
    if (row->warp >= 0 && (unsigned) row->warp < CORE_WARPS && row->scheduler >= 0) {
        return draw_warp_row(core, &instruction);
    }
    return draw_pipe_row(core, &instruction);
}

/* The batch is about to go. */
static OpprofStatus keep_held_rows(CoreTimeline *core)
{
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < core->lane_count; i++) {
        status = LaneKeep(core->lanes[i]);
    }
    return status;
}

/* Times of the batch are ticks of this clock, those of the core's own document of another. */
static OpprofStatus set_clock(CoreTimeline *core, uint32_t clock, Sheet *main, Sheet *own_sheet)
{
    const OpprofClock *info = OpprofStageClockInfo(core->shared->stage, clock);
    OpprofClock twice;
    uint32_t own;
    OpprofStatus status = SheetSetClock(main, clock);

    if (status != OPPROF_OK || (core->clock == clock && own_sheet->clock != 0)) {
        return status;
    }
    twice = info != NULL ? *info : (OpprofClock){ .name = "tick", .hz = UINT64_C(1000000000) };
    twice.hz *= 2;
    own = OpprofStageClock(core->shared->stage, &twice);
    core->clock = clock;
    return own == 0 ? OPPROF_E_MEMORY : SheetSetClock(own_sheet, own);
}

OpprofStatus CoreTimelineInstructions(CoreTimeline *core, const OpprofBatch *batch)
{
    OpprofStatus status = set_clock(core, batch->clock, &core->shared->main, &core->own);

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
        if (status == OPPROF_OK && core->shared->has_reader) {
            status = draw_instruction(core, batch, row);
        }
    }
    return status == OPPROF_OK ? keep_held_rows(core) : status;
}

static OpprofStatus draw_miss(CoreTimeline *core, const OpprofBatch *batch,
                              const OpprofSimIcacheMiss *miss)
{
    const Vocabulary *words = &core->shared->words;
    const char *address = OpprofBatchText(batch, miss->address);
    const char *detail = OpprofBatchText(batch, miss->detail);
    const OpprofSimInstruction row = { .pc = miss->pc,
                                       .start = miss->tick,
                                       .end = miss->tick + (miss->tick < UINT64_MAX),
                                       .name = address == NULL
                                                   ? words->empty
                                                   : OpprofStageIntern(core->shared->stage, address,
                                                                       miss->address.length) };
    const Instruction drawn = { .row = &row,
                                .detail = detail == NULL ? "" : detail,
                                .detail_length = detail == NULL ? 0 : miss->detail.length };
    OpprofStatus status = DrawMainSlice(core, &core->shared->main_misses, &drawn, core->cache_track,
                                        words->cache_miss_colour);

    return status == OPPROF_OK ? DrawOwn(core, core->cache_lane, &drawn, words->cache_miss_colour)
                               : status;
}

/*
 * Cache misses have a lane of their own, apart from what rows of a pipe of that name have: they
 * come on another port, so there is no common order.
 */
static bool make_cache_lane(CoreTimeline *core)
{
    const PipeLook *look = PaletteOfPipe("CACHEMISS");

    if (core->cache_track == OPPROF_NA_U32) {
        core->cache_track = CoreMainTrack(core, look->pipe, look->sort);
    }
    if (core->cache_lane == NULL) {
        core->cache_lane = CoreAddPipeLane(core, look->pipe);
    }
    return core->cache_track != OPPROF_NA_U32 && core->cache_lane != NULL;
}

OpprofStatus CoreTimelineCacheMisses(CoreTimeline *core, const OpprofBatch *batch)
{
    OpprofStatus status;

    if (!core->shared->has_reader) {
        return OPPROF_OK;
    }
    status = make_cache_lane(core)
                 ? set_clock(core, batch->clock, &core->shared->main_misses, &core->own_misses)
                 : OPPROF_E_MEMORY;
    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        status = draw_miss(core, batch, OpprofBatchRecord(batch, i));
    }
    return status == OPPROF_OK ? keep_held_rows(core) : status;
}

static OpprofStatus draw_mark(CoreTimeline *core, const OpprofSimMark *mark)
{
    const PipeLook *look = PaletteOfPipe("USERMARK");
    const uint32_t digit = mark->digit % CORE_MARK_DIGITS;
    uint32_t *own_track = &core->mark_own_tracks[digit];
    OpprofStatus status;

    if (core->mark_track == OPPROF_NA_U32) {
        core->mark_track = CoreMainTrack(core, look->pipe, look->sort);
    }
    if (*own_track == OPPROF_NA_U32) {
        *own_track = CoreOwnTrack(core, look->number, look->pipe, digit);
    }
    if (core->mark_track == OPPROF_NA_U32 || *own_track == OPPROF_NA_U32) {
        return OPPROF_E_MEMORY;
    }
    status =
        DrawMark(core, &core->shared->main_marks, mark, core->mark_track, mark->start, mark->end);
    return status == OPPROF_OK ? DrawOwnMark(core, mark, *own_track) : status;
}

OpprofStatus CoreTimelineMarks(CoreTimeline *core, const OpprofBatch *batch)
{
    OpprofStatus status;

    if (!core->shared->has_reader) {
        return OPPROF_OK;
    }
    status = set_clock(core, batch->clock, &core->shared->main_marks, &core->own_marks);
    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        status = draw_mark(core, OpprofBatchRecord(batch, i));
    }
    return status;
}

/* The document of the core's own and its batches. */
static bool init_own_sheet(CoreTimeline *core)
{
    static const char suffix[] = "/trace";
    char document[CORE_NAME_MAX + sizeof suffix];

    memcpy(document, core->name, core->name_length);
    memcpy(document + core->name_length, suffix, sizeof suffix);
    core->own = (Sheet){ .stage = core->shared->stage,
                         .port = core->shared->port,
                         .document = VocabularyIntern(&core->shared->words, document) };
    core->own_marks = core->own_misses = core->own;
    core->own_marks.port = core->shared->mark_port;
    core->own_misses.port = core->shared->miss_port;
    return core->own.document != OPPROF_NA_STRING;
}

CoreTimeline *CoreTimelineCreate(TimelineShared *shared, uint32_t name)
{
    CoreTimeline *core = calloc(1, sizeof *core);

    if (core == NULL) {
        return NULL;
    }
    core->shared = shared;
    core->core = name;
    core->name = OpprofStageStringLength(shared->stage, name, &core->name_length);
    core->sort = PaletteCoreSort(core->name);
    core->first_start = UINT64_MAX;
    core->cache_track = OPPROF_NA_U32;
    core->mark_track = OPPROF_NA_U32;
    memset(core->mark_own_tracks, 0xff, sizeof core->mark_own_tracks);
    core->main_flags = FlagTableCreate(DrawFlagAlone, core);
    core->own_flags = FlagTableCreate(NULL, NULL);
    if (core->main_flags == NULL || core->own_flags == NULL || core->name_length > CORE_NAME_MAX ||
        !init_own_sheet(core)) {
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
    for (uint32_t i = 0; i < core->lane_count; i++) {
        LaneFinish(core->lanes[i]);
        free(core->lanes[i]);
    }
    free(core->lanes);
    for (uint32_t i = 0; i < core->pipe_count; i++) {
        free(core->pipes[i]);
    }
    free(core->pipes);
    FlagTableDestroy(core->main_flags);
    FlagTableDestroy(core->own_flags);
    OpprofBusyTimeFinish(&core->busy);
    SheetFinish(&core->own);
    SheetFinish(&core->own_marks);
    SheetFinish(&core->own_misses);
    free(core);
}

uint32_t CoreTimelineName(const CoreTimeline *core)
{
    return core->core;
}

OpprofStatus CoreTimelineFlush(CoreTimeline *core)
{
    const OpprofStatus status = FlagTableEnd(core->main_flags);

    return status == OPPROF_OK ? DrawOwnFlush(core) : status;
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
    return FlagTableForgotten(core->main_flags);
}

bool CoreTimelineLetGo(const CoreTimeline *core)
{
    bool let_go = false;

    for (uint32_t i = 0; i < core->lane_count; i++) {
        let_go = let_go || core->lanes[i]->let_go || core->lanes[i]->sub_lanes.is_full;
    }
    return let_go;
}
