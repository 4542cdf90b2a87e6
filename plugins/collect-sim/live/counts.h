/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LIVE_COUNTS_H
#define COLLECT_SIM_LIVE_COUNTS_H

/*
 * The first reading of an operator's logs, line by line while it runs. No pair is certain before all records are
 * counted, so the second reading follows at the operator's end; until then its lines lie in a spool. In memory are
 * the counts alone: of one operator, and of others that run or wait as long as all together stay within a budget.
 * Operators without counts are counted from their files.
 */

#include "collect-sim/read/work.h"
#include "line.h"

#define LIVE_COUNTS_KIND "collect-sim counts 1 of " OPPROF_VERSION
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
    bool is_lost; /* no memory: the counts must be read from the files */
} LiveCounts;

/* Begin with an operator. */
void LiveCountsStart(LiveCounts *counts, const SimFacts *facts, const char *left_out,
                     LiveCountsBudget *budget);
/* Take the line of a record, without its newline; 64 bytes after it are readable. */
void LiveCountsTake(LiveCounts *counts, const OpprofLiveRecord *record, const char *line,
                    size_t length);
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
