/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The language of formulas: functions, names and operators.
 * Tested by tests/kit/formula/test_formula.
 */
#include "kit/formula/formula.h"

#include <opprof/json.h>
#include <opprof/require.h>

#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 48u /* brackets and formulas within formulas */
#define MAX_ARGUMENTS 16u
#define MAX_PICKED 66u /* arguments of pick() */

typedef struct Function {
    const char *name;
    uint32_t min_arguments;
    uint32_t max_arguments;
    StepOp op;
    const char *not_whole; /* why whole numbers do not have it; NULL: they do */
} Function;

#define NEVER_ABSENT "whole numbers are never absent"
#define NO_FRACTION "whole numbers have no fraction"

/* if() and gib_s() are more than one step with two operands. */
static const Function functions[] = {
    { "min", 2, MAX_ARGUMENTS, STEP_MIN, NULL },
    { "max", 2, MAX_ARGUMENTS, STEP_MAX, NULL },
    { "first", 2, MAX_ARGUMENTS, STEP_FIRST, NEVER_ABSENT },
    { "sub0", 2, 2, STEP_SUB0, NULL },
    { "diff", 2, 2, STEP_DIFF, NEVER_ABSENT },
    { "trunc", 1, 1, STEP_TRUNC, NULL },
    { "ceil", 1, 1, STEP_CEIL, NO_FRACTION },
    { "align", 2, 2, STEP_ALIGN, NULL },
    { "bits", 3, 3, STEP_BITS, NULL },
    { "pick", 3, MAX_PICKED, STEP_PICK, NULL },
    { "if", 3, 3, STEP_SELECT, NULL },
    { "gib_s", 2, 2, STEP_DIVIDE, NO_FRACTION },
};

static OpprofStatus parse_value(Parser *parser, Term *ret_term);

/* ---- functions ---- */

static const Function *find_function(const char *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (strcmp(functions[i].name, name) == 0) {
            return &functions[i];
        }
    }
    return NULL;
}

static OpprofStatus parse_arguments(Parser *parser, const Function *function, size_t start,
                                    Term *arguments, uint32_t *ret_count)
{
    uint32_t count = 0;

    do {
        if (count == function->max_arguments) {
            return PARSER_FAIL(parser, parser->at, "%s() takes at most %u arguments",
                               function->name, function->max_arguments);
        }
        const OpprofStatus status = parse_value(parser, &arguments[count++]);
        if (status != OPPROF_OK) {
            return status;
        }
    } while (ParserTake(parser, ","));
    if (!ParserTake(parser, ")")) {
        return ParserUnexpected(parser, "',' or ')'");
    }
    if (count < function->min_arguments) {
        return PARSER_FAIL(parser, start, "%s() takes %s%u arguments, not %u", function->name,
                           function->min_arguments == function->max_arguments ? "" : "at least ",
                           function->min_arguments, count);
    }
    *ret_count = count;
    return OPPROF_OK;
}

static OpprofStatus chain(const Parser *parser, StepOp op, const Term *arguments, uint32_t count,
                          Term *ret_term)
{
    OpprofStatus status = OPPROF_OK;

    /* From the right, as the temporaries lie. */
    *ret_term = arguments[count - 1];
    for (uint32_t i = count - 1; i > 0 && status == OPPROF_OK; i--) {
        const Term right = *ret_term;
        status = CompileStep(parser, op, &arguments[i - 1], &right, ret_term);
    }
    return status;
}

static OpprofStatus rate(const Parser *parser, const Term *bytes, const Term *time, Term *ret_term)
{
    const OpprofBinding binding = { .number = 1e6 / (1u << 30) };
    Term quotient;
    Term factor;
    OpprofStatus status = CompileStep(parser, STEP_DIVIDE, bytes, time, &quotient);

    if (status == OPPROF_OK) {
        status = CompileNumber(parser, &binding, &factor);
    }
    return status == OPPROF_OK ? CompileStep(parser, STEP_MULTIPLY, &quotient, &factor, ret_term)
                               : status;
}

