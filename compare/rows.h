/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COMPARE_ROWS_H
#define COMPARE_ROWS_H

#include "model.h"

#include <opprof/results.h>

/*
 * Add a run's rows of a table. A table that the run does not have gives none; one that it describes
 * must be there.
 *
 * number:  of the table
 * run:     its number among those of both sides
 */
OpprofStatus DiffRowsLoad(DiffData *data, uint32_t number, OpprofResults *results, uint32_t run,
                          OpprofError **error);

#endif
