/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/collect-kineto/rank/link.c. */
#include "plugins/collect-kineto/rank/host.h"
#include "plugins/collect-kineto/rank/ranks.h"
#include "plugins/collect-kineto/rank/sort.h"
#include "reading.h"

#include "tests/core/suites.h"

#include <check.h>
#include <opprof/record.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = UINT64_C(0x853c49e6748fea9b);

static uint64_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const uint32_t *keys = context;

    return keys[a] < keys[b];
}

START_TEST(numbers_are_sorted_and_equal_ones_keep_their_order)
{
    uint32_t keys[500];
    uint32_t numbers[500];

    for (int round = 0; round < 300; round++) {
        const uint32_t count = (uint32_t) (next_random() % 500);
        const uint32_t range = 1 + (uint32_t) (next_random() % 600);

        for (uint32_t i = 0; i < count; i++) {
            const bool continues = i > 0 && next_random() % 4 != 0;

            keys[i] = continues ? keys[i - 1] + 1 : (uint32_t) (next_random() % range);
            numbers[i] = i;
        }
        ck_assert(SortNumbers(numbers, count, is_before, keys));
        for (uint32_t i = 1; i < count; i++) {
            ck_assert(keys[numbers[i - 1]] < keys[numbers[i]] ||
                      (keys[numbers[i - 1]] == keys[numbers[i]] && numbers[i - 1] < numbers[i]));
        }
    }
}
END_TEST

static uint64_t comparisons;

static bool is_before_counted(const void *context, uint32_t a, uint32_t b)
{
    comparisons++;
    return is_before(context, a, b);
}

/* As traces are, whose events are written when they end: few are far from their place. */
START_TEST(numbers_nearly_in_order_are_sorted_in_few_steps)
{
    enum { COUNT = 100000 };
    uint32_t *keys = calloc(COUNT, sizeof *keys);
    uint32_t *numbers = calloc(COUNT, sizeof *numbers);

    ck_assert(keys != NULL && numbers != NULL);
    for (uint32_t i = 0; i < COUNT; i++) {
        keys[i] = 2 * i + (uint32_t) (next_random() % 4);
        numbers[i] = i;
    }
    comparisons = 0;
    ck_assert(SortNumbers(numbers, COUNT, is_before_counted, keys));
    ck_assert_uint_lt(comparisons, 3 * COUNT);
    for (uint32_t i = 1; i < COUNT; i++) {
        ck_assert_uint_le(keys[numbers[i - 1]], keys[numbers[i]]);
    }
    free(keys);
    free(numbers);
}
END_TEST

enum { OPERATORS = 20000 };

/* Operators of one thread: each inside the one before it; each beyond its end; all inside the
 * first. */
static void shape_of(int which, int i, int *ret_start, int *ret_duration)
{
    *ret_start = i;
    *ret_duration = which == 0 ? 2 * (OPERATORS - i) : which == 1 ? OPERATORS / 2 : 1;
    if (which == 2 && i == 0) {
        *ret_duration = 2 * OPERATORS;
    }
}

/* However operators nest, each is looked at a few times only, also where none has the name of
 * another. */
static OpprofStatus take_nothing(void *context, const HostEnd *end)
{
    (void) context;
    (void) end;
    return OPPROF_OK;
}

START_TEST(nesting_takes_few_steps_an_operator)
{
    char *text = malloc((size_t) OPERATORS * 320);
    char *out = text;
    HostLinks links;
    Read read;

    ck_assert_ptr_nonnull(text);
    *out++ = '[';
    for (int i = 0; i < OPERATORS; i++) {
        int start;
        int duration;

        shape_of(_i, i, &start, &duration);
        out += sprintf(out,
                       "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"o%d\",\"pid\":1,\"tid\":1,"
                       "\"ts\":%d,\"dur\":%d},"
                       "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\","
                       "\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":1,\"args\":{\"correlation\":%d}},"
                       "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"ts\":%d,\"dur\":1,"
                       "\"args\":{\"correlation\":%d}},",
                       i, start, duration, start, i + 1, start + 5, i + 1);
    }
    *out++ = ']';
    read = ReadHost(text, (size_t) (out - text));
    ck_assert_uint_eq(read.trace.host.count, OPERATORS);
    ck_assert(HostLink(&read.trace, &read.linked, &links));
    ck_assert_int_eq(HostSums(&read.trace, &read.linked, &links, take_nothing, NULL, NULL),
                     OPPROF_OK);
    ck_assert_uint_lt(links.steps, (HOST_KINDS + 3) * (uint64_t) OPERATORS);
    HostLinksFinish(&links);
    ReadFinish(&read);
    free(text);
}
END_TEST

