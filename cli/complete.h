/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_COMPLETE_H
#define CLI_COMPLETE_H

#include <opprof/pipeline.h>
#include <stdio.h>

/*
 * Words that a shell can offer, a line each, with a tab and what they are where that is known:
 * "pipelines", "plugins", "chips", "settings" (names for --set) or "values=NAME" (of a setting),
 * the last two of the document `name`, which may be NULL. OPPROF_E_ARGUMENT: there is no such list.
 */
OpprofStatus CompletePrint(OpprofPipeline *pipeline, const char *list, const char *name, FILE *out,
                           OpprofError **error);

#endif
