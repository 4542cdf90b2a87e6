/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dumps of a simulator through what sim-dump does with all of their logs, those of memory engines,
 * instruction cache and control unit too, up to the timeline, the curves and the viewer's
 * container. The hot spots are tried by fuzz/fuzz_hotspot_launch.c. The first byte chooses the chip
 * and what is asked for; the files follow.
 */
#include "fuzz/fuzz.h"
#include "fuzz/launch_run.h"

#include <opprof/record.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {
    "core0.veccore0.instr_log.dump",
    "core0.veccore0.instr_popped_log.dump",
    "core0.veccore0.ifu.icache_log.dump",
    "core0.veccore0.ccu_log.dump",
    "core0.mte_log.dump",
    "core0.cubecore0.instr_log.dump",
    "core0.cubecore0.instr_popped_log.dump",
    "core0.cubecore0.ifu.icache_log.dump",
    "core0.cubecore0.ccu_log.dump",
    "core0.cubecore0.mte_log.dump",
    "core0.instr_log.dump",
    "core0.instr_popped_log.dump",
    "core0.icache_log.dump",
    "core1.veccore1.instr_log.dump",
    "core1.veccore1.instr_popped_log.dump",
    "core0.mte_log.dump.1",
    "core0.veccore0.instr_popped_log.dump.1",
};

#define OF_ALL 2u /* the first ones, which the simulators of all chips have */
static const char *const metrics[] = {
    "PipeUtilization,ResourceConflictRatio",
    "PipeUtilization,ResourceConflictRatio,PMSampling",
    "PipeUtilization,ResourceConflictRatio,Overhead",
    "PipeUtilization,ResourceConflictRatio,PMSampling,Overhead",
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const char *series = launch_series[data[0] % LAUNCH_SERIES];
    const char *chip = data[0] / 12 % 2 == 0 ? series : "auto";
    const size_t choices = strcmp(series, "950") == 0 ? OF_ALL : OPPROF_COUNT(metrics);
    char dump[384], timeline[256];
    const LaunchStage stages[] = { { "collect-sim", dump },      { "parse-mte", NULL },
                                   { "sim-bandwidth", NULL },    { "sim-details", NULL },
                                   { "sim-timeline", timeline }, { "trace", NULL },
                                   { "insight", NULL },          { NULL, NULL } };

    LaunchFilesWrite(names, OPPROF_COUNT(names), data + 1, size - 1);
    snprintf(dump, sizeof dump, "{ \"dump\": \"%s\", \"chip\": \"%s\", \"metrics\": \"%s\" }",
             LaunchInput(), chip, metrics[data[0] / LAUNCH_SERIES % choices]);
    snprintf(timeline, sizeof timeline, "{ \"dump\": \"%s\", \"chip\": \"%s\" }", LaunchInput(),
             chip);
    LaunchRunStages(stages, series);
    return 0;
}
