/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace-grids: how many blocks kernels have, and for how long units of the device have none.
 * Tested by tests/plugins/analyse-trace/test_grids.sh.
 */
#include "analyse-trace/common/feed.h"
#include "analyse-trace/common/item_map.h"

#include <opprof/records/grid.h>
#include <stdlib.h>
#include <string.h>

/* All runs of a kernel. */
typedef struct KernelSum {
    uint32_t name;
    uint32_t units; /* OPPROF_NA_U32: unknown */
    uint32_t least; /* blocks */
    uint32_t most;
    uint32_t threads; /* of a block, of the runs that took most time */
    uint32_t reserved;
    uint64_t threads_ticks; /* time of these */
    uint64_t count;
    uint64_t ticks;
    uint64_t few_ticks;
    double unused_ticks;
    uint64_t occupied_ticks;
    double occupancy;
} KernelSum;

/* A rank has an ItemMap of KernelSum, by name. */
typedef struct Grids {
    Feed feed; /* first: see FeedCreate */
    uint32_t top;
} Grids;

typedef struct GridRow {
    uint32_t rank;
    uint32_t name;
    uint32_t units;
    uint32_t least;
    uint32_t most;
    uint32_t threads;
    uint64_t count;
    double total_us;
    double few_us;
    double unused_us;
    double occupancy;
    uint32_t short_name;
    uint32_t demangled;
} GridRow;

static const char no_units[] = "the trace does not say how many units the device has";

#define GRID_NUMBER(member, head, text, why)                                                       \
    OPPROF_FIELD(GridRow, member, OPPROF_FIELD_U32, .combine = OPPROF_COMBINE_NONE, .unit = "1",   \
                 .heading = (head), .flags = OPPROF_FIELD_ALONE, .meaning = (text),                \
                 .absent = (why))
#define GRID_TIME(member, head, more, text, why)                                                   \
    OPPROF_FIELD(GridRow, member, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_SUM, .unit = "us",   \
                 .heading = (head), .decimals = 4, .flags = (more), .meaning = (text),             \
                 .absent = (why))

