/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_OPENCL_REPORT_H
#define COLLECT_OPENCL_REPORT_H

/* What a run says of itself: what is missing, and how sure its times are. */

#include "collect-opencl/emit.h"
#include <opprof/kit/live_host.h>

typedef struct ReportCounts {
    uint64_t clients;  /* processes that connected */
    uint64_t commands; /* of all */
    uint64_t profiled; /* kernels that were given out */
    uint64_t notes;    /* that processes sent */
} ReportCounts;

/* A process is gone. `why`: its connection's fault, or NULL. */
void ReportGone(OpprofStage *stage, const Process *process, bool was_ended, const char *why);
/* How sure the times of its devices are. */
void ReportClocks(const Emitter *emitter);
/* What it lacks; adds up its commands. */
void ReportProcess(OpprofStage *stage, const Process *process, ReportCounts *counts);
/* At the end. */
void ReportRun(const OpprofLiveRun *run, const OpprofLiveFilter *filter,
               const ReportCounts *counts);

#endif
