/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A SQLite file that gets its name when it is complete.
 * Tested by tests/plugins/export/test_sqlite.
 */
#include "database.h"

#include <errno.h>
#include <opprof/grow.h>
#include <opprof/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_PER_SIGN 100000 /* instructions of SQLite's machine between two progress reports */
#define LOOKASIDE_SIZE 1200
#define LOOKASIDE_COUNT 256
#define PRIVATE_NAME "tables.sqlite"

static const char *path_of(const Database *database)
{
    return database->file == NULL ? PRIVATE_NAME : OpprofOutputFilePath(database->file);
}

OpprofStatus DatabaseFail(const Database *database, OpprofError **error)
{
    const int code = sqlite.errcode(database->handle);

    if (code == SQLITE_INTERRUPT && database->file != NULL) { /* by show_life */
        return OpprofOutputFileWrite(database->file, NULL, 0, error);
    }
    if (code == SQLITE_NOMEM) {
        return OpprofErrorNoMemory(error, "write '%s'", path_of(database));
    }
    int reason = 0;
    sqlite.file_control(database->handle, NULL, SQLITE_FCNTL_LAST_ERRNO, &reason);
    reason = code == SQLITE_FULL ? ENOSPC : (code & 0xff) == SQLITE_IOERR ? reason : 0;
    OpprofErrorSet(error, OPPROF_E_IO, "Cannot write '%s': %s", path_of(database),
                   reason != 0 ? strerror(reason) : sqlite.errmsg(database->handle));
    if (reason == ENOSPC) {
        OpprofErrorHint(error, "Make room, or choose another output directory");
    }
    return OPPROF_E_IO;
}

OpprofStatus DatabaseRun(Database *database, const char *sql, OpprofError **error)
{
    return sqlite.exec(database->handle, sql, NULL, NULL, NULL) == SQLITE_OK
               ? OPPROF_OK
               : DatabaseFail(database, error);
}

OpprofStatus DatabasePrepare(Database *database, const char *sql, sqlite3_stmt **ret_statement,
                             OpprofError **error)
{
    return sqlite.prepare_v3(database->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, ret_statement,
                             NULL) == SQLITE_OK
               ? OPPROF_OK
               : DatabaseFail(database, error);
}

OpprofStatus DatabaseStep(Database *database, sqlite3_stmt *statement, OpprofError **error)
{
    const OpprofStatus status =
        sqlite.step(statement) == SQLITE_DONE ? OPPROF_OK : DatabaseFail(database, error);

    sqlite.reset(statement);
    return status;
}

/* Most texts are plain ASCII. */
static bool is_plain(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const unsigned char byte = (unsigned char) text[i];

        if (byte < 0x20 || byte >= 0x7f) {
            return false;
        }
    }
    return true;
}

/* A copy without bytes that confuse terminals and readers; NULL without memory. */
static const char *tame(Database *database, const char *text, size_t *length)
{
    if (!OpprofGrow(&database->room, &database->capacity, *length + 1, 1)) {
        return NULL;
    }
    memcpy(database->room, text, *length);
    for (size_t i = 0; i < *length; i++) {
        database->room[i] =
            (char) (text[i] == '\0' ? '?' : text[i]); /* elsewhere it ends the text */
    }
    database->room[*length] = '\0';
    *length = OpprofTextTame(database->room, true);
    return database->room;
}

bool DatabaseBindText(Database *database, sqlite3_stmt *statement, int at, const char *text,
                      size_t length)
{
    if (text == NULL) {
        return sqlite.bind_null(statement, at) == SQLITE_OK;
    }
    if (is_plain(text, length)) {
        return sqlite.bind_text64(statement, at, text, length, SQLITE_STATIC, SQLITE_UTF8) ==
               SQLITE_OK;
    }
    text = tame(database, text, &length);
    return text != NULL && sqlite.bind_text64(statement, at, text, length, SQLITE_TRANSIENT,
                                              SQLITE_UTF8) == SQLITE_OK;
}

