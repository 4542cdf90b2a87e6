/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts of a launch: findings about its records, accesses, the memory chart, and sums.
 * Tested by tests/plugins/parse-dbi/test_runs.sh.
 */
#include "launch_parts.h"
#include "rules.h"

#include <opprof/intern.h>
#include <opprof/text.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ACCESSES_A_LOOK 65536u /* between checks whether the run should stop */

/* ---- what is wrong with records, with file and offset ---- */

static void report_overflow(const DbiLaunch *launch, const DbiFinding *finding)
{
    OPPROF_FILE_LACKS(&launch->base,
                      "at byte %" PRIu64 ": slot %u was full: %" PRIu64
                      " requests (records or settings) were lost while the kernel ran",
                      finding->offset, finding->slot, finding->lost);
}

void DbiLaunchReportFinding(void *context, const DbiFinding *finding)
{
    const DbiLaunch *launch = context;
    char lost[96] = "";
    char value[48] = "";
    char slot[32] = "";

    if (finding->problem == DBI_OVERFLOWED) {
        report_overflow(launch, finding);
        return;
    }
    if (finding->problem == DBI_BAD_MAGIC || finding->problem == DBI_UNKNOWN_TYPE ||
        finding->problem == DBI_OTHER_PACKET) {
        snprintf(value, sizeof value, " (0x%" PRIx32 ")", finding->value);
    }
    if (finding->slot != UINT32_MAX) {
        snprintf(slot, sizeof slot, "slot %u: ", finding->slot);
    }
    if (finding->lost > 0) {
        const bool is_bytes = finding->problem == DBI_UNCOUNTED || finding->problem == DBI_BEYOND;
        snprintf(lost, sizeof lost, "; %" PRIu64 " %s left out", finding->lost,
                 is_bytes ? OPPROF_PLURAL(finding->lost, "byte is", "bytes are")
                          : OPPROF_PLURAL(finding->lost, "record is", "records are"));
    }
    OPPROF_FILE_LACKS(&launch->base, "at byte %" PRIu64 ": %s%s%s%s", finding->offset, slot,
                      DbiProblemText(finding->problem), value, lost);
}

static void report_left_out(const DbiLaunch *launch, const DbiLeftOut *left_out, const char *why)
{
    if (left_out->count > 0) {
        OPPROF_FILE_LACKS(&launch->base, "at byte %" PRIu64 ": %s; %" PRIu64 " such %s left out",
                          left_out->first, why, left_out->count,
                          OPPROF_PLURAL(left_out->count, "record is", "records are"));
    }
}

/* Every kernel moves something, so without any record the records were not saved. */
static void report_no_record(const DbiLaunch *launch)
{
    if (launch->taken == 0 && launch->base.file.is_whole) {
        OPPROF_FILE_LACKS(&launch->base, "holds no record in its %" PRIu64 " bytes",
                          launch->base.file.size);
    }
}

/* The slots of a chart begin anew in its middle, with the same records: no order in which slots are
 * written does that. */
static bool is_twice(const DbiLaunch *launch)
{
    return launch->source == DBI_FORM_CHART && launch->base.file.is_whole && launch->is_mixed_up &&
           launch->halves[0] == launch->halves[1];
}

