/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the container of register liveness: nested elements, each with a tag, a length and a value.
 * Tested by tests/plugins/parse-dbi/test_counts.
 */
#include "liveness.h"

#include <opprof/grow.h>
#include <opprof/kit/bytes.h>

#include <stdlib.h>
#include <string.h>

enum {
    TAG_FILE,
    TAG_KINDS,
    TAG_TOTALS,
    TAG_INSTRUCTIONS,
    TAG_FUNCTIONS,
    TAG_NAMES,
    TAG_NAME,
    TAG_STARTS,
    TAG_RECORDS,
    TAG_RECORDS_OF_KIND,
    TAG_RECORD,
    TAG_ADDRESS,
    TAG_REGISTERS,
};

#define KINDS 4u
#define OPERATIONS 5u
#define NO_RUN UINT32_MAX

typedef struct Element {
    uint32_t tag;
    const unsigned char *value;
    size_t length;
} Element;

/* A file being read. */
typedef struct Reading {
    Liveness *out;
    const unsigned char *begin;
    const char *why; /* NULL: valid so far */
    size_t where;
    bool is_short; /* of memory */
    uint64_t instructions;
    uint64_t functions;
    uint32_t seen; /* bits of the top-level tags so far */
    size_t lists;  /* of records so far */
} Reading;

/* Remaining children of a value. */
typedef struct Children {
    const unsigned char *at;
    const unsigned char *end;
} Children;

static bool fail(Reading *reading, const unsigned char *at, const char *why)
{
    if (reading->why == NULL) {
        reading->why = why;
        reading->where = (size_t) (at - reading->begin);
    }
    return false;
}

static bool no_memory(Reading *reading)
{
    reading->is_short = true;
    return false;
}

static Children children_of(const Element *element)
{
    return (Children){ element->value, element->value + element->length };
}

/* The next child; false if none is left, or it is cut. */
static bool next(Reading *reading, Children *children, Element *ret_element)
{
    OpprofByteReader bytes =
        OpprofByteReaderInit(children->at, (size_t) (children->end - children->at));

    if (children->at == children->end) {
        return false;
    }
    ret_element->tag = OpprofByteReaderU32(&bytes);
    const uint64_t length = OpprofByteReaderU64(&bytes);
    if (!OpprofByteReaderOk(&bytes) || length > OpprofByteReaderLeft(&bytes)) {
        return fail(reading, children->at, "an element is longer than the one around it");
    }
    ret_element->length = (size_t) length;
    ret_element->value = children->at + bytes.position;
    children->at = ret_element->value + length;
    return true;
}

static bool take_kinds(Reading *reading, const Element *element)
{
    Liveness *out = reading->out;

    if (element->length % 4 != 0 || element->length / 4 > LIVENESS_MAX_KINDS) {
        return fail(reading, element->value, "the list of register types has a wrong length");
    }
    out->kind_count = element->length / 4;
    for (size_t i = 0; i < out->kind_count; i++) {
        out->kinds[i] = (LiveKind){ .kind = OpprofLoadLe32(element->value + 4 * i) };
        if (out->kinds[i].kind >= KINDS) {
            return fail(reading, element->value + 4 * i, "a register type is unknown");
        }
    }
    return true;
}

static bool take_totals(Reading *reading, const Element *element)
{
    Liveness *out = reading->out;

    if (element->length != 8 * out->kind_count) {
        return fail(reading, element->value, "register types and their numbers differ in count");
    }
    for (size_t i = 0; i < out->kind_count; i++) {
        out->kinds[i].total = OpprofLoadLe64(element->value + 8 * i);
    }
    return true;
}

static bool take_number(Reading *reading, const Element *element, uint64_t *ret_value)
{
    if (element->length != 8) {
        return fail(reading, element->value, "a number is not 8 bytes long");
    }
    *ret_value = OpprofLoadLe64(element->value);
    return true;
}

/* Room for the functions that the file counted, once a list has that many. */
static bool make_functions(Reading *reading, const Element *element)
{
    Liveness *out = reading->out;

    if (out->functions != NULL) {
        return out->function_count == reading->functions ||
               fail(reading, element->value, "functions are counted after the first list of them");
    }
    out->functions = calloc((size_t) reading->functions + 1, sizeof *out->functions);
    if (out->functions == NULL) {
        return no_memory(reading);
    }
    out->function_count = (size_t) reading->functions;
    for (size_t i = 0; i < out->function_count; i++) {
        out->functions[i].start = -1;
    }
    return true;
}

