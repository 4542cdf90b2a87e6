/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PRINT_ROWS_H
#define PRINT_ROWS_H

#include <opprof/results.h>
#include <stdio.h>

/* Print all rows: aligned, with an absent value as NA; as a CSV file; as a list of objects. */
OpprofStatus RowsPrintText(OpprofResultsRows *rows, FILE *out, OpprofError **error);
OpprofStatus RowsPrintCsv(OpprofResultsRows *rows, FILE *out, OpprofError **error);
OpprofStatus RowsPrintJson(OpprofResultsRows *rows, FILE *out, OpprofError **error);

#endif
