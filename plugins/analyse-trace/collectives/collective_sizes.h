/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_COLLECTIVES_COLLECTIVE_SIZES_H
#define ANALYSE_TRACE_COLLECTIVES_COLLECTIVE_SIZES_H

#include "analyse-trace/common/collectives.h"
#include "analyse-trace/common/rows.h"

/* How fast collectives of one kind move their data, by size. */

#define COLLECTIVE_SIZES 5u /* classes of size */

/* Those of one class of size. */
typedef struct SizeSum {
    uint64_t count; /* matched over ranks */
    uint64_t bytes;
    uint64_t ns;    /* of their transfers, without waiting */
    uint64_t alone; /* not matched */
    uint64_t alone_bytes;
    uint64_t alone_ns; /* with their waiting */
} SizeSum;

typedef struct CollectiveSizes {
    SizeSum classes[COLLECTIVE_SIZES];
} CollectiveSizes;

/* Add one; of one with unknown bytes (UINT64_MAX) nothing. */
void CollectiveSizesAdd(CollectiveSizes *sizes, uint64_t bytes, uint64_t ns, bool is_matched);

/* What the rows of a kind have in common. */
typedef struct SizedKind {
    uint32_t group; /* interned */
    uint32_t name;
    uint64_t ranks;
    double bus_factor; /* NaN: unknown */
} SizedKind;

/* Rows of a kind, one for each class that has some. */
void CollectiveSizesPut(const CollectiveSizes *sizes, const SizedKind *kind, Rows *rows);

extern const OpprofRecordType collective_size_type;

#endif
