/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EXPORT_SPAN_ROWS_H
#define EXPORT_SPAN_ROWS_H

#include "row_source.h"

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
    char *args; /* arguments of the current span, as JSON */
    size_t args_length;
    size_t args_capacity;
    bool is_out_of_memory; /* args could not grow */
    RowSource spans;
    RowSource counters;
    Database *database; /* of the current batch, as the following */
    const OpprofBatch *batch;
    const OpprofClock *clock;
    OpprofSpan span_in_hand; /* names and track have their numbers in the database */
    OpprofCounter counter_in_hand;
} SpanRows;

/* Make the tables. The rows must not move until the database is closed. */
OpprofStatus SpanRowsStart(SpanRows *rows, Database *database, OpprofError **error);
OpprofStatus SpanRowsTakeSpans(SpanRows *rows, Database *database, const OpprofBatch *batch,
                               OpprofError **error);
OpprofStatus SpanRowsTakeCounters(SpanRows *rows, Database *database, const OpprofBatch *batch,
                                  OpprofError **error);
/* Make the indices. */
OpprofStatus SpanRowsFinish(Database *database, OpprofError **error);
/* Free; call before the database is closed. */
void SpanRowsFree(SpanRows *rows);

#endif
