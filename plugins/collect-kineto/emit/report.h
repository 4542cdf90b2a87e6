/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_EMIT_REPORT_H
#define COLLECT_KINETO_EMIT_REPORT_H

#include "collect-kineto/formats/event_reader.h"
#include "collect-kineto/rank/own_compare.h"
#include "collect-kineto/rank/ranks.h"

#include <opprof/stage.h>

/* Places in a trace, for messages: "byte 7 of its text". */
typedef struct TracePlace {
    char text[64];
} TracePlace;

TracePlace TracePlaceOf(const TraceFacts *facts, uint64_t at);

/* A trace that was read, as far as messages about it need it. */
typedef struct TraceReport {
    OpprofStage *stage;
    const char *path;
    const RankTrace *trace;
    const TraceFacts *facts;
    const LinkedTrace *linked;
    const OwnComparison *sums;
    const RankSeat *seat;
    bool names_rank; /* the trace has the rank, it is not guessed from the file's name */
} TraceReport;

/* What a trace without anything to analyse has instead: "'t.json' has 7 events, 5 of category 'x'".
 * `text` is cut to its size. */
void TraceReportInstead(const TraceReport *report, const char *form, char *text, size_t size);

/* Says what the trace lacks, and what in it cannot be relied upon. [stage] */
void TraceReportAll(const TraceReport *report);

#endif
