/* SPDX-License-Identifier: Apache-2.0 */
/* Ends of arrows between cores are in the order of each core's rows, whichever core is faster. */
#include "plugins/analyse-sim/timeline/cross_pairs.h"

#include "tests/core/suites.h"

#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CUBE "core0.cubecore0"
#define VECTOR "core0.veccore0"
#define MANY 3000u

static CrossPairs *pairs;
static CrossLine *cube, *vector;

static void setup(void)
{
    pairs = CrossPairsCreate();
    ck_assert_ptr_nonnull(pairs);
    vector = CrossPairsAdd(pairs, VECTOR);
    cube = CrossPairsAdd(pairs, CUBE);
    ck_assert(cube != NULL && vector != NULL);
}

static void teardown(void)
{
    CrossPairsDestroy(pairs);
}

/* Returns the number of the pair. */
static const CrossRule rule = { "cube", "vec", 2, 16, "PIPE:", "sync_id:" };

static uint64_t meet(CrossLine *line, CrossKind kind, uint64_t sync_id, uint64_t time)
{
    const CrossHalf half = {
        .time = time, .sync_id = sync_id, .rule = rule, .kind = kind, .lane = line == cube
    };
    uint64_t number;

    ck_assert_int_eq(CrossPairsMeet(pairs, line, &half, &number), OPPROF_OK);
    return number;
}

/* Time of the next end, or UINT64_MAX. */
static uint64_t take(CrossLine *line)
{
    CrossEnd end;

    return CrossPairsTake(pairs, line, &end) ? end.half.time : UINT64_MAX;
}

START_TEST(an_end_waits_for_those_before_it)
{
    meet(cube, CROSS_SET, 1, 10); /* its wait comes last */
    meet(cube, CROSS_SET, 2, 11);
    meet(vector, CROSS_WAIT, 2, 21);
    ck_assert_uint_eq(take(cube), UINT64_MAX);
    ck_assert_uint_eq(take(vector), 21);
    meet(vector, CROSS_WAIT, 1, 22);
    ck_assert_uint_eq(take(cube), 10);
    ck_assert_uint_eq(take(cube), 11);
    ck_assert_uint_eq(take(vector), 22);
    ck_assert_uint_eq(take(cube), UINT64_MAX);
}
END_TEST

START_TEST(an_end_without_partner_gives_way_at_the_end)
{
    meet(cube, CROSS_SET, 1, 10);
    meet(cube, CROSS_SET, 2, 11);
    meet(vector, CROSS_WAIT, 2, 21);
    ck_assert_uint_eq(take(cube), UINT64_MAX);
    ck_assert_int_eq(CrossPairsEnd(pairs), OPPROF_OK);
    ck_assert_ptr_eq(CrossPairsLine(pairs, 0), cube); /* by name */
    ck_assert_ptr_eq(CrossPairsLine(pairs, 1), vector);
    ck_assert_ptr_null(CrossPairsLine(pairs, 2));
    ck_assert_uint_eq(take(cube), 11);
    ck_assert_uint_eq(take(cube), UINT64_MAX);
    ck_assert_uint_eq(CrossPairsForgotten(pairs), 0);
}
END_TEST

static void check_same_id(const CrossEnd *a, const CrossEnd *b)
{
    char text_a[CROSS_ID_SIZE], text_b[CROSS_ID_SIZE];
    const size_t length = CrossIdPut(cube, &a->half, a->number, text_a);

    ck_assert_uint_eq(CrossIdPut(vector, &b->half, b->number, text_b), length);
    ck_assert_mem_eq(text_a, text_b, length);
}

