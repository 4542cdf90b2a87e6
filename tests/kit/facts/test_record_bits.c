/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of kit/facts/record_bits.c. */
#include <opprof/kit/record_bits.h>

#include "kit/facts/chip_file.h"
#include "tests/core/scratch.h"
#include "tests/core/suites.h"

#include <string.h>

/* A chip whose record is given, to be freed. */
static OpprofChip *chip_with(const char *record)
{
    char text[1024];
    OpprofChip *chip = NULL;
    OpprofError *error = NULL;

    make_scratch();
    ChipsForget();
    snprintf(
        text, sizeof text,
        "{ \"opprof_chip\": \"1.0\", \"series\": \"S\", \"socs\": { \"Soc\": {} }, \"own\": %s }",
        record);
    write_scratch("s.json", text, strlen(text));
    setenv("OPPROF_CHIP_PATH", scratch, 1);
    setenv("OPPROF_SYSTEM_CHIP_PATH", "", 1);
    if (OpprofChipLoad("Soc", &chip, &error) != OPPROF_OK) {
        ck_abort_msg("%s", OpprofErrorText(error, false));
    }
    remove_scratch(); /* facts are read once */
    return chip;
}

static const unsigned char bytes[16] = { 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
                                         0xf0, 0xe1, 0xd2, 0xc3, 0xb4, 0xa5, 0x96, 0x87 };

static uint64_t value_of(const char *order, const char *field)
{
    char record[256];
    OpprofRecordBits bits;

    snprintf(record, sizeof record,
             "{ \"size\": 16, \"byte_order\": \"%s\", \"fields\": { \"f\": %s } }", order, field);
    OpprofChip *chip = chip_with(record);
    ck_assert_ptr_null(OpprofRecordBitsRead(OpprofChipFact(chip, "own"), "f", &bits));
    const uint64_t value = OpprofRecordBitsGet(&bits, bytes);
    OpprofChipFree(chip);
    return value;
}

START_TEST(little_and_big_endian_numbers_are_read_anywhere)
{
    static const struct {
        const char *field;
        uint64_t little;
        uint64_t big;
    } cases[] = {
        { "{ \"at\": 0, \"bits\": 8 }", 0x01, 0x01 },
        { "{ \"at\": 2, \"bits\": 16 }", 0x6745, 0x4567 },
        { "{ \"at\": 1, \"bits\": 24 }", 0x674523, 0x234567 },
        { "{ \"at\": 8, \"bits\": 64 }", UINT64_C(0x8796a5b4c3d2e1f0),
          UINT64_C(0xf0e1d2c3b4a59687) },
        { "{ \"at\": 14, \"bits\": 16 }", 0x8796, 0x9687 },
        { "{ \"at\": 15, \"bits\": 4, \"shift\": 4 }", 0x8, 0x8 },
        { "{ \"at\": 4, \"bits\": 12, \"shift\": 4 }", 0xab8, 0x89a },
        { "{ \"at\": 12, \"bits\": 20, \"shift\": 8 }", 0x796a5, 0x4a596 },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_uint_eq(value_of("little", cases[i].field), cases[i].little);
        ck_assert_uint_eq(value_of("big", cases[i].field), cases[i].big);
    }
}
END_TEST

START_TEST(wrong_fields_are_told)
{
    static const struct {
        const char *field;
        const char *why;
    } cases[] = {
        { "{ \"bits\": 8 }", "the field needs 'at' and 'bits'" },
        { "{ \"at\": 3 }", "the field needs 'at' and 'bits'" },
        { "{ \"at\": 16, \"bits\": 8 }", "a number is not a whole number or too large" },
        { "{ \"at\": 1.5, \"bits\": 8 }", "a number is not a whole number or too large" },
        { "{ \"at\": 15, \"bits\": 9 }",
          "the field reaches beyond the record or beyond eight bytes" },
        { "{ \"at\": 0, \"bits\": 64, \"shift\": 1 }",
          "the field reaches beyond the record or beyond eight bytes" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char record[256];
        OpprofRecordBits bits = { .mask = 1 };
        snprintf(record, sizeof record, "{ \"size\": 16, \"fields\": { \"f\": %s } }",
                 cases[i].field);
        OpprofChip *chip = chip_with(record);
        const char *why = OpprofRecordBitsRead(OpprofChipFact(chip, "own"), "f", &bits);
        ck_assert_ptr_nonnull(why);
        ck_assert_str_eq(why, cases[i].why);
        ck_assert_uint_eq(bits.mask, 0);
        OpprofChipFree(chip);
    }
}
END_TEST

START_TEST(a_field_that_is_not_there_is_zero)
{
    OpprofChip *chip = chip_with("{ \"size\": 16 }");
    OpprofRecordBits bits;

    ck_assert_ptr_null(OpprofRecordBitsRead(OpprofChipFact(chip, "own"), "f", &bits));
    ck_assert_uint_eq(OpprofRecordBitsGet(&bits, bytes), 0);
    ck_assert_ptr_null(OpprofRecordBitsRead(NULL, "f", &bits));
    ck_assert(!OpprofRecordIsBig(OpprofChipFact(chip, "own")));
    OpprofChipFree(chip);
}
END_TEST

static Suite *record_bits_suite(void)
{
    Suite *suite = suite_create("record_bits");
    TCase *tcase = tcase_create("record_bits");

    suite_add_tcase(suite, tcase);
    tcase_add_test(tcase, little_and_big_endian_numbers_are_read_anywhere);
    tcase_add_test(tcase, wrong_fields_are_told);
    tcase_add_test(tcase, a_field_that_is_not_there_is_zero);
    return suite;
}
TEST_SUITE(record_bits_suite)
