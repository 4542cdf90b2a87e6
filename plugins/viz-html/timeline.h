/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_HTML_TIMELINE_H
#define VIZ_HTML_TIMELINE_H

#include "arguments.h"
#include "arrows.h"
#include "curves.h"
#include "halves.h"
#include "items.h"
#include "lanes.h"

/* Spans, arrows and curves of a run. */
typedef struct Timeline {
    OpprofStage *stage;
    Names *names;
    Lanes lanes;
    Items items;
    Arguments arguments;
    Halves begins;
    Arrows arrows;
    Curves curves;
} Timeline;

/* Zeroed memory at first. `params` has the list "documents". */
void TimelineInit(Timeline *timeline, OpprofStage *stage, const OpprofParams *params, Names *names);

/*
 * Note the tracks of spans or counters, all of them before any is added. False without memory.
 *
 * ret_is_wanted:  whether the page may show any of them
 */
bool TimelineNote(Timeline *timeline, const OpprofBatch *batch, bool *ret_is_wanted);

/* All tracks are known: choose the lanes. */
void TimelineBegin(Timeline *timeline);

/* Take spans. False without memory. */
bool TimelineTakeSpans(Timeline *timeline, const OpprofBatch *batch);

/* Take samples of curves. False without memory. */
bool TimelineTakeCounters(Timeline *timeline, const OpprofBatch *batch);

/* All has come: sort spans, arrows and curves. False without memory. */
bool TimelineSettle(Timeline *timeline);

/* Free what it holds. */
void TimelineFinish(Timeline *timeline);

#endif
