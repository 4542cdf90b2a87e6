/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Adds spans and counters to the page's timeline.
 * Tested by tests/plugins/viz-html/test_timeline.
 */
#include "timeline.h"

#include "limits.h"

#include <opprof/grow.h>

#include <stdlib.h>
#include <string.h>

static const OpprofClock no_clock = { .name = "nanosecond", .hz = UINT64_C(1000000000) };

/* Common values of all spans of a batch. */
typedef struct SpanContext {
    const OpprofBatch *batch;
    const OpprofClock *clock;
} SpanContext;

void TimelineInit(Timeline *self, OpprofStage *stage, const OpprofParams *params, Names *names)
{
    self->stage = stage;
    self->names = names;
    self->items.stage = stage;
    self->lanes.stage = stage;
    self->lanes.params = params;
    self->arguments.stage = stage;
}

/* Spans that would end after the last time that the page can represent end there. */
static uint64_t clamp_duration(int64_t start, uint64_t duration)
{
    const uint64_t most =
        start < 0 ? (uint64_t) INT64_MAX : (uint64_t) INT64_MAX - (uint64_t) start;

    return duration < most ? duration : most;
}

static bool add_item(Timeline *self, Item item, const char *arguments)
{
    item.duration = clamp_duration(item.start, item.duration);
    item.busy = item.duration;
    item.count = 1;
    if (arguments != NULL && !ItemsAreJoined(&self->items, item.duration) &&
        !ArgumentsKeep(&self->arguments, &self->items, arguments, item.duration, &item.extra)) {
        return false;
    }
    return ItemsAdd(&self->items, &item);
}

static bool take_slice(Timeline *self, const SpanContext *context, const OpprofSpan *span,
                       uint32_t lane)
{
    /* The end is rounded as the start of the next one is: no two that meet overlap. */
    const int64_t start = OpprofClockPicoseconds(context->clock, span->start);
    const uint64_t last = span->start + span->duration;
    const int64_t end =
        OpprofClockPicoseconds(context->clock, last < span->start ? UINT64_MAX : last);
    const Item item = { .start = start,
                        .duration = end > start ? (uint64_t) end - (uint64_t) start : 0,
                        .lane = lane,
                        .name = span->name };
    const bool has_arguments = span->arg_count > 0 &&
                               !ItemsAreJoined(&self->items, item.duration) &&
                               item.duration >= self->arguments.least;
    const char *arguments =
        has_arguments ? ArgumentsPrint(&self->arguments, context->batch, span) : NULL;

    self->arguments.left_out += span->arg_count > 0 && !has_arguments;
    return add_item(self, item, arguments) && !self->arguments.scratch.is_short;
}

static bool take_begin(Timeline *self, const SpanContext *context, const OpprofSpan *span,
                       uint32_t lane, uint64_t key)
{
    const char *arguments = ArgumentsPrint(&self->arguments, context->batch, span);
    const Half half = { .key = key,
                        .time = OpprofClockPicoseconds(context->clock, span->start),
                        .lane = lane,
                        .name = span->name,
                        .arguments = arguments == NULL ? NULL : strdup(arguments) };

    if (arguments != NULL && half.arguments == NULL) {
        return false;
    }
    return !self->arguments.scratch.is_short && HalvesPut(&self->begins, &half);
}

/* An end without a begin is useless. */
static bool take_end(Timeline *self, const SpanContext *context, const OpprofSpan *span,
                     uint64_t key)
{
    const int64_t end = OpprofClockPicoseconds(context->clock, span->start);
    Half begin;
    bool is_good;

    if (!HalvesTake(&self->begins, key, &begin)) {
        self->begins.left_out++;
        return true;
    }
    is_good =
        add_item(self,
                 (Item){ .start = begin.time,
                         .duration = end > begin.time ? (uint64_t) end - (uint64_t) begin.time : 0,
                         .lane = begin.lane,
                         .name = begin.name },
                 begin.arguments);
    free(begin.arguments);
    return is_good;
}

