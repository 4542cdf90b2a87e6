/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LIVE_COUNTS_H
#define COLLECT_SIM_LIVE_COUNTS_H

/*
 * The first reading of an operator's logs, line by line while it runs. No pair is certain before all records are
 * counted, so the second reading follows at the operator's end; until then its lines lie in a spool. In memory are
 * the counts alone.
 */

#include "collect-sim/read/work.h"
#include "line.h"

typedef struct LiveCounts {
    const SimFacts *facts; /* borrowed */
    const char *left_out;  /* as in PairingOptions, borrowed */
    Pairing *pairings[LIVE_CORES][LIVE_SUB_CORES];
    bool is_lost; /* no memory: the counts must be read from the files */
} LiveCounts;

/* Begin with an operator. */
void LiveCountsStart(LiveCounts *counts, const SimFacts *facts, const char *left_out);
/* Take the line of a record, without its newline; 64 bytes after it are readable. */
void LiveCountsTake(LiveCounts *counts, const OpprofLiveRecord *record, const char *line,
                    size_t length);
/* The operator has ended: its cores in `work`, which is made of the same lines, are counted. */
void LiveCountsGive(LiveCounts *counts, Work *work);
void LiveCountsFinish(LiveCounts *counts);

#endif
