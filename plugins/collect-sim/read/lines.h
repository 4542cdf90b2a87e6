/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_READ_LINES_H
#define COLLECT_SIM_READ_LINES_H

/* Reads a text file line by line through a sliding window, never whole. */

#include <opprof/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longest line that is kept, in bytes without its end. */
#define SIM_LINE_MOST 65536u

/* A file being read; one thread at a time. */
typedef struct SimLineReader SimLineReader;

typedef struct SimLineReaderCounts {
    uint64_t lines;          /* returned */
    uint64_t too_long;       /* over SIM_LINE_MOST, skipped */
    uint64_t first_too_long; /* byte offset of the first of them */
    uint64_t bytes;          /* read from the file */
    bool ends_cut;           /* the last line had no newline */
} SimLineReaderCounts;

/*
 * Open a regular file. OPPROF_OK, OPPROF_E_NOT_FOUND, OPPROF_E_IO (unreadable, a directory, a
 * device), OPPROF_E_MEMORY.
 *
 * @param path  Kept for messages.
 */
OpprofStatus SimLineReaderOpen(const char *path, SimLineReader **ret_reader, OpprofError **error);

/*
 * The next line without its end (LF or CR LF). A last line without a newline is given, too.
 *
 * @param[out] ret_line  Borrowed until the next call. At least 64 readable bytes follow the line,
 *                       so that scanners may load whole vectors. May hold NUL bytes.
 * @return OPPROF_OK; OPPROF_END; OPPROF_E_IO. The file is read up to the size it had when it was
 *         opened: the last line of one that grows meanwhile may be cut there (ends_cut); one that
 *         shrinks is an OPPROF_E_IO that names the offset, after all whole lines before it.
 */
OpprofStatus SimLineReaderNext(SimLineReader *reader, const char **ret_line, size_t *ret_length,
                               OpprofError **error);

/* Whether the latest line has its end, and no byte read so far is NUL. */
bool SimLineReaderIsPlain(const SimLineReader *reader);
/* Byte offset of the latest line. */
uint64_t SimLineReaderOffset(const SimLineReader *reader);
/* Size of the file when it was opened. */
uint64_t SimLineReaderSize(const SimLineReader *reader);
void SimLineReaderGetCounts(const SimLineReader *reader, SimLineReaderCounts *ret_counts);
/* NULL is allowed. */
void SimLineReaderClose(SimLineReader *reader);

#endif
