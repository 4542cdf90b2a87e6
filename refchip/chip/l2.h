/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REFCHIP_CHIP_L2_H
#define REFCHIP_CHIP_L2_H

/*
 * The L2 cache of a device, direct-mapped lines of 512 bytes. So that cores can be simulated in any
 * order with one result, a core sees what earlier launches left and what it touched itself; what
 * the others touched counts from the next launch on. Launches of streams that run at once see what
 * was there when they began.
 */

#include <stdbool.h>
#include <stdint.h>

#define L2_LINE 512u
#define L2_WORD 128u /* what a read is counted in */
#define L2_LINES (1u << 15)

typedef struct L2View {
    const uint64_t *shared; /* tags of the device: line number + 1, and whether it was written */
    uint64_t *own;          /* tags of what this core touched; 0: nothing */
    uint64_t *counts;       /* COUNT_KINDS; hits and misses are added */
    uint64_t hits;          /* lines, of reads and writes */
    uint64_t misses;
} L2View;

/* Content of the cache when a launch begins; other streams go on changing it. `tags` has L2_LINES.
 * [any thread] */
void L2Read(uint32_t device, uint64_t *tags);
/* A core begins. `shared` is what L2Read gave, `own` has L2_LINES zeros. */
void L2ViewInit(L2View *view, const uint64_t *shared, uint64_t *own, uint64_t *counts);
/* Touch a range; the number of its bytes that missed. */
uint64_t L2Touch(L2View *view, uint64_t address, uint64_t size, bool is_store);
/* A launch is over: what its cores touched is now the device's. [any thread] */
void L2Merge(uint32_t device, const uint64_t *own);
/* The device itself copies a range, through the cache. [any thread] */
void L2Copy(uint32_t device, uint64_t address, uint64_t size, bool is_store);

#endif
