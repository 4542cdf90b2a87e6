/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of core/base/error.c. */
#include <opprof/error.h>
#include <opprof/version.h>

#include "tests/core/base/failing_alloc.h"
#include "tests/core/suites.h"

#include <check.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool lacks_streams;

/* In place of the C library's, whose allocations no test can let fail. */
FILE *fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions)
{
    FILE *(*real)(void *, const char *, cookie_io_functions_t) = NULL;

    *(void **) &real = dlsym(RTLD_NEXT, "fopencookie");
    return lacks_streams ? NULL : real(cookie, mode, functions);
}

static OpprofStatus open_three(OpprofError **error)
{
    OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s': %s", "a.dump", "No such device");
    OpprofErrorHint(error, "plug it in");
    OpprofErrorWrap(error, "core %d has no data", 7);
    OpprofErrorSet(error, OPPROF_E_DATA, "cannot draw the timeline");
    OpprofErrorHint(error, "give another dump");
    return OpprofErrorStatus(*error);
}

START_TEST(set_returns_its_status_and_keeps_the_message)
{
    OpprofError *error = NULL;

    ck_assert_int_eq(OpprofErrorSet(&error, OPPROF_E_LIMIT, "%d of %d", 3, 4), OPPROF_E_LIMIT);
    ck_assert_int_eq(OpprofErrorStatus(error), OPPROF_E_LIMIT);
    ck_assert_str_eq(OpprofErrorMessage(error), "3 of 4");
    ck_assert_ptr_null(OpprofErrorGetHint(error));
    ck_assert_ptr_null(OpprofErrorCause(error));
    OpprofErrorDestroy(error);
}
END_TEST

START_TEST(nobody_has_to_want_the_error)
{
    ck_assert_int_eq(OpprofErrorSet(NULL, OPPROF_E_IO, "lost"), OPPROF_E_IO);
    ck_assert_int_eq(OpprofErrorWrap(NULL, "lost"), OPPROF_OK);
    OpprofErrorHint(NULL, "lost");
    ck_assert_int_eq(OpprofErrorStatus(NULL), OPPROF_OK);
    ck_assert_str_eq(OpprofErrorMessage(NULL), "");
    ck_assert_ptr_null(OpprofErrorGetHint(NULL));
    ck_assert_ptr_null(OpprofErrorCause(NULL));
    OpprofErrorDestroy(NULL);
    char *text = OpprofErrorText(NULL, true);
    ck_assert_str_eq(text, "");
    free(text);
}
END_TEST

START_TEST(wrap_of_nothing_stays_nothing)
{
    OpprofError *error = NULL;

    ck_assert_int_eq(OpprofErrorWrap(&error, "context"), OPPROF_OK);
    OpprofErrorHint(&error, "do this");
    ck_assert_ptr_null(error);
}
END_TEST

START_TEST(a_failed_call_is_explained_with_its_reason_or_its_status)
{
    OpprofError *error = NULL;

    ck_assert_int_eq(OpprofErrorExplain(&error, OPPROF_CLOSED, "Cannot read '%s'", "x"),
                     OPPROF_CLOSED);
    ck_assert_ptr_null(error);
    ck_assert_int_eq(OpprofErrorExplain(NULL, OPPROF_E_DATA, "lost"), OPPROF_E_DATA);
    ck_assert_int_eq(OpprofErrorExplain(&error, OPPROF_E_LIMIT, "Cannot read '%s'", "x"),
                     OPPROF_E_LIMIT);
    ck_assert_str_eq(OpprofErrorMessage(error), "Cannot read 'x': limit passed");
    ck_assert_ptr_null(OpprofErrorCause(error));
    ck_assert_int_eq(OpprofErrorExplain(&error, OPPROF_E_LIMIT, "Cannot start %d", 7),
                     OPPROF_E_LIMIT);
    ck_assert_str_eq(OpprofErrorMessage(error), "Cannot start 7");
    ck_assert_str_eq(OpprofErrorMessage(OpprofErrorCause(error)), "Cannot read 'x': limit passed");
    OpprofErrorDestroy(error);
}
END_TEST