/* Work and calls with one correlation, whichever comes first in the file. */
START_TEST(calls_and_work_are_tied_by_correlation_in_any_order)
{
    const int pairs = 3000;
    char *text = malloc((size_t) pairs * 400);
    char *out = text;
    Read read;

    ck_assert_ptr_nonnull(text);
    *out++ = '[';
    for (int i = 0; i < pairs; i++) {
        const int other = (i * 7) % pairs; /* 7 and 3000 have no common divisor */

        out += sprintf(
            out,
            "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"ts\":%d,\"dur\":1,"
            "\"args\":{\"correlation\":%d}},"
            "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"ts\":%d,"
            "\"dur\":1,\"args\":{\"correlation\":%d}},",
            i, i + 100, other + 1000000, other + 100);
    }
    *out++ = ']';
    read = ReadBytes(text, (size_t) (out - text), false);
    ck_assert_uint_eq(read.linked.work_count, (uint32_t) pairs);
    for (int i = 0; i < pairs; i++) {
        const WorkEvent *work = RankTraceWork(&read.trace, (uint32_t) i);

        ck_assert(work->flags & WORK_IS_LINKED);
        ck_assert_int_eq(RankTraceLaunch(&read.trace, (uint32_t) work->correlation)->start_ns,
                         (i + 1000000) * INT64_C(1000));
    }
    ReadFinish(&read);
    free(text);
}
END_TEST

#define EVENT(category, name, ts, correlation)                                                     \
    "{\"ph\":\"X\",\"cat\":\"" category "\",\"name\":\"" name "\",\"ts\":" ts                      \
    ",\"dur\":5,\"args\":{\"correlation\":" correlation "}},"

START_TEST(a_graph_launch_is_the_call_of_all_its_kernels)
{
    static const char *const events[] = {
        EVENT("cuda_runtime", "cudaGraphLaunch", "1", "9"),
        EVENT("kernel", "a", "2", "9"),
        EVENT("kernel", "b", "3", "9"),
        EVENT("kernel", "c", "4", "10"),
        NULL,
    };
    Read read = ReadEvents(events, false);

    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_int_eq((RankTraceWork(&read.trace, i)->flags & WORK_IS_LINKED) != 0, i < 2);
    }
    ck_assert_uint_eq(RankTraceLaunch(&read.trace, 0)->duration_ns,
                      LAUNCH_ENQUEUES | 5000); /* no queue */
    ReadFinish(&read);
}
END_TEST

static const char *const two_steps[] = {
    EVENT("user_annotation", "ProfilerStep#1", "0", "0"),
    EVENT("user_annotation", "ProfilerStep#2", "100", "0"),
    EVENT("cuda_runtime", "cudaLaunchKernel", "1", "1"),
    EVENT("cuda_runtime", "cudaLaunchKernel", "101", "2"),
    EVENT("kernel", "first", "150", "1"),
    EVENT("kernel", "second", "160", "2"),
    EVENT("kernel", "unknown", "2", "3"),
    NULL,
};

START_TEST(the_last_step_is_left_out_on_request_only)
{
    Read all = ReadEvents(two_steps, false);
    Read filtered = ReadEvents(two_steps, true);

    ck_assert_uint_eq(all.linked.work_count, 3);
    ck_assert_uint_eq(all.linked.dropped, 0);
    ck_assert_uint_eq(filtered.linked.work_count, 1);
    ck_assert_uint_eq(filtered.linked.dropped, 2);
    ck_assert_uint_eq(filtered.linked.work[0], 0);
    ReadFinish(&all);
    ReadFinish(&filtered);
}
END_TEST

