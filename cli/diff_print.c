/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a comparison as text, Markdown and JSON. Tested by tests/plugins/export/test_diff.sh. */
#include "diff_print.h"

#include "diff_words.h"

#include <jansson.h>

#include <math.h>
#include <opprof/record.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_SHOWN 5u
#define CAUSES_SHOWN 5u
#define TABLES_SHOWN 8u
#define NAME_COLUMNS 40

static void put_sides(const DiffFound *found, FILE *out)
{
    static const char *const names[] = { "before", "after " };

    for (int side = 0; side < 2; side++) {
        const DiffSide *one = &found->data->sides[side];

        fprintf(out, "%s  %s (%u %s)%s\n", names[side], one->path, one->runs,
                one->runs == 1 ? "run" : "runs", one->is_complete ? "" : ", incomplete");
    }
}

/* ---- text ---- */

/* A path is recognised by its end, other names by their beginning. */
static void put_name(FILE *out, const char *name)
{
    const int length = (int) strlen(name);

    if (length <= NAME_COLUMNS) {
        fprintf(out, "%-*s", NAME_COLUMNS, name);
    } else if (strchr(name, '/') != NULL) {
        fprintf(out, "~%s", name + length - NAME_COLUMNS + 1);
    } else {
        fprintf(out, "%.*s~", NAME_COLUMNS - 1, name);
    }
}

static void put_change(FILE *out, const DiffChange *change)
{
    char a[48], b[48], percent[32];
    char *name = DiffNameOf(change);

    fprintf(out, "  %-7s ", DiffKindOf(change));
    put_name(out, name == NULL ? "" : name);
    fprintf(out, " %11s -> %-11s %s\n",
            DiffNumberText(a, change->a, change->a_count, change->a_spread),
            DiffNumberText(b, change->b, change->b_count, change->b_spread),
            DiffPercentText(percent, change));
    free(name);
}

static void put_share(FILE *out, const DiffChange *change)
{
    if (!isnan(change->a_share) && !isnan(change->b_share)) {
        fprintf(out, "          share of all: %.1f %% -> %.1f %%\n", 100 * change->a_share,
                100 * change->b_share);
    }
}

static void put_whole(const DiffFound *found, FILE *out)
{
    for (uint32_t i = 0; i < found->whole.count; i++) {
        const DiffChange *change = &found->whole.list[i];
        char percent[32];

        fprintf(out, "%s: %s, %s %.6g -> %.6g %s  %s\n", change->table->title, DiffKindOf(change),
                DiffColumnOf(change)->heading, change->a, change->b, DiffColumnOf(change)->unit,
                DiffPercentText(percent, change));
    }
}

static void put_rules(const DiffFound *found, FILE *out)
{
    for (size_t i = 0; i < found->rule_count; i++) {
        const DiffRule *rule = &found->rules[i];

        fprintf(out, "%s  %s (%u of %u rows)\n",
                rule->broken.count > 0 ? "REGRESSION" : "holds     ", rule->text,
                rule->broken.count, rule->tested);
        if (rule->is_unsure) {
            fprintf(out, "          too few repetitions for a verdict at an error rate of %g %%\n",
                    100 * DIFF_ALPHA);
        }
        for (uint32_t r = 0; r < rule->broken.count && r < ROWS_SHOWN; r++) {
            put_change(out, &rule->broken.list[r]);
        }
    }
}

static void put_table(const DiffFound *found, uint32_t i, FILE *out)
{
    const DiffChanges *changes = &found->tables[i];
    uint32_t fresh = 0;
    uint32_t gone = 0;

    for (uint32_t c = 0; c < changes->count; c++) {
        fresh += changes->list[c].a_count == 0;
        gone += changes->list[c].b_count == 0;
    }
    fprintf(out, "%s: %u differ, %u of them new, %u gone\n", found->data->tables[i].title,
            changes->count, fresh, gone);
    for (uint32_t c = 0; c < changes->count && c < ROWS_SHOWN; c++) {
        put_change(out, &changes->list[c]);
        put_share(out, &changes->list[c]);
    }
}

void DiffPrintText(const DiffFound *found, FILE *out)
{
    uint32_t shown = 0;

    if (found->causes.count > 0) {
        fputs("Causes\n", out);
        for (uint32_t i = 0; i < found->causes.count && i < CAUSES_SHOWN; i++) {
            put_change(out, &found->causes.list[i]);
        }
    }
    put_sides(found, out);
    put_whole(found, out);
    if (DiffIsAlike(found)) {
        fputs("No differences.\n", out);
    }
    for (uint32_t i = 0; i < found->data->table_count; i++) {
        if (found->tables[i].count > 0 && shown++ < TABLES_SHOWN) {
            put_table(found, i, out);
        }
    }
    if (shown > TABLES_SHOWN) {
        fprintf(out, "and %u more tables, which JSON has\n", shown - TABLES_SHOWN);
    }
    put_rules(found, out);
}

/* ---- markdown ---- */

/* A cell must not end itself, nor be code or HTML. */
static void put_cell(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (strchr("|\\`*_<>[]", *text) != NULL) {
            fputc('\\', out);
        }
        fputc(*text, out);
    }
}

static void put_markdown_row(FILE *out, const DiffChange *change)
{
    char a[48], b[48], percent[32];
    char *name = DiffNameOf(change);

    fprintf(out, "| %s | ", DiffKindOf(change));
    put_cell(out, name == NULL ? "" : name);
    fprintf(out, " | %s | %s | %s |\n",
            DiffNumberText(a, change->a, change->a_count, change->a_spread),
            DiffNumberText(b, change->b, change->b_count, change->b_spread),
            DiffPercentText(percent, change));
    free(name);
}

