/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The frame of an analysis that handles one launch after another.
 * Tested by tests/plugins/parse-pmu/test_cases.sh.
 */
#include "launches.h"

#include <inttypes.h>
#include <opprof/log.h>
#include <stdlib.h>

const char *const launches_chip_sections[] = { "metrics", "peaks", "pmu", NULL };

OpprofStatus LaunchesCreate(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Launches *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return OpprofErrorNoMemory(error, "analyse launches");
    }
    self->stage = stage;
    *ret_self = self;
    return OPPROF_OK;
}

void LaunchesDestroy(void *self)
{
    Launches *launches = self;

    PmuMetricsFree(launches->metrics);
    TableTypesFree(launches->types);
    free(launches);
}

OpprofStatus LaunchesProcess(Launches *self, const OpprofBatch *batch, LaunchAnalyse *analyse,
                             OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    self->count += batch->count;
    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        LaunchView view;
        status = LaunchViewTake(batch, OpprofBatchRecord(batch, i), &view, error);
        if (status == OPPROF_OK) {
            status = analyse(self, &view, error);
            LaunchViewFinish(&view);
        }
    }
    return OpprofErrorExplain(error, status, "Cannot analyse launch '%s'",
                              OpprofStageString(self->stage, batch->partition));
}

OpprofStatus LaunchesFlush(void *self, OpprofError **error)
{
    const Launches *launches = self;

    (void) error;
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(launches->stage), "Analysed launches: %" PRIu64,
              launches->count);
    return OPPROF_OK;
}
