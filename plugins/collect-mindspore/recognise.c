/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recognises folders of MindSpore's profiler up to version 2.3 by the names of their files.
 * Tested by tests/e2e/recognise.sh.
 */
#include "collect-mindspore/recognise.h"
#include "collect-mindspore/files.h"

#include <fnmatch.h>
#include <opprof/probe.h>
#include <string.h>

/* What today's profilers leave, which other pipelines read: raw files may lie beside it. */
static const char *const living[] = { "trace_view.json", "kernel_details*.csv", "*.db",
                                      "ASCEND_PROFILER_OUTPUT/*", "*/ASCEND_PROFILER_OUTPUT/*" };

static bool has_known_file(OpprofProbe *probe)
{
    FileNames names;
    bool result = FileNamesInit(&names, NULL);
    const char *file;

    for (size_t i = 0; result; i++) {
        file = OpprofProbeFile(probe, "*", i);
        if (file == NULL || FileNamesKnow(&names, file)) {
            result = file != NULL;
            break;
        }
    }
    FileNamesFinish(&names);
    return result;
}

static uint32_t recognise(OpprofProbe *probe)
{
    for (size_t i = 0; i < OPPROF_COUNT(living); i++) {
        if (OpprofProbeFile(probe, living[i], 0) != NULL) {
            return 0;
        }
    }
    if (fnmatch("*/ASCEND_PROFILER_OUTPUT*", OpprofProbePath(probe), 0) == 0) {
        return 0;
    }
    return has_known_file(probe) ? OPPROF_LIKELY : 0;
}

const OpprofInputKind recognise_kinds[] = {
    { .name = "mindspore",
      .summary = "a folder of MindSpore's profiler up to version 2.3, with files such as "
                 "hwts.data.0.slice_0 or step_trace_raw_0_detail_time.csv",
      .recognise = recognise },
    { .name = NULL },
};
