/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of core/plugin/param_text.c. */
#include "plugin/param_text.h"

#include "tests/core/suites.h"

#include <check.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <opprof/plugin.h>
#include <stdlib.h>

typedef struct Quantity {
    const char *text;
    bool good;
    int64_t value;
} Quantity;

static const Quantity sizes[] = {
    { "0", true, 0 },
    { "100", true, 100 },
    { "1B", true, 1 },
    { "4kB", true, 4000 },
    { "4KB", true, 4000 },
    { "64KiB", true, 65536 },
    { "64 MiB", true, 67108864 },
    { "1GiB", true, 1073741824 },
    { "1.5GiB", true, 1610612736 },
    { "0.001kB", true, 1 },
    { "8TB", true, 8000000000000 },
    { "8388607TiB", true, INT64_C(8388607) << 40 },
    { "9223372036854775807", true, INT64_MAX },
    { "8388608TiB", false, 0 },
    { "9223372036854775808", false, 0 },
    { "99999999999999999999", false, 0 },
    { "0.3KiB", false, 0 },
    { "", false, 0 },
    { "MiB", false, 0 },
    { "-1", false, 0 },
    { "+1", false, 0 },
    { " 1", false, 0 },
    { "1 ", false, 0 },
    { "1  MiB", false, 0 },
    { "1.", false, 0 },
    { ".5MiB", false, 0 },
    { "0x10", false, 0 },
    { "1e3", false, 0 },
    { "1MiBs", false, 0 },
    { "1.00000000000000000000GiB", false, 0 },
};

START_TEST(sizes_parse_wholly_or_not_at_all)
{
    const Quantity *size = &sizes[_i];
    int64_t value = -1;

    ck_assert_msg((ParseSize(size->text, &value) == PARSE_OK) == size->good, "'%s'", size->text);
    ck_assert_int_eq(value, size->good ? size->value : -1);
}
END_TEST

static const Quantity durations[] = {
    { "10ms", true, 10000000 },
    { "2s", true, 2000000000 },
    { "5us", true, 5000 },
    { "100ns", true, 100 },
    { "0s", true, 0 },
    { "1.5s", true, 1500000000 },
    { "0.000000001s", true, 1 },
    { "2min", true, 120000000000 },
    { "1h", true, 3600000000000 },
    { "9223372036854775807ns", true, INT64_MAX },
    { "9223372036854775808ns", false, 0 },
    { "9223372037s", false, 0 },
    { "0.5ns", false, 0 },
    { "10", false, 0 },
    { "0", false, 0 },
    { "-1s", false, 0 },
    { "s", false, 0 },
    { "1d", false, 0 },
};

START_TEST(durations_need_a_unit)
{
    const Quantity *duration = &durations[_i];
    int64_t value = -1;

    ck_assert_msg((ParseDuration(duration->text, &value) == PARSE_OK) == duration->good, "'%s'",
                  duration->text);
    ck_assert_int_eq(value, duration->good ? duration->value : -1);
}
END_TEST

static const Quantity integers[] = {
    { "0", true, 0 },
    { "-0", true, 0 },
    { "+7", true, 7 },
    { "007", true, 7 },
    { "-9223372036854775808", true, INT64_MIN },
    { "9223372036854775807", true, INT64_MAX },
    { "0x7fffffffffffffff", true, INT64_MAX },
    { "-0X10", true, -16 },
    { "9223372036854775808", false, 0 },
    { "0x8000000000000000", false, 0 },
    { "", false, 0 },
    { "-", false, 0 },
    { "0x", false, 0 },
    { " 1", false, 0 },
    { "1 ", false, 0 },
    { "1.0", false, 0 },
    { "--1", false, 0 },
    { "1e3", false, 0 },
};

START_TEST(integers_parse_wholly_or_not_at_all)
{
    const Quantity *integer = &integers[_i];
    int64_t value = -1;

    ck_assert_msg((ParseInteger(integer->text, &value) == PARSE_OK) == integer->good, "'%s'",
                  integer->text);
    ck_assert_int_eq(value, integer->good ? integer->value : -1);
}
END_TEST

