/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the records of an operator while it runs. Tested by tests/plugins/collect-sim/test_live_parts.c. */
#include "counts.h"
#include <string.h>

void LiveCountsStart(LiveCounts *counts, const SimFacts *facts, const char *left_out,
                     LiveCountsBudget *budget)
{
    *counts = (LiveCounts){
        .kind = LIVE_COUNTS_KIND, .budget = budget, .facts = facts, .left_out = left_out
    };
}

static void lose(LiveCounts *counts)
{
    LiveCountsFinish(counts);
    counts->is_lost = true;
}

static Pairing **place_of(LiveCounts *counts, const OpprofLiveRecord *record)
{
    return &counts->pairings[record->core][LiveSubCore(counts->facts, record)];
}

static Pairing *pairing_of(LiveCounts *counts, const OpprofLiveRecord *record)
{
    Pairing **place = place_of(counts, record);

    if (*place == NULL) {
        const PairingOptions options = WorkPairing(counts->facts, counts->left_out);

        *place = PairingCreate(&options);
    }
    return *place;
}

void LiveCountsLeaveBudget(LiveCounts *counts)
{
    if (counts->budget != NULL) {
        counts->budget->held -= counts->held;
        counts->budget = NULL;
        counts->held = 0;
    }
}

void LiveCountsWeigh(LiveCounts *counts)
{
    LiveCountsBudget *budget = counts->budget;
    size_t held = sizeof *counts;

    counts->records = 0;
    if (budget == NULL) {
        return;
    }
    for (uint32_t core = 0; core < LIVE_CORES; core++) {
        for (uint32_t sub = 0; sub < LIVE_SUB_CORES; sub++) {
            const Pairing *pairing = counts->pairings[core][sub];

            held += pairing == NULL ? 0 : PairingHeld(pairing);
        }
    }
    budget->held = budget->held - counts->held + held;
    counts->held = held;
    if (budget->held > budget->most && budget->held > held) {
        lose(counts);
    }
}

void LiveCountsTake(LiveCounts *counts, const OpprofLiveRecord *record, const char *line,
                    size_t length)
{
    const bool is_popped = record->type == OPPROF_LIVE_POPPED;
    Pairing *pairing;

    if (counts->is_lost || counts->facts == NULL || record->core >= LIVE_CORES ||
        (!is_popped && record->type != OPPROF_LIVE_INSTR)) {
        return;
    }
    pairing = pairing_of(counts, record);
    if (pairing == NULL ||
        !(is_popped ? PairingCountPopped : PairingCountInstr)(pairing, line, length)) {
        lose(counts);
    } else if (++counts->records == LIVE_COUNTS_STEP) {
        LiveCountsWeigh(counts);
    }
}

/* The core whose files have a prefix; NULL if none. */
static WorkCore *find_core(const Work *work, const char *prefix)
{
    for (uint32_t i = 0; i < work->found.count; i++) {
        if (strcmp(work->found.cores[i].prefix, prefix) == 0) {
            return &work->cores[i];
        }
    }
    return NULL;
}

static bool give_core(Work *work, const char *prefix, Pairing **pairing)
{
    WorkCore *core = find_core(work, prefix);

    if (core == NULL || core->pairing != NULL) {
        return false;
    }
    PairingCountEnd(*pairing);
    core->pairing = *pairing;
    *pairing = NULL;
    return true;
}

uint32_t LiveCountsGive(LiveCounts *counts, Work *work)
{
    OpprofLiveRecord record = { .core = 0 };
    uint32_t given = 0;
    char prefix[64];

    for (; record.core < LIVE_CORES; record.core++) {
        for (record.sub_core = 0; record.sub_core < LIVE_SUB_CORES; record.sub_core++) {
            Pairing **pairing = &counts->pairings[record.core][record.sub_core];

            if (*pairing != NULL) {
                LiveCorePrefix(counts->facts, &record, prefix, sizeof prefix);
                given += give_core(work, prefix, pairing);
            }
        }
    }
    LiveCountsFinish(counts);
    return given;
}

LiveCounts *LiveCountsOf(void *handed)
{
    LiveCounts *counts = handed;

    return counts != NULL && strcmp(counts->kind, LIVE_COUNTS_KIND) == 0 ? counts : NULL;
}

void LiveCountsFinish(LiveCounts *counts)
{
    for (uint32_t core = 0; core < LIVE_CORES; core++) {
        for (uint32_t sub = 0; sub < LIVE_SUB_CORES; sub++) {
            PairingDestroy(counts->pairings[core][sub]);
            counts->pairings[core][sub] = NULL;
        }
    }
    LiveCountsLeaveBudget(counts);
    counts->facts = NULL;
}
