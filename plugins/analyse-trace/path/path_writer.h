/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_PATH_PATH_WRITER_H
#define ANALYSE_TRACE_PATH_PATH_WRITER_H

#include "analyse-trace/path/path_find.h"
#include "analyse-trace/path/path_ranks.h"

#include <opprof/stage.h>

/* Output ports of trace-critical-path. */
enum { OUTPUT_PARTS, OUTPUT_NAMES, OUTPUT_RANKS, OUTPUT_SPANS, OUTPUT_ALL_SPANS };

/* A path to be written: that of a rank, or of all. */
typedef struct Path {
    PathFound found;
    uint32_t rank; /* interned */
    double us_a_tick;
} Path;

/* The part of the path through all ranks that lies on one rank. */
typedef struct RankSum {
    PathSum sum;
    uint64_t entered;
} RankSum;

typedef struct PathWriter {
    OpprofStage *stage;
    size_t top; /* names of a rank that have a row */
    uint32_t part_ids[PATH_PARTS];
} PathWriter;

/* Called when stage and top are known. False without memory. */
bool PathWriterStart(PathWriter *writer);

/* Rows of the path's parts. */
OpprofStatus PathWriteParts(const PathWriter *writer, const Path *path);

/* Rows of the names on the path. */
OpprofStatus PathWriteNames(const PathWriter *writer, const Path *path);

/* Write rows of the ranks that the path through all of them visits, and draw it on their lines. */
OpprofStatus PathWriteRanks(const PathWriter *writer, const Path *path, const PathRanks *all,
                            const RankSum *sums);

extern const OpprofRecordType path_part_type;
extern const OpprofRecordType path_name_type;
extern const OpprofRecordType path_rank_type;

#endif
