/* SPDX-License-Identifier: Apache-2.0 */
/* Loads SQLite when it is needed. Tested by tests/plugins/export/test_diff.sh. */
#include "sqlite_library.h"

#include <opprof/library.h>
#include <string.h>

#define NAME_OF(name) "sqlite3_" #name,

SqliteLibrary sqlite;

OpprofStatus SqliteLibraryLoad(OpprofError **error)
{
    static const char *const names[] = { SQLITE_FUNCTIONS(NAME_OF) NULL };
    void *addresses[sizeof sqlite / sizeof(void *)];
    const OpprofStatus status = OpprofLibraryLoad("libsqlite3.so.0", names, addresses, error);

    if (status == OPPROF_OK) {
        memcpy(&sqlite, addresses, sizeof sqlite);
    }
    return status;
}
