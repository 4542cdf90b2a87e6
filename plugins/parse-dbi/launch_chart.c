/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the records of a memory chart, which arrives in pieces.
 * Tested by tests/plugins/parse-dbi/test_runs.sh.
 */
#include "launch_parts.h"

#include <inttypes.h>
#include <string.h>

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
        DbiLeaveOut(&launch->invalid, offset);
        return true;
    }
    if (access.run.from == DBI_NO_MEMORY || access.run.to == DBI_NO_MEMORY) {
        DbiLeaveOut(&launch->nowhere, offset);
        DbiLaunchKeepRaw(launch, offset, bytes, launch->model->tables.chart.size,
                         "the record names a memory that does not exist");
        return true;
    }
    if (access.slot >= launch->moves.slots) {
        DbiLeaveOut(&launch->beyond, offset);
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
    return DbiLaunchTakeRun(launch, &access.run);
}

bool DbiLaunchFeedChart(DbiLaunch *launch, const unsigned char *bytes, size_t length)
{
    const uint32_t size = launch->model->tables.chart.size;
    const uint64_t before = launch->file_bytes;
    size_t at = 0;

    if (size == 0) {
        return true; /* the chip file does not describe it */
    }

    if (launch->have > 0) {
        const size_t wanted = size - launch->have;
        at = length < wanted ? length : wanted;
        memcpy(launch->carry + launch->have, bytes, at);
        launch->have += (uint32_t) at;
        if (launch->have < size) {
            return true;
        }
        launch->have = 0;
        if (!take_chart_record(launch, launch->carry, before + at - size)) {
            return false;
        }
    }
    for (; length - at >= size; at += size) {
        if (!take_chart_record(launch, bytes + at, before + at)) {
            return false;
        }
    }
    memcpy(launch->carry, bytes + at, length - at);
    launch->have = (uint32_t) (length - at);
    return true;
}

void DbiLaunchEndChart(DbiLaunch *launch)
{
    if (launch->model->tables.chart.size == 0) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': '%s' is left out: the chip file of '%s' does not "
                              "describe its records ('dbi.chart')",
                              DbiLaunchPlace(launch), DbiLaunchFile(launch),
                              OpprofChipSoc(launch->model->chip));
    }
    if (launch->have > 0) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': '%s' at byte %" PRIu64
                              ": the file ends in the middle of a record: %u of %u bytes are there",
                              DbiLaunchPlace(launch), DbiLaunchFile(launch),
                              launch->file_bytes - launch->have, launch->have,
                              launch->model->tables.chart.size);
    }
}
