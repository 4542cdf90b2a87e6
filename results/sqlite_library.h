/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RESULTS_SQLITE_LIBRARY_H
#define RESULTS_SQLITE_LIBRARY_H

/*
 * SQLite, which is loaded when results are read or written: other runs need none of it. After
 * SqliteLibraryLoad, sqlite3_step is called as sqlite.step.
 */

#include <opprof/error.h>
#include <sqlite3.h>

/* clang-format off */
#define SQLITE_FUNCTIONS(FUNCTION) \
    FUNCTION(aggregate_context) FUNCTION(bind_double) FUNCTION(bind_int) FUNCTION(bind_int64) \
    FUNCTION(bind_null) FUNCTION(bind_parameter_count) FUNCTION(bind_parameter_index) \
    FUNCTION(bind_parameter_name) FUNCTION(bind_text) FUNCTION(bind_text64) FUNCTION(close) \
    FUNCTION(close_v2) FUNCTION(column_bytes) FUNCTION(column_count) FUNCTION(column_double) \
    FUNCTION(column_int64) FUNCTION(column_name) FUNCTION(column_text) FUNCTION(column_type) \
    FUNCTION(create_function_v2) FUNCTION(create_module) FUNCTION(db_config) \
    FUNCTION(declare_vtab) FUNCTION(errcode) FUNCTION(errmsg) FUNCTION(errstr) FUNCTION(exec) \
    FUNCTION(file_control) FUNCTION(finalize) FUNCTION(free) FUNCTION(limit) FUNCTION(malloc) \
    FUNCTION(mprintf) FUNCTION(open_v2) FUNCTION(prepare_v2) FUNCTION(prepare_v3) \
    FUNCTION(progress_handler) FUNCTION(reset) FUNCTION(result_double) FUNCTION(result_error) \
    FUNCTION(result_error_nomem) FUNCTION(result_int64) FUNCTION(result_null) \
    FUNCTION(result_text64) FUNCTION(set_authorizer) FUNCTION(step) FUNCTION(stmt_status) \
    FUNCTION(str_appendall) FUNCTION(str_appendf) FUNCTION(str_errcode) FUNCTION(str_finish) \
    FUNCTION(str_length) FUNCTION(str_new) FUNCTION(stricmp) FUNCTION(user_data) \
    FUNCTION(value_double) FUNCTION(value_numeric_type) FUNCTION(vmprintf)
/* clang-format on */

#define SQLITE_POINTER(name) __typeof__(sqlite3_##name) *name;

typedef struct SqliteLibrary {
    SQLITE_FUNCTIONS(SQLITE_POINTER)
} SqliteLibrary;

extern SqliteLibrary sqlite; /* set by the first SqliteLibraryLoad, and constant from then on */

/* OPPROF_OK; OPPROF_E_LOAD: it is not installed; OPPROF_E_MEMORY. */
OpprofStatus SqliteLibraryLoad(OpprofError **error);

#endif
