/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_RAW_KEEPER_H
#define OPPROF_KIT_RAW_KEEPER_H

/**
 * @file
 * Keeps what a parser does not understand: each record of an unknown kind is counted, and goes as
 * it is, with its place and the reason, to the readers of the parser's port of `opprof_raw_type`.
 * `--tap STAGE.raw=FILE.hex` shows it byte by byte. Experimental.
 */

#include <assert.h>
#include <opprof/record.h>
#include <opprof/stage.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Record of `opprof_raw_type`, "raw": bytes of a file that are of no known kind. Batches are
 * partitioned as the file's are. */
typedef struct OpprofRaw {
    uint64_t offset;  /**< First byte in the file. */
    OpprofText bytes; /**< The bytes. */
    uint32_t file;    /**< Interned name of the file. */
    uint32_t reason;  /**< Interned: why they are not understood. */
} OpprofRaw;

static_assert(sizeof(OpprofRaw) == 24, "no padding");

static const OpprofField opprof_raw_fields[] = {
    OPPROF_RECORD_FIELD(OpprofRaw, file, STRING, 0, NULL, "File.", NULL),
    OPPROF_RECORD_FIELD(OpprofRaw, offset, U64, 0, "byte", "Where in the file.", NULL),
    OPPROF_RECORD_FIELD(OpprofRaw, reason, STRING, 0, NULL, "Why it is not understood.", NULL),
    OPPROF_RECORD_FIELD(OpprofRaw, bytes, TEXT, OPPROF_FIELD_HIDDEN, NULL, "The bytes.", NULL),
};
static const OpprofRecordType opprof_raw_type =
    OPPROF_RECORD_TYPE(OpprofRaw, 1, "raw", "Bytes of a file that are of no known kind.", 0,
                       opprof_raw_fields, NULL, NULL);

/** Where unknown records of one partition go. Begin with OpprofRawKeeperBegin; a zeroed one keeps
 * and counts nothing. */
typedef struct OpprofRawKeeper {
    OpprofStage *stage; /**< Borrowed; NULL: nothing is kept. */
    uint32_t port;      /**< Output of `opprof_raw_type`. */
    uint32_t partition; /**< Interned, or OPPROF_NA_STRING. */
    uint64_t count;     /**< Records of unknown kinds so far. */
    bool is_wanted;     /**< The port has readers. */
    bool has_failed;    /**< Some could not be kept; they are counted. */
} OpprofRawKeeper;

/**
 * Begin to keep. [stage]
 *
 * @param stage      Whose port it is. Borrowed.
 * @param port       Output of `opprof_raw_type`.
 * @param partition  Interned name, or OPPROF_NA_STRING.
 */
void OpprofRawKeeperBegin(OpprofRawKeeper *keeper, OpprofStage *stage, uint32_t port,
                          uint32_t partition);

/**
 * A record of an unknown kind.
 *
 * @param file    Interned name of the file.
 * @param offset  Of its first byte in the file.
 * @param bytes   `size` bytes of the record. Copied.
 * @param reason  Why it is not understood, the beginning of a sentence: "its type is not known".
 *                Not kept. [stage]
 */
void OpprofRawKeep(OpprofRawKeeper *keeper, uint32_t file, uint64_t offset, const void *bytes,
                   size_t size, const char *reason);

/** Nothing more comes: say in the stage's statistics how many there were, and say so if some are
 * not kept. [stage] */
void OpprofRawKeeperEnd(OpprofRawKeeper *keeper);

#ifdef __cplusplus
}
#endif

#endif
