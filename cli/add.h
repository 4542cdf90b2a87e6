/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_ADD_H
#define CLI_ADD_H

#include <opprof/pipeline.h>

/*
 * Add the stage of an option's value ID=PLUGIN[,PARAM=VALUE]... to the pipeline. A piece between commas without '=' belongs
 * to the value before it. OPPROF_OK, OPPROF_E_ARGUMENT, OPPROF_E_MEMORY.
 */
OpprofStatus AddStage(OpprofPipeline *pipeline, const char *value, OpprofError **error);

#endif