START_TEST(a_single_step_is_never_left_out)
{
    static const char *const events[] = {
        EVENT("user_annotation", "ProfilerStep#1", "0", "0"),
        EVENT("user_annotation", "ProfilerStep#1", "50", "0"),
        EVENT("kernel", "k", "60", "1"),
        NULL,
    };
    Read read = ReadEvents(events, true);

    ck_assert_uint_eq(read.linked.work_count, 1);
    ck_assert_uint_eq(read.linked.step_count, 2);
    ReadFinish(&read);
}
END_TEST

/* ---- ranks ---- */

static Ranks *make_ranks(size_t count)
{
    TraceFiles files = { .paths = calloc(count, sizeof(char *)), .count = count };
    Ranks *ranks;

    ck_assert_ptr_nonnull(files.paths);
    for (size_t i = 0; i < count; i++) {
        files.paths[i] = strdup("x");
    }
    ranks = RanksCreate(&files, 100);
    ck_assert_ptr_nonnull(ranks);
    return ranks;
}

static bool never(const void *context)
{
    (void) context;
    return false;
}

static bool always(const void *context)
{
    (void) context;
    return true;
}

typedef struct Entrant {
    Ranks *ranks;
    size_t file;
    RankSeat seat;
} Entrant;

static void *enter(void *context)
{
    Entrant *entrant = context;

    const int64_t start_ns = (int64_t) entrant->file * 1000;
    const RankTimes times = { start_ns, start_ns + 2500, start_ns };

    RanksEnter(entrant->ranks, &(RankEntry){ entrant->file, 0, &times }, never, NULL,
               &entrant->seat);
    RanksLeave(entrant->ranks, entrant->file);
    return NULL;
}

START_TEST(ranks_go_out_in_the_order_of_the_files)
{
    Ranks *ranks = make_ranks(4);
    Entrant entrants[4];
    pthread_t threads[4];

    for (size_t i = 4; i > 0; i--) { /* the last one comes first */
        entrants[i - 1] = (Entrant){ .ranks = ranks, .file = i - 1 };
        if (i - 1 == 1) {
            RanksSkip(ranks, 1);
            continue;
        }
        ck_assert_int_eq(pthread_create(&threads[i - 1], NULL, enter, &entrants[i - 1]), 0);
    }
    for (size_t i = 0; i < 4; i++) {
        if (i != 1) {
            pthread_join(threads[i], NULL);
        }
    }
    ck_assert_str_eq(entrants[0].seat.name, "0");
    ck_assert(!entrants[0].seat.is_second);
    ck_assert_int_eq(entrants[0].seat.offset_ps, 0);
    ck_assert_str_eq(entrants[2].seat.name, "0#2");
    ck_assert(entrants[2].seat.is_second);
    ck_assert_int_eq(entrants[2].seat.offset_ps, 2000000);
    ck_assert_str_eq(entrants[3].seat.name, "0#3");
    ck_assert(!RanksAllSkipped(ranks));
    RanksDestroy(ranks);
}
END_TEST

START_TEST(files_of_one_rank_are_told_apart_among_those_of_others)
{
    /* Two profiles of -1, of which the second does not overlap the first and the third does. */
    static const struct {
        int64_t rank, from_ns;
        const char *name;
    } files[] = { { -1, 0, "-1" },          { 5, 0, "5" },
                  { -1, 100, "-1-cycle2" }, { INT64_MAX, 0, "9223372036854775807" },
                  { 5, 50, "5#2" },         { -1, 150, "-1#3" },
                  { 5, 300, "5-cycle3" },   { 0, 300, "0" } };
    Ranks *ranks = make_ranks(OPPROF_COUNT(files));

    for (size_t i = 0; i < OPPROF_COUNT(files); i++) {
        const RankTimes times = { files[i].from_ns, files[i].from_ns + 100, files[i].from_ns };
        RankSeat seat;

        ck_assert(RanksEnter(ranks, &(RankEntry){ i, files[i].rank, &times }, never, NULL, &seat));
        ck_assert_str_eq(seat.name, files[i].name);
        RanksLeave(ranks, i);
    }
    RanksDestroy(ranks);
}
END_TEST

