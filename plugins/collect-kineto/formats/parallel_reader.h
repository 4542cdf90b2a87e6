/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_FORMATS_PARALLEL_READER_H
#define COLLECT_KINETO_FORMATS_PARALLEL_READER_H

#include "collect-kineto/formats/event.h"
#include "collect-kineto/text/source.h"

/*
 * Reads ahead: the text of an array of events is cut where an event seems to begin, and threads
 * read the pieces. The result is the same as with one thread: a piece counts only if the one before
 * it ended exactly where it begins, and anything but plain events is left to the caller, from that
 * byte on.
 */
typedef struct ParallelReader ParallelReader;

/*
 * Size of the text that a thread reads at a time, and of the smallest file worth it. With smaller
 * pieces threads wait for each other more often: 256 KiB take a fifth longer than 1 MiB.
 */
#define AHEAD_PIECE_BYTES (1u << 20)
#define AHEAD_FILE_BYTES (2u << 20)

/* Threads that help at most. */
#define AHEAD_HELPERS_MAX 7u

/* Phase of an event that is reported for its unknown category only. */
#define AHEAD_PASSED '\0'

typedef enum ParallelReaderResult {
    AHEAD_EVENT, /* *ret_event is the next event that may matter, or that has an unknown category */
    AHEAD_STOPPED,  /* ParallelReaderRead returns what follows, from the start of an element on */
    AHEAD_NO_MEMORY /* the same */
} ParallelReaderResult;

/*
 * source, vocabulary:  borrowed; no other reader may use the source
 * helpers:             threads beside the caller's, 1 to AHEAD_HELPERS_MAX
 * NULL without memory.
 */
ParallelReader *ParallelReaderCreate(Source *source, const Vocabulary *vocabulary, unsigned helpers,
                                     size_t piece_bytes);

/* NULL is allowed. */
void ParallelReaderDestroy(ParallelReader *parallel);

/*
 * Begin between two elements of the array. All that ParallelReaderRead gave must have come to
 * `text`.
 *
 * text:    what the caller has of the text from there on; copied
 * offset:  of it in the text
 * False without memory or if there is more of it than a piece may have; then nothing was begun.
 */
bool ParallelReaderBegin(ParallelReader *parallel, const char *text, size_t length,
                         uint64_t offset);

/* *ret_event is valid until the next call; there may be no more of it than EventBytes. */
ParallelReaderResult ParallelReaderNext(ParallelReader *parallel, const TraceEvent **ret_event);

/* Byte of the text up to which it was read, elements so far since ParallelReaderBegin. */
uint64_t ParallelReaderOffset(const ParallelReader *parallel);
uint64_t ParallelReaderElements(const ParallelReader *parallel);

/* True if ParallelReaderRead would return text that was already read from the source. */
bool ParallelReaderHasText(const ParallelReader *parallel);

/* As SourceRead, when nothing was begun or reading has stopped. */
size_t ParallelReaderRead(ParallelReader *parallel, char *out, size_t size);

/* Stop reading ahead where the caller is. */
void ParallelReaderStop(ParallelReader *parallel);

/* As SourceDone, while threads read. */
uint64_t ParallelReaderDone(ParallelReader *parallel);

#endif
