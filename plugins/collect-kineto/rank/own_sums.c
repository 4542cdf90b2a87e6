/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps the sums that a profiler wrote into its trace.
 * Tested by tests/plugins/collect-kineto/test_ascend.sh.
 */
#include "collect-kineto/rank/own_sums.h"

#include "collect-kineto/text/number.h"

static OwnSum *sum_of(OwnSums *sums, int64_t process)
{
    for (uint32_t i = 0; i < sums->count; i++) {
        if (sums->list[i].process == process) {
            return &sums->list[i];
        }
    }
    if (sums->count == OWN_SUMS_MAX) {
        sums->is_full = true;
        return NULL;
    }
    sums->list[sums->count] = (OwnSum){ .process = process };
    return &sums->list[sums->count++];
}

void OwnSumsAdd(OwnSums *sums, const Vocabulary *vocabulary, const TraceEvent *event)
{
    const WordList *lists = vocabulary->lists;
    WorkClass work_class = WORK_CLASSES;
    int64_t process;
    OwnSum *sum;

    if (VocabularyHasWord(&lists[LIST_COMPUTATION_SUMS], event->name)) {
        work_class = WORK_COMPUTATION;
    } else if (VocabularyHasWord(&lists[LIST_COMMUNICATION_SUMS], event->name)) {
        work_class = WORK_COMMUNICATION;
    }
    if (work_class == WORK_CLASSES || (event->has & EVENT_HAS_DURATION) == 0 ||
        event->duration_ns < 0 || !NumberInteger(event->pid.text, event->pid.length, &process)) {
        return;
    }
    sum = sum_of(sums, process);
    if (sum != NULL) {
        sum->ns[work_class] += (uint64_t) event->duration_ns;
        sum->events++;
    }
}
