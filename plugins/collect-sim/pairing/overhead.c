/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds when instructions were fetched and issued before they started.
 * Tested by tests/plugins/collect-sim/test_overhead.c.
 */
#include "overhead.h"
#include "stretches.h"
#include <opprof/grow.h>
#include <opprof/record.h>
#include <stdlib.h>
#include <string.h>

#define MOST_HELD ((size_t) 1 << 21) /* ticks of fetches and issues */
#define MOST_FETCHES 16384u          /* of one PC */
#define FETCHED 4u                   /* instructions that one fetch brings */

/* ---- what is held ---- */

/* Ticks in the order in which they came, from `first` on. */
typedef struct Ticks {
    uint64_t *ticks;
    uint32_t first;
    uint32_t count;
    uint32_t capacity;
} Ticks;

typedef struct OverheadPc {
    uint64_t pc;
    Ticks fetches;     /* sorted */
    Ticks issues;      /* that have no row yet */
    uint32_t patience; /* fetches held before some are released */
    bool is_ended;     /* not needed by any row any more */
    bool has_issues;   /* the log of issues has some */
    bool lacks_issues; /* but one of a row was not among them */
} OverheadPc;

/* How far a log was read. */
typedef struct Log {
    const SimForms *forms;
    Horizon horizon;
    uint64_t first; /* smallest tick; UINT64_MAX: no record */
    uint64_t last;  /* largest tick */
    uint64_t read;  /* records */
    bool has_ended;
} Log;

struct Overhead {
    OverheadKnows *knows;
    const void *context;
    KeyTable pcs;
    Log fetches;
    Log issues;
    size_t held;
    uint64_t forgotten;
    uint64_t late;
    uint64_t early;
    uint64_t without;    /* rows without their issue, though the log has others of their PC */
    Stretches stretches; /* issues as one log, rows as the other */
};

#define ISSUES STRETCH_POPPED
#define ROWS STRETCH_INSTR

Overhead *OverheadCreate(const SimForms *fetches, const SimForms *issues, OverheadKnows *knows,
                         const void *context)
{
    Overhead *overhead = calloc(1, sizeof *overhead);

    if (overhead != NULL) {
        overhead->fetches.forms = fetches;
        overhead->issues.forms = issues;
        overhead->knows = knows;
        overhead->context = context;
        overhead->pcs.entry_size = sizeof(OverheadPc);
        overhead->fetches.first = overhead->issues.first = UINT64_MAX;
    }
    return overhead;
}

void OverheadDestroy(Overhead *overhead)
{
    if (overhead == NULL) {
        return;
    }
    for (uint32_t i = 0; i < overhead->pcs.count; i++) {
        OverheadPc *entry = KeyTableAt(&overhead->pcs, i);

        free(entry->fetches.ticks);
        free(entry->issues.ticks);
    }
    KeyTableFinish(&overhead->pcs);
    HorizonFinish(&overhead->fetches.horizon);
    HorizonFinish(&overhead->issues.horizon);
    free(overhead);
}

uint64_t OverheadForgotten(const Overhead *overhead)
{
    return overhead->forgotten;
}

uint64_t OverheadWithout(const Overhead *overhead)
{
    return overhead->without;
}

uint64_t OverheadLate(const Overhead *overhead)
{
    return overhead->late;
}

bool OverheadIsSilent(const Overhead *overhead, uint64_t most, uint64_t *ret_from,
                      uint64_t *ret_until)
{
    if (overhead->early > most) {
        *ret_from = 0;
        *ret_until = overhead->issues.first;
        return true;
    }
    return StretchesLack(&overhead->stretches, ISSUES, most, ret_from, ret_until) &&
           *ret_until != UINT64_MAX;
}

static Log *log_of(Overhead *overhead, OverheadLog which)
{
    return which == OVERHEAD_FETCHES ? &overhead->fetches : &overhead->issues;
}

static uint32_t ticks_left(const Ticks *ticks)
{
    return ticks->count - ticks->first;
}

