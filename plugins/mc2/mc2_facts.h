/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_FACTS_H
#define MC2_FACTS_H

#include <opprof/kit/record_bits.h>

#include <string.h>

/*
 * What a chip file says about the records that these timelines are made of: `pmu.records` (blocks
 * and the log of the task scheduler), `pmu.defaults.scheduler_khz` (the system counter), `mc2`
 * (which physical cores are cube cores, which tasks are core tasks).
 */

#define FACTS_MAX_RANGES 8u

/* A record of a block's counters (DeviceProf<k>.bin): here only who ran, and when. */
typedef struct BlockLayout {
    OpprofRecordBits function;
    OpprofRecordBits core_type;
    OpprofRecordBits block;
    OpprofRecordBits sub_block;
    OpprofRecordBits stream;
    OpprofRecordBits task;
    OpprofRecordBits start;
    OpprofRecordBits end;
    uint64_t accepted; /* bit f: records of function f count; 0: all do */
    uint64_t cube;     /* value of core_type for a cube core */
    uint32_t size;     /* 0: the chip leaves none */
} BlockLayout;

/* A record of the task scheduler's log (duration.bin). */
typedef struct LogLayout {
    OpprofRecordBits function;
    OpprofRecordBits type;
    OpprofRecordBits time;
    OpprofRecordBits stream;
    OpprofRecordBits task;
    uint64_t start; /* function of records that state a start */
    uint64_t end;
    uint64_t core_types; /* bit t: tasks of type t run on AI cores */
    uint32_t size;
} LogLayout;

typedef struct CoreRange {
    uint32_t first;
    uint32_t last;
} CoreRange;

typedef struct Mc2Facts {
    BlockLayout blocks;
    LogLayout log;
    CoreRange cubes[FACTS_MAX_RANGES]; /* physical numbers of cube cores */
    uint32_t cube_count;
    uint64_t counter_khz; /* of the system counter */
    bool uncertain_types; /* the meaning of some core types is uncertain */
} Mc2Facts;

/* Fails with OPPROF_E_DATA and the member that is missing. */
OpprofStatus Mc2FactsLoad(const OpprofChip *chip, Mc2Facts *ret_facts, OpprofError **error);

/* True if a physical core is a cube core. */
bool Mc2FactsIsCube(const Mc2Facts *facts, uint32_t core);

#endif
