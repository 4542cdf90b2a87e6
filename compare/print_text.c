/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a comparison for a terminal. Tested by tests/compare/test_diff.sh. */
#include "print_text.h"

#include "print_lines.h"
#include "texts.h"

#include "print/columns.h"
#include "print/plain_output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_SHOWN 5u
#define CAUSES_SHOWN 5u
#define WHOLE_SHOWN 10u
#define TABLES_SHOWN 6u /* with several rows */
#define TEXTS_SHOWN 2u  /* of a column */
#define ADVICE_SHOWN 3u /* new, and as many gone */
#define SUBJECT_TABLE "run_subject"

static void put_sides(const DiffFound *found, FILE *out)
{
    static const char *const names[] = { "before", "after " };

    for (int side = 0; side < 2; side++) {
        const DiffSide *one = &found->data.sides[side];

        fprintf(out, "%s  ", names[side]);
        PlainPut(out, one->path);
        fprintf(out, " (%u %s)%s", one->runs, one->runs == 1 ? "run" : "runs",
                one->is_complete ? "\n" : ", incomplete\n");
        if (one->missing != NULL) {
            fprintf(out, "        %s%s\n", one->missing, one->has_more_missing ? " …" : "");
        }
        if (one->is_silent) {
            fputs("        " DIFF_SILENT "\n", out);
        }
    }
}

/* "100", or "-" if no run has it. */
static const char *whole_text(char *out, double value, uint32_t count)
{
    snprintf(out, 32, count == 0 ? "-" : "%.6g", value);
    return out;
}

/* False without memory. */
static bool put_run_time(const DiffFound *found, const DiffSheet *sheet)
{
    static const char begin[] = "The run: ";
    char *text = DiffRunTimeText(found);

    fputs(begin, sheet->out);
    if (text != NULL) {
        ColumnsTextWithin(text, sizeof begin - 1, sheet->width, sheet->out);
    }
    free(text);
    return text != NULL;
}

/* Where runs of one launch differ in what ran: "What ran: chip A -> B, cores 1 -> 8". */
static void put_subject(const DiffFound *found, FILE *out)
{
    const char *before = "What ran: ";

    for (uint32_t i = 0; i < found->texts.count; i++) {
        const DiffTextChange *change = &found->texts.list[i];

        if (strcmp(change->table->name, SUBJECT_TABLE) == 0 && change->table->row_count == 1) {
            fprintf(out, "%s%s %s -> %s", before, change->table->texts[change->text].heading,
                    change->a, change->b);
            before = ", ";
        }
    }
    for (uint32_t t = 0; t < found->data.table_count; t++) {
        const DiffTable *table = &found->data.tables[t];
        const bool is_subject =
            strcmp(table->name, SUBJECT_TABLE) == 0 && table->by == NULL && table->row_count == 1;

        for (uint32_t c = 0; is_subject && c < table->column_count; c++) {
            const DiffChange change = DiffCompare(&found->data, table, &table->rows[0], c);

            if (change.a_count > 0 && change.b_count > 0 && !DiffIsNothing(change.a, change.b)) {
                fprintf(out, "%s%s %g -> %g", before, table->columns[c].heading, change.a,
                        change.b);
                before = ", ";
            }
        }
    }
    fputs(*before == ',' ? "\n" : "", out);
}

static void put_whole(const DiffFound *found, FILE *out)
{
    for (uint32_t i = 0; i < found->whole.count && i < WHOLE_SHOWN; i++) {
        const DiffChange *change = &found->whole.list[i];
        char a[32], b[32], percent[32];

        fprintf(out, "%s: %s, %s %s -> %s %s  %s\n", change->table->title, DiffKindOf(change),
                DiffColumnOf(change)->heading, whole_text(a, change->a, change->a_count),
                whole_text(b, change->b, change->b_count), DiffColumnOf(change)->unit,
                DiffPercentText(percent, change));
    }
    if (found->whole.count > WHOLE_SHOWN) {
        fprintf(out, "The sums of %u more tables changed less\n", found->whole.count - WHOLE_SHOWN);
    }
}

