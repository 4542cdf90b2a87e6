/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_INSIGHT_SOURCE_ENCODE_H
#define VIZ_INSIGHT_SOURCE_ENCODE_H

#include <opprof/kit/json_out.h>
#include "source_rows.h"

/* How much of the hot spots a block shows. */
typedef struct SourceShape {
    bool merges;          /* a value that all cores share is written once */
    bool is_brief;        /* without the optional columns */
    const uint32_t *core; /* ranks of the shown cores, ascending */
    uint32_t core_count;
} SourceShape;

/* Rows of a source file whose text was found. */
typedef struct SourceFileRows {
    size_t first;
    size_t end;
} SourceFileRows;

/* Content of the block of instructions; of the block of lines. */
void EncodeInstructions(const SourceRows *rows, const SourceShape *shape, OpprofJsonOut *json);
void EncodeLines(const SourceRows *rows, const SourceShape *shape, const SourceFileRows *files,
                 size_t file_count, OpprofJsonOut *json);

/* Member "Address Range" of the lines from `first` to `end`, which belong to one line. */
void EncodeRanges(const SourceRows *rows, size_t first, size_t end, OpprofJsonOut *json);

#endif
