/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inputs of formulas of reals, and the machine that runs their programs in double. Absent is NaN;
 * infinity, after which nothing is certain, is absent too. Integers are exact below 2^53, which no
 * counter of a core reaches in a month. Tested by tests/kit/formula/test_formula.
 */
#include "kit/formula/formula.h"

#include <math.h>
#include <opprof/compiler.h>
#include <opprof/require.h>
#include <stdlib.h>

#define COUNT_LIMIT 18446744073709551616.0 /* 2^64 */
#define BITS_LIMIT 9007199254740992.0 /* 2^53: from there on the lowest bits are rounded away */

/* ---- inputs ---- */

bool OpprofInputsInit(OpprofInputs *inputs, uint32_t count)
{
    OPPROF_REQUIRE("inputs-given", inputs != NULL, "The inputs are given");
    *inputs = (OpprofInputs){ .count = count };
    if (count > OPPROF_FORMULA_MAX_INPUTS) {
        return false;
    }
    inputs->nearest = calloc((size_t) count + 1, sizeof *inputs->nearest);
    inputs->exact = calloc((size_t) count + 1, sizeof *inputs->exact);
    if (inputs->nearest == NULL || inputs->exact == NULL) {
        OpprofInputsFinish(inputs);
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        OpprofInputsAbsent(inputs, i);
    }
    return true;
}

void OpprofInputsFinish(OpprofInputs *inputs)
{
    OPPROF_REQUIRE("inputs-given", inputs != NULL, "The inputs are given");
    free(inputs->nearest);
    free(inputs->exact);
    *inputs = (OpprofInputs){ .count = 0 };
}

void OpprofInputsAbsent(OpprofInputs *inputs, uint32_t input)
{
    OPPROF_REQUIRE("inputs-given", inputs != NULL, "The inputs are given");
    OPPROF_REQUIRE("inputs-range", input < inputs->count, "The input is one of the set");
    inputs->nearest[input] = OpprofNaF64();
    inputs->exact[input] = OPPROF_NA_U64;
}

void OpprofInputsCount(OpprofInputs *inputs, uint32_t input, uint64_t value)
{
    OPPROF_REQUIRE("inputs-given", inputs != NULL, "The inputs are given");
    OPPROF_REQUIRE("inputs-range", input < inputs->count, "The input is one of the set");
    if (value == OPPROF_NA_U64) {
        OpprofInputsAbsent(inputs, input);
        return;
    }
    inputs->nearest[input] = (double) value;
    inputs->exact[input] = value;
}

void OpprofInputsReal(OpprofInputs *inputs, uint32_t input, double value)
{
    OPPROF_REQUIRE("inputs-given", inputs != NULL, "The inputs are given");
    OPPROF_REQUIRE("inputs-range", input < inputs->count, "The input is one of the set");
    inputs->nearest[input] = isfinite(value) ? value : OpprofNaF64();
    inputs->exact[input] = OPPROF_NA_U64;
}

/* ---- steps ---- */

static inline double either_nan(double a, double b, bool holds)
{
    return isnan(a) || isnan(b) ? OpprofNaF64() : holds ? 1 : 0;
}

/* a, up to a multiple of the unit */
static double align(double a, double unit)
{
    if (unit == 0) {
        return a;
    }
    const double rest = fmod(a, unit);
    return rest > 0 ? a + (fabs(unit) - rest) : a - rest;
}

static double bits(double a, double first, double count)
{
    if (!(a >= 0 && a < BITS_LIMIT && trunc(a) == a)) {
        return OpprofNaF64();
    }
    const uint64_t mask = count < 64 ? (UINT64_C(1) << (unsigned) count) - 1 : UINT64_MAX;
    return (double) ((uint64_t) a >> (unsigned) first & mask);
}

static double pick(double a, const double *table, double count)
{
    return isnan(a) ? a : a >= 0 && a < count && trunc(a) == a ? table[(size_t) a + 1] : table[0];
}

static OPPROF_ALWAYS_INLINE const double *value_at(const double *const *spaces, uint16_t operand)
{
    return &spaces[OPERAND_SPACE(operand)][OPERAND_INDEX(operand)];
}

