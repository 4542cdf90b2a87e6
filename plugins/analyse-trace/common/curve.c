/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws curves below the process of a track. Tested by tests/plugins/analyse-trace/test_kineto.
 */
#include "analyse-trace/common/curve.h"

#include <string.h>

bool CurveInit(Curve *curve, OpprofStage *stage, uint32_t track, const char *name,
               const char *series)
{
    const OpprofTrack *info = OpprofStageTrackInfo(stage, track);
    OpprofTrack process;

    *curve = (Curve){ .track = OPPROF_NA_U32 };
    if (info == NULL) {
        return false;
    }
    process = *info;
    process.thread = NULL;
    process.thread_name = NULL;
    process.thread_sort = -1;
    curve->track = OpprofStageTrack(stage, &process);
    curve->name = OpprofStageIntern(stage, name, strlen(name));
    curve->series = OpprofStageIntern(stage, series, strlen(series));
    return curve->track != OPPROF_NA_U32 && curve->name != OPPROF_NA_STRING &&
           curve->series != OPPROF_NA_STRING;
}

Rows CurveRows(OpprofStage *stage, uint32_t port, const FeedRank *rank)
{
    return (Rows){ .stage = stage, .port = port, .clock = rank->clock, .partition = rank->name };
}

void CurvePut(Rows *rows, const Curve *curve, uint64_t tick, double value)
{
    OpprofCounter *sample = RowsNext(rows);

    if (sample != NULL) {
        *sample = (OpprofCounter){ .time = tick,
                                   .value = value,
                                   .track = curve->track,
                                   .name = curve->name,
                                   .series = curve->series };
    }
}
