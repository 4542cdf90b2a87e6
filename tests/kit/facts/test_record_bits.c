/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of kit/facts/record_bits.c. */
#include "kit/facts/fact_bind.h"

#include "tests/core/suites.h"

static const unsigned char bytes[16] = { 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
                                         0xf0, 0xe1, 0xd2, 0xc3, 0xb4, 0xa5, 0x96, 0x87 };

static uint64_t value_of(bool is_big, RecordPlace place)
{
    OpprofRecordBits bits;

    ck_assert(RecordBitsPlace(&place, sizeof bytes, is_big, &bits));
    return OpprofRecordBitsGet(&bits, bytes);
}

START_TEST(little_and_big_endian_numbers_are_read_anywhere)
{
    static const struct {
        RecordPlace field;
        uint64_t little;
        uint64_t big;
    } cases[] = {
        { { 0, 8, 0 }, 0x01, 0x01 },
        { { 2, 16, 0 }, 0x6745, 0x4567 },
        { { 1, 24, 0 }, 0x674523, 0x234567 },
        { { 8, 64, 0 }, UINT64_C(0x8796a5b4c3d2e1f0), UINT64_C(0xf0e1d2c3b4a59687) },
        { { 14, 16, 0 }, 0x8796, 0x9687 },
        { { 15, 4, 4 }, 0x8, 0x8 },
        { { 4, 12, 4 }, 0xab8, 0x89a },
        { { 12, 20, 8 }, 0x796a5, 0x4a596 },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_uint_eq(value_of(false, cases[i].field), cases[i].little);
        ck_assert_uint_eq(value_of(true, cases[i].field), cases[i].big);
    }
}
END_TEST

START_TEST(fields_that_no_load_holds_are_refused)
{
    static const RecordPlace cases[] = { { 15, 9, 0 }, { 16, 8, 0 }, { 0, 64, 1 }, { 9, 64, 0 } };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        OpprofRecordBits bits = { .mask = 1 };

        ck_assert(!RecordBitsPlace(&cases[i], sizeof bytes, false, &bits));
        ck_assert_uint_eq(OpprofRecordBitsGet(&bits, bytes), 0);
    }
}
END_TEST

static Suite *record_bits_suite(void)
{
    Suite *suite = suite_create("record_bits");
    TCase *tcase = tcase_create("record_bits");

    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, little_and_big_endian_numbers_are_read_anywhere);
    tcase_add_test(tcase, fields_that_no_load_holds_are_refused);
    return suite;
}
TEST_SUITE(record_bits_suite)
