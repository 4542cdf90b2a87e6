/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include <opprof/pipeline.h>
#include <stdio.h>

/* Ask every module of the plugin path what a name of a chip means. Fails when none knows it. */
OpprofStatus Explain(OpprofPipeline *pipeline, const char *chip, const char *name, FILE *out,
                     OpprofError **error);

#endif
