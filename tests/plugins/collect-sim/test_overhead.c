/* SPDX-License-Identifier: Apache-2.0 */
/* Fetch and issue of instructions: lines, and which of them belong to which row. */
#include "plugins/collect-sim/pairing/overhead.h"
#include "tests/core/suites.h"
#include "tests/plugins/collect-sim/forms.h"
#include <check.h>
#include <inttypes.h>
#include <opprof/record.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NA OPPROF_NA_U32
#define MOST_EVENTS 40000u

typedef struct Event {
    uint64_t tick;
    uint64_t pc;
} Event;

/* A log of made-up events. */
typedef struct Source {
    const Event *events;
    size_t count;
    size_t next;
    const char *text;
    char line[100];
} Source;

/* The next line; NULL if none. */
static const char *next_line(Source *source)
{
    if (source->next == source->count) {
        return NULL;
    }
    snprintf(source->line, sizeof source->line, "[info] %" PRIu64 "%s0x%" PRIx64,
             source->events[source->next].tick, source->text, source->events[source->next].pc);
    source->next++;
    return source->line;
}

static bool knows_all(const void *context, uint64_t pc)
{
    return context == NULL && pc != 0;
}

static Source fetch_source, issue_source;

/* The first reading of a log. */
static void count(Overhead *overhead, OverheadLog log, Source *source)
{
    const char *line;

    while ((line = next_line(source)) != NULL) {
        ck_assert(OverheadCount(overhead, log, line, strlen(line)));
    }
    OverheadCountEnd(overhead, log);
    source->next = 0;
}

/* Both readings begin. */
static Overhead *start(const Event *fetches, size_t fetch_count, const Event *issues,
                       size_t issue_count)
{
    static SimForms fetch, issue;
    Overhead *overhead;

    SimFormsFinish(&fetch);
    SimFormsFinish(&issue);
    fetch = fetch_forms();
    issue = issue_forms();
    overhead = OverheadCreate(&fetch, &issue, knows_all, NULL);

    ck_assert_ptr_nonnull(overhead);
    fetch_source = (Source){ fetches, fetch_count, 0, ": lookup_tag is fetch req addr:", "" };
    issue_source = (Source){ issues, issue_count, 0, ": is_single_issue instr, pc:", "" };
    count(overhead, OVERHEAD_FETCHES, &fetch_source);
    count(overhead, OVERHEAD_ISSUES, &issue_source);
    return overhead;
}

/* The next row of a PC, after the lines that it needs. */
static void take_row(Overhead *overhead, uint64_t pc, uint64_t row_start, uint32_t *ret_cache,
                     uint32_t *ret_ccu)
{
    OverheadLog log;

    while ((log = OverheadNeeds(overhead, pc, row_start)) != OVERHEAD_NONE) {
        const char *line = next_line(log == OVERHEAD_FETCHES ? &fetch_source : &issue_source);

        if (line == NULL) {
            OverheadGiveEnd(overhead, log);
        } else {
            ck_assert(OverheadGive(overhead, log, line, strlen(line)));
        }
    }
    ck_assert(OverheadTake(overhead, pc, row_start, ret_cache, ret_ccu));
}

static void check_row(Overhead *overhead, uint64_t pc, uint64_t row_start, uint32_t cache,
                      uint32_t ccu)
{
    uint32_t found_cache, found_ccu;

    take_row(overhead, pc, row_start, &found_cache, &found_ccu);
    ck_assert_uint_eq(found_cache, cache);
    ck_assert_uint_eq(found_ccu, ccu);
}

