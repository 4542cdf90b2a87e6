/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the rows of a table from the databases of a comparison. Tested by tests/plugins/export/test_diff.sh. */
#include "diff_rows.h"

#include "diff_tables.h"

#include <opprof/grow.h>
#include <opprof/record.h>
#include <opprof/text.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A key of a row: NULL where the run has no such column. */
static void put_key(sqlite3_str *sql, const DiffKey *key)
{
    if (!key->is_here) {
        sqlite.str_appendall(sql, "NULL,");
    } else if (key->is_hex) {
        sqlite.str_appendf(sql,
                           "CASE typeof(t.\"%w\") WHEN 'integer' THEN printf('0x%%x',t.\"%w\") "
                           "ELSE t.\"%w\" END,",
                           key->name, key->name, key->name);
    } else {
        sqlite.str_appendf(sql, "t.\"%w\",", key->name);
    }
}

/*
 * Which rows are added up: those of the member that is all of them together, where there is one. By members it is left out.
 */
static void put_members(sqlite3_str *sql, const DiffTable *table)
{
    if (table->by == NULL || !table->member.is_here) {
        return;
    }
    if (strcmp(table->by, table->member.name) == 0) {
        sqlite.str_appendf(sql, " WHERE t.\"%w\" IS NOT 'all'", table->member.name);
    } else {
        sqlite.str_appendf(sql,
                           " WHERE t.\"%w\" = 'all' OR NOT EXISTS (SELECT 1 FROM \"%w\" a WHERE "
                           "a.\"%w\" = 'all')",
                           table->member.name, table->name, table->member.name);
    }
}

/* How many values of a sum are absent; texts, of several rows that which all of them have. */
static void put_texts(sqlite3_str *sql, const DiffTable *table)
{
    if (table->by != NULL && table->columns[0].is_here) {
        sqlite.str_appendf(sql, ",count(*)-count(t.\"%w\")", table->columns[0].name);
    } else if (table->by != NULL) {
        sqlite.str_appendall(sql, ",count(*)");
    }
    for (uint32_t i = 0; i < DiffTextsOf(table); i++) {
        if (table->texts[i].is_here) {
            sqlite.str_appendf(
                sql,
                ",CASE WHEN count(*)=count(t.\"%w\") AND min(t.\"%w\")=max(t.\"%w\") "
                "THEN min(t.\"%w\") END",
                table->texts[i].name, table->texts[i].name, table->texts[i].name,
                table->texts[i].name);
        } else {
            sqlite.str_appendall(sql, ",NULL");
        }
    }
}

static bool adds_up(const DiffTable *table, uint32_t column)
{
    return DiffIsAmount(&table->columns[column]) ||
           (column == table->weight && (table->columns[column].flags & OPPROF_FIELD_ALONE) == 0);
}

/*
 * Sums of times, means of others, by key. NULL without memory. A quoted name without the table before it would be a text
 * where there is no such column.
 */
static char *rows_sql(const DiffTable *table)
{
    sqlite3_str *sql = sqlite.str_new(NULL);
    const char *before = " GROUP BY ";

    sqlite.str_appendall(sql, "SELECT ");
    for (uint32_t k = 0; k < table->key_count; k++) {
        put_key(sql, &table->keys[k]);
    }
    for (uint32_t c = 0; c < table->column_count; c++) {
        const DiffColumn *column = &table->columns[c];

        if (column->is_here) {
            /* A sum of integers could be too large for one. */
            sqlite.str_appendf(sql, "%s(1.0*t.\"%w\"),", adds_up(table, c) ? "sum" : "avg",
                               column->name);
        } else {
            sqlite.str_appendall(sql, "NULL,");
        }
    }
    sqlite.str_appendall(sql, "count(*)");
    put_texts(sql, table);
    sqlite.str_appendf(sql, " FROM \"%w\" t", table->name);
    put_members(sql, table);
    for (uint32_t k = 0; k < table->key_count; k++) {
        if (table->keys[k].is_here) {
            sqlite.str_appendf(sql, "%st.\"%w\"", before, table->keys[k].name);
            before = ",";
        }
    }
    return sqlite.str_finish(sql);
}

/* Ends a text that was put together. NULL without memory: the stream may have no text then, and not say so. */
static char *finish_text(FILE *out, char **text, bool is_whole)
{
    if (fclose(out) != 0 || !is_whole) {
        free(*text);
        *text = NULL;
    }
    return *text;
}

/* What tells a row from all others of its table: "6:core0 -". An absent key is not an empty one. NULL without memory. */
static char *row_identity(const DiffTable *table, sqlite3_stmt *statement, size_t *ret_size)
{
    char *identity = NULL;
    FILE *out = open_memstream(&identity, ret_size);
    bool is_whole = out != NULL;

    for (uint32_t k = 0; is_whole && k < table->key_count; k++) {
        const bool is_absent = sqlite.column_type(statement, (int) k) == SQLITE_NULL;
        const char *text = DiffFileText(statement, (int) k);
        const size_t size = text == NULL ? 0 : (size_t) sqlite.column_bytes(statement, (int) k);

        is_whole = text != NULL && (is_absent ? fputs("-", out) >= 0
                                              : fprintf(out, "%zu:", size) > 0 &&
                                                    fwrite(text, 1, size, out) == size);
    }
    return out == NULL ? NULL : finish_text(out, &identity, is_whole);
}

