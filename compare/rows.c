/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the rows of a table from the results of a comparison. Tested by tests/compare/test_diff.sh.
 */
#include "rows.h"

#include "describe.h"

#include <opprof/grow.h>
#include <opprof/record.h>
#include <opprof/text.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the query ---- */

/*
 * Print SQL in which '@' stands for a name, as a quoted one. A column is named with the table
 * before it: where there is no such column, its name alone would be a text.
 */
static void put_sql(FILE *sql, const char *format, const char *name)
{
    for (; *format != '\0'; format++) {
        if (*format != '@') {
            fputc(*format, sql);
            continue;
        }
        fputc('"', sql);
        for (const char *at = name; *at != '\0'; at++) {
            fputs(*at == '"' ? "\"\"" : (const char[]){ *at, '\0' }, sql);
        }
        fputc('"', sql);
    }
}

/* A key of a row: NULL where the run has no such column. */
static void put_key(FILE *sql, const DiffKey *key)
{
    put_sql(sql,
            !key->is_here ? "NULL,"
            : key->is_hex ? "CASE typeof(t.@) WHEN 'integer' THEN printf('0x%x',t.@) ELSE t.@ END,"
                          : "t.@,",
            key->name);
}

/*
 * Which rows are added up: those of the member that is all of them together, where there is one. By
 * members it is left out.
 */
static void put_members(FILE *sql, const DiffTable *table)
{
    if (table->by == NULL || !table->member.is_here) {
        return;
    }
    if (strcmp(table->by, table->member.name) == 0) {
        put_sql(sql, " WHERE t.@ IS NOT 'all'", table->member.name);
    } else {
        put_sql(sql, " WHERE t.@ = 'all'", table->member.name);
        put_sql(sql, " OR NOT EXISTS (SELECT 1 FROM @ a", table->name);
        put_sql(sql, " WHERE a.@ = 'all')", table->member.name);
    }
}

/* How many values of a sum are absent; texts, of several rows that which all of them have. */
static void put_texts(FILE *sql, const DiffTable *table)
{
    static const char common[] =
        ",CASE WHEN count(*)=count(t.@) AND min(t.@)=max(t.@) THEN min(t.@) END";

    if (table->by != NULL) {
        put_sql(sql, table->columns[0].is_here ? ",count(*)-count(t.@)" : ",count(*)",
                table->columns[0].name);
    }
    for (uint32_t i = 0; i < DiffTextsOf(table); i++) {
        put_sql(sql, table->texts[i].is_here ? common : ",NULL", table->texts[i].name);
    }
}

static bool adds_up(const DiffTable *table, uint32_t column)
{
    return DiffIsAmount(&table->columns[column]) ||
           (column == table->weight && (table->columns[column].flags & OPPROF_FIELD_ALONE) == 0);
}

/* Sums of times, means of others: a sum of integers could be too large for one. */
static void put_columns(FILE *sql, const DiffTable *table)
{
    for (uint32_t c = 0; c < table->column_count; c++) {
        put_sql(sql,
                !table->columns[c].is_here ? "NULL,"
                : adds_up(table, c)        ? "sum(1.0*t.@),"
                                           : "avg(1.0*t.@),",
                table->columns[c].name);
    }
}

/*
 * Ends a text that was put together. NULL without memory: the stream may have no text then, and not
 * say so.
 */
static char *finish_text(FILE *out, char **text, bool is_whole)
{
    if (fclose(out) != 0 || !is_whole) {
        free(*text);
        *text = NULL;
    }
    return *text;
}

