/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws a core's part of the document of all cores. Tested by
 * tests/plugins/analyse-sim/timeline/test_sim_timeline.c.
 */
#include "core_state.h"

#include <opprof/text.h>
#include <string.h>

#define CROSS_PREFIX "intra_"
#define CROSS_ARROW_TICKS 2u /* before the end of a slice: more than a nanosecond at any clock */
#define GROUP_NAME_MAX 200u  /* bytes of a name that a group's name begins with */

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

/* Bytes are not told of flags. */
static EventArgs flag_args(const FlagLook *look)
{
    return (EventArgs){ .pc = look->flag->pc,
                        .detail = look->detail,
                        .detail_length = look->detail_length };
}

static OpprofStatus draw_flag_part(CoreTimeline *core, const FlagLook *look, OpprofSpanKind kind)
{
    const EventArgs args = flag_args(look);
    Sheet *sheet = &core->shared->main;
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
        DrawArgs(core, sheet, span, &args);
    }
    return OPPROF_OK;
}

static OpprofStatus draw_flag_heads(CoreTimeline *core, const FlagLook *look)
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
               ? DrawHeads(core, &core->shared->main, &heads, &args)
               : OPPROF_OK;
}

/*
 * A flag of the core and its end of the arrow, if it has a partner. The end stands between the halves: there a viewer
 * finds the slice that is open, wherever in the document they are.
 */
