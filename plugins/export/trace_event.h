/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EXPORT_TRACE_EVENT_H
#define EXPORT_TRACE_EVENT_H

#include "json_cache.h"

#include <opprof/present.h>

/*
 * Events of trace.json, in the form in which the viewer finds them in the bytes: members in
 * alphabetical order, so that `args` precedes `ph`; no event over 1 MiB; no braces after `ph`.
 */

#define TRACE_ARGS_MAX 64u                /* more are left out */
#define TRACE_EVENT_MAX ((1u << 20) - 64) /* bytes */

/* An argument, ready to be printed. */
typedef struct TraceArg {
    JsonPiece key;  /* JSON */
    uint32_t kind;  /* OpprofArgKind */
    JsonPiece text; /* OPPROF_ARG_STRING: JSON; OPPROF_ARG_TEXT: plain */
    uint64_t u64;
    double f64;
} TraceArg;

/* A span, ready to be printed. Absent members have length 0. */
typedef struct TraceEvent {
    OpprofSpanKind kind;
    JsonPiece category; /* JSON */
    JsonPiece colour;   /* JSON */
    JsonPiece name;     /* JSON */
    JsonPiece track;    /* JSON: "pid":…,"tid":… */
    JsonPiece id;       /* plain */
    JsonPiece group;    /* plain */
    int64_t epoch_ns;   /* to be added to start_ps */
    int64_t start_ps;
    int64_t duration_ps;
    uint32_t arg_count;
    bool is_cut; /* something had to be left out */
    TraceArg args[TRACE_ARGS_MAX];
} TraceEvent;

/* Copy the span's references. Times are left to the caller. */
void TraceEventLoad(TraceEvent *event, const OpprofBatch *batch, const OpprofSpan *span,
                    JsonCache *strings);

/* Bytes that TraceEventPut may need, at most TRACE_EVENT_MAX: long texts are
 * cut here if necessary. */
size_t TraceEventRoom(TraceEvent *event);

/* Print at `out`; returns the end. */
char *TraceEventPut(char *out, const TraceEvent *event);

/* A sample of a curve. */
typedef struct TraceCounter {
    JsonPiece name;   /* JSON */
    JsonPiece series; /* JSON */
    JsonPiece track;  /* as in TraceEvent */
    double value;
    int64_t epoch_ns; /* to be added to time_ps */
    int64_t time_ps;
} TraceCounter;

/* Its size and text, as of an event. */
size_t TraceCounterRoom(const TraceCounter *counter);
char *TraceCounterPut(char *out, const TraceCounter *counter);

/* Size and text of metadata: `name` is the event's, `key` its argument's; the value is a text or a
 * number. */
size_t TraceMetadataRoom(JsonPiece track, size_t text_length);
char *TraceMetadataText(char *out, const char *name, JsonPiece track, const char *text);
char *TraceMetadataSort(char *out, const char *name, JsonPiece track, int32_t sort);

/* Size and text of "pid":…,"tid":… . `thread` NULL prints `no_thread`, which is JSON. */
size_t TraceTrackRoom(const OpprofTrack *track);
char *TraceTrackPut(char *out, const OpprofTrack *track, const char *thread, const char *no_thread);

#endif
