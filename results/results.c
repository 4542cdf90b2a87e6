/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens the database of a finished run. Tested by tests/results/test_results.
 */
#include "results.h"

#include "ask.h"
#include "schema.h"
#include "stored_types.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define TEXT_MAX (64 << 20) /* of a cell */

static void hint_at_folder(OpprofError **error)
{
    OpprofErrorHint(error, "Name a folder with a " OPPROF_RESULTS_FILE
                           ", which the ready pipelines write");
}

/* ---- opening ---- */

/* A number that the database knows about itself. */
static OpprofStatus read_number(OpprofResults *results, const char *sql, int64_t *ret_number,
                                OpprofError **error)
{
    OpprofResultsRows *rows;
    OpprofStatus status = OpprofResultsQuery(results, sql, &rows, error);

    *ret_number = 0;
    if (status == OPPROF_OK) {
        status = OpprofResultsNext(rows, error);
    }
    if (status == OPPROF_OK) {
        OpprofResultsWhole(rows, 0, ret_number);
    }
    OpprofResultsRowsFree(rows);
    return status == OPPROF_END ? OPPROF_OK : status;
}

/* Rows may avoid a missing end of the file, and reading never goes beyond the last page. */
static OpprofStatus check_size(OpprofResults *results, OpprofError **error)
{
    int64_t page = 0;
    int64_t pages = 0;
    struct stat info;
    OpprofStatus status = read_number(results, "PRAGMA page_size", &page, error);

    if (status == OPPROF_OK) {
        status = read_number(results, "PRAGMA page_count", &pages, error);
    }
    if (status != OPPROF_OK) {
        return status;
    }
    if (stat(results->path, &info) != 0) {
        return OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s': %m", results->path);
    }
    if (info.st_size != pages * page) {
        OpprofErrorSet(error, OPPROF_E_DATA,
                       "Cannot read '%s': the file has %" PRIi64 " bytes, the database %" PRIi64,
                       results->path, (int64_t) info.st_size, pages * page);
        OpprofErrorHint(error, "The file was cut or changed after the run; make the results again");
        return OPPROF_E_DATA;
    }
    return OPPROF_OK;
}

/* The path itself, or the database in a folder; NULL without memory. */
static char *path_of(const char *input)
{
    struct stat info;
    char *path = NULL;

    if (stat(input, &info) != 0 || !S_ISDIR(info.st_mode)) {
        return strdup(input);
    }
    return asprintf(&path, "%s/" OPPROF_RESULTS_FILE, input) < 0 ? NULL : path;
}

/* SQLite would wait for the writer of a pipe, and gives no reason why it cannot open a file. */
static OpprofStatus check_file(const OpprofResults *results, OpprofError **error)
{
    struct stat info;

    if (stat(results->path, &info) != 0) {
        OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s': %m", results->path);
    } else if (!S_ISREG(info.st_mode)) {
        OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s': it is not a file", results->path);
    } else {
        return OPPROF_OK;
    }
    hint_at_folder(error);
    return OPPROF_E_IO;
}

/*
 * A database from elsewhere may contain views, which may run forever, and triggers: none of them
 * gets to call anything.
 */
/* The path as a URI of SQLite, for free(): nothing beside the file, such as a journal that somebody
 * put there, is read or written. NULL without memory. */
static char *uri_of(const char *path)
{
    static const char mode[] = "?immutable=1";
    char *uri = malloc(strlen("file:") + 3 * strlen(path) + sizeof mode);
    char *at = uri == NULL ? NULL : stpcpy(uri, "file:");

    while (path[0] == '/' && path[1] == '/') { /* what follows would be the name of a machine */
        path++;
    }
    for (; uri != NULL && *path != '\0'; path++) {
        if (isalnum((unsigned char) *path) || strchr("/._-", *path) != NULL) {
            *at++ = *path;
        } else {
            at += sprintf(at, "%%%02X", (unsigned char) *path);
        }
    }
    if (uri != NULL) {
        strcpy(at, mode);
    }
    return uri;
}

