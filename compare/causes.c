/* SPDX-License-Identifier: Apache-2.0 */
/* The change of the whole, and what explains it. Tested by tests/compare/test_diff.sh. */
#include "causes.h"

#include <opprof/record.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool has_run_time(const DiffTable *table, uint32_t *ret_column)
{
    for (uint32_t c = 0; table->by == NULL && c < table->column_count; c++) {
        if ((table->columns[c].flags & OPPROF_FIELD_RUN_TIME) != 0) {
            *ret_column = c;
            return DiffHasTotal(&table->columns[c]);
        }
    }
    return false;
}

bool DiffRunTime(const DiffData *data, DiffChange *ret_change)
{
    for (uint32_t i = 0; i < data->table_count; i++) {
        uint32_t column;

        if (has_run_time(&data->tables[i], &column)) {
            *ret_change = DiffCompare(data, &data->tables[i], NULL, column);
            return true;
        }
    }
    return false;
}

/* Is there a sum over all of its rows? */
static bool has_whole(const DiffTable *table)
{
    return table->by == NULL && table->weight < table->column_count && table->row_count > 0 &&
           DiffHasTotal(&table->columns[table->weight]);
}

static bool has_summary(const DiffData *data)
{
    for (uint32_t i = 0; i < data->table_count; i++) {
        const DiffTable *table = &data->tables[i];

        if (table->is_summary && has_whole(table)) {
            return true;
        }
    }
    return false;
}

bool DiffWhole(const DiffData *data, DiffChanges *changes)
{
    const bool summaries = has_summary(data);

    *changes = (DiffChanges){ .count = 0 };
    for (uint32_t i = 0; i < data->table_count; i++) {
        const DiffTable *table = &data->tables[i];

        if (has_whole(table) && table->is_summary == summaries) {
            const DiffChange change = DiffCompare(data, table, NULL, table->weight);

            if (!DiffChangesAdd(changes, &change)) {
                return false;
            }
        }
    }
    DiffChangesSort(changes);
    return true;
}

static int compare_causes(const void *x, const void *y)
{
    const double left = DiffTimeOf(x);
    const double right = DiffTimeOf(y);

    return left > right ? -1 : left < right ? 1 : DiffChangesOrder(x, y);
}

/* Does it change in a direction? Any one counts if none is given. */
static bool goes(const DiffChange *change, DiffVerdict way)
{
    if (change->verdict != DIFF_LESS && change->verdict != DIFF_MORE) {
        return false;
    }
    return (way != DIFF_LESS && way != DIFF_MORE) || change->verdict == way;
}

/*
 * Do the rows of both sides mostly have the same names? If the code moved, what is new and gone
 * explains nothing.
 */
static bool are_names_alike(const DiffData *data, const DiffTable *table)
{
    double matched = 0;
    double all = 0;

    for (uint32_t r = 0; r < table->row_count; r++) {
        const DiffChange change = DiffCompare(data, table, &table->rows[r], 0);

        all += fabs(change.a) + fabs(change.b);
        matched += change.a_count > 0 && change.b_count > 0 ? fabs(change.a) + fabs(change.b) : 0;
    }
    return matched >= all / 2;
}

static bool is_same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* Do two causes say the same? Several tables may have a column, such as the time of a core. */
static bool is_same_cause(const DiffChange *one, const DiffChange *other)
{
    return DiffIsNothing(one->a, other->a) && DiffIsNothing(one->b, other->b) &&
           is_same_text(one->table->by, other->table->by) &&
           is_same_text(one->row == NULL ? NULL : one->row->key,
                        other->row == NULL ? NULL : other->row->key) &&
           strcmp(one->table->columns[one->column].name,
                  other->table->columns[other->column].name) == 0;
}

/* Keeps one of the sorted causes that say the same. */
static void drop_repeated(DiffChanges *causes)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < causes->count; i++) {
        const DiffChange *cause = &causes->list[i];
        uint32_t at = kept;

        while (at > 0 && DiffIsNothing(DiffTimeOf(&causes->list[at - 1]), DiffTimeOf(cause)) &&
               !is_same_cause(&causes->list[at - 1], cause)) {
            at--;
        }
        if (at == 0 || !is_same_cause(&causes->list[at - 1], cause)) {
            causes->list[kept++] = *cause;
        }
    }
    causes->count = kept;
}

/* Do the sums of all runs lack as many values? Else they are not sums of the same. */
static bool is_known_alike(const DiffData *data, const DiffRow *row)
{
    const uint32_t runs = data->sides[0].runs + data->sides[1].runs;
    uint32_t least = UINT32_MAX;
    uint32_t most = 0;

    for (uint32_t run = 0; run < runs; run++) {
        if (row->is_in[run]) {
            least = row->unknown[run] < least ? row->unknown[run] : least;
            most = row->unknown[run] > most ? row->unknown[run] : most;
        }
    }
    return least >= most;
}

