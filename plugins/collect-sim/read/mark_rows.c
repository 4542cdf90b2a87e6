/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Passes the user marks of a core to their port.
 * Tested by tests/plugins/collect-sim/test_collect_sim.c.
 */
#include "mark_rows.h"
#include <inttypes.h>

static void report_left_out(OpprofStage *stage, const WorkCore *core, const Marks *marks,
                            uint64_t nested, uint64_t open)
{
    for (unsigned digit = 0; digit < MARK_DIGITS; digit++) {
        if (marks->is_nested[digit]) {
            OpprofStageIncomplete(
                stage,
                "Core %s: the user marks 0x%u are left out, because their starts and stops do not "
                "take turns (a nested loop, or TRACE_START without TRACE_STOP)",
                core->name, digit);
        }
    }
    if (open > 0) {
        OpprofStageIncomplete(stage, "Core %s: %" PRIu64 " user %s left out: the end is missing",
                              core->name, open, open == 1 ? "mark is" : "marks are");
    }
    if (nested + open > 0) {
        OpprofStageCount(stage, "user marks left out", nested + open);
    }
}

OpprofStatus MarkRowsEmit(const Reading *reading, const WorkCore *core, OpprofError **error)
{
    OpprofStage *stage = reading->stage;
    const Work *work = reading->work;
    const OpprofClock core_clock = { .name = "core", .hz = work->facts.hz };
    const uint32_t name = OpprofStageIntern(stage, core->name, strlen(core->name));
    const uint32_t clock = OpprofStageClock(stage, &core_clock);
    uint64_t nested, open;
    const Marks *marks = PairingGetMarks(core->pairing, &nested, &open);
    OpprofStatus status = OPPROF_OK;
    Emitter emitter;

    if (name == OPPROF_NA_STRING || clock == 0) {
        return OpprofErrorNoMemory(error, "collect the user marks of core '%s'", core->name);
    }
    report_left_out(stage, core, marks, nested, open);
    EmitterInit(&emitter, stage, EMIT_MARKS, name, clock);
    emitter.chip = WorkChip(work, stage);
    for (size_t i = 0; i < marks->count && status == OPPROF_OK; i++) {
        status = EmitMark(&emitter, marks, &marks->marks[i], error);
    }
    if (status == OPPROF_OK) {
        OpprofStageCount(stage, "user marks", marks->count);
        status = EmitterEnd(&emitter, reading->ends, error);
    }
    EmitterFinish(&emitter);
    return status;
}
