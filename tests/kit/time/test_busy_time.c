/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of kit/time/busy_time.c. */
#include <opprof/kit/busy_time.h>

#include "tests/core/suites.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define TICKS 3000

typedef struct Interval {
    uint64_t start;
    uint64_t end;
} Interval;

static int by_end(const void *a, const void *b)
{
    const Interval *x = a;
    const Interval *y = b;

    return x->end < y->end ? -1 : x->end > y->end;
}

/* Ticks t for which some interval holds [t, t + 1]. */
static uint64_t model_total(const Interval *intervals, int count)
{
    static unsigned char busy[TICKS];
    uint64_t total = 0;

    memset(busy, 0, sizeof busy);
    for (int i = 0; i < count; i++) {
        for (uint64_t tick = intervals[i].start; tick < intervals[i].end; tick++) {
            busy[tick] = 1;
        }
    }
    for (int i = 0; i < TICKS; i++) {
        total += busy[i];
    }
    return total;
}

/* Even seeds bring the intervals by end, odd ones in any order. */
START_TEST(random_intervals_cover_what_the_tick_by_tick_model_counts)
{
    Interval intervals[300];

    srand((unsigned) _i);
    for (int round = 0; round < 30; round++) {
        OpprofBusyTime busy = { 0 };
        int count = 1 + rand() % 300;
        uint64_t longest = 1 + (uint64_t) rand() % 200;

        for (int i = 0; i < count; i++) {
            intervals[i].end = (uint64_t) rand() % TICKS;
            intervals[i].start =
                intervals[i].end - (uint64_t) rand() % longest % (intervals[i].end + 1);
        }
        if (_i % 2 == 0) {
            qsort(intervals, (size_t) count, sizeof *intervals, by_end);
        }
        for (int i = 0; i < count; i++) {
            ck_assert_int_eq(OpprofBusyTimeAdd(&busy, intervals[i].start, intervals[i].end),
                             OPPROF_OK);
        }
        ck_assert_uint_eq(OpprofBusyTimeTotal(&busy), model_total(intervals, count));
        ck_assert(!busy.is_rough);
        OpprofBusyTimeFinish(&busy);
    }
}
END_TEST

/* The same with a limit of a few stretches, told after each interval how early later ones begin. */
START_TEST(what_is_settled_counts_as_before)
{
    Interval intervals[300];

    srand((unsigned) _i);
    for (int round = 0; round < 30; round++) {
        OpprofBusyTime busy = { 0 };
        const int count = 1 + rand() % 300;
        uint64_t floor = UINT64_MAX;
        uint64_t floors[300];

        for (int i = 0; i < count; i++) {
            intervals[i].end = (uint64_t) rand() % TICKS;
            intervals[i].start = intervals[i].end - (uint64_t) rand() % 40 % (intervals[i].end + 1);
        }
        qsort(intervals, (size_t) count, sizeof *intervals, by_end);
        for (int i = count - 1; i >= 0; i--) {
            floors[i] = floor;
            floor = intervals[i].start < floor ? intervals[i].start : floor;
        }
        for (int i = 0; i < count; i++) {
            ck_assert_int_eq(OpprofBusyTimeAdd(&busy, intervals[i].start, intervals[i].end),
                             OPPROF_OK);
            if (rand() % 3 == 0) {
                OpprofBusyTimeSettle(&busy, floors[i]);
            }
        }
        ck_assert_uint_eq(OpprofBusyTimeTotal(&busy), model_total(intervals, count));
        ck_assert(!busy.is_rough);
        OpprofBusyTimeFinish(&busy);
    }
}
END_TEST

static int by_start(const void *a, const void *b)
{
    const Interval *x = a;
    const Interval *y = b;

    return x->start < y->start ? -1 : x->start > y->start;
}

