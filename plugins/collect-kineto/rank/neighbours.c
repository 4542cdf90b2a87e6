/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts events of the host that overlap by rounding.
 * Tested by tests/plugins/analyse-trace/test_host.
 */
#include "collect-kineto/rank/neighbours.h"

#include <opprof/grow.h>

#include <stdlib.h>

#define LAST_DIGITS_NS 2 /* start and duration are rounded to nanoseconds */
#define WHOLE_NS 1000    /* or, in some traces, to microseconds */

/* Events that are open on a thread, the outermost first. */
typedef struct OpenList {
    HostEvent **list;
    uint32_t count;
    uint32_t capacity;
} OpenList;

static int64_t end_of(const HostEvent *event)
{
    return event->start_ns + (int64_t) event->duration_ns;
}

/* Whether rounding explains an overlap. */
static bool is_rounded(const HostEvent *event, const HostEvent *other, int64_t overlap)
{
    return overlap <= LAST_DIGITS_NS ||
           (overlap == WHOLE_NS && event->start_ns % WHOLE_NS == 0 &&
            event->duration_ns % WHOLE_NS == 0 && other->start_ns % WHOLE_NS == 0);
}

/* Whether an event lies behind another one but for the overlap. */
static bool is_behind(const HostEvent *event, const HostEvent *other)
{
    const int64_t overlap = end_of(other) - event->start_ns;

    return overlap <= 0 ||
           (other->start_ns < event->start_ns && end_of(event) - end_of(other) > overlap &&
            is_rounded(event, other, overlap));
}

static bool open_event(OpenList *open, HostEvent *event)
{
    while (open->count > 0 && is_behind(event, open->list[open->count - 1])) {
        HostEvent *other = open->list[--open->count];

        if (end_of(other) > event->start_ns) {
            other->duration_ns = (uint64_t) (event->start_ns - other->start_ns);
        }
    }
    if (!OpprofGrow32(&open->list, &open->capacity, (size_t) open->count + 1,
                      sizeof(HostEvent *))) {
        return false;
    }
    open->list[open->count++] = event;
    return true;
}

bool NeighboursPart(const RankTrace *trace, const uint32_t *order, uint32_t count)
{
    OpenList open = { .count = 0 };
    bool is_good = true;

    for (uint32_t i = 0; is_good && i < count; i++) {
        HostEvent *event = RankTraceHost(trace, order[i]);

        if (open.count > 0 && open.list[0]->thread != event->thread) {
            open.count = 0;
        }
        is_good = open_event(&open, event);
    }
    free(open.list);
    return is_good;
}
