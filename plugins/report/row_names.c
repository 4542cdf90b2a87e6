/* SPDX-License-Identifier: Apache-2.0 */
/* Names of rows for people, and the keys that they are added up by. Tested by
 * tests/plugins/report/test_report. */
#include "row_names.h"

#include "page.h"

#include <inttypes.h>
#include <math.h>
#include <opprof/intern.h>
#include <opprof/present.h>
#include <opprof/print.h>
#include <opprof/text.h>
#include <stdlib.h>
#include <string.h>

#define KEY_BYTES 64u               /* of a value in a row's key; a longer one counts by its hash */
#define SEED UINT64_C(0x7d3b0f1e26) /* any */
#define ALL_MEMBERS "all"

bool NameIsShown(const OpprofField *field)
{
    return (field->flags & OPPROF_FIELD_HIDDEN) == 0;
}

uint32_t NameFieldWith(const OpprofRecordType *type, uint32_t flag)
{
    for (uint32_t f = 0; f < type->field_count; f++) {
        if ((type->fields[f].flags & flag) != 0) {
            return f;
        }
    }
    return UINT32_MAX;
}

/* ---- values ---- */

/* Append a text, sanitized, after two blanks. */
void NamePutText(Label *label, const char *text, size_t size)
{
    const size_t gap = label->length == 0 ? 0 : 2;
    const size_t room = sizeof label->text - 1 - label->length;
    char *at = label->text + label->length;

    if (size == 0 || room <= gap) {
        return;
    }
    size = size < room - gap ? size : room - gap;
    memset(at, ' ', gap);
    memcpy(at + gap, text, size);
    for (size_t i = gap; i < gap + size; i++) {
        at[i] = (char) (at[i] == '\0' ? '?' : at[i]);
    }
    at[gap + size] = '\0';
    label->length += gap + OpprofTextTame(at + gap, false);
}

/* Append a field's text; absent ones are left out. */
static void put_value(Label *label, const OpprofStage *stage, const OpprofBatch *batch,
                      const OpprofField *field, const char *record)
{
    char number[OPPROF_TEXT_NUMBER];
    size_t size;
    const char *text = OpprofFieldPrint(stage, batch, field, record, number, &size);

    if (text != NULL) {
        NamePutText(label, text, size);
    }
}

/* ---- rows ---- */

/* Peers are members that are shown one by one. */
static bool is_member(const OpprofRecordType *type, const OpprofField *field)
{
    return (field->flags & OPPROF_FIELD_MEMBER) != 0 && (type->flags & OPPROF_RECORD_PEERS) == 0;
}

static bool is_key(const OpprofRecordType *type, const OpprofField *field)
{
    return NameIsShown(field) && (field->flags & OPPROF_FIELD_KEY) != 0 && !is_member(type, field);
}

static bool is_place(const OpprofField *field)
{
    return (field->flags & OPPROF_FIELD_PLACE) != 0;
}

/* A text of its row alone that differs from row to row is a detail of it. */
static bool is_detail(const OpprofField *field)
{
    return field->kind == OPPROF_FIELD_TEXT && (field->flags & OPPROF_FIELD_ALONE) != 0;
}

static bool is_in_name(const OpprofRecordType *type, const OpprofField *field)
{
    return is_key(type, field) || (NameIsShown(field) && OpprofFieldIsText(field) &&
                                   !is_member(type, field) && !is_detail(field));
}

static bool has_shown_key(const OpprofRecordType *type)
{
    for (uint32_t f = 0; f < type->field_count; f++) {
        if (is_key(type, &type->fields[f])) {
            return true;
        }
    }
    return false;
}

/* Append what distinguishes a field's text from others, however long they are. */
static void put_key(Label *label, const OpprofStage *stage, const OpprofBatch *batch,
                    const OpprofField *field, const char *record)
{
    char number[OPPROF_TEXT_NUMBER];
    char hash[17];
    size_t size;
    const char *text = OpprofFieldPrint(stage, batch, field, record, number, &size);

    if (text != NULL && size > KEY_BYTES) {
        snprintf(hash, sizeof hash, "%016" PRIx64, OpprofInternHash(SEED, text, size));
        NamePutText(label, hash, sizeof hash - 1);
    } else if (text != NULL) {
        NamePutText(label, text, size);
    }
}

/* Fields that distinguish rows: visible keys and places in the source, or else all texts. */
void NameMakeKey(Label *label, const OpprofStage *stage, const OpprofBatch *batch,
                 const char *record)
{
    const bool by_key = has_shown_key(batch->type);

    *label = (Label){ .length = 0 };
    for (uint32_t f = 0; f < batch->type->field_count; f++) {
        const OpprofField *field = &batch->type->fields[f];

        if (by_key ? is_key(batch->type, field) || is_place(field)
                   : is_in_name(batch->type, field)) {
            put_key(label, stage, batch, field, record);
        }
    }
}

