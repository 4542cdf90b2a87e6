/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_LINES_H
#define OPPROF_KIT_LINES_H

/**
 * @file
 * Reading a text file line by line through a sliding window, never whole.
 * Experimental while the ABI's major number is 0.
 */

#include <opprof/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Longest line that is kept, in bytes without its end. */
#define OPPROF_LINE_READER_MAX_LINE 65536u

/** A file being read. Opaque; one thread at a time. */
typedef struct OpprofLineReader OpprofLineReader;

/** Counts of a reader so far. */
typedef struct OpprofLineReaderCounts {
    uint64_t lines;          /**< Lines returned. */
    uint64_t too_long;       /**< Lines over OPPROF_LINE_READER_MAX_LINE, skipped. */
    uint64_t first_too_long; /**< Byte offset of the first of them. */
    uint64_t bytes;          /**< Bytes read from the file. */
    bool ends_cut;           /**< The last line had no newline. */
} OpprofLineReaderCounts;

/**
 * Open a regular file.
 *
 * @param path  Kept for messages.
 * @param[out] ret_reader  To be given to OpprofLineReaderClose.
 * @return OPPROF_OK, OPPROF_E_NOT_FOUND, OPPROF_E_IO (unreadable, a directory, a device),
 *         OPPROF_E_MEMORY. [owner]
 */
OpprofStatus OpprofLineReaderOpen(const char *path, OpprofLineReader **ret_reader,
                                  OpprofError **error);

/**
 * The next line without its end (LF or CR LF). A last line without a newline is given, too.
 *
 * @param[out] ret_line  Borrowed until the next call. At least 64 readable bytes follow the line,
 *                       so that scanners may load whole vectors. May hold NUL bytes.
 * @param[out] ret_length  Bytes of the line.
 * @return OPPROF_OK; OPPROF_END; OPPROF_E_IO. The file is read up to the size it had when it was
 *         opened: of one that grows meanwhile the last line may be cut there (ends_cut says so);
 *         one that shrinks is an OPPROF_E_IO that names the offset, after all whole lines before
 *         it. [owner]
 */
OpprofStatus OpprofLineReaderNext(OpprofLineReader *reader, const char **ret_line,
                                  size_t *ret_length, OpprofError **error);

/**
 * Whether nothing is special about the line given last: it has its end, and no byte read so far is
 * NUL. [owner]
 *
 * @return False from the first line on that may hold a NUL byte, and for a last line without its
 *         end.
 */
bool OpprofLineReaderIsPlain(const OpprofLineReader *reader);
/** Byte offset of the line given last. [owner] */
uint64_t OpprofLineReaderOffset(const OpprofLineReader *reader);
/** Size of the file when it was opened. [owner] */
uint64_t OpprofLineReaderSize(const OpprofLineReader *reader);
/**
 * Counts so far. [owner]
 *
 * @param[out] ret_counts  Filled in whole.
 */
void OpprofLineReaderGetCounts(const OpprofLineReader *reader, OpprofLineReaderCounts *ret_counts);
/** Close. NULL is allowed. [owner] */
void OpprofLineReaderClose(OpprofLineReader *reader);

#ifdef __cplusplus
}
#endif

#endif
