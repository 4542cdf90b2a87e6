/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_QUERY_ROWS_H
#define CLI_QUERY_ROWS_H

#include <opprof/results.h>
#include <stdio.h>

/* Print all rows: aligned, with an absent value as NA; as a CSV file; as a list of objects. */
OpprofStatus QueryRowsText(OpprofResultsRows *rows, FILE *out, OpprofError **error);
OpprofStatus QueryRowsCsv(OpprofResultsRows *rows, FILE *out, OpprofError **error);
OpprofStatus QueryRowsJson(OpprofResultsRows *rows, FILE *out, OpprofError **error);

#endif
