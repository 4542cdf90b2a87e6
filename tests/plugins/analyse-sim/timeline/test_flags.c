/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/analyse-sim/timeline/flags.c. */
#include "plugins/analyse-sim/timeline/cross_flags.h"
#include "plugins/analyse-sim/timeline/flags.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FlagTable *table;

static void setup(void)
{
    table = FlagTableCreate(NULL, NULL);
    ck_assert_ptr_nonnull(table);
}

static void teardown(void)
{
    FlagTableDestroy(table);
}

/* Time of the partner, or UINT64_MAX when there was none yet. */
static uint64_t meet(const char *key, FlagSide side, uint64_t time)
{
    const OpenFlag flag = { .time = time };
    OpenFlag partner;
    bool found;

    ck_assert_int_eq(
        FlagTableMeet(table, &(FlagHalf){ key, strlen(key), side }, &flag, &partner, &found),
        OPPROF_OK);
    return found ? partner.time : UINT64_MAX;
}

START_TEST(the_nth_set_pairs_with_the_nth_wait)
{
    const char *key = "PIPE:MTE2,TRIGGERPIPE:SCALAR,FLAGID:0,";

    ck_assert_uint_eq(meet(key, FLAG_SET, 1), UINT64_MAX);
    ck_assert_uint_eq(meet(key, FLAG_SET, 2), UINT64_MAX);
    ck_assert_uint_eq(meet(key, FLAG_WAIT, 10), 1);
    ck_assert_uint_eq(meet(key, FLAG_WAIT, 11), 2);
    ck_assert_uint_eq(meet(key, FLAG_WAIT, 12), UINT64_MAX);
    ck_assert_uint_eq(meet(key, FLAG_SET, 3), 12);
}
END_TEST

START_TEST(halves_of_a_pair_have_one_number)
{
    ck_assert_uint_eq(FlagTableNext(table, "a", 1, FLAG_SET), 0);
    meet("a", FLAG_SET, 1);
    meet("a", FLAG_SET, 2);
    ck_assert_uint_eq(FlagTableNext(table, "a", 1, FLAG_SET), 2);
    ck_assert_uint_eq(FlagTableNext(table, "a", 1, FLAG_WAIT), 0);
    meet("a", FLAG_WAIT, 3);
    ck_assert_uint_eq(FlagTableNext(table, "a", 1, FLAG_WAIT), 1);
    ck_assert_uint_eq(FlagTableNext(table, "b", 1, FLAG_WAIT), 0);
    ck_assert_int_eq(FlagTableEnd(table), OPPROF_OK);
    ck_assert_uint_gt(FlagTableNext(table, "a", 1, FLAG_SET), 2); /* never one of those before */
}
END_TEST

START_TEST(keys_do_not_mix)
{
    ck_assert_uint_eq(meet("a", FLAG_SET, 1), UINT64_MAX);
    ck_assert_uint_eq(meet("b", FLAG_WAIT, 2), UINT64_MAX);
    ck_assert_uint_eq(meet("", FLAG_WAIT, 3), UINT64_MAX);
    ck_assert_uint_eq(meet("a", FLAG_WAIT, 4), 1);
    ck_assert_uint_eq(meet("b", FLAG_SET, 5), 2);
    ck_assert_uint_eq(meet("", FLAG_SET, 6), 3);
}
END_TEST

START_TEST(random_flags_pair_as_counting_says)
{
    enum { KEYS = 300, STEPS = 60000 };
    static uint64_t times[2][KEYS][STEPS / 50];
    static unsigned counts[2][KEYS];
    char key[32];

    srand(1);
    memset(counts, 0, sizeof counts);
    for (uint64_t step = 0; step < STEPS; step++) {
        int k = rand() % KEYS;
        int side = rand() % 2;
        unsigned index = counts[side][k];
        uint64_t expected = index < counts[!side][k] ? times[!side][k][index] : UINT64_MAX;

        if (index == STEPS / 50) {
            continue;
        }
        times[side][k][index] = step;
        counts[side][k]++;
        snprintf(key, sizeof key, "FLAGID:%d", k);
        ck_assert_uint_eq(meet(key, (FlagSide) side, step), expected);
    }
    ck_assert_uint_eq(FlagTableForgotten(table), 0);
}
END_TEST

START_TEST(too_many_open_halves_are_forgotten)
{
    for (uint64_t i = 0; i <= FLAG_OPEN_MAX; i++) {
        ck_assert_uint_eq(meet("key", FLAG_SET, i), UINT64_MAX);
    }
    ck_assert_uint_eq(FlagTableForgotten(table), FLAG_OPEN_MAX);
    ck_assert_uint_eq(meet("key", FLAG_WAIT, 0), FLAG_OPEN_MAX);
}
END_TEST

START_TEST(too_many_keys_are_forgotten)
{
    char key[32];

    for (uint64_t i = 0; i <= FLAG_KEYS_MAX; i++) {
        snprintf(key, sizeof key, "%lu", (unsigned long) i);
        ck_assert_uint_eq(meet(key, FLAG_SET, i), UINT64_MAX);
    }
    ck_assert_uint_eq(FlagTableForgotten(table), FLAG_KEYS_MAX);
}
END_TEST

START_TEST(a_key_too_long_finds_no_partner)
{
    char key[FLAG_KEY_LENGTH_MAX + 2];

    memset(key, 'k', sizeof key - 1);
    key[sizeof key - 1] = '\0';
    ck_assert_uint_eq(meet(key, FLAG_SET, 1), UINT64_MAX);
    ck_assert_uint_eq(meet(key, FLAG_WAIT, 2), UINT64_MAX);
    ck_assert_uint_eq(FlagTableForgotten(table), 2);
}
END_TEST

