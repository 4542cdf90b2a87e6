/* SPDX-License-Identifier: Apache-2.0 */
/* Which paths a profiled program may be started with, and where its results may lie. */
#include "tests/core/suites.h"

#include <check.h>
#include <fcntl.h>
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
    char middle[64], below[80];

    ck_assert_ptr_nonnull(mkdtemp(directory)); /* in /tmp, whose sticky bit keeps it */
    snprintf(middle, sizeof middle, "%s/middle", directory);
    snprintf(below, sizeof below, "%s/below", middle);
    ck_assert_int_eq(mkdir(middle, 0700), 0);
    ck_assert_int_eq(mkdir(below, 0700), 0);
    ck_assert_int_eq(check_mode(directory, 0750), OPPROF_OK);
    ck_assert_int_eq(check_mode(directory, 0777), OPPROF_E_ARGUMENT);
    ck_assert_int_eq(LivePathCheckResults(below, NULL), OPPROF_E_ARGUMENT); /* it may be replaced */
    ck_assert_int_eq(check_mode(directory, 01777), OPPROF_OK);
    ck_assert_int_eq(LivePathCheckResults(below, NULL), OPPROF_OK);
    ck_assert_int_eq(LivePathCheckFile("/tmp/live-paths-none/x", NULL), OPPROF_E_IO);
    rmdir(below);
    rmdir(middle);
    rmdir(directory);
}
END_TEST

