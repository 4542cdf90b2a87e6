/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_RECORDS_RAW_H
#define OPPROF_RECORDS_RAW_H

/**
 * @file
 * What a parser found and does not understand: kept as it is, for those who bring up a chip. `--tap STAGE.raw=FILE.hex`
 * shows it byte by byte.
 */

#include <assert.h>
#include <opprof/record.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Record of `opprof_raw_type`, "raw": bytes of a file that are of no known kind. Batches are partitioned as the file's are. */
typedef struct OpprofRaw {
    uint64_t offset;  /**< First byte in the file. */
    OpprofText bytes; /**< The bytes. */
    uint32_t file;    /**< Interned name of the file. */
    uint32_t reason;  /**< Interned: why they are not understood. */
} OpprofRaw;

static_assert(sizeof(OpprofRaw) == 24, "no padding");

/** Fields of OpprofRaw. */
static const OpprofField opprof_raw_fields[] = {
    OPPROF_RECORD_FIELD(OpprofRaw, file, STRING, 0, NULL, "File.", NULL),
    OPPROF_RECORD_FIELD(OpprofRaw, offset, U64, 0, "byte", "Where in the file.", NULL),
    OPPROF_RECORD_FIELD(OpprofRaw, reason, STRING, 0, NULL, "Why it is not understood.", NULL),
    OPPROF_RECORD_FIELD(OpprofRaw, bytes, TEXT, OPPROF_FIELD_HIDDEN, NULL, "The bytes.", NULL),
};
/** See OpprofRaw. */
static const OpprofRecordType opprof_raw_type =
    OPPROF_RECORD_TYPE(OpprofRaw, 1, "raw", "Bytes of a file that are of no known kind.", 0,
                       opprof_raw_fields, NULL, NULL);

#ifdef __cplusplus
}
#endif

#endif
