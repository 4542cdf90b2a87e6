/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the records of an operator while it runs. Tested by
 * tests/plugins/collect-sim/test_live_parts.c. */
#include "counts.h"
#include <stdlib.h>
#include <string.h>

void LiveCountsStart(LiveCounts *counts, const SimFacts *facts, const char *left_out,
                     LiveCountsBudget *budget)
{
    *counts = (LiveCounts){ .budget = budget, .facts = facts, .left_out = left_out };
}

static void free_memories(LiveCounts *counts)
{
    for (uint32_t core = 0; core < LIVE_CORES; core++) {
        for (uint32_t sub = 0; sub < LIVE_SUB_CORES; sub++) {
            for (uint32_t log = 0; log < LIVE_COUNTED_LOGS; log++) {
                free(counts->memories[core][sub][log]);
                counts->memories[core][sub][log] = NULL;
            }
        }
    }
}

static void lose(LiveCounts *counts)
{
    LiveCountsFinish(counts);
    counts->is_lost = true;
}

static Pairing *pairing_of(LiveCounts *counts, const OpprofLiveLogs *logs)
{
    Pairing **place = &counts->pairings[logs->core][LiveSubCore(counts->facts, logs->sub_core)];

    if (*place == NULL) {
        const PairingOptions options = WorkPairing(counts->facts, counts->left_out);

        *place = PairingCreate(&options);
    }
    return *place;
}

static OpprofLiveMemory *memory_of(LiveCounts *counts, const OpprofLiveLogs *logs)
{
    OpprofLiveMemory **place = &counts->memories[logs->core][logs->sub_core][logs->log];

    if (*place == NULL) {
        *place = calloc(1, sizeof **place);
    }
    return *place;
}

static void leave_budget(LiveCounts *counts)
{
    if (counts->budget != NULL) {
        counts->budget->held -= counts->held;
        counts->budget = NULL;
        counts->held = 0;
    }
}

/* Pages of unused slots are not allocated. */
static size_t held_by(const OpprofLiveMemory *memory)
{
    size_t slots = 0;

    for (unsigned i = 0; memory != NULL && i < OPPROF_LIVE_SLOTS / 64; i++) {
        slots += (size_t) __builtin_popcountll(memory->known[i]);
    }
    return slots * sizeof memory->slots[0];
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
            for (uint32_t log = 0; log < LIVE_COUNTED_LOGS; log++) {
                held += held_by(counts->memories[core][sub][log]);
            }
        }
    }
    budget->held = budget->held - counts->held + held;
    counts->held = held;
    if (budget->held > budget->most && budget->held > held) {
        lose(counts);
    }
}

/* False without memory. */
static bool count_record(Pairing *pairing, uint8_t log, const SimEntry *entry)
{
    char scratch[OPPROF_LIVE_MOST_TEXT + OPPROF_LIVE_AFTER];
    const char *text = SimRecordText(entry, scratch);

    return (log == OPPROF_LIVE_LOG_START ? PairingCountPoppedRest : PairingCountInstrRest)(
        pairing, entry->time, text, entry->length);
}

static bool count_records(LiveCounts *counts, const OpprofLiveLogs *logs, const uint8_t *records,
                          size_t size)
{
    Pairing *pairing = pairing_of(counts, logs);
    OpprofLiveMemory *memory = memory_of(counts, logs);
    bool is_good = pairing != NULL && memory != NULL;
    SimEntry entry;

    for (size_t at = 0, bytes; at < size && is_good; at += bytes) {
        bytes = SimEntryRead(memory, logs->log, records + at, size - at, &entry);
        is_good = bytes > 0 && count_record(pairing, logs->log, &entry);
    }
    return is_good;
}

void LiveCountsTake(LiveCounts *counts, const OpprofLiveLogs *logs, const uint8_t *records,
                    size_t size)
{
    if (counts->is_lost || counts->facts == NULL || logs->core >= LIVE_CORES ||
        logs->log >= LIVE_COUNTED_LOGS) {
        return;
    }
    if (!count_records(counts, logs, records, size)) {
        lose(counts);
        return;
    }
    counts->records += logs->count;
    if (counts->records >= LIVE_COUNTS_STEP) {
        LiveCountsWeigh(counts);
    }
}

void LiveCountsEnd(LiveCounts *counts)
{
    free_memories(counts);
    LiveCountsWeigh(counts);
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
    uint32_t given = 0;
    char prefix[64];

    for (uint32_t core = 0; core < LIVE_CORES; core++) {
        for (uint32_t sub = 0; sub < LIVE_SUB_CORES; sub++) {
            Pairing **pairing = &counts->pairings[core][sub];

            if (*pairing != NULL) {
                LiveCorePrefix(counts->facts, core, sub, prefix, sizeof prefix);
                given += give_core(work, prefix, pairing);
            }
        }
    }
    LiveCountsFinish(counts);
    return given;
}

void LiveCountsFinish(LiveCounts *counts)
{
    for (uint32_t core = 0; core < LIVE_CORES; core++) {
        for (uint32_t sub = 0; sub < LIVE_SUB_CORES; sub++) {
            PairingDestroy(counts->pairings[core][sub]);
            counts->pairings[core][sub] = NULL;
        }
    }
    free_memories(counts);
    leave_budget(counts);
    counts->facts = NULL;
}
