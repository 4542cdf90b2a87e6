/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_MINDSPORE_SHEET_H
#define PARSE_MINDSPORE_SHEET_H

/* CSV files whose columns are found by their headings: each row becomes a record of a port. */

#include "parse-mindspore/device.h"

#include <opprof/kit/csv.h>

typedef struct Sheet Sheet;

/* A column and the member that it fills. */
typedef struct SheetColumn {
    const char *headings; /* with '|' between those of different versions */
    uint32_t kind;        /* OpprofFieldKind: STRING, TEXT, U32, U64, F64 */
    uint32_t offset;      /* in the record */
    double scale;         /* of F64; 0: none, below 0: ticks become us */
    bool is_needed;       /* without it the file is another one */
} SheetColumn;

typedef struct SheetKind {
    const SheetColumn *columns;
    uint32_t column_count;
    uint32_t port;
    /* Completes a record before it is emitted; false: it is not. NULL: it is complete. */
    bool (*finish)(Device *device, void *record);
    /* Takes the cells of a row instead; NULL: it becomes a record. */
    OpprofStatus (*take)(Device *device, Log *log);
    /* After a row was emitted, with cells beyond those of the columns; NULL: nothing to do. */
    OpprofStatus (*after)(Device *device, Log *log, const void *record);
} SheetKind;

struct Sheet {
    OpprofCsv csv;
    const unsigned char *bytes; /* that come next */
    size_t left;
    bool is_last; /* none come after them */
    bool has_heading;
    bool is_other; /* it is not such a file */
    char **headings;
    size_t count;
    OpprofMap rows;   /* hashes of the rows so far */
    uint64_t number;  /* of the last row that has one */
    uint64_t counted; /* rows with a number */
    double total;     /* of them and of the first, with which their mean is checked */
    double first;
    bool has_mean;                      /* the last row is that mean */
    OpprofMap ids;                      /* of operations, and whether they have a row */
    int64_t without_row;                /* how many have none */
    uint32_t of_cell[OPPROF_CSV_CELLS]; /* column of each cell, plus 1; 0: none */
};

/* Take the next bytes of the log's file. */
OpprofStatus SheetFeed(Device *device, const unsigned char *bytes, size_t length);
/* The file has ended. */
OpprofStatus SheetEnd(Device *device);
/* A cell of the current row as decimal digits. False: it is empty, or something else. */
bool SheetDigits(const Sheet *sheet, size_t cell, uint64_t *ret_value);
/* The cell of a column in the current row; NULL: it is absent. */
const OpprofCsvCell *SheetCell(const Sheet *sheet, uint32_t column);
/* The same as a number. False: it is absent or none; the latter is noted. */
bool SheetDouble(Log *log, uint32_t column, double *ret_value);
void SheetFinish(Log *log);

/* ---- what rows say of each other (sheet_checks.c) ---- */

/* Notes a row that was there before. False without memory. */
bool SheetCheckRow(Log *log);
/* Rows are numbered, without gaps. */
void SheetNumber(Log *log, uint64_t number);
/* The row is the mean of those before it: the last one. */
void SheetMean(Log *log);
/* A row of a step, or the mean of all. */
void SheetCheckStep(const Device *device, Log *log, uint64_t step, double total_us, bool is_mean);
/* A row of an operation; its parent and children (a list as text) have rows, too. False without
 * memory. */
bool SheetCheckOperation(Sheet *sheet, uint32_t id, uint32_t parent, const OpprofCsvCell *children);

extern const Format sheet_formats[];

#endif
