/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps where in a spool the pieces of one section are. Tested by tests/plugins/export/test_trace
 * and tests/plugins/export/test_perfetto.sh.
 */
#include "spool_ranges.h"

#include "trim.h"

#include <opprof/grow.h>

#include <stdlib.h>

/* The range from an offset on; adjacent ranges are joined. NULL without memory. */
static SpoolRange *open_range(SpoolRanges *ranges, uint64_t offset)
{
    SpoolRange *last = ranges->count == 0 ? NULL : &ranges->list[ranges->count - 1];

    if (last != NULL && last->offset + last->size == offset) {
        return last;
    }
    if (!OpprofGrow32(&ranges->list, &ranges->capacity, (size_t) ranges->count + 1,
                      sizeof *ranges->list)) {
        return NULL;
    }
    ranges->list[ranges->count] = (SpoolRange){ .offset = offset };
    return &ranges->list[ranges->count++];
}

OpprofStatus SpoolRangesAppend(SpoolRanges *ranges, OpprofSpool *spool,
                               OpprofOutputDirectory *directory, const char *bytes, size_t size,
                               OpprofError **error)
{
    SpoolRange *range = open_range(ranges, spool->total);
    uint64_t unused;
    OpprofStatus status;

    if (range == NULL) {
        return OpprofErrorNoMemory(error, "put events aside");
    }
    status = OpprofSpoolAppend(spool, directory, bytes, size, &unused, error);
    if (status == OPPROF_OK) {
        range->size += size;
        ranges->size += size;
    }
    return status;
}

OpprofStatus SpoolRangesCopy(const SpoolRanges *ranges, const OpprofSpool *spool, size_t skipped,
                             OpprofOutputFile *file, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < ranges->count; i++) {
        const SpoolRange *range = &ranges->list[i];
        const size_t skip = i == 0 ? skipped : 0;

        status = OpprofSpoolCopy(spool, range->offset + skip, range->size - skip, file, error);
    }
    return status;
}

void SpoolRangesTrim(SpoolRanges *ranges)
{
    Trim32(&ranges->list, &ranges->capacity, ranges->count, sizeof *ranges->list);
}

void SpoolRangesFinish(SpoolRanges *ranges)
{
    free(ranges->list);
    *ranges = (SpoolRanges){ .list = NULL };
}
