/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Formulas of whole numbers: a parser that makes steps, and the machine that takes them. The machine has one number
 * at hand and a stack for what waits. Tested by tests/kit/formula/test_whole.
 */
#include <opprof/grow.h>
#include <opprof/kit/whole.h>
#include <opprof/require.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LENGTH 1024u
#define MAX_NAME 64u
#define MAX_DEPTH 32u /* brackets in brackets, and numbers that wait */

typedef enum Op {
    OP_ADD,
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_REST,
    OP_EQUAL,
    OP_DIFFERS,
    OP_BELOW,
    OP_AT_MOST,
    OP_ABOVE,
    OP_AT_LEAST,
    OP_MIN,
    OP_MAX,
    OP_ALIGN,
    OP_IS,    /* the operand */
    OP_NOT,   /* of the number at hand, like what follows */
    OP_TRUTH, /* 0 or 1 */
    OP_PUSH,  /* it waits */
    OP_BITS,  /* `number` bits from bit `index` on */
    OP_PICK,  /* of `index` numbers of the table at `number`, the last one if there are fewer */
    OP_JUMP,  /* to the step `number` */
    OP_JUMP_IF_ZERO, /* of && and ?: */
    OP_JUMP_IF_NOT   /* of || */
} Op;

/* Where the operand on the right is: on the left of it is the number at hand, or what waited. */
typedef enum Source { FROM_NUMBER, FROM_VALUES, FROM_HAND } Source;

typedef struct Step {
    uint8_t op;
    uint8_t source;
    uint32_t index;
    uint64_t number;
} Step;

struct OpprofWhole {
    Step *steps;
    size_t count;
    size_t capacity;
    uint64_t *table;
    size_t table_count;
    size_t table_capacity;
    bool wraps;
};

typedef struct Parser {
    OpprofWhole *whole;
    const char *text;
    size_t at;
    unsigned depth;
    OpprofWholeBind *bind;
    void *context;
    OpprofError **error;
} Parser;

static OpprofStatus parse_choice(Parser *parser);

/* ---- steps ---- */

static OpprofStatus add_step(Parser *parser, Step step)
{
    OpprofWhole *whole = parser->whole;

    if (!OpprofGrow(&whole->steps, &whole->capacity, whole->count + 1, sizeof *whole->steps)) {
        return OpprofErrorNoMemory(parser->error, "read a formula");
    }
    whole->steps[whole->count++] = step;
    return OPPROF_OK;
}

static bool is_operand(const Step *step)
{
    return step->op == OP_IS;
}

/*
 * What was parsed since `start` is the right operand of `op`, whose left one is before it: a mere number or value
 * becomes part of the step; for anything else the left one waits.
 */
static OpprofStatus join(Parser *parser, Op op, size_t start)
{
    OpprofWhole *whole = parser->whole;

    if (whole->count == start + 2 && is_operand(&whole->steps[start + 1])) {
        whole->steps[start] = whole->steps[start + 1];
        whole->steps[start].op = (uint8_t) op;
        whole->count--;
        return OPPROF_OK;
    }
    return add_step(parser, (Step){ .op = (uint8_t) op, .source = FROM_HAND });
}

static OpprofStatus push(Parser *parser)
{
    return add_step(parser, (Step){ .op = OP_PUSH });
}

/* ---- tokens ---- */

#define FAIL(parser, ...) OpprofErrorSet((parser)->error, OPPROF_E_DATA, "Column %zu: " __VA_ARGS__)

static void skip_blanks(Parser *parser)
{
    while (isspace((unsigned char) parser->text[parser->at])) {
        parser->at++;
    }
}

static bool take(Parser *parser, const char *token)
{
    const size_t length = strlen(token);

    skip_blanks(parser);
    if (strncmp(parser->text + parser->at, token, length) != 0) {
        return false;
    }
    parser->at += length;
    return true;
}

static OpprofStatus unexpected(Parser *parser, const char *wanted)
{
    const char *found = parser->text + parser->at;

    return *found == '\0'
               ? FAIL(parser, "expected %s, found the end", parser->at + 1, wanted)
               : FAIL(parser, "expected %s, found '%.10s'", parser->at + 1, wanted, found);
}

