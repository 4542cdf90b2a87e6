/* SPDX-License-Identifier: Apache-2.0 */
/* Loads SQLite when it is needed. Tested by tests/results/test_results. */
#include "sqlite_library.h"

#include <opprof/library.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#define NAME_OF(name) "sqlite3_" #name,

SqliteLibrary sqlite;

/* Stages of a run may need it at the same time. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards `sqlite` and the next */
static bool is_loaded;

static OpprofStatus load(OpprofError **error)
{
    static const char *const names[] = { SQLITE_FUNCTIONS(NAME_OF) NULL };
    void *addresses[sizeof sqlite / sizeof(void *)];
    const OpprofStatus status = OpprofLibraryLoad("libsqlite3.so.0", names, addresses, error);

    if (status == OPPROF_OK) {
        memcpy(&sqlite, addresses, sizeof sqlite);
        is_loaded = true;
    }
    return status;
}

OpprofStatus SqliteLibraryLoad(OpprofError **error)
{
    OpprofStatus status;

    pthread_mutex_lock(&lock);
    status = is_loaded ? OPPROF_OK : load(error);
    pthread_mutex_unlock(&lock);
    return status;
}
