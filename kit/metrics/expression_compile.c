/* SPDX-License-Identifier: Apache-2.0 */
#include "kit/metrics/expression_parser.h"

#include <stdlib.h>
#include <string.h>

#define MAX_STEPS 8192u

/* Growing tables: room for one more, doubling from 16. */

static bool grow(void *table, uint32_t count, size_t size)
{
    void *old;

    if (count != 0 && (count < 16 || (count & (count - 1)) != 0)) {
        return true;
    }
    memcpy(&old, table, sizeof old);
    void *grown = reallocarray(old, count < 16 ? 16 : (size_t) count * 2, size);
    if (grown == NULL) {
        return false;
    }
    memcpy(table, &grown, sizeof grown);
    return true;
}

OpprofStatus CompileConstant(const Parser *parser, const WideValue *value, Term *ret_term)
{
    Program *program = parser->program;

    if (program->constant_count > OPERAND_INDEX(UINT16_MAX)) {
        return ParserFail(parser, OPPROF_E_LIMIT, parser->at, "too many numbers");
    }
    if (!grow(&program->constants, program->constant_count, sizeof *program->constants)) {
        return ParserNoMemory(parser);
    }
    const unsigned index = program->constant_count++;
    program->constants[index] = *value;
    *ret_term = (Term){ .operand = (uint16_t) (OPERAND_CONSTANT << 14 | index),
                        .is_integer = value->kind == WIDE_INTEGER,
                        .may_be_integer = value->kind == WIDE_INTEGER };
    return OPPROF_OK;
}

OpprofStatus CompileNumber(const Parser *parser, double value, Term *ret_term)
{
    WideValue constant = { .kind = WIDE_REAL, .real = value };

    if (value > -9e15 && value < 9e15 && (double) (int64_t) value == value) {
        constant = (WideValue){ .kind = WIDE_INTEGER, .integer = (int64_t) value };
    }
    return CompileConstant(parser, &constant, ret_term);
}

static const WideValue *constant_of(const Program *program, const Term *term)
{
    return OPERAND_SPACE(term->operand) == OPERAND_CONSTANT
               ? &program->constants[OPERAND_INDEX(term->operand)]
               : NULL;
}

static bool is_choice(StepOp op)
{
    return op == STEP_SELECT || op == STEP_FIRST || op == STEP_MIN || op == STEP_MAX;
}

static bool gives_integer(StepOp op, bool a, bool b)
{
    switch ((unsigned) op) {
    case STEP_DIVIDE:
        return false;
    case STEP_TRUNC:
    case STEP_CEIL:
    case STEP_TRUNC_DIV:
    case STEP_CEIL_DIV:
    case STEP_EQUAL:
    case STEP_LESS:
    case STEP_LESS_EQUAL:
    case STEP_AND:
    case STEP_OR:
    case STEP_NOT:
        return true;
    default:
        return a && b;
    }
}

/* Temporaries form a stack: a step takes those of its operands off and puts its own on. */
OpprofStatus CompileStep(const Parser *parser, StepOp op, const Term *a, const Term *b,
                         const Term *c, Term *ret_term)
{
    Program *program = parser->program;

    if (program->step_count >= MAX_STEPS) {
        return ParserFail(parser, OPPROF_E_LIMIT, parser->at, "more than %u operations", MAX_STEPS);
    }
    if (!grow(&program->steps, program->step_count, sizeof *program->steps)) {
        return ParserNoMemory(parser);
    }
    program->temporaries -=
        a->is_temporary + (b != NULL && b->is_temporary) + (c != NULL && c->is_temporary);
    if (program->temporaries >= EXPRESSION_TEMPORARIES) {
        return ParserFail(parser, OPPROF_E_LIMIT, parser->at, "nested too deep");
    }
    const bool is_integer = gives_integer(op, a->is_integer, b == NULL || b->is_integer);
    const bool may_be_integer =
        gives_integer(op, a->may_be_integer, b == NULL || b->may_be_integer) ||
        (is_choice(op) && (a->may_be_integer || b->may_be_integer));
    const unsigned result = program->temporaries++;
    program->steps[program->step_count++] = (Step){
        .op = (uint8_t) op,
        .is_limited = may_be_integer,
        .result = (uint16_t) result,
        .a = a->operand,
        .b = b != NULL ? b->operand : 0,
        .c = c != NULL ? c->operand : 0,
    };
    *ret_term = (Term){ .operand = (uint16_t) (OPERAND_STEP << 14 | result),
                        .is_integer = is_integer,
                        .may_be_integer = may_be_integer,
                        .is_temporary = true };
    return OPPROF_OK;
}

