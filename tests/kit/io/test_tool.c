/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of kit/io/tool.c and kit/io/spawned.c. */
#include <stdbool.h>

#include "tests/core/scratch.h"
#include "tests/core/suites.h"

#include <opprof/kit/tool.h>

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a tool printed. */
typedef struct Heard {
    size_t length;
    size_t most; /* bytes that are wanted */
    char text[64];
} Heard;

static OpprofStatus take(void *context, const char *text, size_t length, OpprofError **error)
{
    Heard *heard = context;

    for (size_t i = 0; i < length; i++, heard->length++) {
        if (heard->length < sizeof heard->text - 1) {
            heard->text[heard->length] = text[i];
        }
    }
    return heard->length <= heard->most ? OPPROF_OK
                                        : OpprofErrorSet(error, OPPROF_E_LIMIT, "That is enough");
}

static Heard heard;

/* Runs a line of shell, and returns the error; "": none. */
static const char *run(OpprofToolCall *call, const char *line)
{
    static char text[1024];
    const char *const words[] = { "sh", "-c", line, NULL };
    OpprofError *error = NULL;

    heard = (Heard){ .most = SIZE_MAX };
    call->words = words;
    call->context = &heard;
    const OpprofStatus status = OpprofToolRun(NULL, call, &error);
    ck_assert_int_eq(status == OPPROF_OK, error == NULL);
    snprintf(text, sizeof text, "%s", error == NULL ? "" : OpprofErrorLine(error));
    OpprofErrorDestroy(error);
    return text;
}

START_TEST(what_it_prints_is_taken_and_its_errors_are_kept)
{
    OpprofToolCall call = { .file = -1, .take = take };

    ck_assert_str_eq(run(&call, "echo one; echo bad >&2; echo worse >&2; printf two"), "");
    ck_assert_str_eq(heard.text, "one\ntwo");
    ck_assert_str_eq(call.said, "bad");
    call.take = NULL;
    ck_assert_str_eq(run(&call, "echo one; echo bad >&2"), "");
    ck_assert_str_eq(call.said, "one");
    ck_assert_str_eq(run(&call, "wc -c"), ""); /* of nothing */
    ck_assert_str_eq(call.said, "0");
}
END_TEST

START_TEST(long_texts_come_whole_and_long_errors_are_cut)
{
    OpprofToolCall call = { .file = -1, .take = take };

    ck_assert_str_eq(run(&call, "head -c 3000000 /dev/zero | tr '\\0' x"), "");
    ck_assert_uint_eq(heard.length, 3000000);
    ck_assert_str_eq(run(&call, "head -c 3000000 /dev/zero | tr '\\0' y >&2"), "");
    ck_assert_uint_eq(strlen(call.said), OPPROF_TOOL_SAID - 1);
}
END_TEST

START_TEST(a_failure_says_how_and_why)
{
    OpprofToolCall call = { .file = -1, .take = take };

    ck_assert_str_eq(run(&call, "echo no such kernel >&2; exit 3"),
                     "'sh' failed with exit code 3: no such kernel");
    ck_assert_str_eq(run(&call, "exit 1"), "'sh' failed with exit code 1: it did not say why");
    ck_assert_str_eq(run(&call, "kill -9 $$"), "'sh' failed with signal 9: it did not say why");
}
END_TEST

START_TEST(what_cannot_be_run_says_so)
{
    const char *const words[] = { "/nowhere/tool", NULL };
    OpprofToolCall call = { .words = words, .file = -1 };
    OpprofError *error = NULL;

    if (getenv("EMULATOR") != NULL) { /* its vfork is a fork, whose parent learns of no failure */
        return;
    }
    ck_assert_int_eq(OpprofToolRun(NULL, &call, &error), OPPROF_E_NOT_FOUND);
    ck_assert_str_eq(OpprofErrorLine(error),
                     "'/nowhere/tool' cannot be run: No such file or directory");
    OpprofErrorDestroy(error);
}
END_TEST

