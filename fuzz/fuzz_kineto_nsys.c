/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A database of Nsight Systems. The input is its bytes, or else rows for its tables: a line is the
 * number of a table and values between commas, each a number, a text or nothing. So the fuzzer
 * changes values, which rarely survive in damaged pages.
 */
#include "fuzz/fuzz.h"
#include "fuzz/trace_run.h"

#include <ctype.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 500u

static const char tables[] =
    "CREATE TABLE StringIds (id, value);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, streamId, correlationId, "
    "globalPid, demangledName);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, streamId, correlationId, "
    "globalPid, bytes, copyKind);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start, end, deviceId, streamId, correlationId, "
    "globalPid, bytes);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start, end, deviceId, streamId, correlationId, "
    "globalPid, graphId);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start, end, globalTid, correlationId, nameId);"
    "CREATE TABLE NVTX_EVENTS (start, end, eventType, text, globalTid, textId);"
    "CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start, end, deviceId, streamId, "
    "correlationId, globalPid, contextId, syncType, eventId);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (deviceId, streamId, correlationId, globalPid, "
    "contextId, eventId);";

static const char *const inserts[] = {
    "INSERT INTO StringIds VALUES (?, ?)",
    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?, ?, ?, ?, ?, ?, ?)",
    "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (?, ?, ?, ?, ?, ?, ?)",
    "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (?, ?, ?, ?, ?, ?, ?)",
    "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?, ?, ?, ?, ?)",
    "INSERT INTO NVTX_EVENTS VALUES (?, ?, ?, ?, ?, ?)",
    "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (?)",
    "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES (?, ?, ?, ?, ?, ?)",
};

#define TABLES (sizeof inserts / sizeof inserts[0])

static void bind(sqlite3_stmt *insert, int place, const char *value, size_t length)
{
    char number[24];
    char *end;

    if (length > 0 && length < sizeof number &&
        (isdigit((unsigned char) value[0]) || value[0] == '-')) {
        memcpy(number, value, length);
        number[length] = '\0';
        const long long integer = strtoll(number, &end, 10);

        if (*end == '\0') {
            sqlite3_bind_int64(insert, place, integer);
            return;
        }
    }
    if (length > 0) {
        sqlite3_bind_text(insert, place, value, (int) length, SQLITE_TRANSIENT);
    }
}

/* "1,0,100,0,7,1,167772160,2" */
static void put_row(sqlite3 *db, const char *line, size_t length)
{
    const size_t table = (size_t) (line[0] - '0');
    const char *end = line + length;
    const char *at = line + 2;
    sqlite3_stmt *insert;

    if (length < 2 || table >= TABLES || line[1] != ',') {
        return;
    }
    FUZZ_REQUIRE(sqlite3_prepare_v2(db, inserts[table], -1, &insert, NULL) == SQLITE_OK);
    for (int place = 1; place <= sqlite3_bind_parameter_count(insert) && at <= end; place++) {
        const char *comma = memchr(at, ',', (size_t) (end - at));
        const char *stop = comma == NULL ? end : comma;

        bind(insert, place, at, (size_t) (stop - at));
        at = stop + 1;
    }
    sqlite3_step(insert);
    sqlite3_finalize(insert);
}

static void put_rows(sqlite3 *db, const char *text, size_t size)
{
    const char *end = text + size;

    for (unsigned row = 0; text < end && row < ROWS_MAX; row++) {
        const char *newline = memchr(text, '\n', (size_t) (end - text));
        const char *stop = newline == NULL ? end : newline;

        if (stop > text) {
            put_row(db, text, (size_t) (stop - text));
        }
        text = stop + 1;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char magic[] = "SQLite format 3";
    unsigned char *bytes;
    sqlite3_int64 length;
    sqlite3 *db;

    if (size >= sizeof magic && memcmp(data, magic, sizeof magic) == 0) {
        TraceRunBytes(data, size);
        return 0;
    }
    FUZZ_REQUIRE(sqlite3_open(":memory:", &db) == SQLITE_OK &&
                 sqlite3_exec(db, tables, NULL, NULL, NULL) == SQLITE_OK);
    put_rows(db, (const char *) data, size);
    bytes = sqlite3_serialize(db, "main", &length, 0);
    FUZZ_REQUIRE(bytes != NULL);
    TraceRunBytes(bytes, (size_t) length);
    sqlite3_free(bytes);
    sqlite3_close(db);
    return 0;
}
