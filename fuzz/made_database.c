/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the databases of targets that read results. */
#include "fuzz/made_database.h"

#include "fuzz/fuzz.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_MOST 200000 /* of the machine that runs the SQL that makes a database */

static int stop_steps(void *unused)
{
    (void) unused;
    return 1;
}

static void write_file(const char *path, const uint8_t *data, size_t size)
{
    FILE *file = fopen(path, "wb");

    FUZZ_REQUIRE(file != NULL && fwrite(data, 1, size, file) == size);
    fclose(file);
}

static void run_sql(const char *path, const uint8_t *data, size_t size)
{
    sqlite3 *database = NULL;
    char *sql = strndup((const char *) data, size);

    FUZZ_REQUIRE(sql != NULL && sqlite3_open(path, &database) == SQLITE_OK);
    sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, 1 << 20);
    sqlite3_progress_handler(database, STEPS_MOST, stop_steps, NULL);
    sqlite3_exec(database, sql, NULL, NULL, NULL);
    sqlite3_close(database);
    free(sql);
}

void FuzzMakeDatabase(const char *path, const uint8_t *data, size_t size)
{
    if (size >= 16 && memcmp(data, "SQLite format 3", 16) == 0) {
        write_file(path, data, size);
    } else if (size > 0) {
        run_sql(path, data, size);
    }
}
