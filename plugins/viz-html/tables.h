/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_HTML_TABLES_H
#define VIZ_HTML_TABLES_H

#include "grid.h"
#include "limits.h"

/* The rows of a table from one producer and partition. */
typedef struct TablePart {
    uint32_t table;
    uint32_t link;      /* of the producer */
    uint32_t partition; /* interned */
    uint64_t total;     /* number of rows received */
    OpprofJsonOut rows; /* "[…]\n" for each row; names are marked */
} TablePart;

/*
 * All tables. Types made during the run form one table if their columns are the same. Producers run
 * side by side: their rows are kept apart, and the page has them by producer and partition.
 */
typedef struct Tables {
    OpprofStage *stage;
    Names *names;
    const OpprofRecordType **types; /* by table */
    Grid *grids[PAGE_TABLES];       /* by table; NULL: its type has none */
    uint32_t count;
    uint32_t capacity;
    uint32_t latest; /* table of the last batch */
    TablePart *parts;
    uint32_t part_count;
    uint32_t part_capacity;
    OpprofMap places;  /* of parts, by table, producer and partition */
    uint64_t held;     /* bytes of all rows */
    uint64_t left_out; /* batches of tables beyond the limit */
} Tables;

/* Add the rows of a batch. False without memory. */
bool TablesTake(Tables *tables, const OpprofBatch *batch);

/* Append the members of a JSON array, with as many rows as fit. */
void TablesPut(Tables *tables, OpprofJsonOut *json);

/* Free what it holds. */
void TablesFinish(Tables *tables);

#endif
