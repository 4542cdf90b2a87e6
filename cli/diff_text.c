/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a comparison for a terminal. Tested by tests/plugins/export/test_diff.sh. */
#include "diff_print.h"

#include "diff_words.h"
#include "plain_output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_SHOWN 5u
#define CAUSES_SHOWN 5u
#define TABLES_SHOWN 6u /* with several rows */
#define NAME_COLUMNS 44

static void put_sides(const DiffFound *found, FILE *out)
{
    static const char *const names[] = { "before", "after " };

    for (int side = 0; side < 2; side++) {
        const DiffSide *one = &found->data->sides[side];

        fprintf(out, "%s  ", names[side]);
        PlainPut(out, one->path);
        fprintf(out, " (%u %s)%s", one->runs, one->runs == 1 ? "run" : "runs",
                one->is_complete ? "\n" : ", incomplete\n");
        if (one->missing != NULL) {
            fprintf(out, "        %s%s\n", one->missing, one->has_more_missing ? " …" : "");
        }
    }
}

/* The bytes of a text before a place, without part of a character. */
static int cut_at(const char *text, int length)
{
    while (length > 0 && ((unsigned char) text[length] & 0xc0) == 0x80) {
        length--;
    }
    return length;
}

/* Where the column begins in the name of a change. */
static const char *last_comma(const char *name)
{
    const char *last = NULL;

    for (const char *at = strstr(name, ", "); at != NULL; at = strstr(at + 1, ", ")) {
        last = at;
    }
    return last;
}

/* A path is recognised by its end, other names by their beginning and their column. */
static void put_name(FILE *out, const char *name)
{
    const int length = (int) strlen(name);
    const char *comma = last_comma(name);
    const int end = comma == NULL ? 0 : (int) strlen(comma);

    if (length <= NAME_COLUMNS) {
        fprintf(out, "%-*s", NAME_COLUMNS, name);
    } else if (end > 0 && end < NAME_COLUMNS * 2 / 3) {
        fprintf(out, "%.*s~%s", cut_at(name, NAME_COLUMNS - 1 - end), name, comma);
    } else if (strchr(name, '/') != NULL) {
        fprintf(out, "~%s", name + length - NAME_COLUMNS + 1);
    } else {
        fprintf(out, "%.*s~", cut_at(name, NAME_COLUMNS - 1), name);
    }
}

/* False without memory. */
static bool put_change(FILE *out, const DiffChange *change, uint32_t alike)
{
    char a[48], b[48], percent[32];
    char *name = DiffNameOf(change);

    if (name == NULL) {
        return false;
    }
    fprintf(out, "  %-7s ", DiffKindOf(change));
    put_name(out, name);
    fprintf(out, " %11s -> %-11s %s",
            DiffNumberText(a, change->a, change->a_count, change->a_spread),
            DiffNumberText(b, change->b, change->b_count, change->b_spread),
            DiffPercentText(percent, change));
    fprintf(out, alike > 0 ? "  (%u more alike)\n" : "\n", alike);
    free(name);
    return true;
}

/* Only a share that changed says anything. */
static void put_share(FILE *out, const DiffChange *change)
{
    if (fabs(change->b_share - change->a_share) >= 0.0005) {
        fprintf(out, "          share of all: %.1f %% -> %.1f %%\n", 100 * change->a_share,
                100 * change->b_share);
    }
}

/* "100", or "-" if no run has it. */
static const char *whole_text(char *out, double value, uint32_t count)
{
    snprintf(out, 32, count == 0 ? "-" : "%.6g", value);
    return out;
}

static void put_whole(const DiffFound *found, FILE *out)
{
    for (uint32_t i = 0; i < found->whole.count; i++) {
        const DiffChange *change = &found->whole.list[i];
        char a[32], b[32], percent[32];

        fprintf(out, "%s: %s, %s %s -> %s %s  %s\n", change->table->title, DiffKindOf(change),
                DiffColumnOf(change)->heading, whole_text(a, change->a, change->a_count),
                whole_text(b, change->b, change->b_count), DiffColumnOf(change)->unit,
                DiffPercentText(percent, change));
    }
}

static bool put_rules(const DiffFound *found, FILE *out)
{
    bool is_good = true;

    for (size_t i = 0; i < found->rule_count; i++) {
        const DiffRule *rule = &found->rules[i];

        fprintf(out, "%s  %s (%u of %u rows)\n",
                rule->broken.count > 0  ? "REGRESSION"
                : DiffIsUndecided(rule) ? "NO VERDICT"
                                        : "holds     ",
                rule->text, rule->broken.count, rule->tested);
        if (rule->is_unsure) {
            fprintf(out, "          too few repetitions for a verdict at an error rate of %g %%\n",
                    100 * DIFF_ALPHA);
        }
        for (uint32_t r = 0; r < rule->broken.count && r < ROWS_SHOWN; r++) {
            is_good = put_change(out, &rule->broken.list[r], 0) && is_good;
        }
    }
    return is_good;
}

/* Do two changes of a table say the same: one column in several rows, or several columns of one row? */
static bool are_alike(const DiffChange *one, const DiffChange *other)
{
    char a[DIFF_PERCENT_ROOM], b[DIFF_PERCENT_ROOM];

    return (one->column == other->column || one->row == other->row) &&
           strcmp(DiffPercentText(a, one), DiffPercentText(b, other)) == 0 && a[0] != '\0';
}