static OpprofStatus parse_function(Parser *parser, const Function *function, size_t start,
                                   Term *ret_term)
{
    Program *program = parser->program;
    Term arguments[MAX_PICKED];
    uint32_t count = 0;

    if (parser->is_whole && function->not_whole != NULL) {
        return PARSER_FAIL(parser, start, "%s() cannot be used: %s", function->name,
                           function->not_whole);
    }
    program->in_first += function->op == STEP_FIRST;
    const OpprofStatus status = parse_arguments(parser, function, start, arguments, &count);
    program->in_first -= function->op == STEP_FIRST;
    if (status != OPPROF_OK) {
        return status;
    }
    switch ((unsigned) function->op) {
    case STEP_TRUNC:
        if (parser->is_whole) {
            *ret_term = arguments[0]; /* a quotient is already cut */
            return OPPROF_OK;
        }
        return CompileStep(parser, STEP_TRUNC, &arguments[0], NULL, ret_term);
    case STEP_CEIL:
        return CompileStep(parser, STEP_CEIL, &arguments[0], NULL, ret_term);
    case STEP_SELECT:
        return CompileSelect(parser, arguments, ret_term);
    case STEP_BITS:
        return CompileBits(parser, start, arguments, ret_term);
    case STEP_PICK:
        return CompilePick(parser, start, arguments, count, ret_term);
    case STEP_DIVIDE: /* gib_s(bytes, us) */
        return rate(parser, &arguments[0], &arguments[1], ret_term);
    default:
        return chain(parser, function->op, arguments, count, ret_term);
    }
}

/* ---- names ---- */

static OpprofStatus unknown_name(const Parser *parser, size_t start, const char *name,
                                 const char *key, const char *hint)
{
    const char *names[sizeof functions / sizeof functions[0]];
    const size_t count = sizeof functions / sizeof functions[0];

    if (key != NULL) {
        PARSER_FAIL(parser, start, "'%s(%s)' is unknown", name, key);
    } else {
        PARSER_FAIL(parser, start, "'%s' is unknown", name);
    }
    for (size_t i = 0; i < count; i++) {
        names[i] = functions[i].name;
    }
    const char *nearest = hint == NULL ? OpprofNearestName(name, names, count) : NULL;
    if (nearest != NULL) {
        OpprofErrorHint(parser->program->error, "Did you mean %s()?", nearest);
    } else if (hint != NULL) {
        OpprofErrorHint(parser->program->error, "%s", hint);
    }
    return OPPROF_E_DATA;
}

static OpprofStatus parse_all(Parser *parser, Term *ret_term)
{
    OpprofStatus status = parse_value(parser, ret_term);

    if (status == OPPROF_OK) {
        ParserSkipBlanks(parser);
        if (parser->at < parser->length) {
            status = ParserUnexpected(parser, "an operator or the end");
        }
    }
    return status;
}

static OpprofStatus parse_inner(const Parser *parser, size_t start, const char *name,
                                const char *formula, Term *ret_term)
{
    Parser inner = { .program = parser->program,
                     .name = name,
                     .text = formula,
                     .length = strlen(formula),
                     .depth = parser->depth,
                     .is_whole = parser->is_whole };

    const OpprofStatus status = parse_all(&inner, ret_term);
    if (status != OPPROF_OK) {
        OpprofErrorWrap(parser->program->error, "Formula '%s', column %zu: '%s' cannot be used",
                        parser->name, start + 1, name);
    }
    return status;
}

static OpprofStatus parse_binding(const Parser *parser, size_t start, const char *name,
                                  const char *key, Term *ret_term)
{
    Program *program = parser->program;
    OpprofBinding binding = { .kind = OPPROF_BIND_NOTHING };
    const char *hint = NULL;

    OpprofStatus status =
        program->bind(program->context, name, key, &binding, &hint, program->error);
    if (status != OPPROF_OK) {
        OpprofErrorWrap(program->error, "Formula '%s', column %zu: '%s' cannot be used",
                        parser->name, start + 1, name);
        return status;
    }
    switch ((OpprofBindingKind) binding.kind) {
    case OPPROF_BIND_INPUT:
        return CompileInput(parser, &binding, ret_term);
    case OPPROF_BIND_NUMBER:
        return CompileNumber(parser, &binding, ret_term);
    case OPPROF_BIND_FORMULA:
        return parse_inner(parser, start, name, binding.formula, ret_term);
    case OPPROF_BIND_NOTHING:
        break;
    }
    return unknown_name(parser, start, name, key, hint);
}

