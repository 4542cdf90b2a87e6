/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LIVE_COUNTS_H
#define COLLECT_SIM_LIVE_COUNTS_H

/*
 * The first reading of an operator's logs, record by record while it runs. No pair is certain
 * before all records are counted, so the second reading follows at the operator's end; until then
 * its records lie in a spool. In memory are the counts alone, and while it runs what the latest
 * records were: of one operator, and of others that run or wait as long as all together stay within
 * a budget. Operators without counts are counted from their files.
 */

#include "collect-sim/read/entry.h"
#include "collect-sim/read/work.h"
#include "spool.h"

#define LIVE_COUNTED_LOGS 2u    /* popped and instr */
#define LIVE_COUNTS_STEP 65536u /* records between two checks of the counts */

/* For all operators of a run. One thread. */
typedef struct LiveCountsBudget {
    size_t most; /* bytes */
    size_t held;
} LiveCountsBudget;

typedef struct LiveCounts {
    LiveCountsBudget *budget; /* borrowed; NULL: none */
    size_t held;              /* of the budget */
    uint32_t records;         /* since the last check */
    const SimFacts *facts;    /* borrowed */
    const char *left_out;     /* as in PairingOptions, borrowed */
    Pairing *pairings[LIVE_CORES][LIVE_SUB_CORES];
    OpprofLiveMemory *memories[LIVE_CORES][LIVE_SUB_CORES][LIVE_COUNTED_LOGS];
    bool is_lost; /* no memory: the logs must be counted from the files */
} LiveCounts;

/* Begin with an operator. */
void LiveCountsStart(LiveCounts *counts, const SimFacts *facts, const char *left_out,
                     LiveCountsBudget *budget);
/* Add whole records of a log; OPPROF_LIVE_AFTER bytes after them are readable. */
void LiveCountsTake(LiveCounts *counts, const OpprofLiveLogs *logs, const uint8_t *records,
                    size_t size);
/* The operator has ended: no more records come. */
void LiveCountsEnd(LiveCounts *counts);
/*
 * Called at an operator's end: drop its counts if those of all operators exceed the budget and
 * others have some: one operator always fits.
 */
void LiveCountsWeigh(LiveCounts *counts);
/*
 * The operator has ended: marks its cores in `work`, which was made of the same lines, as counted.
 * Arguments of the start outlive `counts`. Returns the number of cores.
 */
uint32_t LiveCountsGive(LiveCounts *counts, Work *work);
void LiveCountsFinish(LiveCounts *counts);

#endif
