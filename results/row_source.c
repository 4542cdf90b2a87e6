/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table that is not in the database: its rows are made while they are read.
 * Tested by tests/plugins/export/test_sqlite.
 */
#include "row_source.h"

#define NOMINAL_ROWS 1000 /* for the planner, which has no choice here */

typedef struct Table {
    sqlite3_vtab base;
    RowSource *source;
} Table;

typedef struct Cursor {
    sqlite3_vtab_cursor base;
    uint32_t row;
} Cursor;

static int connect(sqlite3 *handle, void *context, int argc, const char *const *argv,
                   sqlite3_vtab **ret_table, char **ret_message)
{
    RowSource *source = context;
    Table *table = sqlite.malloc(sizeof *table);
    int code;

    (void) argc;
    (void) argv;
    (void) ret_message;
    if (table == NULL) {
        return SQLITE_NOMEM;
    }
    *table = (Table){ .source = source };
    code = sqlite.declare_vtab(handle, source->declaration);
    if (code != SQLITE_OK) {
        sqlite.free(table);
        return code;
    }
    *ret_table = &table->base;
    return SQLITE_OK;
}

static int disconnect(sqlite3_vtab *table)
{
    sqlite.free(table);
    return SQLITE_OK;
}

static int plan(sqlite3_vtab *table, sqlite3_index_info *info)
{
    (void) table;
    info->estimatedRows = NOMINAL_ROWS;
    info->estimatedCost = NOMINAL_ROWS;
    return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **ret_cursor)
{
    Cursor *cursor = sqlite.malloc(sizeof *cursor);

    (void) table;
    if (cursor == NULL) {
        return SQLITE_NOMEM;
    }
    *cursor = (Cursor){ .row = 0 };
    *ret_cursor = &cursor->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
    sqlite.free(cursor);
    return SQLITE_OK;
}

static RowSource *source_of(const sqlite3_vtab_cursor *cursor)
{
    return ((const Table *) cursor->pVtab)->source;
}

/* The current row, unless this is the end. */
static int load(const Cursor *cursor)
{
    RowSource *source = source_of(&cursor->base);

    if (cursor->row >= source->count) {
        return SQLITE_OK;
    }
    source->status = source->load(source, cursor->row, source->error);
    return source->status == OPPROF_OK ? SQLITE_OK : SQLITE_ERROR;
}

static int begin(sqlite3_vtab_cursor *base, int number, const char *text, int argc,
                 sqlite3_value **argv)
{
    Cursor *cursor = (Cursor *) base;

    (void) number;
    (void) text;
    (void) argc;
    (void) argv;
    cursor->row = 0;
    return load(cursor);
}

static int next(sqlite3_vtab_cursor *base)
{
    Cursor *cursor = (Cursor *) base;

    cursor->row++;
    return load(cursor);
}

static int is_over(sqlite3_vtab_cursor *base)
{
    return ((const Cursor *) base)->row >= source_of(base)->count;
}

static int give(sqlite3_vtab_cursor *base, sqlite3_context *result, int column)
{
    RowSource *source = source_of(base);

    source->give(source, result, column);
    return SQLITE_OK;
}

static int number_of(sqlite3_vtab_cursor *base, sqlite3_int64 *ret_number)
{
    *ret_number = ((const Cursor *) base)->row;
    return SQLITE_OK;
}

/* Without xCreate the table exists under the module's name, and nothing of it is in the file. */
static const sqlite3_module module = {
    .xConnect = connect,
    .xBestIndex = plan,
    .xDisconnect = disconnect,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = begin,
    .xNext = next,
    .xEof = is_over,
    .xColumn = give,
    .xRowid = number_of,
};

OpprofStatus RowSourceRegister(RowSource *source, Database *database, const char *name,
                               OpprofError **error)
{
    return sqlite.create_module(database->handle, name, &module, source) == SQLITE_OK
               ? OPPROF_OK
               : DatabaseFail(database, error);
}

OpprofStatus RowSourceRun(RowSource *source, Database *database, sqlite3_stmt *statement,
                          uint32_t count, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    source->count = count;
    source->status = OPPROF_OK;
    source->error = error;
    if (sqlite.step(statement) != SQLITE_DONE) {
        status = source->status != OPPROF_OK ? source->status : DatabaseFail(database, error);
    }
    sqlite.reset(statement);
    return status;
}
