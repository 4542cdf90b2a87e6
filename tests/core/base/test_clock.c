/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of core/base/clock.c. */
#include <opprof/clock.h>

#include "tests/core/suites.h"

#include <check.h>
#include <stdlib.h>

START_TEST(whole_periods_are_exact)
{
    const OpprofClock core = { .name = "core", .hz = UINT64_C(1850000000), .offset_ps = 0 };
    const OpprofClock nanoseconds = { .name = "ns", .hz = UINT64_C(1000000000), .offset_ps = 0 };

    /* 37 ticks of 1850 MHz are 20 ns. */
    ck_assert_int_eq(OpprofClockPicoseconds(&core, 37), 20000);
    ck_assert_int_eq(OpprofClockPicoseconds(&core, 37 * UINT64_C(1000000000)), 20000000000000);
    ck_assert_int_eq(OpprofClockPicoseconds(&nanoseconds, 123), 123000);
    ck_assert_int_eq(OpprofClockDuration(&core, 0), 0);
}
END_TEST

START_TEST(halves_are_rounded_up)
{
    const OpprofClock fast = { .name = "2 THz", .hz = UINT64_C(2000000000000), .offset_ps = 0 };
    const OpprofClock core = { .name = "core", .hz = UINT64_C(1850000000), .offset_ps = 0 };

    ck_assert_int_eq(OpprofClockDuration(&fast, 1), 1); /* 0.5 ps */
    ck_assert_int_eq(OpprofClockDuration(&fast, 2), 1);
    ck_assert_int_eq(OpprofClockDuration(&fast, 3), 2);    /* 1.5 ps */
    ck_assert_int_eq(OpprofClockDuration(&core, 1), 541);  /* 540.54… ps */
    ck_assert_int_eq(OpprofClockDuration(&core, 2), 1081); /* 1081.08… ps */
}
END_TEST

START_TEST(offsets_shift_either_way)
{
    const OpprofClock late = { .name = "late", .hz = 1000000, .offset_ps = 5 };
    const OpprofClock early = { .name = "early", .hz = 1000000, .offset_ps = -2500000 };

    ck_assert_int_eq(OpprofClockPicoseconds(&late, 3), 3000005);
    ck_assert_int_eq(OpprofClockDuration(&late, 3), 3000000);
    ck_assert_int_eq(OpprofClockPicoseconds(&early, 2), -500000);
    ck_assert_int_eq(OpprofClockPicoseconds(&early, 0), -2500000);
}
END_TEST

START_TEST(large_counts_do_not_overflow)
{
    /* 2^63 - 1 ps are 9223372036854775807 ticks of 1 THz. */
    const OpprofClock picoseconds = { .name = "ps", .hz = UINT64_C(1000000000000), .offset_ps = 0 };
    const OpprofClock shifted = { .name = "ps", .hz = UINT64_C(1000000000000), .offset_ps = -100 };
    const OpprofClock ahead = { .name = "ps", .hz = UINT64_C(1000000000000), .offset_ps = 100 };
    const OpprofClock fastest = { .name = "fastest", .hz = UINT64_MAX, .offset_ps = 0 };
    const OpprofClock slowest = { .name = "slowest", .hz = 1, .offset_ps = INT64_MIN };

    ck_assert_int_eq(OpprofClockPicoseconds(&picoseconds, INT64_MAX), INT64_MAX);
    ck_assert_int_eq(OpprofClockPicoseconds(&picoseconds, (uint64_t) INT64_MAX + 1), INT64_MAX);
    ck_assert_int_eq(OpprofClockPicoseconds(&picoseconds, UINT64_MAX), INT64_MAX);
    ck_assert_int_eq(OpprofClockPicoseconds(&shifted, (uint64_t) INT64_MAX + 10), INT64_MAX - 90);
    ck_assert_int_eq(OpprofClockPicoseconds(&ahead, INT64_MAX - 99), INT64_MAX);
    ck_assert_int_eq(OpprofClockDuration(&shifted, UINT64_MAX), INT64_MAX);
    ck_assert_int_eq(OpprofClockDuration(&fastest, UINT64_MAX), 1000000000000);
    ck_assert_int_eq(OpprofClockPicoseconds(&slowest, 0), INT64_MIN);
    ck_assert_int_eq(OpprofClockPicoseconds(&slowest, UINT64_MAX), INT64_MAX);
}
END_TEST

START_TEST(agrees_with_long_division)
{
    /* Computed with Python's integers: (2 * ticks * 10**12 + hz) // (2 * hz). */
    static const struct {
        uint64_t hz;
        uint64_t ticks;
        int64_t picoseconds;
    } known[] = {
        { 1850000000, 123456789012345, 66733399466132432 },
        { 1800000000, 7, 3889 },
        { 1650000000, 999999999999, 606060606060000 },
        { 48000000, 4611686018427, 96076792050562500 },
        { 50000000, 18446744073, 368934881460000 },
        { 3, 1, 333333333333 },
        { 7, 13, 1857142857143 },
    };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const OpprofClock clock = { .name = "c", .hz = known[i].hz, .offset_ps = 0 };
        ck_assert_int_eq(OpprofClockDuration(&clock, known[i].ticks), known[i].picoseconds);
    }
}
END_TEST

START_TEST(a_clock_without_frequency_divides_by_nothing)
{
    const OpprofClock broken = { .name = "broken", .hz = 0, .offset_ps = 0 };

    ck_assert_int_eq(OpprofClockPicoseconds(&broken, 1), INT64_MAX);
    ck_assert_int_eq(OpprofClockDuration(&broken, 1), INT64_MAX);
}
END_TEST

static Suite *clock_suite(void)
{
    Suite *suite = suite_create("clock");
    TCase *tests = tcase_create("clock");

    tcase_add_test(tests, whole_periods_are_exact);
    tcase_add_test(tests, halves_are_rounded_up);
    tcase_add_test(tests, offsets_shift_either_way);
    tcase_add_test(tests, large_counts_do_not_overflow);
    tcase_add_test(tests, agrees_with_long_division);
    tcase_add_test(tests, a_clock_without_frequency_divides_by_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(clock_suite)