static double rare_step(const Step *at, const double *const *spaces)
{
    const double a = *value_at(spaces, at->a);
    const double *b = value_at(spaces, at->b);
    const double c = *value_at(spaces, at->c);

    switch (at->op) {
    case STEP_REST:
        return *b == 0 ? OpprofNaF64() : fmod(a, *b);
    case STEP_ALIGN:
        return align(a, *b);
    case STEP_BITS:
        return bits(a, *b, c);
    default:
        return pick(a, b, c);
    }
}

/* Part of run(), which would otherwise call it for each step. */
static OPPROF_ALWAYS_INLINE double step(const Step *at, const double *const *spaces, bool is_rare)
{
    const double a = *value_at(spaces, at->a);
    const double b = *value_at(spaces, at->b);
    double c;

    switch (at->op) {
    case STEP_ADD:
        return a + b;
    case STEP_SUBTRACT:
        return a - b;
    case STEP_MULTIPLY:
        return a * b;
    case STEP_DIVIDE:
        return b == 0 ? OpprofNaF64() : a / b;
    case STEP_NEGATE:
        return -a;
    case STEP_MIN:
        return isnan(b) || b < a ? b : a;
    case STEP_MAX:
        return isnan(b) || b > a ? b : a;
    case STEP_SUB0:
        return a - b < 0 ? 0 : a - b;
    case STEP_DIFF:
        return a - b < 0 ? OpprofNaF64() : a - b;
    case STEP_TRUNC:
        return trunc(a);
    case STEP_CEIL:
        return ceil(a);
    case STEP_FIRST:
        return isnan(a) ? b : a;
    case STEP_EQUAL:
        return either_nan(a, b, a == b);
    case STEP_DIFFERS:
        return either_nan(a, b, a != b);
    case STEP_LESS:
        return either_nan(a, b, a < b);
    case STEP_LESS_EQUAL:
        return either_nan(a, b, a <= b);
    case STEP_AND:
        return either_nan(a, b, a != 0 && b != 0);
    case STEP_OR:
        return either_nan(a, b, a != 0 || b != 0);
    case STEP_NOT:
        return isnan(a) ? a : a == 0;
    case STEP_SELECT:
        c = *value_at(spaces, at->c);
        return isnan(c) ? c : c != 0 ? a : b;
    default:
        return is_rare ? rare_step(at, spaces) : OpprofNaF64();
    }
}

/* Infinity would become a number again in 1 / infinity. */
static OPPROF_ALWAYS_INLINE double finite_step(const Step *at, const double *const *spaces,
                                               bool is_rare)
{
    const double value = step(at, spaces, is_rare);
    return isinf(value) ? OpprofNaF64() : value;
}

double RealStep(const Step *at, const double *const *spaces)
{
    return finite_step(at, spaces, true);
}

OpprofAbsence RealWhy(StepOp op)
{
    switch ((unsigned) op) {
    case STEP_DIVIDE:
    case STEP_REST:
        return OPPROF_ABSENT_ZERO;
    case STEP_DIFF:
        return OPPROF_ABSENT_NEGATIVE;
    case STEP_BITS:
        return OPPROF_ABSENT_BITS;
    case STEP_PICK: /* the number is "na" */
        return OPPROF_ABSENT_SAID;
    default:
        return OPPROF_ABSENT_TOO_LARGE;
    }
}

/* ---- running ---- */

static bool lacks_strict(const OpprofFormula *formula, const OpprofInputs *inputs,
                         uint32_t *ret_input)
{
    for (uint32_t i = 0; i < formula->strict_count; i++) {
        if (isnan(inputs->nearest[formula->strict[i]])) {
            *ret_input = formula->strict[i];
            return true;
        }
    }
    return false;
}

/* Without rare steps there are no calls, for which each formula would have to save registers. */
static OPPROF_ALWAYS_INLINE double run_steps(const OpprofFormula *formula,
                                             const OpprofInputs *inputs, bool has_rare)
{
    double temporaries[FORMULA_TEMPORARIES];
    const double *const spaces[] = { inputs->nearest, (const double *) formula->constants,
                                     temporaries };
    const Step *end = formula->steps; /* NULL where a formula is a constant */
    uint32_t unused;

    if (lacks_strict(formula, inputs, &unused)) {
        return OpprofNaF64();
    }
    if (formula->step_count > 0) {
        end += formula->step_count;
    }
    for (const Step *at = formula->steps; at != end; at++) {
        temporaries[at->result] = finite_step(at, spaces, has_rare);
    }
    return *value_at(spaces, formula->result);
}

