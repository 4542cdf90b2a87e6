/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lanes, colours and arguments of each kind of event, with the names that viewers and people know.
 * Tested by tests/plugins/mc2/test_vectors.sh.
 */
#include "draw.h"

#include "names.h"

#include <stdio.h>

#define TEXT_ROOM 64u
#define LANE_SORT 10000 /* rank of the first turn, stream or plane */
#define MAX_SORT 1000000000u

static const char *text_of(const Drawing *drawing, uint32_t id)
{
    return OpprofStageString(drawing->sheet.open.stage, id);
}

static uint32_t intern(const Drawing *drawing, const char *text)
{
    return OpprofStageIntern(drawing->sheet.open.stage, text, strlen(text));
}

/* A lane; `name_sort` below 0: without name and rank. */
static uint32_t find_track(const Drawing *drawing, const char *process, const char *thread,
                           bool has_name, int32_t sort)
{
    char full[TEXT_ROOM * 4];

    snprintf(full, sizeof full, "%s%s", drawing->prefix, process);
    const OpprofTrack track = { .document = drawing->sheet.name,
                                .process = full,
                                .thread = thread,
                                .thread_name = has_name ? thread : NULL,
                                .process_sort = -1,
                                .thread_sort = sort };
    return OpprofStageTrack(drawing->sheet.open.stage, &track);
}

/* A lane of a turn, stream or plane. */
static uint32_t numbered_track(const Drawing *drawing, const char *process, const char *thread,
                               uint32_t number)
{
    char lane[TEXT_ROOM];
    const int32_t sort = LANE_SORT + (int32_t) (number < MAX_SORT ? number : MAX_SORT);

    snprintf(lane, sizeof lane, "%s%u", thread, number);
    return find_track(drawing, process, lane, true, sort);
}

static uint32_t track_of(const Drawing *drawing, const Mc2Event *event)
{
    switch (event->kind) {
    case MC2_CORE_TASK:
        return find_track(drawing, "AI CORE", "AI_CORE", false, -1);
    case MC2_CPU_TASK:
        return find_track(drawing, "AI CPU", "AI_CPU", false, -1);
    case MC2_TURN:
        return numbered_track(drawing, "AI CPU", "TURN", event->number);
    case MC2_TASK:
        return numbered_track(drawing, "HCCL", "STREAM", event->number);
    case MC2_COMM:
        return numbered_track(drawing, "HCCL TASK", "PLANE", event->number);
    default:
        return find_track(drawing, "BLOCK", text_of(drawing, event->lane), false, event->sort);
    }
}

/* ---- arguments ---- */

static void put_ids(Drawing *drawing, const Mc2Event *event)
{
    SheetNumber(&drawing->sheet, "stream id", event->stream, OPPROF_ARG_U64_TEXT);
    SheetNumber(&drawing->sheet, "task id", event->task, OPPROF_ARG_U64_TEXT);
}

/* GB of 2^30 bytes a second. */
static double bandwidth(const Drawing *drawing, const Mc2Event *event)
{
    const double ms = (double) (event->end - event->start) * 1e3 / (double) drawing->hz;

    return ms == 0 ? 0 : (double) event->bytes / ms / 1073741824.0 * 1000.0;
}

static void put_fixed(Drawing *drawing, const char *key, double value)
{
    char text[TEXT_ROOM * 6]; /* room for any double */

    snprintf(text, sizeof text, "%.6f", value);
    SheetText(&drawing->sheet, key, text);
}

static void put_comm(Drawing *drawing, const Mc2Event *event)
{
    Sheet *sheet = &drawing->sheet;

    put_fixed(drawing, "bandwidth(GB/s)", bandwidth(drawing, event));
    SheetText(sheet, "data type", DataTypeName(event->data_type));
    SheetNumber(sheet, "dst rank", event->remote_rank, OPPROF_ARG_U64_TEXT);
    put_fixed(drawing, "duration estimated(us)", event->estimated_us);
    SheetText(sheet, "link type", LinkName(event->link));
    SheetNumber(sheet, "notify id", event->notify, OPPROF_ARG_U64_TEXT);
    SheetNumber(sheet, "plane id", event->number, OPPROF_ARG_U64_TEXT);
    SheetNumber(sheet, "size(Byte)", event->bytes, OPPROF_ARG_U64_TEXT);
    SheetNumber(sheet, "src rank", event->local_rank, OPPROF_ARG_U64_TEXT);
    put_ids(drawing, event);
    SheetText(sheet, "task type", text_of(drawing, event->name));
    SheetText(sheet, "transport type", TransportName(event->transport));
}

