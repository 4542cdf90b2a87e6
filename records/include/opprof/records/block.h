/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_RECORDS_BLOCK_H
#define OPPROF_RECORDS_BLOCK_H

/**
 * @file
 * Finished parts of the viewer's container, as encoders offer them and `insight` puts them
 * together. Experimental.
 */

#include <assert.h>
#include <opprof/record.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a block is; the numbers are the container's. */
typedef enum OpprofBlockKind {
    OPPROF_BLOCK_SOURCE = 0x01,        /**< Text of a source file. */
    OPPROF_BLOCK_TRACE = 0x02,         /**< Timeline. */
    OPPROF_BLOCK_FILES = 0x03,         /**< Lines of source files. */
    OPPROF_BLOCK_INSTRUCTIONS = 0x04,  /**< Instructions. */
    OPPROF_BLOCK_BASE_INFO = 0x05,     /**< What ran. */
    OPPROF_BLOCK_LOAD_FIGURE = 0x06,   /**< Compute load, as shares. */
    OPPROF_BLOCK_LOAD_TABLE = 0x07,    /**< Compute load, as tables. */
    OPPROF_BLOCK_STORAGE_MAP = 0x08,   /**< Map of the memories. */
    OPPROF_BLOCK_STORAGE_TABLE = 0x09, /**< Tables of the memories. */
    OPPROF_BLOCK_OCCUPANCY = 0x0c,     /**< Load of the cores. */
    OPPROF_BLOCK_ROOFLINE = 0x0d,      /**< Rooflines. */
    OPPROF_BLOCK_CACHELINES = 0x0e,    /**< Sets of the L2 cache. */
    OPPROF_BLOCK_STALL_REASONS = 0x0f  /**< Why instructions waited. */
} OpprofBlockKind;

#define OPPROF_BLOCK_VERSION 0x5au              /**< Version of all blocks, except for: */
#define OPPROF_BLOCK_VERSION_INSTRUCTIONS 0x00u /**< instructions that name their source lines. */

/** A trace with events whose name is the empty text, which viewers do not take: `insight` shows it
 * as "?". */
#define OPPROF_BLOCK_NAMELESS 1u

/** Content in the record that goes on in the next one of that type and folder from the same stage:
 * large contents come in pieces. The record of the last one lacks the flag. */
#define OPPROF_BLOCK_MORE 2u

/** Record of `opprof_block_type`, "insight.block": a finished part of visualize_data.bin. */
typedef struct OpprofBlock {
    uint32_t block_type;  /**< OpprofBlockKind. */
    uint32_t version;     /**< OPPROF_BLOCK_VERSION…. */
    OpprofText path;      /**< Source path of type 0x01; else absent. */
    OpprofText bytes;     /**< The content, or absent: it is in `file`. */
    OpprofText file;      /**< Absolute path of a finished file. */
    uint64_t file_offset; /**< First byte of the content in `file`. */
    uint64_t file_length; /**< Bytes of the content in `file`. */
    /** Interned folder below the output directory whose viewer file it is for; absent: the
     * directory itself. */
    uint32_t folder;
    uint32_t flags; /**< OPPROF_BLOCK_* flags. */
} OpprofBlock;

static_assert(sizeof(OpprofBlock) == 56, "no padding");
static const OpprofField opprof_block_fields[] = {
    OPPROF_RECORD_FIELD(OpprofBlock, block_type, U32, 0, NULL,
                        "Type byte of the block in the container, 1 to 15.", NULL),
    OPPROF_RECORD_FIELD(OpprofBlock, version, U32, 0, NULL,
                        "Version byte: 0x5a, or 0 for instructions.", NULL),
    OPPROF_RECORD_FIELD(OpprofBlock, path, TEXT, 0, NULL, "Path of the source file.",
                        "the block is not a source file"),
    OPPROF_RECORD_FIELD(OpprofBlock, bytes, TEXT, OPPROF_FIELD_HIDDEN, NULL, "The content.",
                        "the content is in a file"),
    OPPROF_RECORD_FIELD(OpprofBlock, file, TEXT, 0, NULL,
                        "Absolute path of the finished file with the content.",
                        "the content is in the record"),
    OPPROF_RECORD_FIELD(OpprofBlock, file_offset, U64, 0, "byte",
                        "First byte of the content in the file.", NULL),
    OPPROF_RECORD_FIELD(OpprofBlock, file_length, U64, 0, "byte",
                        "Length of the content in the file.", NULL),
    OPPROF_RECORD_FIELD(OpprofBlock, folder, STRING, 0, NULL,
                        "Folder of the output directory that the block is for.",
                        "it is for the output directory itself"),
};
static const OpprofRecordType opprof_block_type = OPPROF_RECORD_TYPE(
    OpprofBlock, 1, "insight.block", "A finished part of the viewer's container.", 0,
    opprof_block_fields, NULL, NULL);

#ifdef __cplusplus
}
#endif

#endif
