/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_INSPECT_PIPELINE_H
#define CLI_INSPECT_PIPELINE_H

#include <opprof/pipeline.h>
#include <stdio.h>

/*
 * Print variables, stages and links of a pipeline document, by path or name. OPPROF_E_NOT_FOUND if
 * it does not exist.
 */
OpprofStatus InspectPipeline(OpprofPipeline *pipeline, const char *name, FILE *out,
                             OpprofError **error);

#endif