static OpprofStatus draw_flag(CoreTimeline *core, const FlagLook *look, const OpenFlag *partner)
{
    OpprofStatus status = draw_flag_heads(core, look);

    if (status == OPPROF_OK) {
        status = draw_flag_part(core, look, OPPROF_SPAN_BEGIN);
    }
    if (status == OPPROF_OK && partner != NULL) {
        const OpenFlag *set = look->side == FLAG_SET ? look->flag : partner;
        const OpenFlag *wait = look->side == FLAG_SET ? partner : look->flag;
        const Arrow arrow = { .id = look->id,
                              .id_length = look->id_length,
                              .from_lane = set->lane,
                              .to_lane = wait->lane };

        status = DrawArrowEnd(core, &core->shared->main, &arrow, look->side, look->flag->time,
                              look->flag->track);
    }
    return status == OPPROF_OK ? draw_flag_part(core, look, OPPROF_SPAN_END) : status;
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

/* "<core>_<number>" */
static size_t put_flag_id(const CoreTimeline *core, uint64_t number, char *out)
{
    char *at = out;

    memcpy(at, core->name, core->name_length);
    at += core->name_length;
    *at++ = '_';
    return (size_t) (OpprofTextPutU64(at, number) - out);
}

static FlagLook core_flag_look(const CoreTimeline *core, FlagSide side, const OpenFlag *flag,
                               const char *detail, size_t detail_length)
{
    const Vocabulary *words = &core->shared->words;

    return (FlagLook){ .flag = flag,
                       .side = side,
                       .colour = side == FLAG_SET ? words->set_colour : words->wait_colour,
                       .detail = detail,
                       .detail_length = (uint32_t) detail_length };
}

OpprofStatus DrawFlagAlone(void *context, const char *detail, size_t detail_length, FlagSide side,
                           const OpenFlag *flag)
{
    CoreTimeline *core = context;
    char id[CORE_NAME_MAX + NUMBER_ROOM];
    FlagLook look = core_flag_look(core, side, flag, detail, detail_length);

    look.id = id;
    look.id_length = put_flag_id(core, flag->id, id);
    return draw_flag(core, &look, NULL);
}

/* Set, then wait: both have come. */
static OpprofStatus draw_flag_pair(CoreTimeline *core, const OpenFlag *set, const OpenFlag *wait,
                                   const Instruction *instruction, uint64_t number)
{
    char id[CORE_NAME_MAX + NUMBER_ROOM];
    const size_t id_length = put_flag_id(core, number, id);
    OpprofStatus status = OPPROF_OK;

    for (FlagSide side = FLAG_SET; status == OPPROF_OK && side <= FLAG_WAIT; side++) {
        FlagLook look = core_flag_look(core, side, side == FLAG_SET ? set : wait,
                                       instruction->detail, instruction->detail_length);

        look.id = id;
        look.id_length = id_length;
        status = draw_flag(core, &look, side == FLAG_SET ? wait : set);
    }
    return status;
}

/*
 * A flag waits for its partner and both are drawn then. The arrow begins where the set does, which is one tick before
 * its end: at its end something else may begin, and a viewer would take the arrow for that one's.
 */
static OpprofStatus draw_core_flag(CoreTimeline *core, PipeState *pipe,
                                   const Instruction *instruction)
{
    const OpprofSimInstruction *row = instruction->row;
    const FlagSide side = instruction->kind == ROW_SET ? FLAG_SET : FLAG_WAIT;
    const uint64_t start = flag_start(pipe, row, side);
    const OpenFlag flag = { .time = side == FLAG_SET ? start : row->end,
                            .id = core->next_main_flag,
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
    OpprofStatus status = FlagTableMeet(core->main_flags, instruction->detail,
                                        instruction->detail_length, side, &flag, &partner, &found);

    core->next_main_flag += !found;
    if (status != OPPROF_OK || !found) {
        return status;
    }
    return side == FLAG_SET ? draw_flag_pair(core, &flag, &partner, instruction, partner.id)
                            : draw_flag_pair(core, &partner, &flag, instruction, partner.id);
}

/* The arrow between two cores, once its second end has come. */
static OpprofStatus draw_cross_arrow(CoreTimeline *core, const FlagLook *look,
                                     const OpenFlag *partner)
{
    const OpenFlag *set = look->side == FLAG_SET ? look->flag : partner;
    const OpenFlag *wait = look->side == FLAG_SET ? partner : look->flag;
    const Arrow arrow = {
        .id = look->id, .id_length = look->id_length, .from_lane = set->lane, .to_lane = wait->lane
    };
    Sheet *sheet = &core->shared->main;
    const OpprofStatus status = DrawArrowEnd(core, sheet, &arrow, FLAG_SET, set->time, set->track);

    return status == OPPROF_OK
               ? DrawArrowEnd(core, sheet, &arrow, FLAG_WAIT, wait->time, wait->track)
               : status;
}

/* Where the arrow of a slice begins or ends: so far before its end that nothing else begins there. */
static uint64_t inside(const OpprofSimInstruction *row)
{
    return row->end - row->start > CROSS_ARROW_TICKS ? row->end - CROSS_ARROW_TICKS : row->start;
}

/* A flag between cores: it is drawn in the lane that its detail names. */
static OpprofStatus draw_cross_flag(CoreTimeline *core, PipeState *pipe,
                                    const Instruction *instruction, const CrossDetail *detail)
{
    const OpprofSimInstruction *row = instruction->row;
    const FlagSide side = CrossSide(instruction->cross);
    const char *lane_name = CrossPipeName(detail->pipe);
    char key[CROSS_KEY_SIZE];
    char id[sizeof CROSS_PREFIX + NUMBER_ROOM] = CROSS_PREFIX;
    const size_t key_length = CrossKey(core->name, instruction->cross, detail->sync_id, key);
    OpenFlag partner;
    bool found;
    OpprofStatus status;

    if (lane_name != NULL) {
        pipe = CoreFindPipe(core, VocabularyIntern(&core->shared->words, lane_name));
    }
    if (pipe == NULL) {
        return OPPROF_E_MEMORY;
    }
    OpenFlag flag = { .time = inside(row),
                      .track = pipe->main_track,
                      .lane = pipe->pipe,
                      .pc = row->pc,
                      .start = row->start,
                      .end = row->end,
                      .issue = DrawIssue(row->start, row->ccu_cycles),
                      .cache_cycles = row->cache_cycles,
                      .name = row->name };
    FlagLook look = { .flag = &flag,
                      .side = side,
                      .colour = pipe->colour,
                      .detail = instruction->detail,
                      .detail_length = instruction->detail_length,
                      .id = id };
    status = CrossFlagsMeet(core->shared->cross, key, key_length, side, &flag, &partner, &found);
    if (status != OPPROF_OK) {
        return status;
    }
    look.id_length = (size_t) (OpprofTextPutU64(id + strlen(CROSS_PREFIX), flag.id) - id);
    status = draw_flag_heads(core, &look);
    if (status == OPPROF_OK) {
        status = draw_flag_part(core, &look, OPPROF_SPAN_SLICE);
    }
    return status == OPPROF_OK && found ? draw_cross_arrow(core, &look, &partner) : status;
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
