/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_INSIGHT_SPOOL_H
#define VIZ_INSIGHT_SPOOL_H

#include <opprof/output.h>

/*
 * Bytes put aside until the end of the run: the first SPOOL_MEMORY bytes in memory, the rest in a
 * file without a name in the output directory, which vanishes by itself. Zeroed memory is an empty
 * spool.
 */
typedef struct Spool {
    char *memory;
    size_t used;     /* bytes in memory */
    size_t capacity; /* of memory */
    int fd_plus_1;   /* file, or 0 */
    uint64_t total;  /* bytes in memory and file */
} Spool;

#define SPOOL_MEMORY (1u << 20)

/* Append; *ret_offset is where the bytes are. */
OpprofStatus SpoolAppend(Spool *spool, OpprofOutputDirectory *directory, const char *bytes, size_t size,
                         uint64_t *ret_offset, OpprofError **error);

/* Append a range of the spool to a result file. */
OpprofStatus SpoolCopy(const Spool *spool, uint64_t offset, uint64_t size, OpprofOutputFile *file,
                       OpprofError **error);

void SpoolFinish(Spool *spool);

#endif
