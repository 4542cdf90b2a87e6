/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_PMU_ADVICE_H
#define ANALYSE_PMU_ADVICE_H

#include "analysis.h"

/* The number that a sentence rests on, and where it is. Texts are borrowed for the life of the
 * advice. */
typedef struct AdviceNumber {
    const char *file;   /* of the launch's folder; NULL: no file, or a table's */
    const char *table;  /* of metrics, whose file it is; NULL: no table */
    const char *column; /* of that file */
    const char *unit;   /* NULL: none */
    double value;
    double gain; /* percent of the launch's time that can be saved at most; 0: unknown */
} AdviceNumber;

/* True if a number promises more than another one, and not only by rounding. */
static inline bool AdviceGainsMore(const AdviceNumber *number, const AdviceNumber *other)
{
    return number->gain > other->gain * (1 + 1e-9);
}

#define VIEWS_FILE "visualize_data.bin" /* that contains what views show */

/* A sentence, and what it rests on: where most time can be saved, or where it was first given. */
typedef struct AdvisedSentence {
    char *text;
    char *numbers;
    AdviceNumber number;
    uint32_t times;
} AdvisedSentence;

/* The advice of an analysis about a launch: each sentence once, in the order of first mention. */
typedef struct Advice {
    AdvisedSentence *sentences;
    uint32_t count;
    uint32_t capacity;
    bool is_short_of_memory;
} Advice;

/*
 * The sentence and the numbers are copied; an empty sentence is ignored. `numbers` are "name=value
 * unit, …" as a format with arguments.
 */
OPPROF_PRINTF(4, 5)
void AdviceAdd(Advice *advice, const char *sentence, const AdviceNumber *number,
               const char *numbers, ...);

/* Where advice is given, and as what. Borrowed. */
typedef struct AdviceTarget {
    OpprofStage *stage;
    uint32_t port;
    OpprofSeverity severity;
    const char *topic;
} AdviceTarget;

/* Emit the sentences, and forget them. */
OpprofStatus AdvicePush(Advice *advice, const AdviceTarget *target, const LaunchView *view,
                        OpprofError **error);

/* Forget the sentences. */
void AdviceFinish(Advice *advice);

/* The output port of all analyses that give advice. */
#define ADVICE_OUTPUT                                                                              \
    {                                                                                              \
        .name = "advice", .record_type = &opprof_advice_type,                                      \
        .summary = "The advice of the view, as sentences."                                         \
    }

#endif
