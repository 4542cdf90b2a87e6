/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws a core's part of the document of all cores. Tested by
 * tests/plugins/analyse-sim/timeline/test_sim_timeline.c.
 */
#include "core_state.h"

#include <opprof/text.h>
#include <string.h>

#define CROSS_PREFIX "intra_"
#define GROUP_NAME_MAX 200u /* bytes of a name that a group's name begins with */

/* How a flag is drawn. */
typedef struct FlagLook {
    FlagSide side;
    uint64_t start;
    uint32_t colour;
    ArrowEnd arrow; /* its end of the arrow */
    const char *id; /* of the pair */
    size_t id_length;
    bool has_heads; /* fetch and issue are drawn before it */
} FlagLook;

/* Bytes are not told of flags. */
static EventArgs flag_args(const Instruction *instruction)
{
    return (EventArgs){ .pc = instruction->row->pc,
                        .detail = instruction->detail,
                        .detail_length = instruction->detail_length };
}

static OpprofStatus draw_flag_half(CoreTimeline *core, const Instruction *instruction,
                                   const FlagLook *look, OpprofSpanKind kind)
{
    const EventArgs args = flag_args(instruction);
    Sheet *sheet = &core->shared->main;
    OpprofStatus status = OPPROF_OK;
    OpprofSpan *span =
        SheetAdd(sheet, DrawArgsBytes(args.detail_length) + 2 * look->id_length, &status);

    if (span == NULL) {
        return status;
    }
    span->kind = kind;
    span->name = instruction->row->name;
    span->colour = look->colour;
    span->start = kind == OPPROF_SPAN_BEGIN ? look->start : instruction->row->end;
    span->track = look->arrow.track;
    span->id = SheetText(sheet, look->id, look->id_length);
    if (look->has_heads) {
        span->group = SheetText(sheet, look->id, look->id_length);
    }
    if (kind == OPPROF_SPAN_BEGIN) {
        DrawArgs(core, sheet, span, &args);
    }
    return OPPROF_OK;
}

static OpprofStatus draw_flag_heads(CoreTimeline *core, const Instruction *instruction,
                                    const FlagLook *look)
{
    const EventArgs args = flag_args(instruction);
    const OpprofSimInstruction *row = instruction->row;
    const Heads heads = { .start = look->start,
                          .issue = DrawIssue(row->start, row->ccu_cycles),
                          .cache_cycles = row->cache_cycles,
                          .scale = 1,
                          .track = look->arrow.track,
                          .colour = look->colour,
                          .group = look->id,
                          .group_length = look->id_length };

    return DrawHeads(core, &core->shared->main, &heads, &args);
}

/* `partner` is NULL as long as the other half of the pair has not come. */
static OpprofStatus draw_flag(CoreTimeline *core, const Instruction *instruction,
                              const FlagLook *look, const OpenFlag *partner)
{
    OpprofStatus status = look->has_heads ? draw_flag_heads(core, instruction, look) : OPPROF_OK;
    ArrowEnd other;

    if (status == OPPROF_OK) {
        status = draw_flag_half(core, instruction, look, OPPROF_SPAN_BEGIN);
    }
    if (status == OPPROF_OK) {
        status = draw_flag_half(core, instruction, look, OPPROF_SPAN_END);
    }
    if (status != OPPROF_OK || partner == NULL) {
        return status;
    }
    other = (ArrowEnd){ .time = partner->time, .track = partner->track, .lane = partner->lane };
    return look->side == FLAG_SET
               ? DrawArrow(core, &core->shared->main, look->id, look->id_length, look->arrow, other)
               : DrawArrow(core, &core->shared->main, look->id, look->id_length, other,
                           look->arrow);
}

void DrawnPlain(PipeState *pipe, uint64_t end)
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

static OpenFlag open_flag(const ArrowEnd *arrow, uint64_t id)
{
    return (OpenFlag){ .time = arrow->time, .track = arrow->track, .lane = arrow->lane, .id = id };
}

/* "<core>_<number>" */
static size_t put_flag_id(const CoreTimeline *core, uint64_t number, char *out)
{
    char *at = out;

    memcpy(at, core->name, core->name_length);
    at += core->name_length;
    *at++ = '_';
    return (size_t) (OpprofTextPutU64(at, number) - out);
}

