/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RESULTS_CONDITION_COLUMNS_H
#define RESULTS_CONDITION_COLUMNS_H

#include "conditions.h"

#include <string.h>

#define CONDITIONS_BLANKS " \t\r\n"

/* What the cells of a column are. */
typedef enum Cells { CELLS_UNKNOWN, CELLS_NUMBERS, CELLS_ADDRESSES, CELLS_TEXTS } Cells;

/* Names of a column of the question. */
typedef struct Column {
    const char *name;
    const char *heading; /* NULL: it has none of its own */
    Cells cells;
} Column;

/* What is being made. */
typedef struct Making {
    Conditions *conditions;
    Column *columns;
    size_t count;
    size_t length; /* of the question's statement */
    sqlite3_str *sql;
    const char *rule; /* the one that is being read */
    OpprofError **error;
} Making;

/* A part of a text of the user. */
typedef struct Piece {
    const char *at;
    size_t length;
} Piece;

static inline int ConditionsNumberOf(const Making *making, const Column *column)
{
    return (int) (column - making->columns);
}

/* The part without the blanks around it. */
Piece ConditionsTrim(const char *at, size_t length);

/* Length of a name with which the text begins, in any case; 0: it does not, or the name is NULL. */
size_t ConditionsBeginning(const char *name, const Piece *text);

/*
 * The column with the longest name that the text begins with; NULL: none is. Names go before
 * headings.
 */
const Column *ConditionsFindColumn(const Making *making, const Piece *text, size_t *ret_length);

/* Report that no column is called so. Returns OPPROF_E_NOT_FOUND or OPPROF_E_MEMORY. */
OpprofStatus ConditionsRefuseColumn(const Making *making, const Piece *name);

/* The columns of a question that is prepared as `base`. False without memory. */
bool ConditionsReadColumns(Making *making, const OpprofResultsTable *table, sqlite3_stmt *base);

#endif