static bool put_rules(const DiffFound *found, const DiffSheet *sheet)
{
    FILE *out = sheet->out;
    bool is_good = true;

    for (size_t i = 0; i < found->rule_count; i++) {
        const DiffRule *rule = &found->rules[i];

        fprintf(out, "%s  %s (%u of %u rows)\n",
                rule->broken.count > 0  ? "REGRESSION"
                : DiffIsUndecided(rule) ? "NO VERDICT"
                                        : "holds     ",
                rule->text, rule->broken.count, rule->tested);
        if (rule->pair[0] != NULL) {
            fprintf(out, "          '%s' is compared with '%s': no other row has the column\n",
                    rule->pair[0], rule->pair[1]);
        }
        if (rule->is_unsure) {
            fprintf(out, "          too few repetitions for a verdict at an error rate of %g %%\n",
                    100 * DIFF_ALPHA);
        }
        for (uint32_t r = 0; r < rule->broken.count && r < ROWS_SHOWN; r++) {
            is_good = DiffLinePut(sheet, &rule->broken.list[r], 0, false) && is_good;
        }
    }
    return is_good;
}

/*
 * Do two changes of a table say the same: one column in several rows, or several columns of one
 * row?
 */
static bool are_alike(const DiffChange *one, const DiffChange *other)
{
    char a[DIFF_PERCENT_ROOM], b[DIFF_PERCENT_ROOM];

    return (one->column == other->column || one->row == other->row) &&
           strcmp(DiffPercentText(a, one), DiffPercentText(b, other)) == 0 && a[0] != '\0';
}

/* The largest changes, each with the number of those that say the same. */
static bool put_largest(const DiffChanges *changes, uint32_t rows, const DiffSheet *sheet)
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
        is_good = DiffLinePut(sheet, &changes->list[shown[i]], alike[i], rows > 1) && is_good;
    }
    return is_good;
}

