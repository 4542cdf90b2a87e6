/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recognises the contents of launches' raw files by their names. The same launch may have files of
 * several kinds: a kind that another one explains better is only possible.
 * Tested by tests/e2e/recognise.sh.
 */
#include "recognise.h"

#include <opprof/kit/raw_names.h>

/* Roles of files, as in the chip files' raw.files. */
static const char *const counters[] = { "counters", "l2_cache", "operands", NULL };
static const char *const stamps[] = { "marks", "aicpu", NULL };
static const char *const instrumentation[] = { "dbi_area",  "dbi_packets", "memory_chart",
                                               "block_map", "samples",     "liveness",
                                               "warps",     NULL };
static const char *const pipes[] = { "pipe_words", "pipe_windows", "pipe_groups", "pipe_monitors",
                                     NULL };

static bool has_role(const OpprofProbe *probe, const char *role)
{
    const char *const *patterns = NULL;
    const size_t count = OpprofRawPatterns("auto", role, &patterns);

    for (size_t i = 0; i < count; i++) {
        if (OpprofProbeFile(probe, patterns[i], 0) != NULL) {
            return true;
        }
    }
    return false;
}

static bool has(const OpprofProbe *probe, const char *const *roles)
{
    for (size_t i = 0; roles[i] != NULL && OpprofProbeIsDirectory(probe); i++) {
        if (has_role(probe, roles[i])) {
            return true;
        }
    }
    return false;
}

/* Operators that communicate have counters too, which their stamps need. */
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

/* If there are counters, their readers read it as well. */
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
