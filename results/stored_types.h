/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RESULTS_STORED_TYPES_H
#define RESULTS_STORED_TYPES_H

#include "results.h"

/*
 * Make a record type of each table that the database describes, and list them in the info.
 *
 * @return OPPROF_OK; OPPROF_E_DATA: the description cannot be read, or is not a table's;
 *         OPPROF_E_MEMORY.
 */
OpprofStatus StoredTypesRead(OpprofResults *results, OpprofError **error);
void StoredTypesFree(OpprofResults *results);

#endif
