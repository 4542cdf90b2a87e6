/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_DIFF_FILE_H
#define CLI_DIFF_FILE_H

#include "sqlite_library.h"

/* The database of a run that is compared. It comes from outside: whatever cannot be read of it is an error, not an end. */
typedef struct DiffFile {
    const char *path; /* borrowed */
    sqlite3 *handle;
} DiffFile;

/* OPPROF_OK; OPPROF_E_DATA: it is not one, or not whole; OPPROF_E_MEMORY. To be closed in any case. */
OpprofStatus DiffFileOpen(DiffFile *file, const char *path, OpprofError **error);
void DiffFileClose(DiffFile *file);

/* Takes a row; anything but OPPROF_OK ends the query. */
typedef OpprofStatus DiffFileTake(void *context, sqlite3_stmt *row, OpprofError **error);

/* Passes each row of a query to `take`. `name` is what its '?' stands for; NULL: it has none. */
OpprofStatus DiffFileQuery(const DiffFile *file, const char *sql, const char *name,
                           DiffFileTake *take, void *context, OpprofError **error);

/* Whether the pages of a table are whole: rows may be lost without an error when they are read. */
OpprofStatus DiffFileCheck(const DiffFile *file, const char *table, OpprofError **error);

/* Says that the database is damaged, and what of it. Returns OPPROF_E_DATA. */
OpprofStatus DiffFileRefuse(const DiffFile *file, const char *what, OpprofError **error);

/* Text of a column of a row; "" for NULL; NULL without memory. Borrowed until the next row. */
const char *DiffFileText(sqlite3_stmt *row, int at);
/* A tame copy of it. */
char *DiffFileTextCopy(sqlite3_stmt *row, int at);

/* Says that memory is lacking. Returns OPPROF_E_MEMORY. */
OpprofStatus DiffNoMemory(OpprofError **error);

#endif
