/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/summary.h"

#include <opprof/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELL_WIDTH 20u /* at least */

void SummaryInit(Summary *summary)
{
    *summary = (Summary){ .count = 0 };
    pthread_mutex_init(&summary->lock, NULL);
}

static void finish_table(SummaryTable *table)
{
    for (uint32_t i = 0; i < table->count; i++) {
        free(table->rows[i]);
    }
    free(table->rows);
}

void SummaryFinish(Summary *summary)
{
    for (uint32_t i = 0; i < summary->count; i++) {
        finish_table(&summary->tables[i]);
    }
    free(summary->tables);
    pthread_mutex_destroy(&summary->lock);
}

/* ------------------------------------------------------------------ cells */

static bool is_shown(const OpprofField *field)
{
    return (field->flags & OPPROF_FIELD_HIDDEN) == 0;
}

static uint64_t load_u64(const char *at)
{
    uint64_t value;

    memcpy(&value, at, sizeof value);
    return value;
}

static uint32_t load_u32(const char *at)
{
    uint32_t value;

    memcpy(&value, at, sizeof value);
    return value;
}

static void put_text(FILE *out, const Batch *batch, const char *at)
{
    OpprofText place;
    const char *text;

    memcpy(&place, at, sizeof place);
    text = BatchText(batch, place);
    for (uint32_t i = 0; text != NULL && i < place.length; i++) {
        fputc((unsigned char) text[i] < 0x20 || text[i] == 0x7f ? '?' : text[i], out);
    }
}

static void put_cell(FILE *out, const Stage *stage, const Batch *batch, const OpprofField *field,
                     const char *at)
{
    char number[OPPROF_TEXT_NUMBER + 1];
    int16_t small;
    double real;

    if (OpprofFieldIsNa(field, at)) {
        fputs("NA", out);
        return;
    }
    switch ((OpprofFieldKind) field->kind) {
    case OPPROF_FIELD_STRING:
        fputs(StageString(stage, load_u32(at)), out);
        return;
    case OPPROF_FIELD_TEXT:
        put_text(out, batch, at);
        return;
    case OPPROF_FIELD_F64:
        memcpy(&real, at, sizeof real);
        fprintf(out, "%.6g", real);
        return;
    case OPPROF_FIELD_I16:
        memcpy(&small, at, sizeof small);
        *TextPutI64(number, small) = '\0';
        break;
    case OPPROF_FIELD_U32:
    case OPPROF_FIELD_TRACK:
        *TextPutU64(number, load_u32(at)) = '\0';
        break;
    case OPPROF_FIELD_I32:
        *TextPutI64(number, (int32_t) load_u32(at)) = '\0';
        break;
    case OPPROF_FIELD_I64:
        *TextPutI64(number, (int64_t) load_u64(at)) = '\0';
        break;
    case OPPROF_FIELD_HEX:
        *TextPutHex(number, load_u64(at)) = '\0';
        break;
    case OPPROF_FIELD_U64:
    case OPPROF_FIELD_TICK:
    default:
        *TextPutU64(number, load_u64(at)) = '\0';
        break;
    }
    fputs(number, out);
}

/* Cells with a NUL behind each, or NULL without memory. */
static char *make_row(const Stage *stage, const Batch *batch, const char *record)
{
    const RecordType *type = batch->type;
    char *row = NULL;
    size_t size;
    FILE *out = open_memstream(&row, &size);

    if (out == NULL) {
        return NULL;
    }
    for (uint32_t f = 0; f < type->field_count; f++) {
        const OpprofField *field = &type->fields[f];

        if (is_shown(field)) {
            put_cell(out, stage, batch, field, record + field->offset);
            fputc('\0', out);
        }
    }
    if (fclose(out) != 0) {
        free(row);
        return NULL;
    }
    return row;
}

/* ------------------------------------------------------------------ tables */

