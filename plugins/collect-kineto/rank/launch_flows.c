/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds what launched a piece of work by the flow that ends there: the call if no correlation names
 * it, and the operator if the call is on another thread. Tested by
 * tests/plugins/analyse-trace/test_reductions.sh.
 */
#include "collect-kineto/rank/launch_flows.h"

#include "collect-kineto/rank/sort.h"

#include <opprof/intern.h>
#include <stdlib.h>

bool FlowsAddFirst(OpprofMap *map, uint64_t key, uint32_t i)
{
    return OpprofMapFind(map, key) != OPPROF_MAP_NONE || OpprofMapPut(map, key, i);
}

#define SEED UINT64_C(0xd6e8feb86659fd93) /* any odd number */

/* Text of the name of calls that only a flow shows. */
#define UNNAMED_CALL "(launch)"

/* ---- index ---- */

/* `number`: that of the device in the file, which may be a process. */
static uint64_t place_of(int64_t number, int64_t stream, int64_t start_ns)
{
    const int64_t parts[] = { number, stream, start_ns };

    return OpprofInternHash(SEED, parts, sizeof parts);
}

static bool index_flows(const RankTrace *trace, const Chunks *list, FlowIndex *ret_index)
{
    bool is_good = true;

    *ret_index = (FlowIndex){ .list = list };
    for (uint32_t i = 0; is_good && i < list->count; i++) {
        const FlowEnd *end = ChunksAt(list, i);

        if (!end->is_finish) {
            is_good = FlowsAddFirst(&ret_index->starts, end->id, i);
        } else if (end->place != LANES_MAX) {
            const Lane *lane = ChunksAt(&trace->flow_lanes.list, end->place);

            is_good = FlowsAddFirst(&ret_index->finishes,
                                    place_of(lane->device, lane->stream, end->start_ns), i);
        }
    }
    return is_good;
}

static bool call_is_before(const void *context, uint32_t a, uint32_t b)
{
    const LaunchCall *left = RankTraceLaunch(context, a);
    const LaunchCall *right = RankTraceLaunch(context, b);

    return left->thread != right->thread ? left->thread < right->thread
                                         : left->start_ns < right->start_ns;
}

static bool order_calls(const RankTrace *trace, LaunchFlows *flows)
{
    flows->count = trace->launches.count;
    flows->order = reallocarray(NULL, (size_t) flows->count + 1, sizeof *flows->order);
    for (uint32_t i = 0; flows->order != NULL && i < flows->count; i++) {
        flows->order[i] = i;
    }
    return flows->order != NULL && SortNumbers(flows->order, flows->count, call_is_before, trace);
}

bool LaunchFlowsInit(const RankTrace *trace, LaunchFlows *ret_flows)
{
    *ret_flows = (LaunchFlows){ .count = 0 };
    if (trace->call_flows.count == 0 && trace->work_flows.count == 0) {
        return true;
    }
    if (index_flows(trace, &trace->call_flows, &ret_flows->calls) &&
        index_flows(trace, &trace->work_flows, &ret_flows->operators) &&
        order_calls(trace, ret_flows)) {
        return true;
    }
    LaunchFlowsFinish(ret_flows);
    return false;
}

/* ---- search ---- */

/* The end of the flow to a piece of work, NULL if none. */
static const FlowEnd *finish_at(const FlowIndex *index, const RankTrace *trace,
                                const WorkEvent *work)
{
    const Lane *lane = ChunksAt(&trace->lanes.list, work->lane);
    const uint32_t i =
        OpprofMapFind(&index->finishes, place_of(lane->is_process ? lane->process : lane->device,
                                                 lane->stream, work->start_ns));

    return i == OPPROF_MAP_NONE ? NULL : ChunksAt(index->list, i);
}

/* Where the flow of a number begins, NULL if unknown. */
static FlowEnd *start_of(const FlowIndex *index, uint64_t id)
{
    const uint32_t i = OpprofMapFind(&index->starts, id);

    return i == OPPROF_MAP_NONE ? NULL : ChunksAt(index->list, i);
}

static bool call_is_up_to(const void *context, uint32_t number)
{
    const FlowPlace *place = context;
    const LaunchCall *call = RankTraceLaunch(place->trace, number);

    return FlowIsReached(place->end, call->thread, call->start_ns);
}

