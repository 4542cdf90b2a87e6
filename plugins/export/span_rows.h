/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EXPORT_SPAN_ROWS_H
#define EXPORT_SPAN_ROWS_H

#include "database.h"

/* Spans and counters in a database, with the names and tracks they use. Zeroed memory holds none. */
typedef struct SpanRows {
    sqlite3_stmt *span;
    sqlite3_stmt *counter;
    sqlite3_stmt *name;
    sqlite3_stmt *track;
    uint32_t *names;     /* by the run's id: number in the database, or 0 */
    uint32_t name_room;  /* names there is room for */
    uint32_t name_count; /* in the database */
    uint32_t *tracks;
    uint32_t track_room;
    uint32_t track_count;
    char *args; /* arguments of the span in hand, as JSON */
    size_t args_length;
    size_t args_capacity;
    bool is_out_of_memory; /* args could not grow */
} SpanRows;

/* Make the tables. */
OpprofStatus SpanRowsStart(SpanRows *rows, Database *database, OpprofError **error);
OpprofStatus SpanRowsTakeSpans(SpanRows *rows, Database *database, const OpprofBatch *batch,
                               OpprofError **error);
OpprofStatus SpanRowsTakeCounters(SpanRows *rows, Database *database, const OpprofBatch *batch,
                                  OpprofError **error);
/* Make the indices. */
OpprofStatus SpanRowsFinish(Database *database, OpprofError **error);
/* Free. Comes before the database is closed. */
void SpanRowsFree(SpanRows *rows);

#endif
