/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_DBI_TYPES_H
#define PARSE_DBI_TYPES_H

#include <opprof/record.h>

/* Record of the table: what a core moved between two memories. */
typedef struct DbiTraffic {
    uint64_t accesses;
    uint64_t src_bytes;
    uint64_t dst_bytes;
    uint64_t requests; /* of the first path of the chip in that direction; absent if none */
    uint32_t device;   /* interned part of the results' folder, or absent */
    uint32_t kernel;
    uint32_t order;
    uint32_t block;
    uint32_t core; /* interned "vector0", "vector1", "cube0" */
    uint32_t from; /* interned */
    uint32_t to;
    uint32_t reserved; /* 0 */
} DbiTraffic;

extern const OpprofRecordType dbi_traffic_type;

#endif
