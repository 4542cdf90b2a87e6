/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws a core's part of the document of all cores. Tested by
 * tests/plugins/analyse-sim/timeline/test_sim_timeline.c.
 */
#include "draw_main.h"

#include "drawing.h"

#include <opprof/text.h>
#include <string.h>

#define CROSS_ARROW_TICKS 2u /* before the end of a slice: more than a nanosecond at any clock */
#define GROUP_NAME_MAX 200u  /* bytes of a name that are used in a group's name */

/* How a flag is drawn: as two halves within its core, as a slice between cores. */
typedef struct FlagLook {
    const OpenFlag *flag;
    FlagSide side;
    uint32_t colour;
    const char *detail;
    uint32_t detail_length;
    const char *id; /* of the pair */
    size_t id_length;
} FlagLook;

/* Flags move no bytes. */
static EventArgs flag_args(const FlagLook *look)
{
    return (EventArgs){ .pc = look->flag->pc,
                        .detail = look->detail,
                        .detail_length = look->detail_length };
}

static OpprofStatus draw_flag_part(MainDrawing *drawing, const FlagLook *look, OpprofSpanKind kind)
{
    const EventArgs args = flag_args(look);
    Sheet *sheet = &drawing->core->shared->main;
    OpprofStatus status = OPPROF_OK;
    OpprofSpan *span =
        SheetAdd(sheet, DrawArgsBytes(args.detail_length) + 2 * look->id_length + 1, &status);

    if (span == NULL) {
        return status;
    }
    span->kind = kind;
    span->name = look->flag->name;
    span->colour = look->colour;
    span->start = kind == OPPROF_SPAN_END ? look->flag->end : look->flag->start;
    span->duration = kind == OPPROF_SPAN_SLICE ? look->flag->end - look->flag->start : 0;
    span->track = look->flag->track;
    if (kind == OPPROF_SPAN_SLICE) {
        DrawSliceId(sheet, span, look->id, look->id_length, look->side);
    } else {
        span->id = SheetText(sheet, look->id, look->id_length);
    }
    if (DrawHasHeads(look->flag->cache_cycles)) {
        span->group = SheetText(sheet, look->id, look->id_length);
    }
    if (kind != OPPROF_SPAN_END) {
        DrawArgs(drawing->core->shared, sheet, span, &args);
    }
    return OPPROF_OK;
}

static OpprofStatus draw_flag_heads(MainDrawing *drawing, const FlagLook *look)
{
    const EventArgs args = flag_args(look);
    const Heads heads = { .start = look->flag->start,
                          .issue = look->flag->issue,
                          .cache_cycles = look->flag->cache_cycles,
                          .scale = 1,
                          .track = look->flag->track,
                          .colour = look->colour,
                          .group = look->id,
                          .group_length = look->id_length };

    return DrawHasHeads(look->flag->cache_cycles)
               ? DrawHeads(drawing->core->shared, &drawing->core->shared->main, &heads, &args)
               : OPPROF_OK;
}

/*
 * A flag of the core and its end of the arrow, if it has a partner. The end is placed between the
 * halves: there a viewer finds the open slice, wherever in the document both are.
 */
static OpprofStatus draw_flag(MainDrawing *drawing, const FlagLook *look, const OpenFlag *partner)
{
    OpprofStatus status = draw_flag_heads(drawing, look);

    if (status == OPPROF_OK) {
        status = draw_flag_part(drawing, look, OPPROF_SPAN_BEGIN);
    }
    if (status == OPPROF_OK && partner != NULL) {
        const OpenFlag *set = look->side == FLAG_SET ? look->flag : partner;
        const OpenFlag *wait = look->side == FLAG_SET ? partner : look->flag;
        const Arrow arrow = { .id = look->id,
                              .id_length = look->id_length,
                              .from_lane = set->lane,
                              .to_lane = wait->lane };

        status = DrawArrowEnd(drawing->core->shared, &drawing->core->shared->main, &arrow,
                              look->side, look->flag->time, look->flag->track);
    }
    return status == OPPROF_OK ? draw_flag_part(drawing, look, OPPROF_SPAN_END) : status;
}

