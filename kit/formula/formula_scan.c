/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The smallest pieces of a formula: blanks, tokens, numbers, names, and messages with their column.
 * Tested by tests/kit/formula/test_formula.
 */
#include "kit/formula/formula.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Significant digits of a real: a double holds any such number exactly enough. */
#define MAX_DIGITS 15u
#define MAX_INTEGER (UINT64_C(1) << 53) /* up to it a double is every integer */
#define MAX_EXPONENT 22                 /* powers of ten that are exact doubles */

/* ---- messages ---- */

OpprofStatus ParserFail(const Parser *parser, OpprofStatus status, size_t at, const char *format,
                        ...)
{
    char reason[512];
    va_list args;

    va_start(args, format);
    if (vsnprintf(reason, sizeof reason, format, args) < 0) {
        reason[0] = '\0';
    }
    va_end(args);
    return OpprofErrorSet(parser->program->error, status, "Formula '%s', column %zu: %s",
                          parser->name, at + 1, reason);
}

OpprofStatus ParserNoMemory(const Parser *parser)
{
    return OpprofErrorNoMemory(parser->program->error, "compile the formula '%s'", parser->name);
}

/* ---- tokens and numbers ---- */

void ParserSkipBlanks(Parser *parser)
{
    for (int next = ParserPeek(parser); next == ' ' || next == '\t' || next == '\n';
         next = ParserPeek(parser)) {
        parser->at++;
    }
}

bool ParserSees(const Parser *parser, const char *token)
{
    if (ParserPeek(parser) != token[0]) {
        return false; /* as most */
    }
    const size_t length = strlen(token);
    return parser->length - parser->at >= length &&
           memcmp(parser->text + parser->at, token, length) == 0;
}

bool ParserTake(Parser *parser, const char *token)
{
    ParserSkipBlanks(parser);
    if (!ParserSees(parser, token)) {
        return false;
    }
    parser->at += strlen(token);
    return true;
}

OpprofStatus ParserUnexpected(const Parser *parser, const char *wanted)
{
    if (parser->at >= parser->length) {
        return PARSER_FAIL(parser, parser->at, "expected %s, found the end", wanted);
    }
    const int found = ParserPeek(parser);
    if (found < 0x20 || found > 0x7e) {
        return PARSER_FAIL(parser, parser->at, "expected %s, found byte 0x%02x", wanted,
                           (unsigned) found);
    }
    return PARSER_FAIL(parser, parser->at, "expected %s, found '%c'", wanted, found);
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

    for (int digit; (digit = digit_of(ParserPeek(parser), base)) >= 0; parser->at++) {
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

    if (ParserPeek(parser) != 'e' && ParserPeek(parser) != 'E') {
        return OPPROF_OK;
    }
    parser->at++;
    const bool is_negative = ParserPeek(parser) == '-';
    if (ParserPeek(parser) == '-' || ParserPeek(parser) == '+') {
        parser->at++;
    }
    const size_t start = parser->at;
    if (!read_digits(parser, 10, &value, &digits) || parser->at == start || value > MAX_EXPONENT) {
        return PARSER_FAIL(parser, start, "expected an exponent from 0 to %d", MAX_EXPONENT);
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

static OpprofStatus read_real(Parser *parser, size_t start, uint64_t mantissa, unsigned digits,
                              double *ret_value)
{
    int exponent = 0;

    if (ParserPeek(parser) == '.') {
        const size_t point = ++parser->at;
        read_digits(parser, 10, &mantissa, &digits);
        exponent = (int) point - (int) parser->at;
        if (exponent == 0) {
            return PARSER_FAIL(parser, point, "expected a digit after the point");
        }
    }
    const OpprofStatus status = read_exponent(parser, &exponent);
    if (status != OPPROF_OK) {
        return status;
    }
    if (digits > MAX_DIGITS || !scale(mantissa, exponent, ret_value)) {
        return PARSER_FAIL(parser, start,
                           "the number has more than %u digits or more than %d decimal places",
                           MAX_DIGITS, MAX_EXPONENT);
    }
    return OPPROF_OK;
}

static OpprofStatus read_integer(const Parser *parser, size_t start, uint64_t value, bool fits,
                                 Number *ret_number)
{
    if (parser->is_whole) {
        ret_number->whole = value;
        return fits ? OPPROF_OK : PARSER_FAIL(parser, start, "the number has more than 64 bits");
    }
    if (!fits || value > MAX_INTEGER) {
        return PARSER_FAIL(parser, start, "the integer is more than 2^53");
    }
    ret_number->real = (double) value;
    return OPPROF_OK;
}

OpprofStatus ParserReadNumber(Parser *parser, Number *ret_number, bool *ret_is_integer)
{
    const size_t start = parser->at;
    const bool is_hex = ParserTake(parser, "0x");
    const size_t first = parser->at;
    uint64_t value = 0;
    unsigned digits = 0;

    const bool fits = read_digits(parser, is_hex ? 16 : 10, &value, &digits);
    if (is_hex && parser->at == first) {
        return PARSER_FAIL(parser, start, "expected hexadecimal digits after 0x");
    }
    const int next = ParserPeek(parser);
    *ret_is_integer = is_hex || (next != '.' && next != 'e' && next != 'E');
    if (*ret_is_integer) {
        return read_integer(parser, start, value, fits, ret_number);
    }
    return parser->is_whole
               ? PARSER_FAIL(parser, start, "a whole number has no fraction and no exponent")
               : read_real(parser, start, value, digits, &ret_number->real);
}

bool ParserStartsNumber(const Parser *parser)
{
    return digit_of(ParserPeek(parser), 10) >= 0;
}

/* ---- names ---- */

static bool is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool continues_name(int c)
{
    return is_letter(c) || (c >= '0' && c <= '9') || c == '.';
}

bool ParserStartsName(const Parser *parser)
{
    return is_letter(ParserPeek(parser));
}

OpprofStatus ParserReadName(Parser *parser, char *name)
{
    const size_t start = parser->at;

    while (continues_name(ParserPeek(parser))) {
        parser->at++;
    }
    const size_t length = parser->at - start;
    if (length >= OPPROF_FORMULA_MAX_NAME) {
        return ParserFail(parser, OPPROF_E_LIMIT, start, "the name has more than %u letters",
                          OPPROF_FORMULA_MAX_NAME - 1);
    }
    memcpy(name, parser->text + start, length);
    name[length] = '\0';
    return OPPROF_OK;
}

OpprofStatus ParserReadKey(Parser *parser, char *key)
{
    ParserSkipBlanks(parser);
    const size_t start = parser->at;
    while (ParserPeek(parser) >= 0x20 && ParserPeek(parser) < 0x7f && ParserPeek(parser) != ')' &&
           ParserPeek(parser) != '(') {
        parser->at++;
    }
    size_t length = parser->at - start;
    if (ParserPeek(parser) != ')') {
        return ParserUnexpected(parser, "')'");
    }
    while (length > 0 && parser->text[start + length - 1] == ' ') {
        length--;
    }
    if (length == 0 || length >= OPPROF_FORMULA_MAX_NAME) {
        return PARSER_FAIL(parser, start, "expected a key of 1 to %u letters",
                           OPPROF_FORMULA_MAX_NAME - 1);
    }
    parser->at++;
    memcpy(key, parser->text + start, length);
    key[length] = '\0';
    return OPPROF_OK;
}
