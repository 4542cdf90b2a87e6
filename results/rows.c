/* SPDX-License-Identifier: Apache-2.0 */
/* Reads rows of the database of a finished run. Tested by tests/results/test_results. */
#include "results.h"

#include <opprof/grow.h>
#include <opprof/json.h>
#include <opprof/record.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAMAGE "database disk image is malformed"

/* ---- failures ---- */

static OpprofStatus refuse(const OpprofResults *results, const char *what, OpprofError **error)
{
    OpprofErrorSet(error, OPPROF_E_DATA, "Cannot read '%s': %s", results->path, what);
    OpprofErrorHint(error, "Results come from the exporter 'sqlite' of this or an earlier release; "
                           "if they were damaged after the run, make them again");
    return OPPROF_E_DATA;
}

OpprofStatus ResultsNoMemory(const OpprofResults *results, OpprofError **error)
{
    return OpprofErrorNoMemory(error, "read results '%s'", results->path);
}

OpprofStatus ResultsFail(const OpprofResults *results, OpprofError **error)
{
    return sqlite.errcode(results->database) == SQLITE_NOMEM
               ? ResultsNoMemory(results, error)
               : refuse(results, sqlite.errmsg(results->database), error);
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

OpprofStatus ResultsRefuseDamage(const OpprofResults *results, const char *table, uint32_t page,
                                 OpprofError **error)
{
    char what[160];

    snprintf(what, sizeof what, DAMAGE ": page %" PRIu32 " of the table '%.80s'", page, table);
    return refuse(results, what, error);
}

/* Whether SQLite misses spans or counters, or a table that the views of these read. */
static bool names_timeline(const char *message)
{
    return begins(message, "no such table: ") &&
           (strstr(message, "spans") != NULL || strstr(message, "counters") != NULL);
}

/* The name that SQLite misses; NULL: another failure. */
static const char *missing_in(const char *message)
{
    static const char *const beginnings[] = { "no such table: ", "no such column: " };

    for (size_t i = 0; i < OPPROF_COUNT(beginnings); i++) {
        if (begins(message, beginnings[i])) {
            return message + strlen(beginnings[i]);
        }
    }
    return NULL;
}

/* Names of the results' tables, or of all of their columns. */
typedef struct Names {
    const char **list;
    size_t count;
    size_t capacity;
} Names;

/* A name for which there is no memory is not suggested. */
static void add_name(Names *names, const char *name)
{
    if (OpprofGrow(&names->list, &names->capacity, names->count + 1, sizeof *names->list)) {
        names->list[names->count++] = name;
    }
}

static void add_names(Names *names, const OpprofResultsTable *table, bool are_columns)
{
    if (!are_columns) {
        add_name(names, table->name);
        return;
    }
    for (uint32_t f = 0; f < table->type->field_count; f++) {
        add_name(names, OpprofResultsFieldName(&table->type->fields[f]));
    }
}

/* The nearest name, or how the missing one comes into results. */
static void hint_at_name(const OpprofResults *results, const char *message, OpprofError **error)
{
    const char *missing = missing_in(message);
    const char *dot = strrchr(missing, '.');
    Names names = { .count = 0 };
    const char *nearest;

    if (results->kept == NULL && !results->info.has_timelines && names_timeline(message)) {
        OpprofErrorHint(error,
                        "Spans and counters are in the database of a run with formats=spans");
        return;
    }
    for (uint32_t i = 0; i < results->info.table_count; i++) {
        add_names(&names, &results->info.tables[i], begins(message, "no such column: "));
    }
    nearest = OpprofNearestName(dot == NULL ? missing : dot + 1, names.list, names.count);
    if (nearest != NULL) {
        OpprofErrorHint(error, "Did you mean '%s'?", nearest);
    }
    free((void *) names.list);
}

OpprofStatus ResultsFailAsked(const OpprofResults *results, OpprofError **error)
{
    const int code = sqlite.errcode(results->database);
    const char *message = sqlite.errmsg(results->database);
    OpprofStatus status;

    /* It may have had no memory for a message of another error. */
    if (code == SQLITE_NOMEM || strcmp(message, sqlite.errstr(SQLITE_NOMEM)) == 0) {
        return ResultsNoMemory(results, error);
    }
    if (results->is_too_long) {
        return OpprofErrorSet(error, OPPROF_E_LIMIT, "It took more than %llu million steps",
                              (unsigned long long) (results->most_steps / 1000000));
    }
    if (results->is_interrupted) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "It was stopped");
    }
    if (code == SQLITE_AUTH) {
        return OpprofErrorSet(error, OPPROF_E_ARGUMENT, "It may only read, with SELECT (%s)",
                              message);
    }
    if (code == SQLITE_TOOBIG) {
        return OpprofErrorSet(error, OPPROF_E_LIMIT, "A value is longer than %d bytes",
                              RESULTS_VALUE_MAX);
    }
    status = OpprofErrorSet(
        error, missing_in(message) != NULL ? OPPROF_E_NOT_FOUND : OPPROF_E_ARGUMENT, "%s", message);
    if (missing_in(message) != NULL) {
        hint_at_name(results, message, error);
    }
    return status;
}

/* ---- rows ---- */

