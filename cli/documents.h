/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_DOCUMENTS_H
#define CLI_DOCUMENTS_H

#include <opprof/pipeline.h>
#include <stdio.h>

/* The installed pipelines with their variables. OPPROF_OK; OPPROF_E_MEMORY (the list is short). */
OpprofStatus DocumentsList(FILE *out, OpprofError **error);

/*
 * Whether a pipeline of the name is installed. OPPROF_OK; OPPROF_E_MEMORY (it cannot be decided).
 */
OpprofStatus DocumentsHave(const char *name, bool *ret_is_there, OpprofError **error);

/* The installed pipeline whose name is nearest to a word; free(), NULL when none is near. */
char *DocumentsNearest(const char *word);

#endif
