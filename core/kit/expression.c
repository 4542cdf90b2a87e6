/* SPDX-License-Identifier: Apache-2.0 */
#include "kit/expression.h"

#include "kit/json_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 48u /* brackets and formulas within formulas */
#define MAX_STEPS 8192u
/* Significant digits of a real: a double holds any such number exactly enough. */
#define MAX_DIGITS 15u
#define MAX_EXPONENT 22 /* powers of ten that are exact doubles */
#define MAX_ARGUMENTS 16u

/* What is being built, shared by a formula and the formulas that stand in it. */
typedef struct Program {
    Step *steps;
    WideValue *constants;
    uint32_t *inputs;
    uint32_t *strict;
    bool *integer_inputs; /* one for each of `inputs` */
    uint32_t step_count;
    uint32_t constant_count;
    uint32_t input_count;
    uint32_t strict_count;
    uint32_t temporaries; /* in use */
    uint32_t in_first;    /* how many first() are around */
    bool has_choice;
    OpprofBind *bind;
    void *context;
    OpprofError **error;
} Program;

/* One formula's text. */
typedef struct Parser {
    Program *program;
    const char *name;
    const char *text;
    size_t length;
    size_t at;
    uint32_t depth;
} Parser;

/* A value that has been compiled. */
typedef struct Term {
    uint16_t operand;
    bool is_integer;     /* always */
    bool may_be_integer; /* such as what if() chooses from an integer and a real */
    bool is_temporary;
} Term;

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

/* Messages */

#define FAIL(parser, at, ...) fail_at((parser), OPPROF_E_DATA, (at), __VA_ARGS__)

OPPROF_PRINTF(4, 5)
static OpprofStatus fail_at(const Parser *parser, OpprofStatus status, size_t at,
                            const char *format, ...)
{
    char reason[512];
    va_list args;

    va_start(args, format);
    if (vsnprintf(reason, sizeof reason, format, args) < 0) {
        reason[0] = '\0';
    }
    va_end(args);
    return OpprofErrorSet(parser->program->error, status, "formula '%s', column %zu: %s",
                          parser->name, at + 1, reason);
}

static OpprofStatus no_memory(const Parser *parser)
{
    return OpprofErrorSet(parser->program->error, OPPROF_E_MEMORY, "no memory for formula '%s'",
                          parser->name);
}

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

/* Compiling */

static OpprofStatus add_constant(const Parser *parser, const WideValue *value, Term *ret_term)
{
    Program *program = parser->program;

    if (program->constant_count > OPERAND_INDEX(UINT16_MAX)) {
        return fail_at(parser, OPPROF_E_LIMIT, parser->at, "too many numbers");
    }
    if (!grow(&program->constants, program->constant_count, sizeof *program->constants)) {
        return no_memory(parser);
    }
    const unsigned index = program->constant_count++;
    program->constants[index] = *value;
    *ret_term = (Term){ .operand = (uint16_t) (OPERAND_CONSTANT << 14 | index),
                        .is_integer = value->kind == WIDE_INTEGER,
                        .may_be_integer = value->kind == WIDE_INTEGER };
    return OPPROF_OK;
}

static OpprofStatus add_integer(const Parser *parser, uint64_t value, Term *ret_term)
{
    const WideValue constant = { .kind = WIDE_INTEGER, .integer = (WideInteger) value };
    return add_constant(parser, &constant, ret_term);
}

