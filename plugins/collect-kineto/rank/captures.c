/* SPDX-License-Identifier: Apache-2.0 */
/* Finds when graphs are captured. Tested by tests/plugins/collect-kineto/test_faults.sh. */
#include "collect-kineto/rank/captures.h"

#include "collect-kineto/rank/sort.h"

#include <stdlib.h>

static int64_t process_of(const RankTrace *trace, const LaunchCall *call)
{
    return call->thread < trace->threads.list.count ? LaneAt(&trace->threads, call->thread)->device
                                                    : 0;
}

static uint16_t meaning_of(const RankTrace *trace, const LaunchCall *call)
{
    return NamesAt(&trace->names, call->name)->meaning;
}

static bool is_begin(const RankTrace *trace, uint32_t number)
{
    return (meaning_of(trace, RankTraceLaunch(trace, number)) & CALL_BEGINS_CAPTURE) != 0;
}

static bool is_mark(const RankTrace *trace, const LaunchCall *call)
{
    return (meaning_of(trace, call) & (CALL_BEGINS_CAPTURE | CALL_ENDS_CAPTURE)) != 0;
}

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const RankTrace *trace = context;
    const LaunchCall *left = RankTraceLaunch(trace, a);
    const LaunchCall *right = RankTraceLaunch(trace, b);
    const int64_t left_process = process_of(trace, left);
    const int64_t right_process = process_of(trace, right);

    return left_process != right_process ? left_process < right_process
                                         : left->start_ns < right->start_ns;
}

/* Counts the open captures after each mark, from 0 on in each process. */
static void count_depths(const RankTrace *trace, Captures *captures)
{
    for (uint32_t i = 0; i < captures->count; i++) {
        const int64_t process = process_of(trace, RankTraceLaunch(trace, captures->marks[i]));
        uint32_t depth = 0;

        if (i > 0 && process_of(trace, RankTraceLaunch(trace, captures->marks[i - 1])) == process) {
            depth = captures->depths[i - 1];
        }
        if (is_begin(trace, captures->marks[i])) {
            depth++;
        } else if (depth > 0) {
            depth--;
        }
        captures->depths[i] = depth;
    }
}

bool CapturesInit(const RankTrace *trace, Captures *ret_captures)
{
    uint32_t count = 0;

    *ret_captures = (Captures){ .count = 0 };
    for (uint32_t i = 0; i < trace->launches.count; i++) {
        count += is_mark(trace, RankTraceLaunch(trace, i));
    }
    ret_captures->marks = calloc((size_t) count + 1, sizeof *ret_captures->marks);
    ret_captures->depths = calloc((size_t) count + 1, sizeof *ret_captures->depths);
    if (ret_captures->marks == NULL || ret_captures->depths == NULL) {
        CapturesFinish(ret_captures);
        return false;
    }
    for (uint32_t i = 0; i < trace->launches.count; i++) {
        if (is_mark(trace, RankTraceLaunch(trace, i))) {
            ret_captures->marks[ret_captures->count++] = i;
        }
    }
    if (!SortNumbers(ret_captures->marks, count, is_before, trace)) {
        CapturesFinish(ret_captures);
        return false;
    }
    count_depths(trace, ret_captures);
    return true;
}

/* A call, as context of SortCountUpTo. */
typedef struct CallTime {
    const RankTrace *trace;
    int64_t process;
    int64_t start_ns;
} CallTime;

static bool is_up_to(const void *context, uint32_t number)
{
    const CallTime *time = context;
    const LaunchCall *mark = RankTraceLaunch(time->trace, number);
    const int64_t process = process_of(time->trace, mark);

    return process != time->process ? process < time->process : mark->start_ns <= time->start_ns;
}

bool CapturesHave(const Captures *captures, const RankTrace *trace, const LaunchCall *call)
{
    const CallTime time = { trace, process_of(trace, call), call->start_ns };
    const uint32_t before = SortCountUpTo(captures->marks, captures->count, is_up_to, &time);

    if (before > 0 &&
        process_of(trace, RankTraceLaunch(trace, captures->marks[before - 1])) == time.process) {
        return captures->depths[before - 1] > 0;
    }
    return before < captures->count &&
           process_of(trace, RankTraceLaunch(trace, captures->marks[before])) == time.process &&
           !is_begin(trace, captures->marks[before]);
}

void CapturesFinish(Captures *captures)
{
    free(captures->marks);
    free(captures->depths);
    *captures = (Captures){ .count = 0 };
}
