/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of what the analyses compute with: descriptions of samples, maps of items, late starts. */
#include "plugins/analyse-trace/common/describe.h"
#include "plugins/analyse-trace/common/item_map.h"
#include "plugins/analyse-trace/common/late_starts.h"

#include "tests/core/suites.h"

#include <check.h>
#include <math.h>
#include <opprof/record.h>
#include <stdlib.h>

START_TEST(a_list_is_described)
{
    double values[] = { 4, 1, 3, 2 };
    const Description result = DescribeValues(values, 4);

    ck_assert_uint_eq(result.count, 4);
    ck_assert_double_eq(result.mean, 2.5);
    ck_assert_double_eq_tol(result.std, sqrt(5.0 / 3.0), 1e-15);
    ck_assert_double_eq(result.min, 1);
    ck_assert_double_eq(result.q25, 1.75);
    ck_assert_double_eq(result.q50, 2.5);
    ck_assert_double_eq(result.q75, 3.25);
    ck_assert_double_eq(result.max, 4);
}
END_TEST

START_TEST(too_few_values_have_no_deviation)
{
    double one[] = { 7 };
    const Description single = DescribeValues(one, 1);
    const Description none = DescribeValues(NULL, 0);

    ck_assert(OpprofIsNaF64(single.std));
    ck_assert_double_eq(single.q25, 7);
    ck_assert_uint_eq(none.count, 0);
    ck_assert(OpprofIsNaF64(none.mean) && OpprofIsNaF64(none.max));
}
END_TEST

START_TEST(counted_values_are_described_like_a_list)
{
    static const uint64_t counts[] = { 3, 0, 2, 5, 0, 1, 0 };
    double values[11];
    Description counted = DescribeCounts(counts, 7);
    Description listed;
    size_t at = 0;

    for (size_t i = 0; i < 7; i++) {
        for (uint64_t n = 0; n < counts[i]; n++) {
            values[at++] = (double) i;
        }
    }
    listed = DescribeValues(values, at);
    ck_assert_uint_eq(counted.count, listed.count);
    ck_assert_double_eq_tol(counted.mean, listed.mean, 1e-15);
    ck_assert_double_eq_tol(counted.std, listed.std, 1e-14);
    ck_assert_double_eq(counted.min, listed.min);
    ck_assert_double_eq(counted.q25, listed.q25);
    ck_assert_double_eq(counted.q50, listed.q50);
    ck_assert_double_eq(counted.q75, listed.q75);
    ck_assert_double_eq(counted.max, listed.max);
}
END_TEST

START_TEST(running_figures_need_no_list)
{
    Running running = { .count = 0 };

    RunningAdd(&running, 5);
    ck_assert_double_eq(RunningStd(&running), 0);
    RunningAdd(&running, 9);
    RunningAdd(&running, 1);
    ck_assert_double_eq(running.sum, 15);
    ck_assert_double_eq(running.min, 1);
    ck_assert_double_eq(running.max, 9);
    ck_assert_double_eq_tol(RunningStd(&running), 4, 1e-15);
}
END_TEST

START_TEST(items_are_found_by_their_keys)
{
    ItemMap map = { .count = 0 };
    uint64_t *item;

    for (int pass = 0; pass < 2; pass++) {
        for (uint64_t key = 0; key < 10000; key++) {
            item = ItemMapGet(&map, key * UINT64_C(0x100000001), sizeof *item);
            ck_assert_ptr_nonnull(item);
            ck_assert_uint_eq(*item, pass == 0 ? 0 : key + 1);
            *item = key + 1;
        }
    }
    ck_assert_uint_eq(map.count, 10000);
    ck_assert_ptr_null(ItemMapFind(&map, 7));
    item = ItemMapFind(&map, UINT64_C(0x700000007));
    ck_assert_ptr_nonnull(item);
    ck_assert_uint_eq(*item, 8);
    ItemMapFree(&map);
    ck_assert_ptr_null(ItemMapFind(&map, 7));
}
END_TEST

START_TEST(the_latest_starts_are_late)
{
    LateStart starts[] = { { 0, 0.5, 0.1 }, { 1, 0.1, 0.5 }, { 2, 0.3, 0.3 }, { 3, 0.4, 0.2 } };
    LateScore scores[4] = { { .rank = 0 }, { .rank = 1 }, { .rank = 2 }, { .rank = 3 } };

    LateStartsScore(starts, 4, 2, 0.09, scores);
    ck_assert_uint_eq(scores[0].late_steps, 0);
    ck_assert_uint_eq(scores[1].late_steps, 1);
    ck_assert_uint_eq(scores[2].late_steps, 1);
    ck_assert_uint_eq(scores[3].late_steps, 0);
    ck_assert_uint_eq(scores[3].steps, 1);
    ck_assert_double_eq_tol(scores[1].cost, 0.2,
                            1e-15); /* 0.5 - 0.3: rank 2 is no reason to wait */
    ck_assert_double_eq_tol(scores[2].cost, 0, 1e-15);
    LateStartsScore(starts, 4, 2, 0.15, scores); /* 0.3 is 0.1 after 0.2 */
    ck_assert_uint_eq(scores[1].late_steps, 2);
    ck_assert_uint_eq(scores[2].late_steps, 1);
}
END_TEST

START_TEST(ties_make_nobody_late)
{
    LateStart starts[] = { { 0, 0.5, 0.3 }, { 1, 0.1, 0.5 }, { 2, 0.3, 0.3 } };
    LateScore scores[3] = { { .rank = 0 }, { .rank = 1 }, { .rank = 2 } };
    LateStart alone[] = { { 0, 0.5, 0.3 } };

    LateStartsScore(starts, 3, 2, 0, scores);
    ck_assert_uint_eq(scores[0].late_steps + scores[1].late_steps + scores[2].late_steps, 1);
    ck_assert_uint_eq(scores[1].late_steps, 1);
    LateStartsScore(alone, 1, 2, 0, scores);
    ck_assert_uint_eq(scores[0].late_steps, 0);
    ck_assert_double_eq_tol(LateStartsSpread(starts, 3), 0.2, 1e-15);
}
END_TEST

START_TEST(stragglers_are_late_more_often_than_others)
{
    LateScore scores[] = { { 0, 3, 9, 1 }, { 1, 5, 9, 1 }, { 2, 3, 9, 2 } };

    ck_assert_uint_eq(LateStartsRank(scores, 3, 2), 1); /* the second of two equal ones is out */
    ck_assert_uint_eq(scores[0].rank, 1);
    ck_assert_uint_eq(scores[1].rank, 2); /* it costs more */
    ck_assert_uint_eq(LateStartsRank(scores, 3, 1), 1);
    scores[0].late_steps = 3;
    ck_assert_uint_eq(LateStartsRank(scores, 3, 9), 0);
    ck_assert_uint_eq(LateStartsRank(scores, 0, 2), 0);
}
END_TEST

static Suite *figures_suite(void)
{
    Suite *suite = suite_create("figures");
    TCase *tcase = tcase_create("figures");

    tcase_add_test(tcase, a_list_is_described);
    tcase_add_test(tcase, too_few_values_have_no_deviation);
    tcase_add_test(tcase, counted_values_are_described_like_a_list);
    tcase_add_test(tcase, running_figures_need_no_list);
    tcase_add_test(tcase, items_are_found_by_their_keys);
    tcase_add_test(tcase, the_latest_starts_are_late);
    tcase_add_test(tcase, ties_make_nobody_late);
    tcase_add_test(tcase, stragglers_are_late_more_often_than_others);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(figures_suite)