static OpprofStatus add_number(const Parser *parser, double value, Term *ret_term)
{
    WideValue constant = { .kind = WIDE_REAL, .real = value };

    if (value > -9e15 && value < 9e15 && (double) (int64_t) value == value) {
        constant = (WideValue){ .kind = WIDE_INTEGER, .integer = (int64_t) value };
    }
    return add_constant(parser, &constant, ret_term);
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
static OpprofStatus add_step(const Parser *parser, StepOp op, const Term *a, const Term *b,
                             const Term *c, Term *ret_term)
{
    Program *program = parser->program;

    if (program->step_count >= MAX_STEPS) {
        return fail_at(parser, OPPROF_E_LIMIT, parser->at, "more than %u operations", MAX_STEPS);
    }
    if (!grow(&program->steps, program->step_count, sizeof *program->steps)) {
        return no_memory(parser);
    }
    program->temporaries -=
        a->is_temporary + (b != NULL && b->is_temporary) + (c != NULL && c->is_temporary);
    if (program->temporaries >= EXPRESSION_TEMPORARIES) {
        return fail_at(parser, OPPROF_E_LIMIT, parser->at, "nested too deep");
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

/* A step with one or two operands; of constants it is done right here. */
static OpprofStatus combine(const Parser *parser, StepOp op, const Term *a, const Term *b,
                            Term *ret_term)
{
    const WideValue *left = constant_of(parser->program, a);
    const WideValue *right = b != NULL ? constant_of(parser->program, b) : left;

    if (left == NULL || right == NULL) {
        return add_step(parser, op, a, b, NULL, ret_term);
    }
    if (op == STEP_DIVIDE && (is_large(left) || is_large(right))) {
        return add_step(parser, op, a, b, NULL, ret_term); /* trunc() wants the exact quotient */
    }
    const WideValue value = WideStep(op, left, right, left);
    return add_constant(parser, &value, ret_term);
}

static OpprofStatus add_input(const Parser *parser, const OpprofBinding *binding, Term *ret_term)
{
    Program *program = parser->program;
    uint32_t i = 0;

    if (binding->input >= OPPROF_EXPRESSION_MAX_INPUTS) {
        return fail_at(parser, OPPROF_E_LIMIT, parser->at, "more than %u inputs",
                       OPPROF_EXPRESSION_MAX_INPUTS);
    }
    while (i < program->input_count && program->inputs[i] != binding->input) {
        i++;
    }
    if (i == program->input_count) {
        if (!grow(&program->inputs, i, sizeof *program->inputs)) {
            return no_memory(parser);
        }
        program->inputs[program->input_count++] = binding->input;
    }
    if (program->in_first == 0) {
        if (!grow(&program->strict, program->strict_count, sizeof *program->strict)) {
            return no_memory(parser);
        }
        program->strict[program->strict_count++] = binding->input;
    }
    *ret_term = (Term){ .operand = (uint16_t) (OPERAND_INPUT << 14 | binding->input),
                        .is_integer = binding->is_integer,
                        .may_be_integer = binding->is_integer };
    return OPPROF_OK;
}

/* Reading */

static int peek(const Parser *parser)
{
    return parser->at < parser->length ? (unsigned char) parser->text[parser->at] : -1;
}

static void skip_blanks(Parser *parser)
{
    while (peek(parser) == ' ' || peek(parser) == '\t' || peek(parser) == '\n') {
        parser->at++;
    }
}

static bool take(Parser *parser, const char *token)
{
    const size_t length = strlen(token);

    skip_blanks(parser);
    if (parser->length - parser->at < length ||
        memcmp(parser->text + parser->at, token, length) != 0) {
        return false;
    }
    parser->at += length;
    return true;
}

static OpprofStatus unexpected(const Parser *parser, const char *wanted)
{
    if (parser->at >= parser->length) {
        return FAIL(parser, parser->at, "expected %s, found the end", wanted);
    }
    const int found = peek(parser);
    if (found < 0x20 || found > 0x7e) {
        return FAIL(parser, parser->at, "expected %s, found byte 0x%02x", wanted, (unsigned) found);
    }
    return FAIL(parser, parser->at, "expected %s, found '%c'", wanted, found);
}

static int digit_of(int c, unsigned base)
{
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : 16;
    return (unsigned) digit < base ? digit : -1;
}

/* Digits of an integer; *ret_value as far as 64 bits hold it. False: they don't. */
static bool read_digits(Parser *parser, unsigned base, uint64_t *ret_value, unsigned *ret_digits)
{
    bool fits = true;

    for (int digit; (digit = digit_of(peek(parser), base)) >= 0; parser->at++) {
        const bool is_large = __builtin_mul_overflow(*ret_value, base, ret_value) ||
                              __builtin_add_overflow(*ret_value, (unsigned) digit, ret_value);
        fits = fits && !is_large;
        *ret_digits += *ret_value != 0 || is_large;
    }
    return fits;
}

static OpprofStatus read_exponent(Parser *parser, int *ret_exponent)
{
    uint64_t value = 0;
    unsigned digits = 0;

    if (peek(parser) != 'e' && peek(parser) != 'E') {
        return OPPROF_OK;
    }
    parser->at++;
    const bool is_negative = peek(parser) == '-';
    if (peek(parser) == '-' || peek(parser) == '+') {
        parser->at++;
    }
    const size_t start = parser->at;
    if (!read_digits(parser, 10, &value, &digits) || parser->at == start || value > MAX_EXPONENT) {
        return FAIL(parser, start, "expected an exponent from 0 to %d", MAX_EXPONENT);
    }
    *ret_exponent += is_negative ? -(int) value : (int) value;
    return OPPROF_OK;
}

/* A mantissa below 2^53 times or over an exact power of ten is rounded once: the nearest double. */
static bool scale(uint64_t mantissa, int exponent, double *ret_value)
{
    double power = 1;

    if (exponent < -MAX_EXPONENT || exponent > MAX_EXPONENT) {
        return false;
    }
    for (int i = 0; i < abs(exponent); i++) {
        power *= 10;
    }
    *ret_value = exponent < 0 ? (double) mantissa / power : (double) mantissa * power;
    return true;
}

static OpprofStatus parse_real(Parser *parser, size_t start, uint64_t mantissa, unsigned digits,
                               Term *ret_term)
{
    int exponent = 0;
    WideValue value = { .kind = WIDE_REAL };

    if (peek(parser) == '.') {
        const size_t point = ++parser->at;
        read_digits(parser, 10, &mantissa, &digits);
        exponent = (int) point - (int) parser->at;
        if (exponent == 0) {
            return FAIL(parser, point, "expected a digit behind the point");
        }
    }
    const OpprofStatus status = read_exponent(parser, &exponent);
    if (status != OPPROF_OK) {
        return status;
    }
    if (digits > MAX_DIGITS || !scale(mantissa, exponent, &value.real)) {
        return FAIL(parser, start,
                    "the number has more than %u digits or more than %d decimal places", MAX_DIGITS,
                    MAX_EXPONENT);
    }
    return add_constant(parser, &value, ret_term);
}

static OpprofStatus parse_number(Parser *parser, Term *ret_term)
{
    const size_t start = parser->at;
    uint64_t value = 0;
    unsigned digits = 0;

    if (take(parser, "0x")) {
        const size_t first = parser->at;
        if (!read_digits(parser, 16, &value, &digits) || parser->at == first) {
            return FAIL(parser, start, "expected up to 16 hexadecimal digits behind 0x");
        }
        return add_integer(parser, value, ret_term);
    }
    const bool fits = read_digits(parser, 10, &value, &digits);
    if (peek(parser) == '.' || peek(parser) == 'e' || peek(parser) == 'E') {
        return parse_real(parser, start, value, digits, ret_term);
    }
    if (!fits) {
        return FAIL(parser, start, "the integer is 2^64 or more");
    }
    return add_integer(parser, value, ret_term);
}

/* Functions */

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
            return FAIL(parser, parser->at, "%s() takes at most %u arguments", function->name,
                        function->max_arguments);
        }
        const OpprofStatus status = parse_value(parser, &arguments[count++]);
        if (status != OPPROF_OK) {
            return status;
        }
    } while (take(parser, ","));
    if (!take(parser, ")")) {
        return unexpected(parser, "',' or ')'");
    }
    if (count < function->min_arguments) {
        return FAIL(parser, start, "%s() takes %s%u arguments, not %u", function->name,
                    function->min_arguments == function->max_arguments ? "" : "at least ",
                    function->min_arguments, count);
    }
    *ret_count = count;
    return OPPROF_OK;
}

