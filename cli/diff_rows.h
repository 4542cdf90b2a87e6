/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_DIFF_ROWS_H
#define CLI_DIFF_ROWS_H

#include "diff_data.h"
#include "diff_file.h"

/*
 * Add a run's rows of a table. A table that the run does not have gives none; one that it says it has must be there.
 *
 * run, runs:  number of the run, and how many there are on both sides
 */
OpprofStatus DiffRowsLoad(DiffTable *table, const DiffFile *file, uint32_t run, uint32_t runs,
                          OpprofError **error);
void DiffRowFree(DiffRow *row);

#endif
