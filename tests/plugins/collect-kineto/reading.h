/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_PLUGINS_COLLECT_KINETO_READING_H
#define TESTS_PLUGINS_COLLECT_KINETO_READING_H

#include "plugins/collect-kineto/rank/link.h"
#include "plugins/collect-kineto/formats/trace_reader.h"

#include <stddef.h>

/* The vocabulary that comes with the module. */
const Vocabulary *OwnVocabulary(void);

/* A trace that lies in memory, read to its end. */
typedef struct Read {
    OpprofStatus status; /* OPPROF_END, or why it is not a trace */
    OpprofError *error;
    TraceFacts facts;
    RankTrace trace;
    LinkedTrace linked;
    Source *source; /* the facts borrow from it */
    char *copy;     /* what it reads */
} Read;

/* Read bytes, plain or gzip; the result is to be given to ReadFinish. */
Read ReadBytes(const void *bytes, size_t size, bool exclude_last_step);

/* The same, with what the host did. */
Read ReadHost(const void *bytes, size_t size);

/* Read a text. */
Read ReadText(const char *text);

/* Read an array of events, each with a comma after it; the list ends with NULL. */
Read ReadEvents(const char *const *events, bool exclude_last_step);

void ReadFinish(Read *read);

/* The bytes as a gzip member, to be freed. Deflate is stored, not compressed. */
unsigned char *GzipStored(const void *bytes, size_t size, size_t *ret_size);

#endif
