/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/analyse-trace/timelines/choice.c: which of many ranks are chosen. */
#include "plugins/analyse-trace/timelines/choice.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANKS 100u

/* Rank i takes i us, but for two without work, which would be the fastest. */
static void make(RankTime *ranks)
{
    for (uint32_t i = 0; i < RANKS; i++) {
        ranks[i] = (RankTime){
            .rank = 1000 + i, .can_be = i > 1, .advised = UINT32_MAX, .own_us = i > 1 ? i : 0
        };
    }
}

static void check(const RankTime *ranks, const char *wanted)
{
    char text[512] = "";
    size_t length = 0;

    for (uint32_t i = 0; i < RANKS; i++) {
        if (ranks[i].why != NULL) {
            length +=
                (size_t) snprintf(text + length, sizeof text - length, "%u %s, ", i, ranks[i].why);
        }
    }
    ck_assert_str_eq(text, wanted);
}

START_TEST(both_ends_and_the_middle_are_chosen)
{
    RankTime ranks[RANKS];

    make(ranks);
    ck_assert_int_eq(TimelinesChoose(ranks, RANKS, 8), OPPROF_OK);
    /* Of 98 ranks with work, in falling order, the one after 49 others is 50. */
    check(ranks, "2 fastest, 3 fastest, 48 median, 49 median, 50 median, 97 slowest, 98 slowest, "
                 "99 slowest, ");
    make(ranks);
    ck_assert_int_eq(TimelinesChoose(ranks, RANKS, 1), OPPROF_OK);
    check(ranks, "99 slowest, ");
    make(ranks);
    ck_assert_int_eq(TimelinesChoose(ranks, RANKS, 0), OPPROF_OK);
    check(ranks, "");
}
END_TEST

START_TEST(advice_names_ranks_the_first_of_each_rule_first)
{
    RankTime ranks[RANKS];

    make(ranks);
    ranks[99].advised = 0; /* the slowest anyway */
    ranks[10].advised = 0;
    ranks[20].advised = 2;
    ranks[30].advised = 1;
    ranks[40].advised = 0;
    ranks[60].advised = 3;
    ck_assert_int_eq(TimelinesChoose(ranks, RANKS, 7), OPPROF_OK);
    check(ranks, "2 fastest, 10 advice, 20 advice, 30 advice, 40 advice, 50 median, 99 slowest, ");
}
END_TEST

START_TEST(no_more_than_there_are)
{
    RankTime ranks[RANKS];
    uint32_t chosen = 0;

    make(ranks);
    ck_assert_int_eq(TimelinesChoose(ranks, RANKS, 200), OPPROF_OK);
    for (uint32_t i = 0; i < RANKS; i++) {
        chosen += ranks[i].why != NULL;
    }
    ck_assert_uint_eq(chosen, 98); /* those with work */
    ck_assert_int_eq(TimelinesChoose(ranks, 0, 8), OPPROF_OK);
}
END_TEST

static Suite *timelines_suite(void)
{
    Suite *suite = suite_create("timelines");
    TCase *tests = tcase_create("choice");

    tcase_add_test(tests, both_ends_and_the_middle_are_chosen);
    tcase_add_test(tests, advice_names_ranks_the_first_of_each_rule_first);
    tcase_add_test(tests, no_more_than_there_are);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(timelines_suite)
