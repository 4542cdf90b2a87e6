/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_HTML_TABLES_H
#define VIZ_HTML_TABLES_H

#include "names.h"

/* Rows of one table, as JSON. */
typedef struct PageTable {
    const OpprofRecordType *type;
    Text rows;      /* "[…],[…]" */
    uint64_t total; /* rows that came */
    uint64_t shown; /* rows that are in `rows` */
} PageTable;

/* All tables. Those of types made during the run are one table where their columns are the same. */
typedef struct Tables {
    OpprofStage *stage;
    Names *names;
    PageTable *tables;
    uint32_t count;
    uint32_t capacity;
    uint32_t latest;   /* index of the table of the last batch */
    uint64_t bytes;    /* of the rows of all */
    uint64_t left_out; /* batches of tables beyond the limit */
} Tables;

/* Take the rows of a batch. False without memory. */
bool TablesTake(Tables *tables, const OpprofBatch *batch);

/* Append the members of a JSON array. */
void TablesPut(const Tables *tables, Text *json);

/* Free what it holds. */
void TablesFinish(Tables *tables);

#endif