START_TEST(text_is_outermost_first_then_the_hints)
{
    OpprofError *error = NULL;

    ck_assert_int_eq(open_three(&error), OPPROF_E_DATA);
    char *text = OpprofErrorText(error, false);
    ck_assert_str_eq(text, "cannot draw the timeline\n"
                           "  because: core 7 has no data\n"
                           "  because: Cannot read 'a.dump': No such device\n"
                           "  hint: give another dump\n"
                           "  hint: plug it in");
    free(text);
    const OpprofError *cause = OpprofErrorCause(error);
    ck_assert_int_eq(OpprofErrorStatus(cause), OPPROF_E_IO); /* kept by the wrap */
    ck_assert_str_eq(OpprofErrorGetHint(OpprofErrorCause(cause)), "plug it in");
    OpprofErrorDestroy(error);
}
END_TEST

START_TEST(a_reason_is_handed_on_whole)
{
    OpprofError *error = NULL;
    OpprofError *reason = NULL;

    ck_assert_int_eq(OpprofErrorPass(&error, NULL), OPPROF_OK);
    ck_assert_ptr_null(error);
    OpprofErrorSet(&error, OPPROF_E_LIMIT, "earlier");
    OpprofErrorSet(&reason, OPPROF_E_IO, "inner");
    OpprofErrorHint(&reason, "plug it in");
    OpprofErrorWrap(&reason, "outer");
    ck_assert_int_eq(OpprofErrorPass(&error, reason), OPPROF_E_IO);
    char *text = OpprofErrorText(error, false);
    ck_assert_str_eq(text, "outer\n  because: inner\n  because: earlier\n  hint: plug it in");
    free(text);
    OpprofErrorDestroy(error);
    reason = NULL;
    OpprofErrorSet(&reason, OPPROF_E_IO, "of no interest");
    ck_assert_int_eq(OpprofErrorPass(NULL, reason), OPPROF_E_IO);
}
END_TEST

START_TEST(a_line_has_all_reasons)
{
    OpprofError *error = NULL;

    ck_assert_str_eq(OpprofErrorLine(NULL), "");
    OpprofErrorSet(&error, OPPROF_E_IO, "No such device");
    ck_assert_str_eq(OpprofErrorLine(error), "No such device");
    OpprofErrorWrap(&error, "Cannot read '%s'", "a.dump");
    OpprofErrorHint(&error, "plug it in");
    ck_assert_str_eq(OpprofErrorLine(error), "Cannot read 'a.dump': No such device");
    OpprofErrorWrap(&error, "Core %d has no data", 7);
    ck_assert_str_eq(OpprofErrorLine(error),
                     "Core 7 has no data: Cannot read 'a.dump': No such device");
    ck_assert_str_eq(OpprofErrorLine(error),
                     "Core 7 has no data: Cannot read 'a.dump': No such device");
    ck_assert_str_eq(OpprofErrorMessage(error), "Core 7 has no data");
    for (unsigned i = 1; i <= 7; i++) {
        OpprofErrorWrap(&error, "%u", i);
    }
    ck_assert_str_eq(OpprofErrorLine(error),
                     "7: 6: 5: 4: 3: 2: 1: Core 7 has no data (and 2 more)");
    OpprofErrorDestroy(error);
}
END_TEST

START_TEST(text_names_the_sources_if_asked)
{
    OpprofError *error = NULL;

    OpprofErrorSetAt(&error, OPPROF_E_IO, "here.c", 12, "inner");
    OpprofErrorWrapAt(&error, "there.c", 34, "outer");
    char *text = OpprofErrorText(error, true);
    ck_assert_str_eq(text, "outer [there.c:34]\n  because: inner [here.c:12]");
    free(text);
    OpprofErrorDestroy(error);
}
END_TEST