static OpprofStatus draw_core_flag(CoreTimeline *core, PipeState *pipe,
                                   const Instruction *instruction)
{
    const Vocabulary *words = &core->shared->words;
    const FlagSide side = instruction->kind == ROW_SET ? FLAG_SET : FLAG_WAIT;
    char id[CORE_NAME_MAX + NUMBER_ROOM];
    FlagLook look = { .side = side,
                      .start = flag_start(pipe, instruction->row, side),
                      .colour = side == FLAG_SET ? words->set_colour : words->wait_colour,
                      .arrow = { instruction->row->end, pipe->main_track, pipe->pipe },
                      .id = id,
                      .has_heads =
                          side == FLAG_WAIT && DrawHasHeads(instruction->row->cache_cycles) };
    const OpenFlag flag = open_flag(&look.arrow, core->next_main_flag);
    OpenFlag partner;
    bool found;
    OpprofStatus status = FlagTableMeet(core->main_flags, instruction->detail,
                                        instruction->detail_length, side, &flag, &partner, &found);

    if (status != OPPROF_OK) {
        return status;
    }
    core->next_main_flag += !found;
    look.id_length = put_flag_id(core, found ? partner.id : flag.id, id);
    return draw_flag(core, instruction, &look, found ? &partner : NULL);
}

/* A flag between cores: it is drawn in the lane that its detail names. */
static OpprofStatus draw_cross_flag(CoreTimeline *core, PipeState *pipe,
                                    const Instruction *instruction, const CrossDetail *detail)
{
    const char *lane_name = CrossPipeName(detail->pipe);
    char key[CROSS_KEY_SIZE];
    char id[sizeof CROSS_PREFIX + NUMBER_ROOM] = CROSS_PREFIX;
    const size_t key_length = CrossKey(core->name, instruction->cross, detail->sync_id, key);
    FlagLook look = { .side = CrossSide(instruction->cross),
                      .start = instruction->row->start,
                      .id = id,
                      .has_heads = DrawHasHeads(instruction->row->cache_cycles) };
    OpenFlag partner;
    OpenFlag flag;
    bool found;
    OpprofStatus status;

    if (lane_name != NULL) {
        pipe = CoreFindPipe(core, VocabularyIntern(&core->shared->words, lane_name));
    }
    if (pipe == NULL) {
        return OPPROF_E_MEMORY;
    }
    look.colour = pipe->colour;
    look.arrow = (ArrowEnd){ instruction->row->end, pipe->main_track, pipe->pipe };
    flag = open_flag(&look.arrow, 0);
    status =
        CrossFlagsMeet(core->shared->cross, key, key_length, look.side, &flag, &partner, &found);
    if (status != OPPROF_OK) {
        return status;
    }
    look.id_length = (size_t) (OpprofTextPutU64(id + strlen(CROSS_PREFIX), flag.id) - id);
    return draw_flag(core, instruction, &look, found ? &partner : NULL);
}

/* "<name><number>": ties a row to what is drawn before it. Returns the length. */
static size_t put_row_group(const CoreTimeline *core, const char *name, size_t length, char *out)
{
    memcpy(out, name, length);
    return (size_t) (OpprofTextPutU64(out + length, core->plain_rows - 1) - out);
}

/* A row with what came before its start. */
static OpprofStatus draw_heads_of_row(CoreTimeline *core, Sheet *sheet,
                                      const Instruction *instruction, const EventArgs *args,
                                      const Heads *look)
{
    const OpprofSimInstruction *row = instruction->row;
    Heads heads = *look;

    heads.start = row->start;
    heads.issue = DrawIssue(row->start, row->ccu_cycles);
    heads.cache_cycles = row->cache_cycles;
    heads.scale = 1;
    return DrawHeads(core, sheet, &heads, args);
}

OpprofStatus DrawMainSlice(CoreTimeline *core, Sheet *sheet, const Instruction *instruction,
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
        const char *name = OpprofStageStringLength(core->shared->stage, row->name, &length);

        heads.group = group;
        heads.group_length =
            put_row_group(core, name, length < GROUP_NAME_MAX ? length : GROUP_NAME_MAX, group);
        status = draw_heads_of_row(core, sheet, instruction, &args, &heads);
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
    DrawArgs(core, sheet, span, &args);
    return OPPROF_OK;
}

OpprofStatus DrawMain(CoreTimeline *core, PipeState *pipe, const Instruction *instruction)
{
    CrossDetail detail;

    if (instruction->kind == ROW_SET || instruction->kind == ROW_WAIT) {
        return draw_core_flag(core, pipe, instruction);
    }
    if (instruction->cross != CROSS_NONE &&
        CrossDetailParse(instruction->detail, instruction->detail_length, &detail)) {
        return draw_cross_flag(core, pipe, instruction, &detail);
    }
    DrawnPlain(pipe, instruction->row->end);
    core->plain_rows++;
    return DrawMainSlice(core, &core->shared->main, instruction, pipe->main_track, pipe->colour);
}
