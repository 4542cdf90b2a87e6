/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates formulas in the plainest way, straight from their text: kit/formula must agree. */
#include "tests/kit/formula/plain_formula.h"

#include <ctype.h>
#include <math.h>
#include <opprof/record.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ARGUMENTS 66

__extension__ typedef __int128 Wide;

/* One formula's text. */
typedef struct Reader {
    const char *at;
    const char *end;
    PlainLookUp *look_up;
    void *context;
    uint32_t kind;     /* OpprofFormulaKind */
    bool *lacks_input; /* an input outside of first() is absent */
    unsigned in_first;
} Reader;

static PlainValue read_value(Reader *reader);

/* ---- values ---- */

static PlainValue absent(void)
{
    return (PlainValue){ .kind = PLAIN_ABSENT, .count = OPPROF_NA_U64 };
}

PlainValue PlainReal(double value)
{
    return isfinite(value)
               ? (PlainValue){ .kind = PLAIN_REAL, .real = value, .count = OPPROF_NA_U64 }
               : absent();
}

static PlainValue truth(bool holds)
{
    return PlainReal(holds ? 1 : 0);
}

PlainValue PlainCount(uint64_t value)
{
    PlainValue plain = value == OPPROF_NA_U64 ? absent() : PlainReal((double) value);

    plain.count = value;
    return plain;
}

double PlainToReal(const PlainValue *value)
{
    return value->kind == PLAIN_ABSENT ? OpprofNaF64() : value->real == 0 ? 0 : value->real;
}

uint64_t PlainToCount(const PlainValue *value)
{
    if (value->kind == PLAIN_ABSENT) {
        return OPPROF_NA_U64;
    }
    if (value->count != OPPROF_NA_U64) {
        return value->count;
    }
    return value->real >= 0 && value->real < 0x1p64 && floor(value->real) == value->real
               ? (uint64_t) value->real
               : OPPROF_NA_U64;
}

PlainValue PlainWhole(uint64_t value)
{
    return (PlainValue){ .kind = PLAIN_WHOLE, .count = value };
}

/* What has more than 64 bits, or is below zero. */
static PlainValue clamp(const Reader *reader, Wide value)
{
    if (reader->kind == OPPROF_FORMULA_WRAPPING) {
        return PlainWhole((uint64_t) value);
    }
    return PlainWhole(value < 0 ? 0 : value > UINT64_MAX ? UINT64_MAX : (uint64_t) value);
}

/* ---- operators ---- */

/* Of x / y, with the sign of x; fmod() is what the engine uses. */
static double remainder_of(double x, double y)
{
    const double least = fabs(remainder(x, y)); /* to the nearest multiple, perhaps from above */
    const bool is_above = (remainder(x, y) < 0) != (x < 0) && least != 0;

    return copysign(is_above ? fabs(y) - least : least, x);
}

#define TOKEN(operator_) ((operator_)[0] | (operator_)[1] << 8)

static PlainValue calculate_whole(const Reader *reader, const char *operator_, uint64_t x,
                                  uint64_t y)
{
    switch (TOKEN(operator_)) {
    case '+':
        return clamp(reader, (Wide) x + y);
    case '-':
        return clamp(reader, (Wide) x - y);
    case '*':
        if (reader->kind == OPPROF_FORMULA_WRAPPING) {
            return PlainWhole(x * y);
        }
        return PlainWhole(y != 0 && x > UINT64_MAX / y ? UINT64_MAX : x * y);
    case '/':
        return PlainWhole(y == 0 ? 0 : x / y);
    case '%':
        return PlainWhole(y == 0 ? 0 : x - x / y * y);
    case '<':
        return PlainWhole(x < y);
    case '>':
        return PlainWhole(x > y);
    case '<' | '=' << 8:
        return PlainWhole(!(x > y));
    case '>' | '=' << 8:
        return PlainWhole(!(x < y));
    case '=' | '=' << 8:
        return PlainWhole(x == y);
    case '!' | '=' << 8:
        return PlainWhole(x != y);
    case '&' | '&' << 8:
        return PlainWhole(x != 0 && y != 0);
    default:
        return PlainWhole(x != 0 || y != 0);
    }
}

