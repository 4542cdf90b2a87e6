/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_RECORDS_DBI_H
#define OPPROF_RECORDS_DBI_H

/**
 * @file
 * Records of instrumented launches: what the cores moved between the memories, access by access and added up.
 *
 * Batches of a launch have its interned place as partition, as those of `onboard.chunk`. The last batch of a launch
 * on a port has the watermark UINT64_MAX; a launch without instrumentation data has one as well.
 */

#include <assert.h>
#include <opprof/record.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Record of `opprof_dbi_access_type`, "dbi.access": accesses in arithmetic progression. Access i of `count` reads
 * src_bytes at src + i * src_step and writes dst_bytes at dst + i * dst_step, both modulo 2^64. An access whose end
 * would pass 2^64 reaches to the top. The last record of a launch has the count 0.
 */
typedef struct OpprofDbiAccess {
    uint64_t src;       /**< Address of the first access's source; absent with src_bytes 0: nothing is read. */
    uint64_t dst;       /**< Address of its destination; absent with dst_bytes 0: nothing is written. */
    uint64_t src_bytes; /**< Bytes that each access reads. */
    uint64_t dst_bytes; /**< Bytes that each access writes. */
    uint64_t src_step;  /**< Distance of the sources. */
    uint64_t dst_step;  /**< Distance of the destinations. */
    uint64_t pc;        /**< Instruction, from the start of the code; absent: its record does not say it. */
    uint64_t start_pc;  /**< Where the code was loaded; absent: unknown. */
    uint32_t count;     /**< Accesses. */
    uint32_t slot;      /**< Core: 3 x AI core + {0, 1 vector, 2 cube}. */
    uint32_t from;      /**< Interned memory that is read: "GM". */
    uint32_t to;        /**< Interned memory that is written. */
    uint32_t record;    /**< Interned record type that made it; absent: the file has none. */
    uint32_t chip;      /**< Interned SoC name whose facts apply. */
    uint32_t device;    /**< Interned part of the results' folder, or absent. */
    uint32_t kernel;    /**< Interned part of the results' folder, or absent. */
    uint32_t order;     /**< Interned part of the results' folder, or absent. */
    uint32_t reserved;  /**< 0. */
} OpprofDbiAccess;

/** Record of `opprof_dbi_move_type`, "dbi.move": what one core moved along a path. The last record of a launch has no path. */
typedef struct OpprofDbiMove {
    uint64_t bytes;    /**< Bytes read at the source. */
    uint64_t requests; /**< Requests of the path's size. Of the last record: accesses; absent: nothing was recorded. */
    uint32_t slot;     /**< Core: 3 x AI core + {0, 1 vector, 2 cube}. */
    uint32_t path;     /**< Interned, such as "GM_TO_L1"; absent: the launch ends here. */
} OpprofDbiMove;

static_assert(sizeof(OpprofDbiAccess) == 104, "no padding");
static_assert(sizeof(OpprofDbiMove) == 24, "no padding");

/** Fields of OpprofDbiAccess. */
static const OpprofField opprof_dbi_access_fields[] = {
    OPPROF_RECORD_FIELD(OpprofDbiAccess, src, HEX, 0, NULL, "Address of the first source.", "nothing is read"),
    OPPROF_RECORD_FIELD(OpprofDbiAccess, dst, HEX, 0, NULL, "Address of the first destination.", "nothing is written"),
    OPPROF_RECORD_FIELD(OpprofDbiAccess, src_bytes, U64, 0, "byte", "Bytes that each access reads.", NULL),
    OPPROF_RECORD_FIELD(OpprofDbiAccess, dst_bytes, U64, 0, "byte", "Bytes that each access writes.", NULL),
    OPPROF_RECORD_FIELD(OpprofDbiAccess, src_step, HEX, 0, NULL, "Distance of the sources.", NULL),
    OPPROF_RECORD_FIELD(OpprofDbiAccess, dst_step, HEX, 0, NULL, "Distance of the destinations.", NULL),
    OPPROF_RECORD_FIELD(OpprofDbiAccess, pc, HEX, 0, NULL, "Instruction, from the start of the code.",
                        "the record does not say it"),
    OPPROF_RECORD_FIELD(OpprofDbiAccess, start_pc, HEX, OPPROF_FIELD_HIDDEN, NULL, "Where the code was loaded.", "unknown"),
    OPPROF_RECORD_FIELD(OpprofDbiAccess, count, U32, 0, "1", "Accesses.", NULL),
    OPPROF_RECORD_FIELD(OpprofDbiAccess, slot, U32, 0, NULL, "Core: 3 x AI core + {0, 1 vector, 2 cube}.",
                        "the launch ends here"),
    OPPROF_RECORD_FIELD(OpprofDbiAccess, from, STRING, 0, NULL, "Memory that is read.", "the launch ends here"),
    OPPROF_RECORD_FIELD(OpprofDbiAccess, to, STRING, 0, NULL, "Memory that is written.", "the launch ends here"),
    OPPROF_RECORD_FIELD(OpprofDbiAccess, record, STRING, 0, NULL, "Record type that made it.", "the file has none"),
    OPPROF_RECORD_FIELD(OpprofDbiAccess, chip, STRING, OPPROF_FIELD_HIDDEN, NULL, "SoC whose facts apply.", "unknown"),
    OPPROF_RECORD_FIELD(OpprofDbiAccess, device, STRING, OPPROF_FIELD_HIDDEN, NULL, "First part of the results' folder.",
                        "it has no such part"),
    OPPROF_RECORD_FIELD(OpprofDbiAccess, kernel, STRING, OPPROF_FIELD_HIDDEN, NULL, "Second part of the results' folder.",
                        "it has no such part"),
    OPPROF_RECORD_FIELD(OpprofDbiAccess, order, STRING, OPPROF_FIELD_HIDDEN, NULL, "Third part of the results' folder.",
                        "it has no such part"),
};
/** Fields of OpprofDbiMove. */
static const OpprofField opprof_dbi_move_fields[] = {
    OPPROF_RECORD_FIELD(OpprofDbiMove, bytes, U64, 0, "byte", "Bytes read at the source.", NULL),
    OPPROF_RECORD_FIELD(OpprofDbiMove, requests, U64, 0, "1", "Requests of the path's size.", "nothing was recorded"),
    OPPROF_RECORD_FIELD(OpprofDbiMove, slot, U32, 0, NULL, "Core: 3 x AI core + {0, 1 vector, 2 cube}.",
                        "the launch ends here"),
    OPPROF_RECORD_FIELD(OpprofDbiMove, path, STRING, 0, NULL, "Path between two memories.", "the launch ends here"),
};

/** See OpprofDbiAccess. */
static const OpprofRecordType opprof_dbi_access_type =
    OPPROF_RECORD_TYPE(OpprofDbiAccess, 1, "dbi.access",
                       "Memory accesses of an instrumented launch, in arithmetic progression.", 0, opprof_dbi_access_fields,
                       NULL, NULL);
/** See OpprofDbiMove. */
static const OpprofRecordType opprof_dbi_move_type =
    OPPROF_RECORD_TYPE(OpprofDbiMove, 1, "dbi.move", "What a core of an instrumented launch moved along a path.", 0,
                       opprof_dbi_move_fields, NULL, NULL);

#ifdef __cplusplus
}
#endif

#endif
