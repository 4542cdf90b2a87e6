/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_TEXT_SOURCE_H
#define COLLECT_KINETO_TEXT_SOURCE_H

#include <opprof/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The text of a file, inflated if the file begins like one of gzip or zstd. ARCHIVE.zip/NAME is the
 * file of that name in an archive.
 */
typedef struct Source Source;

/* OPPROF_OK, OPPROF_E_NOT_FOUND, OPPROF_E_IO, OPPROF_E_MEMORY. */
OpprofStatus SourceOpen(const char *path, Source **ret_source, OpprofError **error);

/* The text of a buffer, which is borrowed. NULL without memory. */
Source *SourceOpenMemory(const void *bytes, size_t size);

/* True if the file begins like a SQLite database, once inflated: it has no text. Call before
 * reading. */
bool SourceIsDatabase(const Source *source);

/* True if the file is compressed or in an archive: what its path has is not the text. */
bool SourceIsPacked(const Source *source);

/* NULL is allowed. */
void SourceClose(Source *source);

/* Up to `size` bytes of text. 0: there is no more, or the rest is not available; SourceProblem
 * tells which. */
size_t SourceRead(Source *source, char *out, size_t size);

/* The first byte of the text so far that is zero, which JSON has nowhere; UINT64_MAX: none is. */
uint64_t SourceZeroAt(const Source *source);

/* The reason why the text ended before the file did, with the byte of the file; NULL if it did not.
 * Borrowed. */
const char *SourceProblem(const Source *source);

/* True when reading should end early. */
typedef bool SourceIsStopping(const void *context);

/*
 * Check for a request to stop between pieces of the file, however little text they make. After it,
 * the text ends, with a problem.
 */
void SourceSetStop(Source *source, SourceIsStopping *is_stopping, const void *context);

/* True if the text ended because of that request. */
bool SourceWasStopped(const Source *source);

/* Bytes of the file that were read so far, and its size when it was opened. */
uint64_t SourceDone(const Source *source);
uint64_t SourceSize(const Source *source);

#endif