static PlainValue calculate(const Reader *reader, const char *operator_, const PlainValue *a,
                            const PlainValue *b)
{
    if (reader->kind != OPPROF_FORMULA_REAL) {
        return calculate_whole(reader, operator_, a->count, b->count);
    }
    if (a->kind == PLAIN_ABSENT || b->kind == PLAIN_ABSENT) {
        return absent();
    }
    const double x = a->real;
    const double y = b->real;
    switch (TOKEN(operator_)) {
    case '+':
        return PlainReal(x + y);
    case '-':
        return PlainReal(x - y);
    case '*':
        return PlainReal(x * y);
    case '/':
        return y == 0 ? absent() : PlainReal(x / y);
    case '%':
        return y == 0 ? absent() : PlainReal(remainder_of(x, y));
    case '<':
        return truth(x < y);
    case '>':
        return truth(x > y);
    case '<' | '=' << 8:
        return truth(x <= y);
    case '>' | '=' << 8:
        return truth(x >= y);
    case '=' | '=' << 8:
        return truth(x == y);
    case '!' | '=' << 8:
        return truth(x != y);
    case '&' | '&' << 8:
        return truth(x != 0 && y != 0);
    default:
        return truth(x != 0 || y != 0);
    }
}

/* ---- functions ---- */

static PlainValue round_value(const PlainValue *value, bool is_up)
{
    return value->kind == PLAIN_ABSENT ? absent()
                                       : PlainReal(is_up ? ceil(value->real) : trunc(value->real));
}

/* min(), max() and first(): one of the two. */
static PlainValue pick(const char *name, const PlainValue *a, const PlainValue *b)
{
    if (strcmp(name, "first") == 0) {
        return a->kind == PLAIN_ABSENT ? *b : *a;
    }
    if (a->kind == PLAIN_ABSENT || b->kind == PLAIN_ABSENT) {
        return absent();
    }
    const bool is_a = strcmp(name, "min") == 0 ? a->real <= b->real : a->real >= b->real;
    return is_a ? *a : *b;
}

static PlainValue subtract_to(const char *name, const PlainValue *a, const PlainValue *b)
{
    if (a->kind == PLAIN_ABSENT || b->kind == PLAIN_ABSENT) {
        return absent();
    }
    if (a->real < b->real) {
        return strcmp(name, "sub0") == 0 ? PlainReal(0) : absent();
    }
    return PlainReal(a->real - b->real);
}

/* x, up to a multiple of the unit */
static PlainValue align(const Reader *reader, const PlainValue *x, const PlainValue *unit)
{
    if (reader->kind != OPPROF_FORMULA_REAL) {
        const uint64_t rest = unit->count == 0 ? 0 : x->count % unit->count;
        const bool is_up = rest != 0 && x->count - rest <= UINT64_MAX - unit->count;
        return PlainWhole(x->count - rest + (is_up ? unit->count : 0));
    }
    if (x->kind == PLAIN_ABSENT || unit->kind == PLAIN_ABSENT || unit->real == 0) {
        return unit->kind == PLAIN_ABSENT ? absent() : *x;
    }
    const double rest = remainder_of(x->real, unit->real);
    return PlainReal(rest <= 0 ? x->real - rest : x->real + (fabs(unit->real) - rest));
}

static PlainValue bits(const Reader *reader, const PlainValue *arguments)
{
    const bool is_whole = reader->kind != OPPROF_FORMULA_REAL;
    const PlainValue *x = &arguments[0];
    uint64_t first = is_whole ? arguments[1].count : (uint64_t) arguments[1].real;
    uint64_t count = is_whole ? arguments[2].count : (uint64_t) arguments[2].real;
    uint64_t value;
    uint64_t result = 0;

    if (!is_whole && (x->kind == PLAIN_ABSENT || x->real < 0 || x->real >= 0x1p53 ||
                      floor(x->real) != x->real)) {
        return absent();
    }
    value = is_whole ? x->count : (uint64_t) x->real;
    for (uint64_t bit = 0; bit < count && first + bit < 64; bit++) {
        result |= (value >> (first + bit) & 1) << bit;
    }
    return is_whole ? PlainWhole(result) : PlainReal((double) result);
}

static PlainValue pick_number(const Reader *reader, const PlainValue *arguments, unsigned count)
{
    if (arguments[0].kind == PLAIN_ABSENT) {
        return absent();
    }
    for (unsigned i = 2; i < count; i++) {
        if (reader->kind != OPPROF_FORMULA_REAL ? arguments[0].count == i - 2
                                                : arguments[0].real == i - 2) {
            return arguments[i];
        }
    }
    return arguments[1];
}

static PlainValue choose(const Reader *reader, const PlainValue *arguments)
{
    const PlainValue *condition = &arguments[0];

    if (condition->kind == PLAIN_ABSENT) {
        return absent();
    }
    const bool holds =
        reader->kind != OPPROF_FORMULA_REAL ? condition->count != 0 : condition->real != 0;
    PlainValue value = arguments[holds ? 1 : 2];
    if (reader->kind == OPPROF_FORMULA_REAL) {
        value.count = OPPROF_NA_U64; /* of a formula, not of a counter as it is */
    }
    return value;
}

