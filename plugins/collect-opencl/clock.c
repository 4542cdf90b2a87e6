/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fits a device's clock to the host's, and says how wrong that may be.
 * Tested by tests/plugins/collect-opencl/test_clock.c.
 */
#include "collect-opencl/clock.h"

#include <opprof/grow.h>
#include <stdlib.h>

#define FEW_BOUNDS 4u /* a clock that drifts has more than so many in each range, on average */

/* A range of times in which one distance fits. */
typedef struct Range {
    uint64_t first;
    uint64_t last;
    int64_t least;
    int64_t most;
} Range;

static int compare(const void *a, const void *b)
{
    const ClockBound *left = a, *right = b;

    return (left->time > right->time) - (left->time < right->time);
}

static int64_t middle_of(const Range *range)
{
    return range->least + (range->most - range->least) / 2;
}

static uint64_t half_of(const Range *range)
{
    return (uint64_t) (range->most - range->least + 1) / 2;
}

static bool add_point(ClockFit *fit, size_t *room, const Range *range)
{
    ClockPoint point = { .time = range->first + (range->last - range->first) / 2,
                         .offset = middle_of(range) };

    if (!OpprofGrow(&fit->points, room, fit->count + 1, sizeof point)) {
        return false;
    }
    if (half_of(range) > fit->error) {
        fit->error = half_of(range);
    }
    fit->points[fit->count++] = point;
    return true;
}

static Range range_of(const ClockBound *bound)
{
    return (Range){
        .first = bound->time, .last = bound->time, .least = bound->least, .most = bound->most
    };
}

/* Ranges as long as possible, one after the other. */
static bool add_ranges(const ClockBound *bounds, size_t count, ClockFit *fit)
{
    Range range = range_of(&bounds[0]);
    size_t room = 0;

    for (size_t i = 1; i < count; i++) {
        const int64_t least = bounds[i].least > range.least ? bounds[i].least : range.least;
        const int64_t most = bounds[i].most < range.most ? bounds[i].most : range.most;

        if (least > most) {
            if (!add_point(fit, &room, &range)) {
                return false;
            }
            range = range_of(&bounds[i]);
            continue;
        }
        range.least = least;
        range.most = most;
        range.last = bounds[i].time;
    }
    /* A clock that may be the host's own is taken as that. */
    if (fit->count == 0 && range.least <= 0 && range.most >= 0) {
        fit->is_host = true;
        range.least = -(-range.least > range.most ? -range.least : range.most);
        range.most = -range.least;
    }
    return add_point(fit, &room, &range);
}

bool ClockFitMake(ClockBound *bounds, size_t count, ClockFit *ret_fit)
{
    uint64_t most_step = 0;

    *ret_fit = (ClockFit){ .error = count == 0 ? UINT64_MAX : 0 };
    if (count == 0) {
        return true;
    }
    qsort(bounds, count, sizeof *bounds, compare);
    if (!add_ranges(bounds, count, ret_fit)) {
        return false;
    }
    for (size_t i = 1; i < ret_fit->count; i++) {
        const int64_t step = ret_fit->points[i].offset - ret_fit->points[i - 1].offset;
        const uint64_t size = (uint64_t) (step < 0 ? -step : step);

        most_step = size > most_step ? size : most_step;
    }
    ret_fit->drifts = ret_fit->count > 1;
    ret_fit->is_vague = ret_fit->count > 2 && count / ret_fit->count < FEW_BOUNDS;
    ret_fit->error += most_step / 2;
    return true;
}

int64_t ClockHost(const ClockFit *fit, uint64_t time)
{
    size_t low = 0, high = fit->count;

    if (fit->count == 0) {
        return (int64_t) time;
    }
    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (fit->points[middle].time <= time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0 || low == fit->count) {
        return (int64_t) time + fit->points[low == 0 ? 0 : fit->count - 1].offset;
    }
    const ClockPoint *from = &fit->points[low - 1], *to = &fit->points[low];
    const double part = (double) (time - from->time) / (double) (to->time - from->time);

    return (int64_t) time + from->offset + (int64_t) (part * (double) (to->offset - from->offset));
}

void ClockFitFinish(ClockFit *fit)
{
    free(fit->points);
    *fit = (ClockFit){ .count = 0 };
}
