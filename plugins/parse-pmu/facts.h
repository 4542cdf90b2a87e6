/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PMU_FACTS_H
#define PARSE_PMU_FACTS_H

#include <opprof/kit/pmu_facts.h>

/* Facts of `pmu`, but for those that several families read (opprof/kit/pmu_facts.h). Texts are
 * borrowed from the chip. */

#define PMU_MAX_ROUNDS 64u     /* replays */
#define PMU_MAX_EVENT 65535u   /* largest event id */
#define PMU_NO_SLOT UINT16_MAX /* a counter that a record does not have */
#define OPERAND_MAX_TYPES 64u

typedef struct EventFacts {
    uint32_t id;
    const char *name; /* NULL: none */
    double most_per_cycle;
} EventFacts;

/* Ids of events. */
typedef struct EventIds {
    uint32_t *ids;
    uint32_t count;
} EventIds;

/* Events that each pass counts on a kind of cores. */
typedef struct RoundFacts {
    const char *kind;
    EventIds *rounds;
    uint32_t count;
} RoundFacts;

/* The events of a group on a kind of cores. */
typedef struct KindEvents {
    const char *kind;
    EventIds events;
} KindEvents;

typedef struct GroupFacts {
    const char *name;
    KindEvents *kinds;
    uint32_t count;
} GroupFacts;

/* The record of the L2 cache's counters. */
typedef struct L2Facts {
    EventIds events;     /* of its counters */
    const char *group;   /* which asks for it; NULL: any */
    uint32_t size;       /* 0: the chip leaves none */
    uint16_t at;         /* of the first counter */
    uint16_t evict_slot; /* PMU_NO_SLOT: none */
    uint8_t bits;        /* of a counter */
    bool is_big;
} L2Facts;

/* Facts about the file, `pmu.records.operands`: bytes, each a multiple of eight. */
typedef struct OperandLayout {
    uint32_t magic;           /* the file begins with it */
    uint32_t header;          /* of the file */
    uint32_t types;           /* entries of a part */
    uint32_t entry;           /* of a type */
    uint32_t instructions_at; /* in an entry */
    uint32_t operands_at;
    uint32_t gap; /* after each part, and after the record */
    bool is_big;  /* big-endian */
} OperandLayout;

typedef struct PmuFacts {
    EventFacts *events;
    uint32_t event_count;
    RoundFacts *rounds;
    uint32_t round_count; /* kinds of cores that have some */
    GroupFacts *groups;
    uint32_t group_count;
    const char **operands; /* names of their types */
    uint32_t operand_count;
    const char **moves; /* names of paths */
    uint32_t move_count;
    uint32_t operand_threads;
    uint32_t max_rounds; /* that the driver takes */
    bool is_always_fixed;
    bool moves_by_core;
    const char *op_type; /* of all operators; NULL: by the kinds that ran */
    const char *mix;     /* type of operators that ran on several kinds */
    const char *none;    /* on none */
    L2Facts l2;
    OperandLayout operand_record;
    uint32_t slots; /* counters of a record */
} PmuFacts;

extern const OpprofFactTable pmu_table;
/* Permitted facts. */
extern const OpprofChipTable pmu_chip_tables[];

/* The replays of a kind of cores; NULL: none. */
const RoundFacts *PmuRoundsOf(const PmuFacts *facts, const char *kind);
/* The events of a group on a kind of cores; NULL: none. */
const EventIds *PmuGroupEvents(const GroupFacts *group, const char *kind);

#endif
