/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUN_REASONS_H
#define RUN_REASONS_H

#include "run/pipeline.h"

/* Losses of the stages that a stage reads from, near and far: a line per reason, to be freed; NULL:
 * none. They have ended. */
OpprofStatus ReasonsBefore(const StageNode *node, char **ret_reasons);
/* The same of all stages of a run that has ended, and what cut it. */
char *ReasonsOfRun(const OpprofPipeline *pipeline, bool *ret_no_memory);
/* Whether something ended before its input did: a request that came after everything was done has
 * cut nothing. */
bool ReasonsWasCut(const OpprofPipeline *pipeline);

#endif
