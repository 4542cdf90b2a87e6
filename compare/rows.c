/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the rows of a table from the results of a comparison. Tested by tests/compare/test_diff.sh.
 */
#include "rows.h"

#include "describe.h"
#include "labels.h"
#include "query.h"

#include <opprof/grow.h>
#include <opprof/record.h>
#include <opprof/text.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows ---- */

/* Members of a row count together, where all runs say how. */
static bool is_member(const DiffTable *table, uint32_t key)
{
    return table->combines && table->keys[key].is_member;
}

/* A key of a row, by the labels of the first side. */
static const char *key_text(const DiffTable *table, OpprofResultsRows *rows, uint32_t k)
{
    const char *text = OpprofResultsText(rows, (int) k, NULL);

    return table->is_after && table->keys[k].is_label ? DiffLabel(&table->keys[k], text) : text;
}

/*
 * The key of a row in its table: "6:core0 -". An absent key is not an empty one.
 * NULL without memory.
 */
static char *row_identity(const DiffTable *table, OpprofResultsRows *rows, size_t *ret_size)
{
    char *identity = NULL;
    FILE *out = OpprofTextOpen(&identity, ret_size);
    for (uint32_t k = 0; out != NULL && k < table->key_count; k++) {
        const char *text = is_member(table, k) ? NULL : key_text(table, rows, k);

        if (text == NULL) {
            fputs("-", out);
        } else {
            fprintf(out, "%zu:%s", strlen(text), text);
        }
    }
    return out != NULL && fclose(out) == 0 ? identity : NULL;
}

/* "core0  0x10f8  MTE2", perhaps without the only member; NULL without memory. */
static char *row_key(const DiffTable *table, OpprofResultsRows *rows, bool with_members)
{
    char *key = NULL;
    size_t size;
    FILE *out = OpprofTextOpen(&key, &size);

    for (uint32_t k = 0; out != NULL && k < table->key_count; k++) {
        const char *text = with_members || !is_member(table, k) ? key_text(table, rows, k) : NULL;

        if (text != NULL && text[0] != '\0') {
            fprintf(out, "%s%s", ftell(out) > 0 ? "  " : "", text);
        }
    }
    if (out != NULL && fclose(out) == 0) {
        OpprofTextTame(key, false);
    }
    return key;
}

/* A row that no run had before; NULL without memory. Takes the key. */
static DiffRow *add_row(DiffTable *table, char *key, uint32_t runs)
{
    const size_t count = (size_t) runs * table->column_count;
    DiffRow row = { .key = key,
                    .values = calloc(count + 1, sizeof *row.values),
                    .is_in = calloc((size_t) runs + 1, sizeof *row.is_in),
                    .texts = calloc((size_t) runs * DiffTextsOf(table) + 1, sizeof *row.texts),
                    .unknown = calloc((size_t) runs + 1, sizeof *row.unknown) };

    if (key == NULL || row.values == NULL || row.is_in == NULL || row.texts == NULL ||
        row.unknown == NULL ||
        !OpprofGrow32(&table->rows, &table->row_capacity, table->row_count + 1,
                      sizeof *table->rows)) {
        DiffRowFree(&row);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        row.values[i] = (double) NAN;
    }
    table->rows[table->row_count] = row;
    return &table->rows[table->row_count++];
}

/* A row that another run has as well keeps the member in its name if it is the only one of both.
 * False without memory. */
static bool name_again(const DiffTable *table, DiffRow *row, OpprofResultsRows *rows)
{
    char *key = row_key(table, rows, true);
    const bool is_made = key != NULL;
    const bool is_same = is_made && strcmp(key, row->key) == 0;

    free(key);
    if (!is_made || is_same) {
        return is_made;
    }
    free(row->key);
    row->key = row_key(table, rows, false);
    return row->key != NULL;
}

/* NULL without memory. */
static DiffRow *find_row(DiffTable *table, OpprofResultsRows *rows, uint32_t runs)
{
    size_t size = 0;
    char *identity = row_identity(table, rows, &size);
    const uint32_t at =
        identity == NULL ? OPPROF_MAP_NONE : OpprofTextMapFind(&table->index, identity, size);
    DiffRow *row = at == OPPROF_MAP_NONE ? NULL : &table->rows[at];

    if (row != NULL && !name_again(table, row, rows)) {
        row = NULL;
    } else if (identity != NULL && row == NULL &&
               OpprofTextMapPut(&table->index, identity, size, table->row_count, NULL)) {
        row = add_row(table, row_key(table, rows, true), runs);
    }
    free(identity);
    return row;
}

/* The table's only copy of a text. NULL without memory. */
static const char *word_of(DiffTable *table, const char *text)
{
    const size_t length = strlen(text);
    const uint32_t at = OpprofTextMapFind(&table->word_index, text, length);
    const char *word;

    if (at != OPPROF_MAP_NONE) {
        return table->words[at];
    }
    if (!OpprofGrow32(&table->words, &table->word_capacity, table->word_count + 1,
                      sizeof *table->words) ||
        !OpprofTextMapPut(&table->word_index, text, length, table->word_count, &word)) {
        return NULL;
    }
    table->words[table->word_count++] = word;
    return word;
}

/* The texts of a row, from a column of the query on. False without memory. */
static bool take_texts(DiffTable *table, DiffRow *row, uint32_t run, OpprofResultsRows *rows,
                       uint32_t at)
{
    const uint32_t count = DiffTextsOf(table);

    for (uint32_t i = 0; i < count; i++) {
        const char *stored = OpprofResultsText(rows, (int) (at + i), NULL);

        if (stored != NULL) {
            char *text = DiffTame(stored);
            const char *word = text == NULL ? NULL : word_of(table, text);

            free(text);
            if (word == NULL) {
                return false;
            }
            row->texts[(size_t) run * count + i] = word;
        }
    }
    return true;
}

