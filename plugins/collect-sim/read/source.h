/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_READ_SOURCE_H
#define COLLECT_SIM_READ_SOURCE_H

/* Where the lines of a dump file come from: the file, or the records that it
 * would be printed from. */

#include "lines.h"
#include "records.h"
#include <stdbool.h>

/* Zeroed memory is one that is not open. */
typedef struct SimSource {
    SimLineReader *text; /* one of the two, … */
    SimRecords *records;
} SimSource;

/* Statuses are those of SimLineReaderOpen, or of SimRecordsOpen if the dump file is recorded. */
OpprofStatus SimSourceOpen(const char *path, bool is_recorded, SimSource *ret_source,
                           OpprofError **error);
static inline bool SimSourceIsOpen(const SimSource *source)
{
    return source->text != NULL || source->records != NULL;
}

/* The next line, as SimLineReaderNext or SimRecordsNext. */
static inline OpprofStatus SimSourceNext(SimSource *source, const char **ret_line,
                                         size_t *ret_length, OpprofError **error)
{
    return source->text != NULL ? SimLineReaderNext(source->text, ret_line, ret_length, error)
                                : SimRecordsNext(source->records, ret_line, ret_length, error);
}

/* Whether the last line returned has its end and no NUL bytes; false also
 * when that is not known. */
static inline bool SimSourceIsPlain(const SimSource *source)
{
    return source->text != NULL && SimLineReaderIsPlain(source->text);
}

/* Byte offset of the last line returned, or of its record. */
static inline uint64_t SimSourceOffset(const SimSource *source)
{
    return source->text != NULL ? SimLineReaderOffset(source->text)
                                : SimRecordsOffset(source->records);
}

/* Bytes of the file when it was opened. */
uint64_t SimSourceSize(const SimSource *source);
/* How many bytes of the last line, and after it, are before an offset. Records are not cut:
 * UINT64_MAX, or 0. */
static inline uint64_t SimSourceLeft(const SimSource *source, uint64_t limit)
{
    const uint64_t offset = SimSourceOffset(source);

    if (offset >= limit) {
        return 0;
    }
    return source->records != NULL ? UINT64_MAX : limit - offset;
}

/* As SimLineReaderGetCounts; no line of a record is too long. */
void SimSourceGetCounts(const SimSource *source, SimLineReaderCounts *ret_counts);
/* Close; it is not open afterwards. */
void SimSourceClose(SimSource *source);

#endif