void DbiLaunchReportLeftOut(DbiLaunch *launch)
{
    const DbiLeftOut none = { 0, 0 };

    report_no_record(launch);
    report_left_out(launch, &launch->invalid, "no instruction can have such parameters");
    report_left_out(launch, &launch->implausible,
                    "a record claims more accesses than any instruction makes");
    report_left_out(launch, &launch->nowhere, "a record names a memory that does not exist");
    report_left_out(launch, &launch->beyond, "a record is of a slot that does not exist");
    if (launch->rough.count > 0) {
        OPPROF_LAUNCH_WARNS(&launch->base,
                            "'%s': %" PRIu64
                            " %s not say where all of the data is: bytes are exact, "
                            "addresses approximate",
                            launch->base.file.name, launch->rough.count,
                            OPPROF_PLURAL(launch->rough.count, "record does", "records do"));
    }
    if (launch->without_pc > 0) {
        OPPROF_LAUNCH_WARNS(&launch->base,
                            "'%s': %" PRIu64 " records of nested loops carry no PC: they count "
                            "for blocks and buffers, not for instructions",
                            launch->base.file.name, launch->without_pc);
    }
    if (is_twice(launch)) {
        OPPROF_FILE_LACKS(&launch->base, "holds its records twice, and they count twice");
    } else if (launch->is_mixed_up) {
        OPPROF_LAUNCH_WARNS(&launch->base,
                            "the slots of '%s' are not in order, using the file's order",
                            launch->base.file.name);
    }
    launch->invalid = launch->implausible = launch->nowhere = launch->beyond = none;
    launch->rough = none;
    launch->without_pc = 0;
    launch->is_mixed_up = false;
}

/* ---- accesses ---- */

/* A place for one more access; NULL: launch->status gives the reason. */
static OpprofDbiAccess *next_access(DbiLaunch *launch)
{
    launch->status = OpprofOpenBatchRoom(&launch->open);
    return launch->status == OPPROF_OK ? OpprofBatchAppend(launch->open.batch) : NULL;
}

/*
 * Add accesses of the current record; false: launch->status or launch->is_stopping gives the
 * reason. `context` is the launch.
 */
static bool take_run(void *context, const DbiRun *run)
{
    DbiLaunch *launch = context;

    MovesAdd(&launch->moves, launch->access.slot, launch->sub_block, run);
    launch->accesses += run->count;
    if (launch->accesses / ACCESSES_A_LOOK != (launch->accesses - run->count) / ACCESSES_A_LOOK &&
        OpprofStageStopRequested(launch->base.stage)) {
        launch->is_stopping = true;
        return false;
    }
    if (!launch->has_reader) {
        return true;
    }
    OpprofDbiAccess *out = next_access(launch);
    if (out == NULL) {
        return false;
    }
    *out = launch->access;
    out->src = run->src;
    out->dst = run->dst;
    out->src_bytes = run->src_bytes;
    out->dst_bytes = run->dst_bytes;
    out->src_step = run->src_step;
    out->dst_step = run->dst_step;
    out->count = (uint32_t) run->count;
    out->from = launch->memories[run->from];
    out->to = launch->memories[run->to];
    return true;
}

/* Count a record that is left out. */
static void leave_out(DbiLeftOut *left_out, uint64_t offset)
{
    left_out->first = left_out->count == 0 ? offset : left_out->first;
    left_out->count++;
}

/* The record's memories are known, unless the rule chooses them. */
static bool has_memories(const DbiRecord *record)
{
    return record->layout->rule->states_memories ||
           (record->from != DBI_NO_MEMORY && record->to != DBI_NO_MEMORY);
}

void DbiLaunchKeepRaw(void *context, uint64_t offset, const unsigned char *bytes, size_t size,
                      const char *reason)
{
    DbiLaunch *launch = context;

    OpprofRawKeep(&launch->base.raw, launch->base.file.id, offset, bytes, size, reason);
}

bool DbiLaunchTakeRecord(void *context, uint32_t slot, uint64_t offset, DbiRecord *record)
{
    DbiLaunch *launch = context;
    const DbiSink sink = { .take = take_run, .context = launch };
    bool is_rough = false;

    launch->taken++;
    if (!has_memories(record)) {
        leave_out(&launch->nowhere, offset);
        record->refusal = "the record names a memory that does not exist";
        return true;
    }
    launch->access.slot = slot;
    launch->access.pc = record->layout->has_pc ? record->values[DBI_PC] : OPPROF_NA_U64;
    launch->access.record = launch->records[record->layout->type];
    launch->sub_block = record->values[DBI_SUB_BLOCK];
    launch->without_pc += !record->layout->has_pc;
    switch (DbiDecompose(record, &sink, &is_rough)) {
    case DBI_INVALID:
        leave_out(&launch->invalid, offset);
        record->refusal = "the record has parameters that its instruction cannot have";
        break;
    case DBI_TOO_MANY:
        leave_out(&launch->implausible, offset);
        record->refusal = "the record makes more accesses than possible";
        break;
    case DBI_STOPPED:
        return false;
    case DBI_GOOD:
        break;
    }
    if (is_rough) {
        leave_out(&launch->rough, offset);
    }
    return true;
}