static OpprofStatus expect(Parser *parser, const char *token, const char *wanted)
{
    return take(parser, token) ? OPPROF_OK : unexpected(parser, wanted);
}

static unsigned digit_of(char c)
{
    return c >= '0' && c <= '9'   ? (unsigned) (c - '0')
           : c >= 'a' && c <= 'f' ? (unsigned) (c - 'a') + 10
                                  : 16;
}

static OpprofStatus read_number(Parser *parser, uint64_t *ret_number)
{
    const size_t start = parser->at;
    const unsigned base = take(parser, "0x") ? 16 : 10;
    const size_t first = parser->at;

    *ret_number = 0;
    for (unsigned digit; (digit = digit_of(parser->text[parser->at])) < base; parser->at++) {
        if (__builtin_mul_overflow(*ret_number, base, ret_number) ||
            __builtin_add_overflow(*ret_number, digit, ret_number)) {
            return FAIL(parser, "the number has more than 64 bits", start + 1);
        }
    }
    return parser->at == first ? unexpected(parser, "a number") : OPPROF_OK;
}

static OpprofStatus read_name(Parser *parser, char *name)
{
    const size_t start = parser->at;

    while (isalnum((unsigned char) parser->text[parser->at]) || parser->text[parser->at] == '_') {
        parser->at++;
    }
    if (parser->at - start >= MAX_NAME) {
        return FAIL(parser, "the name has more than %u letters", start + 1, MAX_NAME - 1);
    }
    memcpy(name, parser->text + start, parser->at - start);
    name[parser->at - start] = '\0';
    return OPPROF_OK;
}

/* ---- functions ---- */

/* pick(index, of all others, 0, 1, …): numbers, so that it is one step. */
static OpprofStatus parse_pick(Parser *parser)
{
    OpprofWhole *whole = parser->whole;
    uint64_t number = 0;
    OpprofStatus status = parse_choice(parser);
    const size_t first = whole->table_count; /* the index may have picked as well */

    while (status == OPPROF_OK && take(parser, ",")) {
        skip_blanks(parser);
        status = read_number(parser, &number);
        if (status == OPPROF_OK && !OpprofGrow(&whole->table, &whole->table_capacity,
                                               whole->table_count + 1, sizeof *whole->table)) {
            status = OpprofErrorNoMemory(parser->error, "read a formula");
        }
        if (status == OPPROF_OK) {
            whole->table[whole->table_count++] = number;
        }
    }
    const size_t count = whole->table_count - first;
    if (status == OPPROF_OK && count == 0) {
        return unexpected(parser, "', number'");
    }
    return status != OPPROF_OK
               ? status
               : add_step(parser,
                          (Step){ .op = OP_PICK, .index = (uint32_t) count - 1, .number = first });
}

/* bits(value, first, count): which bits are numbers, so that it is one step. */
static OpprofStatus parse_bits(Parser *parser)
{
    uint64_t numbers[2] = { 0, 0 };
    OpprofStatus status = parse_choice(parser);

    for (unsigned i = 0; i < 2 && status == OPPROF_OK; i++) {
        status = expect(parser, ",", "','");
        skip_blanks(parser);
        status = status == OPPROF_OK ? read_number(parser, &numbers[i]) : status;
    }
    if (status == OPPROF_OK && (numbers[0] > 63 || numbers[1] == 0 || numbers[1] > 64)) {
        return FAIL(parser, "bits() takes a first bit of 0 to 63, and 1 to 64 bits",
                    parser->at + 1);
    }
    return status != OPPROF_OK ? status
                               : add_step(parser, (Step){ .op = OP_BITS,
                                                          .index = (uint32_t) numbers[0],
                                                          .number = numbers[1] });
}