static OpprofStatus parse_name(Parser *parser, Term *ret_term)
{
    char name[OPPROF_FORMULA_MAX_NAME];
    char key[OPPROF_FORMULA_MAX_NAME];
    const size_t start = parser->at;

    OpprofStatus status = ParserReadName(parser, name);
    if (status != OPPROF_OK) {
        return status;
    }
    if (strcmp(name, "na") == 0) {
        if (parser->is_whole) {
            return PARSER_FAIL(parser, start, "'na' cannot be used: %s", NEVER_ABSENT);
        }
        /* It keeps integers exact. */
        return CompileConstant(parser, (Number){ .real = 0 }, true, OPPROF_ABSENT_SAID, ret_term);
    }
    if (!ParserTake(parser, "(")) {
        return parse_binding(parser, start, name, NULL, ret_term);
    }
    const Function *function = find_function(name);
    if (function != NULL) {
        return parse_function(parser, function, start, ret_term);
    }
    status = ParserReadKey(parser, key);
    return status != OPPROF_OK ? status : parse_binding(parser, start, name, key, ret_term);
}

/* ---- operators ---- */

static OpprofStatus parse_number(Parser *parser, Term *ret_term)
{
    bool is_integer = false;
    Number value = { .whole = 0 };
    const OpprofStatus status = ParserReadNumber(parser, &value, &is_integer);

    return status != OPPROF_OK
               ? status
               : CompileConstant(parser, value, is_integer, OPPROF_PRESENT, ret_term);
}

static OpprofStatus parse_primary(Parser *parser, Term *ret_term)
{
    ParserSkipBlanks(parser);
    if (ParserStartsNumber(parser)) {
        return parse_number(parser, ret_term);
    }
    if (ParserStartsName(parser)) {
        return parse_name(parser, ret_term);
    }
    if (!ParserTake(parser, "(")) {
        return ParserUnexpected(parser, "a number, a name or '('");
    }
    const OpprofStatus status = parse_value(parser, ret_term);
    if (status == OPPROF_OK && !ParserTake(parser, ")")) {
        return ParserUnexpected(parser, "')'");
    }
    return status;
}

static OpprofStatus parse_unary(Parser *parser, Term *ret_term)
{
    Term term;

    ParserSkipBlanks(parser);
    const StepOp op = ParserPeek(parser) == '-' ? STEP_NEGATE : STEP_NOT;
    const size_t start = parser->at;
    if (!ParserTake(parser, "-") && !ParserTake(parser, "!")) {
        return parse_primary(parser, ret_term);
    }
    if (op == STEP_NEGATE && parser->is_whole) {
        return PARSER_FAIL(parser, start, "whole numbers have no sign");
    }
    if (++parser->depth > MAX_DEPTH) {
        return ParserFail(parser, OPPROF_E_LIMIT, parser->at, "nested too deeply");
    }
    OpprofStatus status = parse_unary(parser, &term);
    parser->depth--;
    return status != OPPROF_OK ? status : CompileStep(parser, op, &term, NULL, ret_term);
}

typedef struct Operator {
    const char *token;
    unsigned rank; /* those of a higher one bind first */
    StepOp op;
    bool is_swapped;
} Operator;

#define COMPARISON 2u

/* The operator that comes next; NULL: none does. Longer tokens stand before their beginnings. */
static const Operator *peek_operator(Parser *parser)
{
    static const Operator operators[] = {
        { "*", 4, STEP_MULTIPLY, false },
        { "/", 4, STEP_DIVIDE, false },
        { "%", 4, STEP_REST, false },
        { "+", 3, STEP_ADD, false },
        { "-", 3, STEP_SUBTRACT, false },
        { "==", COMPARISON, STEP_EQUAL, false },
        { "!=", COMPARISON, STEP_DIFFERS, false },
        { "<=", COMPARISON, STEP_LESS_EQUAL, false },
        { ">=", COMPARISON, STEP_LESS_EQUAL, true },
        { "<", COMPARISON, STEP_LESS, false },
        { ">", COMPARISON, STEP_LESS, true },
        { "&&", 1, STEP_AND, false },
        { "||", 0, STEP_OR, false },
    };

    ParserSkipBlanks(parser);
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        if (ParserSees(parser, operators[i].token)) {
            return &operators[i];
        }
    }
    return NULL;
}

