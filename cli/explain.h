/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include <opprof/pipeline.h>
#include <stdio.h>

/* Print what a word means: a column, a table, a word of the report, or, unless the chip is NULL, a
 * name of its files. Fails when no module knows it. */
OpprofStatus Explain(OpprofPipeline *pipeline, const char *chip, const char *word, FILE *out,
                     OpprofError **error);

#endif