/* Two arguments or, for functions of any number of arguments, more. */
static OpprofStatus parse_arguments(Parser *parser, Op op)
{
    OpprofStatus status = parse_choice(parser);
    unsigned count = 1;

    for (; status == OPPROF_OK && take(parser, ","); count++) {
        const size_t start = parser->whole->count;
        status = push(parser);
        status = status == OPPROF_OK ? parse_choice(parser) : status;
        status = status == OPPROF_OK ? join(parser, op, start) : status;
    }
    if (status == OPPROF_OK && (count < 2 || (op == OP_ALIGN && count > 2))) {
        return FAIL(parser, "the function takes two arguments, not %u", parser->at + 1, count);
    }
    return status;
}

static OpprofStatus parse_function(Parser *parser, const char *name, size_t start)
{
    OpprofStatus status;

    if (strcmp(name, "pick") == 0) {
        status = parse_pick(parser);
    } else if (strcmp(name, "bits") == 0) {
        status = parse_bits(parser);
    } else if (strcmp(name, "min") == 0) {
        status = parse_arguments(parser, OP_MIN);
    } else if (strcmp(name, "max") == 0) {
        status = parse_arguments(parser, OP_MAX);
    } else if (strcmp(name, "align") == 0) {
        status = parse_arguments(parser, OP_ALIGN);
    } else {
        return FAIL(parser,
                    "unknown function '%s'; the functions are align, bits, max, min and pick",
                    start + 1, name);
    }
    return status == OPPROF_OK ? expect(parser, ")", "',' or ')'") : status;
}

/* ---- the language ---- */

static OpprofStatus parse_name(Parser *parser)
{
    const size_t start = parser->at;
    char name[MAX_NAME];
    OpprofWholeName meaning = { .is_number = false };
    const OpprofStatus status = read_name(parser, name);

    if (status != OPPROF_OK) {
        return status;
    }
    if (take(parser, "(")) {
        return parse_function(parser, name, start);
    }
    if (!parser->bind(parser->context, name, &meaning)) {
        return FAIL(parser, "there is no '%s'", start + 1, name);
    }
    return add_step(parser, (Step){ .op = OP_IS,
                                    .source = meaning.is_number ? FROM_NUMBER : FROM_VALUES,
                                    .index = meaning.index,
                                    .number = meaning.number });
}

static OpprofStatus parse_operand(Parser *parser)
{
    Step step = { .op = OP_IS, .source = FROM_NUMBER };
    OpprofStatus status;

    skip_blanks(parser);
    const char c = parser->text[parser->at];
    if (isdigit((unsigned char) c)) {
        status = read_number(parser, &step.number);
        return status == OPPROF_OK ? add_step(parser, step) : status;
    }
    if (isalpha((unsigned char) c) || c == '_') {
        return parse_name(parser);
    }
    if (take(parser, "(")) {
        status = parse_choice(parser);
        return status == OPPROF_OK ? expect(parser, ")", "')'") : status;
    }
    return unexpected(parser, "a number, a name or '('");
}

static OpprofStatus parse_sign(Parser *parser)
{
    unsigned count = 0;

    for (skip_blanks(parser); parser->text[parser->at] == '!'; skip_blanks(parser)) {
        parser->at++;
        count++;
    }
    OpprofStatus status = parse_operand(parser);
    for (; status == OPPROF_OK && count > 0; count--) {
        status = add_step(parser, (Step){ .op = OP_NOT });
    }
    return status;
}

typedef struct Operator {
    const char *token;
    Op op;
} Operator;

/* By rank, those that bind first at the end; longer tokens before their beginnings. */
static const Operator comparisons[] = { { "==", OP_EQUAL },    { "!=", OP_DIFFERS },
                                        { "<=", OP_AT_MOST },  { "<", OP_BELOW },
                                        { ">=", OP_AT_LEAST }, { ">", OP_ABOVE },
                                        { NULL, OP_IS } };
static const Operator sums[] = { { "+", OP_ADD }, { "-", OP_SUBTRACT }, { NULL, OP_IS } };
static const Operator products[] = {
    { "*", OP_MULTIPLY }, { "/", OP_DIVIDE }, { "%", OP_REST }, { NULL, OP_IS }
};
static const Operator *const ranks[] = { comparisons, sums, products };