START_TEST(the_last_hint_of_a_cause_wins)
{
    OpprofError *error = NULL;

    OpprofErrorSet(&error, OPPROF_E_IO, "full");
    OpprofErrorHint(&error, "first");
    OpprofErrorHint(&error, "%s", "second");
    ck_assert_str_eq(OpprofErrorGetHint(error), "second");
    OpprofErrorDestroy(error);
}
END_TEST

START_TEST(long_messages_are_not_cut)
{
    const size_t length = 100000;
    OpprofError *error = NULL;
    char *long_name = malloc(length + 1);

    ck_assert_ptr_nonnull(long_name);
    memset(long_name, 'x', length);
    long_name[length] = '\0';
    OpprofErrorSet(&error, OPPROF_E_IO, "<%s>", long_name);
    OpprofErrorHint(&error, "[%s]", long_name);
    ck_assert_uint_eq(strlen(OpprofErrorMessage(error)), length + 2);
    ck_assert_uint_eq(strlen(OpprofErrorGetHint(error)), length + 2);
    char *text = OpprofErrorText(error, false);
    ck_assert_uint_eq(strlen(text), 2 * (length + 2) + strlen("\n  hint: "));
    free(text);
    free(long_name);
    OpprofErrorDestroy(error);
}
END_TEST

START_TEST(errno_is_kept_and_may_be_printed)
{
    OpprofError *error = NULL;

    errno = ENOSPC;
    OpprofErrorSet(&error, OPPROF_E_IO, "cannot write: %m");
    ck_assert_int_eq(errno, ENOSPC);
    OpprofErrorHint(&error, "after %m");
    ck_assert_int_eq(errno, ENOSPC);
    ck_assert_str_eq(OpprofErrorMessage(error), "cannot write: No space left on device");
    ck_assert_str_eq(OpprofErrorGetHint(error), "after No space left on device");
    OpprofErrorDestroy(error);
}
END_TEST

START_TEST(a_deep_chain_is_freed_without_recursion)
{
    OpprofError *error = NULL;

    for (int i = 0; i < 100000; i++) {
        OpprofErrorSet(&error, OPPROF_E_IO, "%d", i);
    }
    ck_assert_str_eq(OpprofErrorMessage(error), "99999");
    OpprofErrorDestroy(error);
}
END_TEST

START_TEST(what_lacked_memory_is_named)
{
    OpprofError *error = NULL;

    ck_assert_int_eq(OpprofErrorNoMemory(&error, "read the file"), OPPROF_E_MEMORY);
    ck_assert_str_eq(OpprofErrorMessage(error), "Cannot read the file: out of memory");
    OpprofErrorNoMemory(&error, "read %d of '%s'", 7, "x");
    ck_assert_str_eq(OpprofErrorMessage(error), "Cannot read 7 of 'x': out of memory");
    OpprofErrorDestroy(error);
}
END_TEST

START_TEST(without_memory_a_standing_error_stands_in)
{
    OpprofError *error = NULL;

    fail_allocation(1);
    ck_assert_int_eq(OpprofErrorSet(&error, OPPROF_E_IO, "lost"), OPPROF_E_IO);
    ck_assert(has_failed_allocation());
    ck_assert_int_eq(OpprofErrorStatus(error), OPPROF_E_MEMORY);
    ck_assert_str_eq(OpprofErrorMessage(error), "out of memory");
    OpprofErrorHint(&error, "ignored");
    ck_assert_ptr_null(OpprofErrorGetHint(error));
    OpprofErrorWrap(&error, "cannot go on");
    char *text = OpprofErrorText(error, false);
    ck_assert_str_eq(text, "cannot go on\n  because: out of memory");
    free(text);
    OpprofErrorDestroy(error);
}
END_TEST

