/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REFCHIP_CHIP_COUNTS_H
#define REFCHIP_CHIP_COUNTS_H

/* Counts of a core while it runs a block. events.c says which event of a series is which of
 * these. */

#include <stdint.h>

#define COUNTS(X)                                                                                  \
    X(none) /* stays 0 */                                                                          \
    X(cycles)                                                                                      \
    X(scalar_busy)                                                                                 \
    X(vector_busy)                                                                                 \
    X(cube_busy)                                                                                   \
    X(mte1_busy)                                                                                   \
    X(mte2_busy)                                                                                   \
    X(mte3_busy)                                                                                   \
    X(fix_busy)                                                                                    \
    X(scalar_instr)                                                                                \
    X(vector_instr)                                                                                \
    X(cube_instr)                                                                                  \
    X(mte1_instr)                                                                                  \
    X(mte2_instr)                                                                                  \
    X(mte3_instr)                                                                                  \
    X(fix_instr)                                                                                   \
    X(scalar_wait) /* for pipes: barriers, and waits of the front end */                           \
    X(vector_wait)                                                                                 \
    X(cube_wait)                                                                                   \
    X(mte1_wait)                                                                                   \
    X(mte2_wait)                                                                                   \
    X(mte3_wait)                                                                                   \
    X(fix_wait)                                                                                    \
    X(vector_stall) /* of the front end, because the pipe's queue is full */                       \
    X(cube_stall)                                                                                  \
    X(mte1_stall)                                                                                  \
    X(mte2_stall)                                                                                  \
    X(mte3_stall)                                                                                  \
    X(fix_stall)                                                                                   \
    X(fetches)                                                                                     \
    X(fetch_misses)                                                                                \
    X(fetch_wait)                                                                                  \
    X(cube_steps) /* products of 16 x 8 and 8 x 16 floats */                                       \
    X(mmads)                                                                                       \
    X(vector_repeats)                                                                              \
    X(conflict_cycles)                                                                             \
    X(l0a_read_bytes)                                                                              \
    X(l0a_write_bytes)                                                                             \
    X(l0b_read_bytes)                                                                              \
    X(l0b_write_bytes)                                                                             \
    X(l0c_read_bytes) /* by products that add */                                                   \
    X(l0c_write_bytes)                                                                             \
    X(l0c_out_bytes)                                                                               \
    X(l1_read_bytes)                                                                               \
    X(l1_write_bytes)                                                                              \
    X(ub_load_bytes)  /* from memory to UB */                                                      \
    X(ub_store_bytes) /* from UB to memory */                                                      \
    X(ub_read_bytes)  /* by vector instructions */                                                 \
    X(ub_write_bytes)                                                                              \
    X(simt_cycles) /* while threads run */                                                         \
    X(simt_issued) /* words of warps that compute */                                               \
    X(simt_moved)  /* … that load or store */                                                    \
    X(simt_floats) /* operations of threads */                                                     \
    X(simt_integers)                                                                               \
    X(gm_read_words) /* of 128 bytes, in even lines of the L2 cache */                             \
    X(gm_read_words_odd)                                                                           \
    X(gm_write_words)                                                                              \
    X(l2_read_hits) /* words, in even lines */                                                     \
    X(l2_read_misses)                                                                              \
    X(l2_read_hits_odd)                                                                            \
    X(l2_read_misses_odd)                                                                          \
    X(l2_write_hits) /* lines */                                                                   \
    X(l2_write_misses)                                                                             \
    X(l2_evictions) /* dirty lines that made room */

#define COUNTED_WARPS 64u /* of a core */

#define COUNT_ENUM(name) COUNT_##name,
typedef enum CountKind { COUNTS(COUNT_ENUM) COUNT_KINDS } CountKind;

/* A block's account. */
typedef struct BlockCounts {
    uint32_t block;
    uint32_t core; /* physical */
    uint32_t sub_core;
    uint32_t was_run;
    uint64_t start; /* cycles since the launch */
    uint64_t end;
    uint64_t counts[COUNT_KINDS];
    uint64_t warps[COUNTED_WARPS][2]; /* start and end, in cycles of the core; 0: it did not run */
} BlockCounts;

#define INSTRUCTION_SAMPLES 9u

/* Sums of all cores at an instruction. */
typedef struct InstructionCounts {
    uint64_t executed;
    uint64_t gm_bytes; /* of global memory, read or written */
    uint64_t hits;     /* accesses of lines of the L2 cache */
    uint64_t misses;
    uint64_t samples[INSTRUCTION_SAMPLES]; /* of program counters, by reason: trace.h */
} InstructionCounts;

const char *CountName(CountKind kind);
/* What a core's counter of an event shows, and the L2 cache's, on a SoC. 0: the chip knows no such
 * event. */
uint64_t EventValue(const char *soc, uint32_t event, const uint64_t *counts);
uint64_t CacheEventValue(const char *soc, uint32_t event, const uint64_t *counts);

#endif