/* The call that begins where the flow does, or around it; UINT32_MAX if none. */
static uint32_t call_at(const LaunchFlows *flows, const RankTrace *trace, const FlowEnd *start)
{
    const FlowPlace place = { .trace = trace, .end = start };
    const uint32_t count = SortCountUpTo(flows->order, flows->count, call_is_up_to, &place);
    const LaunchCall *call = count == 0 ? NULL : RankTraceLaunch(trace, flows->order[count - 1]);

    if (call == NULL || call->thread != start->place ||
        (uint64_t) start->start_ns - (uint64_t) call->start_ns >
            (call->duration_ns & ~LAUNCH_ENQUEUES)) {
        return UINT32_MAX;
    }
    return flows->order[count - 1];
}

/* A call where only the flow shows that there is one: once for all flows that begin there in a row.
 * False without memory. */
static bool add_call(RankTrace *trace, const FlowEnd *start, uint32_t *ret_call)
{
    static const JsonText text = { .text = UNNAMED_CALL,
                                   .length = sizeof UNNAMED_CALL - 1,
                                   .is_string = true };
    const uint32_t count = trace->launches.count;
    const LaunchCall *last = count == 0 ? NULL : RankTraceLaunch(trace, count - 1);
    LaunchCall *call;
    uint16_t meaning;
    uint32_t name;

    if (last != NULL && last->start_ns == start->start_ns && last->thread == start->place) {
        *ret_call = count - 1;
        return true;
    }
    name = NamesGet(&trace->names, trace->vocabulary, NAME_CALL, text, &meaning);
    call = name == UINT32_MAX ? NULL : ChunksAppend(&trace->launches);
    if (call == NULL) {
        return false;
    }
    *call = (LaunchCall){ .start_ns = start->start_ns,
                          .correlation = CALL_WITHOUT_CORRELATION,
                          .thread = start->place,
                          .name = name };
    *ret_call = count;
    return true;
}

bool LaunchFlowsFind(const LaunchFlows *flows, RankTrace *trace, const WorkEvent *work,
                     uint32_t *ret_call, uint64_t *ret_correlation)
{
    const FlowEnd *finish = finish_at(&flows->calls, trace, work);
    const FlowIndex *index = &flows->calls;
    const FlowEnd *start;

    *ret_call = UINT32_MAX;
    *ret_correlation = CALL_WITHOUT_CORRELATION;
    if (finish == NULL && (work->flags & WORK_HAS_CORRELATION) != 0) {
        start = start_of(index, work->correlation);
    } else {
        if (finish == NULL) {
            index = &flows->operators;
            finish = finish_at(index, trace, work);
        }
        start = finish == NULL ? NULL : start_of(index, finish->id);
    }
    if (start == NULL) {
        *ret_correlation = finish == NULL ? CALL_WITHOUT_CORRELATION : finish->id;
        return true;
    }
    *ret_call = call_at(flows, trace, start);
    return *ret_call != UINT32_MAX || add_call(trace, start, ret_call);
}

/* ---- places ---- */

/* Where the operator of a piece of work was when it launched it, NULL if no flow says so. */
static const FlowEnd *operator_of(const LaunchFlows *flows, const RankTrace *trace,
                                  const WorkEvent *work)
{
    const FlowEnd *finish = finish_at(&flows->operators, trace, work);

    return finish == NULL ? NULL : start_of(&flows->operators, finish->id);
}

static CallPlace *own_places(const RankTrace *trace)
{
    CallPlace *places = calloc((size_t) trace->launches.count + 1, sizeof *places);

    for (uint32_t i = 0; places != NULL && i < trace->launches.count; i++) {
        const LaunchCall *call = RankTraceLaunch(trace, i);

        places[i] = (CallPlace){ .start_ns = call->start_ns, .thread = call->thread };
    }
    return places;
}

bool LaunchFlowsPlaces(const LaunchFlows *flows, const RankTrace *trace, CallPlace **ret_places)
{
    *ret_places = NULL;
    for (uint32_t i = 0; trace->work_flows.count > 0 && i < trace->work.count; i++) {
        const WorkEvent *work = RankTraceWork(trace, i);
        const FlowEnd *start =
            (work->flags & WORK_IS_LINKED) == 0 ? NULL : operator_of(flows, trace, work);

        if (start == NULL) {
            continue;
        }
        if (*ret_places == NULL) {
            *ret_places = own_places(trace);
            if (*ret_places == NULL) {
                return false;
            }
        }
        (*ret_places)[work->correlation] =
            (CallPlace){ .start_ns = start->start_ns, .thread = start->place };
    }
    return true;
}

void LaunchFlowsFinish(LaunchFlows *flows)
{
    OpprofMapFinish(&flows->calls.starts);
    OpprofMapFinish(&flows->calls.finishes);
    OpprofMapFinish(&flows->operators.starts);
    OpprofMapFinish(&flows->operators.finishes);
    free(flows->order);
    *flows = (LaunchFlows){ .count = 0 };
}
