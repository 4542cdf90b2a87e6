/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of live collection that need no running program: command lines and filters. */
#include <check.h>
#include "kit/live/live_parts.h"
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/core/scratch.h"
#include "tests/core/suites.h"

/* ---- command lines ---- */

static void expect_words(const char *command, const char *const *words)
{
    OpprofLiveApp app;
    size_t count = 0;

    ck_assert_int_eq(LiveAppParse(&app, command, NULL), OPPROF_OK);
    for (; words[count] != NULL; count++) {
        ck_assert_str_eq(app.words[count], words[count]);
    }
    ck_assert_ptr_null(app.words[count]);
    LiveAppFinish(&app);
}

START_TEST(test_command__words_are_parted_as_a_shell_does)
{
    expect_words(" ./app  --steps 3\t", (const char *[]){ "./app", "--steps", "3", NULL });
    expect_words("'a b' \"c'd\" e\\ f", (const char *[]){ "a b", "c'd", "e f", NULL });
    expect_words("'it'\\''s' ''", (const char *[]){ "it's", "", NULL });
    expect_words("a'b'\"c\" '\\' \"\\\"\"", (const char *[]){ "abc", "\\", "\"", NULL });
}
END_TEST

START_TEST(test_command__an_open_quote_and_no_word_are_refused)
{
    static const char *const wrong[] = { "", "  ", "a 'b", "\"", "a \"b'" };

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        OpprofError *error = NULL;
        OpprofLiveApp app;

        ck_assert_int_eq(LiveAppParse(&app, wrong[i], &error), OPPROF_E_ARGUMENT);
        ck_assert_ptr_nonnull(error);
        OpprofErrorDestroy(error);
        LiveAppFinish(&app);
    }
}
END_TEST

/* ---- the environment ---- */

/* What a program that is started in this way sees in a variable; to be freed. */
static char *value_seen(const char *name, const OpprofLiveAppPlace *place)
{
    char command[512];
    OpprofLiveApp app;
    size_t size = 0;

    snprintf(command, sizeof command, "sh -c 'printf %%s \"${%s-unset}\" >\"$0\"' %s", name,
             in_scratch("seen"));
    ck_assert_int_eq(LiveAppParse(&app, command, NULL), OPPROF_OK);
    ck_assert_int_eq(LiveAppStart(&app, place, NULL), OPPROF_OK);
    ck_assert_int_eq(waitpid(app.pid, &app.status, 0), app.pid);
    LiveAppFinish(&app);
    return read_whole(in_scratch("seen"), &size);
}

static void expect_value(const char *name, const OpprofLiveAppPlace *place, const char *wanted)
{
    char *seen = value_seen(name, place);

    ck_assert_str_eq(seen, wanted);
    free(seen);
}

START_TEST(test_start__variables_are_set_taken_away_and_put_before_lists)
{
    static const OpprofLiveVariable variables[] = {
        { "TEST_SET", "new", false },
        { "TEST_GONE", NULL, false },
        { "TEST_LIST", "first", true },
        { "TEST_EMPTY_LIST", "only", true },
    };
    const OpprofLiveAppPlace place = { .inject = "",
                                       .socket = "name",
                                       .token = "secret",
                                       .variables = variables,
                                       .variable_count = OPPROF_COUNT(variables) };

    make_scratch();
    unsetenv("TEST_EMPTY_LIST");
    setenv("TEST_SET", "old", 1);
    setenv("TEST_GONE", "here", 1);
    setenv("TEST_LIST", "second", 1);
    setenv("LD_PRELOAD", "libone.so libtwo.so:libthree.so", 1);
    expect_value("TEST_SET", &place, "new");
    expect_value("TEST_GONE", &place, "unset");
    expect_value("TEST_LIST", &place, "first:second");
    expect_value("TEST_EMPTY_LIST", &place, "only");
    expect_value("LD_PRELOAD", &place, ":libone.so libtwo.so:libthree.so");
    unsetenv("LD_PRELOAD");
    expect_value(OPPROF_LIVE_SOCKET, &place, "name");
    expect_value(OPPROF_LIVE_TOKEN, &place, "secret");
    unsetenv("ASAN_OPTIONS");
    expect_value("ASAN_OPTIONS", &place, "verify_asan_link_order=0");
    setenv("ASAN_OPTIONS", "verbosity=1", 1); /* what the user says is read last */
    expect_value("ASAN_OPTIONS", &place, "verify_asan_link_order=0:verbosity=1");
    remove_scratch();
}
END_TEST

/* Programs that are made by hand, as the corpus of fuzz/fuzz_sanitizer has them. */
START_TEST(test_sanitizer__is_the_library_that_a_program_names)
{
    static const struct {
        const char *file;
        const char *library; /* NULL: none */
    } programs[] = { { "gcc", "libasan.so.8" }, { "later", "libasan.so.4" },
                     { "none", NULL },          { "clang", NULL },
                     { "list", NULL },          { "long", NULL },
                     { "no-texts", NULL },      { "other-class", NULL },
                     { "script", NULL } };

    for (size_t i = 0; i < OPPROF_COUNT(programs); i++) {
        char path[512], name[LIVE_SANITIZER_BYTES];
        int file;

        snprintf(path, sizeof path, "%s/fuzz/corpus/sanitizer/%s", TEST_SOURCE_DIR,
                 programs[i].file);
        file = open(path, O_RDONLY);
        ck_assert_int_ge(file, 0);
        ck_assert_msg(LiveSanitizerOfFile(file, name) == (programs[i].library != NULL), "%s", path);
        if (programs[i].library != NULL) {
            ck_assert_str_eq(name, programs[i].library);
        }
        close(file);
    }
}
END_TEST

