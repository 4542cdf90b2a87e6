/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_FILES_H
#define COLLECT_KINETO_FILES_H

#include <opprof/error.h>
#include <stddef.h>

/* Paths of the traces to read, in the order of their numbers ("rank-2" before "rank-10"). */
typedef struct TraceFiles {
    char **paths;
    size_t count;
} TraceFiles;

/*
 * A file is itself; of a directory those of its files count that end with ".json" or ".gz".
 *
 * Returns OPPROF_OK, OPPROF_E_NOT_FOUND (also a directory without traces), OPPROF_E_IO,
 * OPPROF_E_MEMORY.
 */
OpprofStatus TraceFilesFind(const char *input, TraceFiles *ret_files, OpprofError **error);

/* Accepts a zeroed one. */
void TraceFilesFinish(TraceFiles *files);

#endif
