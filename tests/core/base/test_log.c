/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of core/base/log.c. */
#include <opprof/log.h>

#include "tests/core/suites.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Heard {
    int lines;
    OpprofLogLevel level;
    char last[8192];
} Heard;

static void hear(void *context, OpprofLogLevel level, const char *line)
{
    Heard *heard = context;

    heard->lines++;
    heard->level = level;
    snprintf(heard->last, sizeof heard->last, "%s", line);
}

START_TEST(sink_gets_level_tag_and_message)
{
    Heard heard = { 0 };

    OpprofLogSetSink(hear, &heard);
    OpprofLog(OPPROF_LOG_WARNING, "chips", "odd %s, ignoring", "file");
    ck_assert_int_eq(heard.lines, 1);
    ck_assert_int_eq(heard.level, OPPROF_LOG_WARNING);
    ck_assert_str_eq(heard.last, "warning chips: odd file, ignoring");
    OpprofLog(OPPROF_LOG_ERROR, NULL, "lost");
    ck_assert_str_eq(heard.last, "error: lost");
}
END_TEST

START_TEST(warnings_are_heard_by_default_and_information_is_not)
{
    Heard heard = { 0 };

    OpprofLogSetSink(hear, &heard);
    OpprofLog(OPPROF_LOG_INFO, "a", "b");
    ck_assert_int_eq(heard.lines, 0);
    OpprofLogSetLevel(OPPROF_LOG_DEBUG);
    OpprofLog(OPPROF_LOG_INFO, "a", "b");
    OpprofLog(OPPROF_LOG_DEBUG, "a", "b");
    ck_assert_int_eq(heard.lines, 2);
    OpprofLogSetLevel(OPPROF_LOG_ERROR);
    OpprofLog(OPPROF_LOG_WARNING, "a", "b");
    ck_assert_int_eq(heard.lines, 2);
    OpprofLog((OpprofLogLevel) 77, "a", "b");
    ck_assert_int_eq(heard.lines, 2);
}
END_TEST

START_TEST(a_tag_may_have_a_level_of_its_own)
{
    Heard heard = { 0 };

    OpprofLogSetSink(hear, &heard);
    setenv("OPPROF_LOG", "dump:debug,,nonsense,trace:error,dumper:,csv:loud", 1);
    OpprofLog(OPPROF_LOG_DEBUG, "dump", "one");
    ck_assert_str_eq(heard.last, "debug dump: one");
    OpprofLog(OPPROF_LOG_WARNING, "trace", "two");
    OpprofLog(OPPROF_LOG_DEBUG, "dumper", "three");
    OpprofLog(OPPROF_LOG_INFO, "csv", "four");
    OpprofLog(OPPROF_LOG_DEBUG, NULL, "five");
    ck_assert_str_eq(heard.last, "debug dump: one");
    OpprofLog(OPPROF_LOG_WARNING, "csv", "six");
    ck_assert_str_eq(heard.last, "warning csv: six");
    unsetenv("OPPROF_LOG");
}
END_TEST

START_TEST(a_line_is_one_line_whatever_names_hold)
{
    Heard heard = { 0 };

    OpprofLogSetSink(hear, &heard);
    OpprofLog(OPPROF_LOG_WARNING, "t", "file 'a\nb\033[31m\x7f\tc\303\244'");
    ck_assert_str_eq(heard.last, "warning t: file 'a b?[31m? c\303\244'");
}
END_TEST