static const Operator *take_operator(Parser *parser, unsigned rank)
{
    for (const Operator *one = ranks[rank]; one->token != NULL; one++) {
        if (take(parser, one->token)) {
            return one;
        }
    }
    return NULL;
}

static OpprofStatus parse_rank(Parser *parser, unsigned rank)
{
    const bool is_last = rank == sizeof ranks / sizeof ranks[0];
    OpprofStatus status = is_last ? parse_sign(parser) : parse_rank(parser, rank + 1);
    const Operator *found;

    while (!is_last && status == OPPROF_OK && (found = take_operator(parser, rank)) != NULL) {
        const size_t start = parser->whole->count;
        status = push(parser);
        status = status == OPPROF_OK ? parse_rank(parser, rank + 1) : status;
        status = status == OPPROF_OK ? join(parser, found->op, start) : status;
    }
    return status;
}

/* "a && b", "a || b": what comes after it is skipped where the first one decides. */
static OpprofStatus parse_logic(Parser *parser, bool is_or)
{
    OpprofStatus status = is_or ? parse_logic(parser, false) : parse_rank(parser, 0);

    while (status == OPPROF_OK && take(parser, is_or ? "||" : "&&")) {
        status = add_step(parser, (Step){ .op = OP_TRUTH });
        const size_t jump = parser->whole->count;
        status = status != OPPROF_OK
                     ? status
                     : add_step(parser, (Step){ .op = is_or ? OP_JUMP_IF_NOT : OP_JUMP_IF_ZERO });
        if (status == OPPROF_OK) {
            status = is_or ? parse_logic(parser, false) : parse_rank(parser, 0);
        }
        status = status == OPPROF_OK ? add_step(parser, (Step){ .op = OP_TRUTH }) : status;
        if (status == OPPROF_OK) {
            parser->whole->steps[jump].number = parser->whole->count;
        }
    }
    return status;
}

/* "a ? b : c" after its a. */
static OpprofStatus parse_branches(Parser *parser)
{
    OpprofWhole *whole = parser->whole;
    const size_t condition = whole->count;
    OpprofStatus status = add_step(parser, (Step){ .op = OP_JUMP_IF_ZERO });

    status = status == OPPROF_OK ? parse_choice(parser) : status;
    status = status == OPPROF_OK ? expect(parser, ":", "':'") : status;
    const size_t jump = whole->count;
    status = status == OPPROF_OK ? add_step(parser, (Step){ .op = OP_JUMP }) : status;
    if (status == OPPROF_OK) {
        whole->steps[condition].number = whole->count;
        status = parse_choice(parser);
    }
    if (status == OPPROF_OK) {
        whole->steps[jump].number = whole->count;
    }
    return status;
}

static OpprofStatus parse_choice(Parser *parser)
{
    if (++parser->depth > MAX_DEPTH) {
        return FAIL(parser, "more than %u nested brackets", parser->at + 1, MAX_DEPTH);
    }
    OpprofStatus status = parse_logic(parser, true);
    if (status == OPPROF_OK && take(parser, "?")) {
        status = parse_branches(parser);
    }
    parser->depth--;
    return status;
}

OpprofStatus OpprofWholeParse(const char *text, bool wraps, OpprofWholeBind *bind, void *context,
                              OpprofWhole **ret_whole, OpprofError **error)
{
    OPPROF_REQUIRE(
        "whole-text", text != NULL && bind != NULL && ret_whole != NULL,
        "The formula has a text, a function that binds its names, and a place for the result");

    OpprofWhole *whole = calloc(1, sizeof *whole);
    Parser parser = {
        .whole = whole, .text = text, .bind = bind, .context = context, .error = error
    };

    if (whole == NULL) {
        return OpprofErrorNoMemory(error, "read a formula");
    }
    whole->wraps = wraps;
    OpprofStatus status = strlen(text) > MAX_LENGTH
                              ? FAIL(&parser, "the formula has more than %u bytes",
                                     (size_t) MAX_LENGTH + 1, MAX_LENGTH)
                              : parse_choice(&parser);
    skip_blanks(&parser);
    if (status == OPPROF_OK && text[parser.at] != '\0') {
        status = unexpected(&parser, "an operator");
    }
    if (status != OPPROF_OK) {
        OpprofWholeFree(whole);
        return status;
    }
    *ret_whole = whole;
    return OPPROF_OK;
}

