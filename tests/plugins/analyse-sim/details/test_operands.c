/* SPDX-License-Identifier: Apache-2.0 */
/* What operand texts say, by the forms of the chips and by others. */
#include "plugins/analyse-sim/common/byte_search.h"
#include "plugins/analyse-sim/common/names.h"

#include "tests/core/suites.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const OperandForms *forms_of(const char *chip)
{
    const Dialect *dialect = NamesDialect(InstructionFactsOf(chip));

    ck_assert_ptr_nonnull(dialect);
    return DialectOperands(dialect);
}

/* The value of a name; false: absent. All values are read, as no rule does, or that one alone: it
 * is the same. */
static bool value_of(const char *chip, const char *text, const char *name, uint64_t *ret_value)
{
    const OperandForms *forms = forms_of(chip);
    const uint32_t place = OperandFormsPlace(forms, name);
    const size_t length = strlen(text);
    char *copy = malloc(length + 1); /* no byte after the text may be read */
    uint64_t values[2][OPERAND_VALUES] = { { 0 } };
    uint32_t has[2];

    ck_assert_uint_lt(place, OPERAND_VALUES);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, text, length);
    copy = realloc(copy, length == 0 ? 1 : length);
    for (unsigned i = 0; i < 2; i++) {
        OperandReader *reader = OperandReaderCreate(forms, i == 0 ? UINT32_MAX : 1u << place);
        ck_assert_ptr_nonnull(reader);
        has[i] = OperandReaderRead(reader, copy, length, values[i]);
        OperandReaderDestroy(reader);
    }
    free(copy);
    ck_assert_uint_eq(has[0] & 1u << place, has[1]);
    ck_assert_uint_eq(values[0][place], values[1][place]);
    *ret_value = values[0][place];
    return has[1] != 0;
}

static void check_value(const char *chip, const char *text, const char *name, uint64_t wanted)
{
    uint64_t value = 0;

    ck_assert_msg(value_of(chip, text, name, &value), "%s is absent in %s", name, text);
    ck_assert_uint_eq(value, wanted);
}

static void check_absent(const char *chip, const char *text, const char *name)
{
    uint64_t value = 0;

    ck_assert_msg(!value_of(chip, text, name, &value), "%s is in %s", name, text);
    ck_assert_uint_eq(value, 0);
}

static void check_registers(const char *chip, const char *text, const char *wanted)
{
    char found[200] = "";
    OperandRegisters registers;

    OperandRegistersRead(forms_of(chip), text, strlen(text), &registers);
    for (uint32_t i = 0; i < registers.count; i++) {
        const size_t used = strlen(found);

        snprintf(found + used, sizeof found - used, "%s%u%s", used > 0 ? " " : "",
                 registers.number[i], (registers.written >> i & 1) != 0 ? "w" : "");
    }
    ck_assert_str_eq(found, wanted);
}

START_TEST(values_of_a2_have_optional_numbers_and_prefixes)
{
    static const char text[] =
        "Src:OUT,Dst:L0A,XD:X0=0x70000,XN:X12=113f9600,XM:X=0x100010,XT:X7=0,Dtype:B8";

    check_value("Ascend910B1", text, "xd", 458752);
    check_value("Ascend910B1", text, "xn", 289379840);
    check_value("Ascend910B1", text, "xm", 0x100010);
    check_value("Ascend910B1", text, "xt", 0);
    check_absent("Ascend910B1", text, "xs");
}
END_TEST

START_TEST(words_are_read_whole)
{
    static const char text[] = "Src:L0C32,Dst:L1,Dtype:BF16F32";
    uint64_t l0c32 = 0, l1 = 0, unused = 0;

    ck_assert(OperandFormsMeaning(forms_of("Ascend910B1"), "L0C32", &l0c32));
    ck_assert(OperandFormsMeaning(forms_of("Ascend910B1"), "L1", &l1));
    ck_assert(!OperandFormsMeaning(forms_of("Ascend910B1"), "L9", &unused));
    check_value("Ascend910B1", text, "src", l0c32);
    check_value("Ascend910B1", text, "dst", l1);
    check_value("Ascend910B1", text, "type_bytes", 4);
    check_absent("Ascend910B1", "Src:L9,Src:L1", "src");
}
END_TEST

START_TEST(the_first_value_counts_and_one_that_does_not_fit_is_absent)
{
    static const char text[] = "XN:X1=5,XN:X1=6,XD:X1=0x10000000000000000,XD:X1=1";

    check_value("Ascend910B1", text, "xn", 5);
    check_absent("Ascend910B1", text, "xd");
    check_absent("Ascend910B1", "XM:X123=5,XS:7,XT:X1=", "xm");
    check_absent("Ascend910B1", "XM:X123=5,XS:7,XT:X1=", "xs");
    check_absent("Ascend910B1", "XM:X123=5,XS:7,XT:X1=", "xt");
    check_value("Ascend910B1", "XM:X123=5,XM:X12=7", "xm", 7);
}
END_TEST

