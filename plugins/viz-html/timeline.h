/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_HTML_TIMELINE_H
#define VIZ_HTML_TIMELINE_H

#include "arguments.h"
#include "curves.h"
#include "halves.h"
#include "items.h"
#include "lanes.h"

/* From a moment on one lane to a moment on another. Times are picoseconds. */
typedef struct Arrow {
    int64_t from;
    int64_t to;
    uint32_t from_lane;
    uint32_t to_lane;
} Arrow;

/* Spans, arrows and curves of a run. */
typedef struct Timeline {
    OpprofStage *stage;
    Names *names;
    Lanes lanes;
    Items items;
    Arguments arguments;
    Halves begins;
    Halves flows; /* tails and heads */
    Curves curves;
    Arrow *arrows;
    uint32_t arrow_count;
    uint32_t arrow_capacity;
    uint64_t arrow_total;
    uint32_t arrow_stride; /* every how-manieth arrow is kept */
} Timeline;

/* Begin with zeroed memory. `params` has the list "documents". */
void TimelineInit(Timeline *timeline, OpprofStage *stage, const OpprofParams *params, Names *names);

/* Take spans. False without memory. */
bool TimelineTakeSpans(Timeline *timeline, const OpprofBatch *batch);

/* Take samples of curves. False without memory. */
bool TimelineTakeCounters(Timeline *timeline, const OpprofBatch *batch);

/*
 * All has come: bring lanes, spans, arrows and curves into an order that does not depend on who was faster. False
 * without memory.
 */
bool TimelineSettle(Timeline *timeline);

/* Free what it holds. */
void TimelineFinish(Timeline *timeline);

#endif
