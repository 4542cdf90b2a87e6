/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the values of an event: numbers, times and texts. */
#include "plugins/collect-kineto/text/json_text.h"
#include "plugins/collect-kineto/text/number.h"
#include "plugins/collect-kineto/text/wide_json.h"

#include "tests/core/suites.h"

#include <check.h>
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

static int64_t ns_of(const char *text)
{
    int64_t value = -77;

    ck_assert_msg(NumberNanoseconds(text, strlen(text), &value), "'%s' is not a number", text);
    return value;
}

static void check_no_number(const char *text)
{
    int64_t value = -77;

    ck_assert_msg(!NumberNanoseconds(text, strlen(text), &value), "'%s' is a number", text);
    ck_assert_int_eq(value, -77);
}

START_TEST(microseconds_of_today_keep_their_nanoseconds)
{
    ck_assert_int_eq(ns_of("1712195495519689.047"), INT64_C(1712195495519689047));
    ck_assert_int_eq(ns_of("1712867402348256"), INT64_C(1712867402348256000));
    ck_assert_int_eq(ns_of("4203669604595.407"), INT64_C(4203669604595407));
    ck_assert_int_eq(ns_of("0"), 0);
    ck_assert_int_eq(ns_of("-12.5"), -12500);
    ck_assert_int_eq(ns_of("68.0"), 68000);
}
END_TEST

/* Ordinary numbers take a short way; a zero more, and they take the long one. */
START_TEST(both_ways_of_reading_numbers_agree)
{
    uint64_t state = UINT64_C(0x9e3779b97f4a7c15);
    char text[64];

    for (int i = 0; i < 50000; i++) {
        const int fraction = i % 4;
        int length;
        int64_t wanted;

        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        length = snprintf(text, sizeof text, "%" PRIu64 ".%0*u",
                          (state >> 11) % 9000000000000000u >> i % 50, fraction == 0 ? 1 : fraction,
                          fraction == 0 ? 0 : (unsigned) i % 10);
        if (fraction == 0) {
            text[length - 2] = '\0';
        }
        wanted = ns_of(text);
        strcat(text, fraction == 0 ? ".0000" : "0000");
        ck_assert_int_eq(ns_of(text), wanted);
    }
}
END_TEST

/* Where such a time ends in a text with enough bytes behind it; NULL: it is not one. */
static const char *read_time(const char *text, int64_t *ret_ns)
{
    static char room[128];

    snprintf(room, sizeof room, "%s, \"dur\": 0123456789012345", text);
    return NumberReadTime(room, room + strlen(room), ret_ns);
}

START_TEST(a_time_is_read_where_it_stands)
{
    static const char *const others[] = {
        "",      "-1.000",    "1",     "1.00",  ".000",
        "1.00x", "\"1.000\"", "1e3.0", "1,000", "17128674023482561.000"
    };
    static const char near_end[] = "1.000, ";
    int64_t ns = -77;

    ck_assert_int_eq(*read_time("1712867402348256.001", &ns), ',');
    ck_assert_int_eq(ns, INT64_C(1712867402348256001));
    ck_assert_int_eq(*read_time("0.495", &ns), ',');
    ck_assert_int_eq(ns, 495);
    ck_assert_int_eq(*read_time("9223372036854775.807", &ns), ',');
    ck_assert_int_eq(ns, INT64_MAX);
    ck_assert_int_eq(*read_time("1.0005", &ns), '5'); /* the caller sees that it goes on */
    ns = -77;
    ck_assert_ptr_null(read_time("9223372036854775.808", &ns));
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        ck_assert_msg(read_time(others[i], &ns) == NULL, "'%s'", others[i]);
    }
    ck_assert_ptr_null(NumberReadTime(near_end, near_end + strlen(near_end), &ns));
    ck_assert_int_eq(ns, -77);
}
END_TEST

START_TEST(further_digits_are_rounded_half_to_even)
{
    ck_assert_int_eq(ns_of("1.0004"), 1000);
    ck_assert_int_eq(ns_of("1.0005"), 1000);
    ck_assert_int_eq(ns_of("1.0015"), 1002);
    ck_assert_int_eq(ns_of("1.00050000000000000000000001"), 1001);
    ck_assert_int_eq(ns_of("1.0006"), 1001);
    ck_assert_int_eq(ns_of("0.0005"), 0);
    ck_assert_int_eq(ns_of("-1.0015"), -1002);
}
END_TEST

