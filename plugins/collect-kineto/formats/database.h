/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_FORMATS_DATABASE_H
#define COLLECT_KINETO_FORMATS_DATABASE_H

/*
 * A profiler's SQLite database as an input: only the file itself is read, never what lies beside
 * it, nothing is written, and nothing that it defines is executed.
 */

#include <opprof/error.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Database {
    sqlite3 *db;
    int fd;           /* of the same file; only for looking at it */
    uint64_t size;    /* when it was opened */
    uint64_t changes; /* the file's own counter of changes then */
    char fault[240];  /* what is wrong with the file as a whole; "": nothing is known */
} Database;

/* @param damage  What is wrong with the file already; NULL: nothing. */
OpprofStatus DatabaseOpen(const char *path, const char *damage, Database *ret_database,
                          OpprofError **error);
/* Note a fault, unless there is one. */
void DatabaseNote(Database *database, const char *fault);
/* After reading: note whether the file changed meanwhile. */
void DatabaseCheckEnd(Database *database);
/* An opened one, or a zeroed one. */
void DatabaseClose(Database *database);

#endif
