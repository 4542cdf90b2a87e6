/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds launch calls whose work is missing. Tested by tests/plugins/collect-kineto/test_faults.sh.
 */
#include "collect-kineto/rank/workless.h"

#include "collect-kineto/rank/captures.h"
#include "collect-kineto/rank/sort.h"

#include <stdlib.h>

#define NESTED_MAX 16u /* calls inside each other that are looked at */

/* What is known of each call. */
enum {
    CALL_HAS_WORK = 1,
    CALL_IS_COVERED = 2, /* a call around it, or inside it, has its work */
    CALL_IS_CAPTURED = 4
};

static uint16_t meaning_of(const RankTrace *trace, const LaunchCall *call)
{
    return NamesAt(&trace->names, call->name)->meaning;
}

static int64_t end_of(const LaunchCall *call)
{
    return call->start_ns + (int64_t) (call->duration_ns & ~LAUNCH_ENQUEUES);
}

/* Calls that certainly launch something, by name and with a number that their work would have. */
static bool is_launch(const RankTrace *trace, const LaunchCall *call)
{
    return (meaning_of(trace, call) & CALL_KIND_MASK) == CALL_ENQUEUE &&
           call->correlation != CALL_WITHOUT_CORRELATION;
}

static void note_work(const RankTrace *trace, uint8_t *calls)
{
    for (uint32_t i = 0; i < trace->work.count; i++) {
        const WorkEvent *work = RankTraceWork(trace, i);

        if ((work->flags & WORK_IS_LINKED) != 0) {
            calls[work->correlation] |= CALL_HAS_WORK;
        }
    }
}

static bool mark_captured(const RankTrace *trace, uint8_t *calls)
{
    Captures captures;

    if (!CapturesInit(trace, &captures)) {
        return false;
    }
    for (uint32_t i = 0; captures.count > 0 && i < trace->launches.count; i++) {
        if (CapturesHave(&captures, trace, RankTraceLaunch(trace, i))) {
            calls[i] |= CALL_IS_CAPTURED;
        }
    }
    CapturesFinish(&captures);
    return true;
}

/* ---- calls inside each other ---- */

static bool is_around(const void *context, uint32_t a, uint32_t b)
{
    const LaunchCall *left = RankTraceLaunch(context, a);
    const LaunchCall *right = RankTraceLaunch(context, b);

    if (left->thread != right->thread) {
        return left->thread < right->thread;
    }
    return left->start_ns != right->start_ns ? left->start_ns < right->start_ns
                                             : end_of(left) > end_of(right);
}

/* Of two calls, one inside the other, one has the work of both. */
static void cover(uint8_t *calls, uint32_t outer, uint32_t inner)
{
    if ((calls[outer] & (CALL_HAS_WORK | CALL_IS_COVERED)) != 0) {
        calls[inner] |= CALL_IS_COVERED;
    }
    if ((calls[inner] & CALL_HAS_WORK) != 0) {
        calls[outer] |= CALL_IS_COVERED;
    }
}

static bool cover_nested(const RankTrace *trace, uint8_t *calls)
{
    const uint32_t count = trace->launches.count;
    uint32_t *order = reallocarray(NULL, (size_t) count + 1, sizeof *order);
    uint32_t open[NESTED_MAX];
    uint32_t depth = 0;
    bool is_good = order != NULL;

    for (uint32_t i = 0; is_good && i < count; i++) {
        order[i] = i;
    }
    is_good = is_good && SortNumbers(order, count, is_around, trace);
    for (uint32_t i = 0; is_good && i < count; i++) {
        const LaunchCall *call = RankTraceLaunch(trace, order[i]);

        while (depth > 0 && (RankTraceLaunch(trace, open[depth - 1])->thread != call->thread ||
                             end_of(RankTraceLaunch(trace, open[depth - 1])) < end_of(call))) {
            depth--;
        }
        for (uint32_t d = 0; d < depth; d++) {
            cover(calls, open[d], order[i]);
        }
        if (depth < NESTED_MAX) {
            open[depth++] = order[i];
        }
    }
    free(order);
    return is_good;
}

static bool has_workless(const RankTrace *trace, const uint8_t *calls)
{
    for (uint32_t i = 0; i < trace->launches.count; i++) {
        if (calls[i] == 0 && is_launch(trace, RankTraceLaunch(trace, i))) {
            return true;
        }
    }
    return false;
}

bool WorklessFind(const RankTrace *trace, LinkedTrace *linked)
{
    uint8_t *calls = calloc((size_t) trace->launches.count + 1, sizeof *calls);
    bool is_good = calls != NULL;

    if (is_good) {
        note_work(trace, calls);
        is_good = !has_workless(trace, calls) ||
                  (mark_captured(trace, calls) && cover_nested(trace, calls));
    }
    for (uint32_t i = 0; is_good && i < trace->launches.count; i++) {
        const LaunchCall *call = RankTraceLaunch(trace, i);

        if (is_launch(trace, call)) {
            linked->faults.enqueued++;
            if (calls[i] == 0) {
                FaultAdd(&linked->faults.workless, call->name, call->start_ns);
            }
        }
    }
    free(calls);
    return is_good;
}
