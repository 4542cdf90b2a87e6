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

/*
 * Facts about the streams of bus and pipe activity (`biu`): the control codes of
 * words (`biu.words`), or the layout of the older records of two monitors (`biu.monitor`).
 */

#define BIU_CONTROLS 16u
#define BIU_PIPES 7u
#define BIU_PIECES 4u
#define BIU_GROUPS 256u

/* Meaning of a word's control code. */
typedef enum BiuControl {
    BIU_CONTROL_MARK_0 = 0, /* a mark on pipe 0; the next codes are those of the other pipes */
    BIU_CONTROL_TIME = BIU_PIPES, /* only time advances */
    BIU_CONTROL_STAMP,            /* a quarter of a start stamp */
    BIU_CONTROL_STATE             /* which pipes are busy */
} BiuControl;

/* The pieces of eight bytes that make up the 32 bytes of a monitor in a record. */
typedef struct BiuPieces {
    uint16_t at[BIU_PIECES];
    uint32_t count; /* 0: the record has no such monitor */
} BiuPieces;

typedef struct BiuRecord {
    uint32_t size;
    BiuPieces flow;
    BiuPieces cycles;
} BiuRecord;

typedef struct BiuFacts {
    bool has_words;
    bool has_monitors;
    uint8_t controls[BIU_CONTROLS];     /* BiuControl of each code */
    const char *pipes[BIU_PIPES];       /* "SCALAR" …; borrowed from the chip */
    const char *short_pipes[BIU_PIPES]; /* "SU" …, the names of the system profiler; borrowed */
    uint32_t control_count;
    uint32_t pipe_count;
    uint32_t short_count;
    uint32_t groups;                  /* that the driver's channels have */
    uint32_t group_cores[BIU_GROUPS]; /* physical numbers of their cores */
    uint32_t group_core_count;        /* 0: they are those of the groups */
    uint32_t cores;                   /* of the chip; 0: unknown */
    uint64_t counter_hz;
    uint64_t core_hz;
    BiuRecord cube_record;
    BiuRecord vector_record;
} BiuFacts;

/* Permitted facts. */
extern const OpprofChipTable biu_chip_tables[];

/* Fails with OPPROF_E_DATA and the member that is missing or wrong. */
OpprofStatus BiuFactsLoad(const OpprofChip *chip, BiuFacts *ret_facts, OpprofError **error);

#endif
