/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_CSV_H
#define OPPROF_KIT_CSV_H

/**
 * @file
 * Rows of CSV files, one by one, from text that comes as it comes: cells in quotes may hold commas,
 * doubled quotes and line ends; lines may end in CR LF. Experimental.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OPPROF_CSV_CELLS 512u               /**< Most columns. */
#define OPPROF_CSV_ROW_BYTES (1024u * 1024) /**< The longest row that is kept. */
#define OPPROF_CSV_LATER SIZE_MAX           /**< Of OpprofCsvRead: there is no more text yet. */

/** Up to `size` bytes of text, to `out`: how many; 0: all was read; OPPROF_CSV_LATER. */
typedef size_t OpprofCsvRead(void *context, char *out, size_t size);

/** A cell without blanks around it and without its quotes. */
typedef struct OpprofCsvCell {
    const char *text; /**< With a NUL after it; valid until the next row. */
    size_t length;    /**< Bytes of it. */
} OpprofCsvCell;

/** What OpprofCsvNext found. */
typedef enum OpprofCsvResult {
    OPPROF_CSV_ROW = 0,    /**< A row. */
    OPPROF_CSV_BROKEN = 1, /**< One that cannot be read: too long, too many cells, an open quote. */
    OPPROF_CSV_CUT = 2,    /**< The last row has no end of line: it was cut. Nothing follows. */
    OPPROF_CSV_END = 3,    /**< There are no more. */
    OPPROF_CSV_WAIT = 4,   /**< The rest of the row comes later. */
    OPPROF_CSV_NO_MEMORY = 5 /**< There is no memory. */
} OpprofCsvResult;

/** A file that is read. */
typedef struct OpprofCsv {
    OpprofCsvRead *read;                   /**< Where text comes from. */
    void *context;                         /**< Its first argument. */
    char *buffer;                          /**< Text that was read. */
    size_t start;                          /**< Of the next row. */
    size_t end;                            /**< Of the text. */
    size_t capacity;                       /**< Of the buffer. */
    bool is_all;                           /**< There is no more text. */
    uint64_t line;                         /**< Of the last row, from 1. */
    uint64_t lines;                        /**< Lines that were passed. */
    OpprofCsvCell cells[OPPROF_CSV_CELLS]; /**< Of the last row. */
    size_t count;                          /**< How many. */
} OpprofCsv;

/**
 * Begin a file. [owner]
 *
 * @param read     Where its text comes from.
 * @param context  First argument of `read`.
 */
void OpprofCsvBegin(OpprofCsv *rows, OpprofCsvRead *read, void *context);

/** Read the next row into `cells`. [owner] */
OpprofCsvResult OpprofCsvNext(OpprofCsv *rows);

/** Free what is held. A zeroed file is allowed. [owner] */
void OpprofCsvFinish(OpprofCsv *rows);

#ifdef __cplusplus
}
#endif

#endif
