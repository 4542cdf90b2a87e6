/* SPDX-License-Identifier: Apache-2.0 */
/* --explain: modules say what the names of their sections of chip files mean. Tested by
 * tests/e2e/explain.sh. */
#include "explain.h"

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

    if (file->plugin == NULL || file->plugin->ops->explain == NULL) {
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

OpprofStatus Explain(OpprofPipeline *pipeline, const char *chip, const char *name, FILE *out,
                     OpprofError **error)
{
    Question question = { .chip = chip, .name = name, .out = out };
    OpprofStatus status = OpprofPipelineVisitPlugins(pipeline, ask, &question, error);

    if (status != OPPROF_OK || question.answers > 0) {
        OpprofErrorDestroy(question.refusal);
        return status;
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
