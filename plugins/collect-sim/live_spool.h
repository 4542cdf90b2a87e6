/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LIVE_SPOOL_H
#define COLLECT_SIM_LIVE_SPOOL_H

/*
 * One operator's records as the lines of the simulator's dump files, in a directory of its own. So a
 * running operator and its dump are parsed by the same code from the same text.
 */

#include "collect-sim/read/facts.h"
#include <opprof/kit/live.h>
#include <stdio.h>

#define SPOOL_CORES 100u
#define SPOOL_KINDS 5u

typedef struct LiveSpool {
    char *directory;
    const SimFacts *facts; /* borrowed */
    FILE *files[SPOOL_CORES][3][SPOOL_KINDS];
    FILE *kernel;
    uint64_t records;
    uint64_t left_out; /* of cores that have no place */
    bool failed;       /* to write; then *reason says why */
    char reason[256];
} LiveSpool;

/* Make the directory, which must not exist, and its parents below `results`. */
OpprofStatus LiveSpoolOpen(LiveSpool *spool, const char *results, const char *relative,
                           const SimFacts *facts, OpprofError **error);
void LiveSpoolRecord(LiveSpool *spool, const OpprofLiveRecord *record, const char *first,
                     const char *second);
/* A piece of the kernel's ELF file, which becomes aicore_binary.o; and where it is loaded. */
void LiveSpoolKernel(LiveSpool *spool, uint64_t start_pc, const void *data, size_t size);
/* All is written; false: some is not, and *reason says why. */
bool LiveSpoolClose(LiveSpool *spool);
/* Remove the logs and leave the kernel. */
void LiveSpoolRemoveLogs(const LiveSpool *spool);
void LiveSpoolFinish(LiveSpool *spool);

/* A line of a log, as the simulator writes it, with its newline. Returns its length; 0: it does not fit. */
size_t LiveLine(const SimFacts *facts, const OpprofLiveRecord *record, const char *first,
                const char *second, char *line, size_t room);

#endif
