/* SPDX-License-Identifier: Apache-2.0 */
/* What operand texts say. */
#include "plugins/analyse-sim/common/operands.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static OperandValues values_of(OperandDialect dialect, const char *text)
{
    char *copy = malloc(strlen(text) + 1); /* no byte after the text may be read */
    OperandValues values;

    ck_assert_ptr_nonnull(copy);
    memcpy(copy, text, strlen(text));
    OperandValuesRead(dialect, copy, strlen(text), &values);
    free(copy);
    values.src.text = values.dst.text = values.dtype.text = NULL;
    return values;
}

static void check_registers(OperandDialect dialect, const char *text, const char *wanted)
{
    char found[200] = "";
    OperandRegisters registers;

    OperandRegistersRead(dialect, text, strlen(text), &registers);
    for (uint32_t i = 0; i < registers.count; i++) {
        const size_t used = strlen(found);

        snprintf(found + used, sizeof found - used, "%s%u%s", used > 0 ? " " : "",
                 registers.number[i], (registers.written >> i & 1) != 0 ? "w" : "");
    }
    ck_assert_str_eq(found, wanted);
}

START_TEST(values_of_a2_have_optional_numbers_and_prefixes)
{
    const OperandValues values =
        values_of(OPERANDS_A2,
                  "Src:OUT,Dst:L0A,XD:X0=0x70000,XN:X12=113f9600,XM:X=0x100010,XT:X7=0,Dtype:B8");

    ck_assert_uint_eq(values.has, OPERAND_XD | OPERAND_XN | OPERAND_XM | OPERAND_XT);
    ck_assert_uint_eq(values.xd, 458752);
    ck_assert_uint_eq(values.xn, 289379840);
    ck_assert_uint_eq(values.xm, 0x100010);
    ck_assert_uint_eq(values.xt, 0);
}
END_TEST

START_TEST(words_are_read_whole)
{
    static const char text[] = "Src:L0C32,Dst:L1,Dtype:BF16F32";
    OperandValues values;

    OperandValuesRead(OPERANDS_A2, text, sizeof text - 1, &values);
    ck_assert_mem_eq(values.src.text, "L0C32,", 6);
    ck_assert_uint_eq(values.src.length, 5);
    ck_assert_uint_eq(values.dst.length, 2);
    ck_assert_int_eq(OperandTypeSize(values.dtype.text, values.dtype.length), 4);
}
END_TEST

START_TEST(the_first_value_counts_and_one_that_does_not_fit_is_absent)
{
    OperandValues values =
        values_of(OPERANDS_A2, "XN:X1=5,XN:X1=6,XD:X1=0x10000000000000000,XD:X1=1");

    ck_assert_uint_eq(values.has, OPERAND_XN);
    ck_assert_uint_eq(values.xn, 5);
    values = values_of(OPERANDS_A2, "XM:X123=5,XS:7,XT:X1=");
    ck_assert_uint_eq(values.has, 0);
}
END_TEST

START_TEST(values_of_310p_are_named_so)
{
    const OperandValues values = values_of(
        OPERANDS_310P, "xd:16,xn:21,xdValue:0x0,xnValue:0x10ce1200,xmValue:80010,xValue:1");

    ck_assert_uint_eq(values.has, OPERAND_XD | OPERAND_XN | OPERAND_XM);
    ck_assert_uint_eq(values.xn, 0x10ce1200);
    ck_assert_uint_eq(values.xm, 0x80010);
}
END_TEST

