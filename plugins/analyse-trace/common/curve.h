/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_COMMON_CURVE_H
#define ANALYSE_TRACE_COMMON_CURVE_H

#include "analyse-trace/common/feed.h"
#include "analyse-trace/common/rows.h"

/* A curve below the process of a track. */
typedef struct Curve {
    uint32_t track; /* of the process */
    uint32_t name;
    uint32_t series;
} Curve;

/* Make a curve; false without memory. `track` is any track of the process. */
bool CurveInit(Curve *curve, OpprofStage *stage, uint32_t track, const char *name,
               const char *series);

/* Samples of a rank on their way to a port of counters. */
Rows CurveRows(OpprofStage *stage, uint32_t port, const FeedRank *rank);

/* Add a sample. Failures are reported by RowsEnd. */
void CurvePut(Rows *rows, const Curve *curve, uint64_t tick, double value);

#endif