/* A row of a run; `runs` is how many there are. False without memory. */
static bool take_row(DiffTable *table, OpprofResultsRows *rows, uint32_t run, uint32_t runs)
{
    const uint32_t after = table->key_count + table->column_count;
    int64_t unknown = 0;
    int64_t count;
    DiffRow *row;

    /* Without keys, SQLite returns one line for all rows, even for a table without rows. */
    if (!OpprofResultsWhole(rows, (int) after, &count) || count == 0) {
        return true;
    }
    row = find_row(table, rows, runs);
    if (row == NULL || !take_texts(table, row, run, rows, after + 1)) {
        return false;
    }
    if (table->by != NULL) {
        OpprofResultsWhole(rows, (int) after + 1, &unknown);
    }
    row->is_in[run] = true;
    row->unknown[run] = (uint32_t) unknown;
    for (uint32_t c = 0; c < table->column_count; c++) {
        const double value = OpprofResultsReal(rows, (int) (table->key_count + c));

        if (!isnan(value)) {
            row->values[(size_t) run * table->column_count + c] = value;
        }
    }
    return true;
}

/* ---- which columns a run has ---- */

static void note_special(DiffSpecial *special, const char *name)
{
    special->is_here =
        special->is_here || (special->name != NULL && strcmp(special->name, name) == 0);
}

/* A column of the run: a key, or a number in the same unit. */
static void note_presence(DiffTable *table, const char *name, const char *unit, bool is_text)
{
    for (uint32_t k = 0; k < table->key_count; k++) {
        table->keys[k].is_here = table->keys[k].is_here || strcmp(table->keys[k].name, name) == 0;
    }
    for (uint32_t c = 0; !is_text && c < table->column_count; c++) {
        table->columns[c].is_here =
            table->columns[c].is_here || DiffColumnIs(&table->columns[c], name, unit);
    }
    for (uint32_t i = 0; is_text && i < table->text_count; i++) {
        table->texts[i].is_here =
            table->texts[i].is_here || strcmp(table->texts[i].name, name) == 0;
    }
    note_special(&table->place, name);
    note_special(&table->stall, name);
    note_special(&table->lane, name);
    note_special(&table->label, name);
    table->is_here = true;
}

/* False without memory. */
static bool note_fields(DiffTable *table, const OpprofRecordType *type)
{
    bool is_good = true;

    for (uint32_t f = 0; is_good && f < type->field_count; f++) {
        char *name = DiffTame(type->fields[f].name);
        char *unit = DiffTame(type->fields[f].unit);

        is_good = name != NULL && unit != NULL;
        if (is_good) {
            note_presence(table, name, unit, DiffFieldIsText(&type->fields[f]));
        }
        free(name);
        free(unit);
    }
    return is_good;
}

/* Which of the table's columns a run has, by what it says itself. False without memory. */
static bool find_columns(DiffTable *table, const OpprofResultsInfo *info)
{
    bool is_good = true;

    table->is_here = false;
    table->place.is_here = false;
    table->stall.is_here = false;
    table->lane.is_here = false;
    table->label.is_here = false;
    for (uint32_t k = 0; k < table->key_count; k++) {
        table->keys[k].is_here = false;
    }
    for (uint32_t c = 0; c < table->column_count; c++) {
        table->columns[c].is_here = false;
    }
    for (uint32_t i = 0; i < table->text_count; i++) {
        table->texts[i].is_here = false;
    }
    for (uint32_t i = 0; is_good && i < info->table_count; i++) {
        char *name = DiffTame(info->tables[i].name);

        is_good = name != NULL;
        if (is_good && strcmp(name, table->name) == 0) {
            is_good = note_fields(table, info->tables[i].type);
        }
        free(name);
    }
    return is_good;
}

/* The rows of a table whose columns in the run are noted. */
static OpprofStatus load_rows(DiffTable *table, const DiffTable *base, OpprofResults *results,
                              uint32_t run, uint32_t runs, OpprofError **error)
{
    OpprofResultsRows *rows = NULL;
    char *sql = DiffQuery(table, base);
    OpprofStatus status =
        sql == NULL ? DiffNoMemory(error) : OpprofResultsCheck(results, table->name, error);

    if (status == OPPROF_OK) {
        status = OpprofResultsQuery(results, sql, &rows, error);
    }
    while (status == OPPROF_OK && (status = OpprofResultsNext(rows, error)) == OPPROF_OK) {
        if (!take_row(table, rows, run, runs)) {
            status = DiffNoMemory(error);
        }
    }
    OpprofResultsRowsFree(rows);
    free(sql);
    return status == OPPROF_END ? OPPROF_OK : status;
}

OpprofStatus DiffRowsLoad(DiffData *data, uint32_t number, OpprofResults *results, uint32_t run,
                          OpprofError **error)
{
    const OpprofResultsInfo *info = OpprofResultsAbout(results);
    DiffTable *table = &data->tables[number];
    DiffTable *base = table->by == NULL ? table : &data->tables[table->base];

    table->is_after = run >= data->sides[0].runs;
    if (table->by != NULL && !DiffHasTotal(&table->columns[0])) {
        return OPPROF_OK; /* not all runs say that the rows add up */
    }
    if (!find_columns(table, info) || (base != table && !find_columns(base, info))) {
        return DiffNoMemory(error);
    }
    return table->is_here ? load_rows(table, base, results, run,
                                      data->sides[0].runs + data->sides[1].runs, error)
                          : OPPROF_OK;
}
