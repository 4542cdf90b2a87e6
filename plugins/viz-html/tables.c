/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of any type as JSON: columns with their units and meanings, rows up to a limit. Tested by
 * tests/plugins/viz-html/test_html.
 */
#include "tables.h"

#include "limits.h"

#include <opprof/grow.h>
#include <opprof/print.h>

#include <stdlib.h>
#include <string.h>

#define EXACT_DIGITS 15u /* of a number that a browser reads without loss */

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool has_same_columns(const OpprofRecordType *a, const OpprofRecordType *b)
{
    if (a->field_count != b->field_count || strcmp(a->name, b->name) != 0) {
        return false;
    }
    for (uint32_t i = 0; i < a->field_count; i++) {
        if (a->fields[i].kind != b->fields[i].kind ||
            !is_same_text(a->fields[i].name, b->fields[i].name) ||
            !is_same_text(a->fields[i].unit, b->fields[i].unit)) {
            return false;
        }
    }
    return true;
}

/* The table of a type; NULL: there are too many, or there is no memory. */
static PageTable *find_table(Tables *self, const OpprofRecordType *type, bool *ret_is_good)
{
    *ret_is_good = true;
    if (self->latest < self->count && self->tables[self->latest].type == type) {
        return &self->tables[self->latest];
    }
    for (uint32_t i = 0; i < self->count; i++) {
        if (self->tables[i].type == type || has_same_columns(self->tables[i].type, type)) {
            self->latest = i;
            return &self->tables[i];
        }
    }
    if (self->count == PAGE_TABLES) {
        return NULL;
    }
    if (!OpprofGrow32(&self->tables, &self->capacity, self->count + 1, sizeof *self->tables)) {
        *ret_is_good = false;
        return NULL;
    }
    self->latest = self->count++;
    self->tables[self->latest] = (PageTable){ .type = type };
    return &self->tables[self->latest];
}

/* Hidden texts tell which core or launch a row is of, and so they are columns here. */
static bool is_column(const OpprofField *field)
{
    return (field->flags & OPPROF_FIELD_HIDDEN) == 0 || field->kind == OPPROF_FIELD_STRING;
}

/* A record whose visible fields are all absent makes an empty file, no row. */
static bool is_row(const OpprofRecordType *type, const char *record)
{
    for (uint32_t i = 0; i < type->field_count; i++) {
        const OpprofField *field = &type->fields[i];

        if ((field->flags & OPPROF_FIELD_HIDDEN) == 0 &&
            !OpprofFieldIsNa(field, record + field->offset)) {
            return true;
        }
    }
    return false;
}

static size_t count_digits(const char *text, size_t length)
{
    size_t digits = 0;

    for (size_t i = 0; i < length; i++) {
        digits += text[i] >= '0' && text[i] <= '9';
    }
    return digits;
}

static void put_cell(Tables *self, PageTable *table, const OpprofBatch *batch,
                     const OpprofField *field, const char *record)
{
    char number[OPPROF_TEXT_NUMBER];
    size_t length = 0;
    const char *text;

    if (OpprofFieldIsNa(field, record + field->offset)) {
        TextPut(&table->rows, "null");
        return;
    }
    if (field->kind == OPPROF_FIELD_STRING) {
        TextNumber(&table->rows, NamesNumber(self->names, OpprofLoadU32(record + field->offset)));
        return;
    }
    text = OpprofFieldPrint(self->stage, batch, field, record, number, &length);
    if (text == NULL) {
        TextPut(&table->rows, "null");
        return;
    }
    if (OpprofFieldIsText(field) || field->kind == OPPROF_FIELD_HEX ||
        (field->kind != OPPROF_FIELD_F64 && count_digits(text, length) > EXACT_DIGITS)) {
        TextJson(&table->rows, text, length < PAGE_TEXT_BYTES ? length : PAGE_TEXT_BYTES);
        return;
    }
    TextRaw(&table->rows, text, length);
}

static bool has_room(const Tables *self, const PageTable *table)
{
    return table->rows.length < PAGE_TABLE_LEAST_BYTES ||
           (table->rows.length < PAGE_TABLE_BYTES && self->bytes < PAGE_TABLES_BYTES);
}

static void put_row(Tables *self, PageTable *table, const OpprofBatch *batch, const char *record)
{
    const OpprofRecordType *type = batch->type;
    const size_t before = table->rows.length;
    const char *separator = "";

    table->total++;
    if (table->shown + 1 < table->total || !has_room(self, table)) {
        return; /* the rows that are shown are the first ones, without a gap */
    }
    TextPut(&table->rows, before == 0 ? "[" : ",\n[");
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (is_column(&type->fields[i])) {
            TextPut(&table->rows, separator);
            put_cell(self, table, batch, &type->fields[i], record);
            separator = ",";
        }
    }
    TextRaw(&table->rows, "]", 1);
    table->shown++;
    self->bytes += table->rows.length - before;
}

bool TablesTake(Tables *self, const OpprofBatch *batch)
{
    bool is_good;
    PageTable *table = find_table(self, batch->type, &is_good);

    if (table == NULL) {
        self->left_out += is_good;
        return is_good;
    }
    for (uint32_t i = 0; i < batch->count; i++) {
        const char *record = OpprofBatchRecord(batch, i);

        if (is_row(batch->type, record)) {
            put_row(self, table, batch, record);
        }
    }
    return !table->rows.has_failed;
}

static void put_field(const OpprofField *field, Text *json)
{
    TextRaw(json, "{", 1);
    TextMember(json, "name", field->name);
    TextMember(json, "heading", OpprofFieldHeading(field));
    TextMember(json, "kind", OpprofFieldKindName(field->kind));
    TextMember(json, "unit", field->unit);
    TextMember(json, "meaning", field->meaning);
    TextMember(json, "absent", field->absent);
    TextMemberNumber(json, "flags", field->flags);
    TextRaw(json, "}", 1);
}

static void put_table(const PageTable *table, Text *json)
{
    const OpprofRecordType *type = table->type;
    const char *separator = "";

    TextRaw(json, "{", 1);
    TextMember(json, "type", type->name);
    TextMember(json, "title", type->title == NULL ? type->name : type->title);
    TextMember(json, "summary", type->summary);
    TextMember(json, "file", type->file_hint);
    TextMemberNumber(json, "flags", type->flags);
    TextMemberNumber(json, "total", table->total);
    TextPut(json, ",\"fields\":[");
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (is_column(&type->fields[i])) {
            TextPut(json, separator);
            put_field(&type->fields[i], json);
            separator = ",";
        }
    }
    TextPut(json, "],\"rows\":[");
    TextRaw(json, table->rows.bytes, table->rows.length);
    TextPut(json, "]}");
}

void TablesPut(const Tables *self, Text *json)
{
    const char *separator = "";

    for (uint32_t i = 0; i < self->count; i++) {
        if (self->tables[i].total > 0) {
            TextPut(json, separator);
            put_table(&self->tables[i], json);
            separator = ",\n";
        }
    }
}

void TablesFinish(Tables *self)
{
    for (uint32_t i = 0; i < self->count; i++) {
        TextFinish(&self->tables[i].rows);
    }
    free(self->tables);
}
