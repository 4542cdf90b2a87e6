/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_RESULTS_TIMELINE_H
#define COLLECT_RESULTS_TIMELINE_H

#include <opprof/stage.h>

/* The timeline of a run from its `trace.json`, as spans and counters. */
typedef struct Timeline Timeline;

/* Where the records go. */
typedef struct TimelinePorts {
    OpprofStage *stage;
    uint32_t spans;
    uint32_t counters;
    const char *document; /* of all tracks; outlives the timeline */
} TimelinePorts;

/* Open `trace.json` in the folder of a database. *ret_timeline stays NULL where there is none. */
OpprofStatus TimelineOpen(const TimelinePorts *ports, const char *database, Timeline **ret_timeline,
                          OpprofError **error);
/* NULL is allowed. */
void TimelineClose(Timeline *timeline);

/* Push some thousand events. OPPROF_END: there are no more, also where the file is cut: then the
 * stage has said so. */
OpprofStatus TimelineRead(Timeline *timeline, OpprofError **error);

#endif
