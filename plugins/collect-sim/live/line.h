/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LIVE_LINE_H
#define COLLECT_SIM_LIVE_LINE_H

/*
 * Log records of a running simulator as the lines of its dump files, so that a running operator and its
 * dump are the same text for all readers.
 */

#include "collect-sim/read/facts.h"
#include <opprof/kit/live.h>

#define LIVE_CORES 100u /* of those beyond, nothing is kept */
#define LIVE_SUB_CORES 3u

/* "core3.veccore0." before the names of a record's files; "core3." where the chip's files name no sub-cores. */
void LiveCorePrefix(const SimFacts *facts, const OpprofLiveRecord *record, char *text, size_t room);

/* The place of a record's sub-core in arrays; 0 where the chip's files name none. */
uint32_t LiveSubCore(const SimFacts *facts, const OpprofLiveRecord *record);

/* Room for any line that a record makes. */
#define LIVE_MOST_LINE (2 * OPPROF_LIVE_MOST_TEXT + 256)

/* The line of a record, with its newline and a NUL. Returns its length; 0: it does not fit. */
size_t LiveLine(const SimFacts *facts, const OpprofLiveRecord *record, const char *first,
                const char *second, char *line, size_t room);

#endif
