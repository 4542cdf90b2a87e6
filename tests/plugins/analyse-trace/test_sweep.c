/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/analyse-trace/common/sweep.c. */
#include "plugins/analyse-trace/common/breakdown.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Interval {
    ActivityClass class;
    uint64_t start;
    uint64_t end;
} Interval;

static int compare_starts(const void *a, const void *b)
{
    const Interval *left = a;
    const Interval *right = b;

    return (left->start > right->start) - (left->start < right->start);
}

static Sweep sweep_over(Interval *list, size_t count)
{
    Sweep sweep = { .intervals = 0 };

    if (count > 0) {
        qsort(list, count, sizeof *list, compare_starts);
    }
    for (size_t i = 0; i < count; i++) {
        SweepAdd(&sweep, list[i].class, list[i].start, list[i].end);
    }
    SweepEnd(&sweep);
    return sweep;
}

/* Figures of the list; times in microseconds, as in the worked examples. */
static void check_breakdown(Interval *list, size_t count, uint64_t kernel, uint64_t compute,
                            uint64_t non_compute, uint64_t idle)
{
    const Sweep sweep = sweep_over(list, count);
    const Breakdown breakdown = BreakdownOf(&sweep);

    ck_assert_uint_eq(breakdown.kernel_ns, kernel);
    ck_assert_uint_eq(breakdown.compute_ns, compute);
    ck_assert_uint_eq(breakdown.non_compute_ns, non_compute);
    ck_assert_uint_eq(breakdown.idle_ns, idle);
}

#define COMP(s, e)                                                                                 \
    {                                                                                              \
        ACTIVITY_COMPUTATION, (s), (e)                                                             \
    }
#define COMM(s, e)                                                                                 \
    {                                                                                              \
        ACTIVITY_COMMUNICATION, (s), (e)                                                           \
    }
#define MEM(s, e)                                                                                  \
    {                                                                                              \
        ACTIVITY_MEMORY, (s), (e)                                                                  \
    }

START_TEST(w1_streams_that_overlap_are_merged)
{
    Interval list[] = { COMP(0, 100), COMP(200, 300), COMP(50, 150) };

    check_breakdown(list, 3, 300, 250, 0, 50);
    ck_assert_double_eq_tol(BreakdownPercent(250, 300), 83.33, 0.005);
    ck_assert_double_eq_tol(BreakdownPercent(50, 300), 16.67, 0.005);
}
END_TEST

START_TEST(w2_a_chain_of_overlaps_is_one_interval)
{
    Interval list[] = { COMP(0, 100), COMP(50, 180), COMP(80, 120), COMP(150, 250),
                        COMP(200, 300) };

    check_breakdown(list, 5, 300, 300, 0, 0);
}
END_TEST

START_TEST(w3_work_behind_computation_counts_as_computation)
{
    Interval list[] = { COMP(0, 100), COMM(60, 160), MEM(200, 210) };

    check_breakdown(list, 3, 210, 100, 70, 40);
}
END_TEST

START_TEST(w4_intervals_that_touch_leave_no_gap)
{
    Interval list[] = { COMP(0, 10), COMP(10, 20) };

    check_breakdown(list, 2, 20, 20, 0, 0);
}
END_TEST

START_TEST(w5_no_work_is_no_time)
{
    check_breakdown(NULL, 0, 0, 0, 0, 0);
    ck_assert_double_eq(BreakdownPercent(0, 0), 0);
}
END_TEST

START_TEST(w6_a_kernel_without_duration_is_no_time)
{
    Interval list[] = { COMP(5, 5) };

    check_breakdown(list, 1, 0, 0, 0, 0);
}
END_TEST

START_TEST(w7_percents_are_of_the_whole)
{
    const uint64_t whole = 25402605 + 1251970 + 29603154;

    ck_assert_double_eq_tol(BreakdownPercent(25402605, whole), 45.15, 0.005);
    ck_assert_double_eq_tol(BreakdownPercent(1251970, whole), 2.23, 0.005);
    ck_assert_double_eq_tol(BreakdownPercent(29603154, whole), 52.62, 0.005);
}
END_TEST

