/* SPDX-License-Identifier: Apache-2.0 */
#include "kit/metrics/expression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEAR_LIMIT 9007199254740992.0 /* 2^53: below it a double is every integer */
#define WIDE_BITS 126                 /* integers of the wide machine stay below 2^126 */

/* Inputs */

bool OpprofInputsInit(OpprofInputs *inputs, uint32_t count)
{
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
    free(inputs->nearest);
    free(inputs->exact);
    *inputs = (OpprofInputs){ .count = 0 };
}

void OpprofInputsClear(OpprofInputs *inputs)
{
    for (uint32_t i = 0; i < inputs->count; i++) {
        inputs->nearest[i] = OpprofNaF64();
    }
    memset(inputs->exact, 0xff, (size_t) inputs->count * sizeof *inputs->exact);
    inputs->has_large = false;
}

void OpprofInputsAbsent(OpprofInputs *inputs, uint32_t input)
{
    inputs->nearest[input] = OpprofNaF64();
    inputs->exact[input] = OPPROF_NA_U64;
}

void OpprofInputsCount(OpprofInputs *inputs, uint32_t input, uint64_t value)
{
    if (value == OPPROF_NA_U64) {
        OpprofInputsAbsent(inputs, input);
        return;
    }
    inputs->nearest[input] = (double) value;
    inputs->exact[input] = value;
    inputs->has_large = inputs->has_large || value >= (uint64_t) NEAR_LIMIT;
}

void OpprofInputsReal(OpprofInputs *inputs, uint32_t input, double value)
{
    inputs->nearest[input] = isfinite(value) ? value : OpprofNaF64();
    inputs->exact[input] = OPPROF_NA_U64;
}

/* The wide machine */

static WideValue wide_absent(OpprofAbsence absence, uint16_t input)
{
    return (WideValue){ .kind = WIDE_ABSENT, .absence = (uint8_t) absence, .input = input };
}

static WideValue wide_real(double value)
{
    if (!isfinite(value)) {
        return wide_absent(OPPROF_ABSENT_TOO_LARGE, 0);
    }
    return (WideValue){ .kind = WIDE_REAL, .real = value };
}

static double to_double(const WideValue *value)
{
    return value->kind == WIDE_INTEGER ? (double) value->integer : value->real;
}

static unsigned bits_of(WideInteger value)
{
    __extension__ typedef unsigned __int128 Magnitude;
    const Magnitude magnitude = value < 0 ? -(Magnitude) value : (Magnitude) value;
    const uint64_t high = (uint64_t) (magnitude >> 64);
    const uint64_t low = (uint64_t) magnitude;

    if (high != 0) {
        return 128u - (unsigned) __builtin_clzll(high);
    }
    return low == 0 ? 0 : 64u - (unsigned) __builtin_clzll(low);
}

static WideValue wide_integer(WideInteger value)
{
    if (bits_of(value) > WIDE_BITS) {
        return wide_real((double) value);
    }
    return (WideValue){ .kind = WIDE_INTEGER, .integer = value };
}

/* The integer part of a real, as an integer if it is not too large for one. */
static WideValue wide_whole(double whole)
{
    if (fabs(whole) >= 0x1p126) {
        return wide_real(whole);
    }
    return wide_integer((WideInteger) whole);
}

static WideValue wide_multiply(const WideValue *a, const WideValue *b)
{
    if (a->kind == WIDE_INTEGER && b->kind == WIDE_INTEGER &&
        bits_of(a->integer) + bits_of(b->integer) <= WIDE_BITS) {
        return wide_integer(a->integer * b->integer);
    }
    return wide_real(to_double(a) * to_double(b));
}

static WideValue wide_divide(StepOp op, const WideValue *a, const WideValue *b)
{
    if (to_double(b) == 0) {
        return wide_absent(OPPROF_ABSENT_ZERO, 0);
    }
    if (op == STEP_DIVIDE || a->kind != WIDE_INTEGER || b->kind != WIDE_INTEGER) {
        const double quotient = to_double(a) / to_double(b);
        switch ((unsigned) op) {
        case STEP_TRUNC_DIV:
            return wide_whole(trunc(quotient));
        case STEP_CEIL_DIV:
            return wide_whole(ceil(quotient));
        default:
            return wide_real(quotient);
        }
    }
    const WideInteger quotient = a->integer / b->integer;
    const bool is_short =
        quotient * b->integer != a->integer && (a->integer < 0) == (b->integer < 0);
    return wide_integer(quotient + (op == STEP_CEIL_DIV && is_short ? 1 : 0));
}

