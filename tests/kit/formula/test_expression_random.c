/* SPDX-License-Identifier: Apache-2.0 */
/* Random formulas over random inputs, against an evaluator that shares nothing with the engine. */
#include "tests/kit/formula/formula_world.h"

#include <check.h>
#include <opprof/record.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMULAS 6000
#define INPUTS_A_FORMULA 8
#define MAX_DEPTH 5u

static uint64_t state;
static OpprofInputs inputs;

static uint64_t draw(uint64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % below;
}

static const char *one_of(const char *const *texts, size_t count)
{
    return texts[draw(count)];
}

/* ---- formulas ---- */

static void write_formula(FILE *out, unsigned depth);

static void write_leaf(FILE *out)
{
    static const char *const numbers[] = {
        "0",       "1",         "2",    "3",    "7",          "128",     "256",
        "0.5",     "1e6",       "0x49", "2.5",  "1073741824", "1e-3",    "9007199254740991",
        "1000000", "0xFFFFFFF", "100",  "16.0", "4294967296", "1.25e10", "9007199254740992",
    };
    static const char *const names[] = { "a",    "b",     "c", "d", "e(0)",  "e(1)",  "e( 2 )",
                                         "e(3)", "s",     "t", "u", "twice", "share", "rest",
                                         "n(6)", "n(-8)", "v", "f", "g",     "na" };

    fputs(draw(3) == 0 ? one_of(numbers, sizeof numbers / sizeof numbers[0])
                       : one_of(names, sizeof names / sizeof names[0]),
          out);
}

static void write_call(FILE *out, unsigned depth)
{
    static const struct {
        const char *name;
        unsigned least, most;
    } functions[] = { { "min", 2, 4 },  { "max", 2, 4 },   { "first", 2, 3 },
                      { "sub0", 2, 2 }, { "diff", 2, 2 },  { "trunc", 1, 1 },
                      { "ceil", 1, 1 }, { "gib_s", 2, 2 }, { "if", 3, 3 } };
    const size_t which = draw(sizeof functions / sizeof functions[0]);
    const unsigned count = functions[which].least +
                           (unsigned) draw(functions[which].most - functions[which].least + 1);

    fprintf(out, "%s(", functions[which].name);
    for (unsigned i = 0; i < count; i++) {
        fputs(i > 0 ? ", " : "", out);
        write_formula(out, depth + 1);
    }
    fputc(')', out);
}

static void write_formula(FILE *out, unsigned depth)
{
    static const char *const operators[] = { " + ", " - ", " * ",  "/",    "+", "-",
                                             "*",   " / ", " && ", " || ", "*", "/" };
    static const char *const comparisons[] = { "==", " != ", "<", " > ", "<=", " >= " };
    const uint64_t kind = depth >= MAX_DEPTH ? 0 : draw(10);

    if (kind < 2) {
        write_leaf(out);
    } else if (kind < 6) {
        write_formula(out, depth + 1);
        fputs(one_of(operators, sizeof operators / sizeof operators[0]), out);
        write_formula(out, depth + 1);
    } else if (kind < 8) {
        write_call(out, depth);
    } else if (kind == 8) {
        fputs(draw(2) == 0 ? "-" : draw(2) == 0 ? "!" : "", out);
        fputc('(', out);
        write_formula(out, depth + 1);
        fputc(')', out);
    } else {
        fputc('(', out);
        write_leaf(out);
        fputs(one_of(comparisons, sizeof comparisons / sizeof comparisons[0]), out);
        write_formula(out, depth + 2);
        fputc(')', out);
    }
}

/* ---- inputs ---- */

static void draw_inputs(void)
{
    const uint64_t limits[] = { 2, 5, 1000, UINT64_C(1) << 32, UINT64_C(1) << 53, UINT64_MAX };

    OpprofInputsClear(&inputs);
    const uint64_t limit = limits[draw(sizeof limits / sizeof limits[0])];
    for (uint32_t i = 0; i < WORLD_INPUTS; i++) {
        if (draw(12) == 0) {
            continue;
        }
        if (WorldInputIsInteger(i)) {
            OpprofInputsCount(&inputs, i, draw(limit));
        } else {
            OpprofInputsReal(&inputs, i, ((double) draw(limit) - 2) / (draw(2) == 0 ? 1 : 8));
        }
    }
}

/* Comparisons cannot be chained: some formulas are refused, which is right. */
static OpprofExpression *parse(const char *text, size_t length)
{
    OpprofExpression *expression = NULL;
    OpprofError *error = NULL;

    if (OpprofExpressionParse(&(OpprofFormula){ "f", text, length }, WorldBind, NULL, &expression,
                              &error) != OPPROF_OK) {
        ck_assert_msg(strstr(OpprofErrorMessage(error), "column ") != NULL, "%s", text);
        OpprofErrorDestroy(error);
    }
    return expression;
}

static unsigned compare(const char *text, size_t length)
{
    OpprofExpression *expression = parse(text, length);

    for (int i = 0; expression != NULL && i < INPUTS_A_FORMULA; i++) {
        draw_inputs();
        const char *why = WorldDisagreement(expression, text, length, &inputs);
        ck_assert_msg(why == NULL, "%s: %s", text, why);
    }
    OpprofExpressionFree(expression);
    return expression != NULL;
}

START_TEST(random_formulas_agree_with_a_plain_evaluator)
{
    unsigned parsed = 0;

    state = UINT64_C(0x9e3779b97f4a7c15) + (uint64_t) _i;
    ck_assert(OpprofInputsInit(&inputs, WORLD_INPUTS));
    for (int i = 0; i < FORMULAS; i++) {
        char *text = NULL;
        size_t length = 0;
        FILE *out = open_memstream(&text, &length);
        ck_assert_ptr_nonnull(out);
        write_formula(out, 0);
        fclose(out);
        parsed += compare(text, length);
        free(text);
    }
    OpprofInputsFinish(&inputs);
    ck_assert_uint_gt(parsed, FORMULAS / 2);
}
END_TEST

/* What nobody would call a formula: no crash, and a column. */
START_TEST(random_text_is_refused_with_its_column)
{
    static const char letters[] = "abst07.ex()+-*/<>=!&|, \"\\{\n";
    char text[64];

    state = UINT64_C(0xdeadbeefcafef00d) + (uint64_t) _i;
    ck_assert(OpprofInputsInit(&inputs, WORLD_INPUTS));
    for (int i = 0; i < FORMULAS * 10; i++) {
        const size_t length = draw(sizeof text);
        for (size_t at = 0; at < length; at++) {
            text[at] = letters[draw(sizeof letters - 1)];
        }
        text[length] = '\0';
        compare(text, length);
    }
    OpprofInputsFinish(&inputs);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("expression_random");
    TCase *tcase = tcase_create("random");
    SRunner *runner = srunner_create(suite);

    tcase_add_loop_test(tcase, random_formulas_agree_with_a_plain_evaluator, 0, 4);
    tcase_add_loop_test(tcase, random_text_is_refused_with_its_column, 0, 2);
    suite_add_tcase(suite, tcase);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
