/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_FORMATS_FILES_H
#define COLLECT_KINETO_FORMATS_FILES_H

#include <opprof/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How an Ascend profiler calls its trace, and the directory of it. */
#define ASCEND_OUTPUT "ASCEND_PROFILER_OUTPUT"
#define ASCEND_TRACE "trace_view.json"
#define ASCEND_DATABASE "ascend_*_profiler*.db" /* a pattern; read where there is no trace */

/* Paths of the traces to read, in the order of their numbers ("rank-2" before "rank-10"). */
typedef struct TraceFiles {
    char **paths;
    size_t count;
    size_t capacity;
    char **unread; /* paths of files beside them whose names are not those of traces */
    size_t unread_count;
    size_t unread_capacity;
} TraceFiles;

/* The names that traces have, for messages. */
#ifdef HAVE_ZSTD
#define TRACE_NAMES ".json, .gz, .zst, .zip or .sqlite"
#define TRACE_PACKED ".gz, .zst"
#else
#define TRACE_NAMES ".json, .gz, .zip or .sqlite"
#define TRACE_PACKED ".gz"
#endif

/*
 * A file is itself. Of a directory that an Ascend profiler wrote (ASCEND_PROFILER_OUTPUT, or the
 * "..._ascend_pt" above it, or one with several of these, also in "rank0_start4_stop5") its traces
 * count, of another those of its files that end with ".json", ".gz", ".zst" or ".sqlite", whatever
 * the case, and of an archive (".zip") the files in it with such names, or only the Ascend
 * profiler's traces if it has some. Where a directory has none, those of the only directory in it
 * that has some.
 *
 * Returns OPPROF_OK, OPPROF_E_NOT_FOUND (also a directory without traces), OPPROF_E_IO,
 * OPPROF_E_MEMORY.
 */
OpprofStatus TraceFilesFind(const char *input, TraceFiles *ret_files, OpprofError **error);

/* The input without slashes at its end, as shells complete them: paths of files begin with it. The
 * caller frees it. NULL without memory. */
char *TraceFilesPlain(const char *input);

/* True if a file of that name in an archive may be a trace: it ends with ".json", ".gz", ".zst"
 * or ".sqlite", or is an Ascend profiler's database. */
bool TraceFilesIsMember(const char *name);

/* Bytes of all files. */
uint64_t TraceFilesBytes(const TraceFiles *files);

/* A zeroed one is allowed. */
void TraceFilesFinish(TraceFiles *files);

#endif
