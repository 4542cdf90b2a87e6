/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LIVE_OPERATORS_H
#define COLLECT_SIM_LIVE_OPERATORS_H

/*
 * The operators of a live run. Each is recorded into a directory of its own, so that several
 * processes, threads and devices do not mix, and its records are counted as they come. The first one is
 * for the stage's ports; the pairs of each further one are made when it has ended, by a pipeline of its own.
 */

#include "counts.h"
#include "dumps.h"
#include "spool.h"
#include <opprof/kit/live_host.h>
#include <opprof/stage.h>

typedef struct LiveOperator {
    uint32_t id;     /* from 1 */
    uint32_t client; /* number */
    uint32_t device;
    char name[OPPROF_LIVE_MOST_NAME + 1]; /* of the kernel */
    char place[400]; /* below the results: "dump", or "device0/<kernel>/0/dump" */
    LiveSpool spool;
    LiveCounts *counts; /* NULL: they are given, or must be read from the files */
    bool has_ended;
    bool is_dumped; /* its simulator writes dump files itself */
    bool is_shared; /* so did another process's while it ran */
} LiveOperator;

typedef struct LiveOperators {
    OpprofStage *stage;
    OpprofLiveFilter filter;
    const char *chip; /* NULL: what the first program says */
    bool has_flags;   /* instructions that set flags and wait for them count */
    SimFacts facts;   /* of the first one's chip; facts.chip NULL: not known yet */
    bool has_facts;
    char soc[64];
    LiveCountsBudget budget;
    LiveDumps dumps; /* of programs without log callbacks */
    uint32_t *mute;  /* numbers of their clients */
    uint32_t mute_count;
    uint32_t mute_room;
    LiveOperator **operators;
    uint32_t count;
    uint32_t room;
    uint64_t clients; /* that said hello */
    bool wants_end;   /* an operator that completes its process's number has ended */
} LiveOperators;

/* Events of a server go to here. */
OpprofLiveEvents LiveOperatorsEvents(LiveOperators *operators);
/* The first one, NULL if none yet. */
LiveOperator *LiveOperatorsFirst(const LiveOperators *operators);
/* Whether one is being recorded. */
bool LiveOperatorsAreBusy(const LiveOperators *operators);
/* Its counts are given, or of no use any more. */
void LiveOperatorForgetCounts(LiveOperator *operator);
/* Those that have not ended will not any more. */
void LiveOperatorsCut(LiveOperators *operators);
void LiveOperatorsFinish(LiveOperators *operators);

#endif
