/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Total moves of a launch: by route for each block, and by path.
 * Tested by tests/plugins/parse-dbi/test_runs.sh.
 */
#include "launch_parts.h"

#include <string.h>

static bool has_traffic(const Moves *moves, uint32_t slot)
{
    const MoveTotal *first = MovesTotal(moves, slot, 0, 0);

    for (uint32_t pair = 0; pair < moves->memories * moves->memories; pair++) {
        if (first[pair].accesses > 0) {
            return true;
        }
    }
    return false;
}

/*
 * As the parameter says, or by the used slots. If vector cores would make more blocks than the
 * operator has, the operator also has cube cores, which moved nothing.
 */
OpprofDbiOp DbiLaunchOp(DbiLaunch *launch)
{
    double blocks = 0;
    const bool is_known = OpprofLaunchNumber(&launch->base, "block_dim", &blocks) && blocks > 0;
    bool has_cube = false;
    bool has_vector = false;

    if (strcmp(launch->op_type, "auto") != 0) {
        return strcmp(launch->op_type, "mix") == 0    ? OPPROF_DBI_MIX
               : strcmp(launch->op_type, "cube") == 0 ? OPPROF_DBI_CUBE
                                                      : OPPROF_DBI_VECTOR;
    }
    for (uint32_t slot = 0; slot < launch->moves.slots; slot++) {
        if (has_traffic(&launch->moves, slot)) {
            const OpprofBlockCores *cores = &launch->model->tables.cores;
            const bool is_cube = OpprofBlockCoresIsCube(cores, slot);
            has_vector |= !is_cube;
            has_cube |= is_cube || (is_known && OpprofBlockCoresBlock(cores, slot, true) >= blocks);
        }
    }
    return has_cube && has_vector ? OPPROF_DBI_MIX : has_cube ? OPPROF_DBI_CUBE : OPPROF_DBI_VECTOR;
}

static void fill_traffic(const DbiLaunch *launch, uint32_t slot, OpprofDbiOp kind, DbiTraffic *row)
{
    const OpprofBlockCores *cores = &launch->model->tables.cores;
    char core[24];

    row->device = launch->base.device;
    row->kernel = launch->base.kernel;
    row->order = launch->base.order;
    row->block = OpprofBlockCoresBlock(cores, slot, kind == OPPROF_DBI_VECTOR);
    OpprofBlockCoresName(cores, slot, kind == OPPROF_DBI_VECTOR, core);
    row->core = DbiLaunchIntern(launch, core);
    row->reserved = 0;
}

static uint64_t requests_of(const DbiLaunch *launch, uint32_t slot, uint32_t from, uint32_t to)
{
    const MoveSums *sums = &launch->moves.sums[slot];
    const uint64_t paths = launch->model->paths.routes[from][to];

    /* A path of several routes is the sum of them all. */
    for (uint64_t left = paths; left != 0; left &= left - 1) {
        const uint32_t path = (uint32_t) __builtin_ctzll(left);
        if (sums->bytes[path] == MovesTotal(&launch->moves, slot, from, to)->src_bytes) {
            return sums->requests[path];
        }
    }
    return OPPROF_NA_U64;
}

OpprofStatus DbiLaunchPushTraffic(DbiLaunch *launch)
{
    const DbiTables *tables = &launch->model->tables;
    const OpprofDbiOp kind = DbiLaunchOp(launch);
    OpprofStatus status = OPPROF_OK;
    DbiTraffic row;

    for (uint32_t slot = 0; slot < launch->moves.slots; slot++) {
        fill_traffic(launch, slot, kind, &row);
        for (uint32_t pair = 0;
             status == OPPROF_OK && pair < tables->memory_count * tables->memory_count; pair++) {
            const uint32_t from = pair / tables->memory_count;
            const uint32_t to = pair % tables->memory_count;
            const MoveTotal *total = MovesTotal(&launch->moves, slot, from, to);
            if (total->accesses > 0) {
                row.accesses = total->accesses;
                row.src_bytes = total->src_bytes;
                row.dst_bytes = total->dst_bytes;
                row.requests = requests_of(launch, slot, from, to);
                row.from = launch->memories[from];
                row.to = launch->memories[to];
                status = OpprofStageAppend(launch->base.stage, OUTPUT_TRAFFIC,
                                           launch->base.partition, &row);
            }
        }
    }
    return status == OPPROF_OK ? OpprofStagePushOpen(launch->base.stage, OUTPUT_TRAFFIC, 0)
                               : status;
}

static OpprofStatus put_move(const DbiLaunch *launch, OpprofDbiMove move)
{
    return OpprofStageAppend(launch->base.stage, OUTPUT_MOVES, launch->base.partition, &move);
}

static OpprofStatus put_slot(const DbiLaunch *launch, uint32_t slot)
{
    const MoveSums *sums = &launch->moves.sums[slot];
    OpprofStatus status = OPPROF_OK;

    for (uint64_t left = sums->is_there; left != 0 && status == OPPROF_OK; left &= left - 1) {
        const uint32_t path = (uint32_t) __builtin_ctzll(left);
        status =
            put_move(launch, (OpprofDbiMove){ .bytes = sums->bytes[path],
                                              .requests = sums->requests[path],
                                              .slot = slot,
                                              .path = DbiLaunchIntern(
                                                  launch, launch->model->paths.list[path].name) });
    }
    return status;
}

/* Emits the sums, and the record that ends the launch. */
OpprofStatus DbiLaunchPushMoves(DbiLaunch *launch)
{
    const bool has_records = launch->source != DBI_FORM_NONE;
    OpprofStatus status = OPPROF_OK;

    for (uint32_t slot = 0; has_records && status == OPPROF_OK && slot < launch->moves.slots;
         slot++) {
        status = put_slot(launch, slot);
    }
    if (status == OPPROF_OK) {
        status = put_move(
            launch, (OpprofDbiMove){ .requests = has_records ? launch->accesses : OPPROF_NA_U64,
                                     .slot = OPPROF_NA_U32,
                                     .path = OPPROF_NA_STRING });
    }
    return status == OPPROF_OK ? OpprofStagePushOpen(launch->base.stage, OUTPUT_MOVES, UINT64_MAX)
                               : status;
}
