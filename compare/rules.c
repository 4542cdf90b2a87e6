/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Thresholds on what may change, and the rows that are beyond them. Tested by
 * tests/compare/test_diff.sh.
 */
#include "rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static OpprofStatus refuse(const char *text, OpprofError **error)
{
    OpprofErrorSet(error, OPPROF_E_ARGUMENT, "'%s' is not a threshold", text);
    OpprofErrorHint(error,
                    "Write COLUMN > VALUE or COLUMN < VALUE, such as 'Task Duration(us) > +5%%': "
                    "with a sign the change against the first result, else the second's value");
    return OPPROF_E_ARGUMENT;
}

OpprofStatus DiffRuleParse(DiffRule *rule, const char *text, OpprofError **error)
{
    const size_t length = strlen(text);
    size_t at = length;
    const char *value;
    char *rest;

    *rule = (DiffRule){ .text = text };
    while (at > 0 && text[at - 1] != '<' && text[at - 1] != '>') {
        at--;
    }
    if (at < 2) {
        return refuse(text, error);
    }
    rule->is_below = text[at - 1] == '<';
    value = text + at + strspn(text + at, " \t");
    rule->is_difference = *value == '+' || *value == '-';
    rule->value = strtod(value, &rest);
    if (rest == value || !isfinite(rule->value)) {
        return refuse(text, error);
    }
    rest += strspn(rest, " \t");
    rule->is_relative = *rest == '%';
    rest += rule->is_relative ? 1 : 0;
    if (rest[strspn(rest, " \t")] != '\0' || (rule->is_relative && !rule->is_difference)) {
        return refuse(text, error);
    }
    for (at--; at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t'); at--) {
    }
    rule->column = strndup(text, at);
    return rule->column == NULL ? OpprofErrorNoMemory(error, "read a threshold")
           : at == 0            ? refuse(text, error)
                                : OPPROF_OK;
}

/* "Task Duration(us)", "OpBasicInfo.Task Duration(us)". */
static bool is_named(const DiffRule *rule, const DiffTable *table, const DiffColumn *column)
{
    const size_t length = strlen(table->name);
    const char *name = rule->column;

    if (strncmp(name, table->name, length) == 0 && name[length] == '.') {
        name += length + 1;
    }
    return strcmp(name, column->name) == 0 || strcmp(name, column->heading) == 0;
}

/* The most, or the least, that a value of the first side may become. */
static double limit_of(const DiffRule *rule, double value)
{
    return rule->is_relative     ? value + fabs(value) * rule->value / 100
           : rule->is_difference ? value + rule->value
                                 : rule->value;
}

static bool is_beyond(DiffRule *rule, const DiffData *data, const DiffChange *change, double alpha)
{
    double a[DIFF_RUNS_MAX];
    double b[DIFF_RUNS_MAX];
    const uint32_t a_count = DiffLoad(data, change->table, change->row, change->column, 0, a);
    const uint32_t b_count = DiffLoad(data, change->table, change->row, change->column, 1, b);
    const double limit = limit_of(rule, change->a);
    const bool medians = rule->is_below ? change->b < limit : change->b > limit;

    if (!medians || !rule->is_difference || (a_count == 1 && b_count == 1)) {
        return medians;
    }
    for (uint32_t i = 0; i < a_count; i++) {
        a[i] = limit_of(rule, a[i]);
    }
    if (DiffJudge(a, a_count, b, b_count, 2 * alpha) == DIFF_UNSURE) {
        rule->is_unsure = true;
    }
    return (rule->is_below ? DiffProbability(b, b_count, a, a_count)
                           : DiffProbability(a, a_count, b, b_count)) <= alpha;
}

/* Rows that both sides have. */
static uint32_t count_rows(const DiffRule *rule, const DiffData *data, DiffChanges *rows)
{
    for (uint32_t i = 0; i < data->table_count; i++) {
        const DiffTable *table = &data->tables[i];

        for (uint32_t c = 0; table->by == NULL && c < table->column_count; c++) {
            for (uint32_t r = 0; is_named(rule, table, &table->columns[c]) && r < table->row_count;
                 r++) {
                const DiffChange change = DiffCompare(data, table, &table->rows[r], c);

                if (change.a_count > 0 && change.b_count > 0 && !DiffChangesAdd(rows, &change)) {
                    return UINT32_MAX;
                }
            }
        }
    }
    return rows->count;
}

/* The only row of a side with a number in the column; NULL: none, or several. */
static const DiffRow *only_row(const DiffData *data, const DiffTable *table, uint32_t column,
                               int side)
{
    double values[DIFF_RUNS_MAX];
    const DiffRow *only = NULL;
    uint32_t count = 0;

    for (uint32_t r = 0; r < table->row_count; r++) {
        if (DiffLoad(data, table, &table->rows[r], column, side, values) > 0) {
            only = &table->rows[r];
            count++;
        }
    }
    return count == 1 ? only : NULL;
}

/*
 * Without a row of both sides: the two rows of the one column that has a single one on each side,
 * as a launch has whose kernel was renamed. Then the sum over the rows is that of the two.
 */
static uint32_t find_pair(DiffRule *rule, const DiffData *data, DiffChange *ret_change)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < data->table_count; i++) {
        const DiffTable *table = &data->tables[i];

        for (uint32_t c = 0; table->by == NULL && c < table->column_count; c++) {
            const bool is_it = is_named(rule, table, &table->columns[c]);
            const DiffRow *before = is_it ? only_row(data, table, c, 0) : NULL;
            const DiffRow *after = before == NULL ? NULL : only_row(data, table, c, 1);
            const DiffChange change =
                after == NULL ? (DiffChange){ .a_count = 0 } : DiffCompare(data, table, NULL, c);

            if (change.a_count > 0 && change.b_count > 0) {
                *ret_change = change;
                rule->pair[0] = before->key;
                rule->pair[1] = after->key;
                found++;
            }
        }
    }
    if (found != 1) {
        rule->pair[0] = rule->pair[1] = NULL;
    }
    return found;
}

OpprofStatus DiffRuleApply(DiffRule *rule, const DiffData *data, OpprofError **error)
{
    DiffChanges rows = { .count = 0 };
    uint32_t count = count_rows(rule, data, &rows);
    bool is_good = count != UINT32_MAX;
    uint32_t candidates = 0;
    DiffChange pair;

    if (count == 0) {
        candidates = find_pair(rule, data, &pair);
        is_good = candidates != 1 || DiffChangesAdd(&rows, &pair);
        count = rows.count;
    }

    rule->tested = is_good ? count : 0;
    for (uint32_t i = 0; is_good && i < count; i++) {
        /*
         * The more rows are compared, the more likely noise moves one of them: all share the error
         * rate.
         */
        if (is_beyond(rule, data, &rows.list[i], DIFF_ALPHA / count)) {
            is_good = DiffChangesAdd(&rule->broken, &rows.list[i]);
        }
    }
    DiffChangesSort(&rule->broken);
    DiffChangesFree(&rows);
    if (!is_good) {
        return OpprofErrorNoMemory(error, "apply a threshold");
    }
    if (count == 0) {
        OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                       "No row of both results has a number in column '%s'", rule->column);
        OpprofErrorHint(error, "%s",
                        candidates > 1
                            ? "Several tables have a row that could be meant: put the table's name "
                              "and a dot before the column"
                            : "Columns are named as in CSV files or in the table opprof_columns of "
                              "results.sqlite");
        return OPPROF_E_ARGUMENT;
    }
    return OPPROF_OK;
}

void DiffRuleFree(DiffRule *rule)
{
    free(rule->column);
    DiffChangesFree(&rule->broken);
}
