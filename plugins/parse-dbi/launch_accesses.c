/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns records of a launch into accesses and sums.
 * Tested by tests/plugins/parse-dbi/test_runs.sh.
 */
#include "launch_parts.h"
#include "rules.h"

#define ACCESSES_A_LOOK 65536u /* between checks whether the run should stop */

/* A place for one more access; NULL: launch->status gives the reason. */
static OpprofDbiAccess *next_access(DbiLaunch *launch)
{
    launch->status = OpprofOpenBatchRoom(&launch->open);
    return launch->status == OPPROF_OK ? OpprofBatchAppend(launch->open.batch) : NULL;
}

bool DbiLaunchTakeRun(void *context, const DbiRun *run)
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

void DbiLeaveOut(DbiLeftOut *left_out, uint64_t offset)
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
    const DbiSink sink = { .take = DbiLaunchTakeRun, .context = launch };
    bool is_rough = false;

    launch->taken++;
    if (!has_memories(record)) {
        DbiLeaveOut(&launch->nowhere, offset);
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
        DbiLeaveOut(&launch->invalid, offset);
        record->refusal = "the record has parameters that its instruction cannot have";
        break;
    case DBI_TOO_MANY:
        DbiLeaveOut(&launch->implausible, offset);
        record->refusal = "the record makes more accesses than possible";
        break;
    case DBI_STOPPED:
        return false;
    case DBI_GOOD:
        break;
    }
    if (is_rough) {
        DbiLeaveOut(&launch->rough, offset);
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
