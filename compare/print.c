/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a comparison as Markdown and JSON. Tested by tests/compare/test_diff.sh. */
#include "print.h"

#include "texts.h"

#include <jansson.h>

#include <math.h>
#include <opprof/json.h>
#include <opprof/record.h>
#include <opprof/text.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_SHOWN 5u
#define TEXTS_SHOWN 10u

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

/* False without memory. */
static bool put_markdown_row(FILE *out, const DiffChange *change)
{
    char a[48], b[48], percent[32];
    char *name = DiffNameOf(change);

    if (name == NULL) {
        return false;
    }
    fprintf(out, "| %s | ", DiffKindOf(change));
    put_cell(out, name);
    fprintf(out, " | %s | %s | %s |\n",
            DiffNumberText(a, change->a, change->a_count, change->a_spread),
            DiffNumberText(b, change->b, change->b_count, change->b_spread),
            DiffPercentText(percent, change));
    free(name);
    return true;
}

static bool put_markdown_table(FILE *out, const char *title, const DiffChanges *changes)
{
    bool is_good = true;

    if (changes->count == 0) {
        return true;
    }
    fputs("\n**", out);
    put_cell(out, title);
    fputs("**\n\n| | what | before | after | change |\n|---|---|---:|---:|---:|\n", out);
    for (uint32_t i = 0; i < changes->count && i < ROWS_SHOWN; i++) {
        is_good = put_markdown_row(out, &changes->list[i]) && is_good;
    }
    if (changes->count > ROWS_SHOWN) {
        fprintf(out, "\n%u more\n", changes->count - ROWS_SHOWN);
    }
    return is_good;
}

/* Tables that do not differ: what is not listed was compared, too. */
static void put_markdown_alike(const DiffFound *found, FILE *out)
{
    const char *before = "\nNo difference: ";

    for (uint32_t i = 0; i < found->data.table_count; i++) {
        if (DiffTableIsAlike(found, i)) {
            fputs(before, out);
            put_cell(out, found->data.tables[i].title);
            before = ", ";
        }
    }
    fputs(*before == ',' ? "\n" : "", out);
    if (DiffUnsure(found) > 0) {
        fprintf(out, "\nNo verdict on %u %s: there are too few repetitions\n", DiffUnsure(found),
                DiffUnsure(found) == 1 ? "value" : "values");
    }
}

/* Texts that differ. */
static void put_markdown_texts(const DiffFound *found, FILE *out)
{
    const uint32_t count = found->texts.count;

    fputs(count == 0 ? "" : "\n**Texts**\n\n| what | before | after |\n|---|---|---|\n", out);
    for (uint32_t i = 0; i < count && i < TEXTS_SHOWN; i++) {
        const DiffTextChange *change = &found->texts.list[i];

        fputs("| ", out);
        put_cell(out, change->row->key);
        fputs(change->row->key[0] == '\0' ? "" : ", ", out);
        put_cell(out, change->table->texts[change->text].heading);
        fputs(" | ", out);
        put_cell(out, change->a);
        fputs(" | ", out);
        put_cell(out, change->b);
        fputs(" |\n", out);
    }
    if (count > TEXTS_SHOWN) {
        fprintf(out, "\n%u more\n", count - TEXTS_SHOWN);
    }
}

/* Advice that only one side gives. */
static void put_markdown_advice(const DiffFound *found, FILE *out)
{
    const DiffAdviceList *advice = &found->data.advice;
    const char *before = "\n**Advice**\n\n";

    for (int side = 1; side >= 0; side--) {
        uint32_t shown = 0;

        for (uint32_t i = 0; i < advice->count && shown < ROWS_SHOWN; i++) {
            const DiffAdvice *one = &advice->list[i];

            if (DiffIsAdviceOf(found, one, side)) {
                fprintf(out, "%s- %s: ", before, side == 0 ? "gone" : "new");
                put_cell(out, one->subject);
                fputs(one->subject[0] == '\0' ? "" : ": ", out);
                put_cell(out, one->sentence);
                fputc('\n', out);
                before = "";
                shown++;
            }
        }
        if (DiffAdviceChanges(found, side) > shown) {
            fprintf(out, "- %u more %s\n", DiffAdviceChanges(found, side) - shown,
                    side == 0 ? "gone" : "new");
        }
    }
}

/* Why the verdict may not be the whole truth. */
static void put_markdown_doubts(const DiffFound *found, FILE *out)
{
    static const char *const names[] = { "before", "after" };

    for (int side = 0; side < 2; side++) {
        const DiffSide *one = &found->data.sides[side];

        if (!one->is_complete) {
            fprintf(out, "\nThe results %s are incomplete", names[side]);
            fputs(one->missing == NULL ? "" : ": ", out);
            put_cell(out, one->missing == NULL ? "" : one->missing);
            fputc('\n', out);
        }
        if (one->is_silent) {
            fprintf(out, "\nThe results %s: " DIFF_SILENT "\n", names[side]);
        }
    }
    for (size_t i = 0; i < found->rule_count; i++) {
        if (DiffIsUndecided(&found->rules[i])) {
            fputs("\nNo verdict on the threshold ", out);
            put_cell(out, found->rules[i].text);
            fputs(": there are too few repetitions\n", out);
        }
    }
}

/* False without memory. */
static bool put_markdown_run_time(const DiffFound *found, FILE *out)
{
    char *text = DiffRunTimeText(found);

    fputs("\n**The run:** ", out);
    put_cell(out, text == NULL ? "" : text);
    fputc('\n', out);
    free(text);
    return text != NULL;
}

