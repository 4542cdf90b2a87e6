/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PRINT_SUMMARY_H
#define PRINT_SUMMARY_H

#include <opprof/pipeline.h>
#include <stdio.h>

/*
 * Print the tables of a report, rows by folder and first cell, which sorts them. A table of one
 * column is a list: it shows each sentence once with the folders it is about. A single row that is
 * too wide for a line stands upright.
 */
void SummaryPrint(OpprofSummaryTable *tables, size_t count, FILE *out);

#endif
