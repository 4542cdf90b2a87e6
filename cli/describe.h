/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_DESCRIBE_H
#define CLI_DESCRIBE_H

#include <opprof/pipeline.h>
#include <stdio.h>

/*
 * The same as --list, --inspect and --explain print, as JSON; opprof-run(1) lists the keys. The
 * text ends in a newline.
 */
OpprofStatus DescribeAll(OpprofPipeline *pipeline, FILE *out, OpprofError **error);
OpprofStatus DescribePlugin(OpprofPipeline *pipeline, const char *name, FILE *out,
                            OpprofError **error);
OpprofStatus DescribePipeline(OpprofPipeline *pipeline, const char *name, FILE *out,
                              OpprofError **error);
/* What a word means; the chip may be NULL. */
OpprofStatus DescribeWord(OpprofPipeline *pipeline, const char *chip, const char *name, FILE *out,
                          OpprofError **error);

#endif