START_TEST(exponents_are_understood)
{
    ck_assert_int_eq(ns_of("1.5e3"), 1500000);
    ck_assert_int_eq(ns_of("1.682725898236567e+15"), INT64_C(1682725898236567000));
    ck_assert_int_eq(ns_of("15E-1"), 1500);
    ck_assert_int_eq(ns_of("5e-4"), 0);
    ck_assert_int_eq(ns_of("6e-4"), 1);
    ck_assert_int_eq(ns_of("0e999999999"), 0);
    ck_assert_int_eq(ns_of("1e-999999999"), 0);
}
END_TEST

START_TEST(what_is_no_number_or_does_not_fit_is_refused)
{
    static const char *const texts[] = { "",
                                         "-",
                                         ".5",
                                         "1.",
                                         "1e",
                                         "1e+",
                                         "1x",
                                         "0x10",
                                         "NaN",
                                         "null",
                                         "1 ",
                                         "+1",
                                         "1e99",
                                         "--1",
                                         "9223372036854776",
                                         "18446744073709551.616",
                                         "99999999999999999999999999" };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        check_no_number(texts[i]);
    }
    ck_assert_int_eq(ns_of("9223372036854775.806"), INT64_MAX - 1);
}
END_TEST

START_TEST(integers_are_decimal_and_whole)
{
    int64_t value = 0;

    ck_assert(NumberInteger("4294967295", 10, &value));
    ck_assert_int_eq(value, INT64_C(4294967295));
    ck_assert(NumberInteger("-1", 2, &value));
    ck_assert_int_eq(value, -1);
    ck_assert(!NumberInteger("0x0", 3, &value));
    ck_assert(!NumberInteger("7.0", 3, &value));
    ck_assert(!NumberInteger("7e1", 3, &value));
    ck_assert(!NumberInteger("", 0, &value));
}
END_TEST

START_TEST(doubles_are_read_in_every_language)
{
    double value = 0;

    setlocale(LC_ALL, "de_DE.UTF-8");
    ck_assert(NumberDouble("0.3404255319148936", 18, &value));
    ck_assert_double_eq(value, 0.3404255319148936);
    ck_assert(NumberDouble("1e300", 5, &value));
    ck_assert(!NumberDouble("1e999", 5, &value));
    ck_assert(!NumberDouble("Infinity", 8, &value));
    ck_assert(!NumberDouble("0x1p3", 5, &value));
    setlocale(LC_ALL, "C");
}
END_TEST

/* Short ones are not read by the C library, which is the measure here. */
START_TEST(short_doubles_are_the_nearest_ones)
{
    uint64_t random = 1;

    for (unsigned i = 0; i < 20000; i++) {
        char text[40];
        double value = 0;
        int length;

        random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
        length = snprintf(text, sizeof text, "%s%" PRIu64 "%s%0*" PRIu64, i % 3 == 0 ? "-" : "",
                          (random >> 20) % (i % 7 == 0 ? 3 : 1000003), i % 5 == 0 ? "" : ".",
                          i % 5 == 0 ? 1 : (int) (i % 11 + 1),
                          (random >> 40) % (i % 11 < 6 ? 10 : 1000000));
        ck_assert_msg(NumberDouble(text, (size_t) length, &value), "%s", text);
        ck_assert_msg(value == strtod(text, NULL), "%s: %.17g", text, value);
    }
}
END_TEST

static const char *decoded(const char *text)
{
    static char out[256];
    JsonText json = { .text = text, .length = strlen(text), .has_escape = true, .is_string = true };
    const size_t length = JsonTextDecode(json, out);

    ck_assert_uint_le(length, json.length);
    out[length] = '\0';
    return out;
}

START_TEST(escapes_are_decoded)
{
    ck_assert_str_eq(decoded("a\\\"b\\\\c\\/d\\n\\t\\r\\b\\f"), "a\"b\\c/d\n\t\r\b\f");
    ck_assert_str_eq(decoded("\\u0041\\u00e9\\u20ac"), "A\xc3\xa9\xe2\x82\xac");
    ck_assert_str_eq(decoded("\\ud83d\\ude00!"), "\xf0\x9f\x98\x80!");
}
END_TEST

START_TEST(half_pairs_and_broken_escapes_do_no_harm)
{
    ck_assert_str_eq(decoded("\\ud83dx"), "\xef\xbf\xbdx");
    ck_assert_str_eq(decoded("\\ude00"), "\xef\xbf\xbd");
    ck_assert_str_eq(decoded("\\ud83d\\u0041"), "\xef\xbf\xbd"
                                                "A");
    ck_assert_str_eq(decoded("\\u12"), "u12");
    ck_assert_str_eq(decoded("\\q"), "q");
    ck_assert_str_eq(decoded("end\\"), "end\\");
}
END_TEST

