/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares the sums that a profiler wrote into its trace with the work in it.
 * Tested by tests/plugins/collect-kineto/test_ascend.sh.
 */
#include "collect-kineto/rank/own_compare.h"

#include <opprof/map.h>
#include <stdlib.h>

/* Latest end of the work of a device, by class. */
typedef struct DeviceEnd {
    int64_t end_ns[WORK_CLASSES];
    bool has[WORK_CLASSES];
} DeviceEnd;

/* Adds the part of a piece of work that no earlier one of its class and device covers. */
static void add_work(DeviceEnd *device, const WorkEvent *work, uint64_t *sum_ns)
{
    const int64_t to_ns = work->start_ns + (int64_t) work->duration_ns;
    int64_t *end_ns = &device->end_ns[work->work_class];
    const int64_t from_ns =
        device->has[work->work_class] && *end_ns > work->start_ns ? *end_ns : work->start_ns;

    if (to_ns > from_ns) {
        *sum_ns += (uint64_t) (to_ns - from_ns);
        *end_ns = to_ns;
        device->has[work->work_class] = true;
    }
}

static bool sum_work(const RankTrace *trace, const LinkedTrace *linked, uint64_t *ret_ns)
{
    DeviceEnd *ends = calloc((size_t) trace->lanes.list.count + 1, sizeof *ends);
    OpprofMap devices = { 0 };
    uint32_t count = 0;
    bool is_good = ends != NULL;

    for (uint32_t i = 0; is_good && i < linked->work_count; i++) {
        const WorkEvent *work = RankTraceWork(trace, linked->work[i]);
        const Lane *lane = ChunksAt(&trace->lanes.list, work->lane);
        uint32_t place = OpprofMapFind(&devices, (uint64_t) lane->device);

        if (place == OPPROF_MAP_NONE) {
            place = count++;
            is_good = OpprofMapPut(&devices, (uint64_t) lane->device, place);
        }
        if (is_good) {
            add_work(&ends[place], work, &ret_ns[work->work_class]);
        }
    }
    OpprofMapFinish(&devices);
    free(ends);
    return is_good;
}

bool OwnCompare(const RankTrace *trace, const LinkedTrace *linked, OwnComparison *ret_comparison)
{
    const OwnSums *sums = &trace->own_sums;
    const WordList *processes = &trace->vocabulary->lists[LIST_SUMS_PROCESS];

    *ret_comparison = (OwnComparison){ .has_own = false };
    for (uint32_t i = 0; i < sums->count && !sums->is_full; i++) {
        const char *name = ProcessesName(&trace->processes, sums->list[i].process);
        const JsonText text = { .text = name,
                                .length = name == NULL ? 0 : (uint32_t) strlen(name) };

        if (name == NULL || !VocabularyHasWord(processes, text)) {
            continue;
        }
        ret_comparison->has_own = true;
        for (size_t c = 0; c < WORK_CLASSES; c++) {
            ret_comparison->own_ns[c] += sums->list[i].ns[c];
        }
    }
    return !ret_comparison->has_own || sum_work(trace, linked, ret_comparison->work_ns);
}
