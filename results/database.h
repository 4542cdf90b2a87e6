/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RESULTS_DATABASE_H
#define RESULTS_DATABASE_H

#include "sqlite_library.h"

#include <opprof/stage.h>
#include <stdbool.h>

/* A database being written: a private one, or a file that gets its name when it is complete. */
typedef struct Database {
    OpprofStage *stage;
    OpprofOutputFile *file; /* NULL: a private one */
    OpprofScratch *scratch; /* holds a private one */
    sqlite3 *handle;
    char *room;      /* texts that had to be changed when written */
    size_t capacity; /* of room */
} Database;

/* Make the file and open it. Closing zeroed memory is allowed. */
OpprofStatus DatabaseOpen(Database *database, OpprofStage *stage, const char *name,
                          OpprofError **error);
/* The same in the run's temporary files; closing removes it. */
OpprofStatus DatabaseOpenPrivate(Database *database, OpprofStage *stage, OpprofError **error);
/* An empty one in memory. */
OpprofStatus DatabaseOpenEmpty(Database *database, OpprofError **error);
/* Commit, close and give the file its name. */
OpprofStatus DatabaseFinish(Database *database, OpprofError **error);
/* Close; an unfinished file is dropped. */
void DatabaseClose(Database *database);

/* Turn SQLite's message into an error. Returns its status. */
OpprofStatus DatabaseFail(const Database *database, OpprofError **error);
/* Run statements without results. */
OpprofStatus DatabaseRun(Database *database, const char *sql, OpprofError **error);
/* Prepare a statement for many runs. */
OpprofStatus DatabasePrepare(Database *database, const char *sql, sqlite3_stmt **ret_statement,
                             OpprofError **error);
/* Run a prepared statement whose values are bound, and reset it for the next run. */
OpprofStatus DatabaseStep(Database *database, sqlite3_stmt *statement, OpprofError **error);

/*
 * Bind values. A text must stay in place until the next one is bound or the statement ran; control
 * characters except line breaks and tabs, and broken UTF-8, become '?'. A NULL text becomes NULL.
 */
bool DatabaseBindText(Database *database, sqlite3_stmt *statement, int at, const char *text,
                      size_t length);
/* The same for a text of a row that a RowSource returns. */
void DatabaseGiveText(Database *database, sqlite3_context *result, const char *text, size_t length);
void DatabaseBindId(sqlite3_stmt *statement, int at, uint32_t id);

#endif
