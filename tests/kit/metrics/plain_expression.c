/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/kit/metrics/plain_expression.h"

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

/* Values */

static PlainValue absent(void)
{
    return (PlainValue){ .kind = PLAIN_ABSENT };
}

PlainValue PlainReal(double value)
{
    return isfinite(value) ? (PlainValue){ .kind = PLAIN_REAL, .real = value } : absent();
}

static double number(const PlainValue *value)
{
    return value->kind == PLAIN_INTEGER ? (double) value->integer : value->real;
}

static unsigned bits(PlainInteger value)
{
    unsigned count = 0;

    for (; value != 0; value /= 2) {
        count++;
    }
    return count;
}

static PlainValue integer(PlainInteger value)
{
    return bits(value) > 126 ? PlainReal((double) value)
                             : (PlainValue){ .kind = PLAIN_INTEGER, .integer = value };
}

PlainValue PlainCount(uint64_t value)
{
    return value == OPPROF_NA_U64 ? absent() : integer((PlainInteger) value);
}

double PlainToReal(const PlainValue *value)
{
    const double real = number(value);
    return value->kind == PLAIN_ABSENT ? OpprofNaF64() : real == 0 ? 0 : real;
}

uint64_t PlainToCount(const PlainValue *value)
{
    if (value->kind == PLAIN_INTEGER && value->integer >= 0 &&
        value->integer < (PlainInteger) OPPROF_NA_U64) {
        return (uint64_t) value->integer;
    }
    if (value->kind == PLAIN_REAL && value->real >= 0 && value->real < 0x1p53 &&
        floor(value->real) == value->real) {
        return (uint64_t) value->real;
    }
    return OPPROF_NA_U64;
}

/* Operators */

static bool are_integers(const PlainValue *a, const PlainValue *b)
{
    return a->kind == PLAIN_INTEGER && b->kind == PLAIN_INTEGER;
}

static bool is_less(const PlainValue *a, const PlainValue *b)
{
    return are_integers(a, b) ? a->integer < b->integer : number(a) < number(b);
}

static PlainValue divide(const PlainValue *a, const PlainValue *b)
{
    PlainValue value = number(b) == 0 ? absent() : PlainReal(number(a) / number(b));

    if (value.kind == PLAIN_REAL && are_integers(a, b)) {
        value.is_quotient = true;
        value.over = a->integer;
        value.under = b->integer;
    }
    return value;
}

static PlainValue difference(const PlainValue *a, const PlainValue *b)
{
    return are_integers(a, b) ? integer(a->integer - b->integer) : PlainReal(number(a) - number(b));
}

static PlainValue multiply(const PlainValue *a, const PlainValue *b)
{
    return are_integers(a, b) && bits(a->integer) + bits(b->integer) <= 126
               ? integer(a->integer * b->integer)
               : PlainReal(number(a) * number(b));
}

static PlainValue calculate(const char *operator_, const PlainValue *a, const PlainValue *b)
{
    if (a->kind == PLAIN_ABSENT || b->kind == PLAIN_ABSENT) {
        return absent();
    }
    switch (operator_[0] | operator_[1] << 8) {
    case '+':
        return are_integers(a, b) ? integer(a->integer + b->integer)
                                  : PlainReal(number(a) + number(b));
    case '-':
        return difference(a, b);
    case '*':
        return multiply(a, b);
    case '/':
        return divide(a, b);
    case '<':
        return integer(is_less(a, b));
    case '>':
        return integer(is_less(b, a));
    case '<' | '=' << 8:
        return integer(!is_less(b, a));
    case '>' | '=' << 8:
        return integer(!is_less(a, b));
    case '=' | '=' << 8:
        return integer(!is_less(a, b) && !is_less(b, a));
    case '!' | '=' << 8:
        return integer(is_less(a, b) || is_less(b, a));
    case '&' | '&' << 8:
        return integer(number(a) != 0 && number(b) != 0);
    default:
        return integer(number(a) != 0 || number(b) != 0);
    }
}

/* Functions */

static PlainValue whole(double value)
{
    return fabs(value) < 0x1p126 ? integer((PlainInteger) value) : PlainReal(value);
}

static PlainValue round_value(const PlainValue *value, bool is_up)
{
    if (value->kind != PLAIN_REAL) {
        return *value;
    }
    if (!value->is_quotient) {
        return whole(is_up ? ceil(value->real) : trunc(value->real));
    }
    const PlainInteger rest = value->over % value->under;
    const bool is_positive = (value->over < 0) == (value->under < 0);
    return integer(value->over / value->under + (is_up && is_positive && rest != 0));
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
    return strcmp(name, "min") == 0 ? (is_less(b, a) ? *b : *a) : is_less(a, b) ? *b : *a;
}

static PlainValue subtract_to(const char *name, const PlainValue *a, const PlainValue *b)
{
    if (a->kind == PLAIN_ABSENT || b->kind == PLAIN_ABSENT) {
        return absent();
    }
    if (is_less(a, b)) {
        return strcmp(name, "sub0") == 0 ? integer(0) : absent();
    }
    return difference(a, b);
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
                : number(&arguments[0]) != 0      ? arguments[1]
                                                  : arguments[2];
    } else {
        value = arguments[count - 1];
        for (unsigned i = count - 1; i > 0; i--) {
            value = pick(name, &arguments[i - 1], &value);
        }
    }
    value.is_quotient = false;
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

/* Reading */

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
    const PlainValue value = is_real
                                 ? PlainReal(strtod(text, NULL))
                                 : integer((PlainInteger) strtoull(text, NULL, is_hex ? 16 : 10));
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
    const PlainValue zero = integer(0);
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
