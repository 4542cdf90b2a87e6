/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The language of formulas: functions, names and operators.
 * Tested by tests/kit/formula/test_expression.
 */
#include "kit/formula/expression.h"

#include "kit/formula/expression_program.h"
#include "kit/formula/expression_scan.h"
#include <opprof/json.h>
#include <opprof/require.h>

#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 48u /* brackets and formulas within formulas */
#define MAX_ARGUMENTS 16u

typedef struct Function {
    const char *name;
    uint32_t min_arguments;
    uint32_t max_arguments;
    StepOp op;
} Function;

/* if() and gib_s() are more than one step with two operands. */
static const Function functions[] = {
    { "min", 2, MAX_ARGUMENTS, STEP_MIN },
    { "max", 2, MAX_ARGUMENTS, STEP_MAX },
    { "first", 2, MAX_ARGUMENTS, STEP_FIRST },
    { "sub0", 2, 2, STEP_SUB0 },
    { "diff", 2, 2, STEP_DIFF },
    { "trunc", 1, 1, STEP_TRUNC },
    { "ceil", 1, 1, STEP_CEIL },
    { "if", 3, 3, STEP_SELECT },
    { "gib_s", 2, 2, STEP_DIVIDE },
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
        status = CompileCombined(parser, op, &arguments[i - 1], &right, ret_term);
    }
    return status;
}

static OpprofStatus parse_function(Parser *parser, const Function *function, size_t start,
                                   Term *ret_term)
{
    Program *program = parser->program;
    Term arguments[MAX_ARGUMENTS];
    Term quotient;
    Term factor;
    uint32_t count = 0;

    program->in_first += function->op == STEP_FIRST;
    OpprofStatus status = parse_arguments(parser, function, start, arguments, &count);
    program->in_first -= function->op == STEP_FIRST;
    if (status != OPPROF_OK) {
        return status;
    }
    switch ((unsigned) function->op) {
    case STEP_TRUNC:
    case STEP_CEIL:
        return CompileCombined(parser, function->op, &arguments[0], NULL, ret_term);
    case STEP_SELECT:
        program->has_choice = true;
        return CompileStep(parser, STEP_SELECT, &arguments[1], &arguments[2], &arguments[0],
                           ret_term);
    case STEP_DIVIDE: /* gib_s(bytes, us) */
        status = CompileCombined(parser, STEP_DIVIDE, &arguments[0], &arguments[1], &quotient);
        if (status == OPPROF_OK) {
            status = CompileNumber(parser, 1e6 / (1u << 30), &factor);
        }
        return status != OPPROF_OK
                   ? status
                   : CompileCombined(parser, STEP_MULTIPLY, &quotient, &factor, ret_term);
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
                     .depth = parser->depth };

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
        return CompileNumber(parser, binding.number, ret_term);
    case OPPROF_BIND_FORMULA:
        return parse_inner(parser, start, name, binding.formula, ret_term);
    case OPPROF_BIND_NOTHING:
        break;
    }
    return unknown_name(parser, start, name, key, hint);
}

