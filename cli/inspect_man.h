/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_INSPECT_MAN_H
#define CLI_INSPECT_MAN_H

#include <opprof/pipeline.h>
#include <stdio.h>

/* What --inspect shows of a module as a manual page, opprof-plugin-NAME(7). */
OpprofStatus InspectManPage(OpprofPipeline *pipeline, const char *name, FILE *out,
                            OpprofError **error);

#endif
