/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STREAM_TRACKS_H
#define STREAM_TRACKS_H

#include "base/table.h"

#include <opprof/clock.h>
#include <opprof/present.h>

/* The run's tracks and clocks. Declaring takes a lock; looking up is wait-free. */
typedef Table TrackTable;

TrackTable *TrackTableCreate(void);
uint32_t TrackTableDeclare(TrackTable *table,
                           const OpprofTrack *track); /* OPPROF_NA_U32: no memory */
const OpprofTrack *TrackTableGet(const TrackTable *table, uint32_t id);
const char *TrackTableLabel(const TrackTable *table,
                            uint32_t id); /* "document process thread"; NULL: unknown id */

typedef Table ClockTable;

ClockTable *ClockTableCreate(void);
uint32_t ClockTableDeclare(ClockTable *table, const OpprofClock *clock); /* 0: no memory */
const OpprofClock *ClockTableGet(const ClockTable *table, uint32_t id);

#endif
