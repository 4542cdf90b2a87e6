/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LIVE_LATER_H
#define COLLECT_SIM_LIVE_LATER_H

/*
 * Operators after the first: each is parsed by a run of sim-dump of its own, beside its dump, in a thread of its own
 * while the program goes on. One at a time, so that one operator is in memory.
 */

#include "operators.h"
#include "printer.h"
#include <opprof/pipeline.h>
#include <pthread.h>

typedef struct LiveLater {
    OpprofStage *stage;
    const OpprofParams *params;
    LiveOperators *operators;
    uint32_t next; /* operator; the first is not ours */
    LiveOperator *current;
    pthread_t thread;     /* while there is a current one */
    pthread_mutex_t lock; /* guards has_ended */
    pthread_cond_t ended;
    bool has_ended;
    /* the thread's until it has ended */
    OpprofPipeline *pipeline;
    bool reads_records;  /* its collector is ours */
    char unprinted[256]; /* why dump files are missing; "": none is */
    char *results;
    OpprofStatus status;
    OpprofError *error;
    OpprofRunReport report;
} LiveLater;

/* Borrows all. */
void LiveLaterInit(LiveLater *later, OpprofStage *stage, const OpprofParams *params,
                   LiveOperators *operators);
/* Report what has been parsed, and begin with the next operator that has ended. Waits for at most `ms` while one is parsed. */
void LiveLaterStep(LiveLater *later, unsigned ms);
/* Whether all operators that have ended are parsed. */
bool LiveLaterIsDone(const LiveLater *later);
/* Have the one that is being parsed end early, and wait for it. The rest is left out, which is reported. */
void LiveLaterStop(LiveLater *later);
void LiveLaterFinish(LiveLater *later);

/* Remove an operator's logs, unless they are to be kept as dump files. */
void LiveTidy(const OpprofParams *params, const LiveOperator *operator);

#endif
