/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RESULTS_ROW_SOURCE_H
#define RESULTS_ROW_SOURCE_H

#include "database.h"

/*
 * Rows that SQLite fetches one by one: a statement "INSERT … SELECT * FROM <name>" adds any number
 * of them, for about half the cost of one statement per row. The caller sets the first four members
 * and must not move it until the database is closed.
 */
typedef struct RowSource {
    const char *declaration; /* CREATE TABLE with its columns; constant */
    void *context;           /* for the following two */
    OpprofStatus (*load)(struct RowSource *source, uint32_t row, OpprofError **error);
    void (*give)(struct RowSource *source, sqlite3_context *result, int column); /* of that row */
    uint32_t count; /* rows of the running statement */
    OpprofStatus status;
    OpprofError **error;
} RowSource;

/* Make the source known under a name. */
OpprofStatus RowSourceRegister(RowSource *source, Database *database, const char *name,
                               OpprofError **error);
/* Run a statement that reads `count` rows of the source. */
OpprofStatus RowSourceRun(RowSource *source, Database *database, sqlite3_stmt *statement,
                          uint32_t count, OpprofError **error);

#endif
