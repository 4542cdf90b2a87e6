/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_INSPECT_H
#define CLI_INSPECT_H

#include <opprof/pipeline.h>
#include <opprof/plugin.h>
#include <stdio.h>

/* All modules that can be found, one per line, and below them why others cannot be used. */
OpprofStatus InspectList(OpprofPipeline *pipeline, FILE *out, OpprofError **error);

/* Everything about a module: ports, record fields, parameters. */
OpprofStatus InspectPlugin(OpprofPipeline *pipeline, const char *name, FILE *out,
                           OpprofError **error);

/* The same of a module at hand; `path` may be NULL. */
void InspectPrintPlugin(const OpprofPlugin *plugin, const char *path, FILE *out);

/* "int, from 1 to 9; default 3" of a parameter; for free(). NULL without memory. */
char *InspectParamDetails(const OpprofParam *param);
/* "sim.mark version 1, by start time" of a port; for free(). NULL without memory. */
char *InspectPortDetails(const OpprofPort *port);
/* How many instances a plugin with these flags has. */
const char *InspectThreads(uint32_t flags);

#endif
