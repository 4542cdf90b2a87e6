/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads JSON with unsigned 64-bit integers, which jansson refuses. Tested by
 * tests/plugins/collect-kineto/test_values.
 */
#include "collect-kineto/text/wide_json.h"

#include <inttypes.h>
#include <opprof/json.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDE_DIGITS_MIN 19 /* of 2^63 */
#define WIDE_DIGITS_MAX 20 /* of 2^64 - 1 */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Digits from `at` on that are all of an integer from 2^63 on; their end, NULL if they are
 * something else. */
static const char *read_wide(const char *at, const char *end, uint64_t *ret_value)
{
    const char *from = at;

    *ret_value = 0;
    for (; at < end && is_digit(*at); at++) {
        if (__builtin_mul_overflow(*ret_value, UINT64_C(10), ret_value) ||
            __builtin_add_overflow(*ret_value, (uint64_t) (*at - '0'), ret_value)) {
            return NULL;
        }
    }
    return at - from < WIDE_DIGITS_MIN || *from == '0' || *ret_value <= INT64_MAX ||
                   (at < end && strchr(".eE", *at) != NULL)
               ? NULL
               : at;
}

/* The end of a string from its opening quote on. */
static const char *string_end(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++) {
        at += *at == '\\' && at + 1 < end;
    }
    return at < end ? at + 1 : end;
}

/* The end of what begins at `at`: a string, a number or a byte. */
static const char *piece_end(const char *at, const char *end)
{
    if (*at == '"') {
        return string_end(at, end);
    }
    do {
        at++;
    } while (at < end && (is_digit(*at) || strchr("+-.eE", *at) != NULL) &&
             (is_digit(at[-1]) || strchr("+-.eE", at[-1]) != NULL));
    return at;
}

/* Copies the text with wide integers as negative ones, each at most a byte longer. Returns the
 * copy's length, 0 if it has none of them. */
static size_t narrow(const char *text, size_t length, char *out)
{
    const char *const end = text + length;
    char *to = out;
    bool is_any = false;

    for (const char *at = text; at < end;) {
        uint64_t value;
        const char *after = is_digit(*at) ? read_wide(at, end, &value) : NULL;

        if (after != NULL) {
            to += snprintf(to, WIDE_DIGITS_MAX + 1, "%" PRId64, (int64_t) value);
            is_any = true;
        } else {
            after = piece_end(at, end);
            to = (char *) memcpy(to, at, (size_t) (after - at)) + (after - at);
        }
        at = after;
    }
    return is_any ? (size_t) (to - out) : 0;
}

json_t *WideJsonValue(const char *text, size_t length)
{
    json_t *value = OpprofJsonValue(text, length, JSON_REJECT_DUPLICATES);
    char *copy =
        value != NULL ? NULL : malloc(length + length / WIDE_DIGITS_MIN + WIDE_DIGITS_MAX + 1);
    const size_t copied = copy == NULL ? 0 : narrow(text, length, copy);

    if (copied > 0) {
        value = OpprofJsonValue(copy, copied, JSON_REJECT_DUPLICATES);
    }
    free(copy);
    return value;
}
