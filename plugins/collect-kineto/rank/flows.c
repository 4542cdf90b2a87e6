/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ties backward operators to the forward ones that they belong to.
 * Tested by tests/plugins/analyse-trace/test_reductions.sh.
 */
#include "collect-kineto/rank/flows.h"

#include "collect-kineto/rank/sort.h"

#include <opprof/grow.h>
#include <stdlib.h>

static const FlowEnd *end_at(const RankTrace *trace, uint32_t i)
{
    return ChunksAt(&trace->flows, i);
}

static bool host_is_up_to(const void *context, uint32_t number)
{
    const FlowPlace *place = context;
    const HostEvent *event = RankTraceHost(place->trace, number);

    return FlowIsReached(place->end, event->thread, event->start_ns);
}

/* The innermost operator that begins where the flow's end is; HOST_NONE if none. */
static uint32_t operator_at(const RankTrace *trace, const HostLinks *links, const FlowEnd *end)
{
    const FlowPlace place = { .trace = trace, .end = end };
    uint32_t left = SortCountUpTo(links->order, links->count, host_is_up_to, &place);

    while (left > 0) {
        const uint32_t number = links->order[--left];
        const HostEvent *event = RankTraceHost(trace, number);

        if (event->thread != end->place || event->start_ns != end->start_ns) {
            break;
        }
        if (event->kind == HOST_OPERATOR) {
            return number;
        }
    }
    return HOST_NONE;
}

/* The place of the forward operator among those with flows; several flows may begin at it. False
 * without memory. */
static bool find_forward(FlowLinks *flows, uint32_t number, uint32_t *ret_place)
{
    FlowTie *tie = &flows->ties[number];

    if (tie->as_forward == 0) {
        if (!OpprofGrow32(&flows->forwards, &flows->forward_capacity,
                          (size_t) flows->forward_count + 1, sizeof *flows->forwards)) {
            return false;
        }
        flows->forwards[flows->forward_count++] =
            (Forward){ .owners = { HOST_NONE, HOST_NONE, HOST_NONE, HOST_NONE } };
        tie->as_forward = flows->forward_count;
    }
    *ret_place = tie->as_forward;
    return true;
}

/* False without memory. */
static bool tie_flow(const RankTrace *trace, HostLinks *links, const FlowEnd *from,
                     const FlowEnd *to)
{
    const uint32_t forward = operator_at(trace, links, from);
    const uint32_t backward = operator_at(trace, links, to);

    return forward == HOST_NONE || backward == HOST_NONE || forward == backward ||
           find_forward(&links->flows, forward, &links->flows.ties[backward].as_backward);
}

/* Starts by the flows' numbers. False without memory. */
static bool map_starts(const RankTrace *trace, OpprofMap *starts)
{
    for (uint32_t i = 0; i < trace->flows.count; i++) {
        const FlowEnd *end = end_at(trace, i);

        if (!end->is_finish && !FlowsAddFirst(starts, end->id, i)) {
            return false;
        }
    }
    return true;
}

bool FlowsTie(const RankTrace *trace, HostLinks *links)
{
    OpprofMap starts = { 0 };
    bool is_good;

    if (trace->flows.count == 0) {
        return true;
    }
    links->flows.ties = calloc((size_t) trace->host.count + 1, sizeof *links->flows.ties);
    is_good = links->flows.ties != NULL && map_starts(trace, &starts);
    for (uint32_t i = 0; is_good && i < trace->flows.count; i++) {
        const FlowEnd *end = end_at(trace, i);
        const uint32_t start = end->is_finish ? OpprofMapFind(&starts, end->id) : OPPROF_MAP_NONE;

        is_good = start == OPPROF_MAP_NONE || tie_flow(trace, links, end_at(trace, start), end);
    }
    OpprofMapFinish(&starts);
    return is_good;
}

/* Room for what a host event inherits. NULL without memory. */
static HostWork *inherited_by(FlowLinks *flows, uint32_t owner)
{
    const uint32_t place = OpprofMapFind(&flows->heirs, owner);

    if (place != OPPROF_MAP_NONE) {
        return &flows->inherited[place];
    }
    if (!OpprofGrow32(&flows->inherited, &flows->inherited_capacity,
                      (size_t) flows->inherited_count + 1, sizeof *flows->inherited) ||
        !OpprofMapPut(&flows->heirs, owner, flows->inherited_count)) {
        return NULL;
    }
    flows->inherited[flows->inherited_count] = (HostWork){ 0 };
    return &flows->inherited[flows->inherited_count++];
}

/* False without memory. */
static bool inherit(const RankTrace *trace, const LinkedTrace *linked, HostLinks *links,
                    uint32_t call, HostKind kind)
{
    const uint32_t owner = links->flows.forwards[links->flows.origins[call] - 1].owners[kind];
    HostWork *work;

    if (links->owners[call][kind] != HOST_NONE || owner == HOST_NONE) {
        return true;
    }
    links->owners[call][kind] = owner;
    work = inherited_by(&links->flows, owner);
    if (work == NULL) {
        return false;
    }
    LinkAddWork(trace, linked, call, work);
    return true;
}

bool FlowsInherit(const RankTrace *trace, const LinkedTrace *linked, HostLinks *links)
{
    bool is_good = true;

    for (uint32_t i = 0; links->flows.ties != NULL && is_good && i < links->call_count; i++) {
        const uint32_t call = links->calls[i];

        if (links->flows.origins[call] != 0) {
            is_good = inherit(trace, linked, links, call, HOST_MODULE) &&
                      inherit(trace, linked, links, call, HOST_ANNOTATION);
        }
    }
    return is_good;
}

void FlowsFinish(FlowLinks *flows)
{
    free(flows->ties);
    free(flows->forwards);
    free(flows->origins);
    free(flows->inherited);
    OpprofMapFinish(&flows->heirs);
    *flows = (FlowLinks){ .ties = NULL };
}
