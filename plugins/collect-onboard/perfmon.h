/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_ONBOARD_PERFMON_H
#define COLLECT_ONBOARD_PERFMON_H

#include "register_window.h"

#include <opprof/kit/chip.h>
#include <stdbool.h>

/*
 * The performance monitors of cores, programmed by hand: each writes its words into a buffer of its
 * own, which is drained whenever a task ends. Any number of cores, no thread of its own.
 */

#define PERFMON_SUB_CORES 3u /* AIC, AIV0, AIV1 */

typedef enum PerfmonRegister {
    PERFMON_ENABLE,
    PERFMON_BASE_LOW,
    PERFMON_BASE_HIGH,
    PERFMON_LENGTH,
    PERFMON_POINTER,
    PERFMON_CLEAR,
    PERFMON_COUNT, /* words that were written; without it laps of a ring cannot be counted */
    PERFMON_REGISTERS
} PerfmonRegister;

/* What the chip file says (`perfmon`). */
typedef struct PerfmonFacts {
    uint32_t offsets[PERFMON_REGISTERS];
    bool is_provisional;      /* something of it was never seen on silicon */
    bool has_count;           /* PERFMON_COUNT can be relied on */
    bool is_ring;             /* else it stops at the buffer's end */
    uint32_t unit;            /* bytes that PERFMON_POINTER counts in */
    uint32_t sub_core_stride; /* bytes between sub-cores in a core's window */
    uint32_t dies;
    uint32_t cores_of_die;
} PerfmonFacts;

OpprofStatus PerfmonFactsLoad(const OpprofChip *chip, PerfmonFacts *ret_facts, OpprofError **error);

/* Place of a sub-core in the driver's table of registers: each die has its AICs, then pairs of
 * AIVs. */
uint32_t PerfmonTableIndex(const PerfmonFacts *facts, uint32_t core, uint32_t sub_core);

/* Bytes of a unit in the order in which it wrote them; `lost` were overwritten before them. False:
 * stop draining. */
typedef bool PerfmonTake(void *context, uint32_t core, uint32_t sub_core, uint64_t task,
                         const void *bytes, size_t length, uint64_t lost);

/* A monitor: one sub-core. */
typedef struct PerfmonUnit {
    uint32_t core;
    uint32_t sub_core;
    WindowBuffer buffer;
    uint64_t total;      /* bytes that it wrote, as far as known */
    uint64_t taken;      /* up to here they were drained or are lost */
    uint32_t last_count; /* PERFMON_COUNT as last read */
    uint64_t pointer;    /* PERFMON_POINTER as last read, in bytes */
    uint64_t moved_at;   /* `words` when it last moved */
    bool is_stuck;       /* words are counted and the pointer stands still */
    uint64_t words;      /* the same, extended over its wraps */
    uint32_t saved;      /* PERFMON_ENABLE before */
    bool is_mapped;      /* this unit mapped its core's window */
    bool is_running;
    /* accounts */
    uint64_t bytes;    /* given out */
    uint64_t lost;     /* overwritten, or written after a linear buffer was full; in bytes */
    uint64_t overruns; /* how often */
    uint64_t drains;
    uint64_t stuck; /* how often the pointer stopped moving */
} PerfmonUnit;

typedef struct Perfmon {
    PerfmonFacts facts;
    RegisterWindow window;
    PerfmonUnit *units;
    uint32_t count;
    unsigned char *scratch; /* as large as a buffer */
    size_t buffer_size;
} Perfmon;

typedef struct PerfmonOptions {
    const uint32_t *cores; /* AI cores to watch */
    uint32_t core_count;
    uint32_t sub_cores;           /* bits of those to watch of each */
    size_t buffer_size;           /* of each unit; a multiple of 32 */
    bool is_provisional_accepted; /* program registers that were never seen on silicon */
} PerfmonOptions;

/* Map windows and allocate buffers. */
OpprofStatus PerfmonOpen(const PerfmonFacts *facts, const RegisterWindow *window,
                         const PerfmonOptions *options, Perfmon *ret_perfmon, OpprofError **error);

/* Program one unit: off, address, length, clear, on. */
void PerfmonStartUnit(Perfmon *perfmon, PerfmonUnit *unit);
void PerfmonStart(Perfmon *perfmon);

/* A task ended on a unit: give out what it wrote. False: `take` said so. */
bool PerfmonDrain(Perfmon *perfmon, PerfmonUnit *unit, uint64_t task, PerfmonTake *take,
                  void *context);

/* Switch all off, give out the rest, restore what was there before. */
bool PerfmonStop(Perfmon *perfmon, uint64_t task, PerfmonTake *take, void *context);

/* Unmap and free; the cores must be off. */
void PerfmonClose(Perfmon *perfmon);

#endif
