/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_DOCUMENTS_H
#define CLI_DOCUMENTS_H

#include <opprof/pipeline.h>
#include <stdio.h>

/* The installed pipelines with their variables. */
void DocumentsList(FILE *out);

/* True if a pipeline of the name is installed. */
bool DocumentsHave(const char *name);

/* The installed pipeline whose name is nearest to a word; free(), NULL when none is near. */
char *DocumentsNearest(const char *word);

#endif
