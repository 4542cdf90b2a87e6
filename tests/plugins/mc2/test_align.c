/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks of cards: the true offset is within the error, whatever the notices are. */
#include "plugins/mc2/align.h"

#include "tests/core/suites.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

static Align align;
static const int64_t no_starts[8] = { 0 };

static void setup(void)
{
    align = (Align){ .count = 0 };
}

static void teardown(void)
{
    AlignFinish(&align);
}

static void add(uint32_t from, uint32_t to, bool is_wait, int64_t time, uint64_t notify)
{
    const Notice notice = { .from = from,
                            .to = to,
                            .notify = notify,
                            .time = time,
                            .is_wait = is_wait,
                            .card = is_wait ? to : from };
    ck_assert(AlignAdd(&align, &notice));
}

static void pass(uint32_t card, uint64_t number, int64_t entered, int64_t left)
{
    const Barrier barrier = { .number = number, .entered = entered, .left = left, .card = card };
    ck_assert(AlignAddBarrier(&align, &barrier));
}

START_TEST(notices_in_both_directions_bound_the_offset)
{
    Alignment list[2];

    add(0, 1, false, 1000, 7);
    add(0, 1, true, 5200, 7); /* card 1 is 4000 ahead, and the notice took 200 */
    add(1, 0, false, 6000, 8);
    add(1, 0, true, 2300, 8);
    ck_assert(AlignSolve(&align, 2, no_starts, list));
    ck_assert_int_eq(list[1].how, ALIGN_NOTICES);
    ck_assert_double_eq_tol(list[1].offset_ns, -3950, 1e-9);
    ck_assert_double_eq_tol(list[1].error_ns, 250, 1e-9);
    ck_assert_uint_eq(list[0].notices, 2);
}
END_TEST

START_TEST(bounds_add_up_along_a_ring)
{
    static const int64_t ahead[4] = { 0, 3000, -500, 12000 };
    Alignment list[4];

    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t next = (i + 1) % 4;
        add(i, next, false, 10000 + ahead[i], 1);
        add(i, next, true, 10100 + ahead[next], 1);
    }
    ck_assert(AlignSolve(&align, 4, no_starts, list));
    for (uint32_t i = 1; i < 4; i++) {
        ck_assert_int_eq(list[i].how, ALIGN_NOTICES);
        ck_assert_double_le(fabs(list[i].offset_ns + (double) ahead[i]), list[i].error_ns);
        ck_assert_double_le(list[i].error_ns, 200);
    }
}
END_TEST

START_TEST(random_notices_never_leave_the_error)
{
    srand(1);
    for (int round = 0; round < 200; round++) {
        const uint32_t cards = 2 + (uint32_t) (rand() % 7);
        int64_t ahead[8];
        Alignment list[8];
        for (uint32_t i = 0; i < cards; i++) {
            ahead[i] = i == 0 ? 0 : rand() % 2000000 - 1000000;
        }
        for (int i = 0; i < 60; i++) {
            const uint32_t from = (uint32_t) rand() % cards;
            const uint32_t to = (uint32_t) rand() % cards;
            const int64_t sent = 10000000 + (int64_t) i * 5000;
            if (from != to) {
                add(from, to, false, sent + ahead[from], 3);
                add(from, to, true, sent + rand() % 4000 + ahead[to], 3);
            }
        }
        ck_assert(AlignSolve(&align, cards, no_starts, list));
        for (uint32_t i = 1; i < cards; i++) {
            ck_assert_int_ne(list[i].how, ALIGN_CONFLICT);
            ck_assert(list[i].how != ALIGN_NOTICES ||
                      fabs(list[i].offset_ns + (double) ahead[i]) <= list[i].error_ns);
        }
        AlignFinish(&align);
    }
}
END_TEST

START_TEST(without_notices_the_starts_are_laid_upon_each_other)
{
    static const int64_t starts[2] = { 500, 2500 };
    Alignment list[2];

    add(0, 1, false, 1000, 7); /* its wait is missing */
    ck_assert(AlignSolve(&align, 2, starts, list));
    ck_assert_int_eq(list[1].how, ALIGN_STARTS);
    ck_assert_double_eq_tol(list[1].offset_ns, -2000, 1e-9);
    ck_assert_double_lt(list[1].error_ns, 0);
    ck_assert_uint_eq(align.unmatched, 1);
}
END_TEST

START_TEST(one_direction_has_no_error_and_a_contradiction_is_told)
{
    Alignment list[2];

    add(0, 1, false, 1000, 7);
    add(0, 1, true, 3000, 7);
    ck_assert(AlignSolve(&align, 2, no_starts, list));
    ck_assert_int_eq(list[1].how, ALIGN_ONE_SIDED);
    ck_assert_double_eq_tol(list[1].offset_ns, -2000, 1e-9);
    add(1, 0, false, 4000, 7);
    add(1, 0, true, 1000, 7); /* before it was sent */
    ck_assert(AlignSolve(&align, 2, no_starts, list));
    ck_assert_int_eq(list[1].how, ALIGN_CONFLICT);
    ck_assert_double_eq_tol(list[1].error_ns, 500, 1e-9);
}
END_TEST

/* Card 1 is 4000 ahead: it came at 1500, the first one at 1000, and they left at 1600 and 1700. */
START_TEST(a_barrier_bounds_from_both_sides)
{
    Alignment list[2];

    pass(0, 3, 1000, 1600);
    pass(1, 3, 5500, 5700);
    ck_assert(AlignSolve(&align, 2, no_starts, list));
    ck_assert_int_eq(list[1].how, ALIGN_BARRIERS);
    ck_assert_double_eq_tol(list[1].offset_ns, -4300, 1e-9); /* -4700 to -3900 */
    ck_assert_double_eq_tol(list[1].error_ns, 400, 1e-9);
    ck_assert_uint_eq(list[0].barriers, 1);
    ck_assert_uint_eq(list[1].notices, 0);
}
END_TEST