START_TEST(values_of_310p_are_named_so)
{
    static const char text[] = "xd:16,xn:21,xdValue:0x0,xnValue:0x10ce1200,xmValue:80010,xValue:1";

    check_value("Ascend310P1", text, "xd", 0);
    check_value("Ascend310P1", text, "xn", 0x10ce1200);
    check_value("Ascend310P1", text, "xm", 0x80010);
    check_absent("Ascend310P1", text, "xt");
}
END_TEST

START_TEST(numbers_have_a_base_and_a_key)
{
    static const char text[] = "repeat:x,repeat:12,dst_stride:0x10,src_stride:10,src1_addr:ff";

    check_value("Ascend310P1", text, "repeat", 12);
    check_value("Ascend310P1", text, "dst_stride", 16);
    check_value("Ascend310P1", text, "src_stride", 10);
    check_value("Ascend310P1", text, "src1_addr", 255);
    check_absent("Ascend310P1", text, "dest_addr");
}
END_TEST

START_TEST(type_codes_may_follow_colons)
{
    check_value("Ascend310P1", "type/convType3,repeat:1", "type_bytes", 1);
    check_value("Ascend310P1", "dtype:::7", "type_bytes", 4);
    check_value("Ascend310P1", "dtype:9,dtype0", "type_bytes", 2);
    check_value("Ascend310P1", "dtype1,dtype:2", "type_bytes", 2);
    check_absent("Ascend310P1", "dtype::::7", "type_bytes");
    check_absent("Ascend310P1", "ype3", "type_bytes");
    check_absent("Ascend310P1", "type10", "type_bytes");
}
END_TEST

START_TEST(registers_of_a2_are_x_and_two_digits)
{
    check_registers("Ascend910B1", "dtype:S64,XD:X3=0x3,XN:X1=0x1,XM:X25=0x2,", "3 1 25");
    check_registers("Ascend910B1", "X123,XD:,X", "12");
    check_registers("Ascend910B1", "", "");
    check_registers("Ascend910B1",
                    "0123456789012345678901234567890X1,012345678901234567890123456789X24", "1 24");
}
END_TEST

START_TEST(registers_of_310p_are_whole_numbers_below_32)
{
    check_registers("Ascend310P1", "dType:0x3,x[0]=0xffff,x[1]=0x44000,imm12=0xfd8", "0 1");
    check_registers("Ascend310P1", "xd:16,xn:21,xm:3,xdValue:0x0,xnValue:0x10ce1200", "16 21 3");
    check_registers("Ascend310P1", "xn:0x23000,xm:0x3,X7:ffff,x[123]", "3 7");
}
END_TEST

START_TEST(registers_of_950_say_which_are_written)
{
    check_registers("Ascend950PR_9599", "[Rd:3|R],[Rn:2|R],[#imm:1]", "3w 2");
    check_registers("Ascend950PR_9599", "[PEX:7|P],[Rn:5|R],[Rm:6|R],[Rd1:1f|R]", "5 6 31w");
    check_registers("Ascend950PR_9599", "[Rn:5|P],[Rabc:1|R],[R:1|R]", "");
}
END_TEST

/* Every place of two bytes in texts of every length up to three windows, as a loop finds them. */
START_TEST(bytes_are_found_wherever_they_stand)
{
    char text[100];

    for (size_t length = 0; length <= sizeof text; length++) {
        ByteSearch search;
        size_t at = 0;

        for (size_t i = 0; i < length; i++) {
            text[i] = "abcdefg"[(i * i + length) % 7];
        }
        search = ByteSearchFor(text, length, 'a', 'c');
        for (size_t i = 0; i < length; i++) {
            if (text[i] == 'a' || text[i] == 'c') {
                ck_assert(ByteSearchNext(&search, &at));
                ck_assert_uint_eq(at, i);
            }
        }
        ck_assert(!ByteSearchNext(&search, &at));
    }
}
END_TEST

static Suite *operands_suite(void)
{
    Suite *suite = suite_create("operands");
    TCase *tests = tcase_create("operands");

    tcase_add_test(tests, values_of_a2_have_optional_numbers_and_prefixes);
    tcase_add_test(tests, words_are_read_whole);
    tcase_add_test(tests, the_first_value_counts_and_one_that_does_not_fit_is_absent);
    tcase_add_test(tests, values_of_310p_are_named_so);
    tcase_add_test(tests, numbers_have_a_base_and_a_key);
    tcase_add_test(tests, type_codes_may_follow_colons);
    tcase_add_test(tests, registers_of_a2_are_x_and_two_digits);
    tcase_add_test(tests, registers_of_310p_are_whole_numbers_below_32);
    tcase_add_test(tests, registers_of_950_say_which_are_written);
    tcase_add_test(tests, bytes_are_found_wherever_they_stand);
    suite_add_tcase(suite, tests);
    return suite;
}
TEST_SUITE(operands_suite)