static PlainValue call_of_both(const Reader *reader, const char *name, const PlainValue *arguments,
                               unsigned count)
{
    return strcmp(name, "align") == 0  ? align(reader, &arguments[0], &arguments[1])
           : strcmp(name, "bits") == 0 ? bits(reader, arguments)
           : strcmp(name, "pick") == 0 ? pick_number(reader, arguments, count)
                                       : choose(reader, arguments);
}

static PlainValue call_whole(const char *name, const PlainValue *arguments, unsigned count)
{
    uint64_t value = arguments[0].count;

    for (unsigned i = 1; i < count; i++) {
        const uint64_t other = arguments[i].count;
        if (strcmp(name, "sub0") == 0) {
            value = value > other ? value - other : 0;
        } else {
            value = (strcmp(name, "min") == 0) == (other < value) ? other : value;
        }
    }
    return PlainWhole(value); /* of trunc(), too */
}

static PlainValue call(const Reader *reader, const char *name, const PlainValue *arguments,
                       unsigned count)
{
    const PlainValue factor = PlainReal(1e6 / 1024 / 1024 / 1024);
    PlainValue value;

    if (strcmp(name, "align") == 0 || strcmp(name, "bits") == 0 || strcmp(name, "pick") == 0 ||
        strcmp(name, "if") == 0) {
        value = call_of_both(reader, name, arguments, count);
    } else if (reader->kind != OPPROF_FORMULA_REAL) {
        value = call_whole(name, arguments, count);
    } else if (strcmp(name, "trunc") == 0 || strcmp(name, "ceil") == 0) {
        value = round_value(&arguments[0], name[0] == 'c');
    } else if (strcmp(name, "sub0") == 0 || strcmp(name, "diff") == 0) {
        value = subtract_to(name, &arguments[0], &arguments[1]);
    } else if (strcmp(name, "gib_s") == 0) {
        value = calculate(reader, "/", &arguments[0], &arguments[1]);
        value = calculate(reader, "*", &value, &factor);
    } else {
        value = arguments[count - 1];
        for (unsigned i = count - 1; i > 0; i--) {
            value = pick(name, &arguments[i - 1], &value);
        }
    }
    if (reader->kind == OPPROF_FORMULA_REAL) {
        value.count = OPPROF_NA_U64; /* of a formula, not of a counter as it is */
    }
    return value;
}