/* "core0  0x10f8  MTE2"; NULL without memory. */
static char *row_key(const DiffTable *table, sqlite3_stmt *statement)
{
    char *key = NULL;
    size_t size;
    FILE *out = open_memstream(&key, &size);
    bool is_whole = out != NULL;

    for (uint32_t k = 0; is_whole && k < table->key_count; k++) {
        const char *text = DiffFileText(statement, (int) k);

        is_whole = text != NULL;
        if (text != NULL && text[0] != '\0') {
            is_whole = fprintf(out, "%s%s", ftell(out) > 0 ? "  " : "", text) >= 0;
        }
    }
    if (out != NULL && finish_text(out, &key, is_whole) != NULL) {
        OpprofTextTame(key, false);
    }
    return key;
}

void DiffRowFree(DiffRow *row)
{
    free(row->key);
    free(row->values);
    free(row->is_in);
    free(row->texts);
    free(row->unknown);
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
static DiffRow *find_row(DiffTable *table, sqlite3_stmt *statement, uint32_t runs)
{
    size_t size = 0;
    char *identity = row_identity(table, statement, &size);
    const uint32_t at =
        identity == NULL ? OPPROF_MAP_NONE : OpprofTextMapFind(&table->index, identity, size);
    DiffRow *row = at == OPPROF_MAP_NONE ? NULL : &table->rows[at];

    if (identity != NULL && row == NULL &&
        OpprofTextMapPut(&table->index, identity, size, table->row_count, NULL)) {
        row = add_row(table, row_key(table, statement), runs);
    }
    free(identity);
    return row;
}

/* Which run of how many a row is of. */
typedef struct Loading {
    DiffTable *table;
    uint32_t run;
    uint32_t runs;
} Loading;

static bool is_whole(const DiffTable *table, sqlite3_stmt *statement)
{
    for (uint32_t k = 0; k < table->key_count; k++) {
        const char *text = table->keys[k].is_member ? DiffFileText(statement, (int) k) : NULL;

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

/* The texts of a row, from a column of the statement on. False without memory. */
static bool take_texts(DiffTable *table, DiffRow *row, uint32_t run, sqlite3_stmt *statement,
                       uint32_t at)
{
    const uint32_t count = DiffTextsOf(table);

    for (uint32_t i = 0; i < count; i++) {
        if (sqlite.column_type(statement, (int) (at + i)) != SQLITE_NULL) {
            char *text = DiffFileTextCopy(statement, (int) (at + i));
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

static OpprofStatus take_row(void *context, sqlite3_stmt *statement, OpprofError **error)
{
    const Loading *now = context;
    DiffTable *table = now->table;
    const uint32_t after = table->key_count + table->column_count;
    DiffRow *row;

    /* Without keys, SQLite returns one line for all rows, even for a table without rows. */
    if (sqlite.column_int64(statement, (int) after) == 0) {
        return OPPROF_OK;
    }
    row = find_row(table, statement, now->runs);
    if (row == NULL || !take_texts(table, row, now->run, statement, after + 1)) {
        return DiffNoMemory(error);
    }
    row->is_in[now->run] = true;
    row->is_whole = is_whole(table, statement);
    row->unknown[now->run] =
        table->by == NULL ? 0 : (uint32_t) sqlite.column_int64(statement, (int) after + 1);
    for (uint32_t c = 0; c < table->column_count; c++) {
        const int at = (int) (table->key_count + c);

        if (sqlite.column_type(statement, at) != SQLITE_NULL) {
            row->values[(size_t) now->run * table->column_count + c] =
                sqlite.column_double(statement, at);
        }
    }
    return OPPROF_OK;
}

/* A column of the run: a key, or a number in the same unit. */
static void note_presence(DiffTable *table, const char *name, const char *unit, const char *kind)
{
    for (uint32_t k = 0; k < table->key_count; k++) {
        table->keys[k].is_here = table->keys[k].is_here || strcmp(table->keys[k].name, name) == 0;
    }
    for (uint32_t c = 0; !DiffKindIsText(kind) && c < table->column_count; c++) {
        table->columns[c].is_here =
            table->columns[c].is_here || DiffColumnIs(&table->columns[c], name, unit);
    }
    for (uint32_t i = 0; DiffKindIsText(kind) && i < table->text_count; i++) {
        table->texts[i].is_here =
            table->texts[i].is_here || strcmp(table->texts[i].name, name) == 0;
    }
    table->member.is_here = table->member.is_here ||
                            (table->member.name != NULL && strcmp(table->member.name, name) == 0);
    table->is_here = true;
}

static OpprofStatus take_presence(void *context, sqlite3_stmt *row, OpprofError **error)
{
    char *name = DiffFileTextCopy(row, 0);
    char *unit = DiffFileTextCopy(row, 1);
    const bool is_good = name != NULL && unit != NULL;

    if (is_good) {
        note_presence(context, name, unit, (const char *) sqlite.column_text(row, 2));
    }
    free(name);
    free(unit);
    return is_good ? OPPROF_OK : DiffNoMemory(error);
}

/* Which of the table's columns a run has, by what it says itself. */
static OpprofStatus find_columns(DiffTable *table, const DiffFile *file, OpprofError **error)
{
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
    return DiffFileQuery(file,
                         "SELECT c.name, coalesce(c.unit, ''), c.kind FROM opprof_tables t JOIN "
                         "opprof_columns c ON c.table_name = t.name WHERE t.name = ?",
                         table->name, take_presence, table, error);
}

OpprofStatus DiffRowsLoad(DiffTable *table, const DiffFile *file, uint32_t run, uint32_t runs,
                          OpprofError **error)
{
    OpprofStatus status = find_columns(table, file, error);
    char *sql;

    if (status != OPPROF_OK || !table->is_here) {
        return status;
    }
    sql = rows_sql(table);
    status = sql == NULL ? DiffNoMemory(error) : DiffFileCheck(file, table->name, error);
    if (status == OPPROF_OK) {
        status = DiffFileQuery(file, sql, NULL, take_row, &(Loading){ table, run, runs }, error);
    }
    sqlite.free(sql);
    return status;
}