static WideValue wide_subtract(const WideValue *a, const WideValue *b)
{
    if (a->kind == WIDE_INTEGER && b->kind == WIDE_INTEGER) {
        return wide_integer(a->integer - b->integer);
    }
    return wide_real(to_double(a) - to_double(b));
}

/* -1, 0 or 1. */
static int wide_compare(const WideValue *a, const WideValue *b)
{
    if (a->kind == WIDE_INTEGER && b->kind == WIDE_INTEGER) {
        return (a->integer > b->integer) - (a->integer < b->integer);
    }
    const double x = to_double(a);
    const double y = to_double(b);
    return (x > y) - (x < y);
}

static WideValue wide_round(StepOp op, const WideValue *a)
{
    if (a->kind == WIDE_INTEGER) {
        return *a;
    }
    return wide_whole(op == STEP_TRUNC ? trunc(a->real) : ceil(a->real));
}

static WideValue wide_binary(StepOp op, const WideValue *a, const WideValue *b)
{
    WideValue result;

    switch ((unsigned) op) {
    case STEP_ADD:
        return a->kind == WIDE_INTEGER && b->kind == WIDE_INTEGER
                   ? wide_integer(a->integer + b->integer)
                   : wide_real(to_double(a) + to_double(b));
    case STEP_SUBTRACT:
        return wide_subtract(a, b);
    case STEP_SUB0:
    case STEP_DIFF:
        result = wide_subtract(a, b);
        if (wide_compare(a, b) >= 0) {
            return result;
        }
        return op == STEP_DIFF ? wide_absent(OPPROF_ABSENT_NEGATIVE, 0) : wide_integer(0);
    case STEP_MULTIPLY:
        return wide_multiply(a, b);
    case STEP_DIVIDE:
    case STEP_TRUNC_DIV:
    case STEP_CEIL_DIV:
        return wide_divide(op, a, b);
    case STEP_MIN:
        return wide_compare(a, b) <= 0 ? *a : *b;
    case STEP_MAX:
        return wide_compare(a, b) >= 0 ? *a : *b;
    case STEP_EQUAL:
        return wide_integer(wide_compare(a, b) == 0);
    case STEP_LESS:
        return wide_integer(wide_compare(a, b) < 0);
    case STEP_LESS_EQUAL:
        return wide_integer(wide_compare(a, b) <= 0);
    case STEP_AND:
        return wide_integer(to_double(a) != 0 && to_double(b) != 0);
    default: /* STEP_OR */
        return wide_integer(to_double(a) != 0 || to_double(b) != 0);
    }
}

WideValue WideStep(StepOp op, const WideValue *a, const WideValue *b, const WideValue *c)
{
    if (op == STEP_FIRST) {
        return a->kind != WIDE_ABSENT ? *a : *b;
    }
    if (op == STEP_SELECT) {
        return c->kind == WIDE_ABSENT ? *c : to_double(c) != 0 ? *a : *b;
    }
    if (a->kind == WIDE_ABSENT) {
        return *a;
    }
    if (op == STEP_NEGATE) {
        return a->kind == WIDE_INTEGER ? wide_integer(-a->integer) : wide_real(-a->real);
    }
    if (op == STEP_NOT) {
        return wide_integer(to_double(a) == 0);
    }
    if (op == STEP_TRUNC || op == STEP_CEIL) {
        return wide_round(op, a);
    }
    return b->kind == WIDE_ABSENT ? *b : wide_binary(op, a, b);
}

static WideValue wide_input(const OpprofInputs *inputs, unsigned input)
{
    if (input >= inputs->count || isnan(inputs->nearest[input])) {
        return wide_absent(OPPROF_ABSENT_INPUT, (uint16_t) input);
    }
    if (inputs->exact[input] != OPPROF_NA_U64) {
        return wide_integer((WideInteger) inputs->exact[input]);
    }
    return wide_real(inputs->nearest[input]);
}

static WideValue wide_operand(const OpprofExpression *expression, const OpprofInputs *inputs,
                              const WideValue *temporaries, uint16_t operand)
{
    switch (OPERAND_SPACE(operand)) {
    case OPERAND_INPUT:
        return wide_input(inputs, OPERAND_INDEX(operand));
    case OPERAND_CONSTANT:
        return expression->wide_constants[OPERAND_INDEX(operand)];
    default:
        return temporaries[OPERAND_INDEX(operand)];
    }
}

