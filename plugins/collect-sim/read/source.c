/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of a log, whatever its file is. Tested by
 * tests/plugins/collect-sim/test_records.c. */
#include "source.h"

OpprofStatus SimSourceOpen(const SimPiece *piece, SimSource *ret_source, OpprofError **error)
{
    *ret_source = (SimSource){ .text = NULL };
    if (piece->cannsim.count > 0) {
        return CannsimLinesOpen(piece->path, &piece->cannsim, &ret_source->cannsim, error);
    }
    return piece->is_recorded ? SimRecordsOpen(piece->path, &ret_source->records, error)
                              : SimLineReaderOpen(piece->path, &ret_source->text, error);
}

OpprofStatus SimSourceNextRecord(SimSource *source, const char **ret_line, size_t *ret_length,
                                 OpprofError **error)
{
    return source->records != NULL ? SimRecordsNext(source->records, ret_line, ret_length, error)
                                   : CannsimLinesNext(source->cannsim, ret_line, ret_length, error);
}

uint64_t SimSourceOffset(const SimSource *source)
{
    const uint64_t count = source->cannsim == NULL ? 0 : CannsimLinesCount(source->cannsim);

    if (source->cannsim != NULL) {
        return count == 0 ? 0 : (count - 1) * CANNSIM_RECORD;
    }
    return source->text != NULL ? SimLineReaderOffset(source->text)
                                : SimRecordsOffset(source->records);
}

uint64_t SimSourcePlace(const SimSource *source)
{
    return source->cannsim != NULL ? CannsimLinesPlace(source->cannsim) : SimSourceOffset(source);
}

uint64_t SimSourceSize(const SimSource *source)
{
    if (source->cannsim != NULL) {
        return CannsimLinesSize(source->cannsim);
    }
    return source->records != NULL ? SimRecordsSize(source->records)
                                   : SimLineReaderSize(source->text);
}

void SimSourceGetCounts(const SimSource *source, SimLineReaderCounts *ret_counts)
{
    *ret_counts = (SimLineReaderCounts){ .lines = 0 };
    if (source->text != NULL) {
        SimLineReaderGetCounts(source->text, ret_counts);
    } else if (source->cannsim != NULL) {
        ret_counts->lines = CannsimLinesCount(source->cannsim);
    }
}

void SimSourceClose(SimSource *source)
{
    SimLineReaderClose(source->text);
    SimRecordsClose(source->records);
    CannsimLinesClose(source->cannsim);
    *source = (SimSource){ .text = NULL };
}
