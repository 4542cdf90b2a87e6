/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_TRACE_READER_H
#define COLLECT_KINETO_TRACE_READER_H

#include "event.h"
#include "source.h"

/*
 * Reads the events of a Chrome trace through a window of fixed size, whatever the size of the file,
 * of its metadata or of an event.
 */
typedef struct TraceReader TraceReader;

/* Events over this many bytes of text are passed over. */
#define TRACE_EVENT_BYTES_MAX (1u << 20)

/* A category that the vocabulary does not have. */
typedef struct UnknownCategory {
    char word[48]; /* as much of it as fits */
    uint64_t events;
} UnknownCategory;

#define UNKNOWN_CATEGORIES 8u

/* What is known of the trace beside its events; final after OPPROF_END. */
typedef struct TraceFacts {
    bool has_rank;
    int64_t rank; /* distributedInfo.rank */
    bool has_base;
    int64_t base_ns;     /* baseTimeNanoseconds: what the times of events are relative to */
    bool is_array;       /* a bare array of events */
    bool is_unclosed;    /* a bare array without its ']', as a writer that was killed leaves it */
    bool has_events;     /* there is an array of events, perhaps empty */
    bool is_other;       /* a whole JSON document of another kind */
    bool was_stopped;    /* reading ended because the run did */
    uint64_t events;     /* elements of the array so far */
    TraceLoss too_long;  /* elements over TRACE_EVENT_BYTES_MAX */
    TraceLoss broken;    /* elements that are not JSON */
    TraceLoss strangers; /* elements that are not objects */
    UnknownCategory unknown[UNKNOWN_CATEGORIES]; /* of those seen first */
    uint32_t unknown_count;
    uint64_t text_bytes; /* bytes of text so far */
    const char *problem; /* why reading ended before the trace did; NULL: it did not. Borrowed from
                            the source */
    uint64_t problem_at; /* byte of the text where that was */
} TraceFacts;

/* Read from the source, which stays the caller's. NULL without memory. */
TraceReader *TraceReaderCreate(Source *source, const Vocabulary *vocabulary);

/* NULL is allowed. */
void TraceReaderDestroy(TraceReader *reader);

/*
 * The next event that may matter.
 *
 * ret_event:  valid until the next call
 * Returns OPPROF_OK; OPPROF_END, also when the text is damaged (see TraceFacts); OPPROF_AGAIN after
 * a megabyte of text without such an event; OPPROF_E_DATA if the text is no trace at all.
 */
OpprofStatus TraceReaderNext(TraceReader *reader, TraceEvent *ret_event, OpprofError **error);

/* Nobody asks for the rest: the facts say so. */
void TraceReaderStop(TraceReader *reader);

void TraceReaderGetFacts(const TraceReader *reader, TraceFacts *ret_facts);

#endif