static bool ticks_add(Ticks *ticks, uint64_t tick)
{
    if (ticks->count == ticks->capacity && ticks->first > ticks->count / 2) {
        ticks->count -= ticks->first;
        memmove(ticks->ticks, ticks->ticks + ticks->first, ticks->count * sizeof *ticks->ticks);
        ticks->first = 0;
    }
    if (!OpprofGrow32(&ticks->ticks, &ticks->capacity, (size_t) ticks->count + 1,
                      sizeof *ticks->ticks)) {
        return false;
    }
    ticks->ticks[ticks->count++] = tick;
    return true;
}

/* Keep them sorted: they usually come sorted, or nearly. */
static void sort_last(Ticks *ticks)
{
    const uint64_t tick = ticks->ticks[ticks->count - 1];
    uint32_t at = ticks->count - 1;

    for (; at > ticks->first && ticks->ticks[at - 1] > tick; at--) {
        ticks->ticks[at] = ticks->ticks[at - 1];
    }
    ticks->ticks[at] = tick;
}

static void end_pc(Overhead *overhead, OverheadPc *entry)
{
    overhead->held -= ticks_left(&entry->fetches) + ticks_left(&entry->issues);
    free(entry->fetches.ticks);
    free(entry->issues.ticks);
    entry->fetches = entry->issues = (Ticks){ .ticks = NULL };
    entry->is_ended = true;
}

/* The entry of a PC that has rows; NULL: it has none. False without memory. */
static bool find_pc(Overhead *overhead, uint64_t pc, OverheadPc **ret_entry)
{
    *ret_entry = NULL;
    if (!overhead->knows(overhead->context, pc)) {
        return true;
    }
    *ret_entry = KeyTableAdd(&overhead->pcs, pc);
    return *ret_entry != NULL;
}

/* ---- the first reading ---- */

static bool count_issue(Overhead *overhead, uint64_t tick, uint64_t pc)
{
    OverheadPc *entry;

    if (!find_pc(overhead, pc, &entry)) {
        return false;
    }
    if (entry != NULL) {
        entry->has_issues = true;
    }
    StretchesSee(&overhead->stretches, ISSUES, tick);
    return true;
}

bool OverheadCount(Overhead *overhead, OverheadLog which, const char *line, size_t length)
{
    Log *log = log_of(overhead, which);
    uint64_t tick, pc;

    if (!SimFormsFindEvent(log->forms, line, length, &tick, &pc)) {
        return true;
    }
    log->first = tick < log->first ? tick : log->first;
    log->last = tick > log->last ? tick : log->last;
    return HorizonAdd(&log->horizon, tick) &&
           (which != OVERHEAD_ISSUES || count_issue(overhead, tick, pc));
}

void OverheadCountEnd(Overhead *overhead, OverheadLog which)
{
    HorizonClose(&log_of(overhead, which)->horizon);
}

/* ---- the second reading ---- */

static uint64_t floor_of(const Log *log)
{
    return log->has_ended ? UINT64_MAX : HorizonFloor(&log->horizon, log->read);
}

/*
 * Of the fetches before all later issues, only the last one can still be needed. This visits all
 * waiting issues, so it is delayed until it pays.
 */
static void forget_fetches(Overhead *overhead, OverheadPc *entry)
{
    Ticks *fetches = &entry->fetches;
    uint64_t least = floor_of(&overhead->issues);

    if (ticks_left(fetches) < entry->patience) {
        return;
    }
    for (uint32_t i = entry->issues.first; i < entry->issues.count; i++) {
        least = entry->issues.ticks[i] < least ? entry->issues.ticks[i] : least;
    }
    while (ticks_left(fetches) > 1 && fetches->ticks[fetches->first + 1] < least) {
        fetches->first++;
        overhead->held--;
    }
    entry->patience = ticks_left(fetches) + 4 + ticks_left(&entry->issues) / 4;
}

static bool take_fetch(Overhead *overhead, uint64_t tick, uint64_t pc)
{
    for (uint64_t i = 0; i < FETCHED; i++) {
        OverheadPc *entry;

        if (!find_pc(overhead, pc + 4 * i, &entry)) {
            return false;
        }
        if (entry == NULL || entry->is_ended) {
            continue;
        }
        forget_fetches(overhead, entry);
        if (overhead->held >= MOST_HELD || ticks_left(&entry->fetches) >= MOST_FETCHES) {
            overhead->forgotten++;
            end_pc(overhead, entry);
            continue;
        }
        if (!ticks_add(&entry->fetches, tick)) {
            return false;
        }
        overhead->held++;
        sort_last(&entry->fetches);
    }
    return true;
}

