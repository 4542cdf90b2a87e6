/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of kit/launch/cutter.c. */
#include <opprof/kit/cutter.h>

#include "tests/core/suites.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 24u

/* Bytes of records that came. */
typedef struct Cut {
    unsigned char bytes[1000];
    size_t length;
    unsigned calls_left;
} Cut;

static bool keep(void *context, const unsigned char *records, size_t count)
{
    Cut *cut = context;

    ck_assert_uint_le(cut->length + count * SIZE, sizeof cut->bytes);
    memcpy(cut->bytes + cut->length, records, count * SIZE);
    cut->length += count * SIZE;
    return --cut->calls_left > 0;
}

START_TEST(records_are_the_same_however_the_pieces_are_cut)
{
    unsigned char bytes[1000];

    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char) (i * 31);
    }
    for (size_t piece = 1; piece < 60; piece++) {
        OpprofCutter cutter;
        Cut cut = { .calls_left = 1000 };

        OpprofCutterBegin(&cutter, SIZE);
        for (size_t at = 0; at < sizeof bytes; at += piece) {
            const size_t length = sizeof bytes - at < piece ? sizeof bytes - at : piece;
            ck_assert(OpprofCutterFeed(&cutter, bytes + at, length, keep, &cut));
        }
        ck_assert_uint_eq(cut.length, 984); /* 41 whole records, and 16 bytes of one */
        ck_assert_mem_eq(cut.bytes, bytes, 984);
        ck_assert_uint_eq(cutter.have, 16);
    }
}
END_TEST

START_TEST(the_taker_of_records_can_stop)
{
    const unsigned char bytes[3 * SIZE] = { 0 };
    OpprofCutter cutter;
    Cut cut = { .calls_left = 2 };

    OpprofCutterBegin(&cutter, SIZE);
    ck_assert(OpprofCutterFeed(&cutter, bytes, SIZE, keep, &cut));
    ck_assert(!OpprofCutterFeed(&cutter, bytes, SIZE, keep, &cut));
    ck_assert_uint_eq(cut.length, 2 * SIZE);
}
END_TEST

static Suite *cutter_suite(void)
{
    Suite *suite = suite_create("cutter");
    TCase *tests = tcase_create("cutter");

    tcase_add_test(tests, records_are_the_same_however_the_pieces_are_cut);
    tcase_add_test(tests, the_taker_of_records_can_stop);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(cutter_suite)
