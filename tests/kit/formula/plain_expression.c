/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates formulas in the plainest way, straight from their text: what kit/metrics is compared with. */
#include "tests/kit/formula/plain_expression.h"

#include <ctype.h>
#include <math.h>
#include <opprof/record.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ARGUMENTS 16

/* One formula's text. */
typedef struct Reader {
    const char *at;
    const char *end;
    PlainLookUp *look_up;
    void *context;
    bool *lacks_input; /* an input outside of first() is absent */
    unsigned in_first;
} Reader;

static PlainValue read_or(Reader *reader);

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

/* ---- operators ---- */

static PlainValue calculate(const char *operator_, const PlainValue *a, const PlainValue *b)
{
    if (a->kind == PLAIN_ABSENT || b->kind == PLAIN_ABSENT) {
        return absent();
    }
    const double x = a->real;
    const double y = b->real;
    switch (operator_[0] | operator_[1] << 8) {
    case '+':
        return PlainReal(x + y);
    case '-':
        return PlainReal(x - y);
    case '*':
        return PlainReal(x * y);
    case '/':
        return y == 0 ? absent() : PlainReal(x / y);
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

static PlainValue call(const char *name, const PlainValue *arguments, unsigned count)
{
    const PlainValue factor = PlainReal(1e6 / 1024 / 1024 / 1024);
    PlainValue value;

    if (strcmp(name, "trunc") == 0 || strcmp(name, "ceil") == 0) {
        return round_value(&arguments[0], name[0] == 'c');
    }
    if (strcmp(name, "sub0") == 0 || strcmp(name, "diff") == 0) {
        return subtract_to(name, &arguments[0], &arguments[1]);
    }
    if (strcmp(name, "gib_s") == 0) {
        value = calculate("/", &arguments[0], &arguments[1]);
        return calculate("*", &value, &factor);
    }
    if (strcmp(name, "if") == 0) {
        value = arguments[0].kind == PLAIN_ABSENT ? absent()
                : arguments[0].real != 0          ? arguments[1]
                                                  : arguments[2];
    } else {
        value = arguments[count - 1];
        for (unsigned i = count - 1; i > 0; i--) {
            value = pick(name, &arguments[i - 1], &value);
        }
    }
    value.count = OPPROF_NA_U64; /* of a formula, not of a counter as it is */
    return value;
}

static bool is_function(const char *name)
{
    static const char *const names[] = { "min",   "max",  "first", "sub0", "diff",
                                         "trunc", "ceil", "if",    "gib_s" };

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
        PlainReal(is_real ? strtod(text, NULL) : (double) strtoull(text, NULL, is_hex ? 16 : 10));
    free(text);
    return value;
}

static PlainValue read_call(Reader *reader, const char *name)
{
    PlainValue arguments[MAX_ARGUMENTS];
    unsigned count = 0;

    reader->in_first += strcmp(name, "first") == 0;
    do {
        arguments[count++] = read_or(reader);
    } while (count < MAX_ARGUMENTS && take(reader, ","));
    need(reader, ")");
    reader->in_first -= strcmp(name, "first") == 0;
    return call(name, arguments, count);
}

static PlainValue look_up(Reader *reader, const char *name, const char *key)
{
    const PlainName found = reader->look_up(reader->context, name, key);

    if (found.formula != NULL) {
        Reader inner = *reader;
        inner.at = found.formula;
        inner.end = found.formula + strlen(found.formula);
        return read_or(&inner);
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
    const PlainValue zero = PlainReal(0);
    const int c = next(reader);
    PlainValue value;

    if (take(reader, "-")) {
        value = read_unary(reader);
        return value.kind == PLAIN_REAL ? PlainReal(-value.real) : calculate("-", &zero, &value);
    }
    if (take(reader, "!")) {
        value = read_unary(reader);
        return calculate("==", &value, &zero);
    }
    if (take(reader, "(")) {
        value = read_or(reader);
        need(reader, ")");
        return value;
    }
    return isdigit(c) ? read_number(reader) : read_name(reader);
}

static PlainValue read_product(Reader *reader)
{
    PlainValue value = read_unary(reader);

    for (int c; (c = next(reader)) == '*' || c == '/';) {
        need(reader, c == '*' ? "*" : "/");
        const PlainValue right = read_unary(reader);
        value = calculate(c == '*' ? "*" : "/", &value, &right);
    }
    return value;
}

static PlainValue read_sum(Reader *reader)
{
    PlainValue value = read_product(reader);

    for (int c; (c = next(reader)) == '+' || c == '-';) {
        need(reader, c == '+' ? "+" : "-");
        const PlainValue right = read_product(reader);
        value = calculate(c == '+' ? "+" : "-", &value, &right);
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
            return calculate(operators[i], &value, &right);
        }
    }
    return value;
}

static PlainValue read_and(Reader *reader)
{
    PlainValue value = read_comparison(reader);

    while (take(reader, "&&")) {
        const PlainValue right = read_comparison(reader);
        value = calculate("&&", &value, &right);
    }
    return value;
}

static PlainValue read_or(Reader *reader)
{
    PlainValue value = read_and(reader);

    while (take(reader, "||")) {
        const PlainValue right = read_and(reader);
        value = calculate("||", &value, &right);
    }
    return value;
}

PlainValue PlainEvaluate(const char *text, size_t length, PlainLookUp *look_up_name, void *context)
{
    bool lacks_input = false;
    Reader reader = { .at = text,
                      .end = text + length,
                      .look_up = look_up_name,
                      .context = context,
                      .lacks_input = &lacks_input };

    const PlainValue value = read_or(&reader);
    if (next(&reader) != 0) {
        abort();
    }
    return lacks_input ? absent() : value;
}
