/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a question in SQL that comes from a file: it only reads, and ends. Tested by
 * tests/plugins/advise/test_advise.
 */
#include "ask.h"

#include "conditions.h"
#include "functions.h"
#include "schema.h"
#include "table_pages.h"

#include <stdlib.h>
#include <string.h>

#define PATTERN_MAX 256       /* bytes of a pattern of LIKE: matching is not counted in steps */
#define STEPS_A_CHECK 100000u /* of SQLite's machine between two checks */

/* ---- what it may do ---- */

/* The arguments are those of sqlite3_set_authorizer. */
static int authorize(void *context, int action, const char *first, const char *second,
                     const char *database, const char *trigger)
{
    const OpprofResults *results = context;

    (void) first;
    (void) database;
    (void) trigger;
    if (!results->is_asked) {
        return SQLITE_OK;
    }
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_FUNCTION:
        return sqlite.stricmp(second, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
    default:
        return SQLITE_DENY;
    }
}

static int check(void *context)
{
    OpprofResults *results = context;

    if (results->kept != NULL && !results->is_asked) {
        return 0; /* what came before the run was stopped is kept */
    }
    if (results->is_asked) {
        results->steps += STEPS_A_CHECK;
        results->is_too_long = results->most_steps > 0 && results->steps > results->most_steps;
    }
    results->is_interrupted = results->options.is_stopped != NULL &&
                              results->options.is_stopped(results->options.context);
    return results->is_too_long || results->is_interrupted;
}

OpprofStatus AskPrepare(OpprofResults *results, OpprofError **error)
{
    sqlite3 *database = results->database;

    sqlite.db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    sqlite.db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
    sqlite.limit(database, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, PATTERN_MAX);
    sqlite.limit(database, SQLITE_LIMIT_ATTACHED, 0);
    sqlite.progress_handler(database, STEPS_A_CHECK, check, results);
    return FunctionsAdd(database) == SQLITE_OK &&
                   sqlite.set_authorizer(database, authorize, results) == SQLITE_OK
               ? OPPROF_OK
               : ResultsNoMemory(results, error);
}

/* ---- the question ---- */

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Whether nothing but blanks, semicolons and comments follows. */
static bool is_end(const char *sql)
{
    for (;;) {
        sql += strspn(sql, " \t\r\n;");
        if (begins(sql, "--")) {
            sql += strcspn(sql, "\n");
        } else if (begins(sql, "/*") && strstr(sql + 2, "*/") != NULL) {
            sql = strstr(sql + 2, "*/") + 2;
        } else {
            return *sql == '\0';
        }
    }
}

/* Prepares the one SELECT of a text, of which `ret_length` bytes are without a semicolon. */
static OpprofStatus prepare(OpprofResultsRows *rows, const char *sql, size_t *ret_length,
                            OpprofError **error)
{
    OpprofResults *results = rows->results;
    const char *rest = sql;

    if (sqlite.prepare_v2(results->database, sql, -1, &rows->statement, &rest) != SQLITE_OK) {
        return ResultsFailAsked(results, error);
    }
    *ret_length = (size_t) (rest - sql);
    *ret_length -= rest > sql && rest[-1] == ';' ? 1 : 0;
    if (rows->statement == NULL) {
        return OpprofErrorSet(error, OPPROF_E_ARGUMENT, "It has no SELECT");
    }
    if (!is_end(rest)) {
        return OpprofErrorSet(error, OPPROF_E_ARGUMENT, "It is more than one statement");
    }
    return sqlite.column_count(rows->statement) > 0
               ? OPPROF_OK
               : OpprofErrorSet(error, OPPROF_E_ARGUMENT, "It is not a SELECT");
}

/* As a number where the whole text is one. */
static int bind(sqlite3_stmt *statement, int at, const char *value)
{
    char *end;
    const double number = strtod(value, &end);
    char *whole_end;
    const long long whole = strtoll(value, &whole_end, 10);

    if (value[0] != '\0' && *whole_end == '\0') {
        return sqlite.bind_int64(statement, at, whole);
    }
    if (value[0] != '\0' && *end == '\0') {
        return sqlite.bind_double(statement, at, number);
    }
    return sqlite.bind_text(statement, at, value, -1, SQLITE_TRANSIENT);
}

static int find_parameter(sqlite3_stmt *statement, const char *name)
{
    for (int at = 1; at <= sqlite.bind_parameter_count(statement); at++) {
        const char *known = sqlite.bind_parameter_name(statement, at);

        if (known != NULL && strcmp(known + 1, name) == 0) {
            return at;
        }
    }
    return 0;
}

