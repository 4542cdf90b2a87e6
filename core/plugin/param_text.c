/* SPDX-License-Identifier: Apache-2.0 */
/* Parameter values as people type and read them, the same in every locale. */
#include "plugin/param_text.h"

#include "base/problems.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <opprof/plugin.h>
#include <opprof/text.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct Unit {
    const char *name;
    int64_t factor;
} Unit;

/*
 * Largest first among those that divide evenly, for printing; the decimal ones come after the
 * binary ones.
 */
static const Unit size_units[] = {
    { "TiB", INT64_C(1) << 40 },
    { "GiB", INT64_C(1) << 30 },
    { "MiB", INT64_C(1) << 20 },
    { "KiB", INT64_C(1) << 10 },
    { "TB", 1000000000000 },
    { "GB", 1000000000 },
    { "MB", 1000000 },
    { "kB", 1000 },
    { "B", 1 },
};
static const Unit duration_units[] = {
    { "h", 3600000000000 }, { "min", 60000000000 }, { "s", 1000000000 },
    { "ms", 1000000 },      { "us", 1000 },         { "ns", 1 },
};

/* whole * factor + fraction * factor / scale, where that is a whole number. */
static Parse scale_number(uint64_t whole, uint64_t fraction, uint64_t scale, int64_t factor,
                          int64_t *ret_value)
{
    unsigned __int128 rest = (unsigned __int128) fraction * (uint64_t) factor;
    unsigned __int128 value = (unsigned __int128) whole * (uint64_t) factor + rest / scale;

    if (rest % scale != 0) {
        return PARSE_BAD;
    }
    if (value > INT64_MAX) {
        return PARSE_LARGE;
    }
    *ret_value = (int64_t) value;
    return PARSE_OK;
}

/*
 * Digits from *text on; moves *text past them. *ret_scale: ten to the power of how many there
 * were.
 */
static Parse take_digits(const char **text, uint64_t *ret_value, uint64_t *ret_scale)
{
    const char *start = *text;
    uint64_t value = 0;
    uint64_t scale = 1;

    for (; isdigit((unsigned char) **text); (*text)++) {
        if (*text - start == 19) {
            return PARSE_LARGE;
        }
        value = value * 10 + (uint64_t) (**text - '0');
        scale *= 10;
    }
    *ret_value = value;
    *ret_scale = scale;
    return *text != start ? PARSE_OK : PARSE_BAD;
}

/* bare_factor: what a number without a unit counts; 0: it is refused. */
static Parse parse_quantity(const char *text, const Unit *units, size_t unit_count,
                            int64_t bare_factor, int64_t *ret_value)
{
    uint64_t whole;
    uint64_t fraction = 0;
    uint64_t scale;
    Parse parse = take_digits(&text, &whole, &scale);

    scale = 1;
    if (parse == PARSE_OK && *text == '.') {
        text++;
        parse = take_digits(&text, &fraction, &scale);
    }
    if (parse != PARSE_OK) {
        return parse;
    }
    if (*text == '\0') {
        return bare_factor != 0 ? scale_number(whole, fraction, scale, bare_factor, ret_value)
                                : PARSE_BAD;
    }
    text += *text == ' ' ? 1 : 0;
    for (size_t i = 0; i < unit_count; i++) {
        if (strcasecmp(text, units[i].name) == 0) {
            return scale_number(whole, fraction, scale, units[i].factor, ret_value);
        }
    }
    return PARSE_BAD;
}

Parse ParseSize(const char *text, int64_t *ret_bytes)
{
    return parse_quantity(text, size_units, OPPROF_COUNT(size_units), 1, ret_bytes);
}

Parse ParseDuration(const char *text, int64_t *ret_ns)
{
    return parse_quantity(text, duration_units, OPPROF_COUNT(duration_units), 0, ret_ns);
}

Parse ParseInteger(const char *text, int64_t *ret_value)
{
    const char *digits = text + (*text == '-' || *text == '+' ? 1 : 0);
    bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    long long value;
    char *end;

    /* strtoll alone would take leading blanks */
    if (!isdigit((unsigned char) *digits)) {
        return PARSE_BAD;
    }
    errno = 0;
    value = strtoll(text, &end, hex ? 16 : 10);
    if (*end != '\0') {
        return PARSE_BAD;
    }
    if (errno != 0) {
        return PARSE_LARGE;
    }
    *ret_value = value;
    return PARSE_OK;
}

Parse ParseNumber(const char *text, double *ret_value)
{
    locale_t c_locale;
    double value;
    char *end;

    /* neither "nan" and "inf" nor blanks and hexadecimal numbers */
    if (*text == '\0' || text[strspn(text, "0123456789.eE+-")] != '\0') {
        return PARSE_BAD;
    }
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t) 0);
    if (c_locale == (locale_t) 0) {
        return PARSE_BAD;
    }
    value = strtod_l(text, &end, c_locale);
    freelocale(c_locale);
    if (*end != '\0') {
        return PARSE_BAD;
    }
    if (!isfinite(value)) {
        return PARSE_LARGE;
    }
    *ret_value = value;
    return PARSE_OK;
}

Parse ParseTruth(const char *text, bool *ret_value)
{
    static const char *const words[] = { "false", "true", "no", "yes", "off", "on", "0", "1" };

    for (size_t i = 0; i < OPPROF_COUNT(words); i++) {
        if (strcasecmp(text, words[i]) == 0) {
            *ret_value = i % 2 == 1;
            return PARSE_OK;
        }
    }
    return PARSE_BAD;
}

/* The value in the largest unit that divides it: "64MiB". */
static char *quantity_text(int64_t value, const Unit *units, size_t unit_count)
{
    size_t i = 0;

    while (i + 1 < unit_count && (value == 0 || value % units[i].factor != 0)) {
        i++;
    }
    return ProblemText("%" PRId64 "%s", value / units[i].factor, units[i].name);
}

char *ShowNumber(double value)
{
    char text[OPPROF_TEXT_NUMBER + 1];
    size_t length = (size_t) (OpprofTextPutF64(text, value) - text);

    if (length > 2 && memcmp(text + length - 2, ".0", 2) == 0) {
        length -= 2;
    }
    return strndup(text, length);
}

char *ShowSize(int64_t bytes)
{
    return quantity_text(bytes, size_units, OPPROF_COUNT(size_units));
}

char *ShowDuration(int64_t ns)
{
    return quantity_text(ns, duration_units, OPPROF_COUNT(duration_units));
}
