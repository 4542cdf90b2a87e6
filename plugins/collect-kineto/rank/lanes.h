/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_RANK_LANES_H
#define COLLECT_KINETO_RANK_LANES_H

#include "collect-kineto/formats/event.h"
#include "collect-kineto/rank/names.h"
#include "collect-kineto/text/chunks.h"

#include <opprof/map.h>

#define LANES_MAX UINT16_MAX /* streams or threads at most */

/*
 * A stream of a device, or a thread of a process. Traces of several processes that were merged
 * into one file have a text in front of the numbers of processes, such as "[TP01] 0": its origin.
 */
typedef struct Lane {
    int64_t device; /* with is_process, the number of the process until the trace is closed */
    int64_t stream;
    int64_t process; /* process of the work; of a thread as of EventNumber */
    uint32_t origin; /* in names; 0: none */
    bool is_process; /* only the process shows the device */
    bool is_queue;   /* a stream by its number, whose work runs one piece after the other */
    bool is_apart;   /* another device of the trace has its number */
} Lane;

/* Distinct lanes. */
typedef struct LaneTable {
    Chunks list;          /* of Lane */
    OpprofTextMap places; /* in list */
} LaneTable;

/* The number and the origin of a process, from its text. */
typedef struct ProcessText {
    JsonText origin; /* empty: none */
    int64_t number;
    bool has_number;
} ProcessText;

ProcessText LaneProcess(JsonText pid);

static inline const Lane *LaneAt(const LaneTable *table, uint32_t i)
{
    return CHUNKS_AT(&table->list, i, const Lane);
}

/*
 * Find or add a lane. One whose device and stream are known, but which is of another process than
 * the first of them, is a lane of its own. *ret_number is LANES_MAX if there are too many. False
 * without memory.
 */
bool LanesFind(LaneTable *table, Lane lane, uint32_t *ret_number);

/* The same for a stream that work of any process may have: the first such lane. */
bool LanesFindStream(LaneTable *table, Lane lane, uint32_t *ret_number);

void LanesFinish(LaneTable *table);

#endif
