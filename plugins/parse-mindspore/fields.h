/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_MINDSPORE_FIELDS_H
#define PARSE_MINDSPORE_FIELDS_H

/* Fields of lines, separated by blanks that are not within quotes. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Field {
    const char *text;
    size_t length;
} Field;

/* The next field of a line; `at` goes to its end. False: there is none. */
static inline bool FieldNext(const char **at, const char *end, Field *ret_field)
{
    const char *from = *at;
    const char *to;
    bool is_quoted = false;

    while (from < end && (*from == ' ' || *from == '\t' || *from == '\r' || *from == '\n')) {
        from++;
    }
    for (to = from; to < end && (is_quoted || (*to != ' ' && *to != '\t' && *to != '\r')); to++) {
        is_quoted ^= *to == '"';
    }
    *at = to;
    *ret_field = (Field){ from, (size_t) (to - from) };
    return to > from;
}

/* All fields of a line, `most` at most. */
static inline size_t FieldsSplit(const char *line, size_t length, Field *ret_fields, size_t most)
{
    const char *at = line;
    size_t count = 0;

    while (count < most && FieldNext(&at, line + length, &ret_fields[count])) {
        count++;
    }
    return count;
}

/* Decimal digits that fill the field. */
static inline bool FieldNumber(const Field *field, uint64_t *ret_value)
{
    uint64_t value = 0;

    for (size_t i = 0; i < field->length; i++) {
        const unsigned digit = (unsigned char) field->text[i] - (unsigned) '0';

        if (digit > 9 || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, digit, &value)) {
            return false;
        }
    }
    *ret_value = value;
    return field->length > 0;
}

#endif