static bool count_names(Reading *reading, const Element *element)
{
    Children names = children_of(element);
    uint64_t count = 0;
    Element name;

    while (next(reading, &names, &name)) {
        if (name.tag != TAG_NAME || name.length == 0) {
            return fail(reading, name.value, "a function has no name");
        }
        count++;
    }
    return reading->why == NULL && (count == reading->functions ||
                                    fail(reading, element->value, "functions lack their names"));
}

static bool take_names(Reading *reading, const Element *element)
{
    Children names = children_of(element);
    Element name;

    if (!count_names(reading, element) || !make_functions(reading, element)) {
        return false;
    }
    for (size_t i = 0; next(reading, &names, &name); i++) {
        char *copy = strndup((const char *) name.value, name.length);
        if (copy == NULL) {
            return no_memory(reading);
        }
        reading->out->functions[i].name = copy;
    }
    return true;
}

static bool take_starts(Reading *reading, const Element *element)
{
    if (element->length % 8 != 0 || element->length / 8 != reading->functions) {
        return fail(reading, element->value, "functions lack their starts");
    }
    if (!make_functions(reading, element)) {
        return false;
    }
    for (size_t i = 0; i < reading->out->function_count; i++) {
        reading->out->functions[i].start = (int64_t) OpprofLoadLe64(element->value + 8 * i);
    }
    return true;
}

/* ---- records ---- */

static bool add_address(Reading *reading, const Element *element, size_t place)
{
    Liveness *out = reading->out;
    uint64_t address;

    if (!take_number(reading, element, &address)) {
        return false;
    }
    if (reading->lists > 0) {
        return out->addresses[place] == address ||
               fail(reading, element->value, "register types disagree about an address");
    }
    out->addresses[place] = address;
    return true;
}

static bool add_registers(Reading *reading, const Element *element, uint32_t kind, size_t place)
{
    Liveness *out = reading->out;
    const size_t count = element->length / 4;

    if (element->length % 4 != 0) {
        return fail(reading, element->value, "a list of registers has a wrong length");
    }
    if (!OpprofGrow(&out->registers, &out->register_capacity, out->register_count + count + 1,
                    sizeof *out->registers)) {
        return no_memory(reading);
    }
    for (size_t i = 0; i < count; i++) {
        const unsigned char *at = element->value + 4 * i;
        const LiveRegister one = { .index = OpprofLoadLe16(at),
                                   .operation = OpprofLoadLe16(at + 2),
                                   .kind = kind,
                                   .place = (uint32_t) place };
        if (one.operation >= OPERATIONS) {
            return fail(reading, at, "a register's operation is unknown");
        }
        out->registers[out->register_count++] = one;
    }
    return true;
}

static bool take_record(Reading *reading, const Element *element, uint32_t kind, size_t place)
{
    Children children = children_of(element);
    unsigned addresses = 0;
    unsigned lists = 0;
    Element child;

    while (next(reading, &children, &child)) {
        bool is_good = false;
        if (child.tag == TAG_ADDRESS) {
            is_good = add_address(reading, &child, place);
            addresses++;
        } else if (child.tag == TAG_REGISTERS) {
            is_good = add_registers(reading, &child, kind, place);
            lists++;
        } else {
            fail(reading, child.value, "a tag is unknown");
        }
        if (!is_good) {
            return false;
        }
    }
    return reading->why == NULL &&
           ((addresses == 1 && lists == 1) ||
            fail(reading, element->value, "an instruction lacks its address or its registers"));
}

static bool take_list(Reading *reading, const Element *element, uint32_t kind)
{
    Children children = children_of(element);
    size_t place = 0;
    Element child;

    for (; next(reading, &children, &child); place++) {
        if (child.tag != TAG_RECORD || place == reading->instructions) {
            return fail(reading, child.value, "there are more instructions than were counted");
        }
        if (!take_record(reading, &child, kind, place)) {
            return false;
        }
    }
    return reading->why == NULL &&
           (place == reading->instructions ||
            fail(reading, element->value, "there are fewer instructions than were counted"));
}

static bool take_records(Reading *reading, const Element *element)
{
    Children children = children_of(element);
    Element child;

    /* An instruction takes at least 36 bytes, so a false count cannot make us
     * allocate much memory. */
    if (reading->instructions > element->length / 36 || reading->instructions > UINT32_MAX) {
        return fail(reading, element->value, "there are fewer instructions than were counted");
    }
    free(reading->out->addresses);
    reading->out->count = (size_t) reading->instructions;
    reading->out->addresses = calloc(reading->out->count + 1, sizeof *reading->out->addresses);
    if (reading->out->addresses == NULL) {
        return no_memory(reading);
    }
    while (next(reading, &children, &child)) {
        if (child.tag != TAG_RECORDS_OF_KIND || reading->lists == reading->out->kind_count) {
            return fail(reading, child.value, "there are more lists than register types");
        }
        if (!take_list(reading, &child, reading->out->kinds[reading->lists].kind)) {
            return false;
        }
        reading->lists++;
    }
    return reading->why == NULL &&
           (reading->lists == reading->out->kind_count ||
            fail(reading, element->value, "there are fewer lists than register types"));
}