/* How many values of a table differ, and the largest changes. */
static bool put_table(const DiffTable *table, const DiffChanges *changes, uint32_t rows,
                      const DiffSheet *sheet)
{
    FILE *out = sheet->out;
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
    return put_largest(changes, rows, sheet);
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
    uint32_t *list = calloc((size_t) found->data.table_count + 1, sizeof *list);

    *ret_count = 0;
    for (uint32_t i = 0; list != NULL && i < found->data.table_count; i++) {
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
static bool put_tables(const DiffFound *found, const DiffSheet *sheet)
{
    uint32_t count;
    uint32_t *list = tables_that_differ(found, &count);
    bool is_good = list != NULL;

    for (uint32_t i = 0; i < count; i++) {
        is_good = put_table(&found->data.tables[list[i]], &found->tables[list[i]],
                            i < TABLES_SHOWN ? ROWS_SHOWN : 1, sheet) &&
                  is_good;
    }
    free(list);
    return is_good;
}

static bool is_same_change(const DiffTextChange *one, const DiffTextChange *other)
{
    return one->table == other->table && one->text == other->text && one->a == other->a &&
           one->b == other->b;
}

/*
 * Texts that differ, by table, of the first tables: a few of each column, each with the number of
 * rows that say the same.
 */
static bool put_texts(const DiffFound *found, const DiffSheet *sheet)
{
    const DiffTextChange *list = found->texts.list;
    const uint32_t count = found->texts.count;
    const DiffTextChange *before = NULL;
    uint32_t shown = 0;
    uint32_t tables = 0;
    bool is_good = true;

    for (uint32_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && is_same_change(&list[i], &list[next]); next++) {
        }
        tables += before == NULL || before->table != list[i].table;
        if (tables <= TABLES_SHOWN && (before == NULL || before->table != list[i].table)) {
            const uint32_t all = DiffTextsThatDiffer(found, list[i].table);

            fprintf(sheet->out, "Texts of %s: %u %s\n", list[i].table->title, all,
                    all == 1 ? "differs" : "differ");
        }
        shown = before != NULL && before->table == list[i].table && before->text == list[i].text
                    ? shown + 1
                    : 0;
        before = &list[i];
        if (shown < TEXTS_SHOWN && tables <= TABLES_SHOWN) {
            is_good = DiffLinePutText(sheet, before, next - i - 1) && is_good;
        }
    }
    if (tables > TABLES_SHOWN) {
        fprintf(sheet->out, "Texts of %u more %s differ\n", tables - TABLES_SHOWN,
                tables - TABLES_SHOWN == 1 ? "table" : "tables");
    }
    return is_good;
}

/* How many more changes of a side give the sentence, from a place in the list on. */
static uint32_t count_same(const DiffFound *found, const char *sentence, int side, uint32_t from)
{
    uint32_t count = 0;

    for (uint32_t i = from; i < found->data.advice.count; i++) {
        const DiffAdvice *advice = &found->data.advice.list[i];

        count += DiffIsAdviceOf(found, advice, side) && strcmp(advice->sentence, sentence) == 0;
    }
    return count;
}

/* A sentence that is new (1) or gone (0), with the first of its subjects. False without memory. */
static bool put_sentence(const DiffSheet *sheet, const DiffAdvice *advice, int side, uint32_t more)
{
    char others[32] = "";

    if (more > 0) {
        snprintf(others, sizeof others, " (%u more alike)", more);
    }
    char *text = ColumnsPrint("%s%s%s%s", advice->subject, advice->subject[0] == '\0' ? "" : ": ",
                              advice->sentence, others);

    if (text == NULL) {
        return false;
    }
    fprintf(sheet->out, "  %-7s ", side == 0 ? "gone" : "new");
    ColumnsTextWithin(text, DIFF_KIND_COLUMNS, sheet->width, sheet->out);
    free(text);
    return true;
}

/* Advice that only one side gives: a few sentences. */
static bool put_advice_of(const DiffFound *found, int side, const DiffSheet *sheet)
{
    const DiffAdviceList *advice = &found->data.advice;
    const char *shown[ADVICE_SHOWN];
    uint32_t count = 0;
    bool is_good = true;

    for (uint32_t i = 0; i < advice->count && count < ADVICE_SHOWN; i++) {
        const char *sentence = advice->list[i].sentence;
        uint32_t before = 0;

        while (before < count && strcmp(shown[before], sentence) != 0) {
            before++;
        }
        if (before == count && DiffIsAdviceOf(found, &advice->list[i], side)) {
            shown[count++] = sentence;
            is_good = put_sentence(sheet, &advice->list[i], side,
                                   count_same(found, sentence, side, i + 1)) &&
                      is_good;
        }
    }
    return is_good;
}

static bool put_advice(const DiffFound *found, const DiffSheet *sheet)
{
    const uint32_t gone = DiffAdviceChanges(found, 0);
    const uint32_t fresh = DiffAdviceChanges(found, 1);

    if (gone + fresh > 0) {
        fprintf(sheet->out, "Advice: %u new, %u gone\n", fresh, gone);
    }
    return put_advice_of(found, 1, sheet) && put_advice_of(found, 0, sheet);
}

/* A name of a list in lines. Returns the column after it. */
static size_t put_item(const DiffSheet *sheet, const char *name, size_t column, bool is_first)
{
    const size_t columns = ColumnsOf(name);

    if (!is_first && column + 2 + columns >= sheet->width) {
        fputs(",\n  ", sheet->out);
        column = 2;
    } else if (!is_first) {
        fputs(", ", sheet->out);
        column += 2;
    }
    fputs(name, sheet->out);
    return column + columns;
}

/* Tables that were compared and do not differ. */
static void put_alike(const DiffFound *found, const DiffSheet *sheet)
{
    static const char begin[] = "No difference in ";
    FILE *out = sheet->out;
    size_t column = 0;

    for (uint32_t i = 0; i < found->data.table_count; i++) {
        if (DiffTableIsAlike(found, i)) {
            const bool is_first = column == 0;

            fputs(is_first ? begin : "", out);
            column = put_item(sheet, found->data.tables[i].title,
                              is_first ? sizeof begin - 1 : column, is_first);
        }
    }
    fputs(column > 0 ? "\n" : "", out);
    if (DiffUnsure(found) > 0) {
        fprintf(out, "No verdict on %u %s: there are too few repetitions\n", DiffUnsure(found),
                DiffUnsure(found) == 1 ? "value" : "values");
    }
}

bool DiffPrintText(const DiffFound *found, unsigned columns, const char *rest, FILE *out)
{
    const DiffSheet sheet = DiffSheetOf(columns, out);
    bool is_good = put_run_time(found, &sheet);

    put_subject(found, out);
    if (found->causes.count > 0) {
        fputs("Causes\n", out);
        for (uint32_t i = 0; i < found->causes.count && i < CAUSES_SHOWN; i++) {
            is_good = DiffLinePut(&sheet, &found->causes.list[i], 0, false) && is_good;
        }
    }
    put_sides(found, out);
    put_whole(found, out);
    if (DiffIsAlike(found) && DiffUnsure(found) > 0) {
        fputs("No certain differences: there are too few repetitions for a verdict.\n", out);
    } else if (DiffIsAlike(found)) {
        fputs("No differences.\n", out);
    } else {
        is_good = put_tables(found, &sheet) && is_good;
        is_good = put_texts(found, &sheet) && is_good;
        is_good = put_advice(found, &sheet) && is_good;
        put_alike(found, &sheet);
        fprintf(out, "%s\n", rest);
    }
    return put_rules(found, &sheet) && is_good;
}
