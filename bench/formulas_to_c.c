/* SPDX-License-Identifier: Apache-2.0 */
/*
 * formulas_to_c SOC: writes the formulas of a chip's tables as C, one function each, for a bench
 * that compares the evaluator with what a compiler makes of them. Absent values are NaN, as in the
 * evaluator's calculation in double; integers beyond 2^53, which it keeps exact, are not looked
 * after. No table has align(), bits() or pick() so far: a compiler refuses them.
 */
#include "bench/formulas.h"
#include "kit/formula/formula.h"

#include <stdio.h>

/* How a step looks in C. */
static const struct {
    unsigned operands;
    const char *before, *between, *after;
} looks[] = {
    [STEP_ADD] = { 2, "", " + ", "" },
    [STEP_SUBTRACT] = { 2, "", " - ", "" },
    [STEP_MULTIPLY] = { 2, "", " * ", "" },
    [STEP_DIVIDE] = { 2, "divide(", ", ", ")" },
    [STEP_REST] = { 2, "rest(", ", ", ")" },
    [STEP_NEGATE] = { 1, "-", "", "" },
    [STEP_MIN] = { 2, "smaller(", ", ", ")" },
    [STEP_MAX] = { 2, "larger(", ", ", ")" },
    [STEP_SUB0] = { 2, "sub0(", ", ", ")" },
    [STEP_DIFF] = { 2, "diff(", ", ", ")" },
    [STEP_TRUNC] = { 1, "trunc(", "", ")" },
    [STEP_CEIL] = { 1, "ceil(", "", ")" },
    [STEP_ALIGN] = { 2, "align(", ", ", ")" },
    [STEP_FIRST] = { 2, "first(", ", ", ")" },
    [STEP_EQUAL] = { 2, "holds(", ", ", ", a == b)" },
    [STEP_DIFFERS] = { 2, "holds(", ", ", ", a != b)" },
    [STEP_LESS] = { 2, "holds(", ", ", ", a < b)" },
    [STEP_LESS_EQUAL] = { 2, "holds(", ", ", ", a <= b)" },
    [STEP_AND] = { 2, "holds(", ", ", ", a != 0 && b != 0)" },
    [STEP_OR] = { 2, "holds(", ", ", ", a != 0 || b != 0)" },
    [STEP_NOT] = { 1, "not(", "", ")" },
    [STEP_SELECT] = { 3, "select(", ", ", ")" },
    [STEP_BITS] = { 3, "bits(", ", ", ")" },
    [STEP_PICK] = { 3, "pick(", ", ", ")" },
};

static const char head[] =
    "#include \"bench/formulas.h\"\n"
    "#include <math.h>\n"
    "static inline double divide(double a, double b) { return b == 0 ? NAN : a / b; }\n"
    "static inline double smaller(double a, double b) { return isnan(b) || b < a ? b : a; }\n"
    "static inline double larger(double a, double b) { return isnan(b) || b > a ? b : a; }\n"
    "static inline double sub0(double a, double b) { return a - b < 0 ? 0 : a - b; }\n"
    "static inline double diff(double a, double b) { return a - b < 0 ? NAN : a - b; }\n"
    "static inline double first(double a, double b) { return isnan(a) ? b : a; }\n"
    "static inline double rest(double a, double b) { return b == 0 ? NAN : fmod(a, b); }\n"
    "static inline double not(double a) { return isnan(a) ? a : a == 0; }\n"
    "static inline double select(double a, double b, double c)\n"
    "{\n    return isnan(c) ? c : c != 0 ? a : b;\n}\n"
    "#define holds(x, y, what) \\\n"
    "    __extension__({ const double a = (x), b = (y); "
    "isnan(a) || isnan(b) ? NAN : (what) ? 1.0 : 0.0; })\n";

static void name_operand(const OpprofFormula *formula, unsigned operand, char *text, size_t size)
{
    const unsigned index = OPERAND_INDEX(operand);

    switch (OPERAND_SPACE(operand)) {
    case OPERAND_INPUT:
        snprintf(text, size, "x[%u]", index);
        return;
    case OPERAND_CONSTANT:
        snprintf(text, size, "(%.17g)", formula->constants[index].real);
        return;
    default:
        snprintf(text, size, "t%u", index);
        return;
    }
}

static void write_step(const OpprofFormula *formula, const Step *step)
{
    const uint16_t operands[] = { step->a, step->b, step->c };
    char operand[40];

    printf("    t%u = %s", step->result, looks[step->op].before);
    for (unsigned i = 0; i < looks[step->op].operands; i++) {
        name_operand(formula, operands[i], operand, sizeof operand);
        printf("%s%s", i == 0 ? "" : looks[step->op].between, operand);
    }
    printf("%s;\n", looks[step->op].after);
}

static void write_formula(const OpprofFormula *formula, const char *kind, uint32_t number)
{
    char result[40];

    printf("static double %s%u(const double *x)\n{\n", kind, number);
    for (uint32_t t = 0; t < formula->step_count; t++) {
        bool is_new = true;
        for (uint32_t before = 0; before < t; before++) {
            is_new = is_new && formula->steps[before].result != formula->steps[t].result;
        }
        if (is_new) {
            printf("    double t%u;\n", formula->steps[t].result);
        }
    }
    for (uint32_t i = 0; i < formula->strict_count; i++) {
        printf("    if (isnan(x[%u])) {\n        return NAN;\n    }\n", formula->strict[i]);
    }
    for (uint32_t i = 0; i < formula->step_count; i++) {
        write_step(formula, &formula->steps[i]);
    }
    name_operand(formula, formula->result, result, sizeof result);
    printf("    return isfinite(%s) ? %s : NAN;\n}\n", result, result);
}

static void write_list(const char *kind, const char *name, uint32_t count)
{
    printf("FormulaInC *const formulas_%ss[] = {", name);
    for (uint32_t i = 0; i < count; i++) {
        printf("%s%s%u,", i % 8 == 0 ? "\n    " : " ", kind, i);
    }
    printf("\n};\nconst unsigned formulas_%s_count = %u;\n", name, count);
}

int main(int argc, char **argv)
{
    Formulas formulas;

    if (argc != 2 || !FormulasLoad(argv[1], &formulas)) {
        return 1;
    }
    const OpprofMetrics *metrics = formulas.metrics;
    printf("/* The formulas of %s. Generated: do not edit. */\n%s", argv[1], head);
    for (uint32_t i = 0; i < metrics->symbol_count; i++) {
        write_formula(metrics->symbols[i].formula, "s", i);
    }
    for (uint32_t i = 0; i < formulas.count; i++) {
        write_formula(formulas.columns[i], "c", i);
    }
    write_list("s", "symbol", metrics->symbol_count);
    printf("const unsigned formulas_symbol_inputs[] = {");
    for (uint32_t i = 0; i < metrics->symbol_count; i++) {
        printf("%s%u,", i % 16 == 0 ? "\n    " : " ", metrics->symbols[i].input);
    }
    printf("\n};\n");
    write_list("c", "column", formulas.count);
    FormulasFree(&formulas);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