bool DiffPrintMarkdown(const DiffFound *found, FILE *out)
{
    const bool has_rules = found->rule_count > 0;
    bool is_good = true;

    fprintf(out, "### Performance: %s\n",
            DiffIsAlike(found) ? DiffUnsure(found) > 0 ? "no certain differences" : "no differences"
            : DiffIsRegression(found)     ? "regression"
            : DiffHasUndecidedRule(found) ? "no verdict"
            : has_rules                   ? "thresholds hold"
                                          : "differences");
    is_good = put_markdown_run_time(found, out);
    put_markdown_doubts(found, out);
    is_good = put_markdown_table(out, "Whole", &found->whole) && is_good;
    is_good = put_markdown_table(out, "Causes", &found->causes) && is_good;
    for (size_t i = 0; i < found->rule_count; i++) {
        is_good = put_markdown_table(out, found->rules[i].text, &found->rules[i].broken) && is_good;
    }
    for (uint32_t i = 0; i < found->data.table_count; i++) {
        is_good =
            put_markdown_table(out, found->data.tables[i].title, &found->tables[i]) && is_good;
    }
    put_markdown_texts(found, out);
    put_markdown_advice(found, out);
    if (!DiffIsAlike(found)) {
        put_markdown_alike(found, out);
    }
    return is_good;
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

/* NULL without memory. */
static json_t *texts_json(const DiffTextChanges *changes, uint32_t rows)
{
    json_t *array = json_array();

    for (uint32_t i = 0; array != NULL && i < changes->count && i < rows; i++) {
        const DiffTextChange *change = &changes->list[i];
        const DiffTable *table = change->table;

        if (json_array_append_new(array,
                                  json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "table", table->name,
                                            "title", table->title, "key", change->row->key,
                                            "column", table->texts[change->text].name, "before",
                                            change->a, "after", change->b)) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

/* NULL without memory. */
static json_t *advice_json(const DiffFound *found, uint32_t rows)
{
    const DiffAdviceList *advice = &found->data.advice;
    json_t *array = json_array();

    for (uint32_t i = 0; array != NULL && i < advice->count && json_array_size(array) < rows; i++) {
        const DiffAdvice *one = &advice->list[i];
        const bool is_new = DiffIsAdviceOf(found, one, 1);

        if ((is_new || DiffIsAdviceOf(found, one, 0)) &&
            json_array_append_new(
                array, json_pack("{s:s, s:s, s:s, s:s, s:s}", "kind", is_new ? "new" : "gone",
                                 "severity", DiffSeverityOf(one), "topic", one->topic, "subject",
                                 one->subject, "sentence", one->sentence)) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

static json_t *tables_json(const DiffFound *found, uint32_t rows)
{
    json_t *array = json_array();

    for (uint32_t i = 0; array != NULL && i < found->data.table_count; i++) {
        const DiffTable *table = &found->data.tables[i];

        if (table->by == NULL &&
            json_array_append_new(
                array,
                json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:o}", "table", table->name, "title",
                          table->title, "rows", (int) table->row_count, "differ",
                          (int) found->tables[i].count, "unsure", (int) found->tables[i].unsure,
                          "texts", (int) DiffTextsThatDiffer(found, table), "changes",
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

        if (json_array_append_new(array,
                                  json_pack("{s:s, s:b, s:b, s:i, s:i, s:s?, s:s?, s:o}", "rule",
                                            rule->text, "broken", rule->broken.count > 0, "unsure",
                                            rule->is_unsure, "tested", (int) rule->tested,
                                            "broken_rows", (int) rule->broken.count, "pair_before",
                                            rule->pair[0], "pair_after", rule->pair[1], "rows",
                                            changes_json(&rule->broken, rows))) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

/* A path need not be UTF-8, which JSON wants. */
static bool is_utf8(const char *text)
{
    size_t left = strlen(text);
    bool is_plain;

    for (size_t size; (size = OpprofTextNext(text, left, &is_plain)) > 0; left -= size) {
        if (!is_plain && size == 1 && (unsigned char) *text >= 0x80) {
            return false;
        }
        text += size;
    }
    return true;
}

static json_t *side_json(const DiffSide *side)
{
    return json_pack("{s:s?, s:i, s:b, s:s?, s:b}", "path", is_utf8(side->path) ? side->path : NULL,
                     "runs", (int) side->runs, "complete", side->is_complete, "missing",
                     side->missing, "combines", !side->is_silent);
}

char *DiffJsonText(const DiffFound *found, uint32_t rows)
{
    json_t *root = json_pack("{s:s, s:o, s:o, s:f, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                             "opprof_diff", "1.0", "before", side_json(&found->data.sides[0]),
                             "after", side_json(&found->data.sides[1]), "error_rate", DIFF_ALPHA,
                             "equal", DiffIsAlike(found) && DiffUnsure(found) == 0, "regression",
                             DiffIsRegression(found), "run_time",
                             found->has_run_time ? change_json(&found->run_time) : json_null(),
                             "whole", changes_json(&found->whole, DIFF_JSON_ROWS), "causes",
                             changes_json(&found->causes, DIFF_JSON_ROWS), "tables",
                             tables_json(found, rows), "texts", texts_json(&found->texts, rows),
                             "advice", advice_json(found, rows), "rules", rules_json(found, rows));
    char *text = OpprofJsonText(root, JSON_INDENT(1));

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
