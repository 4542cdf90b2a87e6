/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of formulas: parsing and evaluating them, and why a value is absent. */
#include "kit/formula/formula.h"

#include "tests/core/suites.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Inputs: a, b, c and e(N) are integers, x and y are reals; "twice" is a formula, "size" a number.
 */
enum { INPUT_A, INPUT_B, INPUT_C, INPUT_X, INPUT_Y, INPUT_E0, INPUT_COUNT = INPUT_E0 + 10 };

static OpprofInputs inputs;
static OpprofError *error;

static OpprofStatus bind(void *context, const char *name, const char *key, OpprofBinding *binding,
                         const char **ret_hint, OpprofError **ret_error)
{
    const char *const letters = "abcxy";
    const char *letter = strlen(name) == 1 ? strchr(letters, name[0]) : NULL;

    (void) context;
    if (key == NULL && letter != NULL) {
        binding->kind = OPPROF_BIND_INPUT;
        binding->input = (uint32_t) (letter - letters);
        binding->is_integer = binding->input < INPUT_X;
    } else if (key != NULL && strcmp(name, "e") == 0) {
        binding->kind = OPPROF_BIND_INPUT;
        binding->input = INPUT_E0 + (uint32_t) strtoul(key, NULL, 0) % 10;
        binding->is_integer = true;
    } else if (key != NULL && strcmp(name, "bytes") == 0) {
        binding->kind = OPPROF_BIND_NUMBER;
        binding->number = strcmp(key, "L1 Read + Write") == 0 ? 256 : 0.5;
    } else if (strcmp(name, "twice") == 0) {
        binding->kind = OPPROF_BIND_FORMULA;
        binding->formula = "a + a";
    } else if (strcmp(name, "wrong") == 0) {
        binding->kind = OPPROF_BIND_FORMULA;
        binding->formula = "a + nobody";
    } else if (strcmp(name, "circle") == 0) {
        binding->kind = OPPROF_BIND_FORMULA;
        binding->formula = "circle";
    } else if (strcmp(name, "refused") == 0) {
        return OpprofErrorSet(ret_error, OPPROF_E_DATA, "no such luck");
    } else if (strcmp(name, "known") == 0) {
        *ret_hint = "write it out";
    }
    return OPPROF_OK;
}

static void setup(void)
{
    ck_assert(OpprofInputsInit(&inputs, INPUT_COUNT));
    OpprofInputsCount(&inputs, INPUT_A, 7);
    OpprofInputsCount(&inputs, INPUT_B, 2);
    OpprofInputsCount(&inputs, INPUT_C, 0);
    OpprofInputsReal(&inputs, INPUT_X, 2.5);
    error = NULL;
}

static void teardown(void)
{
    OpprofInputsFinish(&inputs);
    OpprofErrorDestroy(error);
}

static OpprofFormula *parse(const char *text)
{
    OpprofFormula *formula = NULL;
    const OpprofStatus status =
        OpprofFormulaParse(&(OpprofFormulaText){ "f", text, strlen(text), OPPROF_FORMULA_REAL },
                           bind, NULL, &formula, &error);

    ck_assert_msg(status == OPPROF_OK, "'%s': %s", text, OpprofErrorMessage(error));
    return formula;
}

static double real_of(const char *text)
{
    OpprofFormula *formula = parse(text);
    const double value = OpprofFormulaReal(formula, &inputs);

    OpprofFormulaFree(formula);
    return value;
}

static uint64_t count_of(const char *text)
{
    OpprofFormula *formula = parse(text);
    const uint64_t value = OpprofFormulaCount(formula, &inputs);

    OpprofFormulaFree(formula);
    return value;
}

static OpprofAbsence why(const char *text, uint32_t *ret_input)
{
    OpprofFormula *formula = parse(text);
    const OpprofAbsence absence = OpprofFormulaWhy(formula, &inputs, ret_input);

    ck_assert_int_eq(absence == OPPROF_PRESENT,
                     !OpprofIsNaF64(OpprofFormulaReal(formula, &inputs)));
    OpprofFormulaFree(formula);
    return absence;
}

