/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conditions on the rows of a table or a question: rules, an order, columns, a page. Of what a user
 * writes only numbers of columns and parameters get into the SQL. Tested by
 * tests/results/test_conditions.
 */
#include "condition_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The column that is called so; NULL: `error` is set. */
static const Column *find_column(const Making *making, const Piece *name, OpprofStatus *ret_status)
{
    size_t length;
    const Column *column = ConditionsFindColumn(making, name, &length);

    *ret_status = OPPROF_OK;
    if (column == NULL || length < name->length) {
        *ret_status = ConditionsRefuseColumn(making, name);
        return NULL;
    }
    return column;
}

/* ---- rules, columns, order and page ---- */

static OpprofStatus put_rules(Making *making, const OpprofResultsConditions *wanted)
{
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; status == OPPROF_OK && i < wanted->rule_count; i++) {
        sqlite.str_appendall(making->sql, i == 0 ? " WHERE (" : " AND (");
        status = ConditionsPutRule(making, wanted->rules[i]);
        sqlite.str_appendall(making->sql, ")");
    }
    return status;
}

static OpprofStatus put_columns(Making *making, const char *list)
{
    OpprofStatus status = OPPROF_OK;

    if (list == NULL) {
        for (size_t c = 0; c < making->count; c++) {
            sqlite.str_appendf(making->sql, "%sc%d AS \"%w\"", c == 0 ? "" : ",", (int) c,
                               making->columns[c].name);
        }
        return OPPROF_OK;
    }
    for (bool is_first = true; status == OPPROF_OK && (is_first || *list == ',');
         is_first = false) {
        const char *at = list + (is_first ? 0 : 1);
        const size_t length = strcspn(at, ",");
        const Piece name = ConditionsTrim(at, length);
        const Column *column = find_column(making, &name, &status);

        if (column != NULL) {
            sqlite.str_appendf(making->sql, "%sc%d AS \"%w\"", is_first ? "" : ",",
                               ConditionsNumberOf(making, column), column->name);
        }
        list = at + length;
    }
    return status;
}

static bool ends(const Piece *text, const char *with)
{
    const size_t length = strlen(with);

    return text->length > length &&
           strncasecmp(text->at + text->length - length, with, length) == 0;
}

/* SQLite's order of absent values is ours: they are before all others. */
static OpprofStatus put_order_by(Making *making, const OpprofResultsConditions *wanted)
{
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; status == OPPROF_OK && i < wanted->sort_count; i++) {
        Piece name = ConditionsTrim(wanted->sorts[i], strlen(wanted->sorts[i]));
        const bool is_down = ends(&name, ":desc");
        const Column *column;

        name.length -= is_down ? strlen(":desc") : ends(&name, ":asc") ? strlen(":asc") : 0;
        column = find_column(making, &name, &status);
        if (column != NULL) {
            sqlite.str_appendf(making->sql, "%sc%d%s", i == 0 ? " ORDER BY " : ",",
                               ConditionsNumberOf(making, column), is_down ? " DESC" : "");
        }
    }
    if (wanted->sort_count > 0) {
        sqlite.str_appendall(making->sql, ",place");
    }
    return status;
}

static OpprofStatus put_page(Making *making, const OpprofResultsConditions *wanted)
{
    int64_t first = 0;

    if (wanted->limit == 0) {
        return wanted->page == 0 ? OPPROF_OK
                                 : OpprofErrorSet(making->error, OPPROF_E_ARGUMENT,
                                                  "A page needs a limit, its number of rows");
    }
    if (wanted->limit > INT64_MAX || wanted->page > INT64_MAX ||
        __builtin_mul_overflow((int64_t) (wanted->page == 0 ? 0 : wanted->page - 1),
                               (int64_t) wanted->limit, &first)) {
        return OpprofErrorSet(making->error, OPPROF_E_ARGUMENT, "There is no page so far behind");
    }
    sqlite.str_appendf(making->sql, " LIMIT %lld OFFSET %lld", (long long) wanted->limit,
                       (long long) first);
    return OPPROF_OK;
}

/* ---- all of it ---- */

/* The question as a table whose columns have numbers; if rows are sorted, `place` is their order
 * before. */
static void put_base(Making *making, const OpprofResultsQuestion *question, bool is_sorted)
{
    sqlite.str_appendall(making->sql, "WITH \"opprof asked\"(");
    for (size_t c = 0; c < making->count; c++) {
        sqlite.str_appendf(making->sql, "%sc%d", c == 0 ? "" : ",", (int) c);
    }
    sqlite.str_appendf(making->sql, "%s) AS (", is_sorted ? ",place" : "");
    if (question->table != NULL) {
        sqlite.str_appendf(making->sql, "SELECT *%s FROM \"%w\" NOT INDEXED) ",
                           is_sorted ? ",rowid" : "", question->table->name);
    } else { /* it may end with a comment */
        sqlite.str_appendf(making->sql,
                           is_sorted ? "SELECT *,row_number() OVER () FROM (%.*s\n)) " : "%.*s\n) ",
                           (int) making->length, question->sql);
    }
}

static OpprofStatus put_all(Making *making, const OpprofResultsQuestion *question)
{
    const OpprofResultsConditions *wanted = question->conditions;
    OpprofStatus status = OPPROF_OK;

    put_base(making, question, wanted->sort_count > 0);
    sqlite.str_appendall(making->sql, "SELECT ");
    if (wanted->counts) {
        sqlite.str_appendall(making->sql, "count(*)");
    } else {
        status = put_columns(making, wanted->columns);
    }
    sqlite.str_appendall(making->sql, " FROM \"opprof asked\"");
    if (status == OPPROF_OK) {
        status = put_rules(making, wanted);
    }
    if (status == OPPROF_OK && !wanted->counts) {
        status = put_order_by(making, wanted);
    }
    return status == OPPROF_OK && !wanted->counts ? put_page(making, wanted) : status;
}

OpprofStatus ConditionsMake(Conditions *conditions, const OpprofResultsQuestion *question,
                            sqlite3_stmt *base, size_t length, OpprofError **error)
{
    Making making = {
        .conditions = conditions, .length = length, .sql = sqlite.str_new(NULL), .error = error
    };
    OpprofStatus status = OPPROF_E_MEMORY;

    if (ConditionsReadColumns(&making, question->table, base)) {
        status = put_all(&making, question);
    }
    conditions->sql = sqlite.str_finish(making.sql);
    free(making.columns);
    return status == OPPROF_E_MEMORY || (status == OPPROF_OK && conditions->sql == NULL)
               ? OpprofErrorNoMemory(error, "apply conditions")
               : status;
}

int ConditionsBind(const Conditions *conditions, sqlite3_stmt *statement)
{
    int code = SQLITE_OK;

    for (size_t i = 0; code == SQLITE_OK && i < conditions->count; i++) {
        const ConditionsValue *value = &conditions->values[i];
        char name[32];
        int at;

        snprintf(name, sizeof name, ":opprof_%zu", i + 1);
        at = sqlite.bind_parameter_index(statement, name);
        code = value->kind == CONDITIONS_TEXT
                   ? sqlite.bind_text(statement, at, value->text, (int) value->length,
                                      SQLITE_TRANSIENT)
               : value->kind == CONDITIONS_WHOLE ? sqlite.bind_int64(statement, at, value->whole)
                                                 : sqlite.bind_double(statement, at, value->real);
    }
    return code;
}

void ConditionsFinish(Conditions *conditions)
{
    sqlite.free(conditions->sql);
    free(conditions->values);
    *conditions = (Conditions){ 0 };
}
