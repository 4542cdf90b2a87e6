/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/viz-html/packed.c. */
#include "plugins/viz-html/packed.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static void expect_bytes(const OpprofJsonOut *text, const char *bytes, size_t length)
{
    ck_assert(!text->is_short);
    ck_assert_uint_eq(text->length, length);
    ck_assert_mem_eq(text->text, bytes, length);
}

START_TEST(numbers_take_seven_bits_a_byte)
{
    OpprofJsonOut bytes = { 0 };

    PackNumber(&bytes, 0);
    PackNumber(&bytes, 127);
    PackNumber(&bytes, 128);
    PackNumber(&bytes, 300); /* 2 * 128 + 44 */
    expect_bytes(&bytes, "\x00\x7f\x80\x01\xac\x02", 6);
    TextCut(&bytes, 0);
    PackNumber(&bytes, UINT64_MAX);
    ck_assert_uint_eq(bytes.length, 10);
    ck_assert_int_eq((unsigned char) bytes.text[9], 1);
    OpprofJsonOutFinish(&bytes);
}
END_TEST

START_TEST(small_numbers_of_both_signs_are_short)
{
    OpprofJsonOut bytes = { 0 };

    PackSigned(&bytes, 0);
    PackSigned(&bytes, -1);
    PackSigned(&bytes, 1);
    PackSigned(&bytes, -64);
    PackSigned(&bytes, 64);
    expect_bytes(&bytes, "\x00\x01\x02\x7f\x80\x01", 6);
    TextCut(&bytes, 0);
    PackSigned(&bytes, INT64_MIN);
    ck_assert_uint_eq(bytes.length, 10);
    OpprofJsonOutFinish(&bytes);
}
END_TEST

/* The examples of RFC 4648, section 10. */
START_TEST(bytes_become_base64)
{
    static const char *const examples[] = {
        "",     "",         "f",     "Zg==",     "fo",     "Zm8=",     "foo",      "Zm9v",
        "foob", "Zm9vYg==", "fooba", "Zm9vYmE=", "foobar", "Zm9vYmFy", "\xff\xfe", "//4="
    };

    for (size_t i = 0; i < sizeof examples / sizeof *examples; i += 2) {
        OpprofJsonOut text = { 0 };

        PackText(&text, examples[i], strlen(examples[i]));
        ck_assert_uint_eq(text.length, strlen(examples[i + 1]));
        if (text.length > 0) {
            ck_assert_mem_eq(text.text, examples[i + 1], text.length);
        }
        OpprofJsonOutFinish(&text);
    }
}
END_TEST

static Suite *packed_suite(void)
{
    Suite *suite = suite_create("packed");
    TCase *cases = tcase_create("all");

    tcase_add_test(cases, numbers_take_seven_bits_a_byte);
    tcase_add_test(cases, small_numbers_of_both_signs_are_short);
    tcase_add_test(cases, bytes_become_base64);
    suite_add_tcase(suite, cases);
    return suite;
}
TEST_SUITE(packed_suite)
