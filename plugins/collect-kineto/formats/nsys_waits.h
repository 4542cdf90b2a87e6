/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_FORMATS_NSYS_WAITS_H
#define COLLECT_KINETO_FORMATS_NSYS_WAITS_H

#include "collect-kineto/formats/database_reader.h"

#include <opprof/map.h>

/*
 * Waits in a database of Nsight Systems: what called streams and the host to wait, and since CUDA
 * 12.9 in a table of its own what recorded the events that they wait for. A wait is for the latest
 * record of its event before it, so both are read in the order of their calls.
 */

#define NSYS_WAITS "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"
#define NSYS_MARKS "CUPTI_ACTIVITY_KIND_CUDA_EVENT"

#define NSYS_WAIT_COLUMNS                                                                          \
    "start, end, deviceId, streamId, correlationId, globalPid, contextId, syncType, eventId"

/* Both tables as one; a record's type is 0. */
#define NSYS_WAITS_AND_MARKS                                                                       \
    "(SELECT " NSYS_WAIT_COLUMNS " FROM " NSYS_WAITS " WHERE syncType > 0 UNION ALL SELECT 0, 0, " \
    "deviceId, streamId, correlationId, globalPid, contextId, 0, eventId FROM " NSYS_MARKS ")"

/* A record of an event. */
typedef struct NsysMark {
    int64_t stream;
    int64_t correlation;
} NsysMark;

/* The latest record of each event so far. */
typedef struct NsysWaits {
    OpprofTextMap places;
    NsysMark *marks;
    size_t count;
    size_t capacity;
} NsysWaits;

/*
 * Take a row that has context, type and number of the event from a column on. The event has its
 * lane, process and correlation; of a wait it gets what is waited for.
 */
RowTaken NsysWaitsTake(NsysWaits *waits, sqlite3_stmt *row, int column, TraceEvent *event);

void NsysWaitsFinish(NsysWaits *waits);

#endif
