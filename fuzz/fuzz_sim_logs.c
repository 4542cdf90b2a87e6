/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole logs of the instruction cache and of the control unit (CCU). The first byte chooses
 * options, then lines: those that begin with '>' are of the CCU, the others of the cache; "=TICK
 * PC", in hexadecimal digits, is the start of a row. All misses come out, in order; and each row
 * has the cycles that looking through all fetches and issues finds.
 */
#include "fuzz/marked_lines.h"
#include "plugins/collect-sim/pairing/icache.h"
#include "plugins/collect-sim/pairing/overhead.h"
#include "tests/plugins/collect-sim/forms.h"
#include <opprof/record.h>
#include <stdlib.h>
#include <string.h>

#define MARKS ">="
#define MOST_EVENTS 400u /* of each kind; looking through all takes their square */

/* ---- misses ---- */

static const char *const forms[] = {
    ("<?[info] ><tick>: icache read address is <pc>, <detail>size is 0x<hex8>, type:<digits>, "
     "last:<digits>, status is MISS"),
    "<?[info] >@<tick>: icache read address is <pc>, <detail>size is 0x<hex8>, status is MISS",
    "<?[info] >[<tick>]: icache read address is <pc>, <detail>size is 0x<hex8>, status is MISS",
};

typedef struct Misses {
    uint64_t count;
    uint64_t tick;
    uint64_t floor;
    bool may_go_back;
} Misses;

static OpprofStatus take_miss(void *context, const IcacheMiss *miss, OpprofError **error)
{
    Misses *misses = context;

    (void) error;
    FUZZ_REQUIRE(miss->tick >= misses->floor);
    FUZZ_REQUIRE(misses->may_go_back || miss->tick >= misses->tick);
    FUZZ_REQUIRE(miss->address_length >= 3 && miss->address_length <= 18);
    FUZZ_REQUIRE(memchr(miss->detail, ' ', miss->detail_length) == NULL);
    misses->count++;
    misses->tick = miss->tick;
    misses->floor = miss->floor;
    return OPPROF_OK;
}

static void try_misses(MarkedLines *log, const char *form, bool holds_few)
{
    SimForms miss_forms = forms_of(&sim_form_misses, form, NULL);
    Icache *icache = IcacheCreate(&miss_forms, holds_few ? 1 : 0);
    Misses misses = { .may_go_back = holds_few };
    const IcacheSink sink = { .context = &misses, .miss = take_miss };
    uint64_t count = 0;
    const char *line;
    size_t length;
    SimMiss miss;

    FUZZ_REQUIRE(icache != NULL);
    while (next_marked_line(log, &line, &length, NULL) == OPPROF_OK) {
        count += SimFormsParseMiss(&miss_forms, line, length, &miss);
        FUZZ_REQUIRE(IcacheCount(icache, line, length));
    }
    log->at = 0;
    while (next_marked_line(log, &line, &length, NULL) == OPPROF_OK) {
        FUZZ_REQUIRE(IcacheTake(icache, line, length, &sink, NULL) == OPPROF_OK);
    }
    FUZZ_REQUIRE(IcacheFlush(icache, &sink, NULL) == OPPROF_OK && misses.count == count);
    IcacheDestroy(icache);
    SimFormsFinish(&miss_forms);
}

/* ---- fetch and issue ---- */

typedef struct Event {
    uint64_t tick;
    uint64_t pc;
    bool is_over; /* of an issue: a row took it, or its PC is done with */
} Event;

typedef struct Events {
    Event list[MOST_EVENTS];
    size_t count;
} Events;

typedef bool ParseEvent(const char *line, size_t length, uint64_t *ret_tick, uint64_t *ret_pc);

static bool parse_row(const char *line, size_t length, uint64_t *ret_tick, uint64_t *ret_pc)
{
    char *end;

    (void) length;
    *ret_tick = strtoull(line, &end, 16);
    *ret_pc = strtoull(end, NULL, 16);
    return true;
}

/* False: there are too many. */
static bool read_events(MarkedLines *log, ParseEvent *parse, Events *events)
{
    const char *line;
    size_t length;

    log->at = 0;
    events->count = 0;
    while (next_marked_line(log, &line, &length, NULL) == OPPROF_OK) {
        Event event = { .is_over = false };

        if (!parse(line, length, &event.tick, &event.pc)) {
            continue;
        }
        if (events->count == MOST_EVENTS) {
            return false;
        }
        events->list[events->count++] = event;
    }
    return true;
}

static bool knows_all(const void *context, uint64_t pc)
{
    (void) context;
    (void) pc;
    return true;
}

/* The PC's first issue that is left; NULL: none. */
static Event *first_issue(Events *issues, uint64_t pc)
{
    for (size_t i = 0; i < issues->count; i++) {
        if (issues->list[i].pc == pc && !issues->list[i].is_over) {
            return &issues->list[i];
        }
    }
    return NULL;
}

static bool find_fetch(const Events *fetches, const Event *issue, uint64_t *ret_tick)
{
    bool found = false;

    for (size_t i = 0; i < fetches->count; i++) {
        const Event *fetch = &fetches->list[i];

        if (issue->pc - fetch->pc < 16 && (issue->pc - fetch->pc) % 4 == 0 &&
            fetch->tick < issue->tick && (!found || fetch->tick > *ret_tick)) {
            *ret_tick = fetch->tick;
            found = true;
        }
    }
    return found;
}

