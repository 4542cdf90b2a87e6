/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tells what the raw files of launches hold, by their names. The same launch may have files of several kinds: what another
 * kind explains better is only possible. Tested by tests/e2e/recognise.sh.
 */
#include "recognise.h"

static const char *const counters[] = { "DeviceProf*.bin", "L2Cache.bin", "OperandRecord.bin",
                                        NULL };
static const char *const stamps[] = { "aic_timestamp.bin", "aicpu.bin", NULL };
static const char *const instrumentation[] = { "DbiArea.bin", "DbiPackets.bin", "MemoryChart.bin",
                                               NULL };
static const char *const pipes[] = { "timeline.bin.*", "perfmon.core*", "instr.biu_perf_group*",
                                     "instr.group_*", NULL };

static bool has(const OpprofProbe *probe, const char *const *patterns)
{
    for (size_t i = 0; patterns[i] != NULL; i++) {
        if (OpprofProbeIsDirectory(probe) && OpprofProbeFile(probe, patterns[i], 0) != NULL) {
            return true;
        }
    }
    return false;
}

/* Operators that communicate have counters too: their stamps need them. */
static uint32_t recognise_counters(OpprofProbe *probe)
{
    if (!has(probe, counters)) {
        return 0;
    }
    return has(probe, stamps) ? OPPROF_POSSIBLE : OPPROF_LIKELY;
}

static uint32_t recognise_stamps(OpprofProbe *probe)
{
    return has(probe, stamps) ? OPPROF_LIKELY : 0;
}

/* With counters beside it, those who read the counters read it as well. */
static uint32_t recognise_instrumentation(OpprofProbe *probe)
{
    if (!has(probe, instrumentation)) {
        return 0;
    }
    return has(probe, counters) ? OPPROF_POSSIBLE : OPPROF_LIKELY;
}

static uint32_t recognise_pipes(OpprofProbe *probe)
{
    return has(probe, pipes) ? OPPROF_LIKELY : 0;
}

const OpprofInputKind recognise_kinds[] = {
    { .name = "counters",
      .summary = "raw counters of launches, with files such as DeviceProf1.bin",
      .recognise = recognise_counters },
    { .name = "stamps",
      .summary = "raw stamps of operators that communicate, with files such as aic_timestamp.bin",
      .recognise = recognise_stamps },
    { .name = "instrumentation",
      .summary = "instrumentation records of launches, with files such as DbiArea.bin",
      .recognise = recognise_instrumentation },
    { .name = "pipe-activity",
      .summary = "streams of pipe activity, with files such as timeline.bin.0",
      .recognise = recognise_pipes },
    { .name = NULL },
};