static void put_lccl(Drawing *drawing, const Mc2Event *event)
{
    SheetNumber(&drawing->sheet, "curPc", event->pc, OPPROF_ARG_HEX);
    SheetNumber(&drawing->sheet, "operationType", event->operation, OPPROF_ARG_U64_TEXT);
    SheetNumber(&drawing->sheet, "rsv", event->rest, OPPROF_ARG_U64_TEXT);
}

/* Call stack and address of a mark, as far as known; `name` only for users' marks. */
static void put_source(Drawing *drawing, const Mc2Event *event, const char *name)
{
    char address[TEXT_ROOM];

    if (drawing->source != NULL) {
        const OpprofSourceStack *stack = OpprofSourceLookup(drawing->source, event->pc);
        SheetText(&drawing->sheet, "code", stack == NULL ? "" : stack->text);
    }
    if (name != NULL) {
        SheetText(&drawing->sheet, "name", name);
    }
    if (drawing->has_addresses) {
        snprintf(address, sizeof address, "0x%08llx", (unsigned long long) event->pc);
        SheetText(&drawing->sheet, "pc_addr", address);
    }
}

static const char *user_name(const Drawing *drawing, const Mc2Event *event)
{
    const char *name =
        drawing->display == NULL ? NULL : DisplayFind(drawing->display, (uint32_t) event->item);

    return name == NULL ? text_of(drawing, event->name) : name;
}

static void put_args(Drawing *drawing, const Mc2Event *event)
{
    switch (event->kind) {
    case MC2_CPU_TASK:
    case MC2_TURN:
    case MC2_TASK:
        put_ids(drawing, event);
        return;
    case MC2_COMM:
        put_comm(drawing, event);
        return;
    case MC2_LCCL:
        put_lccl(drawing, event);
        return;
    case MC2_API:
        put_source(drawing, event, NULL);
        return;
    case MC2_USER:
        put_source(drawing, event, user_name(drawing, event));
        return;
    default:
        return;
    }
}

/* In place of the span of a block: two moments. */
static void draw_borders(Drawing *drawing, const Mc2Event *event, OpprofSpan span)
{
    const char *const borders[] = { "START", "END" };

    for (size_t i = 0; i < sizeof borders / sizeof borders[0]; i++) {
        char name[TEXT_ROOM];
        snprintf(name, sizeof name, "%s BLOCK%u %s", event->rest != 0 ? "AIC" : "AIV", event->block,
                 borders[i]);
        span.name = intern(drawing, name);
        span.start = i == 0 ? event->start : event->end;
        span.duration = 0;
        SheetBegin(&drawing->sheet, &span);
        SheetEnd(&drawing->sheet);
    }
}

void DrawEvent(Drawing *drawing, const Mc2Event *event)
{
    OpprofSpan span = { .start = event->start,
                        .duration = event->end - event->start,
                        .kind = OPPROF_SPAN_SLICE,
                        .name = event->name,
                        .category = OPPROF_NA_STRING };

    if (event->kind == MC2_LAUNCH) {
        return;
    }
    span.track = track_of(drawing, event);
    span.colour = intern(drawing, PaletteName(event->colour));
    if (event->kind == MC2_BLOCK && drawing->display != NULL && drawing->display->hides_blocks) {
        draw_borders(drawing, event, span);
        return;
    }
    if (event->kind == MC2_USER) {
        span.name = intern(drawing, user_name(drawing, event));
    }
    SheetBegin(&drawing->sheet, &span);
    put_args(drawing, event);
    SheetEnd(&drawing->sheet);
}