START_TEST(numbers_have_a_base_and_a_key)
{
    static const char text[] = "repeat:x,repeat:12,dst_stride:0x10,src_stride:10,src1_addr:ff";
    uint64_t value = 0;

    ck_assert(OperandNumber(text, sizeof text - 1, "repeat:", OPERAND_DECIMAL, &value) &&
              value == 12);
    ck_assert(OperandNumber(text, sizeof text - 1, "dst_stride:", OPERAND_ANY, &value) &&
              value == 16);
    ck_assert(OperandNumber(text, sizeof text - 1, "src_stride:", OPERAND_ANY, &value) &&
              value == 10);
    ck_assert(OperandNumber(text, sizeof text - 1, "src1_addr:", OPERAND_HEX, &value) &&
              value == 255);
    ck_assert(!OperandNumber(text, sizeof text - 1, "dest_addr:", OPERAND_HEX, &value));
}
END_TEST

START_TEST(type_codes_may_follow_colons)
{
    uint64_t code = 0;

    ck_assert(OperandTypeCode("type/convType3,repeat:1", 23, &code) && code == 3);
    ck_assert(OperandTypeCode("dtype:::7", 9, &code) && code == 7);
    ck_assert(!OperandTypeCode("dtype::::7", 10, &code));
    ck_assert(!OperandTypeCode("ype3", 4, &code));
    ck_assert_int_eq(OperandTypeCodeSize(3), 1);
    ck_assert_int_eq(OperandTypeCodeSize(9), 2);
    ck_assert_int_eq(OperandTypeCodeSize(10), -1);
}
END_TEST

START_TEST(registers_of_a2_are_x_and_two_digits)
{
    check_registers(OPERANDS_A2, "dtype:S64,XD:X3=0x3,XN:X1=0x1,XM:X25=0x2,", "3 1 25");
    check_registers(OPERANDS_A2, "X123,XD:,X", "12");
    check_registers(OPERANDS_A2, "", "");
    check_registers(OPERANDS_A2,
                    "0123456789012345678901234567890X1,012345678901234567890123456789X24", "1 24");
}
END_TEST

START_TEST(registers_of_310p_are_whole_numbers_below_32)
{
    check_registers(OPERANDS_310P, "dType:0x3,x[0]=0xffff,x[1]=0x44000,imm12=0xfd8", "0 1");
    check_registers(OPERANDS_310P, "xd:16,xn:21,xm:3,xdValue:0x0,xnValue:0x10ce1200", "16 21 3");
    check_registers(OPERANDS_310P, "xn:0x23000,xm:0x3,X7:ffff,x[123]", "3 7");
}
END_TEST

START_TEST(registers_of_950_say_which_are_written)
{
    check_registers(OPERANDS_950, "[Rd:3|R],[Rn:2|R],[#imm:1]", "3w 2");
    check_registers(OPERANDS_950, "[PEX:7|P],[Rn:5|R],[Rm:6|R],[Rd1:1f|R]", "5 6 31w");
    check_registers(OPERANDS_950, "[Rn:5|P],[Rabc:1|R],[R:1|R]", "");
}
END_TEST

START_TEST(bits_beyond_64_are_zero)
{
    ck_assert_uint_eq(OperandBits(UINT64_MAX, 63, 2), 1);
    ck_assert_uint_eq(OperandBits(UINT64_MAX, 64, 2), 0);
    ck_assert_uint_eq(OperandBits(UINT64_MAX, 0, 64), 0);
    ck_assert_uint_eq(OperandBits(0x100010, 16, 8), 16);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("operands");
    TCase *tests = tcase_create("operands");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_test(tests, values_of_a2_have_optional_numbers_and_prefixes);
    tcase_add_test(tests, words_are_read_whole);
    tcase_add_test(tests, the_first_value_counts_and_one_that_does_not_fit_is_absent);
    tcase_add_test(tests, values_of_310p_are_named_so);
    tcase_add_test(tests, numbers_have_a_base_and_a_key);
    tcase_add_test(tests, type_codes_may_follow_colons);
    tcase_add_test(tests, registers_of_a2_are_x_and_two_digits);
    tcase_add_test(tests, registers_of_310p_are_whole_numbers_below_32);
    tcase_add_test(tests, registers_of_950_say_which_are_written);
    tcase_add_test(tests, bits_beyond_64_are_zero);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
