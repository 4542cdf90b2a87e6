/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_PMU_ADVICE_H
#define ANALYSE_PMU_ADVICE_H

#include "analysis.h"

/* The number that a sentence rests on, and where it stands. Texts are borrowed for the life of the advice. */
typedef struct AdviceNumber {
    const char *file;   /* of the launch's folder; NULL: in none, or of a table */
    const char *table;  /* of metrics, whose file it is; NULL: of none */
    const char *column; /* of that file */
    const char *unit;   /* NULL: none */
    double value;
    double gain; /* percent of the launch's time that could be won at most; 0: not known */
} AdviceNumber;

#define VIEWS_FILE "visualize_data.bin" /* that holds what views show */

/* A sentence, and what it rests on where most could be won, or where it was first said. */
typedef struct AdvisedSentence {
    char *text;
    char *numbers;
    AdviceNumber number;
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
 * The sentence and the numbers are copied; an empty sentence says nothing. `numbers` are "name=value unit, …" as a
 * format with arguments.
 */
OPPROF_PRINTF(4, 5)
void AdviceAdd(Advice *advice, const char *sentence, const AdviceNumber *number,
               const char *numbers, ...);

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
