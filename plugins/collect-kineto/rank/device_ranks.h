/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_RANK_DEVICE_RANKS_H
#define COLLECT_KINETO_RANK_DEVICE_RANKS_H

#include "collect-kineto/rank/linked_trace.h"

/* Devices of a file that are ranks of their own, since they take part in the same collectives. */
typedef struct DeviceRanks {
    int64_t *devices; /* ascending; NULL if all of the file is one rank */
    uint32_t count;
} DeviceRanks;

/* False without memory. */
bool DeviceRanksFind(const RankTrace *trace, const LinkedTrace *linked, DeviceRanks *ret_ranks);

/* A zeroed one is allowed. */
void DeviceRanksFinish(DeviceRanks *ranks);

#endif