static bool take_flow(Timeline *self, const SpanContext *context, const OpprofSpan *span,
                      uint32_t lane)
{
    const OpprofTrack *track = OpprofStageTrackInfo(self->stage, span->track);
    const char *id = OpprofBatchText(context->batch, span->id);

    return id == NULL ||
           ArrowsAdd(&self->arrows,
                     &(ArrowEnd){ .key = ArrowsKey(track->document, id, span->id.length),
                                  .time = OpprofClockPicoseconds(context->clock, span->start),
                                  .lane = lane,
                                  .is_head = span->kind == OPPROF_SPAN_FLOW_END });
}

static bool take_span(Timeline *self, const SpanContext *context, const OpprofSpan *span)
{
    const char *id;
    uint64_t key;
    const uint32_t lane = LanesFind(&self->lanes, span->track);

    if (lane == LANE_NONE) {
        return true;
    }
    switch (span->kind) {
    case OPPROF_SPAN_SLICE:
    case OPPROF_SPAN_MARK:
        return take_slice(self, context, span, lane);
    case OPPROF_SPAN_BEGIN:
    case OPPROF_SPAN_END:
        id = OpprofBatchText(context->batch, span->id);
        key = HalvesKey(lane, id == NULL ? "" : id, id == NULL ? 0 : span->id.length);
        return span->kind == OPPROF_SPAN_BEGIN ? take_begin(self, context, span, lane, key)
                                               : take_end(self, context, span, key);
    default:
        return take_flow(self, context, span, lane);
    }
}

bool TimelineNote(Timeline *self, const OpprofBatch *batch, bool *ret_is_wanted)
{
    bool is_good = true;

    *ret_is_wanted = false;
    for (uint32_t i = 0; is_good && i < batch->count; i++) {
        const void *record = OpprofBatchRecord(batch, i);
        const uint32_t track = batch->type == &opprof_span_type
                                   ? ((const OpprofSpan *) record)->track
                                   : ((const OpprofCounter *) record)->track;

        is_good = LanesNote(&self->lanes, track);
        *ret_is_wanted = *ret_is_wanted || LanesWant(&self->lanes, track);
    }
    return is_good;
}

void TimelineBegin(Timeline *self)
{
    LanesSettle(&self->lanes);
}

static const OpprofClock *clock_of(const Timeline *self, const OpprofBatch *batch)
{
    const OpprofClock *clock = OpprofStageClockInfo(self->stage, batch->clock);

    return clock == NULL ? &no_clock : clock;
}

bool TimelineTakeSpans(Timeline *self, const OpprofBatch *batch)
{
    const SpanContext context = { .batch = batch, .clock = clock_of(self, batch) };
    bool is_good = true;

    self->items.directory = OpprofStageOutput(self->stage);
    for (uint32_t i = 0; is_good && i < batch->count; i++) {
        is_good = take_span(self, &context, OpprofBatchRecord(batch, i));
    }
    return is_good;
}

bool TimelineTakeCounters(Timeline *self, const OpprofBatch *batch)
{
    const OpprofClock *clock = clock_of(self, batch);
    bool is_good = true;

    for (uint32_t i = 0; is_good && i < batch->count; i++) {
        const OpprofCounter *counter = OpprofBatchRecord(batch, i);
        const uint32_t lane = LanesFind(&self->lanes, counter->track);

        is_good = lane == LANE_NONE || CurvesTake(&self->curves, lane, counter,
                                                  OpprofClockPicoseconds(clock, counter->time));
    }
    return is_good;
}

bool TimelineSettle(Timeline *self)
{
    CurvesSettle(&self->curves, self->stage);
    return ItemsSort(&self->items) && ArrowsPair(&self->arrows);
}

void TimelineFinish(Timeline *self)
{
    LanesFinish(&self->lanes);
    ItemsFinish(&self->items);
    ArgumentsFinish(&self->arguments);
    HalvesFinish(&self->begins);
    ArrowsFinish(&self->arrows);
    CurvesFinish(&self->curves);
}
