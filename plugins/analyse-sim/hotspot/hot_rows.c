/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Emits what a core did at its addresses and lines, as source pages need it.
 * Tested by tests/plugins/analyse-sim/hotspot/test_hotspot.
 */
#include "hot_rows.h"

#include <opprof/records/hotspot.h>

#include <string.h>

/* The line that a page jumps to: the innermost one outside the toolkit. */
static const char *inner_line(const PcStats *pc)
{
    if (pc->stack == NULL || pc->stack->count == 0) {
        return NULL;
    }
    for (uint32_t i = 0; i < pc->stack->count; i++) {
        if (!pc->stack->lines[i]->is_toolkit) {
            return pc->stack->lines[i]->text;
        }
    }
    return pc->stack->lines[0]->text;
}

static void set_details(OpprofHotAddress *address, const PcStats *pc)
{
    const OpprofSimPcDetails *details = &pc->details;

    address->process_bytes = pc->has_details ? details->process_bytes : OPPROF_NA_I64;
    address->icache_cycles = pc->has_details ? details->icache_cycles : OPPROF_NA_I64;
    address->ccu_cycles = pc->has_details ? details->ccu_cycles : OPPROF_NA_I64;
    address->vector_utilization = pc->has_details ? details->vector_utilization : OpprofNaF64();
    address->gpr_count = pc->has_details ? details->gpr_count : OPPROF_NA_I32;
    address->read_conflict = pc->has_details ? details->ub_read_conflict : OPPROF_NA_I32;
    address->write_conflict = pc->has_details ? details->ub_write_conflict : OPPROF_NA_I32;
}

static OpprofStatus push_address(OpprofStage *stage, uint32_t port, const CoreStats *core,
                                 const PcStats *pc)
{
    const char *line = inner_line(pc);
    OpprofHotAddress address = {
        .pc = pc->pc,
        .calls = pc->calls,
        .cycles = pc->cycles,
        .core = core->core,
        .name = pc->name,
        .pipe = pc->pipe,
        .line = line == NULL ? OPPROF_NA_STRING : OpprofStageIntern(stage, line, strlen(line)),
        .only_marks = !pc->has_instructions,
        .folder = core->folder,
    };
    OpprofStatus status;

    if (line != NULL && address.line == OPPROF_NA_STRING) {
        return OPPROF_E_MEMORY;
    }
    set_details(&address, pc);
    status = OpprofStageText(stage, port, core->partition, CoreStatsDetail(core, pc),
                             pc->detail_length, &address.detail);
    return status == OPPROF_OK ? OpprofStageAppend(stage, port, core->partition, &address) : status;
}

OpprofStatus HotRowsPushAddresses(OpprofStage *stage, uint32_t port, const CoreStats *core)
{
    OpprofStatus status = OPPROF_OK;

    OpprofStageSetClock(stage, port, core->clock);
    for (uint32_t i = 0; status == OPPROF_OK && i < core->pc_count; i++) {
        if (core->pcs[i].calls > 0) {
            status = push_address(stage, port, core, &core->pcs[i]);
        }
    }
    return status;
}

static OpprofStatus push_line(OpprofStage *stage, uint32_t port, const CoreStats *core, uint64_t pc,
                              const LineStats *stats)
{
    const OpprofSourceLine *line = stats->line;
    const OpprofHotLine record = {
        .pc = pc,
        .calls = stats->calls,
        .cycles = stats->cycles,
        .core = core->core,
        .file = OpprofStageIntern(stage, line->text, line->file_length),
        .line = line->line,
        .folder = core->folder,
    };

    return record.file == OPPROF_NA_STRING
               ? OPPROF_E_MEMORY
               : OpprofStageAppend(stage, port, core->partition, &record);
}

OpprofStatus HotRowsPushLines(OpprofStage *stage, uint32_t port, const CoreStats *core)
{
    OpprofStatus status = OPPROF_OK;

    OpprofStageSetClock(stage, port, core->clock);
    for (uint32_t i = 0; i < core->pc_count; i++) {
        const PcStats *pc = &core->pcs[i];

        for (uint32_t l = 0; status == OPPROF_OK && pc->calls > 0 && l < pc->line_count; l++) {
            status = push_line(stage, port, core, pc->pc,
                               &core->lines[core->line_numbers[pc->first_line + l]]);
        }
    }
    return status;
}
