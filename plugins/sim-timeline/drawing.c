/* SPDX-License-Identifier: Apache-2.0 */
#include "core_state.h"

#define INSTRUCTION_ARGS 3u
#define MARK_ARGS 2u

/* Call stack of an address. Where there is none, the viewer wants the member all the same. */
static uint32_t code_of(const CoreTimeline *core, uint64_t pc)
{
    TimelineShared *shared = core->shared;
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
                         : StageIntern(shared->stage, stack->text, stack->length);
    }
    return info->code;
}

size_t DrawArgsBytes(uint32_t detail_length)
{
    return INSTRUCTION_ARGS * sizeof(OpprofArg) + detail_length;
}

void DrawArgs(CoreTimeline *core, Sheet *sheet, OpprofSpan *span, uint64_t pc, const char *detail,
              uint32_t detail_length)
{
    const Vocabulary *words = &core->shared->words;
    const OpprofText text = SheetText(sheet, detail, detail_length);
    const OpprofArg args[INSTRUCTION_ARGS] = {
        { .key = words->code, .kind = OPPROF_ARG_STRING, .value.u64 = code_of(core, pc) },
        { .key = words->detail, .kind = OPPROF_ARG_TEXT, .value.text = text },
        { .key = words->pc_addr, .kind = OPPROF_ARG_HEX, .value.u64 = pc },
    };

    SheetArgs(sheet, span, args, INSTRUCTION_ARGS);
}

OpprofStatus DrawArrow(CoreTimeline *core, Sheet *sheet, const char *id, size_t id_length,
                       ArrowEnd tail, ArrowEnd head)
{
    const uint32_t category = VocabularyCategory(&core->shared->words, tail.lane, head.lane);
    const ArrowEnd ends[2] = { tail, head };
    OpprofStatus status = OPPROF_OK;

    for (int i = 0; i < 2; i++) {
        OpprofSpan *span = SheetAdd(sheet, id_length, &status);

        if (span == NULL) {
            return status;
        }
        span->kind = i == 0 ? OPPROF_SPAN_FLOW_START : OPPROF_SPAN_FLOW_END;
        span->name = core->shared->words.flow;
        span->category = category;
        span->start = ends[i].time;
        span->track = ends[i].track;
        span->id = SheetText(sheet, id, id_length);
    }
    return OPPROF_OK;
}

OpprofStatus DrawMark(CoreTimeline *core, Sheet *sheet, const SimMark *mark, uint32_t track,
                      uint64_t start, uint64_t end)
{
    const Vocabulary *words = &core->shared->words;
    const uint32_t start_code = code_of(core, mark->pc);
    const uint32_t stop_code = code_of(core, mark->end_pc);
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
