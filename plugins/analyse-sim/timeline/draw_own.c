/* SPDX-License-Identifier: Apache-2.0 */
/* Draws a core's own document. Tested by tests/plugins/analyse-sim/timeline/test_sim_timeline.c. */
#include "draw_own.h"

#include "drawing.h"

#include <opprof/text.h>
#include <string.h>

#define GROUP_LABEL_MAX 200u /* bytes of a lane's name that are used in a group's name */

/* Ticks of the core's own document, which are half as long. */
static uint64_t half_ticks(uint64_t ticks)
{
    return ticks > UINT64_MAX / 2 ? UINT64_MAX - 1 : ticks * 2;
}

/* A flag on its way, and its partner if that came first. */
typedef struct OwnFlag {
    OpenFlag flag;
    OpenFlag partner;
    bool found;
    FlagSide side;
    char id[NUMBER_ROOM]; /* of both, and of their arrow */
    size_t id_length;
} OwnFlag;

static OpprofStatus meet_flag(OwnDrawing *drawing, const Lane *lane, const Row *row, uint32_t track,
                              OwnFlag *ret_flag)
{
    const FlagSide side = row->kind == ROW_SET ? FLAG_SET : FLAG_WAIT;
    const bool has_tick = side == FLAG_SET ? row->end > 0 : row->end > row->start;
    OpprofStatus status;

    *ret_flag = (OwnFlag){ .flag = { .time = half_ticks(row->end - has_tick),
                                     .id = drawing->next_flow,
                                     .track = track,
                                     .lane = lane->label_id },
                           .side = side };
    status = FlagTableMeet(drawing->flags, &(FlagHalf){ row->detail, row->detail_length, side },
                           &ret_flag->flag, &ret_flag->partner, &ret_flag->found);
    drawing->next_flow += !ret_flag->found;
    ret_flag->id_length =
        (size_t) (OpprofTextPutU64(ret_flag->id,
                                   ret_flag->found ? ret_flag->partner.id : ret_flag->flag.id) -
                  ret_flag->id);
    return status;
}

/* The arrow leads from the last tick of the set to that of the wait, where nothing else on these
 * lanes can begin. */
static OpprofStatus draw_own_arrow(OwnDrawing *drawing, const OwnFlag *flag)
{
    const OpenFlag *set = flag->side == FLAG_SET ? &flag->flag : &flag->partner;
    const OpenFlag *wait = flag->side == FLAG_SET ? &flag->partner : &flag->flag;
    const Arrow arrow = {
        .id = flag->id, .id_length = flag->id_length, .from_lane = set->lane, .to_lane = wait->lane
    };
    const OpprofStatus status = DrawArrowEnd(drawing->core->shared, &drawing->sheet, &arrow,
                                             FLAG_SET, set->time, set->track);

    return status == OPPROF_OK ? DrawArrowEnd(drawing->core->shared, &drawing->sheet, &arrow,
                                              FLAG_WAIT, wait->time, wait->track)
                               : status;
}

/* "<lane><number of the row in the lane>" */
static size_t put_group(const Lane *lane, uint64_t number, char *out)
{
    const size_t length = strnlen(lane->label, GROUP_LABEL_MAX);

    memcpy(out, lane->label, length);
    return (size_t) (OpprofTextPutU64(out + length, number) - out);
}

static OpprofStatus draw_row(void *context, Lane *lane, const Row *row, uint32_t sub_lane)
{
    OwnDrawing *drawing = context;
    Sheet *sheet = lane == drawing->miss_lane ? &drawing->misses : &drawing->sheet;
    const uint32_t track = CoreSubLaneTrack(drawing->core, lane, sub_lane);
    const uint64_t start = row->kind == ROW_SET ? row->end - (row->end > 0) : row->start;
    const EventArgs args = { row->pc, row->detail, row->detail_length, row->bytes };
    const uint64_t number = lane->drawn++;
    char group[GROUP_LABEL_MAX + NUMBER_ROOM];
    Heads heads = { .start = row->start,
                    .issue = row->issue,
                    .cache_cycles = row->cache_cycles,
                    .scale = 2,
                    .track = track,
                    .colour = row->colour };
    const bool is_flag = row->kind == ROW_SET || row->kind == ROW_WAIT;
    OwnFlag flag = { .found = false };
    OpprofStatus status = track == OPPROF_NA_U32 ? OPPROF_E_MEMORY : OPPROF_OK;
    OpprofSpan *span = NULL;

    if (DrawHasHeads(row->cache_cycles) && row->kind != ROW_SET && row->kind != ROW_BAR &&
        status == OPPROF_OK) {
        heads.group = group;
        heads.group_length = put_group(lane, number, group);
        status = DrawHeads(drawing->core->shared, sheet, &heads, &args);
    }
    if (status == OPPROF_OK && is_flag) {
        status = meet_flag(drawing, lane, row, track, &flag);
    }
    if (status == OPPROF_OK) {
        span = SheetAdd(sheet,
                        DrawArgsBytes(row->detail_length) + heads.group_length + flag.id_length + 1,
                        &status);
    }
    if (span == NULL) {
        return status;
    }
    span->kind = OPPROF_SPAN_SLICE;
    span->name = row->name;
    span->colour = row->colour;
    span->track = track;
    span->start = half_ticks(start);
    span->duration = half_ticks(row->end) - span->start;
    if (heads.group != NULL) {
        span->group = SheetText(sheet, heads.group, heads.group_length);
    }
    if (is_flag) {
        DrawSliceId(sheet, span, flag.id, flag.id_length, flag.side);
    }
    DrawArgs(drawing->core->shared, sheet, span, &args);
    return flag.found ? draw_own_arrow(drawing, &flag) : OPPROF_OK;
}

