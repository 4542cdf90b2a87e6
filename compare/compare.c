/* SPDX-License-Identifier: Apache-2.0 */
/* Compares two results. Tested by tests/compare/test_diff.sh. */
#include "compare.h"

#include "causes.h"
#include "load.h"

#include <stdlib.h>

static OpprofStatus find_changes(DiffFound *found, OpprofError **error)
{
    const DiffData *data = &found->data;
    bool is_good = DiffWhole(data, &found->whole);
    DiffVerdict way = found->whole.count == 0 ? DIFF_SAME : found->whole.list[0].verdict;

    found->has_run_time = DiffRunTime(data, &found->run_time);
    if (found->has_run_time) {
        way = found->run_time.verdict;
    }
    is_good = is_good && DiffCauses(data, way, &found->causes) && DiffTexts(data, &found->texts);
    found->tables = calloc((size_t) data->table_count + 1, sizeof *found->tables);
    is_good = is_good && found->tables != NULL;
    for (uint32_t i = 0; is_good && i < data->table_count; i++) {
        is_good =
            data->tables[i].by != NULL || DiffChangesOf(data, &data->tables[i], &found->tables[i]);
    }
    return is_good ? OPPROF_OK : DiffNoMemory(error);
}

static OpprofStatus apply_rules(DiffFound *found, const char *const *rules, size_t count,
                                OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    found->rules = calloc(count + 1, sizeof *found->rules);
    if (found->rules == NULL) {
        return DiffNoMemory(error);
    }
    for (size_t i = 0; status == OPPROF_OK && i < count; i++) {
        found->rule_count++;
        status = DiffRuleParse(&found->rules[i], rules[i], error);
        if (status == OPPROF_OK) {
            status = DiffRuleApply(&found->rules[i], &found->data, error);
        }
    }
    return status;
}

OpprofStatus DiffFind(DiffFound *found, const char *a, const char *b, const char *const *rules,
                      size_t count, OpprofError **error)
{
    OpprofStatus status;

    *found = (DiffFound){ .rule_count = 0 };
    status = DiffDataLoad(&found->data, a, b, error);
    if (status == OPPROF_OK) {
        status = find_changes(found, error);
    }
    return status == OPPROF_OK ? apply_rules(found, rules, count, error) : status;
}

void DiffFoundFree(DiffFound *found)
{
    for (uint32_t i = 0; found->tables != NULL && i < found->data.table_count; i++) {
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
    DiffDataFree(&found->data);
}
