/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REFCHIP_CHIP_SIMT_H
#define REFCHIP_CHIP_SIMT_H

/*
 * SIMT code: many threads of a vector core, 32 of them a warp, run the words from a label to
 * SIMT_END. Each has 32 registers of its own. Warps take turns: one word a cycle, of the warp that
 * has been ready for longest.
 */

#include "core.h"

#define SIMT_LANES 32u
#define SIMT_THREADS (SIMT_LANES * COUNTED_WARPS)

/* A warp at a word: what reports about it need. */
typedef struct SimtWarp {
    uint32_t number;
    uint32_t lanes; /* threads of it */
    uint64_t now;   /* cycle */
    uint32_t pc;
    uint64_t (*x)[32]; /* registers of its threads */
} SimtWarp;

/* Run the threads that a SIMT_CALL asks for, from a cycle on; *ret_end gets that of the last warp.
 * False: there is a fault. */
bool SimtRun(Core *core, uint32_t word, uint64_t start, uint64_t *ret_end);

/* Reports of an instrumented kernel in SIMT code. False: there is a fault. */
bool ReportWarp(Core *core, uint32_t word, const SimtWarp *warp);

#endif
