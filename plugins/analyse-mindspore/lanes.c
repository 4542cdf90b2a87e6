/* SPDX-License-Identifier: Apache-2.0 */
/* Timelines of devices. Tested by tests/plugins/collect-mindspore/test_raw.sh. */
#include "analyse-mindspore/lanes.h"

#include <stdio.h>
#include <string.h>

#define DOCUMENT "trace"

uint32_t LanesTrack(OpprofStage *stage, uint32_t device, const char *lane, int32_t sort,
                    uint32_t flags)
{
    const char *number = OpprofStageString(stage, device);
    char process[80];

    snprintf(process, sizeof process, "device %s", number);
    return OpprofStageTrack(stage,
                            &(OpprofTrack){ .document = DOCUMENT,
                                            .process = process,
                                            .process_sort = (int32_t) strtol(number, NULL, 10),
                                            .thread = lane,
                                            .thread_sort = sort,
                                            .flags = flags });
}

OpprofSpan LanesSlice(OpprofStage *stage, uint32_t track, uint32_t name, const char *category)
{
    return (OpprofSpan){ .track = track,
                         .kind = OPPROF_SPAN_SLICE,
                         .name = name,
                         .category = OpprofStageIntern(stage, category, strlen(category)),
                         .args = { OPPROF_NA_U32, 0 },
                         .id = { OPPROF_NA_U32, 0 },
                         .group = { OPPROF_NA_U32, 0 } };
}

OpprofStatus LanesAppend(OpprofOpenBatch *open, uint32_t clock, const OpprofSpan *slice)
{
    OpprofStatus status = OPPROF_OK;

    if (open->clock != clock || open->partition == OPPROF_NA_STRING) {
        status = OpprofOpenBatchPush(open);
        open->clock = clock;
        open->partition = OpprofStageIntern(open->stage, DOCUMENT, strlen(DOCUMENT));
    }
    if (status == OPPROF_OK) {
        status = OpprofOpenBatchRoom(open);
    }
    if (status == OPPROF_OK) {
        *(OpprofSpan *) OpprofBatchAppend(open->batch) = *slice;
    }
    return status;
}
