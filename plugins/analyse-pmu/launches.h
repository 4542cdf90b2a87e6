/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_PMU_LAUNCHES_H
#define ANALYSE_PMU_LAUNCHES_H

#include "analysis.h"
#include "table_type.h"

/* The frame of an analysis that handles one launch after another: the instance of such a plugin. */
typedef struct Launches {
    OpprofStage *stage;
    PmuMetrics *metrics; /* of the chips seen so far */
    TableType *types;    /* of the tables made so far */
    uint64_t count;      /* launches */
} Launches;

/* Called for each launch. */
typedef OpprofStatus LaunchAnalyse(Launches *self, const LaunchView *view, OpprofError **error);

OpprofStatus LaunchesCreate(OpprofStage *stage, void **ret_self, OpprofError **error);
void LaunchesDestroy(void *self);
OpprofStatus LaunchesProcess(Launches *self, const OpprofBatch *batch, LaunchAnalyse *analyse,
                             OpprofError **error);
OpprofStatus LaunchesFlush(void *self, OpprofError **error);

/* The input port of all these analyses. */
#define LAUNCHES_INPUT                                                                             \
    {                                                                                              \
        .name = "launches", .type = "pmu.launch", .record_type = &opprof_pmu_launch_type,          \
        .summary = "Launches, merged over their replays."                                          \
    }

#endif
