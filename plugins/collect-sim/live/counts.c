/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the records of an operator while it runs. Tested by tests/plugins/collect-sim/test_live_parts.c. */
#include "counts.h"
#include <string.h>

void LiveCountsStart(LiveCounts *counts, const SimFacts *facts, const char *left_out)
{
    *counts = (LiveCounts){ .facts = facts, .left_out = left_out };
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
    }
}

/* The core whose files have a prefix; NULL: there is none. */
static WorkCore *find_core(const Work *work, const char *prefix)
{
    for (uint32_t i = 0; i < work->found.count; i++) {
        if (strcmp(work->found.cores[i].prefix, prefix) == 0) {
            return &work->cores[i];
        }
    }
    return NULL;
}

static void give_core(Work *work, const char *prefix, Pairing **pairing)
{
    WorkCore *core = find_core(work, prefix);

    if (core != NULL && core->pairing == NULL) {
        PairingCountEnd(*pairing);
        core->pairing = *pairing;
        *pairing = NULL;
    }
}

void LiveCountsGive(LiveCounts *counts, Work *work)
{
    OpprofLiveRecord record = { .core = 0 };
    char prefix[64];

    for (; record.core < LIVE_CORES; record.core++) {
        for (record.sub_core = 0; record.sub_core < LIVE_SUB_CORES; record.sub_core++) {
            Pairing **pairing = &counts->pairings[record.core][record.sub_core];

            if (*pairing != NULL) {
                LiveCorePrefix(counts->facts, &record, prefix, sizeof prefix);
                give_core(work, prefix, pairing);
            }
        }
    }
    LiveCountsFinish(counts);
}

void LiveCountsFinish(LiveCounts *counts)
{
    for (uint32_t core = 0; core < LIVE_CORES; core++) {
        for (uint32_t sub = 0; sub < LIVE_SUB_CORES; sub++) {
            PairingDestroy(counts->pairings[core][sub]);
            counts->pairings[core][sub] = NULL;
        }
    }
    counts->facts = NULL;
}
