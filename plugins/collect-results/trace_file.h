/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_RESULTS_TRACE_FILE_H
#define COLLECT_RESULTS_TRACE_FILE_H

#include <opprof/error.h>
#include <stdbool.h>
#include <stdint.h>

struct json_t;

/* A `trace.json` of a run, event by event: only one event at a time is in memory. */
typedef struct TraceFile TraceFile;

typedef struct TraceFileEvent {
    struct json_t *members; /* borrowed until the next event */
    int64_t time_ps;        /* member `ts`, exactly */
    bool has_time;
} TraceFileEvent;

/* Without such a file *ret_file stays NULL, with OPPROF_OK. OPPROF_E_DATA: it is not a trace. */
OpprofStatus TraceFileOpen(const char *path, TraceFile **ret_file, OpprofError **error);
/* NULL is allowed. */
void TraceFileClose(TraceFile *file);

/* OPPROF_OK; OPPROF_END after the last one; OPPROF_E_DATA: the file is cut or damaged here, and has
 * no more events; OPPROF_E_MEMORY. */
OpprofStatus TraceFileNext(TraceFile *file, TraceFileEvent *ret_event, OpprofError **error);

/* Begin again with the first event. */
OpprofStatus TraceFileRewind(TraceFile *file, OpprofError **error);

#endif
