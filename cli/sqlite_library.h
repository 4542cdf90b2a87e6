/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_SQLITE_LIBRARY_H
#define CLI_SQLITE_LIBRARY_H

/*
 * SQLite, which is loaded where results are compared: other runs need none of it here. Code that includes this calls its functions
 * by their names, after SqliteLibraryLoad.
 */

#include <opprof/error.h>
#include <sqlite3.h>

/* clang-format off */
#define SQLITE_FUNCTIONS(FUNCTION) \
    FUNCTION(sqlite3_bind_text) FUNCTION(sqlite3_close) FUNCTION(sqlite3_column_double) FUNCTION(sqlite3_column_int) \
    FUNCTION(sqlite3_column_int64) FUNCTION(sqlite3_column_text) FUNCTION(sqlite3_column_type) \
    FUNCTION(sqlite3_errcode) FUNCTION(sqlite3_errmsg) FUNCTION(sqlite3_finalize) FUNCTION(sqlite3_free) \
    FUNCTION(sqlite3_limit) FUNCTION(sqlite3_open_v2) FUNCTION(sqlite3_prepare_v2) FUNCTION(sqlite3_step) \
    FUNCTION(sqlite3_str_appendall) FUNCTION(sqlite3_str_appendf) FUNCTION(sqlite3_str_finish) \
    FUNCTION(sqlite3_str_new)
/* clang-format on */

#define SQLITE_POINTER(name) __typeof__(name) *name;

typedef struct SqliteLibrary {
    SQLITE_FUNCTIONS(SQLITE_POINTER)
} SqliteLibrary;

extern SqliteLibrary sqlite_library; /* set by SqliteLibraryLoad. [main] */

/* OPPROF_OK; OPPROF_E_LOAD: it is not installed. [main] */
OpprofStatus SqliteLibraryLoad(OpprofError **error);

#ifndef SQLITE_LIBRARY_OWN_NAMES
#define sqlite3_bind_text sqlite_library.sqlite3_bind_text
#define sqlite3_close sqlite_library.sqlite3_close
#define sqlite3_column_double sqlite_library.sqlite3_column_double
#define sqlite3_column_int sqlite_library.sqlite3_column_int
#define sqlite3_column_int64 sqlite_library.sqlite3_column_int64
#define sqlite3_column_text sqlite_library.sqlite3_column_text
#define sqlite3_column_type sqlite_library.sqlite3_column_type
#define sqlite3_errcode sqlite_library.sqlite3_errcode
#define sqlite3_errmsg sqlite_library.sqlite3_errmsg
#define sqlite3_finalize sqlite_library.sqlite3_finalize
#define sqlite3_free sqlite_library.sqlite3_free
#define sqlite3_limit sqlite_library.sqlite3_limit
#define sqlite3_open_v2 sqlite_library.sqlite3_open_v2
#define sqlite3_prepare_v2 sqlite_library.sqlite3_prepare_v2
#define sqlite3_step sqlite_library.sqlite3_step
#define sqlite3_str_appendall sqlite_library.sqlite3_str_appendall
#define sqlite3_str_appendf sqlite_library.sqlite3_str_appendf
#define sqlite3_str_finish sqlite_library.sqlite3_str_finish
#define sqlite3_str_new sqlite_library.sqlite3_str_new
#endif

#endif