OpprofStatus DbiLaunchPushEnd(DbiLaunch *launch)
{
    OpprofDbiAccess *last = next_access(launch);

    if (last == NULL) {
        return launch->status;
    }
    *last = (OpprofDbiAccess){ .src = OPPROF_NA_U64,
                               .dst = OPPROF_NA_U64,
                               .pc = OPPROF_NA_U64,
                               .start_pc = launch->start_pc,
                               .slot = OPPROF_NA_U32,
                               .op = DbiLaunchOp(launch),
                               .chip = launch->access.chip,
                               .device = launch->base.device,
                               .kernel = launch->base.kernel,
                               .order = launch->base.order };
    launch->open.watermark = UINT64_MAX;
    return OpprofOpenBatchPush(&launch->open);
}

/* ---- the memory chart, which arrives in pieces ---- */

/* Memory that nothing was written to. */
static bool is_all_zero(const unsigned char *bytes, size_t size)
{
    return bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0;
}

static bool take_chart_record(DbiLaunch *launch, const unsigned char *bytes, uint64_t offset)
{
    DbiChartAccess access;

    DbiChartRead(&launch->model->tables, bytes, &access);
    launch->taken++;
    if (is_all_zero(bytes, launch->model->tables.chart.size)) {
        leave_out(&launch->invalid, offset);
        return true;
    }
    if (access.run.from == DBI_NO_MEMORY || access.run.to == DBI_NO_MEMORY) {
        leave_out(&launch->nowhere, offset);
        DbiLaunchKeepRaw(launch, offset, bytes, launch->model->tables.chart.size,
                         "the record names a memory that does not exist");
        return true;
    }
    if (access.slot >= launch->moves.slots) {
        leave_out(&launch->beyond, offset);
        DbiLaunchKeepRaw(launch, offset, bytes, launch->model->tables.chart.size,
                         "the record names a slot that does not exist");
        return true;
    }
    launch->is_mixed_up |= access.slot < launch->last_slot;
    launch->last_slot = access.slot;
    launch->access.slot = access.slot;
    launch->access.pc = access.pc;
    launch->access.record = OPPROF_NA_STRING;
    launch->sub_block = access.sub_block;
    return take_run(launch, &access.run);
}

OpprofStatus DbiLaunchBeginChart(DbiLaunch *launch)
{
    launch->base.file.record_bytes = launch->model->tables.chart.size;
    if (launch->base.file.record_bytes == 0) {
        OPPROF_FILE_LACKS(&launch->base,
                          "is left out: the chip file of '%s' does not describe its records "
                          "('dbi.chart')",
                          OpprofChipSoc(launch->base.chip));
        return OPPROF_END;
    }
    return OPPROF_OK;
}

bool DbiLaunchTakeChart(DbiLaunch *launch, const unsigned char *records, size_t count)
{
    const uint32_t size = launch->base.file.record_bytes;
    const uint64_t middle = launch->base.file.size / 2;

    for (size_t i = 0; i < count; i++) {
        uint64_t *half = &launch->halves[launch->base.file.at + i * size >= middle];

        *half = OpprofInternHash(*half, records + i * size, size);
        if (!take_chart_record(launch, records + i * size, launch->base.file.at + i * size)) {
            return false;
        }
    }
    return true;
}

/* ---- sums by route for each block, and by path ---- */

bool DbiLaunchHasTraffic(const DbiLaunch *launch, uint32_t slot)
{
    const MoveTotal *first = MovesTotal(&launch->moves, slot, 0, 0);

    for (uint32_t pair = 0; pair < launch->moves.memories * launch->moves.memories; pair++) {
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
        if (DbiLaunchHasTraffic(launch, slot)) {
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