/* ---- waiting that moved ---- */

/* The column of a table of sums that has their time of waiting; column_count: no column does. */
static uint32_t stall_of(const DiffTable *table)
{
    uint32_t c = 0;

    while (c < table->column_count && (table->columns[c].flags & OPPROF_FIELD_STALL) == 0) {
        c++;
    }
    return c;
}

/* How much more a side has than the other; what only one side has is all of it. */
static double growth(const DiffChange *change)
{
    return (change->b_count > 0 ? change->b : 0) - (change->a_count > 0 ? change->a : 0);
}

/* Of the waiting that some rows gained, and others lost, the part that is a gain of all. */
static double kept_part(const DiffData *data, const DiffTable *table, uint32_t stall, double sign)
{
    double along = 0;
    double against = 0;

    for (uint32_t r = 0; r < table->row_count; r++) {
        const DiffChange change = DiffCompare(data, table, &table->rows[r], stall);
        const double grown = sign * growth(&change);

        along += grown > 0 ? grown : 0;
        against += grown < 0 ? -grown : 0;
    }
    return along > against ? (along - against) / along : 0;
}

/* Is most of a change waiting that only moved from another row? */
static bool is_moved(const DiffData *data, const DiffTable *table, const DiffChange *change)
{
    const uint32_t stall = stall_of(table);
    const double grown = growth(change);
    const double sign = grown < 0 ? -1 : 1;
    double waited, moved;

    if (stall == table->column_count) {
        return false;
    }
    const DiffChange waiting = DiffCompare(data, table, change->row, stall);

    waited = sign * growth(&waiting);
    moved = waited > 0 ? waited * (1 - kept_part(data, table, stall, sign)) : 0;
    return 2 * moved > sign * grown;
}

/* ---- collecting ---- */

static bool add_cause(const DiffData *data, const DiffTable *table, const DiffRow *row,
                      uint32_t column, DiffVerdict way, DiffChanges *causes)
{
    const DiffChange change = DiffCompare(data, table, row, column);

    if (!goes(&change, way) || DiffTimeOf(&change) <= 0 ||
        (row != NULL && is_moved(data, table, &change))) {
        return true;
    }
    return DiffChangesAdd(causes, &change);
}

/* Sums by a text. */
static bool add_sums(const DiffData *data, const DiffTable *table, DiffVerdict way,
                     DiffChanges *causes)
{
    bool is_good = true;

    if (!are_names_alike(data, table)) {
        return true;
    }
    for (uint32_t r = 0; is_good && r < table->row_count; r++) {
        /* Rows without the text that others are added up by have nothing in common. */
        is_good = table->rows[r].key[0] == '\0' || !is_known_alike(data, &table->rows[r]) ||
                  add_cause(data, table, &table->rows[r], 0, way, causes);
    }
    return is_good;
}

static bool has_sums(const DiffData *data, uint32_t table)
{
    for (uint32_t i = 0; i < data->table_count; i++) {
        if (data->tables[i].by != NULL && data->tables[i].base == table) {
            return true;
        }
    }
    return false;
}

/* Times of a whole table, but for the weight that sums by a text or the summary have. */
static bool add_times(const DiffData *data, uint32_t number, DiffVerdict way, DiffChanges *causes)
{
    const DiffTable *table = &data->tables[number];
    const bool has_weight = table->is_summary || has_sums(data, number);
    bool is_good = true;

    for (uint32_t c = 0; is_good && table->row_count > 0 && c < table->column_count; c++) {
        const DiffColumn *column = &table->columns[c];

        if (DiffIsAmount(column) && (c != table->weight || !has_weight) &&
            (column->flags & OPPROF_FIELD_RUN_TIME) == 0) {
            is_good = add_cause(data, table, NULL, c, way, causes);
        }
    }
    return is_good;
}

bool DiffCauses(const DiffData *data, DiffVerdict way, DiffChanges *causes)
{
    bool is_good = true;

    *causes = (DiffChanges){ .count = 0 };
    for (uint32_t i = 0; is_good && i < data->table_count; i++) {
        is_good = data->tables[i].by != NULL ? add_sums(data, &data->tables[i], way, causes)
                                             : add_times(data, i, way, causes);
    }
    if (causes->count > 0) {
        qsort(causes->list, causes->count, sizeof *causes->list, compare_causes);
        drop_repeated(causes);
    }
    return is_good;
}
