/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds what differs between two results, and what of it explains the rest. Tested by
 * tests/compare/test_diff.sh.
 */
#include "changes.h"

#include <opprof/grow.h>
#include <opprof/print.h>
#include <opprof/record.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOTHING 1e-9 /* relative; less is rounding */

bool DiffChangesAdd(DiffChanges *changes, const DiffChange *change)
{
    if (!OpprofGrow32(&changes->list, &changes->capacity, changes->count + 1,
                      sizeof *changes->list)) {
        return false;
    }
    changes->list[changes->count++] = *change;
    return true;
}

void DiffChangesFree(DiffChanges *changes)
{
    free(changes->list);
    *changes = (DiffChanges){ .count = 0 };
}

/* ---- values ---- */

static const double *values_of(const DiffData *data, const DiffTable *table, const DiffRow *row,
                               int side)
{
    return row->values + (side == 0 ? 0 : (size_t) data->sides[0].runs * table->column_count);
}

static const bool *presence_of(const DiffData *data, const DiffRow *row, int side)
{
    return row->is_in + (side == 0 ? 0 : data->sides[0].runs);
}

/* Does any run of a side have a number there? */
static bool has_number(const DiffData *data, const DiffTable *table, const DiffRow *row,
                       uint32_t column, int side)
{
    const double *values = values_of(data, table, row, side);

    for (uint32_t run = 0; run < data->sides[side].runs; run++) {
        if (!isnan(values[(size_t) run * table->column_count + column])) {
            return true;
        }
    }
    return false;
}

/*
 * Does a side have the row, but not the number that the other one has? Then nothing is known about
 * its change.
 */
static bool is_lost(const DiffData *data, const DiffTable *table, const DiffRow *row,
                    uint32_t column)
{
    const bool has[2] = { has_number(data, table, row, column, 0),
                          has_number(data, table, row, column, 1) };
    const int lacking = has[0] ? 1 : 0;

    if (has[0] == has[1]) {
        return false;
    }
    for (uint32_t run = 0; run < data->sides[lacking].runs; run++) {
        if (presence_of(data, row, lacking)[run]) {
            return true;
        }
    }
    return false;
}

/* Sums of the runs of a side. */
typedef struct RunSums {
    double sums[DIFF_RUNS_MAX];
    bool has_any[DIFF_RUNS_MAX];
    bool is_partial[DIFF_RUNS_MAX]; /* the run has a row without the number that other runs have */
} RunSums;

static void add_row(const DiffData *data, const DiffTable *table, const DiffRow *row,
                    uint32_t column, int side, RunSums *out)
{
    const double *values = values_of(data, table, row, side);
    const bool *is_in = presence_of(data, row, side);

    for (uint32_t run = 0; run < data->sides[side].runs; run++) {
        const double value = values[(size_t) run * table->column_count + column];

        out->has_any[run] = out->has_any[run] || !isnan(value);
        out->is_partial[run] = out->is_partial[run] || (isnan(value) && is_in[run]);
        out->sums[run] += isnan(value) ? 0 : value;
    }
}

/*
 * Sums of a column over all rows but those that one side lost, a run each. Returns the runs that
 * have a whole one.
 */
static uint32_t sum_rows(const DiffData *data, const DiffTable *table, uint32_t column, int side,
                         double *out)
{
    RunSums of = { .sums = { 0 } };
    uint32_t count = 0;

    if (!DiffHasTotal(&table->columns[column])) {
        return 0;
    }
    for (uint32_t r = 0; r < table->row_count; r++) {
        const DiffRow *row = &table->rows[r];

        if (has_number(data, table, row, column, side) && !is_lost(data, table, row, column)) {
            add_row(data, table, row, column, side, &of);
        }
    }
    for (uint32_t run = 0; run < data->sides[side].runs; run++) {
        if (of.has_any[run] && !of.is_partial[run]) {
            out[count++] = of.sums[run];
        }
    }
    return count;
}

uint32_t DiffLoad(const DiffData *data, const DiffTable *table, const DiffRow *row, uint32_t column,
                  int side, double *out)
{
    return row == NULL ? sum_rows(data, table, column, side, out)
                       : DiffValues(data, table, row, column, side, out);
}

bool DiffIsNothing(double a, double b)
{
    return isfinite(a) && isfinite(b) ? fabs(b - a) <= NOTHING * fmax(fabs(a), fabs(b))
                                      : !(a < b) && !(a > b);
}

DiffChange DiffCompare(const DiffData *data, const DiffTable *table, const DiffRow *row,
                       uint32_t column)
{
    double a[DIFF_RUNS_MAX];
    double b[DIFF_RUNS_MAX];
    DiffChange change = { .table = table,
                          .row = row,
                          .column = column,
                          .a_share = (double) NAN,
                          .b_share = (double) NAN,
                          .a_count = DiffLoad(data, table, row, column, 0, a),
                          .b_count = DiffLoad(data, table, row, column, 1, b) };

    change.a = DiffMedian(a, change.a_count);
    change.b = DiffMedian(b, change.b_count);
    change.a_spread = DiffSpread(a, change.a_count);
    change.b_spread = DiffSpread(b, change.b_count);
    change.verdict = change.a_count == 0 && change.b_count == 0 ? DIFF_UNSURE
                     : change.a_count == 0                      ? DIFF_MORE
                     : change.b_count == 0                      ? DIFF_LESS
                     : DiffIsNothing(change.a, change.b)
                         ? DIFF_SAME
                         : DiffJudge(a, change.a_count, b, change.b_count, DIFF_ALPHA);
    return change;
}