void OpprofWholeFree(OpprofWhole *whole)
{
    if (whole != NULL) {
        free(whole->steps);
        free(whole->table);
        free(whole);
    }
}

/* ---- the machine ---- */

static uint64_t sum(uint64_t a, uint64_t b, bool wraps)
{
    uint64_t result;

    return __builtin_add_overflow(a, b, &result) && !wraps ? UINT64_MAX : result;
}

static uint64_t product(uint64_t a, uint64_t b, bool wraps)
{
    uint64_t result;

    return __builtin_mul_overflow(a, b, &result) && !wraps ? UINT64_MAX : result;
}

/* Rounds up to whole units, or down if no unit above fits. */
static uint64_t align(uint64_t value, uint64_t unit)
{
    const uint64_t up = sum(value, unit == 0 ? 0 : unit - 1, false);

    return unit == 0 ? value : (unit & (unit - 1)) == 0 ? up & ~(unit - 1) : up - up % unit;
}

static uint64_t bits(uint64_t value, uint32_t first, uint64_t count)
{
    return value >> first & (count == 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1);
}

static uint64_t combine(uint8_t op, uint64_t a, uint64_t b, bool wraps)
{
    switch (op) {
    case OP_ADD:
        return sum(a, b, wraps);
    case OP_SUBTRACT:
        return a < b && !wraps ? 0 : a - b;
    case OP_MULTIPLY:
        return product(a, b, wraps);
    case OP_DIVIDE:
        return b == 0 ? 0 : a / b;
    case OP_REST:
        return b == 0 ? 0 : a % b;
    case OP_EQUAL:
        return a == b;
    case OP_DIFFERS:
        return a != b;
    case OP_BELOW:
        return a < b;
    case OP_AT_MOST:
        return a <= b;
    case OP_ABOVE:
        return a > b;
    case OP_AT_LEAST:
        return a >= b;
    case OP_MIN:
        return a < b ? a : b;
    case OP_MAX:
        return a > b ? a : b;
    case OP_ALIGN:
        return align(a, b);
    case OP_IS:
    default:
        return b;
    }
}

uint64_t OpprofWholeEvaluate(const OpprofWhole *whole, const uint64_t *values)
{
    OPPROF_REQUIRE("whole-given", whole != NULL && values != NULL,
                   "The formula and the values are given");

    uint64_t
        waiting[4 * MAX_DEPTH + 4]; /* for each bracket one a rank of operators, and an argument */
    size_t count = 0;
    uint64_t hand = 0;

    for (size_t i = 0; i < whole->count; i++) {
        const Step *step = &whole->steps[i];
        switch (step->op) {
        case OP_PUSH:
            waiting[count++] = hand;
            break;
        case OP_NOT:
            hand = hand == 0;
            break;
        case OP_TRUTH:
            hand = hand != 0;
            break;
        case OP_BITS:
            hand = bits(hand, step->index, step->number);
            break;
        case OP_PICK:
            hand = whole->table[step->number + (hand < step->index ? hand + 1 : 0)];
            break;
        case OP_JUMP:
            i = (size_t) step->number - 1;
            break;
        case OP_JUMP_IF_ZERO:
        case OP_JUMP_IF_NOT:
            i = (hand == 0) == (step->op == OP_JUMP_IF_ZERO) ? (size_t) step->number - 1 : i;
            break;
        default:
            if (step->source == FROM_HAND) {
                hand = combine(step->op, waiting[--count], hand, whole->wraps);
            } else {
                hand = combine(step->op, hand,
                               step->source == FROM_NUMBER ? step->number : values[step->index],
                               whole->wraps);
            }
            break;
        }
    }
    return hand;
}
