/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COMPARE_CHANGES_H
#define COMPARE_CHANGES_H

#include "model.h"
#include "statistics.h"

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

/* A value of a row, or of all rows together (NULL), in both results. */
DiffChange DiffCompare(const DiffData *data, const DiffTable *table, const DiffRow *row,
                       uint32_t column);
/*
 * Its value in each run of a side: `out` has room for DIFF_RUNS_MAX. Returns how many runs have
 * it.
 */
uint32_t DiffLoad(const DiffData *data, const DiffTable *table, const DiffRow *row, uint32_t column,
                  int side, double *out);
/* False without memory. */
bool DiffChangesAdd(DiffChanges *changes, const DiffChange *change);
/* Times first, as other units do not compare with them; the largest change first, then by name. */
int DiffChangesOrder(const void *x, const void *y);
void DiffChangesSort(DiffChanges *changes);
/* How much time a change is, in microseconds; 0: it is not a time. */
double DiffTimeOf(const DiffChange *change);
/* Two values are the same but for rounding. */
bool DiffIsNothing(double a, double b);

/* All texts that differ. False without memory. */
bool DiffTexts(const DiffData *data, DiffTextChanges *changes);
void DiffTextsFree(DiffTextChanges *changes);
/*
 * Changes of a table: of what its type calls the weight, or, without a change of it, of all its
 * numbers; times and the largest first. False without memory.
 */
bool DiffChangesOf(const DiffData *data, const DiffTable *table, DiffChanges *changes);
void DiffChangesFree(DiffChanges *changes);

#endif
