/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RESULTS_SCHEMA_H
#define RESULTS_SCHEMA_H

/* The format of results.sqlite, for the reader and the writer. docs/results.md describes it. */
#define RESULTS_FORMAT "1"        /* value of 'format' in opprof_run */
#define RESULTS_COLUMNS_MAX 1900u /* of a table; SQLite takes 2000 */

#endif
