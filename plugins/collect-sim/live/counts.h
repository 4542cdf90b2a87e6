/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LIVE_COUNTS_H
#define COLLECT_SIM_LIVE_COUNTS_H

/*
 * The first reading of an operator's logs, record by record while it runs. No pair is certain before all records are
 * counted, so the second reading follows at the operator's end; until then its records lie in a spool. In memory are
 * the counts alone, and while it runs what the latest records were: of one operator, and of others that run or wait as
 * long as all together stay within a budget. Operators without counts are counted from their files.
 */

#include "collect-sim/read/work.h"
#include "spool.h"
#include <opprof/kit/live_records.h>

#define LIVE_COUNTS_KIND "collect-sim counts 2 of " OPPROF_VERSION
#define LIVE_COUNTED_LOGS 2u    /* popped and instr */
#define LIVE_COUNTS_STEP 65536u /* records after which an operator's counts are weighed again */

/* Of all operators of a run. One thread. */
typedef struct LiveCountsBudget {
    size_t most; /* bytes */
    size_t held;
} LiveCountsBudget;

typedef struct LiveCounts {
    const char *kind;         /* LIVE_COUNTS_KIND: pointers to these go from module to module */
    LiveCountsBudget *budget; /* borrowed; NULL: none */
    size_t held;              /* of the budget */
    uint32_t records;         /* since that was found out */
    const SimFacts *facts;    /* borrowed */
    const char *left_out;     /* as in PairingOptions, borrowed */
    Pairing *pairings[LIVE_CORES][LIVE_SUB_CORES];
    OpprofLiveMemory *memories[LIVE_CORES][LIVE_SUB_CORES][LIVE_COUNTED_LOGS];
    bool is_lost; /* no memory: the counts must be read from the files */
} LiveCounts;

/* Begin with an operator. */
void LiveCountsStart(LiveCounts *counts, const SimFacts *facts, const char *left_out,
                     LiveCountsBudget *budget);
/* Take records of a log, whole ones; OPPROF_LIVE_AFTER bytes after them are readable. */
void LiveCountsTake(LiveCounts *counts, const OpprofLiveLogs *logs, const uint8_t *records,
                    size_t size);
/* The operator has ended: no more records come. */
void LiveCountsEnd(LiveCounts *counts);
/* Give the counts up if those of all operators are beyond the budget and others hold some: one operator always fits. At its end. */
void LiveCountsWeigh(LiveCounts *counts);
/* The operator is the next to be read: its counts are kept in any case, and may go to another thread. */
void LiveCountsLeaveBudget(LiveCounts *counts);
/*
 * The operator has ended: its cores in `work`, which is made of the same lines, are counted. What `counts` was started
 * with outlives them. Returns the number of cores.
 */
uint32_t LiveCountsGive(LiveCounts *counts, Work *work);
/* What another module of this build has handed over, NULL: nothing. */
LiveCounts *LiveCountsOf(void *handed);
void LiveCountsFinish(LiveCounts *counts);

#endif
