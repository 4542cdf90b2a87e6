/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers of JSON text, without passing through a double. Tested by
 * tests/plugins/collect-kineto/test_values.
 */
#include "collect-kineto/text/number.h"

#include <locale.h>
#include <math.h>
#include <opprof/kit/bytes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define EXPONENT_MAX 100000
#define WORD_DIGITS 8      /* that are read at once */
#define PLAIN_DIGITS 18    /* of integers: these always fit 64 bits */
#define ORDINARY_DIGITS 16 /* of whole microseconds: these and three more fit 64 bits */
#define NUMBER_FRACTION_BYTES 4
#define NUMBER_TIME_BYTES (ORDINARY_DIGITS + NUMBER_FRACTION_BYTES)
#define EXACT_DIGITS 15u    /* of a double, with the point */
#define DOUBLE_TEXT_MAX 64u /* longer ones are not measurements */

/* A decimal number: digits with at most one point between them, times a power of ten. */
typedef struct Decimal {
    const char *digits;
    size_t length;   /* of digits and point */
    int64_t integer; /* digits before the point */
    int32_t exponent;
    bool is_negative;
} Decimal;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool are_digits(uint64_t word)
{
    const uint64_t high = UINT64_C(0xf0f0f0f0f0f0f0f0);
    const uint64_t zeros = UINT64_C(0x3030303030303030);

    return (word & high) == zeros && ((word + UINT64_C(0x0606060606060606)) & high) == zeros;
}

/* The number of eight digits: pairs of them, then pairs of those, side by side. */
static uint64_t word_value(uint64_t word)
{
    word -= UINT64_C(0x3030303030303030);
    word = word * 10 + (word >> 8);
    return ((word & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x000f424000000064) +
            ((word >> 16) & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x0000271000000001)) >>
           32;
}

/* Digits from `at` on, read into a value that wraps; returns the byte after them. */
static inline const char *read_digits(const char *at, const char *end, uint64_t *value)
{
    while (end - at >= WORD_DIGITS) {
        const uint64_t word = OpprofLoadLe64(at);

        if (!are_digits(word)) {
            break;
        }
        *value = *value * 100000000 + word_value(word);
        at += WORD_DIGITS;
    }
    while (at < end && is_digit(*at)) {
        *value = *value * 10 + (uint64_t) (*at++ - '0');
    }
    return at;
}

/* 'e' with sign and digits, all of [at, end). */
static bool read_exponent(const char *at, const char *end, int32_t *ret_exponent)
{
    bool is_negative = false;
    int32_t value = 0;

    at++;
    if (at < end && (*at == '+' || *at == '-')) {
        is_negative = *at == '-';
        at++;
    }
    if (at == end) {
        return false;
    }
    for (; at < end; at++) {
        if (!is_digit(*at)) {
            return false;
        }
        value = value < EXPONENT_MAX ? value * 10 + (*at - '0') : value;
    }
    *ret_exponent = is_negative ? -value : value;
    return true;
}

static bool split(const char *text, size_t length, Decimal *ret)
{
    const char *at = text;
    const char *const end = text + length;

    ret->is_negative = at < end && *at == '-';
    at += ret->is_negative;
    ret->digits = at;
    while (at < end && is_digit(*at)) {
        at++;
    }
    ret->integer = at - ret->digits;
    ret->exponent = 0;
    if (ret->integer == 0) {
        return false;
    }
    if (at < end && *at == '.') {
        const char *const fraction = ++at;

        while (at < end && is_digit(*at)) {
            at++;
        }
        if (at == fraction) {
            return false;
        }
    }
    ret->length = (size_t) (at - ret->digits);
    return at == end || ((*at == 'e' || *at == 'E') && read_exponent(at, end, &ret->exponent));
}

static bool append_digit(uint64_t *value, unsigned digit)
{
    return !__builtin_mul_overflow(*value, UINT64_C(10), value) &&
           !__builtin_add_overflow(*value, (uint64_t) digit, value);
}

/* The first `places` digits as an integer, the others rounded half to even. */
static bool round_to(const Decimal *decimal, int64_t places, uint64_t *ret_value)
{
    uint64_t value = 0;
    unsigned next = 0; /* first digit that is rounded away */
    bool is_more = false;
    int64_t seen = 0;

    for (size_t i = 0; i < decimal->length; i++) {
        const unsigned digit = (unsigned) (decimal->digits[i] - '0');

        if (decimal->digits[i] == '.') {
            continue;
        }
        if (seen < places && !append_digit(&value, digit)) {
            return false;
        }
        next = seen == places ? digit : next;
        is_more |= seen > places && digit != 0;
        seen++;
    }
    for (; seen < places && value != 0; seen++) {
        if (!append_digit(&value, 0)) {
            return false;
        }
    }
    if (value >= INT64_MAX) {
        return false;
    }
    if (next > 5 || (next == 5 && (is_more || (value & 1) != 0))) {
        value++;
    }
    *ret_value = value;
    return true;
}

