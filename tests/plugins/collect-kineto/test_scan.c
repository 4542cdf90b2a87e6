/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of plugins/collect-kineto/text/scan.c. */
#include "plugins/collect-kineto/text/scan.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = UINT64_C(0x2545f4914f6cdd1d);

static uint64_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* Letters that make a scanner's life hard, the others seldom. */
static void fill(char *text, size_t length)
{
    static const char letters[] = "{}[]\"\\\\ab:,{}\"\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";

    for (size_t i = 0; i < length; i++) {
        text[i] = letters[next_random() % (sizeof letters - 1)];
    }
}

static char text[4096 + SCAN_PADDING];

/* The way for short vectors, which this machine may not take by itself. */
static void check_narrow(ScanState narrow, const char *at, const char *end)
{
#ifdef __SSE2__
    ScanState plain = narrow;
    const char *wanted = ScanContainerPlainly(&plain, at, end);

    ck_assert_ptr_eq(ScanContainerNarrowly(&narrow, at, end), wanted);
    ck_assert_uint_eq(narrow.depth, plain.depth);
    if (wanted == NULL) {
        ck_assert_uint_eq(narrow.in_string, plain.in_string);
        ck_assert_uint_eq(narrow.escaped, plain.escaped);
    }
#else
    (void) narrow;
    (void) at;
    (void) end;
#endif
}

START_TEST(blanks_and_digits_end_where_their_letters_say)
{
    static const char letters[] = "    \n\t\r0123456789../:,-e\x1f\xff";

    for (int round = 0; round < 20000; round++) {
        const size_t length = next_random() % 80;
        const size_t few = 1 + next_random() % (sizeof letters - 1);
        size_t blanks = 0;
        size_t digits = 0;

        for (size_t i = 0; i < sizeof text; i++) {
            const size_t from = few < 8 || round % 2 == 0 ? 0 : 7;
            text[i] = letters[(next_random() % few + from) % sizeof letters];
            text[i] = text[i] == '\0' ? ' ' : text[i];
        }
        while (blanks < length && strchr(" \n\t\r", text[blanks]) != NULL) {
            blanks++;
        }
        while (digits < length && text[digits] >= '.' && text[digits] <= '9') {
            digits++;
        }
        ck_assert_ptr_eq(ScanBlanks(text, text + length), text + blanks);
        ck_assert_ptr_eq(ScanDigits(text, text + length), text + digits);
    }
}
END_TEST

START_TEST(containers_end_where_a_scan_of_single_bytes_says)
{
    for (int round = 0; round < 20000; round++) {
        const size_t length = next_random() % 600;
        ScanState fast = { .depth = next_random() % 3 };
        ScanState plain = fast;
        const char *wanted;

        fill(text, length);
        check_narrow(fast, text, text + length);
        wanted = ScanContainerPlainly(&plain, text, text + length);
        ck_assert_ptr_eq(ScanContainer(&fast, text, text + length), wanted);
        ck_assert_uint_eq(fast.depth, plain.depth);
        if (wanted == NULL) {
            ck_assert_uint_eq(fast.in_string, plain.in_string);
            ck_assert_uint_eq(fast.escaped, plain.escaped);
        }
    }
}
END_TEST

START_TEST(containers_may_be_cut_into_pieces_anywhere)
{
    for (int round = 0; round < 3000; round++) {
        const size_t length = 300;
        const size_t cut = next_random() % (length + 1);
        ScanState whole = { .depth = 1 };
        ScanState pieces = { .depth = 1 };
        const char *wanted;
        const char *found;

        fill(text, length);
        wanted = ScanContainer(&whole, text, text + length);
        found = ScanContainer(&pieces, text, text + cut);
        if (found == NULL) {
            found = ScanContainer(&pieces, text + cut, text + length);
        }
        ck_assert_ptr_eq(found, wanted);
    }
}
END_TEST

START_TEST(two_hundred_levels_are_passed_over)
{
    ScanState scan = { .depth = 0 };

    memset(text, '[', 200);
    memset(text + 200, ']', 200);
    ck_assert_ptr_eq(ScanContainer(&scan, text, text + 400), text + 400);
    scan = (ScanState){ .depth = 0 };
    ck_assert_ptr_null(ScanContainer(&scan, text, text + 399));
    ck_assert_uint_eq(scan.depth, 1);
}
END_TEST

START_TEST(strings_end_at_the_first_quote_that_is_not_escaped)
{
    for (int round = 0; round < 20000; round++) {
        const size_t length = next_random() % 100;
        const char *wanted = NULL;
        bool has_escape = false;
        bool wanted_escape = false;

        fill(text, length);
        for (size_t i = 0; i < length && wanted == NULL; i++) {
            if (text[i] == '"') {
                wanted = text + i;
            } else if (text[i] == '\\') {
                wanted_escape = true;
                i++;
            }
        }
        ck_assert_ptr_eq(ScanString(text, text + length, &has_escape), wanted);
        if (wanted != NULL) {
            ck_assert_int_eq(has_escape, wanted_escape);
        }
    }
}
END_TEST

static Suite *scan_suite(void)
{
    Suite *suite = suite_create("scan");
    TCase *tcase = tcase_create("scan");

    tcase_add_test(tcase, containers_end_where_a_scan_of_single_bytes_says);
    tcase_add_test(tcase, containers_may_be_cut_into_pieces_anywhere);
    tcase_add_test(tcase, blanks_and_digits_end_where_their_letters_say);
    tcase_add_test(tcase, two_hundred_levels_are_passed_over);
    tcase_add_test(tcase, strings_end_at_the_first_quote_that_is_not_escaped);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(scan_suite)
