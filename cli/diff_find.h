/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_DIFF_FIND_H
#define CLI_DIFF_FIND_H

#include "diff_data.h"
#include "diff_stats.h"

#define DIFF_ALPHA 0.01 /* error rate of a verdict on repetitions */

/* A value in both results: medians of their runs. */
typedef struct DiffChange {
    const DiffTable *table;
    const DiffRow *row; /* NULL: all rows together */
    uint32_t column;
    double a, b;
    double a_spread, b_spread; /* half the distance of the quartiles */
    uint32_t a_count, b_count; /* runs that have it; 0: it is new, or gone */
    double a_share, b_share;   /* of all rows' weight; NaN where it is not a weight */
    DiffVerdict verdict;
} DiffChange;

typedef struct DiffChanges {
    DiffChange *list;
    uint32_t count;
    uint32_t capacity;
    uint32_t unsure; /* values with too few repetitions for a verdict */
} DiffChanges;

/* A text that differs: all runs of a side have the same, and each side another one. */
typedef struct DiffTextChange {
    const DiffTable *table;
    const DiffRow *row;
    uint32_t text; /* of the table's */
    const char *a, *b;
} DiffTextChange;

/* By table and column; rows with the same two texts follow one another. */
typedef struct DiffTextChanges {
    DiffTextChange *list;
    uint32_t count;
    uint32_t capacity;
} DiffTextChanges;

/* All texts that differ. False without memory. */
bool DiffTexts(const DiffData *data, DiffTextChanges *changes);
void DiffTextsFree(DiffTextChanges *changes);
/* Changes of a table: of what its type calls the weight, or, without a change of it, of all its numbers; times and the largest first. False without memory. */
bool DiffChangesOf(const DiffData *data, const DiffTable *table, DiffChanges *changes);
/* The whole: weights of the summary tables; without summary tables, of all tables. */
bool DiffWhole(const DiffData *data, DiffChanges *changes);
/* What changes in the direction of the whole, the largest first: weights added up by a text, and other times of tables. */
bool DiffCauses(const DiffData *data, const DiffChanges *whole, DiffChanges *causes);
/* How much time a change is, in microseconds; 0: it is not a time. */
double DiffTimeOf(const DiffChange *change);
void DiffChangesFree(DiffChanges *changes);

/* A threshold: "Task Duration(us) > +5%". */
typedef struct DiffRule {
    const char *text;   /* as it was given; borrowed */
    char *column;       /* name or heading, with or without "TABLE." before it */
    bool is_below;      /* '<' instead of '>' */
    bool is_relative;   /* in percent of the first side */
    bool is_difference; /* of the first side, not a value of the second */
    double value;
    uint32_t tested;    /* rows that were compared */
    bool is_unsure;     /* too few repetitions for a verdict */
    DiffChanges broken; /* rows that are beyond it, the worst first */
} DiffRule;

/* Read a threshold. */
OpprofStatus DiffRuleParse(DiffRule *rule, const char *text, OpprofError **error);
/* Apply it. OPPROF_E_ARGUMENT: no table has such a column. */
OpprofStatus DiffRuleApply(DiffRule *rule, const DiffData *data, OpprofError **error);
void DiffRuleFree(DiffRule *rule);

#endif