/* "kernel.cpp:17": the end of a place is the most informative part. */
static void put_place(Label *label, const OpprofStage *stage, const OpprofBatch *batch,
                      const OpprofField *field, const char *record)
{
    Label place = { .length = 0 };
    const size_t room = sizeof label->text - 1 - label->length;
    const char *name;

    put_value(&place, stage, batch, field, record);
    name = strrchr(place.text, '/');
    name = name == NULL ? place.text : name + 1;
    if (name[0] != '\0' && strlen(name) + 2 <= room) {
        char *end = stpcpy(label->text + label->length, label->length == 0 ? "" : "  ");

        label->length = (size_t) (stpcpy(end, name) - label->text);
    }
}

static bool is_address(const OpprofField *field)
{
    return (field->flags & OPPROF_FIELD_ADDRESS) != 0;
}

/* Append an address as people know it from a disassembly. False: the field is none, or absent. */
static bool put_address(Label *label, const OpprofField *field, const char *record)
{
    char text[32];
    double value;

    if (OpprofFieldIsText(field) || !OpprofFieldNumber(field, record, &value)) {
        return false;
    }
    snprintf(text, sizeof text, "0x%" PRIx64, (uint64_t) value);
    NamePutText(label, text, strlen(text));
    return true;
}

/* Append a field's value, a number with its name: "stream 7". False: a text. */
static bool put_name(Label *label, const OpprofStage *stage, const OpprofBatch *batch,
                     const OpprofField *field, const char *record)
{
    const size_t before = label->length;
    const char *heading = OpprofFieldHeading(field);
    const size_t length = strcspn(heading, "(");

    if (is_address(field) && put_address(label, field, record)) {
        return false;
    }
    put_value(label, stage, batch, field, record);
    char *value = label->text + before + (before == 0 ? 0 : 2);
    const size_t size = label->length == before ? 0 : strlen(value);
    if (size == 0 || strspn(value, "0123456789") < size ||
        label->length + length + 1 >= sizeof label->text) {
        return false;
    }
    memmove(value + length + 1, value, size + 1);
    memcpy(value, heading, length);
    value[length] = ' ';
    label->length += length + 1;
    return true;
}

/* The bounds of a part of a name; the part "rank 0" of "rank 0 host rank 0
 * device 0" is repeated. */
static bool is_said_again(const Label *label, size_t from, size_t to)
{
    char part[LABEL_BYTES + 1];
    const char *again;

    snprintf(part, sizeof part, "%.*s ", (int) (to - from), label->text + from);
    again = strstr(label->text + to, part);
    return again != NULL && again[-1] == ' ' && again[to - from + 1] != ' ';
}

static void drop_what_is_said_again(Label *label)
{
    for (size_t from = 0; from < label->length;) {
        const char *gap = strstr(label->text + from, "  ");
        const size_t to = gap == NULL ? label->length : (size_t) (gap - label->text);

        if (gap == NULL || !is_said_again(label, from, to)) {
            from = to + 2;
            continue;
        }
        memmove(label->text + from, label->text + to + 2, label->length - to - 1);
        label->length -= to + 2 - from;
    }
}

/* The last part of a name goes if the text before has it: the short form of a name after the long
 * one. */
static void drop_what_was_said(Label *label, size_t before)
{
    const char *value = label->text + before + 2;

    if (before > 0 && label->length > before &&
        memmem(label->text, before, value, strlen(value)) != NULL) {
        label->length = before;
        label->text[before] = '\0';
    }
}

/* Is the row's place in the source known? Then its name needs no address. */
static bool is_placed(const OpprofRecordType *type, const char *record)
{
    for (uint32_t f = 0; f < type->field_count; f++) {
        if (is_place(&type->fields[f]) &&
            !OpprofFieldIsNa(&type->fields[f], record + type->fields[f].offset)) {
            return true;
        }
    }
    return false;
}

/* Append the whole place of a row that is a place alone, so that its text can be shown. */
static void put_whole_place(Label *label, const OpprofStage *stage, const OpprofBatch *batch,
                            const OpprofField *field, const char *record)
{
    Label whole = { .length = 0 }, name = { .length = 0 };

    put_value(&whole, stage, batch, field, record);
    put_place(&name, stage, batch, field, record);
    if (name.length > 0 && strcmp(name.text, label->text) == 0 &&
        label->length + 1 + whole.length < sizeof label->text) {
        label->text[label->length++] = NAME_PLACE;
        memcpy(label->text + label->length, whole.text, whole.length + 1);
        label->length += whole.length;
    }
}

