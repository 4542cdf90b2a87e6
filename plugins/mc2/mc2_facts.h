/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_FACTS_H
#define MC2_FACTS_H

#include <opprof/kit/pmu_facts.h>
#include <opprof/record.h>

#include <string.h>

/*
 * Facts about the records that these timelines are made of: `pmu` (blocks, the log of the task
 * scheduler, the system counter) and `mc2` (which physical cores are cube cores, which tasks are
 * core tasks).
 */

#define FACTS_MAX_RANGES 8u

/* A record of a block's counters (DeviceProf<k>.bin): here only who ran, and when. */
typedef struct BlockLayout {
    OpprofCounterRecord record; /* of size 0: the chip leaves none with times */
    uint64_t cube;              /* value of core_type for a cube core */
} BlockLayout;

typedef struct CoreRange {
    uint32_t first;
    uint32_t last;
} CoreRange;

typedef struct Mc2Facts {
    BlockLayout blocks;
    OpprofTaskRecord log;              /* of the task scheduler (duration.bin) */
    CoreRange cubes[FACTS_MAX_RANGES]; /* physical numbers of cube cores */
    uint32_t cube_count;
    uint64_t counter_khz; /* of the system counter */
    bool uncertain_types; /* the meaning of some core types is uncertain */
} Mc2Facts;

/* Permitted facts. */
extern const OpprofChipTable mc2_chip_tables[];

/* Fails with OPPROF_E_DATA and the member that is missing. */
OpprofStatus Mc2FactsLoad(const OpprofChip *chip, Mc2Facts *ret_facts, OpprofError **error);

/* True if a physical core is a cube core. */
bool Mc2FactsIsCube(const Mc2Facts *facts, uint32_t core);

#endif
