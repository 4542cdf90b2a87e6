/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of one kind are said once, and counted. */
#include "run/messages.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool say(StageMessages *messages, const char *format, unsigned number)
{
    char text[64];

    snprintf(text, sizeof text, "%s %u", format, number);
    return MessagesKeep(messages, format, text);
}

START_TEST(the_first_of_a_kind_is_told_apart)
{
    StageMessages messages = { .count = 0 };

    ck_assert(say(&messages, "file %u", 1));
    ck_assert(!say(&messages, "file %u", 2));
    ck_assert(!say(&messages, "file %u", 2)); /* said before */
    ck_assert(say(&messages, "line %u", 1));
    ck_assert_uint_eq(messages.count, 3);
    ck_assert_uint_eq(messages.list[0].more, 1);
    MessagesFinish(&messages);
}
END_TEST

START_TEST(texts_that_are_passed_on_are_of_no_kind)
{
    StageMessages messages = { .count = 0 };

    ck_assert(MessagesKeep(&messages, "%s", "one"));
    ck_assert(MessagesKeep(&messages, "%s", "two"));
    ck_assert_uint_eq(MessagesAlike(&messages, 0), 0);
    MessagesFinish(&messages);
}
END_TEST

START_TEST(of_a_kind_the_first_counts_the_others)
{
    StageMessages messages = { .count = 0 };

    say(&messages, "file %u", 0);
    ck_assert_uint_eq(MessagesAlike(&messages, 0), 0);
    say(&messages, "line %u", 0);
    say(&messages, "file %u", 1);
    say(&messages, "file %u", 2);
    ck_assert_uint_eq(MessagesAlike(&messages, 0), 2);
    ck_assert(!MessagesAreCounted(&messages, 0));
    ck_assert(!MessagesAreCounted(&messages, 1)); /* the line */
    ck_assert(MessagesAreCounted(&messages, 2));
    ck_assert(MessagesAreCounted(&messages, 3));
    MessagesFinish(&messages);
}
END_TEST

static void has_line(const StageMessages *messages, uint32_t index, const char *expected)
{
    char *line = MessagesLine(messages, index);

    ck_assert_str_eq(line, expected);
    free(line);
}

START_TEST(a_line_says_how_the_others_differ)
{
    static const char format[] = "Cannot read '%s' of %s: %s";
    StageMessages messages = { .count = 0 };

    MessagesKeep(&messages, format, "Cannot read 'core1/a.dump' of the run: it is cut");
    has_line(&messages, 0, "Cannot read 'core1/a.dump' of the run: it is cut");
    MessagesKeep(&messages, format, "Cannot read 'core2/a.dump' of the run: it is cut");
    MessagesKeep(&messages, format, "Cannot read 'core1/a.dump' of the run: it is empty");
    MessagesKeep(&messages, format, "Cannot read 'core3/a.dump' of the run: it is empty");
    has_line(&messages, 0,
             "Cannot read 'core1/a.dump' of the run: it is cut (and 3 more like this): "
             "'core2/a.dump'; empty; "
             "Cannot read 'core3/a.dump' of the run: it is empty");
    MessagesFinish(&messages);
}
END_TEST

START_TEST(their_order_does_not_depend_on_who_was_first)
{
    StageMessages messages = { .count = 0 };

    MessagesKeep(&messages, "launch %u is bad", "launch 10 is bad");
    MessagesKeep(&messages, "core %u is bad", "core 1 is bad");
    MessagesKeep(&messages, "launch %u is bad", "launch 9 is bad");
    MessagesKeep(&messages, "launch %u is bad", "launch 11 is bad");
    MessagesSort(&messages);
    ck_assert_str_eq(messages.list[0].text, "core 1 is bad");
    has_line(&messages, 0, "core 1 is bad");
    has_line(&messages, 1, "launch 9 is bad (and 2 more like this): 10; 11");
    ck_assert(!MessagesAreCounted(&messages, 1) && MessagesAreCounted(&messages, 2));
    MessagesSort(&messages);
    has_line(&messages, 1, "launch 9 is bad (and 2 more like this): 10; 11");
    MessagesFinish(&messages);
}
END_TEST

START_TEST(a_word_is_said_without_what_ends_it)
{
    StageMessages messages = { .count = 0 };

    MessagesKeep(&messages, "File '%s': it is cut", "File 'a.json': it is cut");
    MessagesKeep(&messages, "File '%s': it is cut", "File 'b.json': it is cut");
    has_line(&messages, 0, "File 'a.json': it is cut (and 1 more like this): 'b.json'");
    MessagesFinish(&messages);
}
END_TEST

START_TEST(a_line_ends_and_says_where_the_others_are)
{
    char name[300] = "";
    StageMessages messages = { .count = 0 };

    memset(name, 'x', sizeof name - 1);
    for (char digit = '0'; digit < '4'; digit++) {
        name[0] = digit;
        char *text = NULL;

        ck_assert_int_gt(asprintf(&text, "%s is bad", name), 0);
        MessagesKeep(&messages, "%s is bad", text);
        free(text);
    }
    char *line = MessagesLine(&messages, 0);
    char *rest = strstr(line, "(and 3 more like this): 1xx");

    ck_assert_ptr_nonnull(rest);
    ck_assert_ptr_nonnull(strstr(rest, "x; 2 in run.json"));
    ck_assert_ptr_null(strstr(rest, " 2xx"));
    free(line);
    MessagesFinish(&messages);
}
END_TEST

START_TEST(those_that_are_not_kept_are_counted)
{
    StageMessages messages = { .count = 0 };

    for (unsigned i = 0; i < STAGE_MAX_MESSAGES + 500; i++) {
        say(&messages, "file %u", i);
    }
    ck_assert_uint_eq(messages.count, STAGE_MAX_MESSAGES);
    ck_assert_uint_eq(messages.dropped, 500);
    ck_assert_uint_eq(MessagesAlike(&messages, 0), STAGE_MAX_MESSAGES + 499);
    char *line = MessagesLine(&messages, 0);

    ck_assert_ptr_nonnull(strstr(line, "(and 1499 more like this): 1; 2; 3; "));
    ck_assert_ptr_nonnull(strstr(line, " in run.json; 500 beyond the 1000 that are kept"));
    free(line);
    ck_assert_uint_eq(MessagesLost(&messages), 0);
    ck_assert(!say(&messages, "line %u", 0)); /* a kind that finds no room */
    ck_assert_uint_eq(MessagesLost(&messages), 1);
    MessagesFinish(&messages);
}
END_TEST

static Suite *messages_suite(void)
{
    Suite *suite = suite_create("messages");
    TCase *all = tcase_create("all");

    tcase_add_test(all, the_first_of_a_kind_is_told_apart);
    tcase_add_test(all, texts_that_are_passed_on_are_of_no_kind);
    tcase_add_test(all, of_a_kind_the_first_counts_the_others);
    tcase_add_test(all, a_line_says_how_the_others_differ);
    tcase_add_test(all, their_order_does_not_depend_on_who_was_first);
    tcase_add_test(all, a_word_is_said_without_what_ends_it);
    tcase_add_test(all, a_line_ends_and_says_where_the_others_are);
    tcase_add_test(all, those_that_are_not_kept_are_counted);
    suite_add_tcase(suite, all);
    return suite;
}
TEST_SUITE(messages_suite)