static double run_rare(const OpprofFormula *formula, const OpprofInputs *inputs)
{
    return run_steps(formula, inputs, true);
}

static double run(const OpprofFormula *formula, const OpprofInputs *inputs)
{
    return formula->has_rare ? run_rare(formula, inputs) : run_steps(formula, inputs, false);
}

double OpprofFormulaReal(const OpprofFormula *formula, const OpprofInputs *inputs)
{
    const double value = run(formula, inputs);
    return isfinite(value) ? value + 0.0 : OpprofNaF64(); /* -0 becomes 0, as of integers */
}

/* A counter that is shown as it is has all its bits. */
uint64_t OpprofFormulaCount(const OpprofFormula *formula, const OpprofInputs *inputs)
{
    if (OPERAND_SPACE(formula->result) == OPERAND_INPUT &&
        inputs->exact[OPERAND_INDEX(formula->result)] != OPPROF_NA_U64) {
        return inputs->exact[OPERAND_INDEX(formula->result)];
    }
    const double value = run(formula, inputs);
    return value >= 0 && value < COUNT_LIMIT && trunc(value) == value ? (uint64_t) value
                                                                      : OPPROF_NA_U64;
}

/* ---- why values are absent ---- */

typedef struct Cause {
    OpprofAbsence absence; /* OPPROF_PRESENT: the value is present */
    uint32_t input;
} Cause;

/* Results of the program: values, and why some are absent. */
typedef struct Trail {
    const OpprofFormula *formula;
    const double *spaces[3];
    double values[FORMULA_TEMPORARIES];
    Cause causes[FORMULA_TEMPORARIES];
} Trail;

static Cause cause_at(const Trail *trail, uint16_t operand)
{
    const unsigned index = OPERAND_INDEX(operand);

    if (OPERAND_SPACE(operand) == OPERAND_CONSTANT) {
        return (Cause){ .absence = (OpprofAbsence) trail->formula->absences[index] };
    }
    if (OPERAND_SPACE(operand) == OPERAND_INPUT) {
        return isnan(*value_at(trail->spaces, operand))
                   ? (Cause){ .absence = OPPROF_ABSENT_INPUT, .input = index }
                   : (Cause){ .absence = OPPROF_PRESENT };
    }
    return trail->causes[index];
}

/* Why a step is absent. */
static Cause cause_of(const Trail *trail, const Step *at)
{
    const double a = *value_at(trail->spaces, at->a);
    const double c = *value_at(trail->spaces, at->c);
    const Cause causes[] = { cause_at(trail, at->a), cause_at(trail, at->b),
                             cause_at(trail, at->c) };

    if (at->op == STEP_FIRST) {
        return isnan(a) ? causes[1] : causes[0];
    }
    if (at->op == STEP_SELECT) {
        return isnan(c) ? causes[2] : c != 0 ? causes[0] : causes[1];
    }
    if (causes[0].absence != OPPROF_PRESENT) {
        return causes[0];
    }
    if (at->op != STEP_PICK && causes[1].absence != OPPROF_PRESENT) {
        return causes[1];
    }
    return (Cause){ .absence = RealWhy((StepOp) at->op) };
}

OpprofAbsence OpprofFormulaWhy(const OpprofFormula *formula, const OpprofInputs *inputs,
                               uint32_t *ret_input)
{
    OPPROF_REQUIRE("formula-given", formula != NULL, "The formula is given");
    OPPROF_REQUIRE("inputs-given", inputs != NULL, "The inputs are given");

    Trail trail = { .formula = formula };
    Cause cause = { .absence = OPPROF_ABSENT_INPUT };

    trail.spaces[OPERAND_INPUT] = inputs->nearest;
    trail.spaces[OPERAND_CONSTANT] = (const double *) formula->constants;
    trail.spaces[OPERAND_STEP] = trail.values;
    if (!lacks_strict(formula, inputs, &cause.input)) {
        for (uint32_t i = 0; i < formula->step_count; i++) {
            const Step *at = &formula->steps[i];
            const double value = RealStep(at, trail.spaces);
            const Cause present = { .absence = OPPROF_PRESENT };
            trail.causes[at->result] = isnan(value) ? cause_of(&trail, at) : present;
            trail.values[at->result] = value;
        }
        cause = cause_at(&trail, formula->result);
    }
    if (ret_input != NULL && cause.absence != OPPROF_PRESENT) {
        *ret_input = cause.input;
    }
    return cause.absence;
}