/*
 * A short case: up to ORDINARY_DIGITS and a fraction of up to three. Its nanoseconds, or more than
 * INT64_MAX if it is not that.
 */
static uint64_t read_short(const char *text, size_t length)
{
    const char *at = text;
    const char *const end = text + length;
    uint64_t value = 0;
    unsigned missing = 3;

    at = read_digits(at, end, &value);
    if (at == text || at - text > ORDINARY_DIGITS) {
        return UINT64_MAX;
    }
    if (at + 1 < end && *at == '.') {
        for (at++; at < end && missing > 0 && is_digit(*at); missing--) {
            value = value * 10 + (uint64_t) (*at++ - '0');
        }
    }
    for (; missing > 0; missing--) {
        value *= 10;
    }
    return at == end ? value : UINT64_MAX;
}

/* A point and three digits, as most writers have them; UINT32_MAX if it is something else. */
static unsigned read_thousandths(const char *at)
{
    const uint32_t word = OpprofLoadLe32(at);

    if ((word & 0xf0f0f0ffu) != 0x30303000u + '.' ||
        ((word + 0x06060600u) & 0xf0f0f000u) != 0x30303000u) {
        return UINT32_MAX;
    }
    return (word >> 8 & 15) * 100 + (word >> 16 & 15) * 10 + (word >> 24 & 15);
}

const char *NumberReadTime(const char *at, const char *end, int64_t *ret_value)
{
    const char *point;
    uint64_t value = 0;
    unsigned thousandths;

    if (end - at < NUMBER_TIME_BYTES) {
        return NULL;
    }
    point = read_digits(at, at + ORDINARY_DIGITS, &value);
    thousandths = read_thousandths(point);
    if (point == at || thousandths >= 1000) {
        return NULL;
    }
    value = value * 1000 + thousandths;
    if (value > INT64_MAX) {
        return NULL;
    }
    *ret_value = (int64_t) value;
    return point + NUMBER_FRACTION_BYTES;
}

bool NumberNanoseconds(const char *text, size_t length, int64_t *ret_value)
{
    Decimal decimal;
    uint64_t value = read_short(text, length);

    if (value <= INT64_MAX) {
        *ret_value = (int64_t) value;
        return true;
    }
    if (!split(text, length, &decimal) ||
        !round_to(&decimal, decimal.integer + decimal.exponent + 3, &value)) {
        return false;
    }
    *ret_value = decimal.is_negative ? -(int64_t) value : (int64_t) value;
    return true;
}

bool NumberInteger(const char *text, size_t length, int64_t *ret_value)
{
    Decimal decimal;
    uint64_t value = 0;

    if (length - 1 < PLAIN_DIGITS && read_digits(text, text + length, &value) == text + length) {
        *ret_value = (int64_t) value;
        return true;
    }
    if (!split(text, length, &decimal) || decimal.digits + decimal.integer != text + length ||
        !round_to(&decimal, decimal.integer, &value)) {
        return false;
    }
    *ret_value = decimal.is_negative ? -(int64_t) value : (int64_t) value;
    return true;
}

/*
 * A double without an exponent of few digits: as many as it holds exactly, over a power of ten that
 * it also holds exactly, so that the quotient is the nearest one. False: it has more.
 */
static bool read_few_digits(const Decimal *decimal, double *ret_value)
{
    static const double powers[] = { 1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                     1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15 };
    const char *const end = decimal->digits + decimal->length;
    uint64_t value = 0;
    const char *at;

    if (decimal->exponent != 0 || decimal->length > EXACT_DIGITS) {
        return false;
    }
    at = read_digits(decimal->digits, end, &value);
    if (at < end) {
        read_digits(at + 1, end, &value);
    }
    *ret_value = (double) value / powers[at < end ? end - at - 1 : 0];
    *ret_value = decimal->is_negative ? -*ret_value : *ret_value;
    return true;
}

/* strtod depends on the decimal point of the user's language; JSON does not. */
static locale_t c_locale;
static pthread_once_t c_locale_once = PTHREAD_ONCE_INIT;

static void make_c_locale(void)
{
    c_locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t) 0);
}

bool NumberDouble(const char *text, size_t length, double *ret_value)
{
    char buffer[DOUBLE_TEXT_MAX + 1];
    Decimal decimal;
    double value;

    if (length > DOUBLE_TEXT_MAX || !split(text, length, &decimal)) {
        return false;
    }
    if (read_few_digits(&decimal, ret_value)) {
        return true;
    }
    pthread_once(&c_locale_once, make_c_locale);
    if (c_locale == (locale_t) 0) {
        return false;
    }
    memcpy(buffer, text, length);
    buffer[length] = '\0';
    value = strtod_l(buffer, NULL, c_locale);
    if (!isfinite(value)) {
        return false;
    }
    *ret_value = value;
    return true;
}
