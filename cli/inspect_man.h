/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_INSPECT_MAN_H
#define CLI_INSPECT_MAN_H

#include <opprof/pipeline.h>
#include <stdio.h>

/* --inspect's manual page of a module, opprof-plugin-NAME(7). */
OpprofStatus InspectManPage(OpprofPipeline *pipeline, const char *name, FILE *out,
                            OpprofError **error);

#endif
