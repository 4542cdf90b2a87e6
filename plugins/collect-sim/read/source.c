/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of a dump file, whether it is text or records. Tested by
 * tests/plugins/collect-sim/test_records.c. */
#include "source.h"

OpprofStatus SimSourceOpen(const char *path, bool is_recorded, SimSource *ret_source,
                           OpprofError **error)
{
    *ret_source = (SimSource){ .text = NULL };
    return is_recorded ? SimRecordsOpen(path, &ret_source->records, error)
                       : SimLineReaderOpen(path, &ret_source->text, error);
}

uint64_t SimSourceSize(const SimSource *source)
{
    return source->records != NULL ? SimRecordsSize(source->records)
                                   : SimLineReaderSize(source->text);
}

void SimSourceGetCounts(const SimSource *source, SimLineReaderCounts *ret_counts)
{
    if (source->records != NULL) {
        *ret_counts = (SimLineReaderCounts){ .lines = 0 };
    } else {
        SimLineReaderGetCounts(source->text, ret_counts);
    }
}

void SimSourceClose(SimSource *source)
{
    SimLineReaderClose(source->text);
    SimRecordsClose(source->records);
    *source = (SimSource){ .text = NULL };
}