static void assert_refused(const char *text, OpprofStatus status, const char *message)
{
    OpprofFormula *formula = NULL;
    OpprofError *reason = NULL;

    ck_assert_int_eq(
        OpprofFormulaParse(&(OpprofFormulaText){ "f", text, strlen(text), OPPROF_FORMULA_REAL },
                           bind, NULL, &formula, &reason),
        status);
    ck_assert_ptr_null(formula);
    char *chain = OpprofErrorText(reason, false);
    ck_assert_msg(strstr(chain, message) != NULL, "'%s' gives: %s", text, chain);
    free(chain);
    OpprofErrorDestroy(reason);
}

START_TEST(operators_bind_as_in_arithmetic)
{
    ck_assert_double_eq(real_of("1 + 2 * 3"), 7);
    ck_assert_double_eq(real_of("(1 + 2) * 3"), 9);
    ck_assert_double_eq(real_of("10 - 4 - 3"), 3);
    ck_assert_double_eq(real_of("64 / 4 / 2"), 8);
    ck_assert_double_eq(real_of("64 / 4 * 2"), 32);
    ck_assert_double_eq(real_of("-a * 2 + 20"), 6);
    ck_assert_double_eq(real_of("--a"), 7);
    ck_assert_double_eq(real_of("1 + 1 == 2 && 3 < 4"), 1);
    ck_assert_double_eq(real_of("0 == 1 || 1 == 1 && 0 == 0"), 1);
    ck_assert_double_eq(real_of("!(a > 3) || !b"), 0);
    ck_assert_double_eq(real_of("!c + 1"), 2);
}
END_TEST

START_TEST(numbers_are_read_exactly)
{
    ck_assert_double_eq(real_of("0x49"), 73);
    ck_assert_double_eq(real_of("0xFf"), 255);
    ck_assert_double_eq(real_of("0.1"), 0.1);
    ck_assert_double_eq(real_of("340.1"), 340.1);
    ck_assert_double_eq(real_of("1.5e3"), 1500);
    ck_assert_double_eq(real_of("1e-6"), 1e-6);
    ck_assert_double_eq(real_of("25e22"), 25e22);
    ck_assert_uint_eq(count_of("9007199254740992"), UINT64_C(1) << 53);
    ck_assert_uint_eq(count_of("0x1fffffffffffff"), (UINT64_C(1) << 53) - 1);
    ck_assert_double_eq(real_of("9e15 + 1e16"), 1.9e16);
}
END_TEST

START_TEST(functions_do_what_they_say)
{
    ck_assert_double_eq(real_of("min(a, b)"), 2);
    ck_assert_double_eq(real_of("min(9, a, 8, x)"), 2.5);
    ck_assert_double_eq(real_of("max(a, b, 6)"), 7);
    ck_assert_double_eq(real_of("sub0(a, b)"), 5);
    ck_assert_double_eq(real_of("sub0(b, a)"), 0);
    ck_assert_double_eq(real_of("diff(a, b)"), 5);
    ck_assert_double_eq(real_of("trunc(x)"), 2);
    ck_assert_double_eq(real_of("trunc(-x)"), -2);
    ck_assert_double_eq(real_of("ceil(x)"), 3);
    ck_assert_double_eq(real_of("trunc(a / b)"), 3);
    ck_assert_double_eq(real_of("ceil(a / b)"), 4);
    ck_assert_double_eq(real_of("ceil(-a / b)"), -3);
    ck_assert_double_eq(real_of("if(a > b, 10, 20)"), 10);
    ck_assert_double_eq(real_of("if(a < b, 10, 20)"), 20);
    ck_assert_double_eq(real_of("if(a <= 7, 1, 0) + if(a >= 7, 2, 0) + if(a != 7, 4, 0)"), 3);
    /* 3 GiB in 2 us are 1.5e6 GiB/s. */
    ck_assert_double_eq(real_of("gib_s(3 * 1073741824, 2)"), 1.5e6);
    ck_assert_double_eq(real_of("twice * 2"), 28);
    ck_assert_double_eq(real_of("bytes(L1 Read + Write) + bytes( x )"), 256.5);
}
END_TEST

