/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a program of the pieces of a formula, step by step; constants are computed right away.
 * Tested by tests/kit/formula/test_formula.
 */
#include "kit/formula/formula.h"

#include <opprof/grow.h>

#include <math.h>

#define MAX_STEPS 8192u

static OpprofStatus too_many(const Parser *parser, const char *what, unsigned most)
{
    return ParserFail(parser, OPPROF_E_LIMIT, parser->at, "more than %u %s", most, what);
}

/* ---- numbers and inputs ---- */

OpprofStatus CompileConstant(const Parser *parser, Number value, bool is_integer,
                             OpprofAbsence absence, Term *ret_term)
{
    Program *program = parser->program;
    OpprofFormula *formula = program->formula;

    if (formula->constant_count > OPERAND_INDEX(UINT16_MAX)) {
        return too_many(parser, "numbers", OPERAND_INDEX(UINT16_MAX) + 1);
    }
    if (!OpprofGrow32(&formula->constants, &program->constant_capacity,
                      (size_t) formula->constant_count + 1, sizeof *formula->constants) ||
        !OpprofGrow32(&formula->absences, &program->absence_capacity,
                      (size_t) formula->constant_count + 1, sizeof *formula->absences)) {
        return ParserNoMemory(parser);
    }
    const unsigned index = formula->constant_count++;
    formula->constants[index] =
        absence == OPPROF_PRESENT ? value : (Number){ .real = OpprofNaF64() };
    formula->absences[index] = (uint8_t) absence;
    *ret_term =
        (Term){ .operand = (uint16_t) (OPERAND_CONSTANT << 14 | index), .is_integer = is_integer };
    return OPPROF_OK;
}

OpprofStatus CompileNumber(const Parser *parser, const OpprofBinding *binding, Term *ret_term)
{
    const double real = binding->number;

    return parser->is_whole
               ? CompileConstant(parser, (Number){ .whole = binding->whole }, true, OPPROF_PRESENT,
                                 ret_term)
               : CompileConstant(parser, (Number){ .real = real }, trunc(real) == real,
                                 isfinite(real) ? OPPROF_PRESENT : OPPROF_ABSENT_TOO_LARGE,
                                 ret_term);
}

OpprofStatus CompileInput(const Parser *parser, const OpprofBinding *binding, Term *ret_term)
{
    Program *program = parser->program;
    OpprofFormula *formula = program->formula;
    uint32_t i = 0;

    if (binding->input >= OPPROF_FORMULA_MAX_INPUTS) {
        return too_many(parser, "inputs", OPPROF_FORMULA_MAX_INPUTS);
    }
    while (i < formula->input_count && formula->inputs[i] != binding->input) {
        i++;
    }
    if (i == formula->input_count) {
        if (!OpprofGrow32(&formula->inputs, &program->input_capacity, (size_t) i + 1,
                          sizeof *formula->inputs)) {
            return ParserNoMemory(parser);
        }
        formula->inputs[formula->input_count++] = binding->input;
    }
    if (program->in_first == 0) {
        if (!OpprofGrow32(&formula->strict, &program->strict_capacity,
                          (size_t) formula->strict_count + 1, sizeof *formula->strict)) {
            return ParserNoMemory(parser);
        }
        formula->strict[formula->strict_count++] = binding->input;
    }
    *ret_term = (Term){ .operand = (uint16_t) (OPERAND_INPUT << 14 | binding->input),
                        .is_integer = parser->is_whole || binding->is_integer };
    return OPPROF_OK;
}

/* ---- steps ---- */

static bool is_constant(const Term *term)
{
    return OPERAND_SPACE(term->operand) == OPERAND_CONSTANT;
}

static const Number *constant_of(const Parser *parser, const Term *term)
{
    return &parser->program->formula->constants[OPERAND_INDEX(term->operand)];
}

static bool gives_integer(StepOp op, bool a, bool b)
{
    switch ((unsigned) op) {
    case STEP_DIVIDE:
        return false;
    case STEP_TRUNC:
    case STEP_CEIL:
    case STEP_EQUAL:
    case STEP_DIFFERS:
    case STEP_LESS:
    case STEP_LESS_EQUAL:
    case STEP_AND:
    case STEP_OR:
    case STEP_NOT:
    case STEP_BITS:
        return true;
    default:
        return a && b;
    }
}

