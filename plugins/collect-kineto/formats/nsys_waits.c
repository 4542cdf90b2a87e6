/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What calls and streams wait for in databases of Nsight Systems. Layout: the comments in its
 * schema. Tested by tests/plugins/collect-kineto/test_nsys_waits.sh.
 */
#include "collect-kineto/formats/nsys_waits.h"

#include <opprof/grow.h>
#include <stdlib.h>

/* CUpti_ActivitySynchronizationType, and a record of an event. */
enum { MARK, EVENT_SYNCHRONIZE, STREAM_WAIT_EVENT, STREAM_SYNCHRONIZE, CONTEXT_SYNCHRONIZE };

/* The parts of an event's name, as the key of a map. */
typedef struct EventKey {
    int64_t process; /* of the correlation's upper half */
    int64_t context;
    int64_t event;
} EventKey;

static EventKey key_of(sqlite3_stmt *row, int column, const TraceEvent *event)
{
    return (EventKey){ .process = event->correlation >> 32,
                       .context = sqlite3_column_int64(row, column),
                       .event = sqlite3_column_int64(row, column + 2) };
}

static bool add_mark(NsysWaits *waits, const EventKey *key, const TraceEvent *event)
{
    uint32_t place = OpprofTextMapFind(&waits->places, (const char *) key, sizeof *key);

    if (place == OPPROF_MAP_NONE) {
        if (!OpprofGrow(&waits->marks, &waits->capacity, waits->count + 1, sizeof *waits->marks) ||
            !OpprofTextMapPut(&waits->places, (const char *) key, sizeof *key,
                              (uint32_t) waits->count, NULL)) {
            return false;
        }
        place = (uint32_t) waits->count++;
    }
    waits->marks[place] = (NsysMark){ .stream = event->stream, .correlation = event->correlation };
    return true;
}

/* Without a record the stream that is waited for is unknown. */
static void find_source(const NsysWaits *waits, const EventKey *key, TraceEvent *event)
{
    const uint32_t place = OpprofTextMapFind(&waits->places, (const char *) key, sizeof *key);

    event->has |= EVENT_HAS_SOURCE_STREAM;
    event->source_stream = -1;
    if (place != OPPROF_MAP_NONE) {
        event->source_stream = waits->marks[place].stream;
        event->source_call = waits->marks[place].correlation;
        event->has |= EVENT_HAS_SOURCE_CALL;
    }
}

RowTaken NsysWaitsTake(NsysWaits *waits, sqlite3_stmt *row, int column, TraceEvent *event)
{
    const EventKey key = key_of(row, column, event);
    const int type = sqlite3_column_int(row, column + 1);

    if ((event->has & EVENT_HAS_CORRELATION) == 0) {
        return ROW_NO_EVENT;
    }
    switch (type) {
    case MARK:
        return add_mark(waits, &key, event) ? ROW_NO_EVENT : ROW_NO_MEMORY;
    case EVENT_SYNCHRONIZE: /* the host waits, whatever the stream's column says */
        event->stream = -1;
        find_source(waits, &key, event);
        return ROW_IS_EVENT;
    case STREAM_WAIT_EVENT:
        find_source(waits, &key, event);
        return ROW_IS_EVENT;
    case STREAM_SYNCHRONIZE:
        return ROW_IS_EVENT;
    case CONTEXT_SYNCHRONIZE:
        event->stream = -1;
        return ROW_IS_EVENT;
    default:
        return ROW_NO_EVENT;
    }
}

void NsysWaitsFinish(NsysWaits *waits)
{
    OpprofTextMapFinish(&waits->places);
    free(waits->marks);
    *waits = (NsysWaits){ .marks = NULL };
}