static bool is_function(const char *name)
{
    static const char *const names[] = { "min",  "max", "first", "sub0",  "diff", "trunc",
                                         "ceil", "if",  "gib_s", "align", "bits", "pick" };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- reading ---- */

static int next(Reader *reader)
{
    while (reader->at < reader->end && strchr(" \t\n", *reader->at) != NULL && *reader->at != 0) {
        reader->at++;
    }
    return reader->at < reader->end ? (unsigned char) *reader->at : 0;
}

static bool take(Reader *reader, const char *token)
{
    const size_t length = strlen(token);

    next(reader);
    if ((size_t) (reader->end - reader->at) < length || memcmp(reader->at, token, length) != 0) {
        return false;
    }
    reader->at += length;
    return true;
}

/* A formula that the engine took has nothing else here. */
static void need(Reader *reader, const char *token)
{
    if (!take(reader, token)) {
        abort();
    }
}

static PlainValue read_number(Reader *reader)
{
    const char *from = reader->at;
    const bool is_hex = reader->end - from > 1 && from[0] == '0' && from[1] == 'x';
    bool is_real = false;

    for (reader->at += is_hex ? 2 : 0; reader->at < reader->end; reader->at++) {
        const char c = *reader->at;
        const bool is_sign = (c == '-' || c == '+') && tolower(reader->at[-1]) == 'e';
        if (is_hex ? !isxdigit((unsigned char) c)
                   : !isdigit((unsigned char) c) && c != '.' && tolower(c) != 'e' &&
                         !(is_real && is_sign)) {
            break;
        }
        is_real = is_real || (!is_hex && !isdigit((unsigned char) c));
    }
    char *text = strndup(from, (size_t) (reader->at - from));
    if (text == NULL) {
        abort();
    }
    const PlainValue value =
        reader->kind != OPPROF_FORMULA_REAL
            ? PlainWhole(strtoull(text, NULL, is_hex ? 16 : 10))
            : PlainReal(is_real ? strtod(text, NULL)
                                : (double) strtoull(text, NULL, is_hex ? 16 : 10));
    free(text);
    return value;
}

static PlainValue read_call(Reader *reader, const char *name)
{
    PlainValue arguments[MAX_ARGUMENTS];
    unsigned count = 0;

    reader->in_first += strcmp(name, "first") == 0;
    do {
        arguments[count++] = read_value(reader);
    } while (count < MAX_ARGUMENTS && take(reader, ","));
    need(reader, ")");
    reader->in_first -= strcmp(name, "first") == 0;
    return call(reader, name, arguments, count);
}

static PlainValue look_up(Reader *reader, const char *name, const char *key)
{
    const PlainName found = reader->look_up(reader->context, name, key);

    if (found.formula != NULL) {
        Reader inner = *reader;
        inner.at = found.formula;
        inner.end = found.formula + strlen(found.formula);
        return read_value(&inner);
    }
    if (found.is_input && found.value.kind == PLAIN_ABSENT && reader->in_first == 0) {
        *reader->lacks_input = true;
    }
    return found.value;
}

static PlainValue read_name(Reader *reader)
{
    const char *from = reader->at;
    char name[128];
    char key[128];

    while (reader->at < reader->end &&
           (isalnum((unsigned char) *reader->at) || *reader->at == '_' || *reader->at == '.')) {
        reader->at++;
    }
    memcpy(name, from, (size_t) (reader->at - from));
    name[reader->at - from] = '\0';
    if (strcmp(name, "na") == 0) {
        return absent();
    }
    if (!take(reader, "(")) {
        return look_up(reader, name, NULL);
    }
    if (is_function(name)) {
        return read_call(reader, name);
    }
    next(reader);
    for (from = reader->at; *reader->at != ')'; reader->at++) {
    }
    const char *end = reader->at++;
    while (end[-1] == ' ') {
        end--;
    }
    memcpy(key, from, (size_t) (end - from));
    key[end - from] = '\0';
    return look_up(reader, name, key);
}

static PlainValue read_unary(Reader *reader)
{
    const PlainValue zero = reader->kind != OPPROF_FORMULA_REAL ? PlainWhole(0) : PlainReal(0);
    const int c = next(reader);
    PlainValue value;

    if (take(reader, "-")) {
        value = read_unary(reader);
        return value.kind == PLAIN_REAL ? PlainReal(-value.real)
                                        : calculate(reader, "-", &zero, &value);
    }
    if (take(reader, "!")) {
        value = read_unary(reader);
        return calculate(reader, "==", &value, &zero);
    }
    if (take(reader, "(")) {
        value = read_value(reader);
        need(reader, ")");
        return value;
    }
    return isdigit(c) ? read_number(reader) : read_name(reader);
}

static PlainValue read_product(Reader *reader)
{
    PlainValue value = read_unary(reader);

    for (int c; (c = next(reader)) == '*' || c == '/' || c == '%';) {
        const char token[] = { (char) c, '\0' };
        need(reader, token);
        const PlainValue right = read_unary(reader);
        value = calculate(reader, token, &value, &right);
    }
    return value;
}

static PlainValue read_sum(Reader *reader)
{
    PlainValue value = read_product(reader);

    for (int c; (c = next(reader)) == '+' || c == '-';) {
        need(reader, c == '+' ? "+" : "-");
        const PlainValue right = read_product(reader);
        value = calculate(reader, c == '+' ? "+" : "-", &value, &right);
    }
    return value;
}

static PlainValue read_comparison(Reader *reader)
{
    static const char *const operators[] = { "==", "!=", "<=", ">=", "<", ">" };
    const PlainValue value = read_sum(reader);

    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        if (take(reader, operators[i])) {
            const PlainValue right = read_sum(reader);
            return calculate(reader, operators[i], &value, &right);
        }
    }
    return value;
}

static PlainValue read_and(Reader *reader)
{
    PlainValue value = read_comparison(reader);

    while (take(reader, "&&")) {
        const PlainValue right = read_comparison(reader);
        value = calculate(reader, "&&", &value, &right);
    }
    return value;
}

static PlainValue read_or(Reader *reader)
{
    PlainValue value = read_and(reader);

    while (take(reader, "||")) {
        const PlainValue right = read_and(reader);
        value = calculate(reader, "||", &value, &right);
    }
    return value;
}

static PlainValue read_value(Reader *reader)
{
    PlainValue arguments[3] = { read_or(reader) };

    if (!take(reader, "?")) {
        return arguments[0];
    }
    arguments[1] = read_value(reader);
    need(reader, ":");
    arguments[2] = read_value(reader);
    return choose(reader, arguments);
}

PlainValue PlainEvaluate(const OpprofFormulaText *text, PlainLookUp *look_up_name, void *context)
{
    bool lacks_input = false;
    Reader reader = { .at = text->text,
                      .end = text->text + text->length,
                      .look_up = look_up_name,
                      .context = context,
                      .kind = text->kind,
                      .lacks_input = &lacks_input };

    const PlainValue value = read_value(&reader);
    if (next(&reader) != 0) {
        abort();
    }
    return lacks_input ? absent() : value;
}
