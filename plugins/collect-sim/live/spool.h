/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_LIVE_SPOOL_H
#define COLLECT_SIM_LIVE_SPOOL_H

/* One operator's lines as the simulator's dump files, in a directory of its own. */

#include "line.h"
#include <opprof/error.h>
#include <stdio.h>

#define SPOOL_KINDS 5u

/* A dump file that grows; no buffer: there is none. */
typedef struct SpoolFile {
    int fd;
    size_t used;  /* bytes that are not written yet, … */
    char *buffer; /* … of these */
} SpoolFile;

typedef struct LiveSpool {
    char *directory;
    const SimFacts *facts;                           /* borrowed */
    SpoolFile (*files)[LIVE_SUB_CORES][SPOOL_KINDS]; /* of LIVE_CORES; NULL: it is closed */
    SpoolFile kernel;
    char *line; /* of a record without a file */
    uint64_t records;
    uint64_t left_out; /* of cores that have no place */
    bool failed;       /* to write; then *reason says why */
    char reason[256];
} LiveSpool;

/* Make the directory, which must not exist, and its parents below `results`. */
OpprofStatus LiveSpoolOpen(LiveSpool *spool, const char *results, const char *relative,
                           const SimFacts *facts, OpprofError **error);
/*
 * The line of a record, and its length with the newline. It lies in its file's buffer, or where there is no such file in a
 * place of its own; 64 bytes after it are readable. It is valid until the next one. Length 0: it has none.
 */
const char *LiveSpoolLine(LiveSpool *spool, const OpprofLiveRecord *record, const char *first,
                          const char *second, size_t *ret_length);
/* A piece of the kernel's ELF file, which becomes aicore_binary.o; and where it is loaded. */
void LiveSpoolKernel(LiveSpool *spool, uint64_t start_pc, const void *data, size_t size);
/* All is written; false: some is not, and *reason says why. */
bool LiveSpoolClose(LiveSpool *spool);
/* Remove the logs and leave the kernel. */
void LiveSpoolRemoveLogs(const LiveSpool *spool);
void LiveSpoolFinish(LiveSpool *spool);

#endif