START_TEST(both_ends_have_one_id_and_name_both_lanes)
{
    CrossEnd set, wait;

    meet(cube, CROSS_WAIT, 7, 1);
    meet(vector, CROSS_SET, 7, 2);
    ck_assert(CrossPairsTake(pairs, cube, &wait) && CrossPairsTake(pairs, vector, &set));
    check_same_id(&wait, &set);
    ck_assert_uint_eq(set.from_lane, 0);
    ck_assert_uint_eq(set.to_lane, 1);
    ck_assert_uint_eq(wait.from_lane, 0);
    ck_assert_uint_eq(wait.to_lane, 1);
}
END_TEST

START_TEST(a_core_of_no_block_has_no_arrows)
{
    CrossLine *odd = CrossPairsAdd(pairs, "core1");
    const CrossHalf half = { .sync_id = 1, .rule = rule, .kind = CROSS_SET };
    char first[CROSS_ID_SIZE] = { 0 }, second[CROSS_ID_SIZE] = { 0 };

    ck_assert_ptr_nonnull(odd);
    CrossIdPut(odd, &half, meet(odd, CROSS_SET, 1, 1), first);
    CrossIdPut(odd, &half, meet(odd, CROSS_SET, 1, 2), second);
    ck_assert_str_ne(first, second);
    ck_assert_int_eq(CrossPairsEnd(pairs), OPPROF_OK);
    ck_assert_uint_eq(take(odd), UINT64_MAX);
}
END_TEST

/* Each core's rows, as often as it can; what was taken goes to a list. */
typedef struct Runner {
    CrossLine *line;
    CrossKind kind;
    uint64_t numbers[MANY];
    uint64_t taken[MANY];
    size_t count;
} Runner;

static void take_all(Runner *runner)
{
    CrossEnd end;

    while (CrossPairsTake(pairs, runner->line, &end)) {
        runner->taken[runner->count++] = end.half.time;
    }
}

static void *run(void *context)
{
    Runner *runner = context;

    for (uint64_t i = 0; i < MANY; i++) {
        const CrossHalf half = { .time = i, .sync_id = i % 5, .rule = rule, .kind = runner->kind };

        if (CrossPairsMeet(pairs, runner->line, &half, &runner->numbers[i]) != OPPROF_OK) {
            return NULL;
        }
        take_all(runner);
    }
    return runner;
}

START_TEST(two_threads_give_what_one_would)
{
    static Runner set, wait;
    pthread_t threads[2];
    void *result;

    set = (Runner){ .line = cube, .kind = CROSS_SET };
    wait = (Runner){ .line = vector, .kind = CROSS_WAIT };
    ck_assert_int_eq(pthread_create(&threads[0], NULL, run, &set), 0);
    ck_assert_int_eq(pthread_create(&threads[1], NULL, run, &wait), 0);
    for (size_t i = 0; i < 2; i++) {
        ck_assert_int_eq(pthread_join(threads[i], &result), 0);
        ck_assert_ptr_nonnull(result);
    }
    ck_assert_int_eq(CrossPairsEnd(pairs), OPPROF_OK);
    take_all(&set);
    take_all(&wait);
    ck_assert_uint_eq(set.count, MANY);
    ck_assert_uint_eq(wait.count, MANY);
    for (uint64_t i = 0; i < MANY; i++) {
        ck_assert_uint_eq(set.taken[i], i);
        ck_assert_uint_eq(wait.taken[i], i);
        ck_assert_uint_eq(set.numbers[i], i / 5);
        ck_assert_uint_eq(wait.numbers[i], i / 5);
    }
}
END_TEST

static Suite *cross_pairs_suite(void)
{
    Suite *suite = suite_create("cross_pairs");
    TCase *tcase = tcase_create("cross pairs");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, an_end_waits_for_those_before_it);
    tcase_add_test(tcase, an_end_without_partner_gives_way_at_the_end);
    tcase_add_test(tcase, both_ends_have_one_id_and_name_both_lanes);
    tcase_add_test(tcase, a_core_of_no_block_has_no_arrows);
    tcase_add_test(tcase, two_threads_give_what_one_would);
    tcase_set_timeout(tcase, 1800);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(cross_pairs_suite)