static OpprofStatus bind_all(OpprofResultsRows *rows, const OpprofResultsQuestion *question,
                             OpprofError **error)
{
    for (size_t i = 0; i < question->parameter_count; i++) {
        const OpprofResultsParameter *parameter = &question->parameters[i];
        const int at = find_parameter(rows->statement, parameter->name);

        if (at == 0) {
            return OpprofErrorSet(error, OPPROF_E_ARGUMENT, "It has no parameter ':%s'",
                                  parameter->name);
        }
        if (bind(rows->statement, at, parameter->value) != SQLITE_OK) {
            return ResultsFailAsked(rows->results, error);
        }
    }
    return OPPROF_OK;
}

/* Prepares all rows of a table. Indices are not used: they are not checked. */
static OpprofStatus prepare_table(OpprofResultsRows *rows, const char *name, OpprofError **error)
{
    char *sql = sqlite.mprintf("SELECT * FROM \"%w\" NOT INDEXED", name);
    size_t unused;
    const OpprofStatus status =
        sql == NULL ? ResultsNoMemory(rows->results, error) : prepare(rows, sql, &unused, error);

    sqlite.free(sql);
    return status;
}

/* Prepares the statement again, with conditions and their values. */
static OpprofStatus apply(OpprofResultsRows *rows, const OpprofResultsQuestion *question,
                          size_t length, OpprofError **error)
{
    Conditions conditions = { .count = 0 };
    OpprofStatus status = ConditionsMake(&conditions, question, rows->statement, length, error);

    sqlite.finalize(rows->statement);
    rows->statement = NULL;
    if (status == OPPROF_OK) {
        status = prepare(rows, conditions.sql, &length, error);
    }
    if (status == OPPROF_OK && ConditionsBind(&conditions, rows->statement) != SQLITE_OK) {
        status = ResultsFailAsked(rows->results, error);
    }
    ConditionsFinish(&conditions);
    return status;
}

static OpprofStatus prepare_question(OpprofResultsRows *rows, const OpprofResultsQuestion *question,
                                     OpprofError **error)
{
    size_t length = 0;
    OpprofStatus status = question->table != NULL
                              ? prepare_table(rows, question->table->name, error)
                              : prepare(rows, question->sql, &length, error);

    if (status == OPPROF_OK && question->conditions != NULL) {
        status = apply(rows, question, length, error);
    }
    return status == OPPROF_OK ? bind_all(rows, question, error) : status;
}

/* Rows of a table that are read whatever the conditions are; OPPROF_NA_I64: not all, or unknown. */
static int64_t rows_read(const OpprofResultsQuestion *question)
{
    const OpprofResultsConditions *wanted = question->conditions;
    const bool is_all =
        wanted == NULL ||
        (wanted->counts ? wanted->rule_count > 0 : wanted->limit == 0 || wanted->sort_count > 0);

    return question->table != NULL && is_all ? question->table->rows : OPPROF_NA_I64;
}

/* Tables are checked as cheaply as can be, unless all pages were. */
static OpprofStatus check_table(OpprofResults *results, const OpprofResultsTable *table,
                                OpprofError **error)
{
    return results->options.is_checked || table == NULL
               ? OPPROF_OK
               : TablePagesCheck(results, table->name, error);
}

/* Views of the database are not trusted: those of its format are made again. */
static OpprofStatus make_views(OpprofResults *results, OpprofError **error)
{
    if (results->kept != NULL || results->has_views) {
        return OPPROF_OK;
    }
    results->has_views = true;
    return sqlite.exec(results->database, RESULTS_VIEWS("TEMP "), NULL, NULL, NULL) == SQLITE_OK
               ? OPPROF_OK
               : ResultsFail(results, error);
}

OpprofStatus OpprofResultsAsk(OpprofResults *results, const OpprofResultsQuestion *question,
                              OpprofResultsRows **ret_rows, OpprofError **error)
{
    OpprofResultsRows *rows = calloc(1, sizeof *rows);
    OpprofStatus status;

    *ret_rows = NULL;
    if (rows == NULL) {
        return ResultsNoMemory(results, error);
    }
    status = check_table(results, question->table, error);
    if (status == OPPROF_OK) {
        status = make_views(results, error);
    }
    if (status != OPPROF_OK) {
        free(rows);
        return status;
    }
    rows->results = results;
    rows->is_asked = true;
    rows->all = rows_read(question);
    rows->length_before = sqlite.limit(results->database, SQLITE_LIMIT_LENGTH, RESULTS_VALUE_MAX);
    results->is_asked = true;
    results->is_too_long = false;
    results->is_interrupted = false;
    results->steps = 0;
    results->most_steps = question->most_steps;
    status = prepare_question(rows, question, error);
    if (status != OPPROF_OK) {
        OpprofResultsRowsFree(rows);
        return status;
    }
    *ret_rows = rows;
    return OPPROF_OK;
}

/* ---- its columns ---- */

int OpprofResultsColumnCount(const OpprofResultsRows *rows)
{
    return sqlite.column_count(rows->statement);
}

const char *OpprofResultsColumnName(const OpprofResultsRows *rows, int column)
{
    return sqlite.column_name(rows->statement, column);
}
