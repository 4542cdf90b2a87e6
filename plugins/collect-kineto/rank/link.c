/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ties calls to what they launched, and sorts both by time.
 * Tested by tests/plugins/collect-kineto/test_link.
 */
#include "collect-kineto/rank/link.h"

#include "collect-kineto/rank/apart.h"
#include "collect-kineto/rank/call_index.h"
#include "collect-kineto/rank/faults.h"
#include "collect-kineto/rank/sort.h"

#include <stdlib.h>
#include <string.h>

static void tie(WorkEvent *work, uint32_t call)
{
    work->correlation = call;
    work->flags |= WORK_IS_LINKED;
}

static void link_work(const RankTrace *trace, const CallIndex *index, uint32_t number,
                      uint64_t correlation, LinkedTrace *linked)
{
    WorkEvent *work = RankTraceWork(trace, number);
    bool is_guess;
    const uint32_t call = CallIndexFind(index, trace, number, correlation, &is_guess);

    if (call != UINT32_MAX) {
        tie(work, call);
    }
    if (is_guess) {
        FaultAdd(&linked->faults.guessed, work->name, work->start_ns);
    }
}

/* Work whose correlation leads to no call may have a flow. False without memory. */
static bool link_by_flow(RankTrace *trace, const CallIndex *index, const LaunchFlows *flows,
                         uint32_t number, LinkedTrace *linked)
{
    WorkEvent *work = RankTraceWork(trace, number);
    uint64_t correlation;
    uint32_t call;

    if (flows->order == NULL) {
        return true;
    }
    if (!LaunchFlowsFind(flows, trace, work, &call, &correlation)) {
        return false;
    }
    if (call != UINT32_MAX) {
        tie(work, call);
    } else if (correlation != CALL_WITHOUT_CORRELATION) {
        link_work(trace, index, number, correlation, linked);
    }
    return true;
}

static bool link_with(RankTrace *trace, const CallIndex *index, const LaunchFlows *flows,
                      LinkedTrace *linked)
{
    linked->pieces = trace->work.count;
    for (uint32_t i = 0; i < trace->work.count; i++) {
        WorkEvent *work = RankTraceWork(trace, i);

        if ((work->flags & WORK_HAS_CORRELATION) != 0) {
            link_work(trace, index, i, work->correlation, linked);
            linked->correlated++;
        }
        if ((work->flags & WORK_IS_LINKED) == 0 && !link_by_flow(trace, index, flows, i, linked)) {
            return false;
        }
        linked->unlinked += (work->flags & WORK_IS_LINKED) == 0;
    }
    return LaunchFlowsPlaces(flows, trace, &linked->places);
}

static bool link_all(RankTrace *trace, LinkedTrace *linked)
{
    CallIndex index;
    LaunchFlows flows;
    bool is_good;

    if (!CallIndexInit(trace, &index)) {
        return false;
    }
    is_good = LaunchFlowsInit(trace, &flows) && link_with(trace, &index, &flows, linked);
    linked->has_twins = index.has_twins;
    LaunchFlowsFinish(&flows);
    CallIndexFinish(&index);
    return is_good;
}

/* Some writers write each iteration as an annotation and as an operator, or on lanes of devices,
 * some only so. */
static uint8_t best_source(const RankTrace *trace)
{
    uint8_t best = STEP_DEVICE;

    for (uint32_t i = 0; i < trace->steps.count; i++) {
        const uint8_t source = RankTraceStep(trace, i)->source;

        best = source < best ? source : best;
    }
    return best;
}

/* Start of the latest step; false if there are not two steps of different names. */
static bool find_last_step(const RankTrace *trace, int64_t *ret_ns)
{
    bool differ = false;

    for (uint32_t i = 0; i < trace->steps.count; i++) {
        const StepEvent *step = RankTraceStep(trace, i);

        differ |= step->name != RankTraceStep(trace, 0)->name;
        *ret_ns = i == 0 || step->start_ns > *ret_ns ? step->start_ns : *ret_ns;
    }
    return differ;
}

static bool is_launched_before(const RankTrace *trace, const WorkEvent *work, int64_t ns)
{
    return (work->flags & WORK_IS_LINKED) != 0 &&
           RankTraceLaunch(trace, (uint32_t) work->correlation)->start_ns < ns;
}

static bool work_is_before(const void *context, uint32_t a, uint32_t b)
{
    return RankTraceWork(context, a)->start_ns < RankTraceWork(context, b)->start_ns;
}

