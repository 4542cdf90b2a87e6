/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace-grids: how many blocks kernels have, and for how long units of the device have none.
 * Tested by tests/plugins/analyse-trace/test_grids.sh.
 */
#include "analyse-trace/common/item_map.h"
#include "analyse-trace/common/rank_rows.h"

#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/log.h>
#include <opprof/plugin.h>
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

typedef struct RankGrids {
    uint32_t name;
    double us_a_tick;
    ItemMap kernels; /* of KernelSum, by name */
} RankGrids;

typedef struct Grids {
    OpprofStage *stage;
    uint32_t top;
    RankGrids *ranks; /* that are not over */
    size_t rank_count;
    size_t rank_capacity;
    RankRows rows;
    uint64_t kernels; /* of all ranks so far */
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

static RankGrids *find_rank(Grids *self, const OpprofBatch *batch)
{
    const OpprofClock *clock = OpprofStageClockInfo(self->stage, batch->clock);

    for (size_t i = self->rank_count; i > 0; i--) {
        if (self->ranks[i - 1].name == batch->partition) {
            return &self->ranks[i - 1];
        }
    }
    if (!OpprofGrow(&self->ranks, &self->rank_capacity, self->rank_count + 1,
                    sizeof *self->ranks)) {
        return NULL;
    }
    self->ranks[self->rank_count] =
        (RankGrids){ .name = batch->partition,
                     .us_a_tick = clock == NULL ? 1e-3 : 1e6 / (double) clock->hz };
    return &self->ranks[self->rank_count++];
}

static bool add(RankGrids *rank, const OpprofKernelGrid *grid)
{
    KernelSum *sum = ItemMapGet(&rank->kernels, grid->name, sizeof *sum);

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

static OpprofStatus add_row(Grids *self, const RankGrids *rank, const KernelSum *sum,
                            OpprofError **error)
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
        .short_name = RowsShortName(self->stage, sum->name),
        .demangled = RowsDemangledName(self->stage, sum->name)
    };

    return RankRowsAdd(&self->rows, self->stage, rank->name, &row, sizeof row, error);
}

static OpprofStatus end_rank(Grids *self, RankGrids *rank, OpprofError **error)
{
    void **list = ItemMapSorted(&rank->kernels, compare_sums, self->stage);
    OpprofStatus status =
        list == NULL ? OpprofErrorNoMemory(error, "sort the kernels of a rank") : OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < rank->kernels.count && i < self->top; i++) {
        status = add_row(self, rank, list[i], error);
    }
    free(list);
    ItemMapFree(&rank->kernels);
    *rank = self->ranks[--self->rank_count];
    return status;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Grids *self = context;
    RankGrids *rank = find_rank(self, batch);
    const OpprofKernelGrid *grids = batch->records;
    bool is_good = rank != NULL;

    (void) port;
    for (uint32_t i = 0; is_good && i < batch->count; i++) {
        is_good = add(rank, &grids[i]);
        self->kernels += grids[i].count;
    }
    if (!is_good) {
        return OpprofErrorNoMemory(error, "add up the blocks of kernels");
    }
    return batch->watermark == UINT64_MAX ? end_rank(self, rank, error) : OPPROF_OK;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Grids *self = context;
    OpprofStatus status = OPPROF_OK;

    while (status == OPPROF_OK && self->rank_count > 0) {
        status = end_rank(self, &self->ranks[0], error);
    }
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage),
              "Looked at the blocks of kernels: %" PRIu64, self->kernels);
    if (status == OPPROF_OK) {
        status = RankRowsPut(&self->rows, self->stage, 0, error);
    }
    return OpprofErrorExplain(error, status, "Cannot write the table of blocks");
}

/* ---- module ---- */

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Grids *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return OpprofErrorNoMemory(error, "create the analysis");
    }
    self->stage = stage;
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    Grids *self = context;

    (void) error;
    self->top = (uint32_t) OpprofParamsInt(params, "top");
    return OPPROF_OK;
}

static void destroy(void *context)
{
    Grids *self = context;

    for (size_t i = 0; i < self->rank_count; i++) {
        ItemMapFree(&self->ranks[i].kernels);
    }
    free(self->ranks);
    RankRowsFinish(&self->rows);
    free(self);
}

static const OpprofPort inputs[] = {
    { .name = "grids",
      .type = "kernel.grid",
      .record_type = &opprof_kernel_grid_type,
      .summary = "Blocks and threads of kernels; a partition is a rank." },
};

static const OpprofPort outputs[] = {
    { .name = "kernels",
      .record_type = &grid_type,
      .summary = "One row per rank and kernel, the most time first." },
};

static const OpprofParam params[] = {
    { .name = "top",
      .type = OPPROF_PARAM_INT,
      .default_value = "100",
      .min = 1,
      .max = 1000000,
      .summary = "Kernels of a rank in the table." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .configure = configure,
    .process = process,
    .flush = flush,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(.name = "trace-grids", .version = "1.0", .license = "Apache-2.0",
                     .summary = "Shows how many blocks kernels have for the units of the device.",
                     .help = "A kernel with fewer blocks than the device has units leaves some of "
                             "them without work. Keeps 90 bytes for each kernel of a rank until "
                             "the rank ends.",
                     .kind = OPPROF_ANALYSIS, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
                     .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .params = params,
                     .param_count = OPPROF_COUNT(params), .ops = &ops);
