/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RESULTS_RESULTS_H
#define RESULTS_RESULTS_H

#include "sqlite_library.h"

#include <opprof/results.h>

#define RESULTS_VALUE_MAX (1 << 20) /* bytes of a value of a question */

typedef struct StoredType StoredType;
/* Tables of a running pipeline. */
typedef struct KeptTables KeptTables;

struct OpprofResults {
    OpprofResultsInfo info;
    char *path;
    char *missing;
    char *title;
    char *optional; /* the head of which the last question has tables made; NULL: none */
    sqlite3 *database;
    OpprofResultsOptions options;
    OpprofResultsTable *tables;
    uint32_t table_capacity;
    StoredType *types; /* a list, the last one first */
    KeptTables *kept;  /* NULL: of a finished run; else `database` belongs to it */
    void (*close_kept)(KeptTables *kept);
    bool has_views; /* those of the format are there for questions */
    /* Of the question that is open (ask.c). */
    bool is_asked;
    bool is_too_long;
    bool is_interrupted;
    uint64_t steps;
    uint64_t most_steps; /* 0: any number */
};

struct OpprofResultsRows {
    OpprofResults *results;
    sqlite3_stmt *statement;
    bool is_out_of_memory; /* a text of the current row could not be given */
    bool is_asked;         /* a question from outside */
    int64_t all;           /* rows of its table if it reads them all; OPPROF_NA_I64: unknown */
    int length_before;     /* of it: limit of values for other queries */
};

/* An empty database with the tables of some types, which are borrowed until it is closed. */
OpprofStatus ResultsSketch(const OpprofRecordType *const *types, size_t count,
                           OpprofResults **ret_results, OpprofError **error);

/* Report why the last call of SQLite failed. Returns OPPROF_E_DATA or OPPROF_E_MEMORY. */
OpprofStatus ResultsFail(const OpprofResults *results, OpprofError **error);
OpprofStatus ResultsNoMemory(const OpprofResults *results, OpprofError **error);

/* The same for a question of a stranger: the reason alone, and what kind of mistake it is. */
OpprofStatus ResultsFailAsked(const OpprofResults *results, OpprofError **error);

/* Report a page of a table that cannot be. Returns OPPROF_E_DATA. */
OpprofStatus ResultsRefuseDamage(const OpprofResults *results, const char *table, uint32_t page,
                                 OpprofError **error);

/* Check a table that is to be read, unless all of the database was checked when it was opened. */
OpprofStatus ResultsCheckUnchecked(OpprofResults *results, const char *table, OpprofError **error);

/* Begin a query whose text came from SQLite's printing, which is freed; NULL: without memory. */
OpprofStatus ResultsQueryPrinted(OpprofResults *results, char *sql, OpprofResultsRows **ret_rows,
                                 OpprofError **error);

#endif
