/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RESULTS_FUNCTIONS_H
#define RESULTS_FUNCTIONS_H

#include "sqlite_library.h"

/* Add the aggregates median(x), quantile(x, q) and spread(x). Returns a code of SQLite. */
int FunctionsAdd(sqlite3 *database);

#endif