/* Rows by key, with what is added up of them. NULL without memory. */
static char *rows_sql(const DiffTable *table)
{
    char *text = NULL;
    size_t size;
    FILE *sql = open_memstream(&text, &size);
    const char *before = " GROUP BY ";

    if (sql == NULL) {
        return NULL;
    }
    fputs("SELECT ", sql);
    for (uint32_t k = 0; k < table->key_count; k++) {
        put_key(sql, &table->keys[k]);
    }
    put_columns(sql, table);
    fputs("count(*)", sql);
    put_texts(sql, table);
    put_sql(sql, " FROM @ t", table->name);
    put_members(sql, table);
    for (uint32_t k = 0; k < table->key_count; k++) {
        if (table->keys[k].is_here) {
            fputs(before, sql);
            put_sql(sql, "t.@", table->keys[k].name);
            before = ",";
        }
    }
    return finish_text(sql, &text, ferror(sql) == 0);
}

/* ---- rows ---- */

/*
 * The key of a row in its table: "6:core0 -". An absent key is not an empty one.
 * NULL without memory.
 */
static char *row_identity(const DiffTable *table, OpprofResultsRows *rows, size_t *ret_size)
{
    char *identity = NULL;
    FILE *out = open_memstream(&identity, ret_size);
    bool is_whole = out != NULL;

    for (uint32_t k = 0; is_whole && k < table->key_count; k++) {
        size_t size;
        const char *text = OpprofResultsText(rows, (int) k, &size);

        is_whole = text == NULL
                       ? fputs("-", out) >= 0
                       : fprintf(out, "%zu:", size) > 0 && fwrite(text, 1, size, out) == size;
    }
    return out == NULL ? NULL : finish_text(out, &identity, is_whole);
}

/* "core0  0x10f8  MTE2"; NULL without memory. */
static char *row_key(const DiffTable *table, OpprofResultsRows *rows)
{
    char *key = NULL;
    size_t size;
    FILE *out = open_memstream(&key, &size);
    bool is_whole = out != NULL;

    for (uint32_t k = 0; is_whole && k < table->key_count; k++) {
        const char *text = OpprofResultsText(rows, (int) k, NULL);

        if (text != NULL && text[0] != '\0') {
            is_whole = fprintf(out, "%s%s", ftell(out) > 0 ? "  " : "", text) >= 0;
        }
    }
    if (out != NULL && finish_text(out, &key, is_whole) != NULL) {
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

/* NULL without memory. */
static DiffRow *find_row(DiffTable *table, OpprofResultsRows *rows, uint32_t runs)
{
    size_t size = 0;
    char *identity = row_identity(table, rows, &size);
    const uint32_t at =
        identity == NULL ? OPPROF_MAP_NONE : OpprofTextMapFind(&table->index, identity, size);
    DiffRow *row = at == OPPROF_MAP_NONE ? NULL : &table->rows[at];

    if (identity != NULL && row == NULL &&
        OpprofTextMapPut(&table->index, identity, size, table->row_count, NULL)) {
        row = add_row(table, row_key(table, rows), runs);
    }
    free(identity);
    return row;
}

static bool is_whole(const DiffTable *table, OpprofResultsRows *rows)
{
    for (uint32_t k = 0; k < table->key_count; k++) {
        const char *text = table->keys[k].is_member ? OpprofResultsText(rows, (int) k, NULL) : NULL;

        if (text != NULL && strcmp(text, "all") == 0) {
            return true;
        }
    }
    return false;
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
    row->is_whole = is_whole(table, rows);
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
    table->member.is_here = table->member.is_here ||
                            (table->member.name != NULL && strcmp(table->member.name, name) == 0);
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
    table->member.is_here = false;
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

OpprofStatus DiffRowsLoad(DiffTable *table, OpprofResults *results, uint32_t run, uint32_t runs,
                          OpprofError **error)
{
    OpprofResultsRows *rows = NULL;
    OpprofStatus status;
    char *sql;

    if (!find_columns(table, OpprofResultsAbout(results))) {
        return DiffNoMemory(error);
    }
    if (!table->is_here) {
        return OPPROF_OK;
    }
    sql = rows_sql(table);
    status = sql == NULL ? DiffNoMemory(error) : OpprofResultsCheck(results, table->name, error);
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
