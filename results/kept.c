/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps some tables and columns of a running pipeline, for questions at its end. Tested by
 * tests/plugins/advise/test_advise.
 */
#include "ask.h"
#include "table_rows.h"

#include <opprof/grow.h>
#include <stdlib.h>

struct KeptTables {
    Database database;
    TableSet tables;
};

static bool is_stopped(void *context)
{
    OpprofStage *stage = context;

    OpprofStageProgress(stage, 0, 0, "row"); /* a question may look like a hang */
    return OpprofStageStopRequested(stage);
}

static void close_kept(KeptTables *kept)
{
    TableSetFree(&kept->tables);
    DatabaseClose(&kept->database);
    free(kept);
}

/* Tables without a database; NULL without memory or SQLite. */
static OpprofResults *make(OpprofStatus *status, OpprofError **error)
{
    OpprofResults *results = NULL;

    *status = SqliteLibraryLoad(error);
    if (*status != OPPROF_OK) {
        return NULL;
    }
    results = calloc(1, sizeof *results);
    if (results == NULL || (results->kept = calloc(1, sizeof *results->kept)) == NULL) {
        *status = OpprofErrorNoMemory(error, "keep tables");
        free(results);
        return NULL;
    }
    results->close_kept = close_kept;
    results->info = (OpprofResultsInfo){ .path = "tables", .is_complete = true };
    results->options.is_checked = true;
    return results;
}

/* Hand over results whose database was opened with a status. */
static OpprofStatus hand_over(OpprofResults *results, OpprofStatus status,
                              OpprofResults **ret_results, OpprofError **error)
{
    results->database = results->kept->database.handle;
    if (status == OPPROF_OK) {
        status = AskPrepare(results, error);
    }
    if (status != OPPROF_OK) {
        OpprofResultsClose(results);
        return status;
    }
    *ret_results = results;
    return OPPROF_OK;
}

OpprofStatus OpprofResultsKeep(OpprofStage *stage, OpprofResultsWanted *wanted, void *context,
                               OpprofResults **ret_results, OpprofError **error)
{
    OpprofStatus status;
    OpprofResults *results = make(&status, error);

    *ret_results = NULL;
    if (results == NULL) {
        return status;
    }
    results->options.is_stopped = is_stopped;
    results->options.context = stage;
    results->kept->tables = (TableSet){ .wanted = wanted, .context = context };
    status = DatabaseOpenPrivate(&results->kept->database, stage, error);
    return hand_over(results, status, ret_results, error);
}

/* Names and types of the tables are those of the set. */
static bool list_tables(OpprofResults *results)
{
    const TableSet *tables = &results->kept->tables;

    for (uint32_t i = results->info.table_count; i < tables->table_count; i++) {
        if (!OpprofGrow32(&results->tables, &results->table_capacity, i + 1,
                          sizeof *results->tables)) {
            return false;
        }
        results->tables[i] = (OpprofResultsTable){ .name = tables->tables[i].name,
                                                   .type = tables->tables[i].type,
                                                   .rows = OPPROF_NA_I64 };
        results->info.tables = results->tables;
        results->info.table_count++;
    }
    return true;
}

OpprofStatus OpprofResultsKeepBatch(OpprofResults *results, const OpprofBatch *batch,
                                    OpprofError **error)
{
    const OpprofStatus status =
        TableRowsTake(&results->kept->tables, &results->kept->database, batch, error);

    return status == OPPROF_OK && !list_tables(results) ? ResultsNoMemory(results, error) : status;
}

static bool want_all(void *context, const char *table, const char *column)
{
    (void) context;
    (void) table;
    (void) column;
    return true;
}

OpprofStatus ResultsSketch(const OpprofRecordType *const *types, size_t count,
                           OpprofResults **ret_results, OpprofError **error)
{
    OpprofStatus status;
    OpprofResults *results = make(&status, error);
    TableRows *unused;

    *ret_results = NULL;
    if (results == NULL) {
        return status;
    }
    results->kept->tables.wanted = want_all;
    status = DatabaseOpenEmpty(&results->kept->database, error);
    status = hand_over(results, status, ret_results, error);
    for (size_t i = 0; status == OPPROF_OK && i < count; i++) {
        status = TableSetFindWay(&results->kept->tables, &results->kept->database, types[i],
                                 &unused, error);
        if (status == OPPROF_OK && !list_tables(results)) {
            status = ResultsNoMemory(results, error);
        }
    }
    if (status != OPPROF_OK) {
        OpprofResultsClose(*ret_results);
        *ret_results = NULL;
    }
    return status;
}
