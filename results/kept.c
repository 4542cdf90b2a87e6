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

OpprofStatus OpprofResultsKeep(OpprofStage *stage, OpprofResultsWanted *wanted, void *context,
                               OpprofResults **ret_results, OpprofError **error)
{
    OpprofStatus status = SqliteLibraryLoad(error);
    OpprofResults *results = calloc(1, sizeof *results);

    *ret_results = NULL;
    if (status == OPPROF_OK &&
        (results == NULL || (results->kept = calloc(1, sizeof *results->kept)) == NULL)) {
        status = OpprofErrorNoMemory(error, "keep tables");
    }
    if (status != OPPROF_OK) {
        free(results);
        return status;
    }
    results->close_kept = close_kept;
    results->options =
        (OpprofResultsOptions){ .is_checked = true, .is_stopped = is_stopped, .context = stage };
    results->info = (OpprofResultsInfo){ .path = "tables", .is_complete = true };
    results->kept->tables = (TableSet){ .wanted = wanted, .context = context };
    status = DatabaseOpenPrivate(&results->kept->database, stage, error);
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

/* Names and types of the tables are those of the set. */
static bool list_tables(OpprofResults *results)
{
    const TableSet *tables = &results->kept->tables;

    for (uint32_t i = results->info.table_count; i < tables->table_count; i++) {
        if (!OpprofGrow32(&results->tables, &results->table_capacity, i + 1,
                          sizeof *results->tables)) {
            return false;
        }
        results->tables[i] =
            (OpprofResultsTable){ .name = tables->tables[i].name, .type = tables->tables[i].type };
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
