/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_RECORDS_RANK_FILE_H
#define OPPROF_RECORDS_RANK_FILE_H

/**
 * @file
 * Which file a rank was read from, and from how many files ranks are read in all. Experimental.
 */

#include <assert.h>
#include <opprof/record.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Record of `opprof_rank_file_type`, "rank.file": it precedes all other records of the rank. */
typedef struct OpprofRankFile {
    uint32_t rank;     /**< Interned name of the rank, the partition of its other records. */
    uint32_t file;     /**< Interned path of its file. */
    uint32_t files;    /**< Files of the input. */
    uint32_t reserved; /**< 0. */
} OpprofRankFile;

static_assert(sizeof(OpprofRankFile) == 16, "no padding");
static const OpprofField opprof_rank_file_fields[] = {
    OPPROF_RECORD_FIELD(OpprofRankFile, rank, STRING, 0, NULL, "Rank.", NULL),
    OPPROF_RECORD_FIELD(OpprofRankFile, file, STRING, 0, NULL, "File that it is read from.", NULL),
    OPPROF_RECORD_FIELD(OpprofRankFile, files, U32, 0, "1", "Files of the input.", NULL),
};
static const OpprofRecordType opprof_rank_file_type =
    OPPROF_RECORD_TYPE(OpprofRankFile, 1, "rank.file", "Files that ranks are read from.", 0,
                       opprof_rank_file_fields, NULL, NULL);

#ifdef __cplusplus
}
#endif

#endif