/* The rule's result for a row, computed from all rows; a PC that ends has no more issues. */
static void find_cycles(const Events *fetches, Events *issues, const Event *row,
                        uint64_t *ret_cache, uint64_t *ret_ccu)
{
    Event *issue = first_issue(issues, row->pc);
    uint64_t fetch = 0;

    *ret_cache = *ret_ccu = OPPROF_NA_U32;
    if (issue != NULL && issue->tick <= row->tick && find_fetch(fetches, issue, &fetch)) {
        *ret_cache = issue->tick - fetch;
        *ret_ccu = row->tick - issue->tick;
        issue->is_over = true;
        return;
    }
    while ((issue = first_issue(issues, row->pc)) != NULL) {
        issue->is_over = true;
    }
}

static uint64_t narrow(uint64_t cycles)
{
    return cycles < OPPROF_NA_U32 ? cycles : OPPROF_NA_U32 - 1;
}

static void count_log(Overhead *overhead, OverheadLog which, MarkedLines *log)
{
    const char *line;
    size_t length;

    log->at = 0;
    while (next_marked_line(log, &line, &length, NULL) == OPPROF_OK) {
        FUZZ_REQUIRE(OverheadCount(overhead, which, line, length));
    }
    OverheadCountEnd(overhead, which);
    log->at = 0;
}

static void take_row(Overhead *overhead, MarkedLines *cache, MarkedLines *ccu, const Event *row,
                     uint32_t *ret_cache, uint32_t *ret_ccu)
{
    OverheadLog log;
    const char *line;
    size_t length;

    while ((log = OverheadNeeds(overhead, row->pc, row->tick)) != OVERHEAD_NONE) {
        if (next_marked_line(log == OVERHEAD_FETCHES ? cache : ccu, &line, &length, NULL) ==
            OPPROF_END) {
            OverheadGiveEnd(overhead, log);
        } else {
            FUZZ_REQUIRE(OverheadGive(overhead, log, line, length));
        }
    }
    FUZZ_REQUIRE(OverheadTake(overhead, row->pc, row->tick, ret_cache, ret_ccu));
}

static void try_rows(Overhead *overhead, MarkedLines *cache_log, MarkedLines *ccu_log,
                     Events *fetches, Events *issues, const Events *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        uint64_t wanted_cache, wanted_ccu;
        uint32_t cache, ccu;

        take_row(overhead, cache_log, ccu_log, &rows->list[i], &cache, &ccu);
        find_cycles(fetches, issues, &rows->list[i], &wanted_cache, &wanted_ccu);
        if (wanted_cache == OPPROF_NA_U32 && wanted_ccu == OPPROF_NA_U32) {
            FUZZ_REQUIRE(cache == OPPROF_NA_U32 && ccu == OPPROF_NA_U32);
        } else {
            FUZZ_REQUIRE(cache == narrow(wanted_cache) && ccu == narrow(wanted_ccu));
        }
    }
}

static SimForms fetch_form, issue_form;

static bool read_fetch(const char *line, size_t length, uint64_t *ret_tick, uint64_t *ret_pc)
{
    return SimFormsFindEvent(&fetch_form, line, length, ret_tick, ret_pc);
}

static bool read_issue(const char *line, size_t length, uint64_t *ret_tick, uint64_t *ret_pc)
{
    return SimFormsFindEvent(&issue_form, line, length, ret_tick, ret_pc);
}

static void try_overhead(MarkedLines *cache, MarkedLines *ccu, MarkedLines *rows)
{
    static Events fetches, issues, starts;
    Overhead *overhead;

    if (fetch_form.count == 0) {
        fetch_form = fetch_forms();
        issue_form = issue_forms();
    }
    if (!read_events(cache, read_fetch, &fetches) || !read_events(ccu, read_issue, &issues) ||
        !read_events(rows, parse_row, &starts)) {
        return;
    }
    overhead = OverheadCreate(&fetch_form, &issue_form, knows_all, NULL);
    FUZZ_REQUIRE(overhead != NULL);
    count_log(overhead, OVERHEAD_FETCHES, cache);
    count_log(overhead, OVERHEAD_ISSUES, ccu);
    try_rows(overhead, cache, ccu, &fetches, &issues, &starts);
    FUZZ_REQUIRE(OverheadForgotten(overhead) == 0);
    OverheadDestroy(overhead);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t choice = size > 0 ? data[0] : 0;
    const char *text = (const char *) data + (size > 0);
    MarkedLines cache = { .text = text, .size = size - (size > 0), .marks = MARKS };
    MarkedLines ccu = { .text = text, .size = size - (size > 0), .marks = MARKS, .mark = '>' };
    MarkedLines rows = { .text = text, .size = size - (size > 0), .marks = MARKS, .mark = '=' };

    try_misses(&cache, forms[choice / 2 % 3], choice % 2 != 0);
    try_overhead(&cache, &ccu, &rows);
    free(cache.line);
    free(ccu.line);
    free(rows.line);
    return 0;
}