START_TEST(long_lines_are_whole)
{
    Heard heard = { 0 };
    char text[5000];

    memset(text, 'y', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    OpprofLogSetSink(hear, &heard);
    for (int length = 990; length < 1030; length++) { /* around the size of the first buffer */
        OpprofLog(OPPROF_LOG_WARNING, "t", "%.*s", length, text);
        ck_assert_uint_eq(strlen(heard.last), strlen("warning t: ") + (size_t) length);
    }
    OpprofLog(OPPROF_LOG_WARNING, "t", "%s", text);
    ck_assert_uint_eq(strlen(heard.last), strlen("warning t: ") + sizeof text - 1);
}
END_TEST

START_TEST(errno_is_kept_and_may_be_printed)
{
    Heard heard = { 0 };

    OpprofLogSetSink(hear, &heard);
    errno = ENOSPC;
    OpprofLog(OPPROF_LOG_WARNING, "t", "cannot: %m");
    ck_assert_int_eq(errno, ENOSPC);
    ck_assert_str_eq(heard.last, "warning t: cannot: No space left on device");
}
END_TEST

static void *log_many(void *context)
{
    (void) context;
    for (int i = 0; i < 1000; i++) {
        OpprofLog(OPPROF_LOG_WARNING, "t", "%d", i);
    }
    return NULL;
}

START_TEST(lines_come_one_at_a_time)
{
    Heard heard = { 0 }; /* counts right only if the lock is held */
    pthread_t threads[4];

    OpprofLogSetSink(hear, &heard);
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(pthread_create(&threads[i], NULL, log_many, NULL), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    ck_assert_int_eq(heard.lines, 4000);
}
END_TEST

/* What the default sink writes while `fd` is stderr; read back from `from`. */
static void log_to(int fd, int from, char *text, size_t size)
{
    const int saved = dup(STDERR_FILENO);

    ck_assert_int_ge(saved, 0);
    ck_assert_int_ge(dup2(fd, STDERR_FILENO), 0);
    OpprofLogSetSink(NULL, NULL);
    OpprofLog(OPPROF_LOG_WARNING, "chips", "odd");
    ck_assert_int_ge(dup2(saved, STDERR_FILENO), 0);
    close(saved);
    const ssize_t got = read(from, text, size - 1);
    ck_assert_int_ge(got, 0);
    text[got] = '\0';
}

START_TEST(a_pipe_gets_no_colours)
{
    int ends[2];
    char text[256];

    ck_assert_int_eq(pipe(ends), 0);
    setenv("TERM", "xterm", 1);
    unsetenv("NO_COLOR");
    log_to(ends[1], ends[0], text, sizeof text);
    ck_assert_str_eq(text, "warning chips: odd\n");
    close(ends[0]);
    close(ends[1]);
}
END_TEST

START_TEST(a_terminal_gets_colours_unless_refused)
{
    char text[256];
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY);

    if (terminal < 0) { /* a bare chroot has no /dev/pts */
        fprintf(stderr, "no terminal can be made: colours are not looked at\n");
        return;
    }
    ck_assert_int_eq(grantpt(terminal), 0);
    ck_assert_int_eq(unlockpt(terminal), 0);
    const int screen = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    ck_assert_int_ge(screen, 0);
    setenv("TERM", "xterm", 1);
    unsetenv("NO_COLOR");
    log_to(screen, terminal, text, sizeof text);
    ck_assert_str_eq(text, "\033[33mwarning\033[0m chips: odd\r\n");
    setenv("NO_COLOR", "", 1); /* as good as unset, says no-color.org */
    log_to(screen, terminal, text, sizeof text);
    ck_assert_str_eq(text, "\033[33mwarning\033[0m chips: odd\r\n");
    setenv("NO_COLOR", "1", 1);
    log_to(screen, terminal, text, sizeof text);
    ck_assert_str_eq(text, "warning chips: odd\r\n");
    unsetenv("NO_COLOR");
    setenv("TERM", "dumb", 1);
    log_to(screen, terminal, text, sizeof text);
    ck_assert_str_eq(text, "warning chips: odd\r\n");
    close(screen);
    close(terminal);
}
END_TEST

static Suite *log_suite(void)
{
    Suite *suite = suite_create("log");
    TCase *tests = tcase_create("log");

    tcase_add_test(tests, sink_gets_level_tag_and_message);
    tcase_add_test(tests, warnings_are_heard_by_default_and_information_is_not);
    tcase_add_test(tests, a_line_is_one_line_whatever_names_hold);
    tcase_add_test(tests, a_tag_may_have_a_level_of_its_own);
    tcase_add_test(tests, long_lines_are_whole);
    tcase_add_test(tests, errno_is_kept_and_may_be_printed);
    tcase_add_test(tests, lines_come_one_at_a_time);
    tcase_add_test(tests, a_pipe_gets_no_colours);
    tcase_add_test(tests, a_terminal_gets_colours_unless_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(log_suite)