START_TEST(lines_are_found_anywhere)
{
    static const char fetch[] = "x [info] 995: lookup_tag is fetch req addr:0x10f86000 y";
    static const char issue[] =
        "[info] [info] 1399: ccu do issue success.issue isa pc :0x10f86020,";
    static const char *const others[] = {
        "",
        "[info] ",
        "[info] 99",
        "[info] 995: lookup_tag is fetch req addr:",
        "[info] 995: lookup_tag is fetch req addr:0x",
        "[info] : lookup_tag is fetch req addr:0x1",
        "[info] 99999999999999999999: lookup_tag is fetch req addr:0x1",
        "[debug] 995: lookup_tag is fetch req addr:0x1",
        "[info] 995: is_single_issue instr, pc:0x1",
    };
    SimForms fetches = fetch_forms();
    SimForms issues = issue_forms();
    uint64_t tick, pc;

    ck_assert(SimFormsFindEvent(&fetches, fetch, sizeof fetch - 1, &tick, &pc));
    ck_assert_uint_eq(tick, 995);
    ck_assert_uint_eq(pc, 0x10f86000);
    ck_assert(SimFormsFindEvent(&issues, issue, sizeof issue - 1, &tick, &pc));
    ck_assert_uint_eq(tick, 1399);
    ck_assert_uint_eq(pc, 0x10f86020);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        ck_assert_msg(!SimFormsFindEvent(&fetches, others[i], strlen(others[i]), &tick, &pc), "%s",
                      others[i]);
    }
    SimFormsFinish(&fetches);
    SimFormsFinish(&issues);
}
END_TEST

START_TEST(issues_take_the_last_fetch_before_them)
{
    const Event fetches[] = { { 50, 0x2000 },  { 100, 0x1000 }, { 150, 0x2000 }, { 200, 0x1000 },
                              { 250, 0x2000 }, { 300, 0x1000 }, { 350, 0x2000 } };
    const Event issues[] = { { 100, 0x2000 }, { 150, 0x1000 }, { 200, 0x2000 },
                             { 250, 0x1000 }, { 350, 0x1000 }, { 400, 0x2000 } };
    Overhead *overhead = start(fetches, 7, issues, 6);

    check_row(overhead, 0x1000, 1000, 50, 850);
    check_row(overhead, 0x1000, 1000, 50, 750);
    check_row(overhead, 0x2000, 1000, 50, 900);
    check_row(overhead, 0x1000, 1000, 50, 650);
    check_row(overhead, 0x2000, 1000, 50, 800);
    check_row(overhead, 0x2000, 1000, 50, 600);
    check_row(overhead, 0x2000, 1000, NA, NA);
    OverheadDestroy(overhead);
}
END_TEST

START_TEST(an_issue_without_a_fetch_ends_its_address)
{
    const Event fetches[] = { { 200, 0x1000 }, { 300, 0x1000 }, { 400, 0x1000 } };
    const Event issues[] = { { 100, 0x1000 }, { 250, 0x1000 } };
    Overhead *overhead = start(fetches, 3, issues, 2);

    check_row(overhead, 0x1000, 1000, NA, NA);
    check_row(overhead, 0x1000, 1000, NA, NA);
    OverheadDestroy(overhead);
}
END_TEST

START_TEST(rows_at_the_end_of_time_end_too)
{
    const Event fetches[] = { { 1, 0x1000 } };
    const Event issues[] = { { 5, 0x1000 } };
    Overhead *overhead = start(fetches, 1, issues, 1);

    check_row(overhead, 0x1004, UINT64_MAX, NA, NA);
    check_row(overhead, 0x1000, UINT64_MAX, 4, NA - 1);
    OverheadDestroy(overhead);
}
END_TEST

START_TEST(an_issue_behind_the_start_ends_its_address)
{
    const Event fetches[] = { { 1, 0x1000 } };
    const Event issues[] = { { 5, 0x1000 }, { 20, 0x1004 }, { 30, 0x1000 }, { 40, 0x100c } };
    Overhead *overhead = start(fetches, 1, issues, 4);

    check_row(overhead, 0x1000, 5, 4, 0);
    check_row(overhead, 0x1000, 29, NA, NA);
    check_row(overhead, 0x1000, 50, NA, NA);
    check_row(overhead, 0x1004, 20, 19, 0);
    check_row(overhead, 0x1008, 50, NA, NA);
    check_row(overhead, 0x100c, 50, 39, 10);
    OverheadDestroy(overhead);
}
END_TEST