static OpprofStatus draw_own(OwnDrawing *drawing, Lane *lane, const Instruction *instruction,
                             uint32_t colour)
{
    const OpprofSimInstruction *row = instruction->row;
    const Row drawn = { .start = row->start,
                        .end = row->end,
                        .pc = row->pc,
                        .name = row->name,
                        .colour = colour,
                        .kind = instruction->kind,
                        .bytes = instruction->bytes,
                        .cache_cycles = row->cache_cycles,
                        .issue = DrawIssue(row->start, row->ccu_cycles),
                        .detail = instruction->detail,
                        .detail_length = instruction->detail_length };

    return lane == NULL ? OPPROF_E_MEMORY : LaneAdd(lane, &drawn, draw_row, drawing);
}

/* Scalar rows with a destination register have a lane of their own. */
static Lane *lane_of(OwnDrawing *drawing, PipeState *pipe, const Instruction *instruction)
{
    const PipeRoles *roles = &drawing->core->shared->words.roles;

    if (!pipe->is_scalar || roles->load_store == NULL || instruction->detail_length == 0 ||
        memmem(instruction->detail, instruction->detail_length, roles->holds,
               strlen(roles->holds)) == NULL) {
        return pipe->lane;
    }
    if (pipe->load_store == NULL) {
        pipe->load_store = CoreAddPipeLane(drawing->core, roles->load_store);
    }
    return pipe->load_store;
}

static uint32_t colour_of(const OwnDrawing *drawing, const PipeState *pipe, RowKind kind)
{
    if (kind == ROW_SET) {
        return drawing->core->shared->words.set_colour;
    }
    return kind == ROW_WAIT ? drawing->core->shared->words.wait_colour : pipe->colour;
}

OpprofStatus DrawOwnPipe(OwnDrawing *drawing, PipeState *pipe, const Instruction *instruction)
{
    return draw_own(drawing, lane_of(drawing, pipe, instruction), instruction,
                    colour_of(drawing, pipe, instruction->kind));
}

OpprofStatus DrawOwnMark(OwnDrawing *drawing, const OpprofSimMark *mark, uint32_t track)
{
    return DrawMark(drawing->core->shared, &drawing->marks, mark, track, half_ticks(mark->start),
                    half_ticks(mark->end));
}

OpprofStatus DrawOwnFlush(OwnDrawing *drawing)
{
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < drawing->core->lane_count; i++) {
        status = LaneFlush(drawing->core->lanes[i], draw_row, drawing);
    }
    if (status == OPPROF_OK) {
        status = SheetEnd(&drawing->sheet);
    }
    if (status == OPPROF_OK) {
        status = SheetEnd(&drawing->marks);
    }
    return status == OPPROF_OK ? SheetEnd(&drawing->misses) : status;
}

OpprofStatus DrawOwnWarp(OwnDrawing *drawing, WarpState *warp, const Instruction *instruction)
{
    return draw_own(drawing, warp->lane, instruction, instruction->simt_colour);
}

OpprofStatus DrawOwnMiss(OwnDrawing *drawing, const Instruction *miss, uint32_t colour)
{
    return draw_own(drawing, drawing->miss_lane, miss, colour);
}

bool DrawOwnInit(OwnDrawing *drawing, CoreLanes *core)
{
    const TimelineShared *shared = core->shared;

    drawing->core = core;
    SheetInit(&drawing->sheet, shared->stage, shared->port, core->own_document);
    SheetInit(&drawing->marks, shared->stage, shared->mark_port, core->own_document);
    SheetInit(&drawing->misses, shared->stage, shared->miss_port, core->own_document);
    drawing->flags = FlagTableCreate(NULL, NULL);
    return drawing->flags != NULL;
}

void DrawOwnFinish(OwnDrawing *drawing)
{
    FlagTableDestroy(drawing->flags);
    SheetFinish(&drawing->sheet);
    SheetFinish(&drawing->marks);
    SheetFinish(&drawing->misses);
}
