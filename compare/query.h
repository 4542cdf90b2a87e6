/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COMPARE_QUERY_H
#define COMPARE_QUERY_H

#include "model.h"

/*
 * SQL for the rows of a table in the run whose columns are noted: its keys, its columns, how many
 * rows of the database they are, of sums how many of these have no weight, its texts.
 *
 * base:  the table itself, or of sums the one that has the rows
 *
 * Returns a text for free(); NULL without memory.
 */
char *DiffQuery(const DiffTable *table, const DiffTable *base);

#endif
