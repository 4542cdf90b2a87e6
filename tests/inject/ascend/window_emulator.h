/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_INJECT_ASCEND_WINDOW_EMULATOR_H
#define TESTS_INJECT_ASCEND_WINDOW_EMULATOR_H

#include "inject/ascend/perfmon.h"

#include <pthread.h>
#include <stdatomic.h>

/*
 * Cores made of software, register by register: each sub-core writes words into its buffer as the
 * monitor would, while another thread drains it.
 */

#define EMULATOR_PAGE 0xb000u /* registers from here on … */
#define EMULATOR_PAGE_BYTES 0x1000u
#define EMULATOR_MAX_WRITES 64u

/* Ways in which a sub-core misbehaves. */
typedef enum EmulatorFault {
    EMULATOR_GOOD,
    EMULATOR_SILENT,       /* never writes a word */
    EMULATOR_POINTER_STUCK /* writes, counts, and never moves its pointer */
} EmulatorFault;

typedef struct EmulatorUnit {
    pthread_mutex_t lock; /* guards what follows up to `emitted`; taken for a word, and to switch */
    bool is_enabled;
    uint64_t position; /* bytes in the buffer */
    uint64_t emitted;  /* words since it was last enabled */
    _Atomic uint32_t registers[EMULATOR_PAGE_BYTES / 4];
    EmulatorFault fault;
} EmulatorUnit;

typedef struct EmulatorWrite {
    uint32_t core;
    uint32_t offset;
    uint32_t value;
} EmulatorWrite;

typedef struct Emulator {
    OpprofLiveMonitors facts;
    uint32_t cores;
    EmulatorUnit *units; /* PERFMON_SUB_CORES a core */
    /* of the thread that drains */
    EmulatorWrite writes[EMULATOR_MAX_WRITES]; /* the first ones */
    uint32_t write_count;
    uint32_t barriers;
    bool is_unreadable;    /* its buffers, from now on */
    uint32_t bad_accesses; /* outside of the page, or of a core that is not mapped */
} Emulator;

/* A ring, a pointer in words, registers as the chip file of the series 950 has them, all sub-cores
 * of so many cores. */
OpprofLiveMonitors EmulatorFacts(uint32_t cores, uint32_t buffer_bytes);
bool EmulatorInit(Emulator *emulator, const OpprofLiveMonitors *facts, uint32_t cores);
RegisterWindow EmulatorWindow(Emulator *emulator);
EmulatorUnit *EmulatorUnitOf(Emulator *emulator, uint32_t core, uint32_t sub_core);

/* A sub-core makes a word. True if it is on, whether or not the word found room. [any thread] */
bool EmulatorEmit(Emulator *emulator, uint32_t core, uint32_t sub_core, uint32_t word);

void EmulatorFinish(Emulator *emulator);

#endif
