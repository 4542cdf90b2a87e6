/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EXPORT_SPOOL_RANGES_H
#define EXPORT_SPOOL_RANGES_H

#include <opprof/kit/spool.h>

/* A range of a spool. */
typedef struct SpoolRange {
    uint64_t offset;
    uint64_t size;
} SpoolRange;

/* What was put into a shared spool, piece by piece; adjacent pieces are one
 * range. Zeroed: nothing. */
typedef struct SpoolRanges {
    SpoolRange *list;
    uint32_t count;
    uint32_t capacity;
    uint64_t size; /* bytes of all */
} SpoolRanges;

/* How many bytes to collect before they are appended. There may be thousands of small ones at once,
 * so a buffer is a
   thirty-second of what is already there, between 4 and 256 KiB. */
static inline size_t SpoolRangesPiece(const SpoolRanges *ranges)
{
    const uint64_t part = ranges->size / 32;

    return part < (32u << 10) ? 4u << 10 : part < (256u << 10) ? (size_t) part : 256u << 10;
}

/* Append bytes to the spool. OPPROF_OK, OPPROF_E_IO, OPPROF_E_MEMORY. */
OpprofStatus SpoolRangesAppend(SpoolRanges *ranges, OpprofSpool *spool,
                               OpprofOutputDirectory *directory, const char *bytes, size_t size,
                               OpprofError **error);

/* Append everything to a file, without that many bytes at the beginning, which are in the first
 * piece. */
OpprofStatus SpoolRangesCopy(const SpoolRanges *ranges, const OpprofSpool *spool, size_t skipped,
                             OpprofOutputFile *file, OpprofError **error);

/* Shrink the list to the existing ranges: usually one or two. */
void SpoolRangesTrim(SpoolRanges *ranges);

/* A zeroed one is allowed. */
void SpoolRangesFinish(SpoolRanges *ranges);

#endif
