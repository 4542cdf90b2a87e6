/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the database of a run. Tested by tests/plugins/export/test_sqlite. */
#include "schema.h"
#include "span_rows.h"
#include "table_rows.h"

#include <opprof/results.h>
#include <opprof/version.h>
#include <stdlib.h>
#include <string.h>

#define VIEWS "view." /* at the beginning of a type's name: cells of a viewer's pages */

struct OpprofResultsWriter {
    OpprofStage *stage;
    OpprofResultsContents contents;
    Database database;
    TableSet tables;
    SpanRows spans;
};

/* Tables of spans and counters, and how they are filled. */
static OpprofStatus start_timelines(OpprofResultsWriter *self, OpprofError **error)
{
    const OpprofStatus status =
        DatabaseRun(&self->database, RESULTS_TIMELINES ";" RESULTS_VIEWS(""), error);

    return status == OPPROF_OK ? SpanRowsStart(&self->spans, &self->database, error) : status;
}

OpprofStatus OpprofResultsWriterOpen(OpprofStage *stage, const OpprofResultsContents *contents,
                                     OpprofResultsWriter **ret_writer, OpprofError **error)
{
    OpprofStatus status = SqliteLibraryLoad(error);
    OpprofResultsWriter *self;

    *ret_writer = NULL;
    if (status != OPPROF_OK) {
        return status;
    }
    self = calloc(1, sizeof *self);
    if (self == NULL) {
        return OpprofErrorNoMemory(error, "write a database");
    }
    self->stage = stage;
    self->contents = *contents;
    status = DatabaseOpen(&self->database, stage, OPPROF_RESULTS_FILE, error);
    if (status == OPPROF_OK) {
        status = DatabaseRun(&self->database, RESULTS_DESCRIPTION, error);
    }
    if (status == OPPROF_OK && contents->has_timelines) {
        status = start_timelines(self, error);
    }
    if (status != OPPROF_OK) {
        OpprofResultsWriterFree(self);
        return status;
    }
    *ret_writer = self;
    return OPPROF_OK;
}

bool OpprofResultsWriterWants(const OpprofResultsWriter *self, const OpprofRecordType *type)
{
    return (type->flags & OPPROF_RECORD_TABLE) == 0
               ? self->contents.has_timelines
               : self->contents.has_views || strncmp(type->name, VIEWS, strlen(VIEWS)) != 0;
}

OpprofStatus OpprofResultsWriterTake(OpprofResultsWriter *self, const OpprofBatch *batch,
                                     OpprofError **error)
{
    if ((batch->type->flags & OPPROF_RECORD_TABLE) != 0) {
        return TableRowsTake(&self->tables, &self->database, batch, error);
    }
    return strcmp(batch->type->name, opprof_span_type.name) == 0
               ? SpanRowsTakeSpans(&self->spans, &self->database, batch, error)
               : SpanRowsTakeCounters(&self->spans, &self->database, batch, error);
}

static OpprofStatus put_fact(OpprofResultsWriter *self, sqlite3_stmt *statement, const char *name,
                             const char *value, OpprofError **error)
{
    sqlite.bind_text(statement, 1, name, -1, SQLITE_STATIC);
    return DatabaseBindText(&self->database, statement, 2, value, value == NULL ? 0 : strlen(value))
               ? DatabaseStep(&self->database, statement, error)
               : DatabaseFail(&self->database, error);
}

/* Describes the database, and whether something is missing in it. */
static OpprofStatus put_facts(OpprofResultsWriter *self, OpprofError **error)
{
    sqlite3_stmt *statement = NULL;
    char *missing = NULL;
    OpprofStatus status = OpprofStageMissing(self->stage, &missing);

    if (status == OPPROF_OK) {
        status = DatabasePrepare(&self->database, "INSERT INTO opprof_run VALUES(?,?)", &statement,
                                 error);
    }
    if (status == OPPROF_OK) {
        status = put_fact(self, statement, "format", RESULTS_FORMAT, error);
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
    if (status == OPPROF_OK) {
        status =
            put_fact(self, statement, "timelines", self->contents.has_timelines ? "1" : "0", error);
    }
    if (status == OPPROF_OK) {
        status = put_fact(self, statement, "title", self->contents.title, error);
    }
    sqlite.finalize(statement);
    free(missing);
    return status == OPPROF_E_MEMORY ? OpprofErrorNoMemory(error, "describe the run") : status;
}

/* Statements are freed before the database is closed. */
static void free_statements(OpprofResultsWriter *self)
{
    TableSetFree(&self->tables);
    SpanRowsFree(&self->spans);
}

OpprofStatus OpprofResultsWriterFinish(OpprofResultsWriter *self, OpprofError **error)
{
    OpprofStatus status =
        TableSetFinish(&self->tables, &self->database, self->contents.has_views, error);

    if (status == OPPROF_OK && self->contents.has_timelines) {
        status = DatabaseRun(&self->database, RESULTS_TIMELINE_INDICES, error);
    }
    if (status == OPPROF_OK) {
        status = put_facts(self, error);
    }
    free_statements(self);
    return status == OPPROF_OK ? DatabaseFinish(&self->database, error) : status;
}

void OpprofResultsWriterFree(OpprofResultsWriter *self)
{
    if (self != NULL) {
        free_statements(self);
        DatabaseClose(&self->database);
        free(self);
    }
}