static OpprofStatus parse_name(Parser *parser, Term *ret_term)
{
    char name[OPPROF_EXPRESSION_MAX_NAME];
    char key[OPPROF_EXPRESSION_MAX_NAME];
    const size_t start = parser->at;

    OpprofStatus status = ParserReadName(parser, name);
    if (status != OPPROF_OK) {
        return status;
    }
    if (strcmp(name, "na") == 0) {
        /* It keeps integers exact. */
        return CompileConstant(parser, 0, true, OPPROF_ABSENT_SAID, ret_term);
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

/* ---- operators, from the tightest to the loosest ---- */

static OpprofStatus parse_number(Parser *parser, Term *ret_term)
{
    bool is_integer = false;
    double value = 0;
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
    if (!ParserTake(parser, "-") && !ParserTake(parser, "!")) {
        return parse_primary(parser, ret_term);
    }
    if (++parser->depth > MAX_DEPTH) {
        return ParserFail(parser, OPPROF_E_LIMIT, parser->at, "nested too deeply");
    }
    OpprofStatus status = parse_unary(parser, &term);
    parser->depth--;
    return status != OPPROF_OK ? status : CompileCombined(parser, op, &term, NULL, ret_term);
}

static OpprofStatus parse_product(Parser *parser, Term *ret_term)
{
    OpprofStatus status = parse_unary(parser, ret_term);

    while (status == OPPROF_OK) {
        const bool is_product = ParserTake(parser, "*");
        if (!is_product && !ParserTake(parser, "/")) {
            break;
        }
        const Term left = *ret_term;
        Term right;
        status = parse_unary(parser, &right);
        if (status == OPPROF_OK) {
            status = CompileCombined(parser, is_product ? STEP_MULTIPLY : STEP_DIVIDE, &left,
                                     &right, ret_term);
        }
    }
    return status;
}

static OpprofStatus parse_sum(Parser *parser, Term *ret_term)
{
    OpprofStatus status = parse_product(parser, ret_term);

    while (status == OPPROF_OK) {
        const bool is_sum = ParserTake(parser, "+");
        if (!is_sum && !ParserTake(parser, "-")) {
            break;
        }
        const Term left = *ret_term;
        Term right;
        status = parse_product(parser, &right);
        if (status == OPPROF_OK) {
            status =
                CompileCombined(parser, is_sum ? STEP_ADD : STEP_SUBTRACT, &left, &right, ret_term);
        }
    }
    return status;
}

typedef struct Comparison {
    const char *token;
    StepOp op;
    bool is_swapped;
    bool is_negated;
} Comparison;

static const Comparison *take_comparison(Parser *parser)
{
    static const Comparison comparisons[] = {
        { "==", STEP_EQUAL, false, false },      { "!=", STEP_EQUAL, false, true },
        { "<=", STEP_LESS_EQUAL, false, false }, { ">=", STEP_LESS_EQUAL, true, false },
        { "<", STEP_LESS, false, false },        { ">", STEP_LESS, true, false },
    };

    ParserSkipBlanks(parser);
    const int next = ParserPeek(parser);
    if (next != '=' && next != '!' && next != '<' && next != '>') {
        return NULL; /* as most */
    }
    for (size_t i = 0; i < sizeof comparisons / sizeof comparisons[0]; i++) {
        if (ParserTake(parser, comparisons[i].token)) {
            return &comparisons[i];
        }
    }
    return NULL;
}

static OpprofStatus parse_comparison(Parser *parser, Term *ret_term)
{
    Term left;
    Term right;
    Term equal;

    OpprofStatus status = parse_sum(parser, ret_term);
    const Comparison *comparison = status == OPPROF_OK ? take_comparison(parser) : NULL;
    if (comparison == NULL) {
        return status;
    }
    left = *ret_term;
    status = parse_sum(parser, &right);
    if (status != OPPROF_OK) {
        return status;
    }
    status = CompileCombined(parser, comparison->op, comparison->is_swapped ? &right : &left,
                             comparison->is_swapped ? &left : &right, ret_term);
    if (status == OPPROF_OK && comparison->is_negated) {
        equal = *ret_term;
        status = CompileCombined(parser, STEP_NOT, &equal, NULL, ret_term);
    }
    const size_t at = parser->at;
    if (status == OPPROF_OK && take_comparison(parser) != NULL) {
        return PARSER_FAIL(parser, at, "comparisons cannot be chained: put brackets around one");
    }
    return status;
}

static OpprofStatus parse_logic(Parser *parser, const char *token, Term *ret_term)
{
    const bool is_or = token[0] == '|';
    OpprofStatus status =
        is_or ? parse_logic(parser, "&&", ret_term) : parse_comparison(parser, ret_term);

    while (status == OPPROF_OK && ParserTake(parser, token)) {
        const Term left = *ret_term;
        Term right;
        status = is_or ? parse_logic(parser, "&&", &right) : parse_comparison(parser, &right);
        if (status == OPPROF_OK) {
            status = CompileCombined(parser, is_or ? STEP_OR : STEP_AND, &left, &right, ret_term);
        }
    }
    return status;
}

static OpprofStatus parse_value(Parser *parser, Term *ret_term)
{
    if (++parser->depth > MAX_DEPTH) {
        return ParserFail(parser, OPPROF_E_LIMIT, parser->at, "nested too deeply");
    }
    const OpprofStatus status = parse_logic(parser, "||", ret_term);
    parser->depth--;
    return status;
}

OpprofStatus OpprofExpressionParse(const OpprofFormula *formula, OpprofBind *bind, void *context,
                                   OpprofExpression **ret_expression, OpprofError **error)
{
    OPPROF_REQUIRE("expression-text",
                   formula != NULL && formula->name != NULL &&
                       (formula->text != NULL || formula->length == 0) && bind != NULL,
                   "The formula has a name, a text and a function that binds its names");
    OPPROF_REQUIRE("expression-result", ret_expression != NULL, "The place of the result is given");

    Program program = { .bind = bind, .context = context, .error = error };
    Parser parser = {
        .program = &program, .name = formula->name, .text = formula->text, .length = formula->length
    };
    Term result = { .operand = 0 };

    *ret_expression = NULL;
    if (formula->length > OPPROF_EXPRESSION_MAX_LENGTH) {
        return OpprofErrorSet(error, OPPROF_E_LIMIT, "Formula '%s' has %zu letters, more than %u",
                              formula->name, formula->length, OPPROF_EXPRESSION_MAX_LENGTH);
    }
    OpprofStatus status = parse_all(&parser, &result);
    if (status == OPPROF_OK) {
        status = CompileFinish(&parser, &result, ret_expression);
    }
    if (status != OPPROF_OK) {
        ProgramFree(&program);
    }
    return status;
}

void OpprofExpressionFree(OpprofExpression *expression)
{
    if (expression == NULL) {
        return;
    }
    free(expression->steps);
    free(expression->constants);
    free(expression->absences);
    free(expression->inputs);
    free(expression->strict);
    free(expression);
}

bool OpprofExpressionIsInteger(const OpprofExpression *expression)
{
    OPPROF_REQUIRE("expression-given", expression != NULL, "The formula is given");
    return expression->is_integer;
}

const uint32_t *OpprofExpressionInputs(const OpprofExpression *expression, size_t *ret_count)
{
    OPPROF_REQUIRE("expression-result", ret_count != NULL, "The place of the result is given");
    OPPROF_REQUIRE("expression-given", expression != NULL, "The formula is given");
    *ret_count = expression->input_count;
    return expression->inputs;
}
