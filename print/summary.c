/* SPDX-License-Identifier: Apache-2.0 */
/* The tables that people want to see when the run ends. */
#include "summary.h"

#include <opprof/present.h>
#include <opprof/print.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELL_WIDTH 20u       /* at least, where there is room */
#define LINE_WIDTH 100u      /* of a table in wide columns */
#define COLUMNS_MAX 64u      /* more are not shown */
#define SENTENCE_LENGTH 400u /* of a list; the rest is cut off */
#define FOLDERS_NAMED 3u     /* of a sentence; more are counted */
#define ROWS_SHOWN 20u       /* of a table whose rows are of several folders; more are counted */

static bool is_shown(const OpprofField *field)
{
    return (field->flags & OPPROF_FIELD_HIDDEN) == 0;
}

static int compare_rows(const void *a, const void *b)
{
    const OpprofSummaryRow *x = a;
    const OpprofSummaryRow *y = b;
    const int by_folder = strverscmp(x->folder, y->folder);
    const int by_first = strcmp(x->cells, y->cells);

    if (by_folder != 0 || by_first != 0) {
        return by_folder != 0 ? by_folder : by_first;
    }
    return memcmp(x->cells, y->cells, x->size < y->size ? x->size : y->size);
}

static bool has_folders(const OpprofSummaryTable *table)
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

static const char *cell_at(const OpprofSummaryRow *row, uint32_t column)
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

static const char *column_cell(const Columns *columns, const OpprofSummaryRow *row, uint32_t column)
{
    return column < columns->first ? row->folder : cell_at(row, column - columns->first);
}

static size_t more(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Returns the width of a line. */
static size_t find_widths(const OpprofSummaryTable *table, uint32_t shown, size_t least, size_t gap,
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

static void put_upright(FILE *out, const OpprofSummaryTable *table, const Columns *columns)
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
static void put_rows(FILE *out, const OpprofSummaryTable *table, uint32_t shown, Columns *columns)
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

static void put_table(FILE *out, const OpprofSummaryTable *table)
{
    Columns columns = { .first = has_folders(table) ? 1 : 0 };
    uint32_t shown = table->count;

    if (columns.first > 0) {
        columns.headings[columns.count++] = "folder";
        shown = shown > ROWS_SHOWN ? ROWS_SHOWN : shown;
    }
    for (uint32_t f = 0; f < table->type->field_count && columns.count < COLUMNS_MAX; f++) {
        if (is_shown(&table->type->fields[f])) {
            columns.headings[columns.count++] = OpprofFieldHeading(&table->type->fields[f]);
        }
    }
    put_rows(out, table, shown, &columns);
    put_left_out(out, table->count - shown + table->left_out);
}

/* ---- lists ---- */

/* Rows that say the same, one after the other. */
typedef struct Sentence {
    const OpprofSummaryRow *rows;
    uint32_t count;
} Sentence;

static int compare_texts(const void *a, const void *b)
{
    const OpprofSummaryRow *x = a;
    const OpprofSummaryRow *y = b;
    const int by_text = strcmp(x->cells, y->cells);

    return by_text != 0 ? by_text : strverscmp(x->folder, y->folder);
}

/* Reasons of most folders first. */
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
static void drop_repeated(OpprofSummaryTable *table)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < table->count; i++) {
        if (kept > 0 && compare_texts(&table->rows[kept - 1], &table->rows[i]) == 0) {
            free(table->rows[i].folder);
            free(table->rows[i].cells);
        } else {
            table->rows[kept++] = table->rows[i];
        }
    }
    table->count = kept;
}

static void put_list(FILE *out, const OpprofSummaryTable *table)
{
    Sentence *sentences = calloc((size_t) table->count + 1, sizeof *sentences);
    const uint32_t most = has_folders(table) ? ROWS_SHOWN : UINT32_MAX;
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
    return count == 1 || type == &opprof_advice_type;
}

static void put_any(FILE *out, OpprofSummaryTable *table)
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

/* Lists come after the tables, whatever was ready first. */
void SummaryPrint(OpprofSummaryTable *tables, size_t count, FILE *out)
{
    for (int lists = 0; lists < 2; lists++) {
        for (size_t i = 0; i < count; i++) {
            if (is_list(tables[i].type) == (lists == 1)) {
                put_any(out, &tables[i]);
            }
        }
    }
}