static void put_markdown_table(FILE *out, const char *title, const DiffChanges *changes)
{
    if (changes->count == 0) {
        return;
    }
    fputs("\n**", out);
    put_cell(out, title);
    fputs("**\n\n| | what | before | after | change |\n|---|---|---:|---:|---:|\n", out);
    for (uint32_t i = 0; i < changes->count && i < ROWS_SHOWN; i++) {
        put_markdown_row(out, &changes->list[i]);
    }
    if (changes->count > ROWS_SHOWN) {
        fprintf(out, "\n%u more\n", changes->count - ROWS_SHOWN);
    }
}

void DiffPrintMarkdown(const DiffFound *found, FILE *out)
{
    const bool has_rules = found->rule_count > 0;

    fprintf(out, "### Performance: %s\n",
            DiffIsAlike(found)        ? "no differences"
            : DiffIsRegression(found) ? "regression"
            : has_rules               ? "thresholds hold"
                                      : "differences");
    put_markdown_table(out, "Whole", &found->whole);
    put_markdown_table(out, "Causes", &found->causes);
    for (size_t i = 0; i < found->rule_count; i++) {
        put_markdown_table(out, found->rules[i].text, &found->rules[i].broken);
    }
    for (uint32_t i = 0; i < found->data->table_count; i++) {
        put_markdown_table(out, found->data->tables[i].title, &found->tables[i]);
    }
}

/* ---- JSON ---- */

static json_t *number(double value, uint32_t count)
{
    return count == 0 || !isfinite(value) ? json_null() : json_real(value);
}

static json_t *change_json(const DiffChange *change)
{
    const DiffTable *table = change->table;

    return json_pack(
        "{s:s, s:s, s:s?, s:s?, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:i, s:b}",
        "table", table->name, "title", table->title, "by", table->by, "key",
        change->row == NULL ? NULL : change->row->key, "column", DiffColumnOf(change)->name, "unit",
        DiffColumnOf(change)->unit, "kind", DiffKindOf(change), "before",
        number(change->a, change->a_count), "after", number(change->b, change->b_count), "percent",
        number(DiffPercentOf(change), 1), "before_spread",
        number(change->a_spread, change->a_count), "after_spread",
        number(change->b_spread, change->b_count), "before_share", number(change->a_share, 1),
        "after_share", number(change->b_share, 1), "before_runs", (int) change->a_count,
        "after_runs", (int) change->b_count, "better", DiffIsBetter(change));
}

/* NULL without memory. */
static json_t *changes_json(const DiffChanges *changes, uint32_t rows)
{
    json_t *array = json_array();

    for (uint32_t i = 0; array != NULL && i < changes->count && i < rows; i++) {
        if (json_array_append_new(array, change_json(&changes->list[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

static json_t *tables_json(const DiffFound *found, uint32_t rows)
{
    json_t *array = json_array();

    for (uint32_t i = 0; array != NULL && i < found->data->table_count; i++) {
        const DiffTable *table = &found->data->tables[i];

        if (table->by == NULL &&
            json_array_append_new(array,
                                  json_pack("{s:s, s:s, s:i, s:i, s:o}", "table", table->name,
                                            "title", table->title, "rows", (int) table->row_count,
                                            "differ", (int) found->tables[i].count, "changes",
                                            changes_json(&found->tables[i], rows))) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

static json_t *rules_json(const DiffFound *found, uint32_t rows)
{
    json_t *array = json_array();

    for (size_t i = 0; array != NULL && i < found->rule_count; i++) {
        const DiffRule *rule = &found->rules[i];

        if (json_array_append_new(
                array, json_pack("{s:s, s:b, s:b, s:i, s:i, s:o}", "rule", rule->text, "broken",
                                 rule->broken.count > 0, "unsure", rule->is_unsure, "tested",
                                 (int) rule->tested, "broken_rows", (int) rule->broken.count,
                                 "rows", changes_json(&rule->broken, rows))) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

/* A path need not be UTF-8, which JSON wants. */
static json_t *side_json(const DiffSide *side)
{
    json_t *path = json_string(side->path);

    return json_pack("{s:o, s:i, s:b}", "path", path == NULL ? json_null() : path, "runs",
                     (int) side->runs, "complete", side->is_complete);
}

char *DiffJsonText(const DiffFound *found, uint32_t rows)
{
    json_t *root = json_pack("{s:s, s:o, s:o, s:f, s:b, s:b, s:o, s:o, s:o, s:o}", "opprof_diff",
                             "1.0", "before", side_json(&found->data->sides[0]), "after",
                             side_json(&found->data->sides[1]), "error_rate", DIFF_ALPHA, "equal",
                             DiffIsAlike(found), "regression", DiffIsRegression(found), "whole",
                             changes_json(&found->whole, DIFF_JSON_ROWS), "causes",
                             changes_json(&found->causes, DIFF_JSON_ROWS), "tables",
                             tables_json(found, rows), "rules", rules_json(found, rows));
    char *text = root == NULL ? NULL : json_dumps(root, JSON_INDENT(1));

    json_decref(root);
    return text;
}

bool DiffPrintJson(const DiffFound *found, FILE *out)
{
    char *text = DiffJsonText(found, DIFF_JSON_ROWS);

    if (text != NULL) {
        fprintf(out, "%s\n", text);
    }
    free(text);
    return text != NULL;
}
