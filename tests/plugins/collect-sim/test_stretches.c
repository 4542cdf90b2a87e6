/* SPDX-License-Identifier: Apache-2.0 */
/* Two logs by stretches of time: where one of them is silent. */
#include "plugins/collect-sim/pairing/stretches.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdlib.h>

static Stretches stretches;

/* An instruction starts at each `step`-th tick and retires 5 ticks later; the popped log lacks
 * those from `gap` until `end`. */
static void run(uint64_t begin, uint64_t count, uint64_t step, uint64_t gap, uint64_t end)
{
    stretches = (Stretches){ .shift = 0 };
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t tick = begin + i * step;
        if (tick < gap || tick >= end) {
            StretchesAdd(&stretches, STRETCH_POPPED, tick, 4 * (i % 50));
        }
    }
    for (uint64_t i = 0; i < count; i++) {
        StretchesAdd(&stretches, STRETCH_INSTR, begin + i * step + 5, 4 * (i % 50));
    }
}

static bool lacks(StretchLog log, uint64_t most, uint64_t *from, uint64_t *until)
{
    return StretchesLack(&stretches, log, most, from, until);
}

START_TEST(whole_logs_are_never_silent)
{
    uint64_t from, until;

    for (uint64_t step = 1; step < 1000000; step *= 7) {
        run(123456789, 3000, step, UINT64_MAX, 0);
        /* What has started when the popped log ends, and before the instr log begins. */
        ck_assert(!lacks(STRETCH_POPPED, 5, &from, &until));
        ck_assert(!lacks(STRETCH_INSTR, 5, &from, &until));
    }
}
END_TEST

START_TEST(a_part_that_is_missing_is_found_to_the_tick)
{
    uint64_t from = 0, until = 0;

    run(1000, 1000, 2, 1500, 1700);
    /* Ticks 1505 to 1703 have ends; popped ones are at 1498 and 1700. */
    ck_assert(lacks(STRETCH_POPPED, 64, &from, &until));
    ck_assert_uint_eq(from, 1499);
    ck_assert_uint_eq(until, 1700);
    ck_assert(!lacks(STRETCH_POPPED, 101, &from, &until)); /* at 1499, 1501 … 1699 */
    ck_assert(!lacks(STRETCH_INSTR, 64, &from, &until));
}
END_TEST

START_TEST(longer_runs_have_longer_stretches)
{
    uint64_t from = 0, until = 0;

    for (uint64_t step = 3; step < UINT64_C(1) << 40; step *= 11) {
        run(7, 20000, step, 7 + 9000 * step, 7 + 9500 * step);
        ck_assert(lacks(STRETCH_POPPED, 400, &from, &until));
        ck_assert_uint_ge(from, 7 + 8999 * step);
        ck_assert_uint_le(from, 7 + 9010 * step);
        ck_assert_uint_ge(until, 7 + 9490 * step);
        ck_assert_uint_le(until, 7 + 9500 * step);
        ck_assert(!lacks(STRETCH_POPPED, 502, &from, &until));
    }
}
END_TEST

START_TEST(parts_of_an_instruction_and_lines_that_are_left_out_are_no_instructions)
{
    uint64_t from, until;

    stretches = (Stretches){ .shift = 0 };
    StretchesAdd(&stretches, STRETCH_POPPED, 10, 4);
    for (uint64_t tick = 11; tick < 200; tick++) {
        StretchesAdd(&stretches, STRETCH_INSTR, tick, 4);
    }
    ck_assert(!lacks(STRETCH_POPPED, 1, &from, &until));
    /* A log that only waits is not silent, but nothing the other must have. */
    for (uint64_t tick = 300; tick < 500; tick++) {
        StretchesSee(&stretches, STRETCH_POPPED, tick);
    }
    ck_assert(!lacks(STRETCH_INSTR, 1, &from, &until));
    for (uint64_t tick = 300; tick < 500; tick++) {
        StretchesAdd(&stretches, STRETCH_INSTR, tick, tick);
    }
    ck_assert(!lacks(STRETCH_POPPED, 1, &from, &until));
}
END_TEST

START_TEST(ticks_may_go_back_and_be_as_large_as_can_be)
{
    uint64_t from, until;

    stretches = (Stretches){ .shift = 0 };
    StretchesAdd(&stretches, STRETCH_POPPED, 1000, 4);
    StretchesAdd(&stretches, STRETCH_INSTR, 3, 4);
    StretchesAdd(&stretches, STRETCH_INSTR, UINT64_MAX, 8);
    StretchesAdd(&stretches, STRETCH_POPPED, 0, 8);
    ck_assert(!lacks(STRETCH_INSTR, 0, &from, &until));
    ck_assert(lacks(STRETCH_POPPED, 0, &from, &until));
    ck_assert_uint_gt(until, from);
}
END_TEST

static Suite *stretches_suite(void)
{
    Suite *suite = suite_create("stretches");
    TCase *tcase = tcase_create("stretches");

    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, whole_logs_are_never_silent);
    tcase_add_test(tcase, a_part_that_is_missing_is_found_to_the_tick);
    tcase_add_test(tcase, longer_runs_have_longer_stretches);
    tcase_add_test(tcase, parts_of_an_instruction_and_lines_that_are_left_out_are_no_instructions);
    tcase_add_test(tcase, ticks_may_go_back_and_be_as_large_as_can_be);
    return suite;
}
TEST_SUITE(stretches_suite)
