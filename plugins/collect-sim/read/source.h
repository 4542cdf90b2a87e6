/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_READ_SOURCE_H
#define COLLECT_SIM_READ_SOURCE_H

/* Where the lines of a dump file come from: the file, the records that it would be printed from, or
 * Cannsim's file. */

#include "cannsim.h"
#include "lines.h"
#include "records.h"
#include <stdbool.h>

/* Zeroed memory is one that is not open. */
typedef struct SimSource {
    SimLineReader *text; /* one of the three */
    SimRecords *records;
    CannsimLines *cannsim;
} SimSource;

/* A file of a log. */
typedef struct SimPiece {
    char *path;
    uint64_t size;        /* when it was found */
    uint64_t read;        /* bytes that the first reading could see; UINT64_MAX: not read yet */
    bool is_recorded;     /* not printed yet: its records exist (records.h) */
    CannsimSteps cannsim; /* records of the log in Cannsim's file; of none: it is another file */
} SimPiece;

/* Statuses are those of SimLineReaderOpen, SimRecordsOpen or CannsimLinesOpen. */
OpprofStatus SimSourceOpen(const SimPiece *piece, SimSource *ret_source, OpprofError **error);
static inline bool SimSourceIsOpen(const SimSource *source)
{
    return source->text != NULL || source->records != NULL || source->cannsim != NULL;
}

/* The same of a source that is not text. */
OpprofStatus SimSourceNextRecord(SimSource *source, const char **ret_line, size_t *ret_length,
                                 OpprofError **error);

/* The next line, as SimLineReaderNext, SimRecordsNext or CannsimLinesNext. */
static inline OpprofStatus SimSourceNext(SimSource *source, const char **ret_line,
                                         size_t *ret_length, OpprofError **error)
{
    return source->text != NULL ? SimLineReaderNext(source->text, ret_line, ret_length, error)
                                : SimSourceNextRecord(source, ret_line, ret_length, error);
}

/* Whether the last line returned has its end and no NUL bytes; false also
 * when that is not known. */
static inline bool SimSourceIsPlain(const SimSource *source)
{
    return source->text != NULL && SimLineReaderIsPlain(source->text);
}

/* Byte offset of the last line returned, or of its record among those of the log. */
uint64_t SimSourceOffset(const SimSource *source);
/* The same in the file. */
uint64_t SimSourcePlace(const SimSource *source);
/* Bytes of the file when it was opened, or of the log's records in it. */
uint64_t SimSourceSize(const SimSource *source);
/* How many bytes of the last line, and after it, are before an offset. Records are not cut:
 * UINT64_MAX, or 0. */
static inline uint64_t SimSourceLeft(const SimSource *source, uint64_t limit)
{
    const uint64_t offset = SimSourceOffset(source);

    if (offset >= limit) {
        return 0;
    }
    return source->text == NULL ? UINT64_MAX : limit - offset;
}

/* As SimLineReaderGetCounts; no line of a record is too long. */
void SimSourceGetCounts(const SimSource *source, SimLineReaderCounts *ret_counts);
/* Close; it is not open afterwards. */
void SimSourceClose(SimSource *source);

#endif
