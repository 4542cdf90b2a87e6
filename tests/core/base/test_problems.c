/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of core/base/problems.c. */
#include "base/problems.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static Problems problems;
static OpprofError *error;

static void setup(void)
{
    problems = (Problems){ 0 };
    error = NULL;
}

static void teardown(void)
{
    ProblemsFinish(&problems);
    OpprofErrorDestroy(error);
}

START_TEST(no_problem_is_no_error)
{
    ck_assert(ProblemsNone(&problems));
    ck_assert_int_eq(ProblemsToError(&problems, "It", &error), OPPROF_OK);
    ck_assert_ptr_null(error);
}
END_TEST

START_TEST(one_problem_is_one_mistake)
{
    ProblemsAdd(&problems, "/a", "%d is %s.", 5, "odd");
    ck_assert(!ProblemsNone(&problems));
    ck_assert_int_eq(ProblemsToError(&problems, "Pipeline 'x'", &error), OPPROF_E_ARGUMENT);
    ck_assert_int_eq(OpprofErrorStatus(error), OPPROF_E_ARGUMENT);
    ck_assert_str_eq(OpprofErrorMessage(error), "Pipeline 'x' has 1 mistake:\n  /a: 5 is odd.");
}
END_TEST

START_TEST(all_problems_are_one_error_in_order)
{
    ProblemsAdd(&problems, "/a", "first.");
    ProblemsAdd(&problems, NULL, "second.");
    ProblemsAdd(&problems, "/c", "third.");
    ck_assert_int_eq(ProblemsToErrorAs(&problems, OPPROF_E_LOAD, "It", &error), OPPROF_E_LOAD);
    ck_assert_str_eq(OpprofErrorMessage(error),
                     "It has 3 mistakes:\n  /a: first.\n  second.\n  /c: third.");
}
END_TEST

START_TEST(an_error_of_several_lines_stays_together)
{
    ProblemsAdd(&problems, "/a", "%s", "outer\n  because: inner\n  hint: do");
    ProblemsToError(&problems, "It", &error);
    ck_assert_str_eq(OpprofErrorMessage(error),
                     "It has 1 mistake:\n  /a: outer\n    because: inner\n    hint: do");
}
END_TEST

START_TEST(control_characters_do_not_reach_terminals)
{
    ProblemsAdd(&problems, "/\x1b[2J", "a\tb\nc\n d\x7f é.");
    ck_assert_str_eq(problems.lines[0], "/?[2J: a?b?c? d? é.");
}
END_TEST

START_TEST(a_line_without_end_is_cut_between_characters)
{
    char *text = calloc(1, 3 * PROBLEMS_LINE);

    /* two bytes a character, one byte off the limit */
    ck_assert_ptr_nonnull(text);
    text[0] = 'x';
    for (size_t i = 0; i < PROBLEMS_LINE; i++) {
        memcpy(text + 1 + 2 * i, "é", 2);
    }
    ProblemsAdd(&problems, NULL, "%s", text);
    ck_assert_uint_eq(strlen(problems.lines[0]), PROBLEMS_LINE - 1);
    ck_assert_int_eq(memcmp(problems.lines[0], text, PROBLEMS_LINE - 1), 0);
    free(text);
}
END_TEST

START_TEST(only_the_first_hundred_are_kept)
{
    char *wanted;
    const char *message;

    for (int i = 0; i < PROBLEMS_KEPT + 7; i++) {
        ProblemsAdd(&problems, NULL, "problem %d.", i);
    }
    ProblemsAddName(&problems, NULL, "no x", "x", &(NameList){ "Known", NULL, 0 });
    ck_assert_uint_eq(problems.kept, PROBLEMS_KEPT);
    ck_assert_uint_eq(problems.count, PROBLEMS_KEPT + 8);
    ProblemsToError(&problems, "It", &error);
    message = OpprofErrorMessage(error);
    wanted = ProblemText("It has 108 mistakes:\n  problem 0.\n");
    ck_assert_int_eq(strncmp(message, wanted, strlen(wanted)), 0);
    free(wanted);
    wanted = ProblemText("\n  problem 99.\n  … and 8 more");
    ck_assert_str_eq(message + strlen(message) - strlen(wanted), wanted);
    free(wanted);
}
END_TEST

START_TEST(lost_lines_are_no_all_clear)
{
    problems.no_memory = true;
    ck_assert(!ProblemsNone(&problems));
    ck_assert_int_eq(ProblemsToError(&problems, "It", &error), OPPROF_E_MEMORY);
    ck_assert_str_eq(OpprofErrorLine(error), "Cannot check it: out of memory");
}
END_TEST