/* Temporaries form a stack: a step takes those of its operands off and puts its own on. */
static OpprofStatus add_step(const Parser *parser, StepOp op, const Term *a, const Term *b,
                             const Term *c, Term *ret_term)
{
    Program *program = parser->program;
    OpprofFormula *formula = program->formula;
    const Term none = { .operand = a->operand, .is_integer = true };

    b = b != NULL ? b : &none;
    c = c != NULL ? c : &none;
    if (formula->step_count >= MAX_STEPS) {
        return too_many(parser, "operations", MAX_STEPS);
    }
    if (!OpprofGrow32(&formula->steps, &program->step_capacity, (size_t) formula->step_count + 1,
                      sizeof *formula->steps)) {
        return ParserNoMemory(parser);
    }
    program->temporaries -= a->is_temporary + b->is_temporary + c->is_temporary;
    if (program->temporaries >= FORMULA_TEMPORARIES) {
        return ParserFail(parser, OPPROF_E_LIMIT, parser->at, "nested too deeply");
    }
    const unsigned result = program->temporaries++;
    formula->has_rare = formula->has_rare || op > STEP_SELECT;
    formula->steps[formula->step_count++] = (Step){ .op = (uint16_t) op,
                                                    .result = (uint16_t) result,
                                                    .a = a->operand,
                                                    .b = b->operand,
                                                    .c = c->operand };
    *ret_term =
        (Term){ .operand = (uint16_t) (OPERAND_STEP << 14 | result),
                .is_integer = parser->is_whole || gives_integer(op, a->is_integer, b->is_integer),
                .is_temporary = true };
    return OPPROF_OK;
}

/* Why a step whose operands are constants is absent. */
static OpprofAbsence why_absent(const Parser *parser, StepOp op, const Term *a, const Term *b)
{
    const uint8_t *absences = parser->program->formula->absences;
    OpprofAbsence absence = (OpprofAbsence) absences[OPERAND_INDEX(a->operand)];

    if (absence == OPPROF_PRESENT || op == STEP_FIRST) {
        absence = (OpprofAbsence) absences[OPERAND_INDEX(b->operand)];
    }
    return absence == OPPROF_PRESENT ? RealWhy(op) : absence;
}

OpprofStatus CompileStep(const Parser *parser, StepOp op, const Term *a, const Term *b,
                         Term *ret_term)
{
    const Term *right = b != NULL ? b : a;
    const OpprofFormula *formula = parser->program->formula;
    const Step step = { (uint16_t) op, 0, a->operand, right->operand, right->operand };
    Number value;

    if (!is_constant(a) || !is_constant(right)) {
        return add_step(parser, op, a, b, NULL, ret_term);
    }
    if (parser->is_whole) {
        const uint64_t *const wholes[] = { NULL, &formula->constants->whole };
        value.whole = WholeStep(&step, wholes, formula->kind == OPPROF_FORMULA_WRAPPING);
        return CompileConstant(parser, value, true, OPPROF_PRESENT, ret_term);
    }
    const double *const reals[] = { NULL, &formula->constants->real };
    value.real = RealStep(&step, reals);
    return CompileConstant(parser, value, gives_integer(op, a->is_integer, right->is_integer),
                           isnan(value.real) ? why_absent(parser, op, a, right) : OPPROF_PRESENT,
                           ret_term);
}

OpprofStatus CompileSelect(const Parser *parser, const Term *arguments, Term *ret_term)
{
    parser->program->has_choice = true;
    return add_step(parser, STEP_SELECT, &arguments[1], &arguments[2], &arguments[0], ret_term);
}

static bool is_number_within(const Parser *parser, const Term *term, unsigned least, unsigned most)
{
    if (!is_constant(term)) {
        return false;
    }
    const Number *number = constant_of(parser, term);
    const double value = parser->is_whole ? (double) number->whole : number->real;
    return value >= least && value <= most && trunc(value) == value;
}

OpprofStatus CompileBits(const Parser *parser, size_t start, const Term *arguments, Term *ret_term)
{
    if (!is_number_within(parser, &arguments[1], 0, 63) ||
        !is_number_within(parser, &arguments[2], 1, 64)) {
        return PARSER_FAIL(parser, start,
                           "bits() takes a first bit of 0 to 63, and 1 to 64 bits, as numbers");
    }
    return add_step(parser, STEP_BITS, &arguments[0], &arguments[1], &arguments[2], ret_term);
}

/* The numbers are copied, so that they lie in a row. */
OpprofStatus CompilePick(const Parser *parser, size_t start, const Term *arguments, uint32_t count,
                         Term *ret_term)
{
    const uint32_t last = count - 2; /* after the index and the number of all others */
    OpprofStatus status = OPPROF_OK;
    bool is_integer = true;
    Term table = { .operand = 0 };
    Term copy;

    for (uint32_t i = 1; i < count && status == OPPROF_OK; i++) {
        const Term *term = &arguments[i];
        if (!is_constant(term)) {
            return PARSER_FAIL(parser, start, "pick() takes numbers after its first argument");
        }
        const uint8_t absence = parser->program->formula->absences[OPERAND_INDEX(term->operand)];
        status = CompileConstant(parser, *constant_of(parser, term), true, (OpprofAbsence) absence,
                                 i == 1 ? &table : &copy);
        is_integer = is_integer && term->is_integer;
    }
    if (status == OPPROF_OK) {
        status = CompileConstant(parser,
                                 parser->is_whole ? (Number){ .whole = last }
                                                  : (Number){ .real = (double) last },
                                 true, OPPROF_PRESENT, &copy);
    }
    if (status == OPPROF_OK) {
        status = add_step(parser, STEP_PICK, &arguments[0], &table, &copy, ret_term);
        ret_term->is_integer = is_integer;
    }
    return status;
}