int DiffChangesOrder(const void *x, const void *y)
{
    const DiffChange *p = x;
    const DiffChange *q = y;
    const double left = fabs(p->b - p->a);
    const double right = fabs(q->b - q->a);
    const bool is_left_time = p->table->columns[p->column].is_time;
    const bool is_right_time = q->table->columns[q->column].is_time;
    int by_name;

    if (is_left_time != is_right_time) {
        return is_left_time ? -1 : 1;
    }
    if (left > right || left < right) {
        return left > right ? -1 : 1;
    }
    by_name = strcmp(p->table->title, q->table->title);
    if (by_name == 0 && p->row != NULL && q->row != NULL) {
        by_name = strcmp(p->row->key, q->row->key);
    }
    return by_name != 0 ? by_name : (p->column > q->column) - (p->column < q->column);
}

void DiffChangesSort(DiffChanges *changes)
{
    if (changes->count > 0) {
        qsort(changes->list, changes->count, sizeof *changes->list, DiffChangesOrder);
    }
}

/* Has one side the row, but several values for it that do not combine? Then none is known. */
static bool is_undecided(const DiffData *data, const DiffChange *change)
{
    const DiffColumn *column = &change->table->columns[change->column];

    return column->combine != OPPROF_COMBINE_MEAN && !DiffHasTotal(column) &&
           is_lost(data, change->table, change->row, change->column);
}

static bool add_row_changes(const DiffData *data, const DiffTable *table, uint32_t column,
                            const DiffChange *total, DiffChanges *changes)
{
    for (uint32_t r = 0; r < table->row_count; r++) {
        DiffChange change = DiffCompare(data, table, &table->rows[r], column);

        if ((change.a_count == 0 && change.b_count == 0) || is_undecided(data, &change)) {
            continue;
        }
        changes->unsure += change.verdict == DIFF_UNSURE;
        if (total != NULL) {
            change.a_share = total->a > 0 ? change.a / total->a : (double) NAN;
            change.b_share = total->b > 0 ? change.b / total->b : (double) NAN;
        }
        if ((change.verdict == DIFF_LESS || change.verdict == DIFF_MORE) &&
            !DiffChangesAdd(changes, &change)) {
            return false;
        }
    }
    return true;
}

/* Is there one weight? If its unit changed there are two, and neither says how rows changed. */
static bool has_weight(const DiffTable *table)
{
    uint32_t weights = 0;

    for (uint32_t c = 0; c < table->column_count; c++) {
        weights += (table->columns[c].flags & OPPROF_FIELD_WEIGHT) != 0;
    }
    return weights == 1;
}

bool DiffChangesOf(const DiffData *data, const DiffTable *table, DiffChanges *changes)
{
    bool is_good = true;

    *changes = (DiffChanges){ .count = 0 };
    if (table->weight < table->column_count) {
        /* Of rows that do not add up there are no shares. */
        const DiffChange total = DiffCompare(data, table, NULL, table->weight);

        is_good = add_row_changes(data, table, table->weight, &total, changes);
    }
    /* A declared weight is enough if it differs; otherwise all columns count. */
    const bool is_enough = has_weight(table) && changes->count > 0;

    for (uint32_t c = 0; is_good && !is_enough && c < table->column_count; c++) {
        is_good = c == table->weight || add_row_changes(data, table, c, NULL, changes);
    }
    DiffChangesSort(changes);
    return is_good;
}

double DiffTimeOf(const DiffChange *change)
{
    const double us = OpprofUnitTime(change->table->columns[change->column].unit);

    return us > 0 ? fabs(change->b - change->a) * us : 0;
}

/* ---- texts ---- */

static int compare_texts(const void *x, const void *y)
{
    const DiffTextChange *p = x;
    const DiffTextChange *q = y;
    int order = strcmp(p->table->name, q->table->name);

    order = order != 0 ? order : (p->text > q->text) - (p->text < q->text);
    order = order != 0 ? order : strcmp(p->a, q->a);
    order = order != 0 ? order : strcmp(p->b, q->b);
    return order != 0 ? order : (p->row > q->row) - (p->row < q->row);
}

static bool add_texts_of(const DiffData *data, const DiffTable *table, DiffTextChanges *changes)
{
    const uint32_t count = DiffTextsOf(table);

    for (uint32_t r = 0; r < table->row_count; r++) {
        for (uint32_t text = 0; text < count; text++) {
            const DiffTextChange change = {
                .table = table,
                .row = &table->rows[r],
                .text = text,
                .a = DiffTextOf(data, table, &table->rows[r], text, 0),
                .b = DiffTextOf(data, table, &table->rows[r], text, 1),
            };

            if (change.a == NULL || change.b == NULL || change.a == change.b) {
                continue;
            }
            if (!OpprofGrow32(&changes->list, &changes->capacity, changes->count + 1,
                              sizeof *changes->list)) {
                return false;
            }
            changes->list[changes->count++] = change;
        }
    }
    return true;
}

bool DiffTexts(const DiffData *data, DiffTextChanges *changes)
{
    bool is_good = true;

    *changes = (DiffTextChanges){ .count = 0 };
    for (uint32_t i = 0; is_good && i < data->table_count; i++) {
        is_good = add_texts_of(data, &data->tables[i], changes);
    }
    if (changes->count > 0) {
        qsort(changes->list, changes->count, sizeof *changes->list, compare_texts);
    }
    return is_good;
}

void DiffTextsFree(DiffTextChanges *changes)
{
    free(changes->list);
    *changes = (DiffTextChanges){ .count = 0 };
}
