/* SPDX-License-Identifier: Apache-2.0 */
/* The sentences that an analysis of a launch advises. Tested by tests/plugins/parse-pmu/advice.py.
 */
#include "advice.h"

#include <opprof/grow.h>
#include <opprof/present.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* True: the sentence was said before. */
static bool say_again(Advice *advice, const char *sentence)
{
    for (uint32_t i = 0; i < advice->count; i++) {
        if (strcmp(advice->sentences[i].text, sentence) == 0) {
            advice->sentences[i].times++;
            return true;
        }
    }
    return false;
}

void AdviceAdd(Advice *advice, const char *sentence, const char *numbers, ...)
{
    AdvisedSentence added = { .times = 1 };
    va_list args;

    if (sentence[0] == '\0' || say_again(advice, sentence)) {
        return;
    }
    va_start(args, numbers);
    if (vasprintf(&added.numbers, numbers, args) < 0) {
        added.numbers = NULL;
    }
    va_end(args);
    added.text = strdup(sentence);
    if (added.text == NULL || added.numbers == NULL ||
        !OpprofGrow32(&advice->sentences, &advice->capacity, (uint64_t) advice->count + 1,
                      sizeof *advice->sentences)) {
        free(added.text);
        free(added.numbers);
        advice->is_short_of_memory = true;
        return;
    }
    advice->sentences[advice->count++] = added;
}

void AdviceFinish(Advice *advice)
{
    for (uint32_t i = 0; i < advice->count; i++) {
        free(advice->sentences[i].text);
        free(advice->sentences[i].numbers);
    }
    free(advice->sentences);
    *advice = (Advice){ .count = 0 };
}

/* "device0/add/3", as the folder of the results; empty for a launch that has none. */
static char *subject_of(OpprofStage *stage, const LaunchView *view)
{
    const uint32_t parts[] = { view->launch.device, view->launch.kernel, view->launch.order };
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    for (size_t i = 0; out != NULL && i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i] != OPPROF_NA_STRING) {
            fprintf(out, "%s%s", ftell(out) > 0 ? "/" : "", OpprofStageString(stage, parts[i]));
        }
    }
    if (out == NULL || fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static OpprofStatus push_one(OpprofStage *stage, uint32_t port, uint32_t partition,
                             const AdvisedSentence *sentence, OpprofAdviceText *advice)
{
    char *numbers = NULL;

    advice->sentence = sentence->text;
    advice->numbers = sentence->numbers;
    if (sentence->times > 1) {
        if (asprintf(&numbers, "%s, times=%u", sentence->numbers, sentence->times) < 0) {
            return OPPROF_E_MEMORY;
        }
        advice->numbers = numbers;
    }
    const OpprofStatus status = OpprofStageAdvise(stage, port, partition, advice);
    free(numbers);
    return status;
}

OpprofStatus AdvicePush(Advice *advice, OpprofStage *stage, uint32_t port, const LaunchView *view,
                        OpprofSeverity severity, const char *topic, OpprofError **error)
{
    char *subject = subject_of(stage, view);
    OpprofAdviceText text = { .severity = severity, .topic = topic, .subject = subject };
    OpprofStatus status =
        advice->is_short_of_memory || subject == NULL ? OPPROF_E_MEMORY : OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < advice->count; i++) {
        status = push_one(stage, port, view->batch->partition, &advice->sentences[i], &text);
    }
    free(subject);
    AdviceFinish(advice);
    return status == OPPROF_OK || status == OPPROF_CLOSED
               ? status
               : OpprofErrorSet(error, status, "Cannot advise: %s", OpprofStatusName(status));
}