/* A notice from card 0 leaves one side open, which the barrier closes. */
START_TEST(barriers_add_to_notices)
{
    Alignment list[2];

    add(0, 1, false, 1000, 7);
    add(0, 1, true, 5100, 7); /* at least -4100 */
    pass(0, 3, 1000, 1600);
    pass(1, 3, 5500, 5700);
    ck_assert(AlignSolve(&align, 2, no_starts, list));
    ck_assert_int_eq(list[1].how, ALIGN_BOTH);
    ck_assert_double_eq_tol(list[1].offset_ns, -4000, 1e-9); /* -4100 to -3900 */
    ck_assert_double_eq_tol(list[1].error_ns, 100, 1e-9);
}
END_TEST

/* Random cards, clocks, barriers and notices: the true offset is always within the error, which
 * barriers never widen. */
START_TEST(random_barriers_never_leave_the_error)
{
    srand(2);
    for (int round = 0; round < 300; round++) {
        const uint32_t cards = 2 + (uint32_t) (rand() % 7);
        const bool has_notices = round % 3 == 0;
        int64_t ahead[8], came[8];
        Alignment list[8];
        for (uint32_t i = 0; i < cards; i++) {
            ahead[i] = i == 0 ? 0 : rand() % 2000000 - 1000000;
        }
        for (uint64_t number = 0; number < 10; number++) {
            int64_t last = 0;
            for (uint32_t i = 0; i < cards; i++) {
                came[i] = 10000000 + (int64_t) number * 50000 + rand() % 9000;
                last = came[i] > last ? came[i] : last;
            }
            for (uint32_t i = 0; i < cards; i++) {
                pass(i, number, came[i] + ahead[i], last + rand() % 3000 + ahead[i]);
            }
        }
        for (int i = 0; has_notices && i < 20; i++) {
            const uint32_t from = (uint32_t) rand() % cards;
            const uint32_t to = (from + 1) % cards;
            add(from, to, false, 20000000 + i * 5000 + ahead[from], 3);
            add(from, to, true, 20000000 + i * 5000 + rand() % 4000 + ahead[to], 3);
        }
        ck_assert(AlignSolve(&align, cards, no_starts, list));
        ck_assert(!align.is_contradiction);
        for (uint32_t i = 1; i < cards; i++) {
            ck_assert(list[i].how == ALIGN_BARRIERS || list[i].how == ALIGN_BOTH ||
                      (has_notices && list[i].how == ALIGN_NOTICES));
            ck_assert_double_le(fabs(list[i].offset_ns + (double) ahead[i]), list[i].error_ns);
            ck_assert_double_le(list[i].error_ns, 12000);
            ck_assert_uint_eq(list[i].barriers, 10);
        }
        AlignFinish(&align);
    }
}
END_TEST

START_TEST(what_is_no_barrier_of_all_is_left_out)
{
    Alignment list[3];

    pass(0, 1, 100, 200); /* the third card lacks it */
    pass(1, 1, 100, 200);
    for (uint32_t i = 0; i < 3; i++) { /* the first card has it twice */
        pass(i, 2, 100, 200);
    }
    pass(0, 2, 300, 400);
    for (uint32_t i = 0; i < 3; i++) { /* left before it was entered */
        pass(i, 3, 500, i == 1 ? 400 : 600);
    }
    ck_assert(AlignSolve(&align, 3, no_starts, list));
    ck_assert_int_eq(list[1].how, ALIGN_STARTS);
    ck_assert_int_eq(list[2].how, ALIGN_STARTS);
    ck_assert_uint_eq(align.uneven, 3);
    ck_assert_uint_eq(list[0].barriers, 0);
}
END_TEST

START_TEST(barriers_that_contradict_do_not_count)
{
    Alignment list[2];

    add(0, 1, false, 1000, 7);
    add(0, 1, true, 1200, 7);
    add(1, 0, false, 2000, 8);
    add(1, 0, true, 2200, 8);
    pass(0, 1, 1000, 1100);
    pass(1, 1, 5000, 5100); /* 4000 apart, where notices allow 200 */
    ck_assert(AlignSolve(&align, 2, no_starts, list));
    ck_assert(align.is_contradiction);
    ck_assert_int_eq(list[1].how, ALIGN_NOTICES);
    ck_assert_double_eq_tol(list[1].offset_ns, 0, 1e-9);
    ck_assert_double_eq_tol(list[1].error_ns, 200, 1e-9);
    ck_assert_uint_eq(list[1].barriers, 0);
}
END_TEST

static Suite *align_suite(void)
{
    Suite *suite = suite_create("align");
    TCase *tests = tcase_create("align");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, notices_in_both_directions_bound_the_offset);
    tcase_add_test(tests, bounds_add_up_along_a_ring);
    tcase_add_test(tests, random_notices_never_leave_the_error);
    tcase_add_test(tests, without_notices_the_starts_are_laid_upon_each_other);
    tcase_add_test(tests, one_direction_has_no_error_and_a_contradiction_is_told);
    tcase_add_test(tests, a_barrier_bounds_from_both_sides);
    tcase_add_test(tests, barriers_add_to_notices);
    tcase_add_test(tests, random_barriers_never_leave_the_error);
    tcase_add_test(tests, what_is_no_barrier_of_all_is_left_out);
    tcase_add_test(tests, barriers_that_contradict_do_not_count);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(align_suite)