static const OpprofField fields[] = {
    OPPROF_FIELD(GridRow, rank, OPPROF_FIELD_STRING,
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER, .meaning = "Rank."),
    OPPROF_FIELD(GridRow, name, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Kernel."),
    OPPROF_FIELD(GridRow, count, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM, .unit = "1",
                 .meaning = "Runs of which the blocks are known."),
    GRID_TIME(total_us, "total(us)", OPPROF_FIELD_ALONE, "Their durations, added up.", NULL),
    GRID_NUMBER(least, "blocks_least", "Least blocks of a run.", NULL),
    GRID_NUMBER(most, "blocks_most", "Most blocks of a run.", NULL),
    GRID_NUMBER(threads, "threads", "Threads of a block, of the runs that took most time.",
                "the trace does not say"),
    GRID_NUMBER(units, "units",
                "Units of the device that run blocks: multiprocessors, compute units.", no_units),
    GRID_TIME(few_us, "few_blocks(us)", OPPROF_FIELD_ALONE,
              "Time of the runs with fewer blocks than units.", no_units),
    GRID_TIME(unused_us, "unused(us)", OPPROF_FIELD_WEIGHT,
              "Part of this time that belongs to units without a block: with as many blocks as "
              "units, the runs would be shorter by no more.",
              no_units),
    OPPROF_FIELD(GridRow, occupancy, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_MEAN, .unit = "%",
                 .heading = "occupancy(%)", .decimals = 2, .flags = OPPROF_FIELD_ALONE,
                 .meaning = "Threads of the device that are busy, as the profiler estimates from "
                            "grid, registers and shared memory, mean by time.",
                 .absent = "the profiler does not say"),
    ROWS_SHORT_NAME(GridRow, short_name, "short_name"),
    ROWS_DEMANGLED_NAME(GridRow, demangled, "demangled"),
};

static const OpprofRecordType grid_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "trace.kernel-grids",
    .summary = "Blocks and threads of kernels.",
    .size = sizeof(GridRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = fields,
    .field_count = OPPROF_COUNT(fields),
    .title = "Blocks of kernels",
    .file_hint = "kernel_grids",
};

/* ---- collecting ---- */

static bool add(ItemMap *kernels, const OpprofKernelGrid *grid)
{
    KernelSum *sum = ItemMapGet(kernels, grid->name, sizeof *sum);

    if (sum == NULL) {
        return false;
    }
    if (sum->count == 0) {
        sum->name = grid->name;
        sum->least = UINT32_MAX;
        sum->threads = OPPROF_NA_U32;
    }
    sum->units = grid->units;
    sum->count += grid->count;
    sum->ticks += grid->duration;
    sum->least = grid->blocks < sum->least ? grid->blocks : sum->least;
    sum->most = grid->blocks > sum->most ? grid->blocks : sum->most;
    if (grid->duration >= sum->threads_ticks) {
        sum->threads = grid->threads;
        sum->threads_ticks = grid->duration;
    }
    if (grid->units != OPPROF_NA_U32 && grid->blocks < grid->units) {
        sum->few_ticks += grid->duration;
        sum->unused_ticks += (double) grid->duration * (1 - (double) grid->blocks / grid->units);
    }
    if (!OpprofIsNaF64(grid->occupancy)) {
        sum->occupied_ticks += grid->duration;
        sum->occupancy += grid->occupancy * (double) grid->duration;
    }
    return true;
}

static OpprofStatus read_batch(void *context, FeedRank *rank, const OpprofBatch *batch)
{
    const OpprofKernelGrid *grids = batch->records;
    bool is_good = true;

    (void) context;
    for (uint32_t i = 0; is_good && i < batch->count; i++) {
        is_good = add(rank->state, &grids[i]);
    }
    return is_good ? OPPROF_OK : OPPROF_E_MEMORY;
}

/* ---- table ---- */

/* Most time first. */
static int compare_sums(const void *a, const void *b, void *stage)
{
    const KernelSum *left = *(const KernelSum *const *) a;
    const KernelSum *right = *(const KernelSum *const *) b;

    if (left->ticks != right->ticks) {
        return left->ticks < right->ticks ? 1 : -1;
    }
    return strcmp(OpprofStageString(stage, left->name), OpprofStageString(stage, right->name));
}

static OpprofStatus add_row(Grids *self, const FeedRank *rank, const KernelSum *sum)
{
    const bool has_units = sum->units != OPPROF_NA_U32;
    const GridRow row = {
        .rank = rank->name,
        .name = sum->name,
        .units = sum->units,
        .least = sum->least,
        .most = sum->most,
        .threads = sum->threads,
        .count = sum->count,
        .total_us = (double) sum->ticks * rank->us_a_tick,
        .few_us = has_units ? (double) sum->few_ticks * rank->us_a_tick : OpprofNaF64(),
        .unused_us = has_units ? sum->unused_ticks * rank->us_a_tick : OpprofNaF64(),
        .occupancy = sum->occupied_ticks == 0 ? OpprofNaF64()
                                              : sum->occupancy / (double) sum->occupied_ticks,
        .short_name = RowsShortName(self->feed.stage, sum->name),
        .demangled = RowsDemangledName(self->feed.stage, sum->name)
    };

    return FeedHand(&self->feed, 0, rank, &row);
}

static OpprofStatus end_rank(void *context, FeedRank *rank)
{
    Grids *self = context;
    const ItemMap *kernels = rank->state;
    void **list = ItemMapSorted(kernels, compare_sums, self->feed.stage);
    OpprofStatus status = list == NULL ? OPPROF_E_MEMORY : OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < kernels->count && i < self->top; i++) {
        status = add_row(self, rank, list[i]);
    }
    free(list);
    return status;
}

static void free_state(void *state)
{
    ItemMapFree(state);
}

/* ---- module ---- */

static OpprofStatus configure(void *context, const OpprofParams *params)
{
    Grids *self = context;

    self->top = (uint32_t) OpprofParamsInt(params, "top");
    return OPPROF_OK;
}

static const FeedPart parts[] = {
    { .size = sizeof(GridRow), .table = 0 },
};

static const FeedOps feed_ops = {
    .size = sizeof(Grids),
    .state_size = sizeof(ItemMap),
    .configure = configure,
    .read = read_batch,
    .end_rank = end_rank,
    .free_state = free_state,
    .parts = parts,
    .part_count = OPPROF_COUNT(parts),
    .first_part = 1,
};

#define PARTIALS FEED_ROWS("kernels-partial", "trace.kernel-grids", grid_type)

static const OpprofPort inputs[] = {
    { .name = "grids",
      .type = "kernel.grid",
      .record_type = &opprof_kernel_grid_type,
      .summary = "Blocks and threads of kernels; a partition is a rank." },
    PARTIALS,
};

static const OpprofPort outputs[] = {
    { .name = "kernels",
      .record_type = &grid_type,
      .summary = "One row per rank and kernel, the most time first." },
    PARTIALS,
};

static const OpprofParam params[] = {
    FEED_PARAM_TOP(1, "100", "Kernels of a rank in the table."),
};

FEED_DEFINE(feed_ops, inputs, outputs, .params = params, .param_count = OPPROF_COUNT(params),
            .name = "trace-grids",
            .summary = "Shows how many blocks kernels have for the units of the device.",
            .help = "A kernel with fewer blocks than the device has units leaves some of them "
                    "without work. Keeps 90 bytes for each kernel of a rank until the rank ends.");