static bool take_top(Reading *reading, const Element *element)
{
    if (element->tag > TAG_RECORDS || element->tag == TAG_FILE || element->tag == TAG_NAME) {
        return fail(reading, element->value, "a tag is unknown");
    }
    if ((reading->seen >> element->tag & 1) != 0) {
        return fail(reading, element->value, "an element comes twice");
    }
    reading->seen |= 1u << element->tag;
    switch (element->tag) {
    case TAG_KINDS:
        return take_kinds(reading, element);
    case TAG_TOTALS:
        return take_totals(reading, element);
    case TAG_INSTRUCTIONS:
        return take_number(reading, element, &reading->instructions);
    case TAG_FUNCTIONS:
        return take_number(reading, element, &reading->functions);
    case TAG_NAMES:
        return take_names(reading, element);
    case TAG_STARTS:
        return take_starts(reading, element);
    default:
        return take_records(reading, element);
    }
}

/* ---- runs of uses ---- */

/* A use of a register, to sort by register and then by instruction. */
static int by_register(const void *a, const void *b)
{
    const LiveRegister *x = *(LiveRegister *const *) a;
    const LiveRegister *y = *(LiveRegister *const *) b;

    if (x->kind != y->kind) {
        return x->kind < y->kind ? -1 : 1;
    }
    if (x->index != y->index) {
        return x->index < y->index ? -1 : 1;
    }
    return (x->place > y->place) - (x->place < y->place);
}

/* Uses of a register at consecutive instructions form a run; its length is
 * stored at the first one. */
static bool set_survival(Liveness *liveness)
{
    LiveRegister **uses = calloc(liveness->register_count + 1, sizeof(LiveRegister *));
    LiveRegister *first = NULL;

    if (uses == NULL) {
        return false;
    }
    for (size_t i = 0; i < liveness->register_count; i++) {
        uses[i] = &liveness->registers[i];
    }
    if (liveness->register_count > 0) {
        qsort(uses, liveness->register_count, sizeof *uses, by_register);
    }
    for (size_t i = 0; i < liveness->register_count; i++) {
        const LiveRegister *last = i == 0 ? NULL : uses[i - 1];
        const bool goes_on = last != NULL && last->kind == uses[i]->kind &&
                             last->index == uses[i]->index && uses[i]->place - last->place <= 1;
        if (!goes_on) {
            first = uses[i];
        }
        first->survival = uses[i]->place - first->place + 1;
    }
    free(uses);
    return true;
}

/* ---- all ---- */

static bool read_all(Reading *reading, size_t length)
{
    Children file = { reading->begin, reading->begin + length };
    Element top;

    if (!next(reading, &file, &top)) {
        return fail(reading, reading->begin, "the file is empty");
    }
    if (top.tag != TAG_FILE || file.at != file.end) {
        return fail(reading, top.value, "the file is not one container");
    }
    Children children = children_of(&top);
    Element element;
    while (next(reading, &children, &element)) {
        if (!take_top(reading, &element)) {
            return false;
        }
    }
    if (reading->why == NULL && (reading->seen >> TAG_RECORDS & 1) == 0) {
        return fail(reading, top.value, "there are no instructions");
    }
    return reading->why == NULL;
}

LivenessOutcome LivenessRead(Liveness *liveness, const unsigned char *bytes, size_t length,
                             const char **ret_why, size_t *ret_where)
{
    Reading reading = { .out = liveness, .begin = bytes };

    if (read_all(&reading, length) && set_survival(liveness)) {
        return LIVENESS_GOOD;
    }
    LivenessFinish(liveness);
    *ret_why = reading.why;
    *ret_where = reading.where;
    return reading.why != NULL ? LIVENESS_BAD : LIVENESS_NO_MEMORY;
}

void LivenessFinish(Liveness *liveness)
{
    for (size_t i = 0; i < liveness->function_count; i++) {
        free(liveness->functions[i].name);
    }
    free(liveness->functions);
    free(liveness->addresses);
    free(liveness->registers);
    *liveness = (Liveness){ .count = 0 };
}

char LivenessLetter(uint32_t kind)
{
    return kind < KINDS ? "RSPX"[kind] : '?';
}