/* In order of their starts intervals never reach back further than the newest stretch. */
START_TEST(what_is_put_together_counts_as_before)
{
    Interval intervals[300];

    srand((unsigned) _i);
    for (int round = 0; round < 30; round++) {
        OpprofBusyTime busy = { 0 };
        const int count = 1 + rand() % 300;

        for (int i = 0; i < count; i++) {
            intervals[i].end = (uint64_t) rand() % TICKS;
            intervals[i].start = intervals[i].end - (uint64_t) rand() % 20 % (intervals[i].end + 1);
        }
        qsort(intervals, (size_t) count, sizeof *intervals, by_start);
        for (int i = 0; i < count; i++) {
            ck_assert_int_eq(OpprofBusyTimeAdd(&busy, intervals[i].start, intervals[i].end),
                             OPPROF_OK);
            if (rand() % 10 == 0) {
                const uint32_t kept = 1 + (uint32_t) rand() % 4;

                OpprofBusyTimeFold(&busy, kept);
                ck_assert_uint_le(busy.count, kept + 1);
                ck_assert_uint_eq(busy.capacity, busy.count);
            }
        }
        ck_assert_uint_eq(OpprofBusyTimeTotal(&busy), model_total(intervals, count));
        ck_assert(!busy.is_rough);
        OpprofBusyTimeFinish(&busy);
    }
}
END_TEST

START_TEST(an_interval_inside_of_what_was_put_together_is_told_to_be_rough)
{
    OpprofBusyTime busy = { 0 };

    for (uint64_t i = 0; i < 10; i++) {
        ck_assert_int_eq(OpprofBusyTimeAdd(&busy, 10 * i, 10 * i + 5), OPPROF_OK);
    }
    OpprofBusyTimeFold(&busy, 2);
    ck_assert_uint_eq(busy.count, 3);
    ck_assert_uint_eq(OpprofBusyTimeTotal(&busy), 50);
    ck_assert_int_eq(OpprofBusyTimeAdd(&busy, 86, 88), OPPROF_OK); /* between the newest two */
    ck_assert(!busy.is_rough);
    ck_assert_int_eq(OpprofBusyTimeAdd(&busy, 26, 28), OPPROF_OK);
    ck_assert(busy.is_rough);
    OpprofBusyTimeFold(&busy, 0);
    ck_assert_uint_eq(busy.count, 1);
    OpprofBusyTimeFinish(&busy);
    OpprofBusyTimeFold(&busy, 0); /* of nothing */
    ck_assert_uint_eq(busy.count, 0);
}
END_TEST

START_TEST(an_interval_before_the_floor_is_told_to_be_rough)
{
    OpprofBusyTime busy = { 0 };

    ck_assert_int_eq(OpprofBusyTimeAdd(&busy, 1, 2), OPPROF_OK);
    OpprofBusyTimeSettle(&busy, 10);
    ck_assert_uint_eq(busy.count, 0);
    ck_assert_int_eq(OpprofBusyTimeAdd(&busy, 10, 12), OPPROF_OK);
    ck_assert(!busy.is_rough);
    ck_assert_uint_eq(OpprofBusyTimeTotal(&busy), 3);
    ck_assert_int_eq(OpprofBusyTimeAdd(&busy, 9, 13), OPPROF_OK);
    ck_assert(busy.is_rough);
    OpprofBusyTimeFinish(&busy);
}
END_TEST

START_TEST(touching_intervals_join)
{
    OpprofBusyTime busy = { 0 };

    ck_assert_int_eq(OpprofBusyTimeAdd(&busy, 1, 2), OPPROF_OK);
    ck_assert_int_eq(OpprofBusyTimeAdd(&busy, 2, 1851), OPPROF_OK);
    ck_assert_uint_eq(OpprofBusyTimeTotal(&busy), 1850);
    ck_assert_uint_eq(busy.count, 1);
    OpprofBusyTimeFinish(&busy);
}
END_TEST

START_TEST(more_gaps_than_are_kept_still_add_up)
{
    OpprofBusyTime busy = { 0 };
    const uint64_t count = 5 * OPPROF_BUSY_STRETCHES_MAX;

    for (uint64_t i = 0; i < count; i++) {
        ck_assert_int_eq(OpprofBusyTimeAdd(&busy, i * 10, i * 10 + 3), OPPROF_OK);
    }
    ck_assert_uint_eq(OpprofBusyTimeTotal(&busy), 3 * count);
    ck_assert_uint_le(busy.capacity, OPPROF_BUSY_STRETCHES_MAX);
    ck_assert(!busy.is_rough);
    ck_assert_int_eq(OpprofBusyTimeAdd(&busy, 0, count * 10), OPPROF_OK);
    ck_assert_uint_eq(OpprofBusyTimeTotal(&busy), count * 10);
    ck_assert(!busy.is_rough);
    OpprofBusyTimeFinish(&busy);
}
END_TEST

