/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inputs of formulas, and the machine that runs their programs.
 * Tested by tests/kit/formula/test_expression.
 */
#include "kit/formula/expression.h"

#include <math.h>
#include <opprof/compiler.h>
#include <opprof/require.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_LIMIT 18446744073709551616.0 /* 2^64 */

/* ---- inputs ---- */

bool OpprofInputsInit(OpprofInputs *inputs, uint32_t count)
{
    OPPROF_REQUIRE("inputs-given", inputs != NULL, "The inputs are given");
    *inputs = (OpprofInputs){ .count = count };
    if (count > OPPROF_EXPRESSION_MAX_INPUTS) {
        return false;
    }
    inputs->nearest = calloc((size_t) count + 1, sizeof *inputs->nearest);
    inputs->exact = calloc((size_t) count + 1, sizeof *inputs->exact);
    if (inputs->nearest == NULL || inputs->exact == NULL) {
        OpprofInputsFinish(inputs);
        return false;
    }
    OpprofInputsClear(inputs);
    return true;
}

void OpprofInputsFinish(OpprofInputs *inputs)
{
    OPPROF_REQUIRE("inputs-given", inputs != NULL, "The inputs are given");
    free(inputs->nearest);
    free(inputs->exact);
    *inputs = (OpprofInputs){ .count = 0 };
}