/* A row's name for people: its first text, its place in the source, its keys and other texts. */
void NameMake(Label *label, const OpprofStage *stage, const OpprofBatch *batch, const char *record)
{
    const OpprofRecordType *type = batch->type;
    const bool has_place = is_placed(type, record);
    uint32_t first = 0;
    bool has_number = false;

    *label = (Label){ .length = 0 };
    while (first < type->field_count &&
           (!is_in_name(type, &type->fields[first]) || is_place(&type->fields[first]))) {
        first++;
    }
    if (first < type->field_count) {
        has_number = put_name(label, stage, batch, &type->fields[first], record);
    }
    for (uint32_t f = 0; f < type->field_count; f++) {
        if (is_place(&type->fields[f])) {
            put_place(label, stage, batch, &type->fields[f], record);
        }
    }
    for (uint32_t f = first + 1; f < type->field_count; f++) {
        const OpprofField *field = &type->fields[f];
        const size_t before = label->length;

        if (is_in_name(type, field) && !is_place(field) && !(has_place && is_address(field))) {
            has_number |= put_name(label, stage, batch, field, record);
            if (!is_key(type, field)) {
                drop_what_was_said(label, before);
            }
        }
    }
    if (has_number) {
        drop_what_is_said_again(label);
    }
    for (uint32_t f = 0; f < type->field_count; f++) {
        if (is_place(&type->fields[f])) {
            put_whole_place(label, stage, batch, &type->fields[f], record);
        }
    }
}

/* The members that a row is of. False: all together. */
bool NameMembers(Label *members, const OpprofStage *stage, const OpprofBatch *batch,
                 const char *record, bool with_peers)
{
    *members = (Label){ .length = 0 };
    for (uint32_t f = 0; f < batch->type->field_count; f++) {
        const size_t before = members->length;

        if (with_peers ? (batch->type->fields[f].flags & OPPROF_FIELD_MEMBER) != 0
                       : is_member(batch->type, &batch->type->fields[f])) {
            put_value(members, stage, batch, &batch->type->fields[f], record);
            if (strcmp(members->text + before + (before == 0 ? 0 : 2), ALL_MEMBERS) == 0) {
                return false;
            }
        }
    }
    return true;
}

bool NameNoteMembers(OpprofTextMap *seen, const Label *members)
{
    return members->length == 0 ||
           OpprofTextMapFind(seen, members->text, members->length) != OPPROF_MAP_NONE ||
           OpprofTextMapPut(seen, members->text, members->length, 0, NULL);
}

/* Keys that are not shown, such as those of a launch, but for the member. */
void NamePutHiddenKeys(Label *label, const OpprofStage *stage, const OpprofBatch *batch,
                       const char *record)
{
    for (uint32_t f = 0; f < batch->type->field_count; f++) {
        const OpprofField *field = &batch->type->fields[f];

        if (!NameIsShown(field) && (field->flags & OPPROF_FIELD_KEY) != 0 &&
            !is_member(batch->type, field)) {
            put_key(label, stage, batch, field, record);
        }
    }
}

/* The key of a row among the groups, with its text in `text`. */
/* Append a field's text as people read it: of a number whose type asks for no certain digits, six
 * or all before the point. */
static void put_cell(Label *label, const OpprofStage *stage, const OpprofBatch *batch,
                     const OpprofField *field, const char *record)
{
    char number[32];
    double value;

    if (field->kind == OPPROF_FIELD_F64 && field->decimals == 0 &&
        OpprofFieldNumber(field, record, &value)) {
        const bool is_large = fabs(value) >= 999999.5 && fabs(value) < 1e15;

        snprintf(number, sizeof number, is_large ? "%.0f" : "%.6g", value);
        NamePutText(label, number, strlen(number));
    } else {
        put_value(label, stage, batch, field, record);
    }
}

/* Append the parts of the launch that a row is of: "device0/add/1". */
static void put_launch(Label *label, const OpprofStage *stage, const OpprofBatch *batch,
                       const char *record)
{
    for (uint32_t f = 0; f < batch->type->field_count; f++) {
        const OpprofField *field = &batch->type->fields[f];
        Label part = { .length = 0 };

        if (!NameIsShown(field) && (field->flags & OPPROF_FIELD_KEY) != 0 &&
            field->kind == OPPROF_FIELD_STRING) {
            put_value(&part, stage, batch, field, record);
        }
        if (part.length > 0 && label->length + 1 + part.length < sizeof label->text) {
            char *end = stpcpy(label->text + label->length, label->length == 0 ? "" : "/");

            label->length = (size_t) (stpcpy(end, part.text) - label->text);
        }
    }
}

/* The launch, and texts of the visible fields, with a NUL after each; NULL without memory. */
char *NameCopyRow(const OpprofStage *stage, const OpprofBatch *batch, const char *record)
{
    Label launch = { .length = 0 };
    char *row = NULL;
    size_t size;
    FILE *out = OpprofTextOpen(&row, &size);

    if (out == NULL) {
        return NULL;
    }
    put_launch(&launch, stage, batch, record);
    fprintf(out, "%s%c", launch.text, '\0');
    for (uint32_t f = 0; f < batch->type->field_count; f++) {
        const OpprofField *field = &batch->type->fields[f];

        if (NameIsShown(field)) {
            Label label = { .length = 0 };

            put_cell(&label, stage, batch, field, record);
            fprintf(out, "%s%c", label.length == 0 ? "NA" : label.text, '\0');
        }
    }
    fclose(out);
    return row;
}
