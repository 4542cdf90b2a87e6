/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_FORMATS_DATABASE_READER_H
#define COLLECT_KINETO_FORMATS_DATABASE_READER_H

/*
 * Reads the tables of a profiler's database, one after another, as events: what the readers of all
 * such databases share.
 */

#include "collect-kineto/formats/database.h"
#include "collect-kineto/formats/event_reader.h"

typedef struct DatabaseReader DatabaseReader;

/* What a row is. */
typedef enum RowTaken { ROW_NO_EVENT, ROW_IS_EVENT, ROW_NO_MEMORY } RowTaken;

/* A profiler's tables, by numbers from 0 on. */
typedef struct DatabaseForm {
    size_t table_count;
    const char *(*name_of)(size_t table);
    /* Write the query for the rows of a table that is there. False: it has no room. */
    bool (*write_query)(DatabaseReader *reader, size_t table, char *sql, size_t size);
    /* Take the current row of reader->rows into reader->event. */
    RowTaken (*take_row)(DatabaseReader *reader, size_t table);
} DatabaseForm;

/* A form's reader begins with it. */
struct DatabaseReader {
    EventReader base;
    const DatabaseForm *form;
    Database database;
    sqlite3_stmt *rows; /* NULL: between tables */
    size_t next_table;
    SourceIsStopping *is_stopping;
    const void *context;
    TraceFacts facts;
    uint64_t all_rows; /* of all tables that are read */
    char process[24];
    char thread[24];
    char problem[512];
    TraceEvent event;
};

/* ---- life ---- */

/* Open the database and count the rows of its tables. `reader` is zeroed but for `base` and `form`;
 * facts.has_events: it has one of the tables. Call DatabaseReaderFinish in any case. */
OpprofStatus DatabaseReaderOpen(DatabaseReader *reader, const char *path, const char *damage,
                                SourceIsStopping *is_stopping, const void *context,
                                OpprofError **error);
void DatabaseReaderFinish(DatabaseReader *reader);

/* The operations of an event reader. */
OpprofStatus DatabaseReaderNext(EventReader *reader, const TraceEvent **ret_event,
                                OpprofError **error);
void DatabaseReaderStop(EventReader *reader);
void DatabaseReaderFacts(const EventReader *reader, TraceFacts *ret_facts);
ReadProgress DatabaseReaderProgress(const EventReader *reader);

/* Opens a file with the reader of a form. */
typedef OpprofStatus DatabaseFormOpen(const char *path, const char *damage,
                                      SourceIsStopping *is_stopping, const void *context,
                                      EventReader **ret_reader, OpprofError **error);
/* Does the file have tables of the form? */
bool DatabaseFormAccepts(DatabaseFormOpen *open, const char *path);

/* ---- queries ---- */

/* The result of a query that is a number; 0 if none. A page that cannot be read is no answer, and
 * noted. */
uint64_t DatabaseReaderAsk(DatabaseReader *reader, const char *sql);
bool DatabaseReaderHas(DatabaseReader *reader, const char *table);
/* Note that the rows of a query were not all read. */
void DatabaseReaderNoteUnread(DatabaseReader *reader);
/* Nothing more comes: what is wrong with the file as a whole becomes the problem, unless there is
 * one. OPPROF_END. */
OpprofStatus DatabaseReaderEnd(DatabaseReader *reader);

/* ---- rows ---- */

JsonText RowText(sqlite3_stmt *row, int column);
/* A number as a text in `room`. */
JsonText RowPrint(char *room, size_t size, int64_t number);

#endif
