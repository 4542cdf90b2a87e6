/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the tables that a question can do without. Tested by tests/plugins/advise/test_advise and
 * tests/cli/test_query.sh.
 */
#include "optional.h"
#include "results.h"

#include <opprof/questions.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool has_table(const OpprofResults *results, const char *name)
{
    for (uint32_t i = 0; i < results->info.table_count; i++) {
        if (strcasecmp(results->info.tables[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static OpprofStatus run(OpprofResults *results, sqlite3_str *sql, OpprofError **error)
{
    char *text = sqlite.str_finish(sql);
    const bool is_done =
        text != NULL && sqlite.exec(results->database, text, NULL, NULL, NULL) == SQLITE_OK;

    sqlite.free(text);
    return is_done        ? OPPROF_OK
           : text == NULL ? ResultsNoMemory(results, error)
                          : ResultsFail(results, error);
}

static OpprofStatus make(void *context, const char *name, char *columns, OpprofError **error)
{
    OpprofResults *results = context;
    const char *before = "";
    sqlite3_str *sql;
    const char *column;

    if (has_table(results, name)) {
        return OPPROF_OK;
    }
    sql = sqlite.str_new(NULL);
    sqlite.str_appendf(sql, "CREATE TEMP TABLE \"%w\"(", name);
    while ((column = strsep(&columns, OPTIONAL_BETWEEN)) != NULL) {
        if (*column != '\0') {
            sqlite.str_appendf(sql, "%s\"%w\" REAL", before, column);
            before = ", ";
        }
    }
    sqlite.str_appendall(sql, ")");
    return run(results, sql, error);
}

static OpprofStatus drop(void *context, const char *name, char *columns, OpprofError **error)
{
    OpprofResults *results = context;
    sqlite3_str *sql;

    (void) columns;
    if (has_table(results, name)) {
        return OPPROF_OK;
    }
    sql = sqlite.str_new(NULL);
    sqlite.str_appendf(sql, "DROP TABLE IF EXISTS temp.\"%w\"", name);
    return run(results, sql, error);
}

/* Whether the results have a table that it names: optional ones alone say nothing. */
static bool has_other_table(const OpprofQuestion *question, const OpprofResults *results)
{
    for (uint32_t i = 0; i < results->info.table_count; i++) {
        if (OpprofQuestionNames(question, results->info.tables[i].name)) {
            return true;
        }
    }
    return false;
}

/* Tables of an earlier question would let one speak that cannot do without them. */
OpprofStatus OpprofResultsMakeOptional(OpprofResults *results, const OpprofQuestion *question,
                                       OpprofError **error)
{
    const char *head = OpprofQuestionHead(question, "optional");
    const char *wanted = head != NULL && has_other_table(question, results) ? head : "";
    OpprofStatus status;
    char *copy;

    if (strcmp(wanted, results->optional == NULL ? "" : results->optional) == 0) {
        return OPPROF_OK; /* they are there already */
    }
    copy = strdup(wanted);
    if (copy == NULL) {
        return ResultsNoMemory(results, error);
    }
    status = OptionalEach(results->optional, drop, results, error);
    if (status == OPPROF_OK) {
        status = OptionalEach(wanted, make, results, error);
    }
    free(results->optional);
    results->optional = copy;
    if (status != OPPROF_OK) { /* the next question finds none of them */
        OptionalEach(copy, drop, results, NULL);
        results->optional = NULL;
        free(copy);
    }
    return status;
}
