/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares the ends of the logs of a dump's cores.
 * Tested by tests/plugins/collect-sim/test_ends.sh.
 */
#include "ending.h"
#include <inttypes.h>

static bool ends_popped(const WorkCore *core)
{
    return core->is_counted && core->end.is_popped_last;
}

/* The program ended as often as its end was popped. */
static bool ends_instr(const WorkCore *core)
{
    return core->is_counted && core->end.instr > 0 && core->end.instr >= core->end.popped;
}

/* The first core whose log shows how the program ends; NULL: none does. */
static const WorkCore *find_witness(const Work *work, bool (*shows)(const WorkCore *core))
{
    for (uint32_t i = 0; i < work->found.count; i++) {
        if (shows(&work->cores[i])) {
            return &work->cores[i];
        }
    }
    return NULL;
}

static void report_cut(OpprofStage *stage, const Work *work, const WorkCore *core, SimLogKind kind,
                       const WorkCore *witness)
{
    OpprofStageIncomplete(stage,
                          "Core %s: dump file '%s' does not reach the end of the program (%s), as "
                          "that of core %s does: its end is missing",
                          core->found->name, core->found->files[kind], work->facts.ends,
                          witness->found->name);
}

void EndingJudge(OpprofStage *stage, const Work *work)
{
    const WorkCore *popped = find_witness(work, ends_popped);
    const WorkCore *instr = find_witness(work, ends_instr);
    uint32_t unchecked = 0;
    uint32_t cores = 0;

    for (uint32_t i = 0; i < work->found.count; i++) {
        const WorkCore *core = &work->cores[i];

        if (!core->is_counted || core->lacks_records) {
            continue;
        }
        cores++;
        if (popped != NULL && !ends_popped(core)) {
            report_cut(stage, work, core, SIM_LOG_POPPED, popped);
        } else if (instr != NULL && !ends_instr(core)) {
            report_cut(stage, work, core, SIM_LOG_INSTR, instr);
        } else {
            unchecked += popped == NULL || instr == NULL;
        }
    }
    if (unchecked > 0 && !work->knows_end) {
        OpprofStageWarn(stage,
                        "Whether the logs of %" PRIu32 " of %" PRIu32
                        " cores reach the end of the program could not be checked: %s%s",
                        unchecked, cores,
                        work->facts.ends == NULL
                            ? "the chip's file names no instruction that ends one"
                            : "none of them shows an instruction that ends one, such as ",
                        work->facts.ends == NULL ? "" : work->facts.ends);
    }
}
