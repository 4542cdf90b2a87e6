/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RESULTS_TABLE_ROWS_H
#define RESULTS_TABLE_ROWS_H

#include "table_set.h"

/* Add the rows of a batch. */
OpprofStatus TableRowsTake(TableSet *set, Database *database, const OpprofBatch *batch,
                           OpprofError **error);

#endif