START_TEST(what_is_too_large_is_told_from_what_is_no_number)
{
    int64_t integer;
    double number;

    ck_assert_int_eq(ParseInteger("99999999999999999999", &integer), PARSE_LARGE);
    ck_assert_int_eq(ParseInteger("99999999999999999999x", &integer), PARSE_BAD);
    ck_assert_int_eq(ParseSize("9999999TiB", &integer), PARSE_LARGE);
    ck_assert_int_eq(ParseSize("1XiB", &integer), PARSE_BAD);
    ck_assert_int_eq(ParseDuration("9999999h", &integer), PARSE_LARGE);
    ck_assert_int_eq(ParseDuration("1", &integer), PARSE_BAD);
    ck_assert_int_eq(ParseNumber("1e999", &number), PARSE_LARGE);
    ck_assert_int_eq(ParseNumber("1e", &number), PARSE_BAD);
}
END_TEST

START_TEST(numbers_parse_the_same_in_every_locale)
{
    static const char *const bad[] = { "",     " 1", "1 ", "1,5", "nan", "inf",
                                       "0x10", "1e", "e5", "-",   ".",   "1.2.3" };
    double value = 0;

    /* one with a decimal comma, where it is installed */
    setlocale(LC_ALL, "de_DE.UTF-8");
    ck_assert_int_eq(ParseNumber("0.25", &value), PARSE_OK);
    ck_assert_double_eq(value, 0.25);
    ck_assert_int_eq(ParseNumber("-1e2", &value), PARSE_OK);
    ck_assert_double_eq(value, -100);
    ck_assert_int_eq(ParseNumber(".5", &value), PARSE_OK);
    ck_assert_double_eq(value, 0.5);
    for (size_t i = 0; i < OPPROF_COUNT(bad); i++) {
        ck_assert_msg(ParseNumber(bad[i], &value) == PARSE_BAD, "'%s'", bad[i]);
    }
}
END_TEST

START_TEST(truth_has_several_words)
{
    static const char *const yes[] = { "true", "True", "yes", "on", "1" };
    static const char *const no[] = { "false", "NO", "off", "0" };
    bool value = false;

    for (size_t i = 0; i < OPPROF_COUNT(yes); i++) {
        value = false;
        ck_assert_int_eq(ParseTruth(yes[i], &value), PARSE_OK);
        ck_assert(value);
    }
    for (size_t i = 0; i < OPPROF_COUNT(no); i++) {
        value = true;
        ck_assert_int_eq(ParseTruth(no[i], &value), PARSE_OK);
        ck_assert(!value);
    }
    ck_assert_int_eq(ParseTruth("", &value), PARSE_BAD);
    ck_assert_int_eq(ParseTruth("2", &value), PARSE_BAD);
}
END_TEST

static void expect_text(char *text, const char *wanted)
{
    ck_assert_str_eq(text, wanted);
    free(text);
}

START_TEST(values_read_as_they_are_typed)
{
    expect_text(ShowSize(0), "0B");
    expect_text(ShowSize(65536), "64KiB");
    expect_text(ShowSize(3000), "3kB");
    expect_text(ShowSize(3001), "3001B");
    expect_text(ShowSize(INT64_MAX), "9223372036854775807B");
    expect_text(ShowDuration(0), "0ns");
    expect_text(ShowDuration(1500000), "1500us");
    expect_text(ShowDuration(60000000000), "1min");
    expect_text(ShowNumber(3), "3");
    expect_text(ShowNumber(-0.1), "-0.1");
}
END_TEST

static Suite *param_text_suite(void)
{
    Suite *suite = suite_create("param_text");
    TCase *tcase = tcase_create("texts");

    tcase_add_loop_test(tcase, sizes_parse_wholly_or_not_at_all, 0, (int) OPPROF_COUNT(sizes));
    tcase_add_loop_test(tcase, durations_need_a_unit, 0, (int) OPPROF_COUNT(durations));
    tcase_add_loop_test(tcase, integers_parse_wholly_or_not_at_all, 0,
                        (int) OPPROF_COUNT(integers));
    tcase_add_test(tcase, what_is_too_large_is_told_from_what_is_no_number);
    tcase_add_test(tcase, numbers_parse_the_same_in_every_locale);
    tcase_add_test(tcase, truth_has_several_words);
    tcase_add_test(tcase, values_read_as_they_are_typed);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(param_text_suite)
