/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_PMU_MEMORY_CHART_H
#define PARSE_PMU_MEMORY_CHART_H

#include <opprof/kit/chip.h>
#include <opprof/records/onboard.h>

/*
 * MemoryChart.bin: the data moves of an instrumented launch, added up by block (or by core) along
 * the paths that the chip file names (`pmu.moves`).
 */

#define MEMORY_CHART_RECORD 56u
#define MEMORY_CHART_MAX_PATHS 32u
#define MEMORY_CHART_KINDS 9u /* kinds of memory: L1, L0A, L0B, L0C, UB, BT, GM, REG, PRIVATE */

typedef struct MovePath {
    const char *name; /* borrowed from the chip */
    uint32_t unit;    /* bytes of one request */
    bool is_credited; /* a cube core's move counts for the vector core that it names as well */
} MovePath;

/* Sums of one block, or of one core of it. */
typedef struct MoveSums {
    uint32_t block;
    uint32_t core; /* OPPROF_NA_U32: of the block */
    uint64_t bytes[MEMORY_CHART_MAX_PATHS];
    uint64_t requests[MEMORY_CHART_MAX_PATHS];
    bool is_there[MEMORY_CHART_MAX_PATHS];
} MoveSums;

typedef struct MemoryChart {
    MovePath paths[MEMORY_CHART_MAX_PATHS];
    uint32_t path_count;
    uint64_t routes[MEMORY_CHART_KINDS]
                   [MEMORY_CHART_KINDS]; /* bit p: path p goes from there to there */
    bool by_core;
    MoveSums *sums; /* 65536 at most: one for each slot number */
    uint32_t sum_count;
    uint32_t *index; /* by slot number: index in sums plus 1 */
    uint64_t records;
    uint64_t odd; /* records that name no memory */
} MemoryChart;

/* Read the paths; OPPROF_E_DATA names what is wrong. A chip without paths is good: nothing counts.
 */
OpprofStatus MemoryChartInit(MemoryChart *chart, const OpprofChip *chip, OpprofError **error);
void MemoryChartFinish(MemoryChart *chart);

/* Take whole records. False without memory. */
bool MemoryChartRecords(MemoryChart *chart, const unsigned char *records, size_t count);

/* All paths of a block are 0 unless a record says otherwise; for chips that add up by block. False
 * without memory. */
bool MemoryChartBlock(MemoryChart *chart, uint32_t block);

#endif