/* The largest changes, each with the number of those that say the same. */
static bool put_largest(const DiffChanges *changes, uint32_t rows, FILE *out)
{
    uint32_t shown[ROWS_SHOWN];
    uint32_t alike[ROWS_SHOWN] = { 0 };
    uint32_t count = 0;
    bool is_good = true;

    for (uint32_t c = 0; c < changes->count; c++) {
        uint32_t i = 0;

        while (i < count && !are_alike(&changes->list[shown[i]], &changes->list[c])) {
            i++;
        }
        if (i < count) {
            alike[i]++;
        } else if (count < rows) {
            shown[count++] = c;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        is_good = put_change(out, &changes->list[shown[i]], alike[i]) && is_good;
        if (rows > 1) {
            put_share(out, &changes->list[shown[i]]);
        }
    }
    return is_good;
}

/* How many values of a table differ, and the largest changes. */
static bool put_table(const DiffTable *table, const DiffChanges *changes, uint32_t rows, FILE *out)
{
    uint32_t fresh = 0;
    uint32_t gone = 0;

    for (uint32_t c = 0; c < changes->count; c++) {
        fresh += changes->list[c].a_count == 0;
        gone += changes->list[c].b_count == 0;
    }
    fprintf(out, "%s: %u %s", table->title, changes->count,
            changes->count == 1 ? "differs" : "differ");
    fprintf(out, fresh > 0 ? ", %u of them new" : "", fresh);
    fprintf(out, gone > 0 ? ", %u gone\n" : "\n", gone);
    return put_largest(changes, rows, out);
}

static const DiffChange *largest_of(const DiffFound *found, uint32_t table)
{
    return &found->tables[table].list[0];
}

/* Tables with the largest change first: times before all else, which compares by its percentage. */
static int compare_tables(const void *x, const void *y, void *context)
{
    const DiffFound *const *found = context;
    const DiffChange *p = largest_of(*found, *(const uint32_t *) x);
    const DiffChange *q = largest_of(*found, *(const uint32_t *) y);
    const double left = DiffTimeOf(p);
    const double right = DiffTimeOf(q);
    const double left_percent = fabs(DiffPercentOf(p));
    const double right_percent = fabs(DiffPercentOf(q));

    if (left > right || left < right) {
        return left > right ? -1 : 1;
    }
    if (left_percent > right_percent || left_percent < right_percent) {
        return left_percent > right_percent ? -1 : 1;
    }
    return strcmp(p->table->title, q->table->title);
}

/* Numbers of the tables that differ, in the order in which they are shown. NULL without memory. */
static uint32_t *tables_that_differ(const DiffFound *found, uint32_t *ret_count)
{
    uint32_t *list = calloc((size_t) found->data->table_count + 1, sizeof *list);

    *ret_count = 0;
    for (uint32_t i = 0; list != NULL && i < found->data->table_count; i++) {
        if (found->tables[i].count > 0) {
            list[(*ret_count)++] = i;
        }
    }
    if (*ret_count > 1) {
        qsort_r(list, *ret_count, sizeof *list, compare_tables, &found);
    }
    return list;
}

/* All tables that differ: some rows of the first ones, the largest change of each of the others. */
static bool put_tables(const DiffFound *found, FILE *out)
{
    uint32_t count;
    uint32_t *list = tables_that_differ(found, &count);
    bool is_good = list != NULL;

    for (uint32_t i = 0; i < count; i++) {
        is_good = put_table(&found->data->tables[list[i]], &found->tables[list[i]],
                            i < TABLES_SHOWN ? ROWS_SHOWN : 1, out) &&
                  is_good;
    }
    free(list);
    return is_good;
}

/* Tables that were compared and do not differ. */
static void put_alike(const DiffFound *found, FILE *out)
{
    const char *before = "No difference in ";

    for (uint32_t i = 0; i < found->data->table_count; i++) {
        if (DiffTableIsAlike(found, i)) {
            fprintf(out, "%s%s", before, found->data->tables[i].title);
            before = ", ";
        }
    }
    fputs(*before == ',' ? "\n" : "", out);
    if (DiffUnsure(found) > 0) {
        fprintf(out, "No verdict on %u %s: there are too few repetitions\n", DiffUnsure(found),
                DiffUnsure(found) == 1 ? "value" : "values");
    }
    fputs("All rows: --format json, or --format html >diff.html for a page\n", out);
}

bool DiffPrintText(const DiffFound *found, FILE *out)
{
    bool is_good = true;

    if (found->causes.count > 0) {
        fputs("Causes\n", out);
        for (uint32_t i = 0; i < found->causes.count && i < CAUSES_SHOWN; i++) {
            is_good = put_change(out, &found->causes.list[i], 0) && is_good;
        }
    }
    put_sides(found, out);
    put_whole(found, out);
    if (DiffIsAlike(found) && DiffUnsure(found) > 0) {
        fputs("No certain differences: there are too few repetitions for a verdict.\n", out);
    } else if (DiffIsAlike(found)) {
        fputs("No differences.\n", out);
    } else {
        is_good = put_tables(found, out) && is_good;
        put_alike(found, out);
    }
    return put_rules(found, out) && is_good;
}
