/* SPDX-License-Identifier: Apache-2.0 */
/* opprof-run --diff: what differs between two results. Tested by tests/plugins/export/test_diff.sh. */
#include "diff.h"

#include "diff_print.h"
#include "diff_words.h"

#include <stdlib.h>

static OpprofStatus find(DiffFound *found, OpprofError **error)
{
    const DiffData *data = found->data;
    bool is_good =
        DiffWhole(data, &found->whole) && DiffCauses(data, &found->whole, &found->causes);

    is_good = is_good && DiffTexts(data, &found->texts);
    found->tables = calloc((size_t) data->table_count + 1, sizeof *found->tables);
    is_good = is_good && found->tables != NULL;
    for (uint32_t i = 0; is_good && i < data->table_count; i++) {
        is_good =
            data->tables[i].by != NULL || DiffChangesOf(data, &data->tables[i], &found->tables[i]);
    }
    return is_good ? OPPROF_OK : OpprofErrorNoMemory(error, "compare results");
}

static OpprofStatus apply_rules(DiffFound *found, const DiffOptions *options, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    found->rules = calloc(options->rule_count + 1, sizeof *found->rules);
    if (found->rules == NULL) {
        return OpprofErrorNoMemory(error, "compare results");
    }
    for (size_t i = 0; status == OPPROF_OK && i < options->rule_count; i++) {
        found->rule_count++;
        status = DiffRuleParse(&found->rules[i], options->rules[i], error);
        if (status == OPPROF_OK) {
            status = DiffRuleApply(&found->rules[i], found->data, error);
        }
    }
    return status;
}

static OpprofStatus print(const DiffFound *found, const DiffOptions *options, FILE *out,
                          OpprofError **error)
{
    bool is_good;

    switch (options->format) {
    case DIFF_JSON:
        is_good = DiffPrintJson(found, out);
        break;
    case DIFF_MARKDOWN:
        is_good = DiffPrintMarkdown(found, out);
        break;
    case DIFF_PAGE:
        return DiffPrintPage(found, options->pipeline, out, error);
    case DIFF_TEXT:
    default:
        is_good = DiffPrintText(found, options->columns, out);
        break;
    }
    return is_good ? OPPROF_OK : OpprofErrorNoMemory(error, "print");
}

static void free_found(DiffFound *found)
{
    for (uint32_t i = 0; found->tables != NULL && i < found->data->table_count; i++) {
        DiffChangesFree(&found->tables[i]);
    }
    for (size_t i = 0; i < found->rule_count; i++) {
        DiffRuleFree(&found->rules[i]);
    }
    DiffChangesFree(&found->whole);
    DiffChangesFree(&found->causes);
    DiffTextsFree(&found->texts);
    free(found->tables);
    free(found->rules);
}

static DiffOutcome outcome_of(const DiffFound *found)
{
    const DiffSide *sides = found->data->sides;
    const bool is_whole = sides[0].is_complete && sides[1].is_complete;

    return DiffIsRegression(found)                    ? DIFF_REGRESSION
           : is_whole && !DiffHasUndecidedRule(found) ? DIFF_DONE
                                                      : DIFF_UNDECIDED;
}

OpprofStatus Diff(const DiffOptions *options, FILE *out, DiffOutcome *ret_outcome,
                  OpprofError **error)
{
    DiffData data;
    DiffFound found = { .data = &data };
    OpprofStatus status = DiffDataLoad(&data, options->a, options->b, error);

    if (status == OPPROF_OK) {
        status = find(&found, error);
    }
    if (status == OPPROF_OK) {
        status = apply_rules(&found, options, error);
    }
    if (status == OPPROF_OK) {
        status = print(&found, options, out, error);
    }
    *ret_outcome = status == OPPROF_OK ? outcome_of(&found) : DIFF_DONE;
    free_found(&found);
    DiffDataFree(&data);
    return status;
}
