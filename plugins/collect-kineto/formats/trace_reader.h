/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_FORMATS_TRACE_READER_H
#define COLLECT_KINETO_FORMATS_TRACE_READER_H

#include "collect-kineto/formats/event_reader.h"
#include "collect-kineto/formats/text_window.h"

/*
 * Reads the events of a Chrome trace through a window of fixed size, whatever the size of the file,
 * of its metadata or of an event.
 */
typedef struct TraceReader TraceReader;

/* Events over this many bytes of text are skipped. */
#define TRACE_EVENT_BYTES_MAX TEXT_WINDOW_BYTES

/* Read from the source, which stays the caller's. NULL without memory. */
TraceReader *TraceReaderCreate(Source *source, const Vocabulary *vocabulary);

/*
 * Read events with several threads, cutting the text into pieces of so many bytes; call before
 * TraceReaderNext. The result is the same. False without memory.
 */
bool TraceReaderSetThreads(TraceReader *reader, unsigned threads, size_t piece_bytes);

/* As SourceDone. */
uint64_t TraceReaderDone(const TraceReader *reader);

/* NULL is allowed. */
void TraceReaderDestroy(TraceReader *reader);

/*
 * The next event that may matter.
 *
 * ret_event:  valid until the next call
 * Returns OPPROF_OK; OPPROF_END, also when the text is damaged (see TraceFacts); OPPROF_AGAIN after
 * a megabyte of text without such an event; OPPROF_E_DATA if the text is not a trace.
 */
OpprofStatus TraceReaderNext(TraceReader *reader, const TraceEvent **ret_event,
                             OpprofError **error);

/* The rest is not needed: note that in the facts. */
void TraceReaderStop(TraceReader *reader);

void TraceReaderGetFacts(const TraceReader *reader, TraceFacts *ret_facts);

#endif