START_TEST(choices_and_bits_are_those_of_whole_numbers)
{
    ck_assert_double_eq(real_of("a > b ? 10 : 20"), 10);
    ck_assert_double_eq(real_of("a < b ? 10 : a == 7 ? 30 : 20"), 30);
    ck_assert_double_eq(real_of("1 + (a < b ? 1.5 : x) * 2"), 6);
    ck_assert_double_eq(real_of("a % 4 + 1"), 4);
    ck_assert_double_eq(real_of("-a % 4"), -3);
    ck_assert_double_eq(real_of("x % 1"), 0.5);
    ck_assert_double_eq(real_of("align(a, 32) + align(64, 32) + align(10, 3)"), 108);
    ck_assert_double_eq(real_of("align(x, 2)"), 4);
    ck_assert_double_eq(real_of("align(-a, 4)"), -4);
    ck_assert_double_eq(real_of("align(a, c)"), 7);
    ck_assert_double_eq(real_of("bits(0x123456789abcd, 4, 8)"), 0xbc);
    ck_assert_double_eq(real_of("bits(a, 1, 64)"), 3);
    ck_assert_double_eq(real_of("pick(b, 100, 0, 1, 2.5, 30)"), 2.5);
    ck_assert_double_eq(real_of("pick(a, 100, 0, 1) + pick(x, 1, 2, 3, 4)"), 101);
    ck_assert_double_eq(real_of("pick(-a, 100, 0, bytes(x))"), 100);
    ck_assert_int_eq(why("a % c", NULL), OPPROF_ABSENT_ZERO);
    ck_assert_int_eq(why("bits(x, 0, 2)", NULL), OPPROF_ABSENT_BITS);
    ck_assert_int_eq(why("bits(-a, 0, 2)", NULL), OPPROF_ABSENT_BITS);
    ck_assert_int_eq(why("bits(a * 0x10000000000000, 0, 2)", NULL), OPPROF_ABSENT_BITS);
    ck_assert_int_eq(why("pick(c, 1, na)", NULL), OPPROF_ABSENT_SAID);
    ck_assert_int_eq(why("pick(e(3), 1, 2)", NULL), OPPROF_ABSENT_INPUT);
    ck_assert_int_eq(why("align(a, e(3))", NULL), OPPROF_ABSENT_INPUT);
    ck_assert_int_eq(why("c == 0 ? 1 : e(3)", NULL), OPPROF_ABSENT_INPUT);
    ck_assert_double_eq(real_of("c == 0 ? 0 : a / c"), 0);
}
END_TEST

START_TEST(an_absent_input_makes_the_result_absent)
{
    uint32_t input = 99;

    ck_assert_int_eq(why("1 + e(3)", &input), OPPROF_ABSENT_INPUT);
    ck_assert_uint_eq(input, INPUT_E0 + 3);
    ck_assert_int_eq(why("0 * e(3)", &input), OPPROF_ABSENT_INPUT);
    ck_assert_int_eq(why("min(e(3), a)", &input), OPPROF_ABSENT_INPUT);
    ck_assert_int_eq(why("max(a, e(3))", &input), OPPROF_ABSENT_INPUT);
    ck_assert_int_eq(why("e(3) < a", &input), OPPROF_ABSENT_INPUT);
    ck_assert_int_eq(why("a || e(3)", &input), OPPROF_ABSENT_INPUT);
    ck_assert_int_eq(why("!e(3)", &input), OPPROF_ABSENT_INPUT);
    ck_assert_int_eq(why("-e(3)", &input), OPPROF_ABSENT_INPUT);
    ck_assert_int_eq(why("y", &input), OPPROF_ABSENT_INPUT);
    ck_assert_uint_eq(input, INPUT_Y);
    ck_assert_uint_eq(count_of("e(3)"), OPPROF_NA_U64);
}
END_TEST

START_TEST(inputs_count_also_where_the_choice_falls_elsewhere)
{
    uint32_t input = 99;

    ck_assert_int_eq(why("if(a == 7, 1, e(3))", &input), OPPROF_ABSENT_INPUT);
    ck_assert_uint_eq(input, INPUT_E0 + 3);
    /* A division by zero there does no harm. */
    ck_assert_double_eq(real_of("if(c == 0, 0, a / c)"), 0);
    ck_assert_int_eq(why("if(c == 0, a / c, 1)", NULL), OPPROF_ABSENT_ZERO);
}
END_TEST