/* An integer that the near machine cannot hold. */
static bool is_large(const WideValue *constant)
{
    const WideInteger limit = (WideInteger) 1 << 53;
    return constant->kind == WIDE_INTEGER &&
           (constant->integer >= limit || constant->integer <= -limit);
}

OpprofStatus CompileCombined(const Parser *parser, StepOp op, const Term *a, const Term *b,
                             Term *ret_term)
{
    const WideValue *left = constant_of(parser->program, a);
    const WideValue *right = b != NULL ? constant_of(parser->program, b) : left;

    if (left == NULL || right == NULL) {
        return CompileStep(parser, op, a, b, NULL, ret_term);
    }
    if (op == STEP_DIVIDE && (is_large(left) || is_large(right))) {
        return CompileStep(parser, op, a, b, NULL, ret_term); /* trunc() wants the exact quotient */
    }
    const WideValue value = WideStep(op, left, right, left);
    return CompileConstant(parser, &value, ret_term);
}

OpprofStatus CompileInput(const Parser *parser, const OpprofBinding *binding, Term *ret_term)
{
    Program *program = parser->program;
    uint32_t i = 0;

    if (binding->input >= OPPROF_EXPRESSION_MAX_INPUTS) {
        return ParserFail(parser, OPPROF_E_LIMIT, parser->at, "more than %u inputs",
                          OPPROF_EXPRESSION_MAX_INPUTS);
    }
    while (i < program->input_count && program->inputs[i] != binding->input) {
        i++;
    }
    if (i == program->input_count) {
        if (!grow(&program->inputs, i, sizeof *program->inputs)) {
            return ParserNoMemory(parser);
        }
        program->inputs[program->input_count++] = binding->input;
    }
    if (program->in_first == 0) {
        if (!grow(&program->strict, program->strict_count, sizeof *program->strict)) {
            return ParserNoMemory(parser);
        }
        program->strict[program->strict_count++] = binding->input;
    }
    *ret_term = (Term){ .operand = (uint16_t) (OPERAND_INPUT << 14 | binding->input),
                        .is_integer = binding->is_integer,
                        .may_be_integer = binding->is_integer };
    return OPPROF_OK;
}

OpprofStatus CompileRounded(const Parser *parser, StepOp op, const Term *term, Term *ret_term)
{
    Program *program = parser->program;

    if (term->is_temporary && program->steps[program->step_count - 1].op == STEP_DIVIDE) {
        Step *division = &program->steps[program->step_count - 1];
        division->op = op == STEP_TRUNC ? STEP_TRUNC_DIV : STEP_CEIL_DIV;
        division->is_limited = true;
        *ret_term = *term;
        ret_term->is_integer = true;
        ret_term->may_be_integer = true;
        return OPPROF_OK;
    }
    return CompileCombined(parser, op, term, NULL, ret_term);
}

void ProgramFree(Program *program)
{
    free(program->steps);
    free(program->constants);
    free(program->inputs);
    free(program->strict);
}

OpprofStatus CompileFinish(const Parser *parser, const Term *result,
                           OpprofExpression **ret_expression)
{
    Program *program = parser->program;
    OpprofExpression *expression = calloc(1, sizeof *expression);
    double *constants = calloc((size_t) program->constant_count + 1, sizeof *constants);

    if (program->steps == NULL) {
        program->steps = calloc(1, sizeof *program->steps); /* an address to begin at */
    }
    if (expression == NULL || constants == NULL || program->steps == NULL) {
        free(expression);
        free(constants);
        return ParserNoMemory(parser);
    }
    *expression = (OpprofExpression){
        .steps = program->steps,
        .constants = constants,
        .wide_constants = program->constants,
        .inputs = program->inputs,
        .strict = program->strict,
        .step_count = program->step_count,
        .constant_count = program->constant_count,
        .input_count = program->input_count,
        .strict_count = program->has_choice ? program->strict_count : 0,
        .result = result->operand,
        .is_integer = result->is_integer,
    };
    for (uint32_t i = 0; i < program->constant_count; i++) {
        const WideValue *constant = &program->constants[i];
        constants[i] = constant->kind == WIDE_ABSENT    ? OpprofNaF64()
                       : constant->kind == WIDE_INTEGER ? (double) constant->integer
                                                        : constant->real;
        expression->needs_wide = expression->needs_wide || is_large(constant);
    }
    *ret_expression = expression;
    return OPPROF_OK;
}
