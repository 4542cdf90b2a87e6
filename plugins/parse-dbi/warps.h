/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_DBI_WARPS_H
#define PARSE_DBI_WARPS_H

#include <opprof/kit/cutter.h>

/* When the warps of each vector core's SIMT code ran: a block of 64 warps per slot. */

#define WARPS 64u
#define WARP_BLOCK_BYTES (16u + WARPS * 16u + 64u)

/* A warp that ran. Times are cycles of the core's clock. */
typedef struct Warp {
    uint64_t start;
    uint64_t end;
    uint32_t slot; /* place of its block in the file */
    uint32_t core;
    uint32_t kind; /* 0, 1 vector, 2 cube */
    uint32_t number;
} Warp;

typedef enum WarpOutcome {
    WARP_GOOD,
    WARP_BAD_MAGIC, /* the block is empty */
    WARP_BAD_COUNT, /* more warps than possible, or an impossible core */
} WarpOutcome;

/* Read a block of WARP_BLOCK_BYTES. `skipped`: warps that did not run, or end before they start. */
typedef struct WarpBlock {
    Warp list[WARPS];
    uint32_t count;
    uint32_t skipped;
} WarpBlock;

WarpOutcome WarpBlockRead(const unsigned char *bytes, uint32_t slot, WarpBlock *ret_block);

#endif
