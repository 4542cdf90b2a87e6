/* SPDX-License-Identifier: Apache-2.0 */
/* Whether questions fit tables, before there are rows. Tested by tests/cli/test_query.sh. */
#include "results.h"

#include <opprof/questions.h>

#include <string.h>

/* A table that is not known is made during a run, or by a module that is not there. */
static bool misses_table(const OpprofError *reason)
{
    return OpprofErrorStatus(reason) == OPPROF_E_NOT_FOUND &&
           strstr(OpprofErrorLine(reason), "no such table") != NULL;
}

static OpprofStatus check(OpprofResults *sketch, const OpprofQuestion *question,
                          OpprofError **error)
{
    const OpprofResultsQuestion asked = { .sql = question->sql };
    OpprofResultsRows *rows = NULL;
    OpprofError *reason = NULL;
    OpprofStatus status = OpprofResultsMakeOptional(sketch, question, &reason);

    if (status == OPPROF_OK) {
        status = OpprofResultsAsk(sketch, &asked, &rows, &reason);
    }
    OpprofResultsRowsFree(rows);
    if (status == OPPROF_OK || misses_table(reason)) {
        OpprofErrorDestroy(reason);
        return OPPROF_OK;
    }
    OpprofErrorPass(error, reason);
    if (status != OPPROF_E_MEMORY) {
        const bool has_hint = OpprofErrorGetHint(*error) != NULL;

        OpprofErrorWrap(error, "The rule '%s' is wrong", question->path);
        if (!has_hint) {
            OpprofErrorHint(error, "See docs/using/rules.md");
        }
    }
    return status == OPPROF_E_MEMORY ? status : OPPROF_E_ARGUMENT;
}

OpprofStatus OpprofQuestionsCheck(const OpprofQuestions *questions,
                                  const OpprofRecordType *const *types, size_t count,
                                  OpprofError **error)
{
    OpprofResults *sketch = NULL;
    OpprofStatus status = ResultsSketch(types, count, &sketch, error);

    for (size_t i = 0; status == OPPROF_OK && i < questions->count; i++) {
        status = check(sketch, &questions->list[i], error);
    }
    OpprofResultsClose(sketch);
    return status;
}
