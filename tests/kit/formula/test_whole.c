/* SPDX-License-Identifier: Apache-2.0 */
/* Formulas of whole numbers, against numbers computed by hand. */
#include <opprof/kit/formula.h>

#include "tests/core/suites.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* a, b and big are values, seven is a number, half a formula. */
static OpprofStatus bind(void *context, const char *name, const char *key, OpprofBinding *binding,
                         const char **ret_hint, OpprofError **error)
{
    static const char *const names[] = { "a", "b", "big" };

    (void) context;
    (void) ret_hint;
    (void) error;
    for (uint32_t i = 0; key == NULL && i < 3; i++) {
        if (strcmp(name, names[i]) == 0) {
            *binding = (OpprofBinding){ .kind = OPPROF_BIND_INPUT, .input = i };
        }
    }
    if (key == NULL && strcmp(name, "seven") == 0) {
        *binding = (OpprofBinding){ .kind = OPPROF_BIND_NUMBER, .whole = 7 };
    }
    if (key == NULL && strcmp(name, "half") == 0) {
        *binding = (OpprofBinding){ .kind = OPPROF_BIND_FORMULA, .formula = "a / 2 + 0" };
    }
    return OPPROF_OK;
}

static OpprofStatus parse(const char *text, bool wraps, OpprofFormula **ret_formula,
                          OpprofError **error)
{
    return OpprofFormulaParse(
        &(OpprofFormulaText){ "f", text, strlen(text),
                              wraps ? OPPROF_FORMULA_WRAPPING : OPPROF_FORMULA_WHOLE },
        bind, NULL, ret_formula, error);
}

static uint64_t value_of(const char *text, bool wraps)
{
    const uint64_t values[] = { 5, 3, UINT64_MAX - 1 };
    OpprofError *error = NULL;
    OpprofFormula *formula = NULL;

    ck_assert_msg(parse(text, wraps, &formula, &error) == OPPROF_OK, "%s: %s", text,
                  OpprofErrorMessage(error));
    ck_assert(OpprofFormulaIsInteger(formula));
    const uint64_t value = OpprofFormulaWhole(formula, values);
    OpprofFormulaFree(formula);
    return value;
}

static void is(const char *text, uint64_t expected)
{
    const uint64_t value = value_of(text, false);

    ck_assert_msg(value == expected, "%s is %llu, not %llu", text, (unsigned long long) value,
                  (unsigned long long) expected);
}

START_TEST(numbers_names_and_operators)
{
    is("12", 12);
    is("0xffffffffffffffff", UINT64_MAX);
    is(" a ", 5);
    is("seven", 7);
    is("a + b * 2", 11);
    is("(a + b) * 2", 16);
    is("20 - a - b", 12);
    is("100 / a / 2", 10);
    is("a % b + 1", 3);
    is("2 * (a + 1) * (b + 1)", 48);
    is("1 + (2 + (3 + (4 + a)))", 15);
    is("half * 10", 20);
    is("0xfFfFfFfFfFfFfFfF - 0xFFFFFFFFFFFFFFFE", 1);
}
END_TEST

START_TEST(comparisons_and_logic)
{
    is("a == 5", 1);
    is("a != 5", 0);
    is("a < b", 0);
    is("a <= 5", 1);
    is("a > b && b > 0", 1);
    is("a < b || b == 3", 1);
    is("a < b || b == 4", 0);
    is("a && b", 1);
    is("!a", 0);
    is("!!a", 1);
    is("a > b ? 10 : 20", 10);
    is("a < b ? 10 : a == 5 ? 30 : 20", 30);
    is("(a < b ? 10 : 20) + 1", 21);
    is("if(a < b, 10, 20) + 1", 21);
    is("1 + (a > b ? b : a) * 2", 7);
    is("0 || 0 && 1", 0);
    is("1 || 0 && 0", 1);
}
END_TEST

START_TEST(functions)
{
    is("align(a, 32)", 32);
    is("align(64, 32)", 64);
    is("align(10, 3)", 12);
    is("align(a, 0)", 5);
    is("min(a, b)", 3);
    is("max(a, b, seven)", 7);
    is("bits(0x123456789abcdef0, 4, 8)", 0xef);
    is("bits(0xffffffffffffffff, 0, 64)", UINT64_MAX);
    is("bits(0xffffffffffffffff, 63, 2) + bits(16 + 1, 4, 1) * 2", 3);
    is("pick(b, 100, 0, 1, 2, 30)", 30);
    is("pick(a, 100, 0, 1, 2, 30)", 100);
    is("pick(pick(a, 1, 9), 100, 0, 44)", 44);
    is("pick(b, 0xffffffffffffffff, seven)", UINT64_MAX);
    is("pick(0, 0, seven + 1)", 8);
    is("trunc(a / b)", 1);
    is("sub0(b, a) + sub0(a, b)", 2);
}
END_TEST