static WideValue run_wide(const OpprofExpression *expression, const OpprofInputs *inputs)
{
    WideValue temporaries[EXPRESSION_TEMPORARIES];

    for (uint32_t i = 0; i < expression->strict_count; i++) {
        const WideValue input = wide_input(inputs, expression->strict[i]);
        if (input.kind == WIDE_ABSENT) {
            return input;
        }
    }
    for (const Step *step = expression->steps; step < expression->steps + expression->step_count;
         step++) {
        const WideValue a = wide_operand(expression, inputs, temporaries, step->a);
        const WideValue b = wide_operand(expression, inputs, temporaries, step->b);
        const WideValue c = wide_operand(expression, inputs, temporaries, step->c);
        temporaries[step->result] = WideStep((StepOp) step->op, &a, &b, &c);
    }
    return wide_operand(expression, inputs, temporaries, expression->result);
}

/* The near machine */

static inline double either_nan(double a, double b, bool holds)
{
    return isnan(a) || isnan(b) ? OpprofNaF64() : holds ? 1 : 0;
}

static inline double near_step(const Step *step, double a, double b, const double *const *spaces)
{
    double c;

    switch ((StepOp) step->op) {
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
    case STEP_TRUNC_DIV:
        return b == 0 ? OpprofNaF64() : trunc(a / b);
    case STEP_CEIL_DIV:
        return b == 0 ? OpprofNaF64() : ceil(a / b);
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
        c = spaces[OPERAND_SPACE(step->c)][OPERAND_INDEX(step->c)];
        return isnan(c) ? c : c != 0 ? a : b;
    }
    return OpprofNaF64();
}

/* False: the wide machine must do it. */
static bool run_near(const OpprofExpression *expression, const OpprofInputs *inputs,
                     double *ret_value)
{
    /* Of reals (1 / infinity would be a number again), and of what may be an integer. */
    static const double limits[] = { [false] = INFINITY, [true] = NEAR_LIMIT };
    double temporaries[EXPRESSION_TEMPORARIES];
    const double *const spaces[] = { inputs->nearest, expression->constants, temporaries,
                                     temporaries };
    const Step *const end = expression->steps + expression->step_count;

    for (uint32_t i = 0; i < expression->strict_count; i++) {
        if (isnan(inputs->nearest[expression->strict[i]])) {
            *ret_value = OpprofNaF64();
            return true;
        }
    }
    for (const Step *step = expression->steps; step < end; step++) {
        const double a = spaces[OPERAND_SPACE(step->a)][OPERAND_INDEX(step->a)];
        const double b = spaces[OPERAND_SPACE(step->b)][OPERAND_INDEX(step->b)];
        const double value = near_step(step, a, b, spaces);
        if (fabs(value) >= limits[step->is_limited]) {
            return false;
        }
        temporaries[step->result] = value;
    }
    *ret_value = spaces[OPERAND_SPACE(expression->result)][OPERAND_INDEX(expression->result)];
    return true;
}

double OpprofExpressionReal(const OpprofExpression *expression, const OpprofInputs *inputs)
{
    double value;

    if (inputs->has_large || expression->needs_wide || !run_near(expression, inputs, &value)) {
        const WideValue wide = run_wide(expression, inputs);
        value = wide.kind == WIDE_ABSENT ? OpprofNaF64() : to_double(&wide);
    }
    return isfinite(value) ? value + 0.0 : OpprofNaF64(); /* -0 becomes 0, as of integers */
}

static uint64_t near_count(double value)
{
    if (!(value >= 0 && value < NEAR_LIMIT) || trunc(value) != value) {
        return OPPROF_NA_U64;
    }
    return (uint64_t) value;
}

static uint64_t wide_count(const WideValue *value)
{
    const WideInteger limit = (WideInteger) OPPROF_NA_U64;

    if (value->kind == WIDE_REAL) {
        return near_count(value->real);
    }
    if (value->kind != WIDE_INTEGER || value->integer < 0 || value->integer >= limit) {
        return OPPROF_NA_U64;
    }
    return (uint64_t) value->integer;
}

uint64_t OpprofExpressionCount(const OpprofExpression *expression, const OpprofInputs *inputs)
{
    double value;

    if (inputs->has_large || expression->needs_wide || !run_near(expression, inputs, &value)) {
        const WideValue wide = run_wide(expression, inputs);
        return wide_count(&wide);
    }
    return near_count(value);
}

OpprofAbsence OpprofExpressionWhy(const OpprofExpression *expression, const OpprofInputs *inputs,
                                  uint32_t *ret_input)
{
    const WideValue value = run_wide(expression, inputs);

    if (value.kind != WIDE_ABSENT) {
        return OPPROF_PRESENT;
    }
    if (ret_input != NULL) {
        *ret_input = value.input;
    }
    return (OpprofAbsence) value.absence;
}
