/* SPDX-License-Identifier: Apache-2.0 */
/* Lanes side by side: the tree against a plain search. */
#include <opprof/kit/sub_lanes.h>

#include "tests/core/suites.h"

#include <check.h>
#include <stdlib.h>

#define LANES 200u
#define SPANS 20000

START_TEST(the_lowest_free_lane_is_taken)
{
    uint64_t free_from[LANES] = { 0 };
    OpprofSubLanes lanes = { .tree = NULL };
    uint64_t start = 0;
    uint32_t random = 1;

    for (int i = 0; i < SPANS; i++) {
        uint32_t expected = 0;

        random = random * 1664525u + 1013904223u;
        start += random >> 30;
        const uint64_t end = start + (random >> 8) % 100;
        while (free_from[expected] > start) {
            expected++;
            ck_assert_uint_lt(expected, LANES);
        }
        free_from[expected] = end;
        ck_assert_uint_eq(OpprofSubLanesPlace(&lanes, start, end, LANES), expected);
    }
    OpprofSubLanesFinish(&lanes);
    ck_assert_uint_eq(lanes.count, 0);
}
END_TEST

START_TEST(beyond_the_limit_there_is_no_lane)
{
    OpprofSubLanes lanes = { .tree = NULL };

    for (uint32_t i = 0; i < 5; i++) {
        ck_assert_uint_eq(OpprofSubLanesPlace(&lanes, 0, 10 + i, 5), i);
    }
    ck_assert_uint_eq(OpprofSubLanesPlace(&lanes, 9, 20, 5), OPPROF_SUB_LANES_FULL);
    OpprofSubLanesTake(&lanes, 0, 100);
    ck_assert_uint_eq(OpprofSubLanesPlace(&lanes, 11, 20, 5), 1);
    OpprofSubLanesFinish(&lanes);
}
END_TEST

START_TEST(the_last_moment_is_like_any_other)
{
    OpprofSubLanes lanes = { .tree = NULL };

    ck_assert_uint_eq(OpprofSubLanesPlace(&lanes, 0, UINT64_MAX, 9), 0);
    ck_assert_uint_eq(OpprofSubLanesPlace(&lanes, 1, 2, 9), 1);
    ck_assert_uint_eq(OpprofSubLanesPlace(&lanes, UINT64_MAX, UINT64_MAX, 9), 0);
    OpprofSubLanesFinish(&lanes);
}
END_TEST

static Suite *sub_lanes_suite(void)
{
    Suite *suite = suite_create("sub_lanes");
    TCase *cases = tcase_create("sub_lanes");

    tcase_add_test(cases, the_lowest_free_lane_is_taken);
    tcase_add_test(cases, beyond_the_limit_there_is_no_lane);
    tcase_add_test(cases, the_last_moment_is_like_any_other);
    suite_add_tcase(suite, cases);
    return suite;
}
TEST_SUITE(sub_lanes_suite)