START_TEST(first_takes_what_is_there)
{
    ck_assert_double_eq(real_of("first(e(3), a)"), 7);
    ck_assert_double_eq(real_of("first(b, e(3))"), 2);
    ck_assert_double_eq(real_of("first(e(3), e(4), y, x)"), 2.5);
    ck_assert_double_eq(real_of("first(a / c, 5)"), 5);
    ck_assert_double_eq(real_of("if(a == 7, 1, first(e(3), 0))"), 1);
    ck_assert_int_eq(why("first(e(3), e(4))", NULL), OPPROF_ABSENT_INPUT);
    ck_assert_double_eq(real_of("first(na, 3)"), 3);
}
END_TEST

START_TEST(undefined_results_are_absent_and_tell_why)
{
    ck_assert_int_eq(why("a / c", NULL), OPPROF_ABSENT_ZERO);
    ck_assert_int_eq(why("trunc(a / c) * 0", NULL), OPPROF_ABSENT_ZERO);
    ck_assert_int_eq(why("1 / 0", NULL), OPPROF_ABSENT_ZERO);
    ck_assert_int_eq(why("x / 0.0", NULL), OPPROF_ABSENT_ZERO);
    ck_assert_int_eq(why("diff(b, a) * 128", NULL), OPPROF_ABSENT_NEGATIVE);
    ck_assert_int_eq(why("na", NULL), OPPROF_ABSENT_SAID);
    ck_assert_int_eq(why("if(a > b, na, 1)", NULL), OPPROF_ABSENT_SAID);
    OpprofInputsReal(&inputs, INPUT_Y, 1e300);
    ck_assert_int_eq(why("y * 1e8", NULL), OPPROF_PRESENT);
    ck_assert_int_eq(why("y * 1e9", NULL), OPPROF_ABSENT_TOO_LARGE);
    ck_assert_int_eq(why("1 / (y * 1e9)", NULL), OPPROF_ABSENT_TOO_LARGE);
    ck_assert_int_eq(why("min(y * 1e9, 3)", NULL), OPPROF_ABSENT_TOO_LARGE);
    ck_assert_int_eq(why("a", NULL), OPPROF_PRESENT);
}
END_TEST

START_TEST(counters_that_are_shown_have_all_their_bits)
{
    OpprofInputsCount(&inputs, INPUT_A, (UINT64_C(1) << 53) + 1);
    ck_assert_uint_eq(count_of("a"), (UINT64_C(1) << 53) + 1);
    OpprofInputsCount(&inputs, INPUT_A, UINT64_MAX - 1);
    ck_assert_uint_eq(count_of("a"), UINT64_MAX - 1);
    ck_assert_uint_eq(count_of("(a)"), UINT64_MAX - 1);
    /* What is calculated is the nearest double. */
    ck_assert_uint_eq(count_of("a + 1"), OPPROF_NA_U64);
    ck_assert_uint_eq(count_of("a / 2"), UINT64_C(1) << 63);
    ck_assert_double_eq(real_of("a * a"), 0x1p128);
    ck_assert_uint_eq(count_of("a * a"), OPPROF_NA_U64);
}
END_TEST

START_TEST(integers_below_2_to_53_are_exact)
{
    OpprofInputsCount(&inputs, INPUT_A, (UINT64_C(1) << 53) - 1);
    OpprofInputsCount(&inputs, INPUT_B, 3);
    ck_assert_uint_eq(count_of("a - b"), (UINT64_C(1) << 53) - 4);
    ck_assert_uint_eq(count_of("trunc(a / b)"), ((UINT64_C(1) << 53) - 1) / 3);
    ck_assert_uint_eq(count_of("ceil(a / b)"), ((UINT64_C(1) << 53) + 1) / 3);
    /* One short of a multiple does not round up to it. */
    for (uint64_t under = 2; under < 100000; under = under * 3 + 1) {
        const uint64_t quotient = (UINT64_C(1) << 53) / under;
        OpprofInputsCount(&inputs, INPUT_A, quotient * under - 1);
        OpprofInputsCount(&inputs, INPUT_B, under);
        ck_assert_uint_eq(count_of("trunc(a / b)"), quotient - 1);
        ck_assert_uint_eq(count_of("ceil(a / b)"), quotient);
    }
}
END_TEST

