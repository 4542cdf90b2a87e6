/* SPDX-License-Identifier: Apache-2.0 */
/* Parses lines of memory transfer engines. Tested by tests/plugins/parse-mte/test_line.c. */
#include "line.h"
#include <opprof/record.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* All of [at, end) as a decimal number; OPPROF_NA_U64: it is not one, or does not fit. */
static uint64_t number_of(const char *at, const char *end)
{
    uint64_t value = 0;

    if (at >= end) {
        return OPPROF_NA_U64;
    }
    for (; at < end; at++) {
        if (!is_digit(*at) || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t) (*at - '0'), &value)) {
            return OPPROF_NA_U64;
        }
    }
    return value;
}

/* ---- interfaces ---- */

static bool ends_with(const char *at, const char *end, const char *text)
{
    const size_t length = strlen(text);

    return (size_t) (end - at) >= length && memcmp(end - length, text, length) == 0;
}

/* The last occurrence of a text in [at, end), NULL if none. */
static const char *last_place(const char *at, const char *end, const char *text)
{
    for (; end > at; end--) {
        if (ends_with(at, end, text)) {
            return end - strlen(text);
        }
    }
    return NULL;
}

/* The text of a list that ends at `end`; NULL: none does. */
static const char *way_of(const OpprofFact *ways, const char *at, const char *end)
{
    for (size_t i = 0; i < OpprofFactCount(ways); i++) {
        const char *way = OpprofFactText(OpprofFactAt(ways, i));

        if (way != NULL && ends_with(at, end, way)) {
            return way;
        }
    }
    return NULL;
}

/* A unit and a way that end at `tail`. */
static bool take_unit(const MteFacts *facts, const char *unit, const char *tail, MteLine *line)
{
    const char *writes = way_of(facts->writes, unit, tail);
    const char *way = writes != NULL ? writes : way_of(facts->reads, unit, tail);

    line->unit = unit;
    line->is_write = writes != NULL;
    if (way != NULL) {
        line->unit_length = (size_t) (tail - unit) - strlen(way);
    }
    return way != NULL;
}

/* Unit and direction from an interface's name. */
static bool read_interface(const MteFacts *facts, const char *at, const char *end, MteLine *line)
{
    const char *unit = NULL;
    const char *tail;

    if (facts->end == NULL) {
        return false;
    }
    if (ends_with(at, end, facts->end)) {
        return take_unit(facts, at, end - strlen(facts->end), line);
    }
    tail = facts->inside == NULL ? NULL : last_place(at, end, facts->inside);
    if (tail == NULL) {
        return false;
    }
    unit = facts->separator == NULL ? NULL : last_place(at, tail, facts->separator);
    return take_unit(facts, unit == NULL ? at : unit + strlen(facts->separator), tail, line);
}

/* ---- pairs ---- */

typedef struct Numbers {
    uint64_t of[MTE_NUMBERS][MTE_KEYS];
    bool is_spoilt[MTE_NUMBERS]; /* the value of its key is not a number */
} Numbers;

static void take_number(const MteFacts *facts, const char *key, size_t length, uint64_t value,
                        Numbers *numbers)
{
    for (unsigned number = 0; number < MTE_NUMBERS; number++) {
        for (unsigned i = 0; i < MTE_KEYS && facts->keys[number][i] != NULL; i++) {
            const char *wanted = facts->keys[number][i];

            if (strlen(wanted) == length && memcmp(wanted, key, length) == 0) {
                numbers->of[number][i] = value;
                numbers->is_spoilt[number] |= value == OPPROF_NA_U64;
                return;
            }
        }
    }
}

/* Key and value around a colon. The value begins after one more character. */
static void take_pair(const MteFacts *facts, const char *from, const char *colon, const char *end,
                      Numbers *numbers)
{
    const char *key = colon;
    const char *value = end - colon >= 2 ? colon + 2 : end;

    while (key > from && key[-1] != ' ' && key[-1] != ',') {
        key--;
    }
    take_number(facts, key, (size_t) (colon - key), number_of(value, end), numbers);
}

/* False: the rest is not a pair. */
static bool read_pairs(const MteFacts *facts, const char *at, const char *end, Numbers *numbers)
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
        take_pair(facts, at, colon, value_end, numbers);
        at = comma == NULL ? end : comma + 1;
    }
    return true;
}

