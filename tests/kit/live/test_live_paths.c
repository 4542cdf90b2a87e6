/* SPDX-License-Identifier: Apache-2.0 */
/* Which paths a profiled program may be started with, and where its results may lie. */
#include "tests/core/suites.h"

#include <check.h>
#include "kit/live/live_parts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static OpprofStatus check_mode(const char *path, mode_t mode)
{
    ck_assert_int_eq(chmod(path, mode), 0);
    return LivePathCheckResults(path, NULL);
}

START_TEST(others_must_not_write)
{
    char directory[] = "/tmp/live-paths-XXXXXX";
    char below[64];

    ck_assert_ptr_nonnull(mkdtemp(directory)); /* in /tmp, whose sticky bit keeps it */
    snprintf(below, sizeof below, "%s/below", directory);
    ck_assert_int_eq(mkdir(below, 0700), 0);
    ck_assert_int_eq(check_mode(directory, 0750), OPPROF_OK);
    ck_assert_int_eq(check_mode(directory, 0777), OPPROF_E_ARGUMENT);
    ck_assert_int_eq(LivePathCheckResults(below, NULL), OPPROF_E_ARGUMENT); /* it may be replaced */
    ck_assert_int_eq(check_mode(directory, 01777), OPPROF_OK);
    ck_assert_int_eq(LivePathCheckResults(below, NULL), OPPROF_OK);
    if (geteuid() == 0) { /* a group that is not the user's own */
        ck_assert_int_eq(chown(directory, (uid_t) -1, 12345), 0);
        ck_assert_int_eq(check_mode(directory, 0770), OPPROF_E_ARGUMENT);
    }
    ck_assert_int_eq(LivePathCheckFile("/tmp/live-paths-none/x", NULL), OPPROF_E_IO);
    rmdir(below);
    rmdir(directory);
}
END_TEST

/* As root everything is allowed; so this is asked as somebody else. */
START_TEST(directories_of_a_third_user_are_refused)
{
    char directory[] = "/tmp/live-paths-XXXXXX";
    int status = 1;
    pid_t child;

    if (geteuid() != 0) {
        return;
    }
    ck_assert_ptr_nonnull(mkdtemp(directory));
    ck_assert_int_eq(chmod(directory, 0755), 0);
    ck_assert_int_eq(chown(directory, 12345, 12345), 0);
    child = fork();
    if (child == 0) {
        const bool is_refused =
            seteuid(23456) == 0 && LivePathCheckFile(directory, NULL) == OPPROF_E_ARGUMENT;

        _exit(is_refused && seteuid(0) == 0 && LivePathCheckFile(directory, NULL) == OPPROF_OK ? 0
                                                                                               : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    rmdir(directory);
}
END_TEST

START_TEST(characters_that_no_message_shows_are_refused)
{
    static const char *const bad[] = { "a\nb", "a\fb", "a\rb", "a\bb", "a\tb", "a\vb", "a\177b" };

    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_int_eq(LivePathCheckName(bad[i], NULL), OPPROF_E_ARGUMENT);
    }
    ck_assert_int_eq(LivePathCheckName("/a b/\xc3\xa4;$(x)", NULL), OPPROF_OK);
}
END_TEST

START_TEST(lengths_end_where_they_should)
{
    char path[4096];

    memset(path, 'a', sizeof path);
    for (unsigned i = 0; i < sizeof path; i += 200) {
        path[i] = '/';
    }
    path[2048] = '\0';
    ck_assert_int_eq(LivePathCheckName(path, NULL), OPPROF_OK);
    path[2048] = 'a';
    path[2049] = '\0';
    ck_assert_int_eq(LivePathCheckName(path, NULL), OPPROF_E_ARGUMENT);
    memset(path, 'a', 256);
    path[255] = '\0';
    ck_assert_int_eq(LivePathCheckName(path, NULL), OPPROF_OK);
    path[255] = 'a';
    path[256] = '\0';
    ck_assert_int_eq(LivePathCheckName(path, NULL), OPPROF_E_ARGUMENT);
}
END_TEST

START_TEST(links_anywhere_in_a_path_are_refused)
{
    char directory[] = "/tmp/live-paths-XXXXXX";
    char real[64], link[64], below[80];
    OpprofError *error = NULL;

    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(real, sizeof real, "%s/real", directory);
    snprintf(link, sizeof link, "%s/link", directory);
    snprintf(below, sizeof below, "%s/below", link);
    ck_assert_int_eq(mkdir(real, 0700), 0);
    ck_assert_int_eq(symlink("real", link), 0);
    ck_assert_int_eq(mkdir(below, 0700), 0);
    ck_assert_int_eq(LivePathCheckResults(real, NULL), OPPROF_OK);
    ck_assert_int_eq(LivePathCheckResults(link, NULL), OPPROF_E_ARGUMENT);
    ck_assert_int_eq(LivePathCheckResults(below, &error), OPPROF_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(OpprofErrorMessage(error), "link' is a symbolic link"));
    OpprofErrorDestroy(error);
    rmdir(below);
    unlink(link);
    rmdir(real);
    rmdir(directory);
}
END_TEST

static Suite *live_paths_suite(void)
{
    Suite *suite = suite_create("live_paths");
    TCase *tests = tcase_create("live_paths");

    tcase_add_test(tests, others_must_not_write);
    tcase_add_test(tests, directories_of_a_third_user_are_refused);
    tcase_add_test(tests, characters_that_no_message_shows_are_refused);
    tcase_add_test(tests, lengths_end_where_they_should);
    tcase_add_test(tests, links_anywhere_in_a_path_are_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(live_paths_suite)
