/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RESULTS_RESULTS_H
#define RESULTS_RESULTS_H

#include "sqlite_library.h"

#include <opprof/results.h>

typedef struct StoredType StoredType;

struct OpprofResults {
    OpprofResultsInfo info;
    char *path;
    char *missing;
    sqlite3 *database;
    OpprofResultsOptions options;
    OpprofResultsTable *tables;
    uint32_t table_capacity;
    StoredType *types; /* a list, the last one first */
};

struct OpprofResultsRows {
    OpprofResults *results;
    sqlite3_stmt *statement;
    bool is_out_of_memory; /* a text of the current row could not be given */
};

/* Report why the last call of SQLite failed. Returns OPPROF_E_DATA or OPPROF_E_MEMORY. */
OpprofStatus ResultsFail(const OpprofResults *results, OpprofError **error);
OpprofStatus ResultsNoMemory(const OpprofResults *results, OpprofError **error);

/* Check a table that is to be read, unless all of the database was checked when it was opened. */
OpprofStatus ResultsCheckUnchecked(OpprofResults *results, const char *table, OpprofError **error);

/* Begin a query whose text came from SQLite's printing, which is freed; NULL: without memory. */
OpprofStatus ResultsQueryPrinted(OpprofResults *results, char *sql, OpprofResultsRows **ret_rows,
                                 OpprofError **error);

#endif