START_TEST(an_interval_that_begins_inside_joined_stretches_is_told_to_be_rough)
{
    OpprofBusyTime busy = { 0 };
    const uint64_t count = OPPROF_BUSY_STRETCHES_MAX + 1;

    for (uint64_t i = 0; i < count; i++) {
        ck_assert_int_eq(OpprofBusyTimeAdd(&busy, i * 10, i * 10 + 3), OPPROF_OK);
    }
    ck_assert_int_eq(OpprofBusyTimeAdd(&busy, 12, count * 10), OPPROF_OK);
    ck_assert(busy.is_rough);
    /* Exact: 3 ticks of the first stretch, 2 of the second, then all. The pair's gap is 7. */
    ck_assert_uint_ge(OpprofBusyTimeTotal(&busy), 3 + 2 + count * 10 - 12 - 7);
    ck_assert_uint_le(OpprofBusyTimeTotal(&busy), 3 + 2 + count * 10 - 12 + 7);
    OpprofBusyTimeFinish(&busy);
}
END_TEST

START_TEST(a_small_limit_keeps_sums_exact_where_starts_do_not_go_down)
{
    OpprofBusyTime busy = { .limit = 4 };

    for (uint64_t i = 0; i < 1000; i++) {
        ck_assert_int_eq(OpprofBusyTimeAdd(&busy, i * 10, i * 10 + 3 + i % 9), OPPROF_OK);
    }
    /*
     * Lengths 3 … 11; one of 11 reaches one tick into the next. 111 rounds of nine, and one of 3.
     */
    ck_assert_uint_eq(OpprofBusyTimeTotal(&busy),
                      UINT64_C(111) * (3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + 10) + 3);
    ck_assert_uint_eq(busy.capacity, 4);
    ck_assert(!busy.is_rough);
    OpprofBusyTimeFinish(&busy);
}
END_TEST

START_TEST(lanes_are_found_by_partition_and_name)
{
    OpprofBusyLanes lanes = { .count = 0 };

    for (uint32_t i = 0; i < 300; i++) {
        OpprofBusyLane *lane = OpprofBusyLanesFind(&lanes, i % 3, i % 5, 7);
        ck_assert_ptr_nonnull(lane);
        ck_assert_uint_eq(lane->partition, i % 3);
        ck_assert_uint_eq(lane->name, i % 5);
        ck_assert_uint_eq(lane->clock, 7);
        ck_assert_int_eq(OpprofBusyTimeAdd(&lane->busy, 10 * i, 10 * i + 4), OPPROF_OK);
        lane->count++;
    }
    ck_assert_uint_eq(lanes.count, 15);
    for (size_t i = 0; i < lanes.count; i++) {
        ck_assert_uint_eq(lanes.list[i].count, 20);
        ck_assert_uint_eq(OpprofBusyTimeTotal(&lanes.list[i].busy), 80);
    }
    OpprofBusyLanesFinish(&lanes);
    ck_assert_uint_eq(lanes.count, 0);
}
END_TEST

static Suite *busy_time_suite(void)
{
    Suite *suite = suite_create("busy_time");
    TCase *tcase = tcase_create("busy_time");

    tcase_add_loop_test(tcase, random_intervals_cover_what_the_tick_by_tick_model_counts, 0, 20);
    tcase_add_loop_test(tcase, what_is_settled_counts_as_before, 0, 10);
    tcase_add_loop_test(tcase, what_is_put_together_counts_as_before, 0, 10);
    tcase_add_test(tcase, an_interval_inside_of_what_was_put_together_is_told_to_be_rough);
    tcase_add_test(tcase, an_interval_before_the_floor_is_told_to_be_rough);
    tcase_add_test(tcase, lanes_are_found_by_partition_and_name);
    tcase_add_test(tcase, touching_intervals_join);
    tcase_add_test(tcase, more_gaps_than_are_kept_still_add_up);
    tcase_add_test(tcase, an_interval_that_begins_inside_joined_stretches_is_told_to_be_rough);
    tcase_add_test(tcase, a_small_limit_keeps_sums_exact_where_starts_do_not_go_down);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(busy_time_suite)
