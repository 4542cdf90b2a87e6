/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LIVE_SPOOL_H
#define COLLECT_SIM_LIVE_SPOOL_H

/*
 * One operator's log records as they arrive, in a directory of its own: a file for each dump file
 * that its simulator would have written (collect-sim/read/records.h). Nothing is printed while the
 * program runs.
 */

#include "collect-sim/read/facts.h"
#include <opprof/error.h>
#include <opprof/kit/live.h>

#define LIVE_CORES 100u /* larger ones are dropped */
#define LIVE_SUB_CORES 3u

/* A descriptor plus 1; 0: no such file yet. */
typedef int SpoolFile;

/* A directory that does not exist yet: its path below another one, which is open. */
typedef struct LiveSpoolPlace {
    int results;
    const char *results_path; /* for what is said, and for those who read the files */
    const char *relative;
} LiveSpoolPlace;

typedef struct LiveSpool {
    char *directory;
    const char *relative;  /* the part of it below `results` */
    int results;           /* borrowed */
    SpoolFile folder;      /* the directory; 0: it is closed */
    const char *name;      /* of the kernel, for the dump; NULL: none. Borrowed, set by the owner */
    const SimFacts *facts; /* borrowed */
    SpoolFile (
        *files)[LIVE_SUB_CORES][OPPROF_LIVE_LOGS_OF_CORE]; /* of LIVE_CORES; NULL: it is closed */
    SpoolFile kernel;
    bool lacks_start; /* the kernel is there, but where it is loaded is not known */
    uint64_t records;
    uint64_t left_out; /* of cores without a place, and of kinds that the chip does not print */
    bool failed;       /* to write; then *reason says why */
    char reason[256];
} LiveSpool;

/* "core3.veccore0." before the names of a core's files; "core3." where the chip's files name no
 * sub-cores. */
void LiveCorePrefix(const SimFacts *facts, uint32_t core, uint32_t sub_core, char *text,
                    size_t room);
/* The place of a sub-core in arrays; 0 where the chip's files name none. */
uint32_t LiveSubCore(const SimFacts *facts, uint32_t sub_core);

/* Make the directory, which must not exist, and its parents below the results. */
OpprofStatus LiveSpoolOpen(LiveSpool *spool, const LiveSpoolPlace *place, const SimFacts *facts,
                           OpprofError **error);
/* Add records of a log. False: they have no place. */
bool LiveSpoolTake(LiveSpool *spool, const OpprofLiveLogs *logs, const uint8_t *records,
                   size_t size);
/* A piece of the kernel's ELF file, which becomes aicore_binary.o; and where it is loaded. */
void LiveSpoolKernel(LiveSpool *spool, uint64_t start_pc, const void *data, size_t size);
/* The runtime did not say where the kernel is loaded, but the logs do: nothing else is written. */
void LiveSpoolStart(LiveSpool *spool, uint64_t start_pc);
/* All is written; false: some could not be, for *reason. */
bool LiveSpoolClose(LiveSpool *spool);
/* Remove the logs and leave the kernel. */
void LiveSpoolRemoveLogs(const LiveSpool *spool);
void LiveSpoolFinish(LiveSpool *spool);

#endif