START_TEST(without_memory_an_earlier_reason_is_kept)
{
    OpprofError *error = NULL;

    OpprofErrorSet(&error, OPPROF_E_DATA, "the reason");
    OpprofErrorHint(&error, "the first hint");
    fail_allocation(1);
    ck_assert_int_eq(OpprofErrorSet(&error, OPPROF_E_IO, "more"), OPPROF_E_IO);
    ck_assert(has_failed_allocation());
    fail_allocation(1);
    OpprofErrorHint(&error, "the second hint");
    ck_assert(has_failed_allocation());
    ck_assert_str_eq(OpprofErrorMessage(error), "the reason");
    ck_assert_str_eq(OpprofErrorGetHint(error), "the first hint");
    OpprofErrorDestroy(error);
}
END_TEST

START_TEST(without_memory_a_line_is_the_reason)
{
    OpprofError *error = NULL;
    const char *line;

    open_three(&error);
    lacks_streams = true;
    line = OpprofErrorLine(error);
    lacks_streams = false;
    ck_assert_str_eq(line, "Cannot read 'a.dump': No such device");
    line = OpprofErrorLine(error);
    ck_assert_str_eq(
        line, "cannot draw the timeline: core 7 has no data: Cannot read 'a.dump': No such device");
    OpprofErrorDestroy(error);
}
END_TEST

START_TEST(every_status_has_a_name_of_its_own)
{
    static const OpprofStatus all[] = { OPPROF_OK,         OPPROF_END,        OPPROF_AGAIN,
                                        OPPROF_CLOSED,     OPPROF_E_ARGUMENT, OPPROF_E_MEMORY,
                                        OPPROF_E_IO,       OPPROF_E_DATA,     OPPROF_E_NOT_FOUND,
                                        OPPROF_E_LOAD,     OPPROF_E_ABI,      OPPROF_E_LIMIT,
                                        OPPROF_E_CONTRACT, OPPROF_E_CRASH };
    const size_t count = sizeof all / sizeof all[0];

    for (size_t i = 0; i < count; i++) {
        ck_assert_str_ne(OpprofStatusName(all[i]), "unknown status");
        ck_assert_int_eq(OpprofFailed(all[i]), i >= 4);
        for (size_t j = 0; j < i; j++) {
            ck_assert_str_ne(OpprofStatusName(all[i]), OpprofStatusName(all[j]));
        }
    }
    ck_assert_str_eq(OpprofStatusName((OpprofStatus) 999), "unknown status");
    ck_assert_str_eq(OpprofStatusName(OPPROF_E_DATA), "bad data");
}
END_TEST

START_TEST(the_library_tells_its_release)
{
    ck_assert_str_eq(OpprofVersion(), OPPROF_VERSION);
}
END_TEST

static Suite *error_suite(void)
{
    Suite *suite = suite_create("error");
    TCase *tests = tcase_create("error");

    tcase_add_test(tests, set_returns_its_status_and_keeps_the_message);
    tcase_add_test(tests, nobody_has_to_want_the_error);
    tcase_add_test(tests, wrap_of_nothing_stays_nothing);
    tcase_add_test(tests, a_failed_call_is_explained_with_its_reason_or_its_status);
    tcase_add_test(tests, text_is_outermost_first_then_the_hints);
    tcase_add_test(tests, a_reason_is_handed_on_whole);
    tcase_add_test(tests, a_line_has_all_reasons);
    tcase_add_test(tests, text_names_the_sources_if_asked);
    tcase_add_test(tests, the_last_hint_of_a_cause_wins);
    tcase_add_test(tests, long_messages_are_not_cut);
    tcase_add_test(tests, errno_is_kept_and_may_be_printed);
    tcase_add_test(tests, a_deep_chain_is_freed_without_recursion);
    tcase_add_test(tests, what_lacked_memory_is_named);
    tcase_add_test(tests, without_memory_a_standing_error_stands_in);
    tcase_add_test(tests, without_memory_an_earlier_reason_is_kept);
    tcase_add_test(tests, without_memory_a_line_is_the_reason);
    tcase_add_test(tests, every_status_has_a_name_of_its_own);
    tcase_add_test(tests, the_library_tells_its_release);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(error_suite)
