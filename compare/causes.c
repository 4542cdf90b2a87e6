/* SPDX-License-Identifier: Apache-2.0 */
/* The change of the whole, and what explains it. Tested by tests/compare/test_diff.sh. */
#include "causes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool has_summary(const DiffData *data)
{
    for (uint32_t i = 0; i < data->table_count; i++) {
        const DiffTable *table = &data->tables[i];

        if (table->is_summary && table->weight < table->column_count && table->row_count > 0) {
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

        if (table->by == NULL && table->weight < table->column_count && table->row_count > 0 &&
            table->is_summary == summaries) {
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

/* Does it change in the direction of the whole? Either one counts if the whole did not change. */
static bool goes_along(const DiffChange *change, const DiffChanges *whole)
{
    const DiffVerdict way = whole->count == 0 ? DIFF_SAME : whole->list[0].verdict;

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

static bool add_cause(const DiffData *data, const DiffTable *table, const DiffRow *row,
                      uint32_t column, const DiffChanges *whole, DiffChanges *causes)
{
    const DiffChange change = DiffCompare(data, table, row, column);

    return !goes_along(&change, whole) || DiffTimeOf(&change) <= 0 ||
           DiffChangesAdd(causes, &change);
}

bool DiffCauses(const DiffData *data, const DiffChanges *whole, DiffChanges *causes)
{
    bool is_good = true;

    *causes = (DiffChanges){ .count = 0 };
    for (uint32_t i = 0; i < data->table_count; i++) {
        const DiffTable *table = &data->tables[i];

        if (table->by != NULL && are_names_alike(data, table)) {
            for (uint32_t r = 0; is_good && r < table->row_count; r++) {
                /* Rows without the text that others are added up by have nothing in common. */
                is_good = table->rows[r].key[0] == '\0' || !is_known_alike(data, &table->rows[r]) ||
                          add_cause(data, table, &table->rows[r], 0, whole, causes);
            }
        }
        for (uint32_t c = 0; is_good && table->by == NULL && c < table->column_count; c++) {
            if (DiffIsAmount(&table->columns[c]) && c != table->weight && table->row_count > 0) {
                is_good = add_cause(data, table, NULL, c, whole, causes);
            }
        }
    }
    if (causes->count > 0) {
        qsort(causes->list, causes->count, sizeof *causes->list, compare_causes);
        drop_repeated(causes);
    }
    return is_good;
}
