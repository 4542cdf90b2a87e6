/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the records of a memory chart, which arrives in pieces.
 * Tested by tests/plugins/parse-dbi/test_runs.sh.
 */
#include "launch_parts.h"

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

    for (size_t i = 0; i < count; i++) {
        if (!take_chart_record(launch, records + i * size, launch->base.file.at + i * size)) {
            return false;
        }
    }
    return true;
}