/* trunc(a / b) and ceil(a / b) become one step, exact for integers. */
static OpprofStatus round_term(const Parser *parser, StepOp op, const Term *term, Term *ret_term)
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
    return combine(parser, op, term, NULL, ret_term);
}

static OpprofStatus chain(const Parser *parser, StepOp op, const Term *arguments, uint32_t count,
                          Term *ret_term)
{
    OpprofStatus status = OPPROF_OK;

    /* From the right, as the temporaries lie. */
    *ret_term = arguments[count - 1];
    for (uint32_t i = count - 1; i > 0 && status == OPPROF_OK; i--) {
        const Term right = *ret_term;
        status = combine(parser, op, &arguments[i - 1], &right, ret_term);
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
        return round_term(parser, function->op, &arguments[0], ret_term);
    case STEP_SELECT:
        program->has_choice = true;
        return add_step(parser, STEP_SELECT, &arguments[1], &arguments[2], &arguments[0], ret_term);
    case STEP_DIVIDE: /* gib_s(bytes, us) */
        status = combine(parser, STEP_DIVIDE, &arguments[0], &arguments[1], &quotient);
        if (status == OPPROF_OK) {
            status = add_number(parser, 1e6 / (1u << 30), &factor);
        }
        return status != OPPROF_OK ? status
                                   : combine(parser, STEP_MULTIPLY, &quotient, &factor, ret_term);
    default:
        return chain(parser, function->op, arguments, count, ret_term);
    }
}

