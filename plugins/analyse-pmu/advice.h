/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PMU_ADVICE_H
#define PARSE_PMU_ADVICE_H

#include "analysis.h"

/* A sentence, and what it rests on where it was first said. */
typedef struct AdvisedSentence {
    char *text;
    char *numbers;
    uint32_t times;
} AdvisedSentence;

/* What an analysis advises about a launch: each sentence once, in the order of the first of them.
 */
typedef struct Advice {
    AdvisedSentence *sentences;
    uint32_t count;
    uint32_t capacity;
    bool is_short_of_memory;
} Advice;

/*
 * The texts are copied; an empty sentence says nothing. `numbers` are "name=value unit, …" as a
 * format with arguments.
 */
OPPROF_PRINTF(3, 4)
void AdviceAdd(Advice *advice, const char *sentence, const char *numbers, ...);

/* Give the sentences to a port, and forget them. */
OpprofStatus AdvicePush(Advice *advice, OpprofStage *stage, uint32_t port, const LaunchView *view,
                        OpprofSeverity severity, const char *topic, OpprofError **error);

/* Forget the sentences. */
void AdviceFinish(Advice *advice);

/* The output port of all analyses that advise. */
#define ADVICE_OUTPUT                                                                              \
    {                                                                                              \
        .name = "advice", .record_type = &opprof_advice_type,                                      \
        .summary = "What the view advises, in sentences."                                          \
    }

#endif