START_TEST(nobody_waits_in_a_run_that_stops)
{
    const RankTimes least = { INT64_MIN, INT64_MIN, INT64_MIN };
    const RankTimes greatest = { INT64_MAX, INT64_MAX, INT64_MAX };
    Ranks *ranks = make_ranks(2);
    RankSeat seat;

    RanksEnter(ranks, &(RankEntry){ 1, 7, &least }, always, NULL, &seat);
    ck_assert_str_eq(seat.name, "7");
    RanksEnter(ranks, &(RankEntry){ 0, 8, &greatest }, always, NULL, &seat);
    ck_assert(seat.is_far);
    ck_assert_int_eq(seat.offset_ps, 0);
    RanksDestroy(ranks);
}
END_TEST

static void *hold_more(void *context)
{
    Entrant *entrant = context;

    RanksHold(entrant->ranks, entrant->file, 60, never, NULL);
    RanksSkip(entrant->ranks, entrant->file);
    return NULL;
}

START_TEST(a_trace_waits_for_earlier_ones_where_all_hold_too_much)
{
    Ranks *ranks = make_ranks(3);
    Entrant last = { .ranks = ranks, .file = 2 };
    pthread_t thread;

    RanksHold(ranks, 0, 1000, never, NULL); /* the first one never waits */
    RanksHold(ranks, 1, 10, always, NULL);
    ck_assert_int_eq(pthread_create(&thread, NULL, hold_more, &last), 0);
    RanksHold(ranks, 0, 90, never, NULL); /* 90 + 10 + 60 are more than 100 */
    RanksSkip(ranks, 0);                  /* 70 are not */
    pthread_join(thread, NULL);
    RanksHold(ranks, 1, 1000, never, NULL); /* now it is the first one */
    RanksSkip(ranks, 1);
    ck_assert(RanksAllSkipped(ranks));
    RanksDestroy(ranks);
}
END_TEST

START_TEST(every_file_is_taken_once)
{
    Ranks *ranks = make_ranks(3);
    size_t file;

    for (size_t i = 0; i < 3; i++) {
        ck_assert(RanksTake(ranks, &file));
        ck_assert_uint_eq(file, i);
        RanksSkip(ranks, file);
    }
    ck_assert(!RanksTake(ranks, &file));
    ck_assert(RanksAllSkipped(ranks));
    RanksDestroy(ranks);
}
END_TEST

static Suite *link_suite(void)
{
    Suite *suite = suite_create("link");
    TCase *tcase = tcase_create("link");

    tcase_add_test(tcase, numbers_are_sorted_and_equal_ones_keep_their_order);
    tcase_add_test(tcase, numbers_nearly_in_order_are_sorted_in_few_steps);
    tcase_add_loop_test(tcase, nesting_takes_few_steps_an_operator, 0, 3);
    tcase_add_test(tcase, calls_and_work_are_tied_by_correlation_in_any_order);
    tcase_add_test(tcase, a_graph_launch_is_the_call_of_all_its_kernels);
    tcase_add_test(tcase, the_last_step_is_left_out_on_request_only);
    tcase_add_test(tcase, a_single_step_is_never_left_out);
    tcase_add_test(tcase, ranks_go_out_in_the_order_of_the_files);
    tcase_add_test(tcase, files_of_one_rank_are_told_apart_among_those_of_others);
    tcase_add_test(tcase, nobody_waits_in_a_run_that_stops);
    tcase_add_test(tcase, a_trace_waits_for_earlier_ones_where_all_hold_too_much);
    tcase_add_test(tcase, every_file_is_taken_once);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(link_suite)
