/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes record types from a database's description of its tables. Tested by
 * tests/results/test_results.
 */
#include "stored_types.h"

#include "schema.h"

#include <opprof/grow.h>
#include <stdlib.h>
#include <string.h>

#define CELL_BYTES 8u

/* A table of the database as a record type again. */
struct StoredType {
    StoredType *next;
    OpprofRecordType type;
    OpprofField *fields;
    size_t field_capacity;
    char *name;
    char **texts; /* all that the type points to */
    size_t text_count;
    size_t text_capacity;
};

static const struct {
    const char *name;
    uint32_t kind; /* of the cell, 8 bytes wide */
} kinds[] = {
    { "u32", OPPROF_FIELD_I64 },       { "i32", OPPROF_FIELD_I64 },
    { "u64", OPPROF_FIELD_I64 },       { "i64", OPPROF_FIELD_I64 },
    { "i16", OPPROF_FIELD_I64 },       { "tick", OPPROF_FIELD_TICK },
    { "hex", OPPROF_FIELD_HEX },       { "f64", OPPROF_FIELD_F64 },
    { "string", OPPROF_FIELD_STRING }, { "text", OPPROF_FIELD_TEXT },
    { "track", OPPROF_FIELD_TEXT },
};

/* Columns of the description. */
enum {
    TABLE_ROW,
    TABLE_NAME,
    TABLE_RECORD,
    TABLE_VERSION,
    TABLE_TITLE,
    TABLE_SUMMARY,
    TABLE_FILE,
    TABLE_FLAGS,
    TABLE_ROWS,
    COLUMN_POSITION, /* NULL: the table has no columns */
    COLUMN_NAME,
    COLUMN_HEADING,
    COLUMN_KIND,
    COLUMN_UNIT,
    COLUMN_MEANING,
    COLUMN_ABSENT,
    COLUMN_DECIMALS,
    COLUMN_FLAGS,
    COLUMN_COMBINE,
};

/* Results before 0.3 of the ABI do not say how rows combine. */
static const char combine_column[] =
    "SELECT 1 FROM pragma_table_info('opprof_columns') WHERE name = 'combine'";

static const char description[] =
    "SELECT t.rowid, t.name, t.record, t.version, t.title, t.summary, t.file, t.flags, t.row_count,"
    " c.position, c.name, c.heading, c.kind, c.unit, c.meaning, c.absent, c.decimals, c.flags, %s"
    " FROM opprof_tables t LEFT JOIN opprof_columns c ON c.table_name = t.name"
    " WHERE t.record IS NOT 'advice' ORDER BY t.rowid, c.position";

/* A copy that lives as long as the type. *ret_text is NULL for NULL. False without memory. */
static bool keep(StoredType *stored, OpprofResultsRows *row, int column, char **ret_text)
{
    const char *text = OpprofResultsText(row, column, NULL);

    *ret_text = NULL;
    if (text == NULL) {
        return !row->is_out_of_memory;
    }
    if (!OpprofGrow(&stored->texts, &stored->text_capacity, stored->text_count + 1,
                    sizeof *stored->texts) ||
        (*ret_text = strdup(text)) == NULL) {
        return false;
    }
    stored->texts[stored->text_count++] = *ret_text;
    return true;
}

static int64_t whole(OpprofResultsRows *row, int column)
{
    int64_t value;

    return OpprofResultsWhole(row, column, &value) ? value : 0;
}

static uint32_t kind_of(const char *name)
{
    for (size_t i = 0; name != NULL && i < OPPROF_COUNT(kinds); i++) {
        if (strcmp(name, kinds[i].name) == 0) {
            return kinds[i].kind;
        }
    }
    return 0;
}

static uint32_t combine_of(const char *name)
{
    static const char *const rules[] = RESULTS_COMBINE;

    for (uint32_t i = 1; name != NULL && i < OPPROF_COUNT(rules); i++) {
        if (strcmp(name, rules[i]) == 0) {
            return i;
        }
    }
    return OPPROF_COMBINE_UNKNOWN;
}

static OpprofStatus add_field(StoredType *stored, OpprofResultsRows *row, OpprofError **error)
{
    char *name, *heading, *unit, *meaning, *absent;
    const uint32_t at = stored->type.field_count;
    const int64_t decimals = whole(row, COLUMN_DECIMALS);
    const char *kind = OpprofResultsText(row, COLUMN_KIND, NULL);

    if (!OpprofGrow(&stored->fields, &stored->field_capacity, (size_t) at + 1,
                    sizeof *stored->fields) ||
        !keep(stored, row, COLUMN_NAME, &name) || !keep(stored, row, COLUMN_HEADING, &heading) ||
        !keep(stored, row, COLUMN_UNIT, &unit) || !keep(stored, row, COLUMN_MEANING, &meaning) ||
        !keep(stored, row, COLUMN_ABSENT, &absent)) {
        return ResultsNoMemory(row->results, error);
    }
    stored->fields[at] = (OpprofField){
        .name = name,
        .kind = kind_of(kind),
        .offset = at * CELL_BYTES,
        .unit = unit,
        .meaning = meaning,
        .absent = absent,
        .heading = heading,
        .decimals = decimals < 0 || decimals > 18 ? 0 : (uint32_t) decimals,
        .flags = (uint32_t) whole(row, COLUMN_FLAGS),
        .combine = combine_of(OpprofResultsText(row, COLUMN_COMBINE, NULL)),
    };
    if (name == NULL || at >= RESULTS_COLUMNS_MAX) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "Column %u of the table '%s' %s", at + 1,
                              stored->name, name == NULL ? "has no name" : "is one too many");
    }
    if (stored->fields[at].kind == 0) {
        return OpprofErrorSet(error, OPPROF_E_DATA,
                              "Column '%s' of the table '%s' has the unknown kind '%s'", name,
                              stored->name, kind == NULL ? "" : kind);
    }
    stored->type.fields = stored->fields;
    stored->type.size = ++stored->type.field_count * CELL_BYTES;
    return OPPROF_OK;
}