/* Names */

static bool starts_name(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool continues_name(int c)
{
    return starts_name(c) || (c >= '0' && c <= '9') || c == '.';
}

static OpprofStatus read_name(Parser *parser, char *name)
{
    const size_t start = parser->at;

    while (continues_name(peek(parser))) {
        parser->at++;
    }
    const size_t length = parser->at - start;
    if (length >= OPPROF_EXPRESSION_MAX_NAME) {
        return fail_at(parser, OPPROF_E_LIMIT, start, "the name has more than %u letters",
                       OPPROF_EXPRESSION_MAX_NAME - 1);
    }
    memcpy(name, parser->text + start, length);
    name[length] = '\0';
    return OPPROF_OK;
}

/* What stands between the brackets of name(key), without blanks around. */
static OpprofStatus read_key(Parser *parser, char *key)
{
    skip_blanks(parser);
    const size_t start = parser->at;
    while (peek(parser) >= 0x20 && peek(parser) < 0x7f && peek(parser) != ')' &&
           peek(parser) != '(') {
        parser->at++;
    }
    size_t length = parser->at - start;
    if (peek(parser) != ')') {
        return unexpected(parser, "')'");
    }
    while (length > 0 && parser->text[start + length - 1] == ' ') {
        length--;
    }
    if (length == 0 || length >= OPPROF_EXPRESSION_MAX_NAME) {
        return FAIL(parser, start, "expected a key of 1 to %u letters",
                    OPPROF_EXPRESSION_MAX_NAME - 1);
    }
    parser->at++;
    memcpy(key, parser->text + start, length);
    key[length] = '\0';
    return OPPROF_OK;
}

static OpprofStatus unknown_name(const Parser *parser, size_t start, const char *name,
                                 const char *key, const char *hint)
{
    const char *names[sizeof functions / sizeof functions[0]];
    const size_t count = sizeof functions / sizeof functions[0];

    if (key != NULL) {
        FAIL(parser, start, "'%s(%s)' is unknown", name, key);
    } else {
        FAIL(parser, start, "'%s' is unknown", name);
    }
    for (size_t i = 0; i < count; i++) {
        names[i] = functions[i].name;
    }
    const char *nearest = hint == NULL ? NearestName(name, names, count) : NULL;
    if (nearest != NULL) {
        OpprofErrorHint(parser->program->error, "did you mean %s()?", nearest);
    } else if (hint != NULL) {
        OpprofErrorHint(parser->program->error, "%s", hint);
    }
    return OPPROF_E_DATA;
}

static OpprofStatus parse_all(Parser *parser, Term *ret_term)
{
    OpprofStatus status = parse_value(parser, ret_term);

    if (status == OPPROF_OK) {
        skip_blanks(parser);
        if (parser->at < parser->length) {
            status = unexpected(parser, "an operator or the end");
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
        OpprofErrorWrap(parser->program->error, "formula '%s', column %zu: '%s' cannot be used",
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
        OpprofErrorWrap(program->error, "formula '%s', column %zu: '%s' cannot be used",
                        parser->name, start + 1, name);
        return status;
    }
    switch ((OpprofBindingKind) binding.kind) {
    case OPPROF_BIND_INPUT:
        return add_input(parser, &binding, ret_term);
    case OPPROF_BIND_NUMBER:
        return add_number(parser, binding.number, ret_term);
    case OPPROF_BIND_FORMULA:
        return parse_inner(parser, start, name, binding.formula, ret_term);
    case OPPROF_BIND_NOTHING:
        break;
    }
    return unknown_name(parser, start, name, key, hint);
}

static OpprofStatus parse_name(Parser *parser, Term *ret_term)
{
    const WideValue absent = { .kind = WIDE_ABSENT, .absence = OPPROF_ABSENT_SAID };
    char name[OPPROF_EXPRESSION_MAX_NAME];
    char key[OPPROF_EXPRESSION_MAX_NAME];
    const size_t start = parser->at;

    OpprofStatus status = read_name(parser, name);
    if (status != OPPROF_OK) {
        return status;
    }
    if (strcmp(name, "na") == 0) {
        status = add_constant(parser, &absent, ret_term);
        ret_term->is_integer = true; /* it spoils no integer */
        ret_term->may_be_integer = true;
        return status;
    }
    if (!take(parser, "(")) {
        return parse_binding(parser, start, name, NULL, ret_term);
    }
    const Function *function = find_function(name);
    if (function != NULL) {
        return parse_function(parser, function, start, ret_term);
    }
    status = read_key(parser, key);
    return status != OPPROF_OK ? status : parse_binding(parser, start, name, key, ret_term);
}

/* Operators, from the tightest to the loosest */

static OpprofStatus parse_primary(Parser *parser, Term *ret_term)
{
    skip_blanks(parser);
    if (digit_of(peek(parser), 10) >= 0) {
        return parse_number(parser, ret_term);
    }
    if (starts_name(peek(parser))) {
        return parse_name(parser, ret_term);
    }
    if (!take(parser, "(")) {
        return unexpected(parser, "a number, a name or '('");
    }
    const OpprofStatus status = parse_value(parser, ret_term);
    if (status == OPPROF_OK && !take(parser, ")")) {
        return unexpected(parser, "')'");
    }
    return status;
}

static OpprofStatus parse_unary(Parser *parser, Term *ret_term)
{
    Term term;

    skip_blanks(parser);
    const StepOp op = peek(parser) == '-' ? STEP_NEGATE : STEP_NOT;
    if (!take(parser, "-") && !take(parser, "!")) {
        return parse_primary(parser, ret_term);
    }
    if (++parser->depth > MAX_DEPTH) {
        return fail_at(parser, OPPROF_E_LIMIT, parser->at, "nested too deep");
    }
    OpprofStatus status = parse_unary(parser, &term);
    parser->depth--;
    return status != OPPROF_OK ? status : combine(parser, op, &term, NULL, ret_term);
}

static OpprofStatus parse_product(Parser *parser, Term *ret_term)
{
    OpprofStatus status = parse_unary(parser, ret_term);

    while (status == OPPROF_OK) {
        const bool is_product = take(parser, "*");
        if (!is_product && !take(parser, "/")) {
            break;
        }
        const Term left = *ret_term;
        Term right;
        status = parse_unary(parser, &right);
        if (status == OPPROF_OK) {
            status =
                combine(parser, is_product ? STEP_MULTIPLY : STEP_DIVIDE, &left, &right, ret_term);
        }
    }
    return status;
}

static OpprofStatus parse_sum(Parser *parser, Term *ret_term)
{
    OpprofStatus status = parse_product(parser, ret_term);

    while (status == OPPROF_OK) {
        const bool is_sum = take(parser, "+");
        if (!is_sum && !take(parser, "-")) {
            break;
        }
        const Term left = *ret_term;
        Term right;
        status = parse_product(parser, &right);
        if (status == OPPROF_OK) {
            status = combine(parser, is_sum ? STEP_ADD : STEP_SUBTRACT, &left, &right, ret_term);
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

    for (size_t i = 0; i < sizeof comparisons / sizeof comparisons[0]; i++) {
        if (take(parser, comparisons[i].token)) {
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
    status = combine(parser, comparison->op, comparison->is_swapped ? &right : &left,
                     comparison->is_swapped ? &left : &right, ret_term);
    if (status == OPPROF_OK && comparison->is_negated) {
        equal = *ret_term;
        status = combine(parser, STEP_NOT, &equal, NULL, ret_term);
    }
    const size_t at = parser->at;
    if (status == OPPROF_OK && take_comparison(parser) != NULL) {
        return FAIL(parser, at, "comparisons cannot be chained: put brackets around one");
    }
    return status;
}

static OpprofStatus parse_logic(Parser *parser, const char *token, Term *ret_term)
{
    const bool is_or = token[0] == '|';
    OpprofStatus status =
        is_or ? parse_logic(parser, "&&", ret_term) : parse_comparison(parser, ret_term);

    while (status == OPPROF_OK && take(parser, token)) {
        const Term left = *ret_term;
        Term right;
        status = is_or ? parse_logic(parser, "&&", &right) : parse_comparison(parser, &right);
        if (status == OPPROF_OK) {
            status = combine(parser, is_or ? STEP_OR : STEP_AND, &left, &right, ret_term);
        }
    }
    return status;
}

static OpprofStatus parse_value(Parser *parser, Term *ret_term)
{
    if (++parser->depth > MAX_DEPTH) {
        return fail_at(parser, OPPROF_E_LIMIT, parser->at, "nested too deep");
    }
    const OpprofStatus status = parse_logic(parser, "||", ret_term);
    parser->depth--;
    return status;
}

/* Finishing */

static void free_program(Program *program)
{
    free(program->steps);
    free(program->constants);
    free(program->inputs);
    free(program->strict);
}

static OpprofStatus finish(Parser *parser, const Term *result, OpprofExpression **ret_expression)
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
        return no_memory(parser);
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

OpprofStatus OpprofExpressionParse(const char *name, const char *text, size_t length,
                                   OpprofBind *bind, void *context,
                                   OpprofExpression **ret_expression, OpprofError **error)
{
    Program program = { .bind = bind, .context = context, .error = error };
    Parser parser = { .program = &program, .name = name, .text = text, .length = length };
    Term result = { .operand = 0 };

    *ret_expression = NULL;
    if (length > OPPROF_EXPRESSION_MAX_LENGTH) {
        return OpprofErrorSet(error, OPPROF_E_LIMIT, "formula '%s' has %zu letters, more than %u",
                              name, length, OPPROF_EXPRESSION_MAX_LENGTH);
    }
    OpprofStatus status = parse_all(&parser, &result);
    if (status == OPPROF_OK) {
        status = finish(&parser, &result, ret_expression);
    }
    if (status != OPPROF_OK) {
        free_program(&program);
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
    free(expression->wide_constants);
    free(expression->inputs);
    free(expression->strict);
    free(expression);
}

bool OpprofExpressionIsInteger(const OpprofExpression *expression)
{
    return expression->is_integer;
}

const uint32_t *OpprofExpressionInputs(const OpprofExpression *expression, size_t *ret_count)
{
    *ret_count = expression->input_count;
    return expression->inputs;
}
