/* SPDX-License-Identifier: Apache-2.0 */
#include "advice.h"

#include <stdlib.h>
#include <string.h>

void AdviceAdd(Advice *advice, const char *sentence)
{
    if (sentence[0] == '\0') {
        return;
    }
    for (uint32_t i = 0; i < advice->count; i++) {
        if (strcmp(advice->sentences[i], sentence) == 0) {
            return;
        }
    }
    if (advice->count == advice->capacity) {
        const uint32_t capacity = advice->capacity == 0 ? 8 : advice->capacity * 2;
        char **grown = reallocarray(advice->sentences, capacity, sizeof *grown);
        if (grown == NULL) {
            advice->is_short_of_memory = true;
            return;
        }
        advice->sentences = grown;
        advice->capacity = capacity;
    }
    char *copy = strdup(sentence);
    if (copy == NULL) {
        advice->is_short_of_memory = true;
        return;
    }
    advice->sentences[advice->count++] = copy;
}

void AdviceFinish(Advice *advice)
{
    for (uint32_t i = 0; i < advice->count; i++) {
        free(advice->sentences[i]);
    }
    free(advice->sentences);
    *advice = (Advice){ .count = 0 };
}

static OpprofStatus append(OpprofBatch *batch, const LaunchView *view, const char *sentence)
{
    OpprofOnboardAdvice *record = OpprofBatchAppend(batch);

    if (record == NULL) {
        return OPPROF_E_LIMIT;
    }
    *record = (OpprofOnboardAdvice){ .device = view->launch.device,
                               .kernel = view->launch.kernel,
                               .order = view->launch.order };
    return OpprofBatchAppendText(batch, sentence, strlen(sentence), &record->sentence);
}

/* There are few sentences, and one may be long: each has a batch of its own. */
OpprofStatus AdvicePush(Advice *advice, OpprofStage *stage, uint32_t port, const LaunchView *view,
                        OpprofError **error)
{
    OpprofStatus status = advice->is_short_of_memory ? OPPROF_E_MEMORY : OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < advice->count; i++) {
        OpprofBatch *batch = OpprofStageNewBatch(stage, port);
        status = batch == NULL ? OPPROF_E_MEMORY : append(batch, view, advice->sentences[i]);
        if (status != OPPROF_OK) {
            OpprofBatchUnref(batch);
            break;
        }
        batch->partition = view->batch->partition;
        batch->watermark = i + 1 == advice->count ? UINT64_MAX : 0;
        status = OpprofStagePush(stage, port, batch);
    }
    AdviceFinish(advice);
    return status == OPPROF_OK || status == OPPROF_CLOSED
               ? status
               : OpprofErrorSet(error, status, "Cannot advise: %s", OpprofStatusName(status));
}