START_TEST(work_of_no_class_is_neither_computation_nor_idle)
{
    Interval list[] = { COMP(0, 10), { ACTIVITY_OTHER, 5, 30 }, { ACTIVITY_OTHER, 40, 50 } };

    check_breakdown(list, 3, 50, 10, 30, 10);
}
END_TEST

/* ---- brute force ---- */

static uint64_t state = UINT64_C(0xda3e39cb94b95bdb);

static uint64_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

#define MOMENTS 400u

/* How long each combination of classes is active, a tick at a time. */
static void count_ticks(const Interval *list, size_t count, uint64_t sums[1u << ACTIVITY_CLASSES],
                        uint64_t *ret_first, uint64_t *ret_last)
{
    unsigned active[MOMENTS] = { 0 };

    *ret_first = MOMENTS;
    *ret_last = 0;
    for (size_t i = 0; i < count; i++) {
        *ret_first = list[i].start < *ret_first ? list[i].start : *ret_first;
        *ret_last = list[i].end > *ret_last ? list[i].end : *ret_last;
        for (uint64_t t = list[i].start; t < list[i].end; t++) {
            active[t] |= 1u << list[i].class;
        }
    }
    for (uint64_t t = *ret_first; t < *ret_last; t++) {
        sums[active[t]]++;
    }
}

START_TEST(random_intervals_add_up_as_counted_tick_by_tick)
{
    for (int round = 0; round < 5000; round++) {
        const size_t count = 1 + next_random() % 40;
        uint64_t sums[1u << ACTIVITY_CLASSES] = { 0 };
        Interval list[40];
        uint64_t first;
        uint64_t last;
        Sweep sweep;

        for (size_t i = 0; i < count; i++) {
            list[i].class = (ActivityClass) (next_random() % ACTIVITY_CLASSES);
            list[i].start = next_random() % (MOMENTS - 50);
            list[i].end = list[i].start + next_random() % 50;
        }
        count_ticks(list, count, sums, &first, &last);
        sweep = sweep_over(list, count);
        ck_assert_uint_eq(sweep.first, first);
        ck_assert_uint_eq(sweep.last, last);
        for (unsigned set = 0; set <= SWEEP_ANY; set++) {
            ck_assert_msg(sweep.sums[set] == sums[set], "round %d, set %u", round, set);
        }
        ck_assert_uint_eq(SweepUnion(&sweep, SWEEP_ANY) + sweep.sums[0], last - first);
    }
}
END_TEST

START_TEST(unions_and_intersections_are_of_merged_intervals)
{
    Interval list[] = { COMP(0, 50), COMP(40, 100), COMM(90, 120), COMM(95, 130), MEM(125, 140) };
    const Sweep sweep = sweep_over(list, 5);

    ck_assert_uint_eq(SweepUnion(&sweep, SWEEP_COMPUTATION), 100);
    ck_assert_uint_eq(SweepUnion(&sweep, SWEEP_COMMUNICATION), 40);
    ck_assert_uint_eq(SweepIntersection(&sweep, SWEEP_COMMUNICATION | SWEEP_COMPUTATION), 10);
    ck_assert_uint_eq(SweepIntersection(&sweep, SWEEP_COMMUNICATION | SWEEP_MEMORY), 5);
    ck_assert_uint_eq(sweep.sums[SWEEP_COMMUNICATION], 25);
}
END_TEST

static Suite *sweep_suite(void)
{
    Suite *suite = suite_create("sweep");
    TCase *tcase = tcase_create("sweep");

    tcase_add_test(tcase, w1_streams_that_overlap_are_merged);
    tcase_add_test(tcase, w2_a_chain_of_overlaps_is_one_interval);
    tcase_add_test(tcase, w3_work_behind_computation_counts_as_computation);
    tcase_add_test(tcase, w4_intervals_that_touch_leave_no_gap);
    tcase_add_test(tcase, w5_no_work_is_no_time);
    tcase_add_test(tcase, w6_a_kernel_without_duration_is_no_time);
    tcase_add_test(tcase, w7_percents_are_of_the_whole);
    tcase_add_test(tcase, work_of_no_class_is_neither_computation_nor_idle);
    tcase_add_test(tcase, random_intervals_add_up_as_counted_tick_by_tick);
    tcase_add_test(tcase, unions_and_intersections_are_of_merged_intervals);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(sweep_suite)
