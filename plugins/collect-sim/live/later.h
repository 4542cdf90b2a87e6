/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LIVE_LATER_H
#define COLLECT_SIM_LIVE_LATER_H

/*
 * Later operators: each is parsed by a separate run of sim-dump, beside its dump, in a thread of
 * its own while the program runs on. One at a time, so that only one operator is in memory.
 */

#include "operators.h"
#include "printer.h"
#include <opprof/pipeline.h>
#include <pthread.h>

typedef struct LiveLater {
    OpprofStage *stage;
    const OpprofParams *params;
    LiveOperators *operators;
    uint32_t next; /* current operator; the first is handled elsewhere */
    LiveOperator *current;
    pthread_t thread;     /* while there is a current one */
    pthread_mutex_t lock; /* guards has_ended */
    pthread_cond_t ended;
    bool has_ended;
    /* the thread's until it has ended */
    OpprofPipeline *pipeline;
    bool reads_records;  /* its collector is this one */
    char unprinted[256]; /* why dump files are missing; "": none is */
    char *results;
    OpprofStatus status;
    OpprofError *error;
    OpprofRunReport report;
} LiveLater;

/* Borrows all arguments. */
void LiveLaterInit(LiveLater *later, OpprofStage *stage, const OpprofParams *params,
                   LiveOperators *operators);
/*
 * Report finished operators, and begin with the next one that has ended. Waits for at most `ms`
 * while one is being parsed.
 */
void LiveLaterStep(LiveLater *later, unsigned ms);
/* Whether all ended operators are parsed. */
bool LiveLaterIsDone(const LiveLater *later);
/* Stop the current one early, and wait for it. The rest is left out, which is reported. */
void LiveLaterStop(LiveLater *later);
void LiveLaterFinish(LiveLater *later);

/* Remove an operator's logs, unless they are kept as dump files. */
void LiveTidy(const OpprofParams *params, const LiveOperator *operator);

#endif
