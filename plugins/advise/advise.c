/* SPDX-License-Identifier: Apache-2.0 */
/* advise: rules in SQL over the tables of a run give its advice. */
#include "findings.h"
#include "reader.h"
#include "rules.h"
#include "selection.h"

#include <opprof/kit/kept_batches.h>
#include <opprof/log.h>
#include <opprof/map.h>
#include <opprof/plugin.h>
#include <opprof/results.h>
#include <stdlib.h>
#include <string.h>

#define KEPT_MEMORY (4u << 20) /* bytes of batches; of many ranks most are small */

typedef struct Advise {
    OpprofStage *stage;
    double least_gain;
    Rules rules;
    OpprofKeptBatches kept;
    OpprofMap wanted; /* whether rules read the tables of a type, by its address */
    OpprofResults *tables;
    Findings findings;
} Advise;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "give advice");
}

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    return OpprofInstanceCreate(stage, sizeof(Advise), ret_self, error);
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    Advise *self = context;
    const size_t count = OpprofParamsCount(params, "rules");
    const char **paths = calloc(count + 1, sizeof *paths);
    OpprofStatus status;

    if (paths == NULL) {
        return no_memory(error);
    }
    for (size_t i = 0; i < count; i++) {
        paths[i] = OpprofParamsElement(params, "rules", i);
    }
    self->least_gain = OpprofParamsDouble(params, "least_gain");
    self->kept.spool.most_memory = KEPT_MEMORY;
    status = RulesLoad(&self->rules, paths, count, error);
    free(paths);
    return status;
}

/* ---- keeping tables ---- */

/* Advice is passed on. The rules are asked once about a type, since there may be very many batches
 * of few rows. */
static OpprofStatus ask_wanted(Advise *self, const OpprofRecordType *type, bool *ret_is_wanted,
                               OpprofError **error)
{
    const uint64_t key = (uintptr_t) type;
    uint32_t answer = OpprofMapFind(&self->wanted, key);

    if (answer == OPPROF_MAP_NONE) {
        char *name = OpprofResultsTableName(type);

        answer =
            type == &opprof_advice_type || (name != NULL && RulesName(&self->rules, name, NULL));
        if (name == NULL || !OpprofMapPut(&self->wanted, key, answer)) {
            free(name);
            return no_memory(error);
        }
        free(name);
    }
    *ret_is_wanted = answer != 0;
    return OPPROF_OK;
}

/* Batches are put aside, so that sums do not depend on the order in which they came. */
static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Advise *self = context;
    bool is_wanted = false;
    const OpprofStatus status = ask_wanted(self, batch->type, &is_wanted, error);

    return status == OPPROF_OK && is_wanted
               ? OpprofKeptBatchesAdd(&self->kept, self->stage, port, batch, error)
               : status;
}

static OpprofStatus take(void *context, uint32_t port, const OpprofBatch *batch,
                         OpprofError **error)
{
    Advise *self = context;

    (void) port;
    if (batch->type == &opprof_advice_type) {
        return FindingsTake(&self->findings, self->stage, batch) ? OPPROF_OK : no_memory(error);
    }
    return OpprofResultsKeepBatch(self->tables, batch, error);
}

/* ---- rules ---- */

/* A rule that fails says so, and the others go on. */
static OpprofStatus ask(Advise *self, const Rule *rule, Findings *findings, OpprofError **error)
{
    OpprofError *reason = NULL;
    const OpprofStatus status = ReaderAsk(rule, self->tables, self->least_gain, findings, &reason);

    if (status == OPPROF_E_MEMORY) {
        return OpprofErrorPass(error, reason);
    }
    if (status == OPPROF_E_NOT_FOUND) {
        OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Rule '%s' does not apply: %s",
                  rule->question->name, OpprofErrorLine(reason));
    } else if (status != OPPROF_OK) {
        OpprofStageWarn(self->stage, "The rule '%s' says nothing: %s", rule->question->path,
                        OpprofErrorLine(reason));
    }
    OpprofErrorDestroy(reason);
    return OPPROF_OK;
}

