/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of core/plugin/rehearsal.c. */
#include "plugin/rehearsal.h"

#include "tests/core/suites.h"

#include <check.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static OpprofError *error;

static void teardown(void)
{
    OpprofErrorDestroy(error);
    error = NULL;
}

static OpprofStatus rehearse(const char *module)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/%s.so", getenv("TEST_MODULES"), module);
    return RehearseModule(path, 1, &error);
}

static void expect_reason(const char *module, const char *reason)
{
    ck_assert_int_eq(rehearse(module), OPPROF_E_LOAD);
    ck_assert_msg(strstr(OpprofErrorMessage(error), reason) != NULL, "%s",
                  OpprofErrorMessage(error));
    ck_assert_ptr_nonnull(OpprofErrorGetHint(error));
}

START_TEST(a_module_that_loads_passes)
{
    ck_assert_int_eq(rehearse("good"), OPPROF_OK);
}
END_TEST

START_TEST(what_the_dynamic_linker_refuses_is_not_said_here)
{
    ck_assert_int_eq(rehearse("missing-function"), OPPROF_OK);
    ck_assert_int_eq(rehearse("no-such-module"), OPPROF_OK);
}
END_TEST

START_TEST(a_crash_at_start_up_is_told_with_the_signal)
{
    expect_reason("crash-at-load", "It crashes when it is loaded: Segmentation fault");
}
END_TEST

START_TEST(an_exit_at_start_up_is_told)
{
    expect_reason("exit-at-load", "Its start-up code ends the program");
}
END_TEST

/* 127 is what ld.so ends a process with, also when an allocation of its own fails. */
START_TEST(an_end_by_the_dynamic_linker_is_no_fault_of_the_module)
{
    ck_assert_int_eq(rehearse("linker-exit-at-load"), OPPROF_E_MEMORY);
    ck_assert_ptr_nonnull(strstr(OpprofErrorMessage(error), "The dynamic linker ends the process"));
    ck_assert_ptr_nonnull(strstr(OpprofErrorGetHint(error), "damaged"));
}
END_TEST

START_TEST(a_start_up_that_hangs_is_ended)
{
    expect_reason("hang-at-load", "Its start-up code does not come back within 1 s");
}
END_TEST

/* If it was tried again, the alarm would come a hundred years later. */
START_TEST(what_hung_once_is_not_tried_again)
{
    char path[4096];

    expect_reason("hang-at-load", "Its start-up code does not come back within 1 s");
    teardown();
    snprintf(path, sizeof path, "%s/hang-at-load.so", getenv("TEST_MODULES"));
    ck_assert_int_eq(RehearseModule(path, UINT_MAX, &error), OPPROF_E_LOAD);
    ck_assert_ptr_nonnull(strstr(OpprofErrorMessage(error), "does not come back"));
}
END_TEST

static Suite *rehearsal_suite(void)
{
    Suite *suite = suite_create("rehearsal");
    TCase *tcase = tcase_create("rehearsal");

    tcase_set_timeout(tcase, 1800);
    tcase_add_checked_fixture(tcase, NULL, teardown);
    tcase_add_test(tcase, a_module_that_loads_passes);
    tcase_add_test(tcase, what_the_dynamic_linker_refuses_is_not_said_here);
    tcase_add_test(tcase, a_crash_at_start_up_is_told_with_the_signal);
    tcase_add_test(tcase, an_exit_at_start_up_is_told);
    tcase_add_test(tcase, an_end_by_the_dynamic_linker_is_no_fault_of_the_module);
    tcase_add_test(tcase, a_start_up_that_hangs_is_ended);
    tcase_add_test(tcase, what_hung_once_is_not_tried_again);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(rehearsal_suite)
