/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_LINES_H
#define OPPROF_LINES_H

/**
 * @file
 * Reading a text file line by line through a sliding window, never whole.
 */

#include <opprof/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Longest line that is kept, in bytes without its end. */
#define LINE_READER_MAX_LINE 65536u

/** A file being read. Opaque; one thread at a time. */
typedef struct LineReader LineReader;

/** Counts of a reader so far. */
typedef struct LineReaderCounts {
    uint64_t lines;      /**< Lines given out. */
    uint64_t too_long;   /**< Lines over LINE_READER_MAX_LINE, skipped. */
    uint64_t first_too_long; /**< Byte offset of the first of them. */
    uint64_t bytes;      /**< Bytes read from the file. */
    bool ends_cut;       /**< The last line had no newline. */
} LineReaderCounts;

/**
 * Open a regular file.
 *
 * @param path  Kept for messages.
 * @param[out] ret_reader  To be given to LineReaderClose.
 * @return OPPROF_OK, OPPROF_E_NOT_FOUND, OPPROF_E_IO (unreadable, a directory, a device), OPPROF_E_MEMORY.
 */
OpprofStatus LineReaderOpen(const char *path, LineReader **ret_reader, OpprofError **error);

/**
 * The next line without its end (LF or CR LF). A last line without newline is given too.
 *
 * @param[out] ret_line  Borrowed until the next call. At least 64 readable bytes follow the line, so that
 *                       scanners may load whole vectors. May hold NUL bytes.
 * @return OPPROF_OK; OPPROF_END; OPPROF_E_IO. The file is read up to the size it had when it was opened: of one
 *         that grows meanwhile the last line may be cut there (ends_cut tells so); one that shrinks is an
 *         OPPROF_E_IO that names the offset, after all whole lines before it.
 */
OpprofStatus LineReaderNext(LineReader *reader, const char **ret_line, size_t *ret_length, OpprofError **error);

/** Byte offset of the line given last. */
uint64_t LineReaderOffset(const LineReader *reader);
/** Size of the file when it was opened. */
uint64_t LineReaderSize(const LineReader *reader);
/** Counts so far. */
void LineReaderGetCounts(const LineReader *reader, LineReaderCounts *ret_counts);
/** Close. NULL is allowed. */
void LineReaderClose(LineReader *reader);

#ifdef __cplusplus
}
#endif

#endif
