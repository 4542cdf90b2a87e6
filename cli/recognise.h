/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_RECOGNISE_H
#define CLI_RECOGNISE_H

#include <opprof/pipeline.h>

/*
 * The installed pipeline that fits an input. A word that names no file but a pipeline is that
 * pipeline's name, and *ret_is_name is true then.
 *
 * ret_name: free(). OPPROF_OK; OPPROF_E_NOT_FOUND (no such file; or nothing recognises it, the
 * error lists what was looked for); OPPROF_E_ARGUMENT (several fit, the error lists the commands);
 * OPPROF_E_IO; OPPROF_E_MEMORY.
 */
OpprofStatus RecogniseInput(OpprofPipeline *pipeline, const char *input, char **ret_name,
                            bool *ret_is_name, OpprofError **error);

/* OPPROF_E_ARGUMENT, with the command that shows it, if an input is the result of a run. A pipeline
 * that is named may read raw files that such a run has kept. */
OpprofStatus RecogniseRefuseOwn(const char *input, bool is_named, OpprofError **error);

#endif