/* Add what the rules say to the advice of other stages. */
static OpprofStatus collect(Advise *self, Findings *of_rules, OpprofError **error)
{
    for (uint32_t i = 0; i < self->rules.count; i++) {
        for (uint32_t f = 0; f < of_rules[i].count; f++) {
            Finding *finding = &of_rules[i].list[f];
            Finding moved;

            if (finding->is_dropped) {
                continue;
            }
            if (!ReaderComplete(&self->rules.list[i], self->tables, finding)) {
                return no_memory(error);
            }
            moved = *finding;
            memset(finding->texts, 0, sizeof finding->texts);
            if (!FindingsAdd(&self->findings, &moved)) {
                return no_memory(error);
            }
        }
    }
    return OPPROF_OK;
}

static OpprofStatus run_rules(Advise *self, OpprofError **error)
{
    Findings *of_rules = calloc((size_t) self->rules.count + 1, sizeof *of_rules);
    OpprofStatus status = of_rules == NULL ? no_memory(error) : OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < self->rules.count; i++) {
        status = ask(self, &self->rules.list[i], &of_rules[i], error);
    }
    if (status == OPPROF_OK) {
        SelectionMake(&self->rules, of_rules);
        status = collect(self, of_rules, error);
    }
    for (uint32_t i = 0; of_rules != NULL && i < self->rules.count; i++) {
        FindingsFree(&of_rules[i]);
    }
    free(of_rules);
    return status;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Advise *self = context;
    OpprofStatus status =
        OpprofResultsKeep(self->stage, RulesName, &self->rules, &self->tables, error);

    if (status == OPPROF_OK) {
        status = OpprofKeptBatchesHandOut(&self->kept, self->stage, take, self, error);
    }
    if (status == OPPROF_OK) {
        status = run_rules(self, error);
    }
    if (status != OPPROF_OK) {
        return status;
    }
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Asked %u rules", self->rules.count);
    status = FindingsGive(&self->findings, self->stage, 0);
    return status == OPPROF_E_MEMORY ? no_memory(error) : status;
}

static OpprofStatus stop(void *context, OpprofError **error)
{
    Advise *self = context;

    (void) error;
    OpprofKeptBatchesFinish(&self->kept);
    OpprofResultsClose(self->tables);
    self->tables = NULL;
    return OPPROF_OK;
}

static void destroy(void *context)
{
    Advise *self = context;

    stop(self, NULL);
    FindingsFree(&self->findings);
    RulesFree(&self->rules);
    OpprofMapFinish(&self->wanted);
    free(self);
}

static const OpprofPort inputs[] = {
    { .name = "tables",
      .type = OPPROF_ANY_TABLE,
      .flags = OPPROF_PORT_MANY | OPPROF_PORT_OPTIONAL,
      .summary = "Tables of any kind, and advice of other stages." },
};

static const OpprofPort outputs[] = {
    { .name = "advice",
      .record_type = &opprof_advice_type,
      .summary = "Advice of the rules and of other stages, the largest gain first." },
};

static const OpprofParam params[] = {
    { .name = "rules",
      .type = OPPROF_PARAM_LIST,
      .flags = OPPROF_PARAM_SKIP_EMPTY,
      .summary = "Files of rules, or folders with such files, before those of "
                 "OPPROF_RULES_PATH and the installed ones." },
    { .name = "least_gain",
      .type = OPPROF_PARAM_DOUBLE,
      .default_value = "2",
      .min = 0,
      .max = 100,
      .unit = "%",
      .summary = "Advice that could save less of the whole is not given." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .configure = configure,
    .process = process,
    .flush = flush,
    .stop = stop,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(
        .name = "advise", .version = "1.0", .license = "Apache-2.0",
        .summary = "Gives the advice of rules in SQL over the tables of the run.",
        .help =
            "A rule is a file with a head of comments and one SELECT, whose rows are advice: "
            "subject, sentence, gain_us, whole_us, value, unit, from_table, from_column, numbers, "
            "todo, start_us, track. Tables and columns have the names that they have in "
            "results.sqlite. A rule applies where all that it reads is there. The advice that "
            "could save most comes first.",
        .kind = OPPROF_ANALYSIS, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
        .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .params = params,
        .param_count = OPPROF_COUNT(params), .ops = &ops);
