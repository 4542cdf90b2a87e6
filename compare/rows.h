/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COMPARE_ROWS_H
#define COMPARE_ROWS_H

#include "model.h"

#include <opprof/results.h>

/*
 * Add a run's rows of a table. A table that the run does not have gives none; one that it describes
 * must be there.
 *
 * run, runs:  number of the run, and how many there are on both sides
 */
OpprofStatus DiffRowsLoad(DiffTable *table, OpprofResults *results, uint32_t run, uint32_t runs,
                          OpprofError **error);

#endif