static bool step_is_before(const void *context, uint32_t a, uint32_t b)
{
    return RankTraceStep(context, a)->start_ns < RankTraceStep(context, b)->start_ns;
}

static bool sort_work(const RankTrace *trace, bool is_filtered, LinkedTrace *linked)
{
    linked->work = reallocarray(NULL, (size_t) trace->work.count + 1, sizeof *linked->work);
    if (linked->work == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < trace->work.count; i++) {
        if (is_filtered &&
            !is_launched_before(trace, RankTraceWork(trace, i), linked->last_step_ns)) {
            linked->dropped++;
        } else {
            linked->work[linked->work_count++] = i;
        }
    }
    return SortNumbers(linked->work, linked->work_count, work_is_before, trace);
}

static bool sort_steps(const RankTrace *trace, LinkedTrace *linked)
{
    const uint8_t source = best_source(trace);

    linked->steps = reallocarray(NULL, (size_t) trace->steps.count + 1, sizeof *linked->steps);
    if (linked->steps == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < trace->steps.count; i++) {
        if (RankTraceStep(trace, i)->source == source) {
            linked->steps[linked->step_count++] = i;
        }
    }
    return SortNumbers(linked->steps, linked->step_count, step_is_before, trace);
}

static void note_absurd(LinkedTrace *linked, uint32_t name, int64_t start_ns)
{
    if (linked->absurd++ == 0) {
        linked->absurd_name = name;
        linked->absurd_ns = start_ns;
    }
}

/* Leaves out work that is far from the middle piece; there is some. */
static void drop_far_work(const RankTrace *trace, LinkedTrace *linked)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < linked->work_count; i++) {
        const WorkEvent *work = RankTraceWork(trace, linked->work[i]);

        if (LinkIsNear(linked, work->start_ns)) {
            linked->work[kept++] = linked->work[i];
        } else {
            note_absurd(linked, work->name, work->start_ns);
        }
    }
    linked->work_count = kept;
}

static void drop_far_steps(const RankTrace *trace, LinkedTrace *linked)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < linked->step_count; i++) {
        const StepEvent *step = RankTraceStep(trace, linked->steps[i]);

        if (LinkIsNear(linked, step->start_ns)) {
            linked->steps[kept++] = linked->steps[i];
        } else {
            note_absurd(linked, step->name, step->start_ns);
        }
    }
    linked->step_count = kept;
}

/* A call that is far from its work did not launch it. */
static void unlink_far_calls(RankTrace *trace, LinkedTrace *linked)
{
    for (uint32_t i = 0; i < linked->work_count; i++) {
        WorkEvent *work = RankTraceWork(trace, linked->work[i]);
        const LaunchCall *call;

        if ((work->flags & WORK_IS_LINKED) == 0) {
            continue;
        }
        call = RankTraceLaunch(trace, (uint32_t) work->correlation);
        if (!LinkIsNear(linked, call->start_ns)) {
            work->correlation = call->correlation;
            work->flags &= (uint8_t) ~WORK_IS_LINKED;
            linked->unlinked++;
        }
    }
}

/* Half-written traces have events at 0 among others at 10^15: most of the work shows which are
 * wrong. */
static void drop_far(RankTrace *trace, LinkedTrace *linked)
{
    int64_t middle_ns;

    if (linked->work_count > 0) {
        middle_ns = RankTraceWork(trace, linked->work[linked->work_count / 2])->start_ns;
    } else if (linked->step_count > 0) {
        middle_ns = RankTraceStep(trace, linked->steps[linked->step_count / 2])->start_ns;
    } else {
        return;
    }
    if (__builtin_sub_overflow(middle_ns, LINK_FAR_NS, &linked->near_from_ns)) {
        linked->near_from_ns = INT64_MIN;
    }
    if (__builtin_add_overflow(middle_ns, LINK_FAR_NS, &linked->near_to_ns)) {
        linked->near_to_ns = INT64_MAX;
    }
    drop_far_work(trace, linked);
    drop_far_steps(trace, linked);
    unlink_far_calls(trace, linked);
}