void OpprofInputsClear(OpprofInputs *inputs)
{
    OPPROF_REQUIRE("inputs-given", inputs != NULL, "The inputs are given");
    for (uint32_t i = 0; i < inputs->count; i++) {
        inputs->nearest[i] = OpprofNaF64();
    }
    memset(inputs->exact, 0xff, (size_t) inputs->count * sizeof *inputs->exact);
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

/* Part of run(), which would otherwise call it for each step: MachineStep() is rare. */
static OPPROF_ALWAYS_INLINE double step(StepOp op, double a, double b, double c)
{
    switch (op) {
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
        return isnan(c) ? c : c != 0 ? a : b;
    }
    return OpprofNaF64();
}

/* Infinity would become a number again in 1 / infinity. */
static OPPROF_ALWAYS_INLINE double finite_step(StepOp op, double a, double b, double c)
{
    const double value = step(op, a, b, c);
    return isinf(value) ? OpprofNaF64() : value;
}

double MachineStep(StepOp op, double a, double b, double c)
{
    return finite_step(op, a, b, c);
}

OpprofAbsence MachineWhy(StepOp op)
{
    return op == STEP_DIVIDE ? OPPROF_ABSENT_ZERO
           : op == STEP_DIFF ? OPPROF_ABSENT_NEGATIVE
                             : OPPROF_ABSENT_TOO_LARGE;
}

/* ---- running ---- */

static bool lacks_strict(const OpprofExpression *expression, const OpprofInputs *inputs,
                         uint32_t *ret_input)
{
    for (uint32_t i = 0; i < expression->strict_count; i++) {
        if (isnan(inputs->nearest[expression->strict[i]])) {
            *ret_input = expression->strict[i];
            return true;
        }
    }
    return false;
}

static double run(const OpprofExpression *expression, const OpprofInputs *inputs)
{
    double temporaries[EXPRESSION_TEMPORARIES];
    const double *const spaces[] = { inputs->nearest, expression->constants, temporaries,
                                     temporaries };
    const Step *end = expression->steps; /* NULL where an expression is a constant */
    uint32_t unused;

    if (lacks_strict(expression, inputs, &unused)) {
        return OpprofNaF64();
    }
    if (expression->step_count > 0) {
        end += expression->step_count;
    }
    for (const Step *at = expression->steps; at != end; at++) {
        const double a = spaces[OPERAND_SPACE(at->a)][OPERAND_INDEX(at->a)];
        const double b = spaces[OPERAND_SPACE(at->b)][OPERAND_INDEX(at->b)];
        const double c =
            at->op == STEP_SELECT ? spaces[OPERAND_SPACE(at->c)][OPERAND_INDEX(at->c)] : 0;
        temporaries[at->result] = finite_step((StepOp) at->op, a, b, c);
    }
    return spaces[OPERAND_SPACE(expression->result)][OPERAND_INDEX(expression->result)];
}

double OpprofExpressionReal(const OpprofExpression *expression, const OpprofInputs *inputs)
{
    const double value = run(expression, inputs);
    return isfinite(value) ? value + 0.0 : OpprofNaF64(); /* -0 becomes 0, as of integers */
}

/* A counter that is shown as it is has all its bits. */
uint64_t OpprofExpressionCount(const OpprofExpression *expression, const OpprofInputs *inputs)
{
    if (OPERAND_SPACE(expression->result) == OPERAND_INPUT &&
        inputs->exact[OPERAND_INDEX(expression->result)] != OPPROF_NA_U64) {
        return inputs->exact[OPERAND_INDEX(expression->result)];
    }
    const double value = run(expression, inputs);
    return value >= 0 && value < COUNT_LIMIT && trunc(value) == value ? (uint64_t) value
                                                                      : OPPROF_NA_U64;
}

/* ---- why values are absent ---- */

typedef struct Cause {
    OpprofAbsence absence; /* OPPROF_PRESENT: the value is present */
    uint32_t input;
} Cause;

/* What the program computed: values, and why some are absent. */
typedef struct Trail {
    const OpprofExpression *expression;
    const OpprofInputs *inputs;
    double values[EXPRESSION_TEMPORARIES];
    Cause causes[EXPRESSION_TEMPORARIES];
} Trail;

static double value_of(const Trail *trail, uint16_t operand, Cause *ret_cause)
{
    const unsigned index = OPERAND_INDEX(operand);

    *ret_cause = (Cause){ .absence = OPPROF_PRESENT };
    if (OPERAND_SPACE(operand) == OPERAND_CONSTANT) {
        ret_cause->absence = (OpprofAbsence) trail->expression->absences[index];
        return trail->expression->constants[index];
    }
    if (OPERAND_SPACE(operand) == OPERAND_INPUT) {
        const double value = trail->inputs->nearest[index];
        if (isnan(value)) {
            *ret_cause = (Cause){ .absence = OPPROF_ABSENT_INPUT, .input = index };
        }
        return value;
    }
    *ret_cause = trail->causes[index];
    return trail->values[index];
}

static Cause cause_of(const Step *at, double a, double c, const Cause *causes)
{
    if (at->op == STEP_FIRST) {
        return isnan(a) ? causes[1] : causes[0];
    }
    if (at->op == STEP_SELECT) {
        return isnan(c) ? causes[2] : c != 0 ? causes[0] : causes[1];
    }
    if (causes[0].absence != OPPROF_PRESENT) {
        return causes[0];
    }
    const bool has_one =
        at->op == STEP_NEGATE || at->op == STEP_NOT || at->op == STEP_TRUNC || at->op == STEP_CEIL;
    if (!has_one && causes[1].absence != OPPROF_PRESENT) {
        return causes[1];
    }
    return (Cause){ .absence = MachineWhy((StepOp) at->op) };
}

OpprofAbsence OpprofExpressionWhy(const OpprofExpression *expression, const OpprofInputs *inputs,
                                  uint32_t *ret_input)
{
    OPPROF_REQUIRE("expression-given", expression != NULL, "The formula is given");
    OPPROF_REQUIRE("inputs-given", inputs != NULL, "The inputs are given");

    Trail trail = { .expression = expression, .inputs = inputs };
    Cause cause = { .absence = OPPROF_ABSENT_INPUT };

    if (!lacks_strict(expression, inputs, &cause.input)) {
        for (uint32_t i = 0; i < expression->step_count; i++) {
            const Step *at = &expression->steps[i];
            Cause causes[3];
            const double a = value_of(&trail, at->a, &causes[0]);
            const double b = value_of(&trail, at->b, &causes[1]);
            const double c = value_of(&trail, at->c, &causes[2]);
            const double value = MachineStep((StepOp) at->op, a, b, c);
            trail.values[at->result] = value;
            trail.causes[at->result] =
                isnan(value) ? cause_of(at, a, c, causes) : (Cause){ .absence = OPPROF_PRESENT };
        }
        value_of(&trail, expression->result, &cause);
    }
    if (ret_input != NULL && cause.absence != OPPROF_PRESENT) {
        *ret_input = cause.input;
    }
    return cause.absence;
}
