/* SPDX-License-Identifier: Apache-2.0 */
/* Formulas of whole numbers, against numbers computed by hand. */
#include <opprof/kit/whole.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* a, b and big are values, seven is a number. */
static bool bind(void *context, const char *name, OpprofWholeName *ret_name)
{
    static const char *const names[] = { "a", "b", "big" };

    (void) context;
    for (uint32_t i = 0; i < 3; i++) {
        if (strcmp(name, names[i]) == 0) {
            *ret_name = (OpprofWholeName){ .index = i };
            return true;
        }
    }
    *ret_name = (OpprofWholeName){ .is_number = true, .number = 7 };
    return strcmp(name, "seven") == 0;
}

static uint64_t value_of(const char *text, bool wraps)
{
    const uint64_t values[] = { 5, 3, UINT64_MAX - 1 };
    OpprofError *error = NULL;
    OpprofWhole *whole = NULL;

    ck_assert_msg(OpprofWholeParse(text, wraps, bind, NULL, &whole, &error) == OPPROF_OK, "%s: %s",
                  text, OpprofErrorMessage(error));
    const uint64_t value = OpprofWholeEvaluate(whole, values);
    OpprofWholeFree(whole);
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
        { "", "Column 1: expected a number, a name or '(', found the end" },
        { "a +", "Column 4: expected a number, a name or '(', found the end" },
        { "a b", "Column 3: expected an operator, found 'b'" },
        { "(a", "Column 3: expected ')', found the end" },
        { "a ? b", "Column 6: expected ':', found the end" },
        { "a + lenght", "Column 5: there is no 'lenght'" },
        { "algin(a, 2)",
          "Column 1: unknown function 'algin'; the functions are align, bits, max, min and pick" },
        { "min(a)", "Column 6: the function takes two arguments, not 1" },
        { "align(a, 2, 3)", "Column 14: the function takes two arguments, not 3" },
        { "bits(a, 64, 1)", "Column 14: bits() takes a first bit of 0 to 63, and 1 to 64 bits" },
        { "bits(a, 0)", "Column 10: expected ',', found ')'" },
        { "bits(a, b, 1)", "Column 9: expected a number, found 'b, 1)'" },
        { "pick(a)", "Column 7: expected ', number', found ')'" },
        { "pick(a, b)", "Column 9: expected a number, found 'b)'" },
        { "18446744073709551616", "Column 1: the number has more than 64 bits" },
        { "0xg", "Column 3: expected a number, found 'g'" },
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        OpprofError *error = NULL;
        OpprofWhole *whole = NULL;
        ck_assert_int_eq(OpprofWholeParse(bad[i].text, false, bind, NULL, &whole, &error),
                         OPPROF_E_DATA);
        ck_assert_str_eq(OpprofErrorMessage(error), bad[i].message);
        ck_assert_ptr_null(whole);
        OpprofErrorDestroy(error);
    }
}
END_TEST

START_TEST(formulas_have_a_size)
{
    char text[2048];
    OpprofWhole *whole = NULL;

    memset(text, '(', 40);
    text[40] = '\0';
    ck_assert_int_eq(OpprofWholeParse(text, false, bind, NULL, &whole, NULL), OPPROF_E_DATA);
    memset(text, ' ', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    ck_assert_int_eq(OpprofWholeParse(text, false, bind, NULL, &whole, NULL), OPPROF_E_DATA);
    OpprofWholeFree(NULL);
    /* as much as can wait at once */
    text[0] = '\0';
    for (unsigned i = 0; i < 31; i++) {
        strcat(text, "0 < 1 + 1 * min(1, ");
    }
    strcat(text, "1");
    for (unsigned i = 0; i < 31; i++) {
        strcat(text, ")");
    }
    is(text, 1);
}
END_TEST

int main(void)
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
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
