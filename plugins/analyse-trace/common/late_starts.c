/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scores how late each rank comes to its collectives. Tested by
 * tests/plugins/analyse-trace/test_figures.
 */
#include "analyse-trace/common/late_starts.h"

#include "analyse-trace/common/describe.h"

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

void LateStartsScore(LateStart *starts, size_t count, size_t candidates, double noise,
                     LateScore *scores)
{
    const size_t late = candidates < count ? candidates : count - (count > 0);

    if (count == 0) {
        return;
    }
    qsort(starts, count, sizeof *starts, compare_starts);
    for (size_t i = 0; i < count; i++) {
        scores[starts[i].rank].late_steps += starts[i].start - starts[late].start > noise;
        scores[starts[i].rank].steps++;
    }
    if (count > 1 && starts[0].start - starts[1].start > noise) {
        scores[starts[0].rank].cost += starts[0].start - starts[1].start;
    }
}

static int compare_scores(const void *a, const void *b)
{
    const LateScore *left = a;
    const LateScore *right = b;

    if (left->late_steps != right->late_steps) {
        return left->late_steps < right->late_steps ? 1 : -1;
    }
    if (left->cost != right->cost) {
        return left->cost < right->cost ? 1 : -1;
    }
    return (left->rank > right->rank) - (left->rank < right->rank);
}

size_t LateStartsRank(LateScore *scores, size_t count, size_t candidates)
{
    const size_t last = candidates < count ? candidates : count - (count > 0);
    size_t stragglers = 0;

    if (count > 1) {
        qsort(scores, count, sizeof *scores, compare_scores);
    }
    while (stragglers < last && scores[stragglers].late_steps > scores[last].late_steps) {
        stragglers++;
    }
    return stragglers;
}
