/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Adds up how long each combination of classes was active, in one pass.
 * Tested by tests/plugins/analyse-trace/test_sweep.
 */
#include "analyse-trace/common/sweep.h"

/* Classes active right after `now`, and when that changes next; UINT64_MAX: never. */
static unsigned active_classes(const Sweep *sweep, uint64_t *ret_change)
{
    unsigned active = 0;

    *ret_change = UINT64_MAX;
    for (unsigned i = 0; i < ACTIVITY_CLASSES; i++) {
        if (sweep->ends[i] > sweep->now) {
            active |= 1u << i;
            *ret_change = sweep->ends[i] < *ret_change ? sweep->ends[i] : *ret_change;
        }
    }
    return active;
}

static void advance(Sweep *sweep, uint64_t until)
{
    while (sweep->now < until) {
        uint64_t change;
        const unsigned active = active_classes(sweep, &change);

        change = change < until ? change : until;
        sweep->sums[active] += change - sweep->now;
        sweep->now = change;
    }
}

void SweepAdd(Sweep *sweep, ActivityClass class, uint64_t start, uint64_t end)
{
    if (sweep->intervals == 0) {
        sweep->first = start;
        sweep->last = start;
        sweep->now = start;
    }
    sweep->intervals++;
    advance(sweep, start);
    if (end > sweep->ends[class]) {
        sweep->ends[class] = end;
    }
    if (end > sweep->last) {
        sweep->last = end;
    }
}

void SweepEnd(Sweep *sweep)
{
    advance(sweep, sweep->last);
}

uint64_t SweepUnion(const Sweep *sweep, unsigned classes)
{
    uint64_t sum = 0;

    for (unsigned set = 1; set <= SWEEP_ANY; set++) {
        sum += (set & classes) != 0 ? sweep->sums[set] : 0;
    }
    return sum;
}

uint64_t SweepIntersection(const Sweep *sweep, unsigned classes)
{
    uint64_t sum = 0;

    for (unsigned set = 1; set <= SWEEP_ANY; set++) {
        sum += (set & classes) == classes ? sweep->sums[set] : 0;
    }
    return sum;
}