static OpprofStatus begin_type(StoredType *stored, OpprofResultsRows *row, OpprofError **error)
{
    char *record, *title, *summary, *file;

    if (!keep(stored, row, TABLE_NAME, &stored->name) ||
        !keep(stored, row, TABLE_RECORD, &record) || !keep(stored, row, TABLE_TITLE, &title) ||
        !keep(stored, row, TABLE_SUMMARY, &summary) || !keep(stored, row, TABLE_FILE, &file)) {
        return ResultsNoMemory(row->results, error);
    }
    if (stored->name == NULL || record == NULL) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "A table has no name%s",
                              record == NULL ? " of its records" : "");
    }
    stored->type = (OpprofRecordType){
        .struct_size = sizeof(OpprofRecordType),
        .name = record,
        .version = (uint32_t) whole(row, TABLE_VERSION),
        .title = title,
        .summary = summary,
        .file_hint = file,
        .flags = (uint32_t) whole(row, TABLE_FLAGS) | OPPROF_RECORD_TABLE,
    };
    return OPPROF_OK;
}

static OpprofStatus add_type(OpprofResults *results, OpprofResultsRows *row, OpprofError **error)
{
    StoredType *stored = calloc(1, sizeof *stored);
    OpprofResultsTable *table;
    OpprofStatus status;

    if (stored == NULL) {
        return ResultsNoMemory(results, error);
    }
    stored->next = results->types;
    results->types = stored;
    if (!OpprofGrow32(&results->tables, &results->table_capacity, results->info.table_count + 1,
                      sizeof *results->tables)) {
        return ResultsNoMemory(results, error);
    }
    status = begin_type(stored, row, error);
    if (status == OPPROF_OK) {
        table = &results->tables[results->info.table_count++];
        *table = (OpprofResultsTable){ .name = stored->name, .type = &stored->type };
        if (!OpprofResultsWhole(row, TABLE_ROWS, &table->rows) || table->rows < 0) {
            table->rows = OPPROF_NA_I64;
        }
        results->info.tables = results->tables;
    }
    return status;
}

/* A column of a table, which follows those before it. */
static OpprofStatus take_row(OpprofResults *results, OpprofResultsRows *row, int64_t *table,
                             OpprofError **error)
{
    const int64_t number = whole(row, TABLE_ROW);
    OpprofStatus status = OPPROF_OK;
    int64_t position;

    if (results->types == NULL || number != *table) {
        *table = number;
        status = add_type(results, row, error);
    }
    if (status == OPPROF_OK && !OpprofResultsWhole(row, COLUMN_POSITION, &position)) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "The table '%s' has no columns",
                              results->types->name);
    }
    return status == OPPROF_OK ? add_field(results->types, row, error) : status;
}

static OpprofStatus query_description(OpprofResults *results, OpprofResultsRows **ret_rows,
                                      OpprofError **error)
{
    OpprofResultsRows *rows;
    OpprofStatus status = OpprofResultsQuery(results, combine_column, &rows, error);

    if (status == OPPROF_OK) {
        status = OpprofResultsNext(rows, error);
    }
    OpprofResultsRowsFree(rows);
    if (status != OPPROF_OK && status != OPPROF_END) {
        *ret_rows = NULL;
        return status;
    }
    return ResultsQueryPrinted(
        results, sqlite.mprintf(description, status == OPPROF_OK ? "c.combine" : "NULL"), ret_rows,
        error);
}

OpprofStatus StoredTypesRead(OpprofResults *results, OpprofError **error)
{
    int64_t table = 0;
    OpprofResultsRows *rows;
    OpprofStatus status = query_description(results, &rows, error);

    while (status == OPPROF_OK && (status = OpprofResultsNext(rows, error)) == OPPROF_OK) {
        status = take_row(results, rows, &table, error);
        if (status == OPPROF_E_DATA) {
            OpprofErrorWrap(error, "'%s' describes an impossible table", results->path);
        }
    }
    OpprofResultsRowsFree(rows);
    return status == OPPROF_END ? OPPROF_OK : status;
}

void StoredTypesFree(OpprofResults *results)
{
    while (results->types != NULL) {
        StoredType *stored = results->types;

        results->types = stored->next;
        for (size_t i = 0; i < stored->text_count; i++) {
            free(stored->texts[i]);
        }
        free(stored->texts);
        free(stored->fields);
        free(stored);
    }
    free(results->tables);
}

OpprofStatus OpprofResultsReadTable(OpprofResults *results, const OpprofResultsTable *table,
                                    OpprofResultsRows **ret_rows, OpprofError **error)
{
    const OpprofStatus status = ResultsCheckUnchecked(results, table->name, error);
    sqlite3_str *sql;

    *ret_rows = NULL;
    if (status != OPPROF_OK) {
        return status;
    }
    sql = sqlite.str_new(NULL);
    sqlite.str_appendall(sql, "SELECT ");
    for (uint32_t f = 0; f < table->type->field_count; f++) {
        /* Without the table before it, a name of no column would be a text. */
        sqlite.str_appendf(sql, "%st.\"%w\"", f == 0 ? "" : ",", table->type->fields[f].name);
    }
    sqlite.str_appendf(sql, " FROM \"%w\" t", table->name);
    return ResultsQueryPrinted(results, sqlite.str_finish(sql), ret_rows, error);
}
