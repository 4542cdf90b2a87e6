/* SPDX-License-Identifier: Apache-2.0 */
/* sqlite: writes all tables, spans, counters and advice of a run into one database, results.sqlite. */
#include "span_rows.h"
#include "table_rows.h"

#include <opprof/kit/kept_batches.h>
#include <opprof/plugin.h>
#include <stdlib.h>
#include <string.h>

#define FILE_NAME "results.sqlite"
#define FORMAT "1"

enum { INPUT_TABLES, INPUT_SPANS, INPUT_COUNTERS };

typedef struct Sqlite {
    OpprofStage *stage;
    OpprofKeptBatches kept;
    Database database;
    TableSet tables;
    SpanRows spans;
} Sqlite;

static const char schema[] =
    "CREATE TABLE opprof_run(name TEXT PRIMARY KEY, value TEXT);"
    "CREATE TABLE opprof_tables(name TEXT PRIMARY KEY, record TEXT, version INTEGER, title TEXT,"
    " summary TEXT, file TEXT, flags INTEGER, row_count INTEGER);"
    "CREATE TABLE opprof_columns(table_name TEXT, position INTEGER, name TEXT, heading TEXT,"
    " kind TEXT, unit TEXT, meaning TEXT, absent TEXT, decimals INTEGER, is_key INTEGER,"
    " flags INTEGER, PRIMARY KEY(table_name, position))";

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Sqlite *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return OpprofErrorNoMemory(error, "write a database");
    }
    self->stage = stage;
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus start(void *context, OpprofError **error)
{
    Sqlite *self = context;
    OpprofStatus status = DatabaseOpen(&self->database, self->stage, FILE_NAME, error);

    if (status == OPPROF_OK) {
        status = DatabaseRun(&self->database, schema, error);
    }
    return status == OPPROF_OK ? SpanRowsStart(&self->spans, &self->database, error) : status;
}

/* Rows are written at the end: their order, and the numbers of names, must not depend on threads. */
static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Sqlite *self = context;

    return OpprofKeptBatchesAdd(&self->kept, self->stage, port, batch, error);
}

static OpprofStatus take(void *context, uint32_t port, const OpprofBatch *batch,
                         OpprofError **error)
{
    Sqlite *self = context;

    switch (port) {
    case INPUT_SPANS:
        return SpanRowsTakeSpans(&self->spans, &self->database, batch, error);
    case INPUT_COUNTERS:
        return SpanRowsTakeCounters(&self->spans, &self->database, batch, error);
    default:
        return TableSetTake(&self->tables, &self->database, batch, error);
    }
}

static OpprofStatus put_fact(Sqlite *self, sqlite3_stmt *statement, const char *name,
                             const char *value, OpprofError **error)
{
    sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
    return DatabaseBindText(&self->database, statement, 2, value, value == NULL ? 0 : strlen(value))
               ? DatabaseStep(&self->database, statement, error)
               : DatabaseFail(&self->database, error);
}

/* Describes the database, and whether something is missing in it. */
static OpprofStatus put_facts(Sqlite *self, OpprofError **error)
{
    sqlite3_stmt *statement = NULL;
    char *missing = NULL;
    OpprofStatus status = OpprofStageMissing(self->stage, &missing);

    if (status == OPPROF_OK) {
        status = DatabasePrepare(&self->database, "INSERT INTO opprof_run VALUES(?,?)", &statement,
                                 error);
    }
    if (status == OPPROF_OK) {
        status = put_fact(self, statement, "format", FORMAT, error);
    }
    if (status == OPPROF_OK) {
        status = put_fact(self, statement, "version", OpprofVersion(), error);
    }
    if (status == OPPROF_OK) {
        status = put_fact(self, statement, "complete", missing == NULL ? "1" : "0", error);
    }
    if (status == OPPROF_OK) {
        status = put_fact(self, statement, "missing", missing, error);
    }
    sqlite3_finalize(statement);
    free(missing);
    return status == OPPROF_E_MEMORY ? OpprofErrorNoMemory(error, "describe the run") : status;
}

/* Statements are freed before the database is closed. */
static OpprofStatus flush(void *context, OpprofError **error)
{
    Sqlite *self = context;
    OpprofStatus status = OpprofKeptBatchesHandOut(&self->kept, self->stage, take, self, error);

    if (status == OPPROF_OK) {
        status = TableSetFinish(&self->tables, &self->database, error);
    }
    if (status == OPPROF_OK) {
        status = SpanRowsFinish(&self->database, error);
    }
    if (status == OPPROF_OK) {
        status = put_facts(self, error);
    }
    TableSetFree(&self->tables);
    SpanRowsFree(&self->spans);
    return status == OPPROF_OK ? DatabaseFinish(&self->database, error) : status;
}

static OpprofStatus stop(void *context, OpprofError **error)
{
    Sqlite *self = context;

    (void) error;
    OpprofKeptBatchesFinish(&self->kept);
    TableSetFree(&self->tables);
    SpanRowsFree(&self->spans);
    DatabaseClose(&self->database);
    return OPPROF_OK;
}

static void destroy(void *context)
{
    Sqlite *self = context;

    OpprofKeptBatchesFinish(&self->kept);
    TableSetFree(&self->tables);
    SpanRowsFree(&self->spans);
    DatabaseClose(&self->database);
    free(self);
}

static const OpprofPort inputs[] = {
    [INPUT_TABLES] = { .name = "tables",
                       .type = OPPROF_ANY_TABLE,
                       .flags = OPPROF_PORT_MANY | OPPROF_PORT_OPTIONAL,
                       .summary = "Tables of any kind." },
    [INPUT_SPANS] = { .name = "spans",
                      .type = "span",
                      .flags = OPPROF_PORT_MANY | OPPROF_PORT_OPTIONAL,
                      .summary = "Timelines." },
    [INPUT_COUNTERS] = { .name = "counters",
                         .type = "counter",
                         .flags = OPPROF_PORT_MANY | OPPROF_PORT_OPTIONAL,
                         .summary = "Curves." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .start = start,
    .process = process,
    .flush = flush,
    .stop = stop,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(
        .name = "sqlite", .version = "1.0", .license = "Apache-2.0",
        .summary = "Writes all findings into one SQLite database.",
        .help =
            "Each table of the run is a table of the database, named as its record type, with '_' "
            "for characters other than letters and digits. The views spans and counters hold "
            "timelines and curves. opprof_tables and opprof_columns hold titles, units and "
            "meanings; opprof_run says whether something is missing. Absent values are NULL.",
        .kind = OPPROF_EXPORTER, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
        .ops = &ops);
