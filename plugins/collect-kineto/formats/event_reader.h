/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_FORMATS_EVENT_READER_H
#define COLLECT_KINETO_FORMATS_EVENT_READER_H

#include "collect-kineto/formats/event.h"
#include "collect-kineto/formats/unknown_words.h"
#include "collect-kineto/text/source.h"

/* Facts about the trace beside its events; final after OPPROF_END. */
typedef struct TraceFacts {
    bool has_rank;
    int64_t rank;      /* distributedInfo.rank */
    bool has_odd_rank; /* it is there, but not a whole number from 0 on */
    bool has_world;
    int64_t world_size; /* distributedInfo.world_size */
    bool has_base;
    int64_t base_ns;          /* baseTimeNanoseconds: what the times of events are relative to */
    char device[64];          /* model of the first device; empty: unknown */
    uint32_t units;           /* of that device, which run blocks; 0: unknown */
    bool is_array;            /* a bare array of events */
    bool is_unclosed;         /* a bare array without its ']', as a killed writer leaves it */
    bool has_events;          /* there is an array of events, perhaps empty */
    bool is_other;            /* a whole JSON document of another kind */
    bool was_stopped;         /* reading ended because the run was stopped */
    uint64_t events;          /* elements of the array so far */
    TraceLoss too_long;       /* elements over TRACE_EVENT_BYTES_MAX */
    TraceLoss broken;         /* elements that are not JSON */
    TraceLoss strangers;      /* elements that are not objects */
    UnknownWords unknown;     /* categories */
    UnknownWords unevaluated; /* categories that are only counted */
    uint64_t graphs;          /* pieces of work that are a whole graph each */
    uint64_t text_bytes;      /* bytes of text so far */
    const char *problem; /* why reading ended before the trace did; NULL: it did not. Borrowed from
                            the source */
    uint64_t problem_at; /* byte of the text, or row of the database, where that was */
    const char *lacks;   /* tables that this version of a database has not; NULL: none. Borrowed */
    bool is_database;    /* places are rows of tables, not bytes of text */
    bool has_zeros;      /* the text has bytes of zero, which JSON has nowhere … */
    uint64_t zero_at;    /* … and this one is the first */
} TraceFacts;

/* A reader of the events of a trace, whatever the form of the file. */
typedef struct EventReader EventReader;

/* Progress of reading, in bytes of the file. */
typedef struct ReadProgress {
    uint64_t done;
    uint64_t size;
} ReadProgress;

/* The functions of a form of files; see the functions of the same names below. */
typedef struct EventReaderOps {
    OpprofStatus (*next)(EventReader *reader, const TraceEvent **ret_event, OpprofError **error);
    void (*stop)(EventReader *reader);
    void (*get_facts)(const EventReader *reader, TraceFacts *ret_facts);
    ReadProgress (*progress)(const EventReader *reader);
    void (*destroy)(EventReader *reader);
} EventReaderOps;

/* Each form's reader begins with it. */
struct EventReader {
    const EventReaderOps *ops;
};

/* How many threads read a text. */
typedef struct ReadThreads {
    unsigned count;     /* 1: only the caller's */
    size_t piece_bytes; /* of text per thread; 0: a default, for large texts only */
} ReadThreads;

/* How a trace is read. */
typedef struct EventReading {
    const Vocabulary *vocabulary; /* borrowed until the reader is closed */
    ReadThreads threads;          /* that read the events of one text */
    /* looked at now and then, however few events there are; NULL: never */
    SourceIsStopping *is_stopping;
    const void *context; /* of is_stopping */
} EventReading;

/*
 * Open a trace: JSON text, plain, compressed or in an archive, or a database.
 *
 * Returns OPPROF_OK, OPPROF_E_NOT_FOUND, OPPROF_E_IO, OPPROF_E_DATA, OPPROF_E_MEMORY.
 */
OpprofStatus EventReaderOpen(const char *path, const EventReading *reading,
                             EventReader **ret_reader, OpprofError **error);

/* NULL is allowed. */
static inline void EventReaderClose(EventReader *reader)
{
    if (reader != NULL) {
        reader->ops->destroy(reader);
    }
}

/*
 * The next event that may matter.
 *
 * ret_event:  valid until the next call
 * Returns OPPROF_OK; OPPROF_END, also when the trace is damaged (see TraceFacts); OPPROF_AGAIN
 * after a while without such an event; OPPROF_E_DATA if the file is not a trace.
 */
static inline OpprofStatus EventReaderNext(EventReader *reader, const TraceEvent **ret_event,
                                           OpprofError **error)
{
    return reader->ops->next(reader, ret_event, error);
}

/* The rest is not needed: note that in the facts. */
static inline void EventReaderStop(EventReader *reader)
{
    reader->ops->stop(reader);
}

static inline void EventReaderGetFacts(const EventReader *reader, TraceFacts *ret_facts)
{
    reader->ops->get_facts(reader, ret_facts);
}

static inline ReadProgress EventReaderProgress(const EventReader *reader)
{
    return reader->ops->progress(reader);
}

#endif
