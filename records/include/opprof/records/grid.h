/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_RECORDS_GRID_H
#define OPPROF_RECORDS_GRID_H

/**
 * @file
 * How many blocks and threads kernels had, and how many units their device has for them.
 * Experimental.
 */

#include <assert.h>
#include <opprof/record.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Record of `opprof_kernel_grid_type`, "kernel.grid": all runs of a kernel in a queue with the same
 * blocks and threads. Durations are ticks of the batch's clock; the batch's partition is the rank.
 */
typedef struct OpprofKernelGrid {
    uint64_t count;    /**< Runs. */
    uint64_t duration; /**< Ticks of all of them, added up. */
    /** Share of the device's threads that the profiler estimates to be busy, in percent, mean by
     * time; OpprofNaF64: unknown. */
    double occupancy;
    uint32_t name;     /**< Interned. */
    uint32_t lane;     /**< Track of the queue. */
    uint32_t blocks;   /**< Of the whole grid. */
    uint32_t threads;  /**< Of a block; OPPROF_NA_U32: unknown. */
    uint32_t units;    /**< Units of the device that run blocks; OPPROF_NA_U32: unknown. */
    uint32_t reserved; /**< 0. */
} OpprofKernelGrid;

static_assert(sizeof(OpprofKernelGrid) == 48, "no padding");
static const OpprofField opprof_kernel_grid_fields[] = {
    OPPROF_RECORD_FIELD(OpprofKernelGrid, count, U64, 0, "1", "Runs.", NULL),
    OPPROF_RECORD_FIELD(OpprofKernelGrid, duration, TICK, 0, NULL, "Time of all of them.", NULL),
    OPPROF_RECORD_FIELD(OpprofKernelGrid, occupancy, F64, 0, "%",
                        "Threads of the device that are busy, as the profiler estimates.",
                        "the profiler does not say"),
    OPPROF_RECORD_FIELD(OpprofKernelGrid, name, STRING, 0, NULL, "Kernel.", NULL),
    OPPROF_RECORD_FIELD(OpprofKernelGrid, lane, TRACK, 0, NULL, "Queue.", NULL),
    OPPROF_RECORD_FIELD(OpprofKernelGrid, blocks, U32, 0, "1", "Blocks of the grid.", NULL),
    OPPROF_RECORD_FIELD(OpprofKernelGrid, threads, U32, 0, "1", "Threads of a block.",
                        "the profiler does not say"),
    OPPROF_RECORD_FIELD(OpprofKernelGrid, units, U32, 0, "1",
                        "Units of the device that run blocks.", "the profiler does not say"),
};
static const OpprofRecordType opprof_kernel_grid_type =
    OPPROF_RECORD_TYPE(OpprofKernelGrid, 1, "kernel.grid", "Blocks and threads of kernels.", 0,
                       opprof_kernel_grid_fields, NULL, NULL);

#ifdef __cplusplus
}
#endif

#endif
