/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RESULTS_CONDITIONS_H
#define RESULTS_CONDITIONS_H

#include "results.h"

/* A value of a rule. */
typedef struct ConditionsValue {
    enum { CONDITIONS_TEXT, CONDITIONS_WHOLE, CONDITIONS_REAL } kind;
    const char *text; /* borrowed from the rule */
    size_t length;
    int64_t whole;
    double real;
} ConditionsValue;

/* A question with conditions, as SQL in which the values are parameters. */
typedef struct Conditions {
    char *sql;
    ConditionsValue *values;
    size_t count;
    size_t capacity;
} Conditions;

/*
 * Make the SQL of a question with conditions.
 *
 * @param base    The question without them, prepared: its columns are those that rules may name.
 * @param length  Bytes of its statement in the question's SQL, without a semicolon.
 * @return OPPROF_OK; OPPROF_E_ARGUMENT: a rule, an order or a page is wrong; OPPROF_E_NOT_FOUND:
 *         there is no such column; OPPROF_E_MEMORY.
 */
OpprofStatus ConditionsMake(Conditions *conditions, const OpprofResultsQuestion *question,
                            sqlite3_stmt *base, size_t length, OpprofError **error);

/* Bind the values in a statement of the SQL. Returns a code of SQLite. */
int ConditionsBind(const Conditions *conditions, sqlite3_stmt *statement);
void ConditionsFinish(Conditions *conditions);

#endif
