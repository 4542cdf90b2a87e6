/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_TABLES_CSV_ROWS_H
#define COLLECT_KINETO_TABLES_CSV_ROWS_H

/* Reads the rows of a CSV file, which may be compressed or in an archive, one by one. */

#include "collect-kineto/text/source.h"

#define CSV_CELLS 512u               /* most columns */
#define CSV_ROW_BYTES (1024u * 1024) /* the longest row that is kept */

/* A cell without blanks around it and without its quotes. */
typedef struct CsvCell {
    const char *text; /* with a NUL after it; valid until the next row */
    size_t length;
} CsvCell;

typedef enum CsvResult {
    CSV_ROW,
    CSV_BROKEN, /* a row that cannot be read: too long, too many cells, a quote without its end */
    CSV_CUT,    /* the last row has no end of line: it was cut. Nothing follows */
    CSV_END,
    CSV_NO_MEMORY
} CsvResult;

typedef struct CsvRows {
    Source *source;
    char *buffer;
    size_t start; /* of the next row */
    size_t end;
    size_t capacity;
    bool is_all;    /* the source has no more */
    uint64_t line;  /* of the last row, from 1 */
    uint64_t lines; /* that were passed */
    CsvCell cells[CSV_CELLS];
    size_t count; /* of cells */
} CsvRows;

/* The source is the reader's from now on. */
void CsvRowsInit(CsvRows *rows, Source *source);
CsvResult CsvRowsNext(CsvRows *rows);
void CsvRowsFinish(CsvRows *rows);

#endif
