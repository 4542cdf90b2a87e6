/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the pipe that bounds a launch, for the list of launches.
 * Tested by tests/plugins/analyse-sim/hotspot/test_pipes and tests/refchip/test_operators.sh.
 */
#include "launch_bound.h"

#include "tables.h"

#include <string.h>

void LaunchBoundConsider(LaunchBound *bound, const CoreStats *core, const CorePipes *pipes)
{
    const PipeStats *pipe = CorePipesBusiest(pipes);
    LaunchBound other = { .core = core->core, .chip = core->chip, .clock = core->clock };

    if (pipe == NULL) {
        return;
    }
    other.pipe = pipe->pipe;
    other.duration = pipes->last_end - pipes->first_start;
    other.worked = OpprofBusyTimeTotal(&pipe->worked);
    other.longest = bound->longest > other.duration ? bound->longest : other.duration;
    bound->longest = other.longest;
    if (bound->duration == 0 || other.worked > bound->worked ||
        (other.worked == bound->worked &&
         strcmp(OpprofStageString(pipes->stage, other.core),
                OpprofStageString(pipes->stage, bound->core)) < 0)) {
        *bound = other;
    }
}

/* What a pipe is for. */
static const char *use_of(const LaunchBound *bound, OpprofStage *stage)
{
    const char *pipe = OpprofStageString(stage, bound->pipe);
    const InstructionFacts *words = InstructionFactsOf(
        bound->chip == OPPROF_NA_STRING ? NULL : OpprofStageString(stage, bound->chip));
    const char *scalar = OpprofFactText(InstructionFactsFact(words, "pipes.scalar"));

    if (scalar != NULL && strcmp(pipe, scalar) == 0) {
        return "scalar";
    }
    return strncmp(pipe, "CUBE", 4) == 0 || strncmp(pipe, "VEC", 3) == 0 ? "compute" : "memory";
}

OpprofLaunchRow LaunchBoundRow(const LaunchBound *bound, OpprofStage *stage)
{
    OpprofLaunchRow row = { .bound = OPPROF_NA_STRING,
                            .busiest = OPPROF_NA_STRING,
                            .busy = OpprofNaF64(),
                            .duration_us = OpprofNaF64(),
                            .share = OpprofNaF64() };

    if (bound->duration > 0) {
        const double busy = (double) bound->worked * 100.0 / (double) bound->duration;
        const char *name = busy < OPPROF_LAUNCH_BUSY ? "latency" : use_of(bound, stage);

        row.bound = OpprofStageIntern(stage, name, strlen(name));
        row.busiest = bound->pipe;
        row.busy = busy;
        row.duration_us = TablesMicroseconds(stage, bound->clock, bound->longest);
    }
    return row;
}