/* The one that a tool has put into a file. */
static pid_t child_of(const char *path)
{
    FILE *file = fopen(path, "r");
    int pid = 0;

    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fscanf(file, "%d", &pid), 1);
    fclose(file);
    return pid;
}

/* It may still be on its way. */
static bool is_gone(pid_t pid)
{
    for (int i = 0; i < 1000 && kill(pid, 0) == 0; i++) {
        usleep(10000);
    }
    return kill(pid, 0) != 0 && errno == ESRCH;
}

START_TEST(its_time_ends_it_with_all_that_it_started)
{
    OpprofToolCall call = { .file = -1, .seconds = 1 };
    char line[256];

    make_scratch();
    snprintf(line, sizeof line, "tail -f /dev/null & echo $! >%s; wait", in_scratch("child"));
    ck_assert_str_eq(run(&call, line), "'sh' did not end within 1 s and was ended");
    ck_assert(is_gone(child_of(in_scratch("child"))));
    ck_assert_str_eq(run(&call, "exec yes"), "'sh' did not end within 1 s and was ended");
    /* It says no more, but does not end. */
    ck_assert_str_eq(run(&call, "exec >/dev/null 2>&1; exec tail -f /dev/null"),
                     "'sh' did not end within 1 s and was ended");
    remove_scratch();
}
END_TEST

START_TEST(who_takes_ends_it)
{
    const char *const words[] = { "yes", NULL };
    OpprofToolCall call = { .words = words, .file = -1, .take = take, .context = &heard };
    OpprofError *error = NULL;

    heard = (Heard){ .most = 100000 };
    ck_assert_int_eq(OpprofToolRun(NULL, &call, &error), OPPROF_E_LIMIT);
    ck_assert_str_eq(OpprofErrorLine(error), "That is enough");
    OpprofErrorDestroy(error);
}
END_TEST

/* Whatever number the file has. */
START_TEST(a_file_comes_as_its_number)
{
    OpprofToolCall call = { .take = take };

    for (int number = OPPROF_TOOL_FILE; number < OPPROF_TOOL_FILE + 6; number++) {
        const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);

        ck_assert_int_ge(file, 0);
        call.file = file == number ? file : fcntl(file, F_DUPFD_CLOEXEC, number);
        ck_assert_str_eq(run(&call, "head -c 1 <&3 | wc -c"), "");
        ck_assert_str_eq(heard.text, "1\n");
        if (call.file != file) {
            close(call.file);
        }
        close(file);
    }
}
END_TEST

START_TEST(it_begins_as_a_shell_begins_programs)
{
    OpprofToolCall call = { .file = -1, .take = take };
    sigset_t all;

    signal(SIGPIPE, SIG_IGN);
    sigfillset(&all);
    ck_assert_int_eq(sigprocmask(SIG_BLOCK, &all, NULL), 0);
    ck_assert_str_eq(run(&call, "grep '^SigBlk' /proc/self/status | tr -d '0\\t\\n'"), "");
    ck_assert_str_eq(heard.text, "SigBlk:");
    ck_assert_str_eq(run(&call, "kill -s PIPE $$"),
                     "'sh' failed with signal 13: it did not say why");
}
END_TEST

static Suite *tool_suite(void)
{
    Suite *suite = suite_create("tool");
    TCase *tests = tcase_create("tool");

    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, what_it_prints_is_taken_and_its_errors_are_kept);
    tcase_add_test(tests, long_texts_come_whole_and_long_errors_are_cut);
    tcase_add_test(tests, a_failure_says_how_and_why);
    tcase_add_test(tests, what_cannot_be_run_says_so);
    tcase_add_test(tests, its_time_ends_it_with_all_that_it_started);
    tcase_add_test(tests, who_takes_ends_it);
    tcase_add_test(tests, a_file_comes_as_its_number);
    tcase_add_test(tests, it_begins_as_a_shell_begins_programs);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(tool_suite)
