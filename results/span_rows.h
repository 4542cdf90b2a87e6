/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RESULTS_SPAN_ROWS_H
#define RESULTS_SPAN_ROWS_H

#include "row_source.h"
#include "span_args.h"

#include <opprof/present.h>

/* Spans and counters in a database, with the names and tracks they use.
 * Zeroed memory holds none. */
typedef struct SpanRows {
    sqlite3_stmt *span;    /* adds the rows of `spans` */
    sqlite3_stmt *counter; /* adds the rows of `counters` */
    sqlite3_stmt *name;
    sqlite3_stmt *track;
    uint32_t *names;     /* by the run's id: number in the database, or 0 */
    uint32_t name_room;  /* room for so many names */
    uint32_t name_count; /* number in the database */
    uint32_t *tracks;
    uint32_t track_room;
    uint32_t track_count;
    SpanArgs args; /* of the current span */
    RowSource spans;
    RowSource counters;
    Database *database; /* of the current batch, as the following */
    const OpprofBatch *batch;
    const OpprofClock *clock;
    OpprofSpan span_in_hand; /* names and track have their numbers in the database */
    OpprofCounter counter_in_hand;
} SpanRows;

/* Begin with an empty database. The rows must not move until it is closed. */
OpprofStatus SpanRowsStart(SpanRows *rows, Database *database, OpprofError **error);
OpprofStatus SpanRowsTakeSpans(SpanRows *rows, Database *database, const OpprofBatch *batch,
                               OpprofError **error);
OpprofStatus SpanRowsTakeCounters(SpanRows *rows, Database *database, const OpprofBatch *batch,
                                  OpprofError **error);
/* Free; call before the database is closed. */
void SpanRowsFree(SpanRows *rows);

#endif