START_TEST(what_does_not_fit)
{
    is("big + 5", UINT64_MAX);
    is("big * 2", UINT64_MAX);
    is("b - a", 0);
    is("a / 0", 0);
    is("a % 0", 0);
    is("align(big, 32)", UINT64_MAX - 31);
    ck_assert_uint_eq(value_of("big + 5", true), 3);
    ck_assert_uint_eq(value_of("b - a", true), UINT64_MAX - 1);
    ck_assert_uint_eq(value_of("big * 2", true), UINT64_MAX - 3);
}
END_TEST

START_TEST(mistakes_name_their_column)
{
    static const struct {
        const char *text;
        const char *message;
    } bad[] = {
        { "", "column 1: expected a number, a name or '(', found the end" },
        { "a +", "column 4: expected a number, a name or '(', found the end" },
        { "a b", "column 3: expected an operator or the end, found 'b'" },
        { "(a", "column 3: expected ')', found the end" },
        { "a ? b", "column 6: expected ':', found the end" },
        { "a < b < 3", "column 7: comparisons cannot be chained: put brackets around one" },
        { "a + lenght", "column 5: 'lenght' is unknown" },
        { "algin(a, 2)", "column 1: 'algin(a, 2)' is unknown" },
        { "min(a)", "column 1: min() takes at least 2 arguments, not 1" },
        { "align(a, 2, 3)", "column 12: align() takes at most 2 arguments" },
        { "bits(a, 64, 1)",
          "column 1: bits() takes a first bit of 0 to 63, and 1 to 64 bits, as numbers" },
        { "1 + bits(a, b, 1)",
          "column 5: bits() takes a first bit of 0 to 63, and 1 to 64 bits, as numbers" },
        { "bits(a, 0)", "column 1: bits() takes 3 arguments, not 2" },
        { "pick(a, 1)", "column 1: pick() takes at least 3 arguments, not 2" },
        { "pick(a, 1, b)", "column 1: pick() takes numbers after its first argument" },
        { "18446744073709551616", "column 1: the number has more than 64 bits" },
        { "0xg", "column 1: expected hexadecimal digits after 0x" },
        { "a + 1.5", "column 5: a whole number has no fraction and no exponent" },
        { "1e3", "column 1: a whole number has no fraction and no exponent" },
        { "b * -a", "column 5: whole numbers have no sign" },
        { "first(a, b)", "column 1: first() cannot be used: whole numbers are never absent" },
        { "diff(a, b)", "column 1: diff() cannot be used: whole numbers are never absent" },
        { "a ? na : b", "column 5: 'na' cannot be used: whole numbers are never absent" },
        { "ceil(a / b)", "column 1: ceil() cannot be used: whole numbers have no fraction" },
        { "gib_s(a, b)", "column 1: gib_s() cannot be used: whole numbers have no fraction" },
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        OpprofError *error = NULL;
        OpprofFormula *formula = NULL;
        ck_assert_int_eq(parse(bad[i].text, false, &formula, &error), OPPROF_E_DATA);
        ck_assert_msg(strncmp(OpprofErrorMessage(error), "Formula 'f', ", 13) == 0, "%s",
                      OpprofErrorMessage(error));
        ck_assert_str_eq(OpprofErrorMessage(error) + 13, bad[i].message);
        ck_assert_ptr_null(formula);
        OpprofErrorDestroy(error);
    }
}
END_TEST

START_TEST(formulas_have_a_size)
{
    char text[OPPROF_FORMULA_MAX_LENGTH + 2];
    OpprofFormula *formula = NULL;

    memset(text, '(', 60);
    text[60] = '\0';
    ck_assert_int_eq(parse(text, false, &formula, NULL), OPPROF_E_LIMIT);
    memset(text, ' ', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    ck_assert_int_eq(parse(text, false, &formula, NULL), OPPROF_E_LIMIT);
    OpprofFormulaFree(NULL);
    /* as much as can wait at once */
    text[0] = '\0';
    for (unsigned i = 0; i < 47; i++) {
        strcat(text, "0 < 1 + 1 * min(1, ");
    }
    strcat(text, "1");
    for (unsigned i = 0; i < 47; i++) {
        strcat(text, ")");
    }
    is(text, 1);
}
END_TEST

static Suite *whole_suite(void)
{
    Suite *suite = suite_create("whole");
    TCase *tcase = tcase_create("whole");

    tcase_add_test(tcase, numbers_names_and_operators);
    tcase_add_test(tcase, comparisons_and_logic);
    tcase_add_test(tcase, functions);
    tcase_add_test(tcase, what_does_not_fit);
    tcase_add_test(tcase, mistakes_name_their_column);
    tcase_add_test(tcase, formulas_have_a_size);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(whole_suite)