START_TEST(integers_and_reals_are_told_apart)
{
    static const struct {
        const char *text;
        bool is_integer;
    } cases[] = {
        { "a * 128 + e(1)", true },
        { "a / b", false },
        { "trunc(a / b)", true },
        { "x", false },
        { "a * 1.0", false },
        { "sub0(a, b)", true },
        { "if(a > x, a, b)", true },
        { "if(a > b, a, x)", false },
        { "first(e(1), 0)", true },
        { "ceil(x)", true },
        { "bytes(x)", false },
        { "bytes(L1 Read + Write)", true },
        { "na", true },
        { "if(a > b, na, 1)", true },
        { "!x", true },
        { "a > x ? a : b", true },
        { "a % b", true },
        { "a % x", false },
        { "align(a, 32)", true },
        { "bits(x, 0, 3)", true },
        { "pick(x, 0, 1)", true },
        { "pick(a, 0, 0.5)", false },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        OpprofFormula *formula = parse(cases[i].text);
        ck_assert_msg(OpprofFormulaIsInteger(formula) == cases[i].is_integer, "%s", cases[i].text);
        OpprofFormulaFree(formula);
    }
}
END_TEST

START_TEST(counts_are_whole_and_not_negative)
{
    ck_assert_uint_eq(count_of("b - a"), OPPROF_NA_U64);
    ck_assert_uint_eq(count_of("x"), OPPROF_NA_U64);
    ck_assert_uint_eq(count_of("x * 2"), 5);
    ck_assert_uint_eq(count_of("a * 16384"), 114688);
    /* Whatever else is among the inputs. */
    OpprofInputsCount(&inputs, INPUT_E0, UINT64_C(1) << 60);
    ck_assert_uint_eq(count_of("x"), OPPROF_NA_U64);
    ck_assert_uint_eq(count_of("x * 2"), 5);
}
END_TEST

/* Printed it would be "-0". */
START_TEST(there_is_no_negative_zero)
{
    static const char *const formulas[] = { "-c", "c * (b - a)", "trunc(-0.3 * b)", "-x * c",
                                            "ceil(-x / 4)" };

    for (size_t i = 0; i < sizeof formulas / sizeof formulas[0]; i++) {
        const double value = real_of(formulas[i]);
        ck_assert_msg(value == 0 && !signbit(value), "%s", formulas[i]);
    }
}
END_TEST

START_TEST(inputs_are_listed_once_in_order)
{
    OpprofFormula *formula = parse("e(2) + b * e(1) + e(2) + twice");
    size_t count = 0;
    const uint32_t *list = OpprofFormulaInputs(formula, &count);

    ck_assert_uint_eq(count, 4);
    ck_assert_uint_eq(list[0], INPUT_E0 + 2);
    ck_assert_uint_eq(list[1], INPUT_B);
    ck_assert_uint_eq(list[2], INPUT_E0 + 1);
    ck_assert_uint_eq(list[3], INPUT_A);
    OpprofFormulaFree(formula);
}
END_TEST

START_TEST(mistakes_are_told_with_their_column)
{
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        { "", "column 1: expected a number, a name or '(', found the end" },
        { "a +", "column 4: expected a number" },
        { "a b", "column 3: expected an operator or the end, found 'b'" },
        { "(a", "column 3: expected ')', found the end" },
        { "a = b", "column 3: expected an operator or the end, found '='" },
        { "nobody + 1", "column 1: 'nobody' is unknown" },
        { "1 + mni(a, b)", "column 5: 'mni(a, b)' is unknown\n  hint: Did you mean min()?" },
        { "known(3)", "hint: write it out" },
        { "min(a)", "column 1: min() takes at least 2 arguments, not 1" },
        { "sub0(a)", "sub0() takes 2 arguments, not 1" },
        { "sub0(a, b, c)", "column 11: sub0() takes at most 2 arguments" },
        { "trunc(a", "column 8: expected ',' or ')'" },
        { "e(", "column 3: expected ')', found the end" },
        { "e()", "column 3: expected a key" },
        { "1 < a < 3", "column 7: comparisons cannot be chained" },
        { "0x", "column 1: expected hexadecimal digits" },
        { "0x12345678123456781", "column 1: the integer is more than 2^53" },
        { "18446744073709551616", "column 1: the integer is more than 2^53" },
        { "1.", "column 3: expected a digit after the point" },
        { "1e", "column 3: expected an exponent" },
        { "1e23", "column 3: expected an exponent from 0 to 22" },
        { "1.2345678901234567", "the number has more than 15 digits" },
        { "a\x01", "column 2: expected an operator or the end, found byte 0x01" },
        { "3 * wrong", "Formula 'f', column 5: 'wrong' cannot be used\n"
                       "  because: Formula 'wrong', column 5: 'nobody' is unknown" },
        { "refused", "because: no such luck" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_refused(cases[i].text, OPPROF_E_DATA, cases[i].message);
    }
}
END_TEST

