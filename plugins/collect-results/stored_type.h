/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_RESULTS_STORED_TYPE_H
#define COLLECT_RESULTS_STORED_TYPE_H

#include <opprof/stage.h>
#include <sqlite3.h>
#include <stdbool.h>

/* A table of a database, as a record type again. */
typedef struct StoredType {
    OpprofRecordType type;
    OpprofField *fields;
    char **texts; /* all that the type points to */
    size_t text_count;
    size_t text_capacity;
    size_t field_capacity;
    OpprofBatchPool *pool;
    char *table; /* name in the database; one of the texts */
} StoredType;

/*
 * Make the type of a row of opprof_tables (name, record, version, title, summary, file, flags) from the columns that the
 * database describes.
 *
 * @return OPPROF_OK, OPPROF_E_MEMORY, OPPROF_E_DATA (the description is not a table's: the error says why).
 */
OpprofStatus StoredTypeMake(StoredType *stored, sqlite3 *database, sqlite3_stmt *row,
                            OpprofError **error);
void StoredTypeFree(StoredType *stored);

/* The query for its rows, for sqlite3_free; NULL without memory. */
char *StoredTypeQuery(const StoredType *stored);
/* Append a row of the query. The batch has room. False without memory. */
bool StoredTypeAppend(const StoredType *stored, OpprofStage *stage, OpprofBatch *batch,
                      sqlite3_stmt *row);

#endif