/* Operators of this rank and higher ones; those of one rank group from the left. */
static OpprofStatus parse_operators(Parser *parser, unsigned rank, Term *ret_term)
{
    OpprofStatus status = parse_unary(parser, ret_term);
    const Operator *operator_;
    bool is_compared = false;

    while (status == OPPROF_OK && (operator_ = peek_operator(parser)) != NULL &&
           operator_->rank >= rank) {
        if (operator_->rank == COMPARISON && is_compared) {
            return PARSER_FAIL(parser, parser->at,
                               "comparisons cannot be chained: put brackets around one");
        }
        is_compared = operator_->rank == COMPARISON;
        parser->at += strlen(operator_->token);
        const Term left = *ret_term;
        Term right;
        status = parse_operators(parser, operator_->rank + 1, &right);
        if (status == OPPROF_OK) {
            status = CompileStep(parser, operator_->op, operator_->is_swapped ? &right : &left,
                                 operator_->is_swapped ? &left : &right, ret_term);
        }
    }
    return status;
}

/* "c ? a : b" after its c. */
static OpprofStatus parse_branches(Parser *parser, Term *ret_term)
{
    Term arguments[3] = { *ret_term };

    OpprofStatus status = parse_value(parser, &arguments[1]);
    if (status == OPPROF_OK && !ParserTake(parser, ":")) {
        return ParserUnexpected(parser, "':'");
    }
    if (status == OPPROF_OK) {
        status = parse_value(parser, &arguments[2]);
    }
    return status == OPPROF_OK ? CompileSelect(parser, arguments, ret_term) : status;
}

static OpprofStatus parse_value(Parser *parser, Term *ret_term)
{
    if (++parser->depth > MAX_DEPTH) {
        return ParserFail(parser, OPPROF_E_LIMIT, parser->at, "nested too deeply");
    }
    OpprofStatus status = parse_operators(parser, 0, ret_term);
    if (status == OPPROF_OK && ParserTake(parser, "?")) {
        status = parse_branches(parser, ret_term);
    }
    parser->depth--;
    return status;
}

/* ---- public ---- */

OpprofStatus OpprofFormulaParse(const OpprofFormulaText *text, OpprofBind *bind, void *context,
                                OpprofFormula **ret_formula, OpprofError **error)
{
    OPPROF_REQUIRE("formula-text",
                   text != NULL && text->name != NULL &&
                       (text->text != NULL || text->length == 0) && bind != NULL,
                   "The formula has a name, a text and a function that binds its names");
    OPPROF_REQUIRE("formula-result", ret_formula != NULL, "The result pointer is given");

    *ret_formula = NULL;
    if (text->length > OPPROF_FORMULA_MAX_LENGTH) {
        return OpprofErrorSet(error, OPPROF_E_LIMIT, "Formula '%s' has %zu letters, more than %u",
                              text->name, text->length, OPPROF_FORMULA_MAX_LENGTH);
    }
    OpprofFormula *formula = calloc(1, sizeof *formula);
    if (formula == NULL) {
        return OpprofErrorNoMemory(error, "compile the formula '%s'", text->name);
    }
    Program program = { .formula = formula, .bind = bind, .context = context, .error = error };
    Parser parser = { .program = &program,
                      .name = text->name,
                      .text = text->text,
                      .length = text->length,
                      .is_whole = text->kind != OPPROF_FORMULA_REAL };
    Term result = { .operand = 0 };
    formula->kind = (uint8_t) text->kind;
    const OpprofStatus status = parse_all(&parser, &result);
    if (status != OPPROF_OK) {
        OpprofFormulaFree(formula);
        return status;
    }
    formula->strict_count = program.has_choice && !parser.is_whole ? formula->strict_count : 0;
    formula->result = result.operand;
    formula->is_integer = result.is_integer;
    *ret_formula = formula;
    return OPPROF_OK;
}

void OpprofFormulaFree(OpprofFormula *formula)
{
    if (formula == NULL) {
        return;
    }
    free(formula->steps);
    free(formula->constants);
    free(formula->absences);
    free(formula->inputs);
    free(formula->strict);
    free(formula);
}

bool OpprofFormulaIsInteger(const OpprofFormula *formula)
{
    OPPROF_REQUIRE("formula-given", formula != NULL, "The formula is given");
    return formula->is_integer;
}

const uint32_t *OpprofFormulaInputs(const OpprofFormula *formula, size_t *ret_count)
{
    OPPROF_REQUIRE("formula-result", ret_count != NULL, "The result pointer is given");
    OPPROF_REQUIRE("formula-given", formula != NULL, "The formula is given");
    *ret_count = formula->input_count;
    return formula->inputs;
}