START_TEST(limits_are_told)
{
    static char text[OPPROF_FORMULA_MAX_LENGTH + 2];

    assert_refused("circle", OPPROF_E_LIMIT, "nested too deeply");
    memset(text, '(', 200);
    assert_refused(text, OPPROF_E_LIMIT, "nested too deeply");
    memset(text, '-', 200);
    assert_refused(text, OPPROF_E_LIMIT, "nested too deeply");
    memset(text, 'n', 200);
    assert_refused(text, OPPROF_E_LIMIT, "the name has more than 127 letters");
    memset(text, '1', OPPROF_FORMULA_MAX_LENGTH + 1);
    assert_refused(text, OPPROF_E_LIMIT, "letters, more than 8192");
}
END_TEST

START_TEST(a_long_sum_is_no_deep_one)
{
    char text[6001] = "";

    for (int i = 0; i < 2000; i++) {
        memcpy(text + (size_t) i * 3, i == 0 ? "  a" : "+ a", 4);
    }
    ck_assert_uint_eq(count_of(text), 14000);
}
END_TEST

START_TEST(inputs_can_be_made_absent_and_set_anew)
{
    OpprofInputsCount(&inputs, INPUT_A, UINT64_MAX - 1);
    OpprofInputsAbsent(&inputs, INPUT_A);
    ck_assert_uint_eq(count_of("a"), OPPROF_NA_U64);
    OpprofInputsCount(&inputs, INPUT_A, 3);
    ck_assert_uint_eq(count_of("a"), 3);
    OpprofInputsCount(&inputs, INPUT_A, OPPROF_NA_U64);
    ck_assert_uint_eq(count_of("a"), OPPROF_NA_U64);
    OpprofInputsReal(&inputs, INPUT_X, 1.0 / 0.0);
    ck_assert(OpprofIsNaF64(real_of("x")));
}
END_TEST

static Suite *formula_suite(void)
{
    Suite *suite = suite_create("formula");
    TCase *tcase = tcase_create("formulas");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, operators_bind_as_in_arithmetic);
    tcase_add_test(tcase, numbers_are_read_exactly);
    tcase_add_test(tcase, functions_do_what_they_say);
    tcase_add_test(tcase, choices_and_bits_are_those_of_whole_numbers);
    tcase_add_test(tcase, an_absent_input_makes_the_result_absent);
    tcase_add_test(tcase, inputs_count_also_where_the_choice_falls_elsewhere);
    tcase_add_test(tcase, first_takes_what_is_there);
    tcase_add_test(tcase, undefined_results_are_absent_and_tell_why);
    tcase_add_test(tcase, counters_that_are_shown_have_all_their_bits);
    tcase_add_test(tcase, integers_below_2_to_53_are_exact);
    tcase_add_test(tcase, integers_and_reals_are_told_apart);
    tcase_add_test(tcase, counts_are_whole_and_not_negative);
    tcase_add_test(tcase, there_is_no_negative_zero);
    tcase_add_test(tcase, inputs_are_listed_once_in_order);
    tcase_add_test(tcase, mistakes_are_told_with_their_column);
    tcase_add_test(tcase, limits_are_told);
    tcase_add_test(tcase, a_long_sum_is_no_deep_one);
    tcase_add_test(tcase, inputs_can_be_made_absent_and_set_anew);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(formula_suite)
