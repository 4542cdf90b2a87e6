/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of kit/source/source_spans.c. */
#include "kit/source/source_spans.h"

#include "tests/core/suites.h"

#include <check.h>
#include <stdlib.h>

#define ADDRESSES 400u

/*
 * Ranges inside each other, outer ones first; the last one that holds an address is its innermost.
 */
static void add_nested(SourceSpans *spans, uint32_t *model, uint64_t low, uint64_t high,
                       unsigned depth, uint32_t *next)
{
    const uint32_t value = (*next)++;

    ck_assert(SourceSpansAdd(spans, low, high, value));
    for (uint64_t i = low; i < high; i++) {
        model[i] = value;
    }
    for (uint64_t at = low; depth > 0 && at < high;) {
        const uint64_t from = at + (uint64_t) rand() % (high - at + 1);
        const uint64_t to = from + (uint64_t) rand() % (high - from + 1);

        if (from < to) {
            add_nested(spans, model, from, to, depth - 1, next);
        }
        at = to + 1;
    }
}

START_TEST(an_address_has_the_innermost_range)
{
    static uint32_t model[ADDRESSES];
    SourceSpans spans = { 0 };
    uint32_t next = 0;

    srand((unsigned) _i);
    for (uint32_t i = 0; i < ADDRESSES; i++) {
        model[i] = SPAN_NONE;
    }
    add_nested(&spans, model, 200, 390, 4, &next);
    add_nested(&spans, model, 10, 180, 4, &next);
    ck_assert(SourceSpansClose(&spans));
    for (uint32_t i = 0; i < ADDRESSES; i++) {
        ck_assert_uint_eq(SourceSpansFind(&spans, i), model[i]);
    }
    SourceSpansFinish(&spans);
}
END_TEST

START_TEST(empty_and_overlapping_ranges_do_no_harm)
{
    SourceSpans spans = { 0 };

    ck_assert(SourceSpansAdd(&spans, 5, 5, 0));
    ck_assert(SourceSpansAdd(&spans, 9, 3, 1));
    ck_assert(SourceSpansAdd(&spans, 10, 20, 2));
    ck_assert(SourceSpansAdd(&spans, 15, 25, 3));
    ck_assert(SourceSpansAdd(&spans, 20, UINT64_MAX, 4));
    ck_assert(SourceSpansClose(&spans));
    ck_assert_uint_eq(SourceSpansFind(&spans, 5), SPAN_NONE);
    ck_assert_uint_eq(SourceSpansFind(&spans, 14), 2);
    ck_assert_uint_eq(SourceSpansFind(&spans, 15), 3);
    ck_assert_uint_eq(SourceSpansFind(&spans, 20), 4);
    ck_assert_uint_eq(SourceSpansFind(&spans, UINT64_MAX), SPAN_NONE);
    SourceSpansFinish(&spans);
}
END_TEST

START_TEST(no_range_holds_no_address)
{
    SourceSpans spans = { 0 };

    ck_assert(SourceSpansClose(&spans));
    ck_assert_uint_eq(SourceSpansFind(&spans, 0), SPAN_NONE);
    SourceSpansFinish(&spans);
}
END_TEST

static Suite *source_spans_suite(void)
{
    Suite *suite = suite_create("source_spans");
    TCase *tcase = tcase_create("source_spans");

    tcase_add_loop_test(tcase, an_address_has_the_innermost_range, 0, 50);
    tcase_add_test(tcase, empty_and_overlapping_ranges_do_no_harm);
    tcase_add_test(tcase, no_range_holds_no_address);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(source_spans_suite)