/* A row of the pipe is drawn as a plain instruction: waits begin after it. */
static void drawn_plain(PipeState *pipe, uint64_t end)
{
    if (!pipe->has_plain || pipe->plain_end < end) {
        pipe->plain_end = end;
        pipe->has_plain = true;
    }
}

static uint64_t flag_start(const PipeState *pipe, const OpprofSimInstruction *row, FlagSide side)
{
    if (side == FLAG_SET) {
        return row->end - (row->end > 0);
    }
    return pipe->has_plain && row->start < pipe->plain_end && pipe->plain_end < row->end
               ? pipe->plain_end
               : row->start;
}

/* "<core>_<number>" */
static size_t put_flag_id(const MainDrawing *drawing, uint64_t number, char *out)
{
    char *at = out;

    memcpy(at, drawing->core->name, drawing->core->name_length);
    at += drawing->core->name_length;
    *at++ = '_';
    return (size_t) (OpprofTextPutU64(at, number) - out);
}

static FlagLook core_flag_look(const MainDrawing *drawing, FlagSide side, const OpenFlag *flag,
                               const char *detail, size_t detail_length)
{
    const Vocabulary *words = &drawing->core->shared->words;

    return (FlagLook){ .flag = flag,
                       .side = side,
                       .colour = side == FLAG_SET ? words->set_colour : words->wait_colour,
                       .detail = detail,
                       .detail_length = (uint32_t) detail_length };
}

/* Draws a flag whose partner did not come; a FlagAlone. */
static OpprofStatus draw_flag_alone(void *context, const char *detail, size_t detail_length,
                                    FlagSide side, const OpenFlag *flag)
{
    MainDrawing *drawing = context;
    char id[CORE_NAME_MAX + NUMBER_ROOM];
    FlagLook look = core_flag_look(drawing, side, flag, detail, detail_length);

    look.id = id;
    look.id_length = put_flag_id(drawing, flag->id, id);
    return draw_flag(drawing, &look, NULL);
}

/* Draws a set and its wait: both have come. */
static OpprofStatus draw_flag_pair(MainDrawing *drawing, const OpenFlag *set, const OpenFlag *wait,
                                   const Instruction *instruction, uint64_t number)
{
    char id[CORE_NAME_MAX + NUMBER_ROOM];
    const size_t id_length = put_flag_id(drawing, number, id);
    OpprofStatus status = OPPROF_OK;

    for (FlagSide side = FLAG_SET; status == OPPROF_OK && side <= FLAG_WAIT; side++) {
        FlagLook look = core_flag_look(drawing, side, side == FLAG_SET ? set : wait,
                                       instruction->detail, instruction->detail_length);

        look.id = id;
        look.id_length = id_length;
        status = draw_flag(drawing, &look, side == FLAG_SET ? wait : set);
    }
    return status;
}

/*
 * A flag waits for its partner, then both are drawn. The arrow begins where the set does, one tick
 * before its end: at its end something else may begin, to which a viewer would attach the arrow.
 */
static OpprofStatus draw_core_flag(MainDrawing *drawing, PipeState *pipe,
                                   const Instruction *instruction)
{
    const OpprofSimInstruction *row = instruction->row;
    const FlagSide side = instruction->kind == ROW_SET ? FLAG_SET : FLAG_WAIT;
    const uint64_t start = flag_start(pipe, row, side);
    const OpenFlag flag = { .time = side == FLAG_SET ? start : row->end,
                            .id = drawing->next_flag,
                            .track = pipe->main_track,
                            .lane = pipe->pipe,
                            .pc = row->pc,
                            .start = start,
                            .end = row->end,
                            .issue = DrawIssue(row->start, row->ccu_cycles),
                            .cache_cycles = side == FLAG_WAIT ? row->cache_cycles : 0,
                            .name = row->name };
    OpenFlag partner;
    bool found;
    const FlagHalf half = { instruction->detail, instruction->detail_length, side };
    OpprofStatus status = FlagTableMeet(drawing->flags, &half, &flag, &partner, &found);

    drawing->next_flag += !found;
    if (status != OPPROF_OK || !found) {
        return status;
    }
    return side == FLAG_SET ? draw_flag_pair(drawing, &flag, &partner, instruction, partner.id)
                            : draw_flag_pair(drawing, &partner, &flag, instruction, partner.id);
}

