/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks of cards: the true offset is within the error, whatever the notices are. */
#include "plugins/mc2/align.h"

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

int main(void)
{
    Suite *suite = suite_create("align");
    TCase *tests = tcase_create("align");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, notices_in_both_directions_bound_the_offset);
    tcase_add_test(tests, bounds_add_up_along_a_ring);
    tcase_add_test(tests, random_notices_never_leave_the_error);
    tcase_add_test(tests, without_notices_the_starts_are_laid_upon_each_other);
    tcase_add_test(tests, one_direction_has_no_error_and_a_contradiction_is_told);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