/* The rule as it is written, over all events. */
static void model(const Event *fetches, size_t fetch_count, const Event *issues, size_t issue_count,
                  uint64_t pc, uint32_t row, uint64_t row_start, uint32_t *ret_cache)
{
    uint32_t seen = 0;

    *ret_cache = NA;
    for (size_t i = 0; i < issue_count; i++) {
        uint64_t fetch = 0;

        if (issues[i].pc != pc) {
            continue;
        }
        for (size_t k = 0; k < fetch_count; k++) {
            if (pc - fetches[k].pc <= 12 && fetches[k].tick < issues[i].tick &&
                fetches[k].tick > fetch) {
                fetch = fetches[k].tick;
            }
        }
        if (fetch == 0) {
            return;
        }
        if (seen++ == row) {
            *ret_cache = issues[i].tick <= row_start ? (uint32_t) (issues[i].tick - fetch) : NA;
            return;
        }
    }
}

START_TEST(logs_that_go_back_and_forth_agree_with_the_model)
{
    Event fetches[300], issues[300];
    uint32_t seed = (uint32_t) _i + 1;
    bool is_ended[5] = { false };
    Overhead *overhead;

    for (uint32_t i = 0; i < 300; i++) {
        seed = seed * 1103515245u + 12345u;
        fetches[i] =
            (Event){ 1 + i * 10 + (seed >> 16) % 40, 0x1000 + 4 * (uint64_t) ((seed >> 8) % 5) };
        seed = seed * 1103515245u + 12345u;
        issues[i] =
            (Event){ 5 + i * 10 + (seed >> 16) % 40, 0x1000 + 4 * (uint64_t) ((seed >> 8) % 5) };
    }
    overhead = start(fetches, 300, issues, 300);
    for (uint32_t row = 0; row < 50; row++) {
        for (uint32_t k = 0; k < 5; k++) {
            const uint64_t row_start = 200 + row * 50;
            uint32_t wanted, cache, ccu;

            model(fetches, 300, issues, 300, 0x1000 + 4 * k, row, row_start, &wanted);
            is_ended[k] = is_ended[k] || wanted == NA;
            take_row(overhead, 0x1000 + 4 * k, row_start, &cache, &ccu);
            ck_assert_uint_eq(cache, is_ended[k] ? NA : wanted);
        }
    }
    OverheadDestroy(overhead);
}
END_TEST

START_TEST(many_fetches_and_issues_without_rows_stay_fast)
{
    Event *fetches = calloc(MOST_EVENTS, sizeof *fetches);
    Event *issues = calloc(MOST_EVENTS, sizeof *issues);
    Overhead *overhead;

    ck_assert(fetches != NULL && issues != NULL);
    for (uint32_t i = 0; i < MOST_EVENTS; i++) {
        fetches[i] = (Event){ MOST_EVENTS - i, 0x1000 };
        issues[i] = (Event){ 2 * MOST_EVENTS - i, 0x1000 };
    }
    overhead = start(fetches, MOST_EVENTS, issues, MOST_EVENTS);
    for (uint32_t i = 0; i < MOST_EVENTS; i++) {
        uint32_t cache, ccu;

        take_row(overhead, 0x1000, 3 * MOST_EVENTS, &cache, &ccu);
    }
    OverheadDestroy(overhead);
    free(fetches);
    free(issues);
}
END_TEST

static Suite *overhead_suite(void)
{
    Suite *suite = suite_create("overhead");
    TCase *tests = tcase_create("overhead");

    tcase_add_test(tests, lines_are_found_anywhere);
    tcase_add_test(tests, issues_take_the_last_fetch_before_them);
    tcase_add_test(tests, an_issue_without_a_fetch_ends_its_address);
    tcase_add_test(tests, rows_at_the_end_of_time_end_too);
    tcase_add_test(tests, an_issue_behind_the_start_ends_its_address);
    tcase_add_loop_test(tests, logs_that_go_back_and_forth_agree_with_the_model, 0, 30);
    tcase_add_test(tests, many_fetches_and_issues_without_rows_stay_fast);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(overhead_suite)
