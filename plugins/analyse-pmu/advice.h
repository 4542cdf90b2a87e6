/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PMU_ADVICE_H
#define PARSE_PMU_ADVICE_H

#include "analysis.h"

/* What an analysis advises about a launch: each sentence once, in the order of the first of them.
 */
typedef struct Advice {
    char **sentences;
    uint32_t count;
    uint32_t capacity;
    bool is_short_of_memory;
} Advice;

/* The text is copied; an empty one says nothing. */
void AdviceAdd(Advice *advice, const char *sentence);

/* Push the sentences to a port, as the last batch of the launch there, and forget them. */
OpprofStatus AdvicePush(Advice *advice, OpprofStage *stage, uint32_t port, const LaunchView *view,
                        OpprofError **error);

/* Forget the sentences. */
void AdviceFinish(Advice *advice);

/* The output port of all analyses that advise. */
#define ADVICE_OUTPUT                                                                              \
    {                                                                                              \
        .name = "advice", .record_type = &opprof_onboard_advice_type,                              \
        .summary = "What the view advises, in sentences."                                          \
    }

#endif
