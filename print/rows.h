/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PRINT_ROWS_H
#define PRINT_ROWS_H

#include <opprof/results.h>
#include <stdio.h>

/* What JSON says of an answer besides its rows. */
typedef struct RowsAnswer {
    const char *name;             /* of the table or question */
    const char *title;            /* NULL: it has none */
    const OpprofRecordType *type; /* of the table; NULL: its columns have names only */
    int64_t size;                 /* rows of all pages; below 0: these rows are all */
    uint64_t limit;               /* rows of a page; 0: all */
    uint64_t page;                /* its number, from 1; 0: the first */
} RowsAnswer;

/* Print all rows: aligned, with an absent value as NA; as a CSV file; as an object. */
OpprofStatus RowsPrintText(OpprofResultsRows *rows, FILE *out, OpprofError **error);
OpprofStatus RowsPrintCsv(OpprofResultsRows *rows, FILE *out, OpprofError **error);
OpprofStatus RowsPrintJson(const RowsAnswer *answer, OpprofResultsRows *rows, FILE *out,
                           OpprofError **error);

#endif