OpprofStatus OpprofResultsQuery(OpprofResults *results, const char *sql,
                                OpprofResultsRows **ret_rows, OpprofError **error)
{
    OpprofResultsRows *rows = calloc(1, sizeof *rows);

    *ret_rows = NULL;
    if (rows == NULL) {
        return ResultsNoMemory(results, error);
    }
    rows->results = results;
    rows->all = OPPROF_NA_I64;
    if (sqlite.prepare_v2(results->database, sql, -1, &rows->statement, NULL) != SQLITE_OK) {
        free(rows);
        return ResultsFail(results, error);
    }
    *ret_rows = rows;
    return OPPROF_OK;
}

OpprofStatus ResultsQueryPrinted(OpprofResults *results, char *sql, OpprofResultsRows **ret_rows,
                                 OpprofError **error)
{
    OpprofStatus status;

    *ret_rows = NULL;
    status = sql == NULL ? ResultsNoMemory(results, error)
                         : OpprofResultsQuery(results, sql, ret_rows, error);
    sqlite.free(sql);
    return status;
}

/* A page may have lost rows: a table that was read from its beginning to its end shows how many. */
static OpprofStatus check_all(const OpprofResultsRows *rows, OpprofError **error)
{
    const int64_t steps = sqlite.stmt_status(rows->statement, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0);
    const int64_t wanted = rows->all == 0 ? 0 : rows->all - 1;
    char what[96];

    if (steps == wanted) {
        return OPPROF_END;
    }
    snprintf(what, sizeof what, DAMAGE ": %" PRIi64 " row(s) were written, %" PRIi64 " are there",
             rows->all, steps + 1);
    return refuse(rows->results, what, error);
}

OpprofStatus OpprofResultsNext(OpprofResultsRows *rows, OpprofError **error)
{
    const int code = rows->is_out_of_memory ? SQLITE_NOMEM : sqlite.step(rows->statement);

    if (rows->is_out_of_memory) {
        return ResultsNoMemory(rows->results, error);
    }
    if (code == SQLITE_DONE && rows->all != OPPROF_NA_I64) {
        return check_all(rows, error);
    }
    return code == SQLITE_ROW    ? OPPROF_OK
           : code == SQLITE_DONE ? OPPROF_END
           : rows->is_asked      ? ResultsFailAsked(rows->results, error)
                                 : ResultsFail(rows->results, error);
}

void OpprofResultsRowsFree(OpprofResultsRows *rows)
{
    if (rows != NULL) {
        sqlite.finalize(rows->statement);
        if (rows->is_asked) {
            rows->results->is_asked = false;
            sqlite.limit(rows->results->database, SQLITE_LIMIT_LENGTH, rows->length_before);
        }
        free(rows);
    }
}

const char *OpprofResultsText(OpprofResultsRows *rows, int column, size_t *ret_length)
{
    const bool is_absent = sqlite.column_type(rows->statement, column) == SQLITE_NULL;
    const char *text =
        is_absent ? NULL : (const char *) sqlite.column_text(rows->statement, column);

    if (!is_absent && text == NULL && sqlite.errcode(rows->results->database) == SQLITE_NOMEM) {
        rows->is_out_of_memory = true;
    }
    if (ret_length != NULL) {
        *ret_length = text == NULL ? 0 : (size_t) sqlite.column_bytes(rows->statement, column);
    }
    return text;
}

static bool is_number(const OpprofResultsRows *rows, int column)
{
    const int type = sqlite.column_type(rows->statement, column);

    return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

double OpprofResultsReal(OpprofResultsRows *rows, int column)
{
    return is_number(rows, column) ? sqlite.column_double(rows->statement, column) : OpprofNaF64();
}

bool OpprofResultsWhole(OpprofResultsRows *rows, int column, int64_t *ret_value)
{
    const bool is_there = is_number(rows, column);

    *ret_value = is_there ? sqlite.column_int64(rows->statement, column) : OPPROF_NA_I64;
    return is_there;
}

/* ---- damage ---- */

/* The first thing that is wrong, if any. The line before it says in which database. */
static OpprofStatus read_verdict(OpprofResultsRows *rows, OpprofError **error)
{
    const char *verdict;
    const char *line;
    char what[256];
    OpprofStatus status = OpprofResultsNext(rows, error);

    if (status != OPPROF_OK) {
        return status;
    }
    verdict = OpprofResultsText(rows, 0, NULL);
    if (verdict == NULL) {
        return ResultsFail(rows->results, error);
    }
    if (strcmp(verdict, "ok") == 0) {
        return OPPROF_OK;
    }
    line = strchr(verdict, '\n');
    line = line == NULL ? verdict : line + 1;
    snprintf(what, sizeof what, DAMAGE ": %.*s", (int) strcspn(line, "\n"), line);
    return refuse(rows->results, what, error);
}

OpprofStatus OpprofResultsCheck(OpprofResults *results, const char *table, OpprofError **error)
{
    OpprofResultsRows *rows;
    char *sql = table == NULL ? sqlite.mprintf("PRAGMA quick_check(1)")
                              : sqlite.mprintf("PRAGMA quick_check(\"%w\")", table);
    OpprofStatus status = ResultsQueryPrinted(results, sql, &rows, error);

    while (status == OPPROF_OK) {
        status = read_verdict(rows, error);
    }
    OpprofResultsRowsFree(rows);
    return status == OPPROF_END ? OPPROF_OK : status;
}

OpprofStatus ResultsCheckUnchecked(OpprofResults *results, const char *table, OpprofError **error)
{
    return results->options.is_checked ? OPPROF_OK : OpprofResultsCheck(results, table, error);
}
