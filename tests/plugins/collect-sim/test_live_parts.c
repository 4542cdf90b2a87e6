/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of live collection that need no running program: command lines, filters, lines of logs. */
#include "plugins/collect-sim/live_app.h"
#include "plugins/collect-sim/live_filter.h"
#include "plugins/collect-sim/live_spool.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

/* ---- command lines ---- */

static void expect_words(const char *command, const char *const *words)
{
    LiveApp app;
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
        LiveApp app;

        ck_assert_int_eq(LiveAppParse(&app, wrong[i], &error), OPPROF_E_ARGUMENT);
        ck_assert_ptr_nonnull(error);
        OpprofErrorDestroy(error);
        LiveAppFinish(&app);
    }
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
    LiveFilter filter = { .names = "add", .launch_skip = 2, .launch_count = 2 };

    ck_assert_int_eq(LiveFilterAsk(&filter, 0, 0, "mul"), OPPROF_LIVE_PASS);
    ck_assert_int_eq(LiveFilterAsk(&filter, 0, 0, "add"), OPPROF_LIVE_PASS);
    ck_assert_int_eq(LiveFilterAsk(&filter, 0, 0, "mul"), OPPROF_LIVE_PASS);
    ck_assert_int_eq(LiveFilterAsk(&filter, 0, 0, "add"), OPPROF_LIVE_COLLECT);
    ck_assert(!LiveFilterIsFull(&filter, 0, 0));
    ck_assert_int_eq(LiveFilterAsk(&filter, 0, 1, "add"), OPPROF_LIVE_PASS);
    ck_assert_int_eq(LiveFilterAsk(&filter, 0, 0, "add"), OPPROF_LIVE_COLLECT);
    ck_assert(LiveFilterIsFull(&filter, 0, 0));
    ck_assert(!LiveFilterIsFull(&filter, 1, 0));
    ck_assert_int_eq(LiveFilterAsk(&filter, 0, 0, "add"), OPPROF_LIVE_PASS);
    ck_assert_uint_eq(filter.launches, 7);
    ck_assert_uint_eq(filter.matches, 3);
    LiveFilterFinish(&filter);
}
END_TEST

/* ---- lines ---- */

static const char a2_miss[] = "<tick>: icache read address is <pc>, <detail>size is 0x<hex8>, "
                              "type:<digits>, last:<digits>, status is MISS";
static const char a5_miss[] =
    "[<tick>]: icache read address is <pc>, <detail>size is 0x<hex8>, status is MISS";

static void expect_line(const char *form, OpprofLiveRecord record, const char *first,
                        const char *second, const char *wanted)
{
    const SimFacts facts = { .icache_miss = form };
    char line[512];

    record.first_length = (uint16_t) strlen(first);
    record.second_length = (uint16_t) strlen(second);
    ck_assert_uint_eq(LiveLine(&facts, &record, first, second, line, sizeof line), strlen(wanted));
    ck_assert_str_eq(line, wanted);
}

/* The forms of the specification's examples. */
START_TEST(test_line__is_what_the_simulator_writes)
{
    const OpprofLiveRecord instr = { .type = OPPROF_LIVE_INSTR, .time = 11036 };
    const OpprofLiveRecord miss = {
        .type = OPPROF_LIVE_MISS, .time = 23071, .address = 0x10f86a80, .size = 128, .request = 1
    };
    const OpprofLiveRecord fetch = { .type = OPPROF_LIVE_FETCH,
                                     .time = 995,
                                     .address = 0x10f86000 };
    const OpprofLiveRecord issue = { .type = OPPROF_LIVE_ISSUE,
                                     .time = 1399,
                                     .address = 0x10f86020 };
    const OpprofLiveRecord mte = { .type = OPPROF_LIVE_MTE,
                                   .time = 19333,
                                   .address = 0x10f74400,
                                   .size = 256,
                                   .id = 4,
                                   .request = 5259 };

    expect_line(a2_miss, instr, "(PC: 0x10f86000) SCALAR   : (Binary: 0x073a7f80) MOV_XD_IMM",
                "XD:X29=0x7f80, IMM:0x7f80,",
                "[info] [00011036] (PC: 0x10f86000) SCALAR   : (Binary: 0x073a7f80) MOV_XD_IMM  "
                "XD:X29=0x7f80, IMM:0x7f80,\n");
    expect_line(a2_miss, instr, "(PC: 0x10f86154) MTE2     : (Binary: 0x41001000) NOP_PIPE", "",
                "[info] [00011036] (PC: 0x10f86154) MTE2     : (Binary: 0x41001000) NOP_PIPE\n");
    expect_line(a2_miss, miss, "", "",
                "[info] 23071: icache read address is 0x10f86a80, size is 0x00000080, type:1, "
                "last:0, status is MISS\n");
    expect_line(a5_miss, miss, "", "",
                "[info] [00023071]: icache read address is 0x10f86a80, size is 0x00000080, status "
                "is MISS\n");
    expect_line(a2_miss, fetch, "", "", "[info] 995: lookup_tag is fetch req addr:0x10f86000\n");
    expect_line(a2_miss, issue, "", "",
                "[info] 1399: ccu do issue success.issue isa pc :0x10f86020\n");
    expect_line(a2_miss, mte, "BRIF", "send_req",
                "[info] 19333: BRIF send_req, addr: 0x10f74400, size: 256, instr_id: 4, req_id: "
                "5259\n");
}
END_TEST

START_TEST(test_line__text_from_outside_stays_in_its_line)
{
    const OpprofLiveRecord instr = { .type = OPPROF_LIVE_POPPED, .time = 1 };

    expect_line(a2_miss, instr, "a\nb", "\r\x1b[0m\x7f", "[info] [00000001] a?b  ??[0m?\n");
}
END_TEST

START_TEST(test_line__one_that_does_not_fit_is_none)
{
    const SimFacts facts = { .icache_miss = a2_miss };
    OpprofLiveRecord record = { .type = OPPROF_LIVE_POPPED, .first_length = 40 };
    const char text[41] = "0123456789012345678901234567890123456789";
    char line[128];

    for (size_t room = 1; room < 59 + 2; room++) {
        const size_t length = LiveLine(&facts, &record, text, "", line, room);

        ck_assert_uint_eq(length, room > 59 ? 59 : 0); /* 18 + 40 + 1 */
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("live_parts");
    TCase *tests = tcase_create("live_parts");
    SRunner *runner;
    int failed;

    tcase_add_test(tests, test_command__words_are_parted_as_a_shell_does);
    tcase_add_test(tests, test_command__an_open_quote_and_no_word_are_refused);
    tcase_add_test(tests, test_names__lists_are_letters_digits_underscores_stars);
    tcase_add_test(tests, test_names__match_by_beginning_or_pattern);
    tcase_add_test(tests, test_filter__skips_whatever_the_name_and_counts_each_process_and_device);
    tcase_add_test(tests, test_line__is_what_the_simulator_writes);
    tcase_add_test(tests, test_line__text_from_outside_stays_in_its_line);
    tcase_add_test(tests, test_line__one_that_does_not_fit_is_none);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
