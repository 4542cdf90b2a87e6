/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scores how late each rank comes to its collectives. Tested by
 * tests/plugins/analyse-trace/test_figures.
 */
#include "late_starts.h"

#include "describe.h"

#include <stdlib.h>

double LateStartsSpread(const LateStart *starts, size_t count)
{
    Running durations = { .count = 0 };

    for (size_t i = 0; i < count; i++) {
        RunningAdd(&durations, starts[i].duration);
    }
    return RunningStd(&durations);
}

/* Latest first. */
static int compare_starts(const void *a, const void *b)
{
    const double left = ((const LateStart *) a)->start;
    const double right = ((const LateStart *) b)->start;

    return (left < right) - (left > right);
}

void LateStartsScore(LateStart *starts, size_t count, size_t candidates, LateScore *scores)
{
    double limit;

    if (count == 0) {
        return;
    }
    qsort(starts, count, sizeof *starts, compare_starts);
    limit = starts[(candidates < count ? candidates : count) - 1].start;
    for (size_t i = 0; i < count; i++) {
        scores[starts[i].rank].late_steps += starts[i].start >= limit;
        scores[starts[i].rank].steps++;
    }
}
