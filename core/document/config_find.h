/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOCUMENT_CONFIG_FIND_H
#define DOCUMENT_CONFIG_FIND_H

#include <opprof/error.h>

/* Path of the document that ConfigLoad would read; free(). */
OpprofStatus ConfigFind(const char *file_or_name, char **ret_path, OpprofError **error);

/* True when it is a path, not the name of an installed pipeline. */
bool ConfigIsPath(const char *file_or_name);

/*
 * Call a function for the name of each installed pipeline (OPPROF_PIPELINE_PATH, then the installed
 * directory), sorted, each once, until one fails; OPPROF_E_MEMORY, or what failed.
 */
typedef OpprofStatus ConfigVisit(void *context, const char *name, OpprofError **error);
OpprofStatus ConfigVisitAll(ConfigVisit *visit, void *context, OpprofError **error);

#endif
