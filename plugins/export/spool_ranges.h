/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EXPORT_SPOOL_RANGES_H
#define EXPORT_SPOOL_RANGES_H

#include <opprof/kit/spool.h>

/* A range of a spool. */
typedef struct SpoolRange {
    uint64_t offset;
    uint64_t size;
} SpoolRange;

/* What was put into a spool that several share, piece by piece; pieces that follow each other are one range. Zeroed: nothing. */
typedef struct SpoolRanges {
    SpoolRange *list;
    uint32_t count;
    uint32_t capacity;
} SpoolRanges;

/* Append bytes to the spool. OPPROF_OK, OPPROF_E_IO, OPPROF_E_MEMORY. */
OpprofStatus SpoolRangesAppend(SpoolRanges *ranges, OpprofSpool *spool,
                               OpprofOutputDirectory *directory, const char *bytes, size_t size,
                               OpprofError **error);

/* Append all of it to a file, but for as many bytes at its beginning, which the first piece has. */
OpprofStatus SpoolRangesCopy(const SpoolRanges *ranges, const OpprofSpool *spool, size_t skipped,
                             OpprofOutputFile *file, OpprofError **error);

/* Hold no more room than there are ranges: usually one or two. */
void SpoolRangesTrim(SpoolRanges *ranges);

/* Accepts a zeroed one. */
void SpoolRangesFinish(SpoolRanges *ranges);

#endif