static bool take_issue(Overhead *overhead, uint64_t tick, uint64_t pc)
{
    OverheadPc *entry;

    if (!find_pc(overhead, pc, &entry)) {
        return false;
    }
    if (entry == NULL || entry->is_ended) {
        return true;
    }
    if (overhead->held >= MOST_HELD) {
        overhead->forgotten++;
        end_pc(overhead, entry);
        return true;
    }
    overhead->held++;
    return ticks_add(&entry->issues, tick);
}

bool OverheadGive(Overhead *overhead, OverheadLog which, const char *line, size_t length)
{
    Log *log = log_of(overhead, which);
    uint64_t tick, pc;

    if (!SimFormsFindEvent(log->forms, line, length, &tick, &pc)) {
        return true;
    }
    log->read++;
    return (which == OVERHEAD_FETCHES ? take_fetch : take_issue)(overhead, tick, pc);
}

void OverheadGiveEnd(Overhead *overhead, OverheadLog which)
{
    log_of(overhead, which)->has_ended = true;
}

/* The largest fetch tick below an issue's; false if none. */
static bool last_fetch(const Ticks *fetches, uint64_t issue, uint64_t *ret_tick)
{
    uint32_t low = fetches->first;
    uint32_t high = fetches->count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (fetches->ticks[middle] < issue) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *ret_tick = low > fetches->first ? fetches->ticks[low - 1] : 0;
    return low > fetches->first;
}

/* The next issue of a PC; false: none is known. */
static bool next_issue(const OverheadPc *entry, uint64_t *ret_tick)
{
    const bool is_known = entry != NULL && !entry->is_ended && ticks_left(&entry->issues) > 0;

    *ret_tick = is_known ? entry->issues.ticks[entry->issues.first] : 0;
    return is_known;
}

OverheadLog OverheadNeeds(const Overhead *overhead, uint64_t pc, uint64_t start)
{
    const OverheadPc *entry = KeyTableFind(&overhead->pcs, pc);
    uint64_t issue;

    if (entry != NULL && entry->is_ended) {
        return OVERHEAD_NONE;
    }
    if (!next_issue(entry, &issue)) {
        return overhead->issues.has_ended || floor_of(&overhead->issues) > start ? OVERHEAD_NONE
                                                                                 : OVERHEAD_ISSUES;
    }
    return issue <= start && floor_of(&overhead->fetches) < issue ? OVERHEAD_FETCHES
                                                                  : OVERHEAD_NONE;
}

static uint32_t narrow(uint64_t cycles)
{
    return cycles < OPPROF_NA_U32 ? (uint32_t) cycles : OPPROF_NA_U32 - 1;
}

/* A row without its issue, though the log has others of its PC. */
static void count_row(Overhead *overhead, const OverheadPc *entry, uint64_t start)
{
    if (entry->lacks_issues) {
        overhead->without++;
        overhead->early += start < overhead->issues.first;
        StretchesAdd(&overhead->stretches, ROWS, start, entry->pc);
    }
}

bool OverheadTake(Overhead *overhead, uint64_t pc, uint64_t start, uint32_t *ret_cache,
                  uint32_t *ret_ccu)
{
    OverheadPc *entry;
    uint64_t issue = 0, fetch = 0;
    bool has_issue;

    *ret_cache = *ret_ccu = OPPROF_NA_U32;
    if (!find_pc(overhead, pc, &entry)) {
        return false;
    }
    has_issue = next_issue(entry, &issue);
    overhead->late += !has_issue && start > overhead->issues.last;
    if (entry == NULL) {
        return true;
    }
    if (!entry->is_ended && (!has_issue || issue > start)) {
        entry->lacks_issues = entry->has_issues;
        end_pc(overhead, entry);
    }
    count_row(overhead, entry, start);
    if (entry->is_ended || !last_fetch(&entry->fetches, issue, &fetch)) {
        end_pc(overhead, entry);
        return true;
    }
    *ret_cache = narrow(issue - fetch);
    *ret_ccu = narrow(start - issue);
    entry->issues.first++;
    overhead->held--;
    return true;
}
