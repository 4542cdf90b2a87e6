/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the tables that a question can do without. Tested by tests/plugins/advise/test_advise and
 * tests/cli/test_query.sh.
 */
#include "optional.h"
#include "results.h"

#include <opprof/questions.h>
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

/* Of an earlier question the table may have other columns. */
static OpprofStatus make(void *context, const char *name, char *columns, OpprofError **error)
{
    OpprofResults *results = context;
    const char *before = "";
    sqlite3_str *sql;
    const char *column;
    char *text;
    bool is_made;

    if (has_table(results, name)) {
        return OPPROF_OK;
    }
    sql = sqlite.str_new(NULL);
    sqlite.str_appendf(sql, "DROP TABLE IF EXISTS temp.\"%w\"; CREATE TEMP TABLE \"%w\"(", name,
                       name);
    while ((column = strsep(&columns, OPTIONAL_BETWEEN)) != NULL) {
        if (*column != '\0') {
            sqlite.str_appendf(sql, "%s\"%w\" REAL", before, column);
            before = ", ";
        }
    }
    sqlite.str_appendall(sql, ")");
    text = sqlite.str_finish(sql);
    is_made = text != NULL && sqlite.exec(results->database, text, NULL, NULL, NULL) == SQLITE_OK;
    sqlite.free(text);
    return is_made        ? OPPROF_OK
           : text == NULL ? ResultsNoMemory(results, error)
                          : ResultsFail(results, error);
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

OpprofStatus OpprofResultsMakeOptional(OpprofResults *results, const OpprofQuestion *question,
                                       OpprofError **error)
{
    const char *head = OpprofQuestionHead(question, "optional");

    return head != NULL && has_other_table(question, results)
               ? OptionalEach(head, make, results, error)
               : OPPROF_OK;
}