static CrossRule rule;

static bool same_key(const char *core_a, CrossKind kind_a, uint64_t id_a, const char *core_b,
                     CrossKind kind_b, uint64_t id_b)
{
    char a[CROSS_KEY_SIZE];
    char b[CROSS_KEY_SIZE];
    size_t length_a = CrossKey(&rule, core_a, kind_a, id_a, a);
    size_t length_b = CrossKey(&rule, core_b, kind_b, id_b, b);

    return length_a > 0 && length_a == length_b && memcmp(a, b, length_a) == 0;
}

START_TEST(sets_between_cores_find_the_waits_of_their_partner)
{
    const char *cube = "core0.cubecore0";
    const char *vector0 = "core0.veccore0";
    const char *vector1 = "core0.veccore1";

    rule = CrossRuleOf(InstructionFactsOf(NULL));
    ck_assert(same_key(cube, CROSS_SET, 16, vector1, CROSS_WAIT, 0));
    ck_assert(same_key(cube, CROSS_SET, 18, vector1, CROSS_WAIT, 2));
    ck_assert(!same_key(cube, CROSS_SET, 5, vector1, CROSS_WAIT, 5));
    ck_assert(same_key(cube, CROSS_SET, 5, vector0, CROSS_WAIT, 5));
    ck_assert(same_key(vector0, CROSS_SET, 7, cube, CROSS_WAIT, 7));
    ck_assert(same_key(vector1, CROSS_SET, 7, cube, CROSS_WAIT, 23));
    ck_assert(same_key(vector1, CROSS_SET_I, 7, cube, CROSS_WAIT_I, 23));
    ck_assert(!same_key(vector1, CROSS_SET_I, 7, cube, CROSS_WAIT, 23));
    ck_assert(!same_key(vector0, CROSS_SET, 7, "core1.cubecore0", CROSS_WAIT, 7));
    ck_assert(!same_key(cube, CROSS_SET, 3, cube, CROSS_WAIT, 3));
    ck_assert(!same_key("core0", CROSS_SET, 3, "core0", CROSS_WAIT, 3));
}
END_TEST

START_TEST(another_chip_has_other_cores_in_a_block)
{
    const char *matrix = "core2.matrix";
    const char *line3 = "core2.line3";
    const char *detail = "unit=LOAD, slot=29";
    CrossDetail read;

    rule = (CrossRule){ "matrix", "line", 4, 8, "unit=", "slot=" };
    ck_assert(same_key(matrix, CROSS_SET, 29, line3, CROSS_WAIT, 5));
    ck_assert(!same_key(matrix, CROSS_SET, 21, line3, CROSS_WAIT, 5));
    ck_assert(same_key(matrix, CROSS_SET, 21, "core2.line2", CROSS_WAIT, 5));
    ck_assert(same_key(line3, CROSS_SET, 5, matrix, CROSS_WAIT, 29));
    ck_assert(!same_key(line3, CROSS_SET, 5, "core1.matrix", CROSS_WAIT, 29));
    ck_assert(!same_key("core2.cubecore0", CROSS_SET, 5, "core2.veccore0", CROSS_WAIT, 5));
    ck_assert(CrossDetailParse(&rule, detail, strlen(detail), &read));
    ck_assert_str_eq(read.pipe, "LOAD");
    ck_assert_uint_eq(read.sync_id, 29);
    rule = (CrossRule){ .spokes = 1, .ids = 1 }; /* a chip's file that says nothing */
    ck_assert(!same_key(matrix, CROSS_SET, 0, "core2.line0", CROSS_WAIT, 0));
    ck_assert(!CrossDetailParse(&rule, detail, strlen(detail), &read));
}
END_TEST

START_TEST(details_of_flags_between_cores_name_pipe_and_id)
{
    const char *good = "PIPE:VEC,sync_id:12,";
    const char *bad[] = { "",
                          "PIPE:VEC",
                          "PIPE:,sync_id:1",
                          "PIPE:VEC,sync_id:",
                          "sync_id:1,PIPE:VEC,",
                          "PIPE:VECTOR_UNIT,sync_id:1",
                          "PIPE:ABCDEFGHIJK,sync_id:1" };
    CrossDetail detail;

    rule = CrossRuleOf(InstructionFactsOf(NULL));
    ck_assert(CrossDetailParse(&rule, good, strlen(good), &detail));
    ck_assert_str_eq(detail.pipe, "VEC");
    ck_assert_uint_eq(detail.sync_id, 12);
    ck_assert_str_eq(CrossPipeName(InstructionFactsOf(NULL), "VEC"), "VECTOR");
    ck_assert_ptr_null(CrossPipeName(InstructionFactsOf(NULL), "NEW"));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_msg(!CrossDetailParse(&rule, bad[i], strlen(bad[i]), &detail), "'%s'", bad[i]);
    }
}
END_TEST

static Suite *flags_suite(void)
{
    Suite *suite = suite_create("flags");
    TCase *tcase = tcase_create("flags");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, the_nth_set_pairs_with_the_nth_wait);
    tcase_add_test(tcase, halves_of_a_pair_have_one_number);
    tcase_add_test(tcase, keys_do_not_mix);
    tcase_add_test(tcase, random_flags_pair_as_counting_says);
    tcase_add_test(tcase, too_many_open_halves_are_forgotten);
    tcase_add_test(tcase, too_many_keys_are_forgotten);
    tcase_add_test(tcase, a_key_too_long_finds_no_partner);
    tcase_add_test(tcase, sets_between_cores_find_the_waits_of_their_partner);
    tcase_add_test(tcase, another_chip_has_other_cores_in_a_block);
    tcase_add_test(tcase, details_of_flags_between_cores_name_pipe_and_id);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(flags_suite)
