/* SPDX-License-Identifier: Apache-2.0 */
#ifndef INJECT_ASCEND_PERFMON_H
#define INJECT_ASCEND_PERFMON_H

#include "inject/ascend/register_window.h"

#include <opprof/kit/live.h>
#include <stdbool.h>

/*
 * The performance monitors of cores, programmed by hand: each writes its words into a buffer of its
 * own, which is drained whenever a task ends. Any number of cores, no thread of its own.
 */

#define PERFMON_SUB_CORES 3u /* AIC, AIV0, AIV1 */

typedef struct PerfmonUnit PerfmonUnit;

/* Bytes of a unit in the order in which it wrote them; `lost` were overwritten before them. False:
 * stop draining. */
typedef bool PerfmonTake(void *context, const PerfmonUnit *unit, const void *bytes, size_t length,
                         uint64_t lost);

/* A monitor: one sub-core. */
struct PerfmonUnit {
    uint32_t core;
    uint32_t sub_core;
    WindowBuffer buffer;
    uint64_t total;      /* bytes that it wrote, as far as known */
    uint64_t taken;      /* up to here they were drained or are lost */
    uint32_t last_count; /* the count as last read */
    uint64_t pointer;    /* the pointer as last read, in bytes */
    uint64_t moved_at;   /* `words` when it last moved */
    bool is_stuck;       /* words are counted and the pointer stands still */
    uint64_t words;      /* the same, extended over its wraps */
    uint32_t saved;      /* the enabling register before */
    bool is_mapped;      /* this unit mapped its core's window */
    bool is_running;
    /* accounts */
    uint64_t bytes;    /* given out */
    uint64_t lost;     /* overwritten, or written after a linear buffer was full; in bytes */
    uint64_t overruns; /* how often */
    uint64_t drains;
    uint64_t stuck; /* how often the pointer stopped moving */
};

typedef struct Perfmon {
    OpprofLiveMonitors facts;
    RegisterWindow window;
    PerfmonUnit *units;
    uint32_t count;
    uint32_t unmapped;      /* cores that the backend does not map; they are left out */
    unsigned char *scratch; /* as large as a buffer */
    size_t buffer_size;
} Perfmon;

/* Map windows and allocate buffers, as the facts say. False: there is no monitor, and `why`
 * (WINDOW_WHY bytes) says why; it also says why a core was left out. */
bool PerfmonOpen(const OpprofLiveMonitors *facts, const RegisterWindow *window,
                 Perfmon *ret_perfmon, char *why);

/* Program one unit: off, address, length, clear, on. */
void PerfmonStartUnit(Perfmon *perfmon, PerfmonUnit *unit);
void PerfmonStart(Perfmon *perfmon);

/* A task ended on a unit: give out what it wrote. False: `take` said so. */
bool PerfmonDrain(Perfmon *perfmon, PerfmonUnit *unit, PerfmonTake *take, void *context);

/* Switch all off, give out the rest, restore what was there before. */
bool PerfmonStop(Perfmon *perfmon, PerfmonTake *take, void *context);

/* Unmap and free; the cores must be off. */
void PerfmonClose(Perfmon *perfmon);

#endif
