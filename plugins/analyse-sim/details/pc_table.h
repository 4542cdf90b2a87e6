/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIM_DETAILS_PC_TABLE_H
#define SIM_DETAILS_PC_TABLE_H

#include "analyse-sim/common/names.h"

#include <opprof/map.h>

/* Facts about one address of a core. Addresses are numbered as they come. */
typedef struct PcState {
    uint64_t pc;
    uint32_t name;     /* interned name of the instruction seen there last */
    uint32_t next;     /* address that was looked up after this one last time */
    NameFacts facts;   /* of that name */
    bool is_issued;    /* seen in issue order */
    bool has_row;      /* seen in order of end */
    bool counts_bytes; /* the first row moved bytes */
    bool has_cycles;   /* fetch and issue times of a row are known */
    bool lacks_cycles; /* those of another row are not */
    int32_t read_conflict;
    int32_t write_conflict;
    float utilization; /* the least; meaningless unless has_use */
    bool has_use;
    int64_t bytes;
    int64_t icache_cycles;
    int64_t ccu_cycles;
} PcState;

typedef struct PcTable {
    PcState *states;
    uint32_t count;
    uint32_t capacity;
    OpprofMap places; /* of the states */
} PcTable;

#define PC_TABLE_NONE OPPROF_MAP_NONE

/*
 * Number of an address, made if it is new; PC_TABLE_NONE without memory. *last is the place of the
 * caller's walk (PC_TABLE_NONE at first): programs mostly run through the same addresses in the
 * same order.
 */
uint32_t PcTableFind(PcTable *table, uint64_t pc, uint32_t *last);
void PcTableFinish(PcTable *table);

#endif