static OpprofStatus open_database(OpprofResults *results, OpprofError **error)
{
    char *uri = uri_of(results->path);
    int code;

    if (uri == NULL) {
        return ResultsNoMemory(results, error);
    }
    code = sqlite.open_v2(uri, &results->database,
                          SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, NULL);
    free(uri);
    if (results->database == NULL) {
        return ResultsNoMemory(results, error);
    }
    if (code != SQLITE_OK) {
        return ResultsFail(results, error);
    }
    sqlite.db_config(results->database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite.db_config(results->database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite.db_config(results->database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite.limit(results->database, SQLITE_LIMIT_LENGTH, TEXT_MAX);
    sqlite.exec(results->database, "PRAGMA cell_size_check=ON", NULL, NULL, NULL);
    return AskPrepare(results, error) == OPPROF_OK ? check_size(results, error) : OPPROF_E_MEMORY;
}

/* ---- what the run says of itself ---- */

static OpprofStatus refuse_format(const OpprofResults *results, OpprofError **error)
{
    OpprofErrorSet(error, OPPROF_E_DATA, "'%s' has no results in a known format", results->path);
    hint_at_folder(error);
    return OPPROF_E_DATA;
}

static OpprofStatus take_fact(OpprofResults *results, OpprofResultsRows *rows, bool *is_known,
                              OpprofError **error)
{
    const char *name = OpprofResultsText(rows, 0, NULL);
    const char *value = OpprofResultsText(rows, 1, NULL);

    if (name == NULL || value == NULL) {
        return OPPROF_OK;
    }
    if (strcmp(name, "format") == 0) {
        *is_known = strcmp(value, RESULTS_FORMAT) == 0;
    } else if (strcmp(name, "complete") == 0) {
        results->info.is_complete = strcmp(value, "1") == 0;
    } else if (strcmp(name, "timelines") == 0) {
        results->info.has_timelines = strcmp(value, "0") != 0;
    } else if (strcmp(name, "missing") == 0 && results->missing == NULL) {
        results->missing = strdup(value);
        results->info.missing = results->missing;
        return results->missing == NULL ? ResultsNoMemory(results, error) : OPPROF_OK;
    } else if (strcmp(name, "title") == 0 && results->title == NULL) {
        results->title = strdup(value);
        results->info.title = results->title;
        return results->title == NULL ? ResultsNoMemory(results, error) : OPPROF_OK;
    }
    return OPPROF_OK;
}

static OpprofStatus read_facts(OpprofResults *results, OpprofError **error)
{
    bool is_known = false;
    OpprofResultsRows *rows;
    OpprofStatus status =
        OpprofResultsQuery(results, "SELECT name, value FROM opprof_run", &rows, NULL);

    if (status == OPPROF_E_MEMORY) {
        return ResultsNoMemory(results, error);
    }
    if (status != OPPROF_OK) { /* a database of something else has no such table */
        return sqlite.errcode(results->database) == SQLITE_ERROR ? refuse_format(results, error)
                                                                 : ResultsFail(results, error);
    }
    while (status == OPPROF_OK && (status = OpprofResultsNext(rows, error)) == OPPROF_OK) {
        status = take_fact(results, rows, &is_known, error);
    }
    OpprofResultsRowsFree(rows);
    return status != OPPROF_END ? status : is_known ? OPPROF_OK : refuse_format(results, error);
}

/* Damage of what describes the tables would hide some of them. */
static OpprofStatus check_description(OpprofResults *results, OpprofError **error)
{
    OpprofStatus status;

    if (results->options.is_checked) {
        return OpprofResultsCheck(results, NULL, error);
    }
    status = OpprofResultsCheck(results, "opprof_tables", error);
    return status == OPPROF_OK ? OpprofResultsCheck(results, "opprof_columns", error) : status;
}

static OpprofStatus read_description(OpprofResults *results, OpprofError **error)
{
    OpprofStatus status = read_facts(results, error);

    if (status == OPPROF_OK) {
        status = check_description(results, error);
    }
    return status == OPPROF_OK ? StoredTypesRead(results, error) : status;
}

OpprofStatus OpprofResultsOpen(const char *path, const OpprofResultsOptions *options,
                               OpprofResults **ret_results, OpprofError **error)
{
    OpprofResults *results = calloc(1, sizeof *results);
    OpprofStatus status = SqliteLibraryLoad(error);

    *ret_results = NULL;
    if (status != OPPROF_OK || results == NULL || (results->path = path_of(path)) == NULL) {
        free(results);
        return status == OPPROF_OK ? OpprofErrorNoMemory(error, "read results '%s'", path) : status;
    }
    results->info.path = results->path;
    results->info.has_timelines = true; /* of the first releases, which did not say */
    if (options != NULL) {
        results->options = *options;
    }
    status = check_file(results, error);
    if (status == OPPROF_OK) {
        status = open_database(results, error);
    }
    if (status == OPPROF_OK) {
        status = read_description(results, error);
    }
    if (status != OPPROF_OK) {
        OpprofResultsClose(results);
        return status;
    }
    *ret_results = results;
    return OPPROF_OK;
}

void OpprofResultsClose(OpprofResults *results)
{
    if (results != NULL) {
        StoredTypesFree(results);
        if (results->kept != NULL) {
            results->close_kept(results->kept);
        } else {
            sqlite.close(results->database);
        }
        free(results->missing);
        free(results->title);
        free(results->optional);
        free(results->path);
        free(results);
    }
}

const OpprofResultsInfo *OpprofResultsAbout(const OpprofResults *results)
{
    return &results->info;
}