OpprofStatus DrawCrossArrows(TimelineShared *shared, CrossLine *line)
{
    Sheet *sheet = &shared->main_arrows;
    OpprofStatus status = OPPROF_OK;
    CrossEnd end;

    while (status == OPPROF_OK && CrossPairsTake(shared->cross, line, &end)) {
        char id[CROSS_ID_SIZE];
        const Arrow arrow = { .id = id,
                              .id_length = CrossIdPut(line, &end.half, end.number, id),
                              .from_lane = end.from_lane,
                              .to_lane = end.to_lane };

        status = SheetSetClock(sheet, end.half.clock);
        if (status == OPPROF_OK) {
            status = DrawArrowEnd(shared, sheet, &arrow, CrossSide(end.half.kind), end.half.time,
                                  end.half.track);
        }
    }
    return status;
}

/* Where the arrow of a slice begins or ends: far enough before its end that nothing else begins
 * there. */
static uint64_t inside(const OpprofSimInstruction *row)
{
    return row->end - row->start > CROSS_ARROW_TICKS ? row->end - CROSS_ARROW_TICKS : row->start;
}

/* A flag between cores is drawn in the lane that its detail names. */
static OpprofStatus draw_cross_flag(MainDrawing *drawing, PipeState *pipe,
                                    const Instruction *instruction, const CrossDetail *detail)
{
    const OpprofSimInstruction *row = instruction->row;
    const char *lane_name = CrossPipeName(drawing->core->shared->words.chip, detail->pipe);
    TimelineShared *shared = drawing->core->shared;
    char id[CROSS_ID_SIZE];
    uint64_t number;
    OpprofStatus status;

    if (lane_name != NULL) {
        pipe = CoreFindPipe(drawing->core, VocabularyIntern(&shared->words, lane_name));
    }
    if (pipe == NULL) {
        return OPPROF_E_MEMORY;
    }
    const CrossHalf half = { .time = inside(row),
                             .sync_id = detail->sync_id,
                             .rule = shared->words.cross,
                             .kind = instruction->cross,
                             .clock = shared->main.open.clock,
                             .track = pipe->main_track,
                             .lane = pipe->pipe };
    const OpenFlag flag = { .track = pipe->main_track,
                            .pc = row->pc,
                            .start = row->start,
                            .end = row->end,
                            .issue = DrawIssue(row->start, row->ccu_cycles),
                            .cache_cycles = row->cache_cycles,
                            .name = row->name };
    FlagLook look = { .flag = &flag,
                      .side = CrossSide(instruction->cross),
                      .colour = pipe->colour,
                      .detail = instruction->detail,
                      .detail_length = instruction->detail_length,
                      .id = id };
    status = CrossPairsMeet(shared->cross, drawing->cross, &half, &number);
    if (status != OPPROF_OK) {
        return status;
    }
    look.id_length = CrossIdPut(drawing->cross, &half, number, id);
    status = draw_flag_heads(drawing, &look);
    if (status == OPPROF_OK) {
        status = draw_flag_part(drawing, &look, OPPROF_SPAN_SLICE);
    }
    return status == OPPROF_OK ? DrawCrossArrows(shared, drawing->cross) : status;
}

/* "<name><number>": ties a row to the slices before it. Returns the length. */
static size_t put_row_group(const MainDrawing *drawing, const char *name, size_t length, char *out)
{
    memcpy(out, name, length);
    return (size_t) (OpprofTextPutU64(out + length, drawing->plain_rows - 1) - out);
}

