/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_HTML_TABLES_H
#define VIZ_HTML_TABLES_H

#include "grid.h"
#include "limits.h"

#include <opprof/kit/spool.h>

/* A range of the spool. */
typedef struct TablePiece {
    uint64_t offset;
    uint32_t size;
} TablePiece;

/* The rows of a table from one producer and partition. */
typedef struct TablePart {
    uint32_t table;
    uint32_t link;      /* of the producer */
    uint32_t partition; /* interned */
    uint32_t fields;    /* of the rows' type: the table may have more at its end */
    uint64_t total;     /* number of rows received */
    uint64_t size;      /* bytes of the rows kept */
    TablePiece *pieces; /* whole rows in the spool */
    uint32_t piece_count;
    uint32_t piece_capacity;
    OpprofJsonOut rows; /* the rows after them: "[…]\n" each; names are marked */
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
    OpprofSpool spool; /* rows, so that memory does not grow with the tables */
    uint64_t held;     /* bytes of all rows */
    uint64_t left_out; /* batches of tables beyond the limit */
} Tables;

/* Add the rows of a batch. OPPROF_OK, OPPROF_E_IO, OPPROF_E_MEMORY. */
OpprofStatus TablesTake(Tables *tables, const OpprofBatch *batch, OpprofError **error);

/* Append the members of a JSON array, with as many rows as fit. OPPROF_OK, OPPROF_E_IO. */
OpprofStatus TablesPut(Tables *tables, OpprofJsonOut *json, OpprofError **error);

/* Free what it holds. */
void TablesFinish(Tables *tables);

#endif
