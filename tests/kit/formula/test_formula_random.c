/* SPDX-License-Identifier: Apache-2.0 */
/* Random formulas over random inputs, against an evaluator that shares nothing with the engine. */
#include "tests/kit/formula/formula_world.h"
#include "tests/core/suites.h"

#include <check.h>
#include <opprof/record.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMULAS 6000
#define INPUTS_A_FORMULA 8
#define MAX_DEPTH 5u

static uint64_t state;
static WorldValues values;
static uint32_t kind; /* OpprofFormulaKind */

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

    static const char *const wholes[] = {
        "0",   "1",          "2", "3", "7", "32", "64", "128", "0x49", "0xffffffffffffffff",
        "255", "4294967296",
    };

    if (draw(3) != 0) {
        /* The last one is for reals. */
        fputs(one_of(names, sizeof names / sizeof names[0] - (kind != OPPROF_FORMULA_REAL)), out);
    } else if (kind == OPPROF_FORMULA_REAL) {
        fputs(one_of(numbers, sizeof numbers / sizeof numbers[0]), out);
    } else {
        fputs(one_of(wholes, sizeof wholes / sizeof wholes[0]), out);
    }
}

/* bits(x, 3, 5) or pick(x, 1, 2, 3) */
static void write_numbers(FILE *out, unsigned depth)
{
    static const char *const picked[] = { "0", "1", "3", "100", "1 + 1", "n(4)" };
    const bool is_bits = draw(2) == 0;

    fputs(is_bits ? "bits(" : "pick(", out);
    write_formula(out, depth + 1);
    if (is_bits) {
        fprintf(out, ", %u, %u)", (unsigned) draw(64), (unsigned) draw(64) + 1);
        return;
    }
    for (uint64_t i = draw(5) + 2; i > 0; i--) {
        fprintf(out, ", %s", one_of(picked, sizeof picked / sizeof picked[0]));
    }
    fputc(')', out);
}

static void write_call(FILE *out, unsigned depth)
{
    static const struct {
        const char *name;
        unsigned least, most;
    } functions[] = { { "min", 2, 4 },   { "max", 2, 4 },  { "sub0", 2, 2 },  { "trunc", 1, 1 },
                      { "align", 2, 2 }, { "if", 3, 3 },   { "first", 2, 3 }, { "diff", 2, 2 },
                      { "ceil", 1, 1 },  { "gib_s", 2, 2 } };
    const size_t count_of_both = 6;

    if (draw(6) == 0) {
        write_numbers(out, depth);
        return;
    }
    const size_t which =
        draw(kind != OPPROF_FORMULA_REAL ? count_of_both : sizeof functions / sizeof functions[0]);
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
    static const char *const operators[] = { " + ", " - ", " * ",  "/",    "+", "-", " % ",
                                             "*",   " / ", " && ", " || ", "*", "/", "%" };
    static const char *const comparisons[] = { "==", " != ", "<", " > ", "<=", " >= " };
    const uint64_t shape = depth >= MAX_DEPTH ? 0 : draw(11);

    if (shape < 2) {
        write_leaf(out);
    } else if (shape < 6) {
        write_formula(out, depth + 1);
        fputs(one_of(operators, sizeof operators / sizeof operators[0]), out);
        write_formula(out, depth + 1);
    } else if (shape < 8) {
        write_call(out, depth);
    } else if (shape == 8) {
        fputs(draw(2) == 0   ? (kind == OPPROF_FORMULA_REAL ? "-" : "!!")
              : draw(2) == 0 ? "!"
                             : "",
              out);
        fputc('(', out);
        write_formula(out, depth + 1);
        fputc(')', out);
    } else if (shape == 9) {
        fputc('(', out);
        write_formula(out, depth + 2);
        fputs(" ? ", out);
        write_formula(out, depth + 1);
        fputs(":", out);
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

    const uint64_t limit = limits[draw(sizeof limits / sizeof limits[0])];
    for (uint32_t i = 0; i < WORLD_INPUTS; i++) {
        values.wholes[i] = draw(2) == 0 ? draw(limit) : UINT64_MAX - draw(limit);
        if (draw(12) == 0) {
            OpprofInputsAbsent(&values.inputs, i);
            continue;
        }
        if (WorldInputIsInteger(i)) {
            OpprofInputsCount(&values.inputs, i, draw(limit));
        } else {
            OpprofInputsReal(&values.inputs, i,
                             ((double) draw(limit) - 2) / (draw(2) == 0 ? 1 : 8));
        }
    }
}

/* Comparisons cannot be chained: some formulas are refused, which is right. */
static OpprofFormula *parse(const OpprofFormulaText *text)
{
    OpprofFormula *formula = NULL;
    OpprofError *error = NULL;

    if (OpprofFormulaParse(text, WorldBind, NULL, &formula, &error) != OPPROF_OK) {
        ck_assert_msg(strstr(OpprofErrorMessage(error), "column ") != NULL, "%s", text->text);
        OpprofErrorDestroy(error);
    }
    return formula;
}

static unsigned compare(const char *letters, size_t length)
{
    const OpprofFormulaText text = { "f", letters, length, kind };
    OpprofFormula *formula = parse(&text);

    for (int i = 0; formula != NULL && i < INPUTS_A_FORMULA; i++) {
        draw_inputs();
        const char *why = WorldDisagreement(formula, &text, &values);
        ck_assert_msg(why == NULL, "%s: %s", letters, why);
    }
    OpprofFormulaFree(formula);
    return formula != NULL;
}

START_TEST(random_formulas_agree_with_a_plain_evaluator)
{
    unsigned parsed = 0;

    state = UINT64_C(0x9e3779b97f4a7c15) + (uint64_t) _i;
    kind = (uint32_t) _i % 3;
    ck_assert(OpprofInputsInit(&values.inputs, WORLD_INPUTS));
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
    OpprofInputsFinish(&values.inputs);
    ck_assert_uint_gt(parsed, FORMULAS / 2);
}
END_TEST

/* What nobody would call a formula: no crash, and a column. */
START_TEST(random_text_is_refused_with_its_column)
{
    static const char letters[] = "abst07.ex()+-*/<>=!&|?:%, \"\\{\n";
    char text[64];

    state = UINT64_C(0xdeadbeefcafef00d) + (uint64_t) _i;
    kind = (uint32_t) _i % 3;
    ck_assert(OpprofInputsInit(&values.inputs, WORLD_INPUTS));
    for (int i = 0; i < FORMULAS * 10; i++) {
        const size_t length = draw(sizeof text);
        for (size_t at = 0; at < length; at++) {
            text[at] = letters[draw(sizeof letters - 1)];
        }
        text[length] = '\0';
        compare(text, length);
    }
    OpprofInputsFinish(&values.inputs);
}
END_TEST

static Suite *formula_random_suite(void)
{
    Suite *suite = suite_create("formula_random");
    TCase *tcase = tcase_create("random");

    tcase_add_loop_test(tcase, random_formulas_agree_with_a_plain_evaluator, 0, 6);
    tcase_add_loop_test(tcase, random_text_is_refused_with_its_column, 0, 3);
    suite_add_tcase(suite, tcase);
    return suite;
}
TEST_SUITE(formula_random_suite)
