/* SPDX-License-Identifier: Apache-2.0 */
/* Takes lines of memory transfer engines apart. */
#include "line.h"
#include <opprof/record.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* All of [at, end) as a decimal number; false: it is not one, or does not fit. */
static bool read_number(const char *at, const char *end, uint64_t *ret_value)
{
    uint64_t value = 0;

    if (at >= end) {
        return false;
    }
    for (; at < end; at++) {
        if (!is_digit(*at) || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t) (*at - '0'), &value)) {
            return false;
        }
    }
    *ret_value = value;
    return value != OPPROF_NA_U64;
}

/* The last "IF." in [at, end), NULL if none. */
static const char *last_interface(const char *at, const char *end)
{
    for (const char *from = end - 3; from >= at; from--) {
        if (memcmp(from, "IF.", 3) == 0) {
            return from;
        }
    }
    return NULL;
}

/* Unit and direction from an interface's name. */
static bool read_interface(const char *at, const char *end, MteLine *line)
{
    const char *unit = at;
    const char *tail = end - 2;

    if (end - at < 3) {
        return false;
    }
    if (memcmp(tail, "IF", 2) != 0) {
        tail = last_interface(at, end);
        if (tail == NULL || tail == at) {
            return false;
        }
        unit = memrchr(at, '.', (size_t) (tail - at));
        unit = unit == NULL ? at : unit + 1;
    }
    if (tail - 1 < unit || (tail[-1] != 'R' && tail[-1] != 'W')) {
        return false;
    }
    line->unit = unit;
    line->unit_length = (size_t) (tail - 1 - unit);
    line->is_write = tail[-1] == 'W';
    return true;
}

/* What the list tells; numbers are absent at first. */
typedef struct Numbers {
    uint64_t size, instruction_id, request_id, group_id;
} Numbers;

static uint64_t *member(Numbers *numbers, const char *key, size_t length)
{
    if (length == 4 && memcmp(key, "size", 4) == 0) {
        return &numbers->size;
    }
    if (length == 8 && memcmp(key, "instr_id", 8) == 0) {
        return &numbers->instruction_id;
    }
    if (length == 6 && memcmp(key, "req_id", 6) == 0) {
        return &numbers->request_id;
    }
    return length == 3 && memcmp(key, "gid", 3) == 0 ? &numbers->group_id : NULL;
}

/* Key and value around a colon. The value begins after one more character. */
static void take_pair(Numbers *numbers, const char *from, const char *colon, const char *end)
{
    const char *key = colon;
    const char *value = end - colon >= 2 ? colon + 2 : end;
    uint64_t *number;
    uint64_t read;

    while (key > from && key[-1] != ' ' && key[-1] != ',') {
        key--;
    }
    number = member(numbers, key, (size_t) (colon - key));
    if (number == NULL) {
        return;
    }
    *number = read_number(value, end, &read) ? read : OPPROF_NA_U64;
}

/* False: text is left that is not a pair. */
static bool read_list(const char *at, const char *end, Numbers *numbers)
{
    while (at < end) {
        const char *colon = memchr(at, ':', (size_t) (end - at));
        const char *comma;
        const char *value_end;

        if (colon == NULL) {
            return false;
        }
        comma = memchr(colon, ',', (size_t) (end - colon));
        value_end = comma == NULL ? end : comma;
        if (comma == NULL && value_end[-1] == '.') {
            value_end--;
        }
        take_pair(numbers, at, colon, value_end);
        at = comma == NULL ? end : comma + 1;
    }
    return true;
}

bool MteLineParse(const char *text, size_t length, MteLine *ret_line)
{
    static const char head[] = "[info] ";
    const char *end = text + length;
    const char *at = text + sizeof head - 1;
    const char *colon, *blank;
    Numbers numbers = { OPPROF_NA_U64, OPPROF_NA_U64, OPPROF_NA_U64, OPPROF_NA_U64 };

    if (length < sizeof head || memcmp(text, head, sizeof head - 1) != 0) {
        return false;
    }
    colon = memchr(at, ':', (size_t) (end - at));
    if (colon == NULL || !read_number(at, colon, &ret_line->tick) || end - colon < 2 ||
        colon[1] != ' ') {
        return false;
    }
    at = colon + 2;
    blank = memchr(at, ' ', (size_t) (end - at));
    if (blank == NULL || !read_interface(at, blank, ret_line) ||
        !read_list(blank + 1, end, &numbers)) {
        return false;
    }
    ret_line->instruction_id = numbers.instruction_id;
    ret_line->request_id =
        numbers.request_id != OPPROF_NA_U64 ? numbers.request_id : numbers.group_id;
    ret_line->size = numbers.size;
    return ret_line->instruction_id != OPPROF_NA_U64;
}