START_TEST(test_start__a_program_that_is_not_there_is_named)
{
    const OpprofLiveAppPlace place = { .inject = "", .socket = "name", .token = "" };
    OpprofError *error = NULL;
    OpprofLiveApp app;

    if (getenv("EMULATOR") != NULL) {
        puts("skipped: the emulator does not tell that a program cannot be started");
        return;
    }
    ck_assert_int_eq(LiveAppParse(&app, "/nonexistent/program", NULL), OPPROF_OK);
    ck_assert_int_eq(LiveAppStart(&app, &place, &error), OPPROF_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(OpprofErrorMessage(error), "/nonexistent/program"));
    OpprofErrorDestroy(error);
    LiveAppFinish(&app);
}
END_TEST

/* ---- filters ---- */

START_TEST(test_names__lists_are_letters_digits_underscores_stars)
{
    char many[1100];

    ck_assert(LiveNamesAreGood("add"));
    ck_assert(LiveNamesAreGood("add_*|Mul9"));
    ck_assert(!LiveNamesAreGood(""));
    ck_assert(!LiveNamesAreGood("|"));
    ck_assert(!LiveNamesAreGood("a||b"));
    ck_assert(!LiveNamesAreGood("a|"));
    ck_assert(!LiveNamesAreGood("a b"));
    ck_assert(!LiveNamesAreGood("a-b"));
    memset(many, 'a', sizeof many);
    many[1022] = '\0';
    ck_assert(LiveNamesAreGood(many));
    many[1022] = 'a';
    many[1023] = '\0';
    ck_assert(!LiveNamesAreGood(many));
}
END_TEST

START_TEST(test_names__match_by_beginning_or_pattern)
{
    ck_assert(LiveNamesMatch(NULL, "anything"));
    ck_assert(LiveNamesMatch("", "anything"));
    ck_assert(LiveNamesMatch("add", "add_custom"));
    ck_assert(!LiveNamesMatch("add", "my_add"));
    ck_assert(LiveNamesMatch("*add", "my_add"));
    ck_assert(LiveNamesMatch("mul|a*m", "add_custom"));
    ck_assert(!LiveNamesMatch("mul|a*x", "add_custom"));
    ck_assert(!LiveNamesMatch("add", ""));
}
END_TEST

START_TEST(test_filter__skips_whatever_the_name_and_counts_each_process_and_device)
{
    OpprofLiveFilter filter = { .names = "add", .launch_skip = 2, .launch_count = 2 };

    ck_assert_int_eq(OpprofLiveFilterAsk(&filter, 0, 0, "mul"), OPPROF_LIVE_PASS);
    ck_assert_int_eq(OpprofLiveFilterAsk(&filter, 0, 0, "add"), OPPROF_LIVE_PASS);
    ck_assert_int_eq(OpprofLiveFilterAsk(&filter, 0, 0, "mul"), OPPROF_LIVE_PASS);
    ck_assert_int_eq(OpprofLiveFilterAsk(&filter, 0, 0, "add"), OPPROF_LIVE_COLLECT);
    ck_assert(!OpprofLiveFilterIsFull(&filter, 0, 0));
    ck_assert_int_eq(OpprofLiveFilterAsk(&filter, 0, 1, "add"), OPPROF_LIVE_PASS);
    ck_assert_int_eq(OpprofLiveFilterAsk(&filter, 0, 0, "add"), OPPROF_LIVE_COLLECT);
    ck_assert(OpprofLiveFilterIsFull(&filter, 0, 0));
    ck_assert(!OpprofLiveFilterIsFull(&filter, 1, 0));
    ck_assert_int_eq(OpprofLiveFilterAsk(&filter, 0, 0, "add"), OPPROF_LIVE_PASS);
    ck_assert_uint_eq(filter.launches, 7);
    ck_assert_uint_eq(filter.skipped, 3);
    ck_assert_uint_eq(filter.unnamed, 1);
    ck_assert_uint_eq(filter.beyond, 1);
    OpprofLiveFilterFinish(&filter);
}
END_TEST

static Suite *live_host_suite(void)
{
    Suite *suite = suite_create("live_host");
    TCase *tests = tcase_create("live_host");

    tcase_add_test(tests, test_command__words_are_parted_as_a_shell_does);
    tcase_add_test(tests, test_command__an_open_quote_and_no_word_are_refused);
    tcase_add_test(tests, test_start__variables_are_set_taken_away_and_put_before_lists);
    tcase_add_test(tests, test_sanitizer__is_the_library_that_a_program_names);
    tcase_add_test(tests, test_start__a_program_that_is_not_there_is_named);
    tcase_add_test(tests, test_names__lists_are_letters_digits_underscores_stars);
    tcase_add_test(tests, test_names__match_by_beginning_or_pattern);
    tcase_add_test(tests, test_filter__skips_whatever_the_name_and_counts_each_process_and_device);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(live_host_suite)
