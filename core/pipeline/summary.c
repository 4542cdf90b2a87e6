/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/summary.h"

#include <opprof/print.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELL_WIDTH 20u       /* at least, where there is room */
#define LINE_WIDTH 100u      /* of a table in wide columns */
#define COLUMNS_MAX 64u      /* more are not shown */
#define SENTENCE_LENGTH 400u /* of a list; the rest is cut off */
#define FOLDERS_NAMED 3u     /* of a sentence; more are counted */

void SummaryInit(Summary *summary)
{
    *summary = (Summary){ .count = 0 };
    pthread_mutex_init(&summary->lock, NULL);
}

static void free_row(SummaryRow *row)
{
    free(row->folder);
    free(row->cells);
}

static void finish_table(SummaryTable *table)
{
    for (uint32_t i = 0; i < table->count; i++) {
        free_row(&table->rows[i]);
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

static void put_text(FILE *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        fputc((unsigned char) text[i] < 0x20 || text[i] == 0x7f ? '?' : text[i], out);
    }
}

/* Doubles are for the eye here: six digits, where the field does not say how many. */
static void put_cell(FILE *out, const OpprofStage *stage, const OpprofBatch *batch, const OpprofField *field,
                     const char *record)
{
    char number[OPPROF_TEXT_NUMBER];
    size_t length;
    const char *text = OpprofFieldPrint(stage, batch, field, record, number, &length);

    if (text == NULL) {
        fputs("NA", out);
    } else if (field->kind == OPPROF_FIELD_F64 && field->decimals == 0) {
        fprintf(out, "%.6g", OpprofLoadF64(record + field->offset));
    } else {
        put_text(out, text, length);
    }
}

/* "<device>/<kernel>/" at the head of the hint, with the record's values; absent ones are left out.
 */
static void put_folder(FILE *out, const OpprofStage *stage, const OpprofBatch *batch, const char *record)
{
    const OpprofRecordType *type = batch->type;
    const char *hint = type->file_hint == NULL ? "" : type->file_hint;
    const char *before = "";

    for (const char *end; *hint == '<' && (end = strstr(hint, ">/")) != NULL; hint = end + 2) {
        const size_t length = (size_t) (end - hint - 1);

        const OpprofField *field = OpprofFieldFind(type, hint + 1, length);

        if (field != NULL && !OpprofFieldIsNa(field, record + field->offset)) {
            fputs(before, out);
            put_cell(out, stage, batch, field, record);
            before = "/";
        }
    }
}

static void put_cells(FILE *out, const OpprofStage *stage, const OpprofBatch *batch, const char *record)
{
    for (uint32_t f = 0; f < batch->type->field_count; f++) {
        const OpprofField *field = &batch->type->fields[f];

        if (is_shown(field)) {
            put_cell(out, stage, batch, field, record);
            fputc('\0', out);
        }
    }
}

typedef void PutPart(FILE *out, const OpprofStage *stage, const OpprofBatch *batch, const char *record);

/* NULL without memory. */
static char *make_part(PutPart *put, const OpprofStage *stage, const OpprofBatch *batch, const char *record,
                       size_t *ret_size)
{
    char *part = NULL;
    FILE *out = open_memstream(&part, ret_size);

    if (out == NULL) {
        return NULL;
    }
    put(out, stage, batch, record);
    if (fclose(out) != 0) {
        free(part);
        return NULL;
    }
    return part;
}

/* Without cells if there is no memory. */
static SummaryRow make_row(const OpprofStage *stage, const OpprofBatch *batch, const char *record)
{
    SummaryRow row = { .folder = NULL };
    size_t unused;

    row.folder = make_part(put_folder, stage, batch, record, &unused);
    row.cells = row.folder == NULL ? NULL : make_part(put_cells, stage, batch, record, &row.size);
    if (row.cells == NULL) {
        free(row.folder);
        row.folder = NULL;
    }
    return row;
}

/* ------------------------------------------------------------------ tables */

/* Instances of a stage may each have made the type of their tables. */
static bool is_same(const OpprofRecordType *a, const OpprofRecordType *b)
{
    if (a == b) {
        return true;
    }
    if (strcmp(a->name, b->name) != 0 || a->field_count != b->field_count) {
        return false;
    }
    for (uint32_t f = 0; f < a->field_count; f++) {
        if (strcmp(OpprofFieldHeading(&a->fields[f]), OpprofFieldHeading(&b->fields[f])) != 0) {
            return false;
        }
    }
    return true;
}

/* The lock is held. NULL without memory. */
static SummaryTable *find_table(Summary *summary, const OpprofRecordType *type)
{
    const uint32_t capacity = summary->capacity == 0 ? 4 : summary->capacity * 2;
    SummaryTable *grown;

    for (uint32_t i = 0; i < summary->count; i++) {
        if (is_same(summary->tables[i].type, type)) {
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
static void add_row(SummaryTable *table, SummaryRow row)
{
    const uint32_t capacity = table->capacity == 0 ? 16 : table->capacity * 2;
    SummaryRow *grown;

    if (row.cells != NULL && table->count < SUMMARY_ROWS_MAX && table->count == table->capacity) {
        grown = reallocarray(table->rows, capacity, sizeof *grown);
        if (grown != NULL) {
            table->rows = grown;
            table->capacity = capacity;
        }
    }
    if (row.cells == NULL || table->count >= SUMMARY_ROWS_MAX || table->count == table->capacity) {
        free_row(&row);
        table->left_out++;
        return;
    }
    table->rows[table->count++] = row;
}

void SummaryAdd(Summary *summary, const OpprofStage *stage, const OpprofBatch *batch)
{
    SummaryTable *table;

    pthread_mutex_lock(&summary->lock);
    table = find_table(summary, batch->type);
    summary->is_lost = summary->is_lost || table == NULL;
    for (uint32_t i = 0; table != NULL && i < batch->count; i++) {
        add_row(table, make_row(stage, batch, OpprofBatchRecord(batch, i)));
    }
    pthread_mutex_unlock(&summary->lock);
}

static int compare_rows(const void *a, const void *b)
{
    const SummaryRow *x = a;
    const SummaryRow *y = b;
    const int by_folder = strverscmp(x->folder, y->folder);
    const int by_first = strcmp(x->cells, y->cells);

    if (by_folder != 0 || by_first != 0) {
        return by_folder != 0 ? by_folder : by_first;
    }
    return memcmp(x->cells, y->cells, x->size < y->size ? x->size : y->size);
}

static bool has_folders(const SummaryTable *table)
{
    for (uint32_t i = 0; i < table->count; i++) {
        if (table->rows[i].folder[0] != '\0') {
            return true;
        }
    }
    return false;
}

static void put_left_out(FILE *out, uint64_t count)
{
    if (count > 0) {
        fprintf(out, "and %llu more\n", (unsigned long long) count);
    }
}

static const char *cell_at(const SummaryRow *row, uint32_t column)
{
    const char *cell = row->cells;

    while (column-- > 0) {
        cell += strlen(cell) + 1;
    }
    return cell;
}

/* The columns of a table as they are shown. */
typedef struct Columns {
    const char *headings[COLUMNS_MAX];
    size_t widths[COLUMNS_MAX]; /* of the widest cell, and a gap */
    uint32_t count;
    uint32_t first; /* 1: the first is the folder */
} Columns;

static const char *column_cell(const Columns *columns, const SummaryRow *row, uint32_t column)
{
    return column < columns->first ? row->folder : cell_at(row, column - columns->first);
}

static size_t more(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Returns the width of a line. */
static size_t find_widths(const SummaryTable *table, uint32_t shown, size_t least, size_t gap,
                          Columns *columns)
{
    size_t line = 0;

    for (uint32_t c = 0; c < columns->count; c++) {
        columns->widths[c] = more(strlen(columns->headings[c]) + gap, least);
        for (uint32_t i = 0; i < shown; i++) {
            columns->widths[c] =
                more(columns->widths[c], strlen(column_cell(columns, &table->rows[i], c)) + gap);
        }
        line += columns->widths[c];
    }
    return line;
}

static void put_upright(FILE *out, const SummaryTable *table, const Columns *columns)
{
    size_t width = 0;

    for (uint32_t c = 0; c < columns->count; c++) {
        width = more(width, strlen(columns->headings[c]));
    }
    for (uint32_t c = 0; c < columns->count; c++) {
        fprintf(out, "  %-*s  %s\n", (int) width, columns->headings[c],
                column_cell(columns, &table->rows[0], c));
    }
}

/* Columns as wide as they look best; where that is too wide, as narrow as can be. */
static void put_rows(FILE *out, const SummaryTable *table, uint32_t shown, Columns *columns)
{
    if (find_widths(table, shown, CELL_WIDTH, 1, columns) > LINE_WIDTH) {
        if (table->count == 1) {
            put_upright(out, table, columns);
            return;
        }
        find_widths(table, shown, 0, 2, columns);
    }
    for (uint32_t c = 0; c < columns->count; c++) {
        fprintf(out, "%-*s", (int) columns->widths[c], columns->headings[c]);
    }
    fputc('\n', out);
    for (uint32_t i = 0; i < shown; i++) {
        for (uint32_t c = 0; c < columns->count; c++) {
            fprintf(out, "%-*s", (int) columns->widths[c],
                    column_cell(columns, &table->rows[i], c));
        }
        fputc('\n', out);
    }
}

static void put_table(FILE *out, const SummaryTable *table)
{
    Columns columns = { .first = has_folders(table) ? 1 : 0 };
    uint32_t shown = table->count;

    if (columns.first > 0) {
        columns.headings[columns.count++] = "folder";
        shown = shown > SUMMARY_ROWS_SHOWN ? SUMMARY_ROWS_SHOWN : shown;
    }
    for (uint32_t f = 0; f < table->type->field_count && columns.count < COLUMNS_MAX; f++) {
        if (is_shown(&table->type->fields[f])) {
            columns.headings[columns.count++] = OpprofFieldHeading(&table->type->fields[f]);
        }
    }
    put_rows(out, table, shown, &columns);
    put_left_out(out, table->count - shown + table->left_out);
}

/* ------------------------------------------------------------------ lists */

/* Rows that say the same, one behind the other. */
typedef struct Sentence {
    const SummaryRow *rows;
    uint32_t count;
} Sentence;

static int compare_texts(const void *a, const void *b)
{
    const SummaryRow *x = a;
    const SummaryRow *y = b;
    const int by_text = strcmp(x->cells, y->cells);

    return by_text != 0 ? by_text : strverscmp(x->folder, y->folder);
}

/* What is true of most folders first. */
static int compare_sentences(const void *a, const void *b)
{
    const Sentence *x = a;
    const Sentence *y = b;

    if (x->count != y->count) {
        return x->count > y->count ? -1 : 1;
    }
    return strcmp(x->rows->cells, y->rows->cells);
}

static void put_sentence(FILE *out, uint32_t number, const Sentence *sentence)
{
    const char *text = sentence->rows->cells;
    const uint32_t named = sentence->count < FOLDERS_NAMED ? sentence->count : FOLDERS_NAMED;

    fprintf(out, "%3u. %.*s%s", number, (int) SENTENCE_LENGTH, text,
            strlen(text) > SENTENCE_LENGTH ? " ..." : "");
    for (uint32_t i = 0; i < named && sentence->rows[i].folder[0] != '\0'; i++) {
        fprintf(out, "%s%s", i == 0 ? " (" : ", ", sentence->rows[i].folder);
    }
    if (sentence->count > named) {
        fprintf(out, " and %u more", sentence->count - named);
    }
    fputs(sentence->rows[named - 1].folder[0] != '\0' ? ")\n" : "\n", out);
}

/* Rows are sorted; each is kept once. */
static void drop_repeated(SummaryTable *table)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < table->count; i++) {
        if (kept > 0 && compare_texts(&table->rows[kept - 1], &table->rows[i]) == 0) {
            free_row(&table->rows[i]);
        } else {
            table->rows[kept++] = table->rows[i];
        }
    }
    table->count = kept;
}

static void put_list(FILE *out, const SummaryTable *table)
{
    Sentence *sentences = calloc((size_t) table->count + 1, sizeof *sentences);
    const uint32_t most = has_folders(table) ? SUMMARY_ROWS_SHOWN : SUMMARY_ROWS_MAX;
    uint32_t count = 0;

    for (uint32_t i = 0; sentences != NULL && i < table->count; i++) {
        if (i == 0 || strcmp(table->rows[i - 1].cells, table->rows[i].cells) != 0) {
            sentences[count++].rows = &table->rows[i];
        }
        sentences[count - 1].count++;
    }
    if (sentences != NULL) {
        qsort(sentences, count, sizeof *sentences, compare_sentences);
    }
    for (uint32_t i = 0; i < count && i < most; i++) {
        put_sentence(out, i + 1, &sentences[i]);
    }
    put_left_out(out, (count > most ? count - most : 0) + table->left_out);
    free(sentences);
}

static bool is_list(const OpprofRecordType *type)
{
    uint32_t count = 0;

    for (uint32_t f = 0; f < type->field_count; f++) {
        count += is_shown(&type->fields[f]);
    }
    return count == 1;
}

static void put_any(FILE *out, SummaryTable *table)
{
    const bool as_list = is_list(table->type);

    if (table->count > 0) {
        qsort(table->rows, table->count, sizeof *table->rows,
              as_list ? compare_texts : compare_rows);
    }
    fprintf(out, "%s:\n", table->type->title != NULL ? table->type->title : table->type->name);
    if (as_list) {
        drop_repeated(table);
        put_list(out, table);
    } else {
        put_table(out, table);
    }
}

/* Lists come behind the tables, whatever was ready first. */
static void put_all(FILE *out, Summary *summary)
{
    for (int lists = 0; lists < 2; lists++) {
        for (uint32_t i = 0; i < summary->count; i++) {
            if (is_list(summary->tables[i].type) == (lists == 1)) {
                put_any(out, &summary->tables[i]);
            }
        }
    }
}

char *SummaryText(Summary *summary, bool *ret_no_memory)
{
    char *text = NULL;
    size_t size;
    FILE *out;

    *ret_no_memory = summary->is_lost;
    if (summary->count == 0) {
        return NULL;
    }
    out = open_memstream(&text, &size);
    if (out == NULL) {
        *ret_no_memory = true;
        return NULL;
    }
    pthread_mutex_lock(&summary->lock);
    put_all(out, summary);
    pthread_mutex_unlock(&summary->lock);
    if (fclose(out) != 0) {
        *ret_no_memory = true;
        free(text);
        return NULL;
    }
    return text;
}