/* ---- lines ---- */

/* The first of a number's keys that exists, or its field. */
static uint64_t pick(const Numbers *numbers, MteNumber number, const OpprofFormValue *field)
{
    if (field->text != NULL) {
        return field->number;
    }
    for (unsigned i = 0; i < MTE_KEYS; i++) {
        if (numbers->of[number][i] != OPPROF_NA_U64) {
            return numbers->of[number][i];
        }
    }
    return OPPROF_NA_U64;
}

static bool is_one_of(const OpprofFact *ways, const OpprofFormValue *way)
{
    const char *found = way->text == NULL ? NULL : way_of(ways, way->text, way->text + way->length);

    return found != NULL && strlen(found) == way->length;
}

/* Unit and direction, from the interface or from fields of their own. */
static bool read_way(const MteFacts *facts, const OpprofFormValue *values, MteLine *line)
{
    const OpprofFormValue *interface = &values[MTE_INTERFACE];

    if (interface->text != NULL) {
        return read_interface(facts, interface->text, interface->text + interface->length, line);
    }
    line->unit = values[MTE_UNIT].text;
    line->unit_length = values[MTE_UNIT].length;
    line->is_write = is_one_of(facts->writes, &values[MTE_WAY]);
    return line->unit != NULL && (line->is_write || is_one_of(facts->reads, &values[MTE_WAY]));
}

/* A key of instructions with its colon: what has it is of an instruction. */
static bool names_instruction(const MteFacts *facts, const char *at, const char *end)
{
    for (unsigned i = 0; i < MTE_KEYS && facts->keys[MTE_NUMBER_INSTRUCTION][i] != NULL; i++) {
        const char *key = facts->keys[MTE_NUMBER_INSTRUCTION][i];
        const char *found = memmem(at, (size_t) (end - at), key, strlen(key));

        if (found != NULL && found + strlen(key) < end && found[strlen(key)] == ':') {
            return true;
        }
    }
    return false;
}

static MteKind read_values(const MteFacts *facts, const OpprofFormValue *values, MteLine *line)
{
    const OpprofFormValue *pairs = &values[MTE_PAIRS];
    const char *pairs_end = pairs->text == NULL ? NULL : pairs->text + pairs->length;
    Numbers numbers = { .is_spoilt = { false } };

    memset(numbers.of, 0xff, sizeof numbers.of); /* OPPROF_NA_U64 */
    if (!read_way(facts, values, line)) {
        return MTE_LINE_OTHER;
    }
    if (pairs->text != NULL && !read_pairs(facts, pairs->text, pairs_end, &numbers)) {
        return names_instruction(facts, pairs->text, pairs_end) ? MTE_LINE_SPOILT : MTE_LINE_OTHER;
    }
    line->tick = values[MTE_TICK].number;
    line->instruction_id = pick(&numbers, MTE_NUMBER_INSTRUCTION, &values[MTE_INSTRUCTION]);
    line->request_id = pick(&numbers, MTE_NUMBER_REQUEST, &values[MTE_REQUEST]);
    line->size = pick(&numbers, MTE_NUMBER_SIZE, &values[MTE_SIZE]);
    if ((line->instruction_id == OPPROF_NA_U64 && numbers.is_spoilt[MTE_NUMBER_INSTRUCTION]) ||
        (line->request_id == OPPROF_NA_U64 && numbers.is_spoilt[MTE_NUMBER_REQUEST]) ||
        (line->size == OPPROF_NA_U64 && numbers.is_spoilt[MTE_NUMBER_SIZE])) {
        return MTE_LINE_SPOILT;
    }
    return line->instruction_id != OPPROF_NA_U64 ? MTE_LINE_REQUEST : MTE_LINE_OTHER;
}

MteKind MteLineParse(const MteFacts *facts, const char *text, size_t length, MteLine *ret_line)
{
    OpprofFormValue values[MTE_FIELDS];

    for (uint32_t i = 0; i < facts->form_count; i++) {
        if (OpprofFormMatch(facts->forms[i], text, length, values)) {
            return read_values(facts, values, ret_line);
        }
    }
    return names_instruction(facts, text, text + length) ? MTE_LINE_SPOILT : MTE_LINE_OTHER;
}
