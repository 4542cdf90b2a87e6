/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks of devices against the host's: with a distance, without, and with drift. */
#include "plugins/collect-opencl/clock.h"

#include "tests/core/suites.h"

#include <check.h>

#define MS INT64_C(1000000)

/* A command at host time `host`, whose call took 2 `half` ns around the stamp of a device whose
 * clock is `ahead` ns before the host's. */
static ClockBound bound_of(int64_t host, int64_t ahead, int64_t half)
{
    return (ClockBound){ .time = (uint64_t) (host + ahead),
                         .least = -ahead - half,
                         .most = -ahead + half };
}

START_TEST(a_clock_that_may_be_the_hosts_is_the_hosts)
{
    ClockBound bounds[] = { bound_of(5 * MS, 3, 20), bound_of(7 * MS, -2, 9) };
    ClockFit fit;

    ck_assert(ClockFitMake(bounds, 2, &fit));
    ck_assert(fit.is_host && !fit.drifts && !fit.is_vague);
    ck_assert_int_eq(ClockHost(&fit, 123), 123);
    ck_assert_uint_eq(fit.error, 11); /* of -23 to 17 and -7 to 11 what both have */
    ClockFitFinish(&fit);
}
END_TEST

START_TEST(the_distance_is_in_what_all_commands_allow)
{
    ClockBound bounds[] = { bound_of(9 * MS, 1000, 40), bound_of(5 * MS, 1010, 30),
                            bound_of(7 * MS, 990, 80) };
    ClockFit fit;

    ck_assert(ClockFitMake(bounds, 3, &fit));
    ck_assert(!fit.is_host && !fit.drifts);
    /* -1040 to -960, -1040 to -980, -1070 to -910: -1040 to -980 */
    ck_assert_int_eq(ClockHost(&fit, 2010), 1000);
    ck_assert_uint_eq(fit.error, 30);
    ClockFitFinish(&fit);
}
END_TEST

/* 50 parts in a million: the device gains 50 us a second. */
START_TEST(a_clock_that_drifts_is_followed)
{
    ClockBound bounds[2000];
    ClockFit fit;

    for (int64_t i = 0; i < 2000; i++) {
        const int64_t host = (1999 - i) * MS; /* in any order */

        bounds[i] = bound_of(host, 7000 + host * 50 / 1000000, 2000 + i % 7 * 500);
    }
    ck_assert(ClockFitMake(bounds, 2000, &fit));
    ck_assert(fit.drifts && !fit.is_vague && !fit.is_host);
    ck_assert_uint_gt(fit.count, 10);
    for (int64_t host = 100 * MS; host < 1900 * MS; host += 37 * MS) {
        const int64_t found = ClockHost(&fit, (uint64_t) (host + 7000 + host * 50 / 1000000));

        ck_assert_int_le(found - host, (int64_t) fit.error);
        ck_assert_int_ge(found - host, -(int64_t) fit.error);
    }
    ck_assert_uint_le(fit.error, 10000);
    ClockFitFinish(&fit);
}
END_TEST

START_TEST(stamps_outside_of_their_calls_are_vague)
{
    ClockBound bounds[100];
    ClockFit fit;

    for (int64_t i = 0; i < 100; i++) {
        bounds[i] = bound_of(i * MS, i % 2 == 0 ? 0 : 500000, 1000);
    }
    ck_assert(ClockFitMake(bounds, 100, &fit));
    ck_assert(fit.is_vague);
    ck_assert_uint_ge(fit.error, 250000);
    ClockFitFinish(&fit);
}
END_TEST

START_TEST(without_commands_nothing_is_known)
{
    ClockFit fit;

    ck_assert(ClockFitMake(NULL, 0, &fit));
    ck_assert_uint_eq(fit.error, UINT64_MAX);
    ck_assert_int_eq(ClockHost(&fit, 77), 77);
    ClockFitFinish(&fit);
}
END_TEST

static Suite *clock_suite(void)
{
    Suite *suite = suite_create("opencl_clock");
    TCase *tests = tcase_create("opencl_clock");

    tcase_add_test(tests, a_clock_that_may_be_the_hosts_is_the_hosts);
    tcase_add_test(tests, the_distance_is_in_what_all_commands_allow);
    tcase_add_test(tests, a_clock_that_drifts_is_followed);
    tcase_add_test(tests, stamps_outside_of_their_calls_are_vague);
    tcase_add_test(tests, without_commands_nothing_is_known);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(clock_suite)
