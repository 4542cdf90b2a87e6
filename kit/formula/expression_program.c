/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a program of the pieces of a formula, step by step; constants are computed right away.
 * Tested by tests/kit/formula/test_expression.
 */
#include "kit/formula/expression_program.h"
#include "kit/formula/expression_scan.h"

#include <opprof/grow.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STEPS 8192u

OpprofStatus CompileConstant(const Parser *parser, double value, bool is_integer,
                             OpprofAbsence absence, Term *ret_term)
{
    Program *program = parser->program;

    if (program->constant_count > OPERAND_INDEX(UINT16_MAX)) {
        return ParserFail(parser, OPPROF_E_LIMIT, parser->at, "too many numbers");
    }
    if (!OpprofGrow32(&program->constants, &program->constant_capacity,
                      (size_t) program->constant_count + 1, sizeof *program->constants) ||
        !OpprofGrow32(&program->absences, &program->absence_capacity,
                      (size_t) program->constant_count + 1, sizeof *program->absences)) {
        return ParserNoMemory(parser);
    }
    const unsigned index = program->constant_count++;
    program->constants[index] = absence == OPPROF_PRESENT ? value : OpprofNaF64();
    program->absences[index] = (uint8_t) absence;
    *ret_term =
        (Term){ .operand = (uint16_t) (OPERAND_CONSTANT << 14 | index), .is_integer = is_integer };
    return OPPROF_OK;
}

OpprofStatus CompileNumber(const Parser *parser, double value, Term *ret_term)
{
    return CompileConstant(parser, value, trunc(value) == value,
                           isfinite(value) ? OPPROF_PRESENT : OPPROF_ABSENT_TOO_LARGE, ret_term);
}

static bool is_constant(const Term *term)
{
    return OPERAND_SPACE(term->operand) == OPERAND_CONSTANT;
}

static bool gives_integer(StepOp op, bool a, bool b)
{
    switch ((unsigned) op) {
    case STEP_DIVIDE:
        return false;
    case STEP_TRUNC:
    case STEP_CEIL:
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
    if (!OpprofGrow32(&program->steps, &program->step_capacity, (size_t) program->step_count + 1,
                      sizeof *program->steps)) {
        return ParserNoMemory(parser);
    }
    program->temporaries -=
        a->is_temporary + (b != NULL && b->is_temporary) + (c != NULL && c->is_temporary);
    if (program->temporaries >= EXPRESSION_TEMPORARIES) {
        return ParserFail(parser, OPPROF_E_LIMIT, parser->at, "nested too deeply");
    }
    const bool is_integer = gives_integer(op, a->is_integer, b == NULL || b->is_integer);
    const unsigned result = program->temporaries++;
    program->steps[program->step_count++] = (Step){
        .op = (uint16_t) op,
        .result = (uint16_t) result,
        .a = a->operand,
        .b = b != NULL ? b->operand : 0,
        .c = c != NULL ? c->operand : 0,
    };
    *ret_term = (Term){ .operand = (uint16_t) (OPERAND_STEP << 14 | result),
                        .is_integer = is_integer,
                        .is_temporary = true };
    return OPPROF_OK;
}

OpprofStatus CompileCombined(const Parser *parser, StepOp op, const Term *a, const Term *b,
                             Term *ret_term)
{
    const Program *program = parser->program;
    const Term *right = b != NULL ? b : a;

    if (!is_constant(a) || !is_constant(right)) {
        return CompileStep(parser, op, a, b, NULL, ret_term);
    }
    const unsigned left_index = OPERAND_INDEX(a->operand);
    const unsigned right_index = OPERAND_INDEX(right->operand);
    const double x = program->constants[left_index];
    const double value = MachineStep(op, x, program->constants[right_index], 0);
    OpprofAbsence absence = OPPROF_PRESENT;
    if (isnan(value)) {
        absence = (OpprofAbsence) program->absences[left_index];
        if (absence == OPPROF_PRESENT || op == STEP_FIRST) {
            absence = (OpprofAbsence) program->absences[right_index];
        }
        absence = absence == OPPROF_PRESENT ? MachineWhy(op) : absence;
    }
    return CompileConstant(parser, value, gives_integer(op, a->is_integer, right->is_integer),
                           absence, ret_term);
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
        if (!OpprofGrow32(&program->inputs, &program->input_capacity, (size_t) i + 1,
                          sizeof *program->inputs)) {
            return ParserNoMemory(parser);
        }
        program->inputs[program->input_count++] = binding->input;
    }
    if (program->in_first == 0) {
        if (!OpprofGrow32(&program->strict, &program->strict_capacity,
                          (size_t) program->strict_count + 1, sizeof *program->strict)) {
            return ParserNoMemory(parser);
        }
        program->strict[program->strict_count++] = binding->input;
    }
    *ret_term = (Term){ .operand = (uint16_t) (OPERAND_INPUT << 14 | binding->input),
                        .is_integer = binding->is_integer };
    return OPPROF_OK;
}

void ProgramFree(Program *program)
{
    free(program->steps);
    free(program->constants);
    free(program->absences);
    free(program->inputs);
    free(program->strict);
}

OpprofStatus CompileFinish(const Parser *parser, const Term *result,
                           OpprofExpression **ret_expression)
{
    Program *program = parser->program;
    OpprofExpression *expression = calloc(1, sizeof *expression);

    if (expression == NULL) {
        return ParserNoMemory(parser);
    }
    *expression = (OpprofExpression){
        .steps = program->steps,
        .constants = program->constants,
        .absences = program->absences,
        .inputs = program->inputs,
        .strict = program->strict,
        .step_count = program->step_count,
        .constant_count = program->constant_count,
        .input_count = program->input_count,
        .strict_count = program->has_choice ? program->strict_count : 0,
        .result = result->operand,
        .is_integer = result->is_integer,
    };
    *ret_expression = expression;
    return OPPROF_OK;
}