/* Root, too, must not write where another user may put links. */
START_TEST(directories_of_a_third_user_are_refused)
{
    char directory[] = "/tmp/live-paths-XXXXXX";
    char below[64];
    int status = 1;
    pid_t child;

    if (geteuid() != 0) {
        return;
    }
    ck_assert_ptr_nonnull(mkdtemp(directory));
    ck_assert_int_eq(chmod(directory, 0755), 0);
    snprintf(below, sizeof below, "%s/below", directory);
    ck_assert_int_eq(mkdir(below, 0755), 0);
    ck_assert_int_eq(chown(directory, 12345, 12345), 0);
    ck_assert_int_eq(LivePathCheckResults(directory, NULL), OPPROF_E_ARGUMENT);
    ck_assert_int_eq(LivePathCheckResults(below, NULL), OPPROF_E_ARGUMENT);
    ck_assert_int_eq(chmod(directory, 01755), 0); /* whose it is may remove all in it */
    ck_assert_int_eq(LivePathCheckResults(below, NULL), OPPROF_E_ARGUMENT);
    child = fork();
    if (child == 0) {
        const bool is_refused =
            seteuid(23456) == 0 && LivePathCheckFile(directory, NULL) == OPPROF_E_ARGUMENT;

        _exit(is_refused ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    rmdir(below);
    rmdir(directory);
}
END_TEST

/* A directory that root gives to a group is meant for it; a file is not. */
START_TEST(a_group_of_root_is_trusted)
{
    char directory[] = "/tmp/live-paths-XXXXXX";
    char below[64], file[64];
    FILE *out;

    if (geteuid() != 0) {
        return;
    }
    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(below, sizeof below, "%s/below", directory);
    snprintf(file, sizeof file, "%s/file", directory);
    ck_assert_int_eq(mkdir(below, 0755), 0);
    out = fopen(file, "w");
    ck_assert_ptr_nonnull(out);
    fclose(out);
    ck_assert_int_eq(chown(directory, (uid_t) -1, 12345), 0);
    ck_assert_int_eq(chown(file, (uid_t) -1, 12345), 0);
    ck_assert_int_eq(check_mode(directory, 02775), OPPROF_OK);
    ck_assert_int_eq(LivePathCheckResults(below, NULL), OPPROF_OK);
    ck_assert_int_eq(chmod(file, 0664), 0);
    ck_assert_int_eq(LivePathCheckFile(file, NULL), OPPROF_E_ARGUMENT);
    unlink(file);
    rmdir(below);
    rmdir(directory);
}
END_TEST

/* A link of the user's may lead through a directory in which others may put another link. */
START_TEST(links_to_a_file_are_followed_by_all_that_they_lead_through)
{
    char directory[] = "/tmp/live-paths-XXXXXX";
    char open[64], first[64], second[80], file[64];
    OpprofError *error = NULL;
    FILE *out;

    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(open, sizeof open, "%s/open", directory);
    snprintf(first, sizeof first, "%s/first", directory);
    snprintf(second, sizeof second, "%s/second", open);
    snprintf(file, sizeof file, "%s/file", directory);
    out = fopen(file, "w");
    ck_assert_ptr_nonnull(out);
    fclose(out);
    ck_assert_int_eq(mkdir(open, 0755), 0);
    ck_assert_int_eq(symlink("open/../open/second", first), 0);
    ck_assert_int_eq(symlink(file, second), 0);
    ck_assert_int_eq(LivePathCheckFile(first, NULL), OPPROF_OK);
    ck_assert_int_eq(chmod(open, 0777), 0);
    ck_assert_int_eq(LivePathCheckFile(first, &error), OPPROF_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(OpprofErrorMessage(error), "open': everyone may write to it"));
    OpprofErrorDestroy(error);
    ck_assert_int_eq(chmod(open, 0755), 0);
    ck_assert_int_eq(unlink(file), 0);
    ck_assert_int_eq(symlink(first, file), 0); /* in a circle */
    ck_assert_int_eq(LivePathCheckFile(first, NULL), OPPROF_E_ARGUMENT);
    unlink(file);
    unlink(second);
    unlink(first);
    rmdir(open);
    rmdir(directory);
}
END_TEST

/* ld.so takes a list of libraries apart at blanks and colons. */
START_TEST(a_library_is_named_as_a_list_can_have_it)
{
    char directory[] = "/tmp/live-paths-XXXXXX";
    static const char *const bad[] = { "a b", "a:b", "$LIB" };
    OpprofLiveRun run = { .stage = NULL };
    const char *path;
    char file[64], link[64];
    FILE *out;

    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(link, sizeof link, "%s/link", directory);
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        snprintf(file, sizeof file, "%s/%s", directory, bad[i]);
        out = fopen(file, "w");
        ck_assert_ptr_nonnull(out);
        fclose(out);
        ck_assert_int_eq(symlink(file, link), 0);
        ck_assert_int_eq(setenv("OPPROF_INJECT_LIBRARY", file, 1), 0);
        ck_assert_int_eq(OpprofLiveInjectLibrary(&run, OPPROF_LIVE_LIBRARY_ASCEND, "", &path, NULL),
                         OPPROF_E_ARGUMENT);
        ck_assert_int_eq(setenv("OPPROF_INJECT_LIBRARY", link, 1), 0);
        ck_assert_int_eq(OpprofLiveInjectLibrary(&run, OPPROF_LIVE_LIBRARY_ASCEND, "", &path, NULL),
                         OPPROF_E_ARGUMENT);
        unlink(link);
        unlink(file);
    }
    ck_assert_int_eq(chdir(directory), 0);
    ck_assert_int_eq(symlink("/bin/sh", "link"), 0);
    ck_assert_int_eq(setenv("OPPROF_INJECT_LIBRARY", "./link", 1), 0);
    ck_assert_int_eq(OpprofLiveInjectLibrary(&run, OPPROF_LIVE_LIBRARY_ASCEND, "", &path, NULL),
                     OPPROF_OK);
    ck_assert_int_eq(path[0], '/');
    ck_assert_ptr_null(strstr(path, "link"));
    OpprofLiveRunFinish(&run);
    unlink("link");
    ck_assert_int_eq(chdir("/"), 0);
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

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

/* The first letter of a file as it is opened; 0: it is not. */
static char letter_of(const char *path)
{
    const int fd = OpprofLiveOpen(path, 0);
    struct stat about;
    char letter = 0;

    ck_assert_int_eq(OpprofLiveStat(path, &about) == 0 && S_ISREG(about.st_mode), fd >= 0);
    if (fd >= 0) {
        ck_assert_int_eq(read(fd, &letter, 1), 1);
        close(fd);
    }
    return letter;
}

/* Whatever lies at its path now, and for as long as it is held. */
START_TEST(results_that_are_held_are_read_where_they_were)
{
    char directory[] = "/tmp/live-paths-XXXXXX";
    char results[64], moved[64], file[96], outside[96], link[96];
    OpprofLiveRun run = { .results = 0 };
    DIR *listed;

    ck_assert_ptr_nonnull(mkdtemp(directory));
    snprintf(results, sizeof results, "%s/results", directory);
    snprintf(moved, sizeof moved, "%s/moved", directory);
    snprintf(file, sizeof file, "%s/dump/log", results);
    snprintf(link, sizeof link, "%s/dump/link", results);
    snprintf(outside, sizeof outside, "%s2", results);
    ck_assert_int_eq(mkdir(results, 0700), 0);
    ck_assert_int_eq(LiveRunHold(&run, results, NULL), OPPROF_OK);
    ck_assert_int_eq(mkdirat(OpprofLiveRunResults(&run), "dump", 0700), 0);
    write_file(file, "held");
    write_file(outside, "outside");
    ck_assert_int_eq(symlink("log", link), 0);

    ck_assert_int_eq(rename(results, moved), 0);
    ck_assert_int_eq(symlink(directory, results), 0);
    ck_assert_int_eq(letter_of(file), 'h');
    ck_assert_int_eq(letter_of(link), 0);
    ck_assert_int_eq(letter_of(outside), 'o'); /* its path only begins as that of the results */
    listed = OpprofLiveOpenDirectory(results);
    ck_assert_ptr_nonnull(listed);
    ck_assert_int_eq(faccessat(dirfd(listed), "dump/log", R_OK, 0), 0);
    closedir(listed);
    LiveRunLetGo(&run);
    ck_assert_int_eq(letter_of(file), 0);
    ck_assert_ptr_null(OpprofLiveOpenDirectory("/tmp/live-paths-none"));

    snprintf(link, sizeof link, "rm -r %s", directory);
    ck_assert_int_eq(system(link), 0);
}
END_TEST

static Suite *live_paths_suite(void)
{
    Suite *suite = suite_create("live_paths");
    TCase *tests = tcase_create("live_paths");

    tcase_add_test(tests, others_must_not_write);
    tcase_add_test(tests, directories_of_a_third_user_are_refused);
    tcase_add_test(tests, a_group_of_root_is_trusted);
    tcase_add_test(tests, links_to_a_file_are_followed_by_all_that_they_lead_through);
    tcase_add_test(tests, a_library_is_named_as_a_list_can_have_it);
    tcase_add_test(tests, characters_that_no_message_shows_are_refused);
    tcase_add_test(tests, lengths_end_where_they_should);
    tcase_add_test(tests, links_anywhere_in_a_path_are_refused);
    tcase_add_test(tests, results_that_are_held_are_read_where_they_were);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(live_paths_suite)
