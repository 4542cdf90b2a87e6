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
    /* By table: the fewest bytes that the rows kept take on the page. Rows come in the page's
     * order, so those after PAGE_TABLE_BYTES are of no use. */
    uint64_t least[PAGE_TABLES];
    uint64_t more[PAGE_TABLES]; /* by table: rows that were not even taken */
    OpprofMap places;           /* of parts, by table, producer and partition */
    OpprofSpool spool;          /* rows, so that memory does not grow with the tables */
    uint64_t held;              /* bytes of all rows */
    uint64_t left_out;          /* batches of tables beyond the limit */
} Tables;

/* Add the rows of a batch. OPPROF_OK, OPPROF_E_IO, OPPROF_E_MEMORY. */
OpprofStatus TablesTake(Tables *tables, const OpprofBatch *batch, OpprofError **error);

/* Add to the number of a table's rows, which the page cannot show anyway. False without memory. */
bool TablesAddTotal(Tables *tables, const OpprofRecordType *type, uint64_t rows);

/* A record whose visible fields are all absent stands for an empty table, not for a row. */
bool TablesIsRow(const OpprofRecordType *type, const char *record);

/* Hidden texts say which core or launch a row belongs to, and a hidden weight orders the rows: the
 * page needs both. */
bool TablesIsColumn(const OpprofField *field);

/* Append the members of a JSON array, with as many rows as fit. OPPROF_OK, OPPROF_E_IO. */
OpprofStatus TablesPut(Tables *tables, OpprofJsonOut *json, OpprofError **error);

/* Free what it holds. */
void TablesFinish(Tables *tables);

#endif