START_TEST(keys_with_escapes_are_the_keys_they_spell)
{
    const JsonText key = { .text = "\\u0070h", .length = 7, .has_escape = true };
    const JsonText plain = { .text = "ph", .length = 2 };

    ck_assert(JSON_TEXT_IS(key, "ph"));
    ck_assert(JSON_TEXT_IS(plain, "ph"));
    ck_assert(!JSON_TEXT_IS(key, "p"));
    ck_assert(!JSON_TEXT_IS(plain, "phx"));
}
END_TEST

/* The n-th number of an array; the array has to be JSON. */
static int64_t wide_at(const char *text, size_t n)
{
    json_t *list = WideJsonValue(text, strlen(text));
    int64_t value;

    ck_assert_msg(list != NULL, "'%s' is not read", text);
    ck_assert(json_is_integer(json_array_get(list, n)));
    value = json_integer_value(json_array_get(list, n));
    json_decref(list);
    return value;
}

START_TEST(integers_without_sign_keep_their_bits)
{
    static const char text[] = "[9223372036854775807,9223372036854775808 , 18446744073709551615,"
                               "-9223372036854775808, 7]";

    ck_assert_int_eq(wide_at(text, 0), INT64_MAX);
    ck_assert_uint_eq((uint64_t) wide_at(text, 1), UINT64_C(1) << 63);
    ck_assert_uint_eq((uint64_t) wide_at(text, 2), UINT64_MAX);
    ck_assert_int_eq(wide_at(text, 3), INT64_MIN);
    ck_assert_int_eq(wide_at(text, 4), 7);
}
END_TEST

START_TEST(texts_and_fractions_beside_them_are_as_they_are)
{
    static const char text[] =
        "{\"9999999999999999999\": 9999999999999999999, \"a\\\"18446744073709551615\\\\\": "
        "[9999999999999999999.5, 9999999999999999999e1, 1.9999999999999999999]}";
    json_t *object = WideJsonValue(text, sizeof text - 1);
    const json_t *list = json_object_get(object, "a\"18446744073709551615\\");

    ck_assert_uint_eq((uint64_t) json_integer_value(json_object_get(object, "9999999999999999999")),
                      UINT64_C(9999999999999999999));
    ck_assert(json_real_value(json_array_get(list, 0)) > 9e18);
    ck_assert(json_real_value(json_array_get(list, 1)) > 9e19);
    ck_assert(json_real_value(json_array_get(list, 2)) == 2.0);
    json_decref(object);
}
END_TEST

START_TEST(what_is_not_json_or_too_large_is_refused)
{
    static const char *const texts[] = { "[18446744073709551616]",    "[-9223372036854775809]",
                                         "[18446744073709551615",     "{\"18446744073709551615",
                                         "[\"18446744073709551615\\", "",
                                         "[018446744073709551615]",   "[1844674407370955161 5]" };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ck_assert_msg(WideJsonValue(texts[i], strlen(texts[i])) == NULL, "'%s' is read", texts[i]);
    }
}
END_TEST

/* Every one of them may become longer. */
START_TEST(many_of_them_fit)
{
    char text[2048] = "[";

    for (int i = 0; i < 90; i++) {
        strcat(text, i == 0 ? "9223372036854775808" : ",9223372036854775808");
    }
    strcat(text, "]");
    ck_assert_int_eq(wide_at(text, 89), INT64_MIN);
}
END_TEST

static Suite *values_suite(void)
{
    Suite *suite = suite_create("values");
    TCase *tcase = tcase_create("values");

    tcase_add_test(tcase, microseconds_of_today_keep_their_nanoseconds);
    tcase_add_test(tcase, both_ways_of_reading_numbers_agree);
    tcase_add_test(tcase, a_time_is_read_where_it_stands);
    tcase_add_test(tcase, further_digits_are_rounded_half_to_even);
    tcase_add_test(tcase, exponents_are_understood);
    tcase_add_test(tcase, what_is_no_number_or_does_not_fit_is_refused);
    tcase_add_test(tcase, integers_are_decimal_and_whole);
    tcase_add_test(tcase, doubles_are_read_in_every_language);
    tcase_add_test(tcase, short_doubles_are_the_nearest_ones);
    tcase_add_test(tcase, escapes_are_decoded);
    tcase_add_test(tcase, half_pairs_and_broken_escapes_do_no_harm);
    tcase_add_test(tcase, keys_with_escapes_are_the_keys_they_spell);
    tcase_add_test(tcase, integers_without_sign_keep_their_bits);
    tcase_add_test(tcase, texts_and_fractions_beside_them_are_as_they_are);
    tcase_add_test(tcase, what_is_not_json_or_too_large_is_refused);
    tcase_add_test(tcase, many_of_them_fit);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(values_suite)
