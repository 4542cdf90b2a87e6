/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws what both documents share: arguments, heads, arrows, marks. Tested by
 * tests/plugins/analyse-sim/timeline/test_sim_timeline.c.
 */
#include "drawing.h"

#include <string.h>

#define INSTRUCTION_ARGS 4u
#define MARK_ARGS 2u

/* Call stack of an address. Without one, the viewer still wants the member. */
static uint32_t code_of(TimelineShared *shared, uint64_t pc)
{
    CodeInfo *info = &shared->codes[(pc >> 2) & (CODE_CACHE - 1)];
    const OpprofSourceStack *stack;

    if (shared->source == NULL) {
        return shared->words.empty;
    }
    if (info->code == OPPROF_NA_STRING || info->pc != pc) {
        stack = OpprofSourceLookup(shared->source, pc);
        info->pc = pc;
        info->code = stack == NULL || stack->count == 0
                         ? shared->words.empty
                         : OpprofStageIntern(shared->stage, stack->text, stack->length);
    }
    return info->code;
}

size_t DrawArgsBytes(uint32_t detail_length)
{
    return INSTRUCTION_ARGS * sizeof(OpprofArg) + detail_length;
}

void DrawArgs(TimelineShared *shared, Sheet *sheet, OpprofSpan *span, const EventArgs *args)
{
    const Vocabulary *words = &shared->words;
    const OpprofText text = SheetText(sheet, args->detail, args->detail_length);
    const OpprofArg all[INSTRUCTION_ARGS] = {
        { .key = words->code, .kind = OPPROF_ARG_STRING, .value.u64 = code_of(shared, args->pc) },
        { .key = words->detail, .kind = OPPROF_ARG_TEXT, .value.text = text },
        { .key = words->pc_addr, .kind = OPPROF_ARG_HEX, .value.u64 = args->pc },
        { .key = words->process_bytes,
          .kind = OPPROF_ARG_U64_TEXT,
          .value.u64 = (uint64_t) args->bytes },
    };

    SheetArgs(sheet, span, all, args->bytes > 0 ? INSTRUCTION_ARGS : INSTRUCTION_ARGS - 1);
}

bool DrawHasHeads(uint32_t cache_cycles)
{
    return cache_cycles != 0 && cache_cycles != OPPROF_NA_U32;
}

uint64_t DrawIssue(uint64_t start, uint32_t ccu_cycles)
{
    return start < ccu_cycles ? 0 : start - ccu_cycles;
}

static uint64_t scaled(uint64_t ticks, uint32_t scale)
{
    return ticks > UINT64_MAX / scale ? UINT64_MAX - 1 : ticks * scale;
}

static OpprofStatus draw_head(TimelineShared *shared, Sheet *sheet, const Heads *heads,
                              const EventArgs *args, bool is_cache)
{
    const Vocabulary *words = &shared->words;
    const uint64_t fetch =
        heads->issue < heads->cache_cycles ? 0 : heads->issue - heads->cache_cycles;
    const uint64_t start = is_cache ? fetch : heads->issue;
    const uint64_t end = is_cache ? heads->issue : heads->start;
    OpprofStatus status = OPPROF_OK;
    OpprofSpan *span =
        SheetAdd(sheet, DrawArgsBytes(args->detail_length) + heads->group_length, &status);

    if (span == NULL) {
        return status;
    }
    span->kind = OPPROF_SPAN_SLICE;
    span->name = is_cache ? words->cache_time : words->ccu_time;
    span->colour = heads->colour;
    span->track = heads->track;
    span->start = scaled(start, heads->scale);
    span->duration = end < start ? 0 : scaled(end, heads->scale) - span->start;
    span->group = SheetText(sheet, heads->group, heads->group_length);
    DrawArgs(shared, sheet, span, args);
    return OPPROF_OK;
}

OpprofStatus DrawHeads(TimelineShared *shared, Sheet *sheet, const Heads *heads,
                       const EventArgs *args)
{
    const OpprofStatus status = draw_head(shared, sheet, heads, args, true);

    return status == OPPROF_OK ? draw_head(shared, sheet, heads, args, false) : status;
}

/* The id of the arrow, with a mark for the place of the slice: before or after the arrow. */
void DrawSliceId(Sheet *sheet, OpprofSpan *span, const char *id, size_t id_length, FlagSide side)
{
    char text[DRAW_ID_MAX];
    const size_t length = id_length < sizeof text - 1 ? id_length : sizeof text - 2;

    memcpy(text + (side == FLAG_WAIT), id, length);
    text[side == FLAG_SET ? length : 0] = '>';
    span->id = SheetText(sheet, text, length + 1);
}

OpprofStatus DrawArrowEnd(TimelineShared *shared, Sheet *sheet, const Arrow *arrow, FlagSide side,
                          uint64_t time, uint32_t track)
{
    OpprofStatus status = OPPROF_OK;
    OpprofSpan *span = SheetAdd(sheet, arrow->id_length, &status);

    if (span == NULL) {
        return status;
    }
    span->kind = side == FLAG_SET ? OPPROF_SPAN_FLOW_START : OPPROF_SPAN_FLOW_END;
    span->name = shared->words.flow;
    span->category = VocabularyCategory(&shared->words, arrow->from_lane, arrow->to_lane);
    span->start = time;
    span->track = track;
    span->id = SheetText(sheet, arrow->id, arrow->id_length);
    return OPPROF_OK;
}

OpprofStatus DrawMark(TimelineShared *shared, Sheet *sheet, const OpprofSimMark *mark,
                      uint32_t track, uint64_t start, uint64_t end)
{
    const Vocabulary *words = &shared->words;
    const uint32_t start_code = code_of(shared, mark->pc);
    const uint32_t stop_code = code_of(shared, mark->end_pc);
    const bool has_both = start_code != words->empty && stop_code != words->empty;
    const OpprofArg args[MARK_ARGS] = {
        { .key = words->trace_start,
          .kind = OPPROF_ARG_STRING,
          .value.u64 = has_both ? start_code : words->empty },
        { .key = words->trace_stop,
          .kind = OPPROF_ARG_STRING,
          .value.u64 = has_both ? stop_code : words->empty },
    };
    OpprofStatus status = OPPROF_OK;
    OpprofSpan *span = SheetAdd(sheet, sizeof args, &status);

    if (span == NULL) {
        return status;
    }
    span->kind = OPPROF_SPAN_SLICE;
    span->name = mark->name;
    span->colour = words->user_mark_colour;
    span->track = track;
    span->start = start;
    span->duration = end < start ? 0 : end - start;
    SheetArgs(sheet, span, args, MARK_ARGS);
    return OPPROF_OK;
}
