/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_EXPLAIN_TABLES_H
#define CLI_EXPLAIN_TABLES_H

#include <opprof/pipeline.h>
#include <stdbool.h>
#include <stdio.h>

/*
 * Print what a word of a screen or a page means: a column, by its name or heading, with or without
 * its unit, or a table, by its title or name. Tables whose columns depend on the chip are not
 * known.
 */
OpprofStatus ExplainTables(OpprofPipeline *pipeline, const char *word, bool *ret_found, FILE *out,
                           OpprofError **error);

#endif
