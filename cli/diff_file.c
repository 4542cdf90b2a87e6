/* SPDX-License-Identifier: Apache-2.0 */
/* Reads one database of a comparison. Tested by tests/plugins/export/test_diff.sh. */
#include "diff_file.h"

#include <opprof/text.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FORMAT "1"
#define TEXT_MAX (64 << 20) /* of a cell */

OpprofStatus DiffNoMemory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "compare results");
}

OpprofStatus DiffFileRefuse(const DiffFile *file, const char *what, OpprofError **error)
{
    OpprofErrorSet(error, OPPROF_E_DATA, "Cannot read '%s': %s", file->path, what);
    OpprofErrorHint(error, "Results come from the exporter 'sqlite' of this or an earlier release; "
                           "if they were damaged after the run, make them again");
    return OPPROF_E_DATA;
}

/* Why the last call failed. */
static OpprofStatus fail(const DiffFile *file, OpprofError **error)
{
    return file->handle == NULL || sqlite.errcode(file->handle) == SQLITE_NOMEM
               ? DiffNoMemory(error)
               : DiffFileRefuse(file, sqlite.errmsg(file->handle), error);
}

OpprofStatus DiffFileQuery(const DiffFile *file, const char *sql, const char *name,
                           DiffFileTake *take, void *context, OpprofError **error)
{
    sqlite3_stmt *row = NULL;
    OpprofStatus status = OPPROF_OK;
    int code = sqlite.prepare_v2(file->handle, sql, -1, &row, NULL);

    if (code == SQLITE_OK && name != NULL) {
        code = sqlite.bind_text(row, 1, name, -1, SQLITE_STATIC);
    }
    if (code == SQLITE_OK) {
        while (status == OPPROF_OK && (code = sqlite.step(row)) == SQLITE_ROW) {
            status = take(context, row, error);
        }
    }
    if (status == OPPROF_OK && code != SQLITE_DONE) {
        status = fail(file, error);
    }
    sqlite.finalize(row);
    return status;
}

const char *DiffFileText(sqlite3_stmt *row, int at)
{
    const bool is_null = sqlite.column_type(row, at) == SQLITE_NULL;

    return is_null ? "" : (const char *) sqlite.column_text(row, at);
}

char *DiffFileTextCopy(sqlite3_stmt *row, int at)
{
    const char *text = DiffFileText(row, at);
    char *copy = text == NULL ? NULL : strdup(text);

    if (copy != NULL) {
        OpprofTextTame(copy, false);
    }
    return copy;
}

/* ---- opening ---- */

static OpprofStatus take_number(void *context, sqlite3_stmt *row, OpprofError **error)
{
    (void) error;
    *(int64_t *) context = sqlite.column_int64(row, 0);
    return OPPROF_OK;
}

/* Pages that were cut off may be those of tables that are not there then, without an error. */
static OpprofStatus check_size(const DiffFile *file, OpprofError **error)
{
    int64_t pages = 0;
    int64_t page = 0;
    struct stat info;
    OpprofStatus status =
        DiffFileQuery(file, "PRAGMA page_count", NULL, take_number, &pages, error);

    if (status == OPPROF_OK) {
        status = DiffFileQuery(file, "PRAGMA page_size", NULL, take_number, &page, error);
    }
    if (status != OPPROF_OK) {
        return status;
    }
    if (stat(file->path, &info) != 0) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s': %m", file->path);
    }
    if (info.st_size != pages * page) {
        OpprofErrorSet(error, OPPROF_E_DATA,
                       "Cannot read '%s': the file has %" PRIi64 " bytes, the database %" PRIi64,
                       file->path, (int64_t) info.st_size, pages * page);
        OpprofErrorHint(error, "The file was cut or changed after the run; make the results again");
        return OPPROF_E_DATA;
    }
    return OPPROF_OK;
}

static OpprofStatus take_format(void *context, sqlite3_stmt *row, OpprofError **error)
{
    const char *format = (const char *) sqlite.column_text(row, 0);

    (void) error;
    *(bool *) context = format != NULL && strcmp(format, FORMAT) == 0;
    return OPPROF_OK;
}

static OpprofStatus check_format(const DiffFile *file, OpprofError **error)
{
    bool is_known = false;
    const OpprofStatus status =
        DiffFileQuery(file, "SELECT value FROM opprof_run WHERE name = 'format'", NULL, take_format,
                      &is_known, error);

    return status != OPPROF_OK || is_known
               ? status
               : DiffFileRefuse(file, "it has no results in a known format", error);
}

/* A view could take forever, and no result is one. */
static void restrict_database(sqlite3 *handle)
{
    sqlite.db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite.db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite.db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite.limit(handle, SQLITE_LIMIT_LENGTH, TEXT_MAX);
    sqlite.limit(handle, SQLITE_LIMIT_ATTACHED, 0);
}

OpprofStatus DiffFileOpen(DiffFile *file, const char *path, OpprofError **error)
{
    OpprofStatus status;

    *file = (DiffFile){ .path = path };
    if (sqlite.open_v2(path, &file->handle, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) {
        return fail(file, error);
    }
    restrict_database(file->handle);
    status = check_size(file, error);
    return status == OPPROF_OK ? check_format(file, error) : status;
}

void DiffFileClose(DiffFile *file)
{
    sqlite.close(file->handle);
    *file = (DiffFile){ 0 };
}

/* ---- damage ---- */

/* The first thing that is wrong, if any: its last line, as the one before says in which database. */
static OpprofStatus take_verdict(void *context, sqlite3_stmt *row, OpprofError **error)
{
    const char *verdict = (const char *) sqlite.column_text(row, 0);
    const char *line = verdict == NULL ? NULL : strrchr(verdict, '\n');
    char what[256];

    if (verdict != NULL && strcmp(verdict, "ok") == 0) {
        return OPPROF_OK;
    }
    snprintf(what, sizeof what, "database disk image is malformed: %s",
             line != NULL      ? line + 1
             : verdict != NULL ? verdict
                               : "out of memory");
    return DiffFileRefuse(*(const DiffFile **) context, what, error);
}

OpprofStatus DiffFileCheck(const DiffFile *file, const char *table, OpprofError **error)
{
    sqlite3_str *text = sqlite.str_new(NULL);
    char *sql;
    OpprofStatus status;

    sqlite.str_appendf(text, "PRAGMA quick_check(\"%w\")", table);
    sql = sqlite.str_finish(text);
    status = sql == NULL ? DiffNoMemory(error)
                         : DiffFileQuery(file, sql, NULL, take_verdict, &file, error);
    sqlite.free(sql);
    return status;
}
