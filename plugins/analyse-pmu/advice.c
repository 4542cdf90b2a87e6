/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collects the advice sentences of an analysis of a launch. Tested by
 * tests/plugins/parse-pmu/advice.py.
 */
#include "advice.h"

#include <opprof/grow.h>
#include <opprof/kit/launches.h>
#include <opprof/present.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static AdvisedSentence *find(const Advice *advice, const char *sentence)
{
    for (uint32_t i = 0; i < advice->count; i++) {
        if (strcmp(advice->sentences[i].text, sentence) == 0) {
            return &advice->sentences[i];
        }
    }
    return NULL;
}

/* Takes ownership of the numbers. */
static void say_again(AdvisedSentence *said, const AdviceNumber *number, char *numbers)
{
    said->times++;
    if (AdviceGainsMore(number, &said->number)) {
        char *before = said->numbers;

        said->number = *number;
        said->numbers = numbers;
        numbers = before;
    }
    free(numbers);
}

/* Takes ownership of the numbers. False without memory. */
static bool say(Advice *advice, const char *sentence, const AdviceNumber *number, char *numbers)
{
    AdvisedSentence added = { .numbers = numbers, .number = *number, .times = 1 };

    added.text = strdup(sentence);
    if (added.text == NULL ||
        !OpprofGrow32(&advice->sentences, &advice->capacity, (uint64_t) advice->count + 1,
                      sizeof *advice->sentences)) {
        free(added.text);
        free(numbers);
        return false;
    }
    advice->sentences[advice->count++] = added;
    return true;
}

void AdviceAdd(Advice *advice, const char *sentence, const AdviceNumber *number,
               const char *numbers, ...)
{
    AdvisedSentence *said = find(advice, sentence);
    char *text = NULL;
    va_list args;

    if (sentence[0] == '\0') {
        return;
    }
    va_start(args, numbers);
    if (vasprintf(&text, numbers, args) < 0) {
        text = NULL;
    }
    va_end(args);
    if (text == NULL) {
        advice->is_short_of_memory = true;
    } else if (said != NULL) {
        say_again(said, number, text);
    } else if (!say(advice, sentence, number, text)) {
        advice->is_short_of_memory = true;
    }
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

/* The file's path with the launch's folder before it. False without memory. */
static bool place_file(const AdvisedSentence *sentence, OpprofAdviceText *advice, char **ret_file)
{
    const AdviceNumber *number = &sentence->number;

    *ret_file = NULL;
    advice->gain = number->gain;
    if ((number->file == NULL && number->table == NULL) || OpprofIsNaF64(number->value)) {
        advice->file = NULL;
        advice->column = NULL;
        return true;
    }
    advice->column = number->column;
    advice->unit = number->unit;
    advice->value = number->value;
    if (asprintf(ret_file, "%s%s%s%s", advice->subject, advice->subject[0] == '\0' ? "" : "/",
                 number->table != NULL ? number->table : number->file,
                 number->table != NULL ? ".csv" : "") < 0) {
        *ret_file = NULL;
    }
    advice->file = *ret_file;
    return *ret_file != NULL;
}

static OpprofStatus push_one(OpprofStage *stage, uint32_t port, uint32_t partition,
                             const AdvisedSentence *sentence, OpprofAdviceText *advice)
{
    char *numbers = NULL;
    char *file = NULL;
    OpprofStatus status = OPPROF_E_MEMORY;

    advice->sentence = sentence->text;
    advice->numbers = sentence->numbers;
    if (sentence->times > 1) {
        if (asprintf(&numbers, "%s, times=%u", sentence->numbers, sentence->times) < 0) {
            return OPPROF_E_MEMORY;
        }
        advice->numbers = numbers;
    }
    if (place_file(sentence, advice, &file)) {
        status = OpprofStageAdvise(stage, port, partition, advice);
    }
    free(file);
    free(numbers);
    return status;
}

OpprofStatus AdvicePush(Advice *advice, const AdviceTarget *target, const LaunchView *view,
                        OpprofError **error)
{
    char *subject = OpprofLaunchPath(target->stage, view->launch.device, view->launch.kernel,
                                     view->launch.order, NULL);
    OpprofAdviceText text = { .severity = target->severity,
                              .topic = target->topic,
                              .subject = subject };
    OpprofStatus status =
        advice->is_short_of_memory || subject == NULL ? OPPROF_E_MEMORY : OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < advice->count; i++) {
        status = push_one(target->stage, target->port, view->batch->partition,
                          &advice->sentences[i], &text);
    }
    free(subject);
    AdviceFinish(advice);
    return OpprofErrorExplain(error, status, "Cannot advise");
}
