/* SPDX-License-Identifier: Apache-2.0 */
/* --explain: what columns and tables are, and what modules say of the names of their sections of
 * chip files. Tested by tests/e2e/explain.sh. */
#include "explain.h"

#include "explain_tables.h"

#include <opprof/plugin.h>
#include <stdbool.h>
#include <string.h>

typedef struct Question {
    const char *chip;
    const char *name;
    FILE *out;
    unsigned asked; /* modules that can explain something */
    unsigned answers;
    OpprofError *refusal; /* of the first module, or of the first that failed otherwise */
} Question;

/* A near name is worth more than a plain "no such name", any other failure more than both. */
static unsigned worth(const OpprofError *refusal)
{
    const char *hint = OpprofErrorGetHint(refusal);

    if (OpprofErrorStatus(refusal) != OPPROF_E_NOT_FOUND) {
        return 2;
    }
    return hint != NULL && strncmp(hint, "Did you mean", strlen("Did you mean")) == 0;
}

static void keep_refusal(Question *question, OpprofError *refusal)
{
    const bool is_better = question->refusal == NULL || worth(refusal) > worth(question->refusal);

    if (is_better) {
        OpprofErrorDestroy(question->refusal);
        question->refusal = refusal;
    } else {
        OpprofErrorDestroy(refusal);
    }
}

static void ask(void *context, const OpprofPluginFile *file)
{
    Question *question = context;
    OpprofError *refusal = NULL;

    if (file->plugin == NULL || file->plugin->ops->explain == NULL ||
        (question->chip == NULL && file->plugin->chip_sections != NULL)) {
        return;
    }
    question->asked++;
    if (file->plugin->ops->explain(question->chip, question->name, question->out, &refusal) ==
        OPPROF_OK) {
        question->answers++;
        OpprofErrorDestroy(refusal);
    } else if (refusal != NULL) {
        keep_refusal(question, refusal);
    }
}

/* Ask every module of the plugin path. */
static OpprofStatus ask_modules(OpprofPipeline *pipeline, const char *chip, const char *name,
                                FILE *out, OpprofError **error)
{
    Question question = { .chip = chip, .name = name, .out = out };
    OpprofStatus status = OpprofPipelineVisitPlugins(pipeline, ask, &question, error);

    if (status != OPPROF_OK || question.answers > 0) {
        OpprofErrorDestroy(question.refusal);
        return status;
    }
    if (chip == NULL) {
        OpprofErrorDestroy(question.refusal);
        OpprofErrorSet(error, OPPROF_E_NOT_FOUND,
                       "No rule, table, column or word of the report is called '%s'", name);
        OpprofErrorHint(error, "Metrics, events and facts need a chip, such as --set "
                               "chip=Ascend910B1; --list has the rules");
        return OPPROF_E_NOT_FOUND;
    }
    if (question.refusal != NULL) {
        status = OpprofErrorStatus(question.refusal);
        *error = question.refusal;
        return status;
    }
    OpprofErrorSet(error, OPPROF_E_NOT_FOUND, "No module explains '%s': %s", name,
                   question.asked == 0 ? "none on the plugin path explains anything"
                                       : "none knows it");
    OpprofErrorHint(error, "Name the directory of modules with --plugin-path");
    return OPPROF_E_NOT_FOUND;
}

OpprofStatus Explain(OpprofPipeline *pipeline, const char *chip, const char *word, FILE *out,
                     OpprofError **error)
{
    bool is_table = false;
    OpprofStatus status = ExplainTables(pipeline, word, &is_table, out, error);

    if (status != OPPROF_OK) {
        return status;
    }
    status = ask_modules(pipeline, chip, word, out, error);
    if (is_table && status == OPPROF_E_NOT_FOUND) {
        OpprofErrorDestroy(*error);
        *error = NULL;
        return OPPROF_OK;
    }
    return status;
}