static bool sum_calls(const RankTrace *trace, LinkedTrace *linked)
{
    linked->calls = calloc((size_t) trace->launches.count + 1, sizeof *linked->calls);
    if (linked->calls == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < linked->work_count; i++) {
        const WorkEvent *work = RankTraceWork(trace, linked->work[i]);

        if ((work->flags & WORK_IS_LINKED) != 0) {
            CallSum *sum = &linked->calls[work->correlation];

            sum->first = sum->count == 0 ? linked->work[i] : sum->first;
            sum->duration_ns += work->duration_ns;
            sum->count++;
        }
    }
    return true;
}

static void note_time(LinkedTrace *linked, bool *has_any, int64_t from_ns, uint64_t duration_ns)
{
    const int64_t to_ns = from_ns + (int64_t) (duration_ns & ~LAUNCH_ENQUEUES);

    if (!*has_any || from_ns < linked->earliest_ns) {
        linked->earliest_ns = from_ns;
    }
    if (!*has_any || to_ns > linked->latest_ns) {
        linked->latest_ns = to_ns;
    }
    *has_any = true;
}

/* The host works before it launches anything. What is far from the work is left out. */
static void note_host_time(LinkedTrace *linked, uint32_t name, int64_t start_ns,
                           uint64_t duration_ns)
{
    bool has_any = true;

    if (LinkIsNear(linked, start_ns)) {
        note_time(linked, &has_any, start_ns, duration_ns);
    } else {
        note_absurd(linked, name, start_ns);
    }
}

static void note_call_times(const Chunks *calls, LinkedTrace *linked)
{
    for (uint32_t i = 0; i < calls->count; i++) {
        const LaunchCall *call = ChunksAt(calls, i);

        note_host_time(linked, call->name, call->start_ns, call->duration_ns);
    }
}

static void note_host_times(const RankTrace *trace, LinkedTrace *linked)
{
    note_call_times(&trace->launches, linked);
    for (uint32_t i = 0; i < trace->host.count; i++) {
        const HostEvent *host = RankTraceHost(trace, i);

        note_host_time(linked, host->name, host->start_ns, host->duration_ns);
    }
    note_call_times(&trace->calls, linked);
}

static void find_times(const RankTrace *trace, LinkedTrace *linked)
{
    bool has_any = false;

    for (uint32_t i = 0; i < linked->work_count; i++) {
        const WorkEvent *work = RankTraceWork(trace, linked->work[i]);

        note_time(linked, &has_any, work->start_ns, work->duration_ns);
    }
    for (uint32_t i = 0; i < linked->step_count; i++) {
        const StepEvent *step = RankTraceStep(trace, linked->steps[i]);

        note_time(linked, &has_any, step->start_ns, step->duration_ns);
    }
    if (has_any) {
        note_host_times(trace, linked);
    }
}

bool LinkTrace(RankTrace *trace, bool exclude_last_step, LinkedTrace *ret_linked)
{
    bool is_filtered;

    *ret_linked = (LinkedTrace){ .near_from_ns = INT64_MIN, .near_to_ns = INT64_MAX };
    is_filtered = find_last_step(trace, &ret_linked->last_step_ns) && exclude_last_step;
    if (!link_all(trace, ret_linked) || !sort_work(trace, is_filtered, ret_linked) ||
        !sort_steps(trace, ret_linked)) {
        LinkedTraceFinish(ret_linked);
        return false;
    }
    drop_far(trace, ret_linked);
    if (!ApartFind(trace, ret_linked) || !FaultsFind(trace, ret_linked) ||
        !sum_calls(trace, ret_linked)) {
        LinkedTraceFinish(ret_linked);
        return false;
    }
    find_times(trace, ret_linked);
    return true;
}

void LinkAddWork(const RankTrace *trace, const LinkedTrace *linked, uint32_t call_number,
                 HostWork *work)
{
    const LaunchCall *call = RankTraceLaunch(trace, call_number);
    const CallSum *sum = &linked->calls[call_number];
    const int64_t call_end = call->start_ns + (int64_t) (call->duration_ns & ~LAUNCH_ENQUEUES);
    const int64_t first_ns = RankTraceWork(trace, sum->first)->start_ns;

    work->device_ns += sum->duration_ns;
    work->kernels += sum->count;
    work->launches++;
    work->delay_ns += first_ns > call_end ? (uint64_t) (first_ns - call_end) : 0;
}

void LinkedTraceFinish(LinkedTrace *linked)
{
    free(linked->work);
    free(linked->steps);
    free(linked->calls);
    free(linked->places);
    *linked = (LinkedTrace){ .work = NULL };
}