/* Draws a row with what came before its start. */
static OpprofStatus draw_heads_of_row(MainDrawing *drawing, Sheet *sheet,
                                      const Instruction *instruction, const EventArgs *args,
                                      const Heads *look)
{
    const OpprofSimInstruction *row = instruction->row;
    Heads heads = *look;

    heads.start = row->start;
    heads.issue = DrawIssue(row->start, row->ccu_cycles);
    heads.cache_cycles = row->cache_cycles;
    heads.scale = 1;
    return DrawHeads(drawing->core->shared, sheet, &heads, args);
}

OpprofStatus DrawMainSlice(MainDrawing *drawing, Sheet *sheet, const Instruction *instruction,
                           uint32_t track, uint32_t colour)
{
    const OpprofSimInstruction *row = instruction->row;
    const EventArgs args = { row->pc, instruction->detail, instruction->detail_length,
                             instruction->bytes };
    Heads heads = { .track = track, .colour = colour };
    OpprofStatus status = OPPROF_OK;
    char group[GROUP_NAME_MAX + NUMBER_ROOM];
    OpprofSpan *span;

    if (DrawHasHeads(row->cache_cycles) && instruction->kind != ROW_BAR) {
        size_t length;
        const char *name =
            OpprofStageStringLength(drawing->core->shared->stage, row->name, &length);

        heads.group = group;
        heads.group_length =
            put_row_group(drawing, name, length < GROUP_NAME_MAX ? length : GROUP_NAME_MAX, group);
        status = draw_heads_of_row(drawing, sheet, instruction, &args, &heads);
    }
    span = status != OPPROF_OK
               ? NULL
               : SheetAdd(sheet, DrawArgsBytes(args.detail_length) + heads.group_length, &status);
    if (span == NULL) {
        return status;
    }
    span->kind = OPPROF_SPAN_SLICE;
    span->name = row->name;
    span->colour = colour;
    span->track = track;
    span->start = row->start;
    span->duration = row->end - row->start;
    if (instruction->kind == ROW_BAR) {
        span->start = row->end - (row->end > 0);
        span->duration = 1;
    }
    if (heads.group != NULL) {
        span->group = SheetText(sheet, heads.group, heads.group_length);
    }
    DrawArgs(drawing->core->shared, sheet, span, &args);
    return OPPROF_OK;
}

OpprofStatus DrawMain(MainDrawing *drawing, PipeState *pipe, const Instruction *instruction)
{
    CrossDetail detail;

    if (instruction->kind == ROW_SET || instruction->kind == ROW_WAIT) {
        return draw_core_flag(drawing, pipe, instruction);
    }
    if (instruction->cross != CROSS_NONE &&
        CrossDetailParse(&drawing->core->shared->words.cross, instruction->detail,
                         instruction->detail_length, &detail)) {
        return draw_cross_flag(drawing, pipe, instruction, &detail);
    }
    drawn_plain(pipe, instruction->row->end);
    drawing->plain_rows++;
    return DrawMainSlice(drawing, &drawing->core->shared->main, instruction, pipe->main_track,
                         pipe->colour);
}

OpprofStatus DrawMainWarp(MainDrawing *drawing, PipeState *pipe, const WarpState *warp,
                          const Instruction *instruction)
{
    drawn_plain(pipe, instruction->row->end);
    drawing->plain_rows++;
    return DrawMainSlice(drawing, &drawing->core->shared->main, instruction, warp->main_track,
                         instruction->simt_colour);
}

OpprofStatus DrawMainFlush(MainDrawing *drawing)
{
    const OpprofStatus status = FlagTableEnd(drawing->flags);

    return status == OPPROF_OK ? DrawCrossArrows(drawing->core->shared, drawing->cross) : status;
}

bool DrawMainInit(MainDrawing *drawing, CoreLanes *core)
{
    drawing->core = core;
    drawing->flags = FlagTableCreate(draw_flag_alone, drawing);
    drawing->cross = CrossPairsAdd(core->shared->cross, core->name);
    return drawing->flags != NULL && drawing->cross != NULL;
}

void DrawMainFinish(MainDrawing *drawing)
{
    FlagTableDestroy(drawing->flags);
}
