/* SPDX-License-Identifier: Apache-2.0 */
/* The L2 cache of a device that several streams use at once: what a launch finds is whole. */
#include "refchip/chip/l2.h"
#include <check.h>
#include <pthread.h>
#include <stdlib.h>

#define ROUNDS 300u

static uint64_t tags[2][L2_LINES];

/* A stream whose launches touch every line, again and again. */
static void *merge(void *number)
{
    for (uint32_t i = 0; i < ROUNDS; i++) {
        L2Merge(0, tags[(uintptr_t) number]);
    }
    return NULL;
}

START_TEST(a_launch_finds_the_cache_as_one_launch_left_it)
{
    static uint64_t found[L2_LINES];
    pthread_t threads[2];

    for (uint32_t i = 0; i < L2_LINES; i++) {
        tags[0][i] = i + 1;
        tags[1][i] = L2_LINES + i + 1;
    }
    L2Merge(0, tags[0]);
    for (uintptr_t i = 0; i < 2; i++) {
        ck_assert_int_eq(pthread_create(&threads[i], NULL, merge, (void *) i), 0);
    }
    for (uint32_t round = 0; round < ROUNDS; round++) {
        L2Read(0, found);
        const uint64_t *whole = tags[found[0] == tags[0][0] ? 0 : 1];

        for (uint32_t i = 0; i < L2_LINES; i++) {
            ck_assert_uint_eq(found[i], whole[i]);
        }
    }
    for (unsigned i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
}
END_TEST

START_TEST(copies_leave_lines_and_other_devices_alone)
{
    static uint64_t found[L2_LINES];

    L2Copy(1, 4 * L2_LINE, 2 * L2_LINE, false);
    L2Read(1, found);
    ck_assert_uint_eq(found[3], 0);
    ck_assert_uint_eq(found[4], 5);
    ck_assert_uint_eq(found[5], 6);
    ck_assert_uint_eq(found[6], 0);
    L2Read(2, found);
    ck_assert_uint_eq(found[4], 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("refchip/l2");
    TCase *tests = tcase_create("l2");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_set_timeout(tests, 1800);
    tcase_add_test(tests, a_launch_finds_the_cache_as_one_launch_left_it);
    tcase_add_test(tests, copies_leave_lines_and_other_devices_alone);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