/* The lock is held. NULL without memory. */
static SummaryTable *find_table(Summary *summary, const RecordType *type)
{
    const uint32_t capacity = summary->capacity == 0 ? 4 : summary->capacity * 2;
    SummaryTable *grown;

    for (uint32_t i = 0; i < summary->count; i++) {
        if (summary->tables[i].type == type) {
            return &summary->tables[i];
        }
    }
    if (summary->count == summary->capacity) {
        grown = reallocarray(summary->tables, capacity, sizeof *grown);
        if (grown == NULL) {
            return NULL;
        }
        summary->tables = grown;
        summary->capacity = capacity;
    }
    summary->tables[summary->count] = (SummaryTable){ .type = type };
    return &summary->tables[summary->count++];
}

/* Takes the row. The lock is held. */
static void add_row(SummaryTable *table, char *row)
{
    const uint32_t capacity = table->capacity == 0 ? 16 : table->capacity * 2;
    char **grown;

    if (row != NULL && table->count < SUMMARY_ROWS_MAX && table->count == table->capacity) {
        grown = reallocarray(table->rows, capacity, sizeof(char *));
        if (grown != NULL) {
            table->rows = grown;
            table->capacity = capacity;
        }
    }
    if (row == NULL || table->count >= SUMMARY_ROWS_MAX || table->count == table->capacity) {
        free(row);
        table->left_out++;
        return;
    }
    table->rows[table->count++] = row;
}

void SummaryAdd(Summary *summary, const Stage *stage, const Batch *batch)
{
    SummaryTable *table;

    pthread_mutex_lock(&summary->lock);
    table = find_table(summary, batch->type);
    for (uint32_t i = 0; table != NULL && i < batch->count; i++) {
        add_row(table, make_row(stage, batch, BatchRecord(batch, i)));
    }
    pthread_mutex_unlock(&summary->lock);
}

static int compare_rows(const void *a, const void *b)
{
    return strcmp(*(const char *const *) a, *(const char *const *) b);
}

static const char *heading_of(const OpprofField *field)
{
    return field->heading != NULL ? field->heading : field->name;
}

/* The widest cell of a column, and a blank. */
static int width_of(const SummaryTable *table, uint32_t column, const char *heading)
{
    size_t width = CELL_WIDTH;

    width = strlen(heading) + 1 > width ? strlen(heading) + 1 : width;
    for (uint32_t i = 0; i < table->count; i++) {
        const char *cell = table->rows[i];

        for (uint32_t c = 0; c < column; c++) {
            cell += strlen(cell) + 1;
        }
        width = strlen(cell) + 1 > width ? strlen(cell) + 1 : width;
    }
    return (int) width;
}

/* The line `row`, or the headings for NULL. */
static void put_line(FILE *out, const SummaryTable *table, const char *row)
{
    const RecordType *type = table->type;
    uint32_t column = 0;

    for (uint32_t f = 0; f < type->field_count; f++) {
        const char *heading = heading_of(&type->fields[f]);
        const char *cell = row == NULL ? heading : row;

        if (!is_shown(&type->fields[f])) {
            continue;
        }
        fprintf(out, "%-*s", width_of(table, column++, heading), cell);
        row = row == NULL ? NULL : row + strlen(row) + 1;
    }
    fputc('\n', out);
}

static void put_table(FILE *out, SummaryTable *table)
{
    if (table->count > 0) {
        qsort(table->rows, table->count, sizeof(char *), compare_rows);
    }
    fprintf(out, "%s:\n", table->type->title != NULL ? table->type->title : table->type->name);
    put_line(out, table, NULL);
    for (uint32_t i = 0; i < table->count; i++) {
        put_line(out, table, table->rows[i]);
    }
    if (table->left_out > 0) {
        fprintf(out, "and %llu more\n", (unsigned long long) table->left_out);
    }
}

char *SummaryText(Summary *summary)
{
    char *text = NULL;
    size_t size;
    FILE *out = summary->count == 0 ? NULL : open_memstream(&text, &size);

    if (out == NULL) {
        return NULL;
    }
    pthread_mutex_lock(&summary->lock);
    for (uint32_t i = 0; i < summary->count; i++) {
        put_table(out, &summary->tables[i]);
    }
    pthread_mutex_unlock(&summary->lock);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