START_TEST(a_subject_without_memory_has_no_name)
{
    problems.no_memory = true;
    ck_assert_int_eq(ProblemsToError(&problems, "", &error), OPPROF_E_MEMORY);
    ck_assert_str_eq(OpprofErrorLine(error), "Cannot say what is wrong: out of memory");
}
END_TEST

START_TEST(what_had_no_memory_is_named)
{
    ProblemsAdd(&problems, "/x", "wrong.");
    ProblemsFault(&problems, OPPROF_E_MEMORY, "/stages/0 (stage 'a')",
                  "Cannot read 'b': out of memory");
    ProblemsFault(&problems, OPPROF_E_MEMORY, "/stages/1 (stage 'c')",
                  "Cannot read 'd': out of memory");
    ck_assert_int_eq(ProblemsToError(&problems, "Pipeline 'p'", &error), OPPROF_E_MEMORY);
    ck_assert_str_eq(OpprofErrorLine(error),
                     "Cannot check pipeline 'p': /stages/0 (stage 'a'): Cannot read 'b': "
                     "out of memory");
}
END_TEST

START_TEST(a_fault_is_no_mistake)
{
    ProblemsFault(&problems, OPPROF_E_CRASH, "/stages/0 (stage 'a')", "It hangs");
    ck_assert(!ProblemsNone(&problems));
    ck_assert_int_eq(ProblemsToError(&problems, "Pipeline 'p'", &error), OPPROF_E_CRASH);
    ck_assert_str_eq(OpprofErrorLine(error),
                     "Cannot check pipeline 'p': /stages/0 (stage 'a'): It hangs");
}
END_TEST

START_TEST(wrong_names_come_with_the_right_ones)
{
    static const char *const names[] = { "alpha", NULL, "beta" };

    ProblemsAddName(&problems, "/x", "no thing 'alhpa'", "alhpa",
                    &(NameList){ "Things", names, 3 });
    ProblemsAddName(&problems, "/x", "no thing 'zzzzzz'", "zzzzzz",
                    &(NameList){ "Things", names, 3 });
    ProblemsAddName(&problems, "/x", "no thing 'a'", "a", &(NameList){ "Things", names, 3 });
    ProblemsAddName(&problems, "/x", "no thing 'a'", "a", &(NameList){ "Things", NULL, 0 });
    ck_assert_str_eq(problems.lines[0],
                     "/x: no thing 'alhpa'. Did you mean 'alpha'? Things: alpha, beta.");
    ck_assert_str_eq(problems.lines[1], "/x: no thing 'zzzzzz'. Things: alpha, beta.");
    ck_assert_str_eq(problems.lines[2], "/x: no thing 'a'. Things: alpha, beta.");
    ck_assert_str_eq(problems.lines[3], "/x: no thing 'a'. Things: none.");
}
END_TEST

START_TEST(pointers_are_escaped)
{
    ck_assert_str_eq(ProblemsPointer(&problems, "/vars", "a/b~c"), "/vars/a~1b~0c");
    ck_assert_str_eq(ProblemsPointer(&problems, "", ""), "/");
    ck_assert_str_eq(ProblemsText(&problems, "%s %d", "number", 7), "number 7");
    ck_assert(ProblemsNone(&problems));
}
END_TEST

static Suite *problems_suite(void)
{
    Suite *suite = suite_create("problems");
    TCase *tcase = tcase_create("lists");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, no_problem_is_no_error);
    tcase_add_test(tcase, one_problem_is_one_mistake);
    tcase_add_test(tcase, all_problems_are_one_error_in_order);
    tcase_add_test(tcase, an_error_of_several_lines_stays_together);
    tcase_add_test(tcase, control_characters_do_not_reach_terminals);
    tcase_add_test(tcase, a_line_without_end_is_cut_between_characters);
    tcase_add_test(tcase, only_the_first_hundred_are_kept);
    tcase_add_test(tcase, lost_lines_are_no_all_clear);
    tcase_add_test(tcase, a_subject_without_memory_has_no_name);
    tcase_add_test(tcase, what_had_no_memory_is_named);
    tcase_add_test(tcase, a_fault_is_no_mistake);
    tcase_add_test(tcase, wrong_names_come_with_the_right_ones);
    tcase_add_test(tcase, pointers_are_escaped);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(problems_suite)
