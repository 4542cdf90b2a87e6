/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "options.h"

#include <opprof/pipeline.h>

/* Apply --add, --set and the input. */
OpprofStatus RunApplySettings(OpprofPipeline *pipeline, const Options *options,
                              OpprofError **error);
/* Load the pipeline of the command line, with what is recorded and replayed, and check it. */
OpprofStatus RunLoad(OpprofPipeline *pipeline, const Options *options, OpprofError **error);
/* Run a loaded pipeline and report how it went. Returns the exit code. */
int RunPipeline(OpprofPipeline *pipeline, const Options *options);

void RunPrintError(const OpprofError *error, int verbose);
/* Exit code once all that was printed has been written. */
int RunFinishOutput(int code);

#endif
