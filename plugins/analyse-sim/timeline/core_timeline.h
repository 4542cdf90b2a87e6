/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIM_TIMELINE_CORE_TIMELINE_H
#define SIM_TIMELINE_CORE_TIMELINE_H

#include "shared.h"

/* One core's timelines: its part of the document of all cores, and its own document. */
typedef struct CoreTimeline CoreTimeline;

/* Busy and elapsed time of a core. */
typedef struct CoreTimes {
    uint64_t first_start; /* of all instructions; UINT64_MAX without any */
    uint64_t last_end;
    uint64_t busy_ticks; /* in which at least one instruction ran */
    bool is_rough;       /* busy_ticks is not exact */
    uint32_t clock;      /* of all these ticks */
} CoreTimes;

/* `core`: interned name of at most CORE_NAME_MAX bytes. NULL without memory. */
CoreTimeline *CoreTimelineCreate(TimelineShared *shared, uint32_t core);
void CoreTimelineDestroy(CoreTimeline *core);

uint32_t CoreTimelineName(const CoreTimeline *core);

/* Add batches of the core. They fail without memory or when the run was aborted. */
OpprofStatus CoreTimelineInstructions(CoreTimeline *core, const OpprofBatch *batch);
OpprofStatus CoreTimelineMarks(CoreTimeline *core, const OpprofBatch *batch);
OpprofStatus CoreTimelineCacheMisses(CoreTimeline *core, const OpprofBatch *batch);

/* No more rows: draw and push the held ones. */
OpprofStatus CoreTimelineFlush(CoreTimeline *core);

void CoreTimelineTimes(const CoreTimeline *core, CoreTimes *ret_times);

/* Arrows that were not drawn because too many flags were open. */
uint64_t CoreTimelineForgottenFlags(const CoreTimeline *core);

/* True if a limit put some rows into the wrong sub-lane. */
bool CoreTimelineLetGo(const CoreTimeline *core);

#endif
