/* SPDX-License-Identifier: Apache-2.0 */
#include "link.h"

#include "sort.h"

#include <stdlib.h>
#include <string.h>

/* Calls by correlation. Two thirds full at most: 6 to 12 bytes a call, while linking. */
typedef struct CallTable {
    uint32_t *slots; /* number of the call plus 1; 0: free */
    uint32_t mask;
    uint64_t seed; /* so that no file can be made to collide */
} CallTable;

static uint32_t slot_of(const CallTable *table, uint64_t correlation)
{
    uint64_t hash = (correlation ^ table->seed) * UINT64_C(0x9e3779b97f4a7c15);

    hash ^= hash >> 32;
    return (uint32_t) (hash * UINT64_C(0xd6e8feb86659fd93) >> 32) & table->mask;
}

/* Of calls with one correlation the first of the file counts. */
static void add_call(const RankTrace *trace, CallTable *table, uint32_t number)
{
    const uint64_t correlation = RankTraceLaunch(trace, number)->correlation;
    uint32_t at = slot_of(table, correlation);

    while (table->slots[at] != 0) {
        if (RankTraceLaunch(trace, table->slots[at] - 1)->correlation == correlation) {
            return;
        }
        at = (at + 1) & table->mask;
    }
    table->slots[at] = number + 1;
}

static bool make_table(const RankTrace *trace, CallTable *ret_table)
{
    uint64_t size = 64;

    while (size * 2 < (uint64_t) trace->launches.count * 3) {
        size *= 2;
    }
    ret_table->slots = calloc(size, sizeof *ret_table->slots);
    ret_table->mask = (uint32_t) (size - 1);
    ret_table->seed = (uint64_t) (uintptr_t) ret_table->slots >> 4;
    if (ret_table->slots == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < trace->launches.count; i++) {
        add_call(trace, ret_table, i);
    }
    return true;
}

static void link_work(const RankTrace *trace, const CallTable *table, WorkEvent *work)
{
    uint32_t at = slot_of(table, work->correlation);

    for (; table->slots[at] != 0; at = (at + 1) & table->mask) {
        const uint32_t number = table->slots[at] - 1;

        if (RankTraceLaunch(trace, number)->correlation == work->correlation) {
            work->correlation = number;
            work->flags |= WORK_IS_LINKED;
            return;
        }
    }
}

static bool link_all(RankTrace *trace)
{
    CallTable table;

    if (!make_table(trace, &table)) {
        return false;
    }
    for (uint32_t i = 0; i < trace->work.count; i++) {
        WorkEvent *work = RankTraceWork(trace, i);

        if ((work->flags & WORK_HAS_CORRELATION) != 0) {
            link_work(trace, &table, work);
        }
    }
    free(table.slots);
    return true;
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
    linked->steps = reallocarray(NULL, (size_t) trace->steps.count + 1, sizeof *linked->steps);
    if (linked->steps == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < trace->steps.count; i++) {
        linked->steps[i] = i;
    }
    linked->step_count = trace->steps.count;
    return SortNumbers(linked->steps, linked->step_count, step_is_before, trace);
}

static void note_time(LinkedTrace *linked, bool *has_any, int64_t ns)
{
    if (!*has_any || ns < linked->earliest_ns) {
        linked->earliest_ns = ns;
    }
    *has_any = true;
}

static void find_earliest(const RankTrace *trace, LinkedTrace *linked)
{
    bool has_any = false;

    for (uint32_t i = 0; i < linked->work_count; i++) {
        const WorkEvent *work = RankTraceWork(trace, linked->work[i]);

        note_time(linked, &has_any, work->start_ns);
        if ((work->flags & WORK_IS_LINKED) != 0) {
            note_time(linked, &has_any,
                      RankTraceLaunch(trace, (uint32_t) work->correlation)->start_ns);
        }
    }
    if (linked->step_count > 0) {
        note_time(linked, &has_any, RankTraceStep(trace, linked->steps[0])->start_ns);
    }
}

bool LinkTrace(RankTrace *trace, bool exclude_last_step, LinkedTrace *ret_linked)
{
    bool is_filtered;

    *ret_linked = (LinkedTrace){ .work = NULL };
    is_filtered = find_last_step(trace, &ret_linked->last_step_ns) && exclude_last_step;
    if (!link_all(trace) || !sort_work(trace, is_filtered, ret_linked) ||
        !sort_steps(trace, ret_linked)) {
        LinkedTraceFinish(ret_linked);
        return false;
    }
    find_earliest(trace, ret_linked);
    return true;
}

void LinkedTraceFinish(LinkedTrace *linked)
{
    free(linked->work);
    free(linked->steps);
    *linked = (LinkedTrace){ .work = NULL };
}