void DatabaseGiveText(Database *database, sqlite3_context *result, const char *text, size_t length)
{
    if (text == NULL) {
        sqlite.result_null(result);
    } else if (is_plain(text, length)) {
        sqlite.result_text64(result, text, length, SQLITE_STATIC, SQLITE_UTF8);
    } else if ((text = tame(database, text, &length)) != NULL) {
        sqlite.result_text64(result, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
    } else {
        sqlite.result_error_nomem(result);
    }
}

void DatabaseBindId(sqlite3_stmt *statement, int at, uint32_t id)
{
    if (id == OPPROF_NA_STRING) {
        sqlite.bind_null(statement, at);
    } else {
        sqlite.bind_int64(statement, at, id);
    }
}

/* Making an index takes long and would look like a hang. Once the run is aborted, the file takes no
 * bytes, not even none. */
static int show_life(void *context)
{
    Database *database = context;

    OpprofStageProgress(database->stage, 0, 0, "row");
    return database->file != NULL &&
           OpprofOutputFileWrite(database->file, NULL, 0, NULL) != OPPROF_OK;
}

/* The file has no reader before it is complete, and is dropped if it fails: it needs no journal. */
static OpprofStatus set_up(Database *database, OpprofError **error)
{
    sqlite.progress_handler(database->handle, STEPS_PER_SIGN, show_life, database);
    return DatabaseRun(database,
                       database->file == NULL
                           ? "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
                             "PRAGMA locking_mode=EXCLUSIVE; PRAGMA cache_size=-16384;"
                             "PRAGMA temp_store=FILE; BEGIN"
                           : "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
                             "PRAGMA locking_mode=EXCLUSIVE; PRAGMA cache_size=-2048;"
                             "PRAGMA temp_store=FILE; PRAGMA application_id=0x4f505250; BEGIN",
                       error);
}

/* No other process knows the file, so it takes no locks. Takes the path; NULL: no memory. */
static OpprofStatus open_path(Database *database, char *path, int flags, OpprofError **error)
{
    int code;

    if (path == NULL) {
        return OpprofErrorNoMemory(error, "make a database");
    }
    code = sqlite.open_v2(path, &database->handle,
                          SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | flags, "unix-none");
    free(path);
    if (database->handle == NULL) {
        return OpprofErrorNoMemory(error, "open a database");
    }
    if (database->file == NULL) { /* questions make many short texts */
        sqlite.db_config(database->handle, SQLITE_DBCONFIG_LOOKASIDE, NULL, LOOKASIDE_SIZE,
                         LOOKASIDE_COUNT);
    }
    return code == SQLITE_OK ? set_up(database, error) : DatabaseFail(database, error);
}

OpprofStatus DatabaseOpen(Database *database, OpprofStage *stage, const char *name,
                          OpprofError **error)
{
    OpprofStatus status;

    *database = (Database){ .stage = stage };
    status = OpprofOutputFileCreate(OpprofStageOutput(stage), name, &database->file, error);
    return status == OPPROF_OK
               ? open_path(database, OpprofOutputFileTemporary(database->file), 0, error)
               : status;
}

OpprofStatus DatabaseOpenPrivate(Database *database, OpprofStage *stage, OpprofError **error)
{
    OpprofStatus status;
    char *path = NULL;

    *database = (Database){ .stage = stage };
    status = OpprofScratchMake(NULL, &database->scratch, error);
    if (status == OPPROF_OK &&
        asprintf(&path, "%s/" PRIVATE_NAME, OpprofScratchPath(database->scratch)) < 0) {
        path = NULL;
    }
    return status == OPPROF_OK ? open_path(database, path, SQLITE_OPEN_CREATE, error) : status;
}

OpprofStatus DatabaseOpenEmpty(Database *database, OpprofError **error)
{
    *database = (Database){ .stage = NULL };
    if (sqlite.open_v2(":memory:", &database->handle,
                       SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_MEMORY,
                       NULL) == SQLITE_OK) {
        return OPPROF_OK;
    }
    return database->handle == NULL ? OpprofErrorNoMemory(error, "open a database")
                                    : DatabaseFail(database, error);
}

OpprofStatus DatabaseFinish(Database *database, OpprofError **error)
{
    OpprofStatus status = DatabaseRun(database, "COMMIT", error);
    OpprofOutputFile *file = database->file;

    if (status == OPPROF_OK && sqlite.close(database->handle) != SQLITE_OK) {
        status = DatabaseFail(database, error);
    }
    if (status == OPPROF_OK) {
        database->handle = NULL;
        database->file = NULL;
        status = OpprofOutputFileFinish(file, error);
    }
    return status;
}

void DatabaseClose(Database *database)
{
    sqlite.close_v2(database->handle);
    OpprofOutputFileDiscard(database->file);
    OpprofScratchRemove(database->scratch);
    free(database->room);
    *database = (Database){ .stage = database->stage };
}
