/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_TABLES_TABLE_FILE_H
#define COLLECT_KINETO_TABLES_TABLE_FILE_H

/* Reads one file of a table: its heading, and its rows as records. */

#include "collect-kineto/tables/table_type.h"
#include "collect-kineto/text/source.h"

#include <opprof/kit/csv.h>
#include <opprof/stage.h>

/* What was lost, for one message. */
typedef struct TableLoss {
    uint64_t count;
    uint64_t line; /* of the first */
} TableLoss;

typedef struct TableFile {
    TableType *table;
    const char *path; /* borrowed */
    uint32_t rank;    /* interned */
    Source *source;
    OpprofCsv rows;
    uint32_t of_cell[OPPROF_CSV_CELLS]; /* field of each cell of a row, plus 1; 0: none */
    size_t cells;                       /* of the heading */
    uint64_t count;                     /* of rows that were taken */
    TableLoss broken;   /* rows that cannot be read, or have another number of cells */
    TableLoss odd;      /* cells that are no number where one is due */
    uint32_t odd_field; /* of the first of them */
    bool is_cut;
    char *made;       /* text from which rows are read instead of the file; NULL: none */
    char damage[256]; /* of the document that it was made of */
    char *problem;    /* why the file cannot be read at all; NULL: it can */
} TableFile;

/*
 * Open a file and read its heading. Further columns are added to the table's type while that is not
 * made. OPPROF_OK also for a file with a problem.
 */
OpprofStatus TableFileOpen(TableFile *file, TableType *table, const char *path,
                           OpprofError **error);
/* Before the type is made: learn from some rows what further columns hold. False without memory. */
bool TableFileLearn(TableFile *file);
/* Append the next rows to a batch, as many as it takes. OPPROF_END: there are no more. */
OpprofStatus TableFileFill(TableFile *file, OpprofStage *stage, OpprofBatch *batch,
                           OpprofError **error);
/* After all rows: report what was lost. */
void TableFileReport(const TableFile *file, OpprofStage *stage);
void TableFileClose(TableFile *file);

#endif
