/* SPDX-License-Identifier: Apache-2.0 */
/* Opens databases from elsewhere. Tested by tests/plugins/collect-kineto/test_forms.sh. */
#include "collect-kineto/formats/database.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <opprof/kit/bytes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD 32u /* bytes of the header that are looked at (SQLite, "Database File Format", 1.3) */

void DatabaseNote(Database *database, const char *fault)
{
    if (database->fault[0] == '\0') {
        snprintf(database->fault, sizeof database->fault, "%s", fault);
    }
}

/* What the header and the file system say of the file now. */
typedef struct FileState {
    uint64_t size;
    uint64_t wanted; /* bytes by the header; 0: it does not say */
    uint64_t changes;
} FileState;

static bool read_state(int fd, FileState *ret_state)
{
    unsigned char head[HEAD];
    struct stat facts;

    if (fd < 0 || fstat(fd, &facts) != 0) {
        return false;
    }
    *ret_state = (FileState){ .size = (uint64_t) facts.st_size };
    if (pread(fd, head, sizeof head, 0) == (ssize_t) sizeof head) {
        const uint64_t page = OpprofLoadBe(head + 16, 2);

        ret_state->wanted = OpprofLoadBe(head + 28, 4) * (page == 1 ? 65536 : page);
        ret_state->changes = OpprofLoadBe(head + 24, 4);
    }
    return true;
}

/* Whether a file of this name with an ending lies there and holds something. */
static bool has_beside(const char *path, const char *ending)
{
    struct stat facts;
    char *name = NULL;
    bool is_there;

    if (asprintf(&name, "%s%s", path, ending) < 0) {
        return false;
    }
    is_there = stat(name, &facts) == 0 && facts.st_size > 0;
    free(name);
    return is_there;
}

/* Changes that are not in the file itself, or not taken back in it, belong to a writer that has not
 * finished; or somebody put them there. */
static void note_beside(Database *database, const char *path)
{
    static const char *const endings[] = { "-wal", "-journal" };

    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        if (has_beside(path, endings[i])) {
            char fault[sizeof database->fault];

            snprintf(
                fault, sizeof fault,
                "changes in the file with the same name and '%s' are not read: the database is "
                "still written, or was not closed (copy it with: sqlite3 FILE .backup COPY)",
                endings[i]);
            DatabaseNote(database, fault);
        }
    }
}

static bool note_size(Database *database, const FileState *state)
{
    char fault[128];

    if (state->wanted != 0 && state->size != state->wanted) {
        snprintf(fault, sizeof fault, "the file has %" PRIu64 " bytes, the database %" PRIu64,
                 state->size, state->wanted);
        DatabaseNote(database, fault);
    }
    return state->size < state->wanted;
}

/*
 * The library refuses all of a database that is too short, unless its schema may be repaired, which
 * a file opened for reading is safe from.
 */
static void distrust(sqlite3 *db, bool is_short)
{
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, !is_short, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_WRITABLE_SCHEMA, is_short, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_exec(db, "PRAGMA cell_size_check = ON", NULL, NULL, NULL);
    /* All is read as it was at the beginning: a file that is emptied meanwhile has no tables
     * without it. */
    sqlite3_exec(db, "BEGIN", NULL, NULL, NULL);
}

/* A URI that names exactly this file: nothing beside it is read or written. */
static int open_alone(const char *path, sqlite3 **ret_db)
{
    static const char mode[] = "?immutable=1";
    char *uri = malloc(strlen("file:") + 3 * strlen(path) + sizeof mode);
    char *at = uri;
    int code;

    if (uri == NULL) {
        return SQLITE_NOMEM;
    }
    while (path[0] == '/' && path[1] == '/') { /* what follows would be the name of a machine */
        path++;
    }
    at = stpcpy(at, "file:");
    for (; *path != '\0'; path++) {
        at +=
            snprintf(at, 4, strchr("?#%", *path) == NULL ? "%c" : "%%%02X", (unsigned char) *path);
    }
    stpcpy(at, mode);
    code = sqlite3_open_v2(uri, ret_db,
                           SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, NULL);
    free(uri);
    return code;
}

OpprofStatus DatabaseOpen(const char *path, const char *damage, Database *ret_database,
                          OpprofError **error)
{
    FileState state = { .size = 0 };
    int code;

    *ret_database = (Database){ .fd = -1 };
    DatabaseNote(ret_database, damage == NULL ? "" : damage);
    code = open_alone(path, &ret_database->db);
    if (code != SQLITE_OK) {
        OpprofErrorSet(error, OPPROF_E_IO, "Cannot open trace '%s': %s", path,
                       sqlite3_errstr(code));
        DatabaseClose(ret_database);
        return OPPROF_E_IO;
    }
    ret_database->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    read_state(ret_database->fd, &state);
    note_beside(ret_database, path);
    distrust(ret_database->db, note_size(ret_database, &state));
    ret_database->size = state.size;
    ret_database->changes = state.changes;
    return OPPROF_OK;
}

void DatabaseCheckEnd(Database *database)
{
    char fault[128];
    FileState state;

    if (!read_state(database->fd, &state)) {
        return;
    }
    if (state.size != database->size) {
        snprintf(fault, sizeof fault,
                 "the file changed while it was read, from %" PRIu64 " to %" PRIu64 " bytes",
                 database->size, state.size);
        DatabaseNote(database, fault);
    } else if (state.changes != database->changes) {
        DatabaseNote(database, "the file was written while it was read");
    }
}

void DatabaseClose(Database *database)
{
    sqlite3_close(database->db);
    if (database->db != NULL && database->fd >= 0) {
        close(database->fd);
    }
    *database = (Database){ .fd = -1 };
}
