/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Divides the time of a device among iterations, by what it did.
 * Tested by tests/plugins/analyse-trace/test_steps.
 */
#include "analyse-trace/common/step_parts.h"

#include <opprof/grow.h>
#include <opprof/record.h>
#include <stdlib.h>

const char *const step_part_names[STEP_PARTS] = {
    [STEP_COMPUTE] = "compute",
    [STEP_COMMUNICATION] = "exposed_communication",
    [STEP_COPY] = "exposed_copy",
    [STEP_HOST_WAIT] = "idle_host_wait",
    [STEP_KERNEL_WAIT] = "idle_kernel_wait",
    [STEP_OTHER_WAIT] = "idle_other",
};

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t greatest(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

bool StepSweepStep(StepSweep *sweep, uint32_t name, uint64_t start_ns, uint64_t end_ns)
{
    if (!OpprofGrow32(&sweep->steps, &sweep->capacity, (size_t) sweep->count + 1,
                      sizeof *sweep->steps)) {
        return false;
    }
    sweep->steps[sweep->count] =
        (StepTime){ .name = name, .start_ns = start_ns, .end_ns = end_ns, .reach_ns = end_ns };
    if (sweep->count > 0) {
        sweep->steps[sweep->count].reach_ns =
            greatest(end_ns, sweep->steps[sweep->count - 1].reach_ns);
    }
    sweep->count++;
    return true;
}

/* Adds the time from `from` to `to` to one part. */
static void share(StepSweep *sweep, uint64_t from, uint64_t to, StepPart part, bool communicates)
{
    while (sweep->first < sweep->count && sweep->steps[sweep->first].end_ns <= from) {
        sweep->first++;
    }
    for (uint32_t i = sweep->first; i < sweep->count && sweep->steps[i].start_ns < to; i++) {
        StepTime *step = &sweep->steps[i];
        const uint64_t begin = greatest(from, step->start_ns);
        const uint64_t end = least(to, step->end_ns);

        if (begin < end) {
            step->parts_ns[part] += end - begin;
            step->communication_ns += communicates ? end - begin : 0;
        }
    }
}

static bool is_idle(StepPart part)
{
    return part == STEP_HOST_WAIT || part == STEP_KERNEL_WAIT || part == STEP_OTHER_WAIT;
}

/* The same, as a new piece or as an extension of the previous one. */
static void note_piece(StepPieces *pieces, uint64_t from, uint64_t to, StepPart part,
                       uint64_t threshold_ns)
{
    StepPiece *last = pieces->count == 0 ? NULL : &pieces->list[pieces->count - 1];

    if (last != NULL && (last->part == part ||
                         (is_idle(part) && !is_idle(last->part) && to - from < threshold_ns))) {
        last->end_ns = to;
        return;
    }
    if (!OpprofGrow32(&pieces->list, &pieces->capacity, (size_t) pieces->count + 1,
                      sizeof *pieces->list)) {
        pieces->is_short = true;
        return;
    }
    pieces->list[pieces->count++] = (StepPiece){ from, to, part };
}

/* Divide the time up to `to`; `idle` is the part for times when nothing runs. */
static void advance(StepSweep *sweep, uint64_t to, StepPart idle, uint64_t threshold_ns)
{
    while (sweep->now < to) {
        uint64_t next = to;
        StepPart part = idle;

        for (int class = ACTIVITY_CLASSES - 1; class >= 0; class --) {
            if (sweep->ends[class] > sweep->now) {
                next = least(next, sweep->ends[class]);
                part = class == ACTIVITY_COMPUTATION     ? STEP_COMPUTE
                       : class == ACTIVITY_COMMUNICATION ? STEP_COMMUNICATION
                                                         : STEP_COPY;
            }
        }
        share(sweep, sweep->now, next, part, sweep->ends[ACTIVITY_COMMUNICATION] > sweep->now);
        if (sweep->pieces != NULL && sweep->has_work) {
            note_piece(sweep->pieces, sweep->now, next, part, threshold_ns);
        }
        sweep->now = next;
    }
}

/* In all iterations in which it was launched, or began if the launch is unknown. */
static void count_work(StepSweep *sweep, const StepWork *work)
{
    const uint64_t at = work->launch_ns == OPPROF_NA_U64 ? work->start_ns : work->launch_ns;

    for (uint32_t i = sweep->count; i > 0 && sweep->steps[i - 1].reach_ns > at; i--) {
        StepTime *step = &sweep->steps[i - 1];

        step->kernels += at >= step->start_ns && at < step->end_ns;
    }
}

/* The part for idle time before a piece of work. */
static StepPart idle_before(const StepSweep *sweep, const StepWork *work, uint64_t threshold_ns)
{
    const bool is_launched = work->launch_ns != OPPROF_NA_U64;

    if (is_launched && (!sweep->has_work || work->launch_ns > sweep->busy_until)) {
        return STEP_HOST_WAIT;
    }
    return sweep->has_work && work->start_ns < sweep->busy_until + threshold_ns ? STEP_KERNEL_WAIT
                                                                                : STEP_OTHER_WAIT;
}

void StepSweepWork(StepSweep *sweep, const StepWork *work, uint64_t threshold_ns)
{
    advance(sweep, work->start_ns, idle_before(sweep, work, threshold_ns), threshold_ns);
    count_work(sweep, work);
    sweep->has_work = true;
    sweep->ends[work->class] = greatest(sweep->ends[work->class], work->end_ns);
    sweep->busy_until = greatest(sweep->busy_until, work->end_ns);
}

void StepSweepEnd(StepSweep *sweep)
{
    uint64_t last = sweep->busy_until;

    for (uint32_t i = 0; i < sweep->count; i++) {
        last = greatest(last, sweep->steps[i].end_ns);
    }
    advance(sweep, last, STEP_OTHER_WAIT, 0);
}

void StepSweepFree(StepSweep *sweep)
{
    free(sweep->steps);
    *sweep = (StepSweep){ .steps = NULL };
}

static int compare_values(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *) a;
    const uint64_t right = *(const uint64_t *) b;

    return (left > right) - (left < right);
}

uint64_t StepMedian(uint64_t *values, uint32_t count)
{
    if (count == 0) {
        return 0;
    }
    qsort(values, count, sizeof *values, compare_values);
    if (count % 2 == 1) {
        return values[count / 2];
    }
    return values[count / 2 - 1] + (values[count / 2] - values[count / 2 - 1]) / 2;
}
