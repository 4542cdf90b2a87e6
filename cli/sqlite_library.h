/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_SQLITE_LIBRARY_H
#define CLI_SQLITE_LIBRARY_H

/*
 * SQLite, which is loaded where results are compared: other runs need none of it. After SqliteLibraryLoad, sqlite3_step is called as
 * sqlite.step.
 */

#include <opprof/error.h>
#include <sqlite3.h>

/* clang-format off */
#define SQLITE_FUNCTIONS(FUNCTION) \
    FUNCTION(bind_text) FUNCTION(close) FUNCTION(column_bytes) FUNCTION(column_double) \
    FUNCTION(column_int) FUNCTION(column_int64) FUNCTION(column_text) FUNCTION(column_type) FUNCTION(db_config) \
    FUNCTION(errcode) FUNCTION(errmsg) FUNCTION(finalize) FUNCTION(free) \
    FUNCTION(limit) FUNCTION(open_v2) FUNCTION(prepare_v2) FUNCTION(step) \
    FUNCTION(str_appendall) FUNCTION(str_appendf) FUNCTION(str_finish) \
    FUNCTION(str_new)
/* clang-format on */

#define SQLITE_POINTER(name) __typeof__(sqlite3_##name) *name;

typedef struct SqliteLibrary {
    SQLITE_FUNCTIONS(SQLITE_POINTER)
} SqliteLibrary;

extern SqliteLibrary sqlite; /* set by SqliteLibraryLoad. [main] */

/* OPPROF_OK; OPPROF_E_LOAD: it is not installed. [main] */
OpprofStatus SqliteLibraryLoad(OpprofError **error);

#endif
