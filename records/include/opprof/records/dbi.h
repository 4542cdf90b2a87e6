/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_RECORDS_DBI_H
#define OPPROF_RECORDS_DBI_H

/**
 * @file
 * Records of instrumented launches: what the cores moved between the memories, access by access and
 * added up. Experimental.
 *
 * Batches of a launch have its interned place as partition, as those of `onboard.chunk`. The last
 * batch of a launch on a port has the watermark UINT64_MAX; a launch without instrumentation data
 * has one as well.
 */

#include <assert.h>
#include <opprof/record.h>
#include <opprof/records/onboard.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Record of `opprof_dbi_access_type`, "dbi.access": accesses in arithmetic progression. Access i
 * of `count` reads src_bytes at src + i * src_step and writes dst_bytes at dst + i * dst_step, both
 * modulo 2^64. An access whose end would pass 2^64 reaches to the top. The last record of a launch
 * has the count 0. */
typedef struct OpprofDbiAccess {
    /** Address of the first access's source; absent with src_bytes 0: nothing is read. */
    uint64_t src;
    uint64_t dst; /**< Address of its destination; absent with dst_bytes 0: nothing is written. */
    uint64_t src_bytes; /**< Bytes that each access reads. */
    uint64_t dst_bytes; /**< Bytes that each access writes. */
    uint64_t src_step;  /**< Distance of the sources. */
    uint64_t dst_step;  /**< Distance of the destinations. */
    uint64_t pc; /**< Instruction, from the start of the code; absent: the record does not say. */
    uint64_t start_pc; /**< Where the code was loaded; absent: unknown. */
    uint32_t count;    /**< Accesses. */
    uint32_t slot; /**< Core: its place among those of all blocks, see opprof/kit/block_cores.h. */
    uint32_t from; /**< Interned memory that is read: "GM". */
    uint32_t to;   /**< Interned memory that is written. */
    uint32_t record; /**< Interned record type that made it; absent: the file has none. */
    uint32_t chip;   /**< Interned SoC name whose facts apply. */
    uint32_t device; /**< Interned part of the results' folder, or absent. */
    uint32_t kernel; /**< The second part. */
    uint32_t order;  /**< The third part. */
    uint32_t op;     /**< In the last record: OpprofDbiOp, by which slots become blocks; else 0. */
} OpprofDbiAccess;

/** Record of `opprof_dbi_move_type`, "dbi.move": what one core moved along a path. The last record
 * of a launch has no path. */
typedef struct OpprofDbiMove {
    uint64_t bytes; /**< Bytes read at the source. */
    /** Requests of the path's size. In the last record: accesses; absent: nothing was recorded. */
    uint64_t requests;
    uint32_t slot; /**< Core: its place among those of all blocks, see opprof/kit/block_cores.h. */
    uint32_t path; /**< Interned, such as "GM_TO_L1"; absent: the launch ends here. */
} OpprofDbiMove;

/** Kinds of cores that ran, by which slots become blocks. */
typedef enum OpprofDbiOp {
    OPPROF_DBI_MIX = 0,   /**< Blocks have a cube core and vector cores. */
    OPPROF_DBI_CUBE = 1,  /**< A block is a cube core. */
    OPPROF_DBI_VECTOR = 2 /**< A block is a vector core. */
} OpprofDbiOp;

/** Record of `opprof_dbi_pc_type`, "dbi.pc": what one instruction moved from and to global memory,
 * and how that fared in the L2 cache. */
typedef struct OpprofDbiPc {
    uint64_t pc;       /**< Instruction, from the start of the code. */
    uint64_t start_pc; /**< Where the code was loaded; absent: unknown. */
    uint64_t address;  /**< Sum of both, or pc where the start is unknown. */
    uint64_t bytes;    /**< Bytes read from or written to global memory. */
    uint64_t hits; /**< Lines found in the cache; absent: there is no model of this chip's cache. */
    uint64_t misses;      /**< Lines not found; absent where hits is. */
    double hit_rate;      /**< Percent; absent without accesses. */
    uint64_t compulsory;  /**< Misses of lines that were not accessed before. */
    uint64_t capacity;    /**< Misses of lines after more others than the cache holds. */
    uint64_t conflict;    /**< All other misses. */
    uint64_t evictions;   /**< Lines that left the cache for its lines. */
    uint64_t write_backs; /**< Of these, lines that were written back. */
    /** Bytes between its conflict misses, where most have the same distance; or absent. */
    int64_t stride;
    uint32_t device; /**< Interned part of the results' folder, or absent. */
    uint32_t kernel; /**< The second part. */
    uint32_t order;  /**< The third part. */
    uint32_t record; /**< Interned record type that it makes, such as "DMA_MOV"; absent: unknown. */
    uint32_t from;   /**< Interned memory that it reads. */
    uint32_t to;     /**< Interned memory that it writes. */
} OpprofDbiPc;

/** Record of `opprof_dbi_set_type`, "dbi.cache-set": a set of the L2 cache. */
typedef struct OpprofDbiSet {
    uint64_t hits;       /**< Accesses that found their line. */
    uint64_t misses;     /**< Accesses that did not. */
    double hit_ratio;    /**< hits / (hits + misses), 0 without accesses. */
    double miss_ratio;   /**< misses / (hits + misses), 0 without accesses. */
    OpprofText hit_pcs;  /**< Addresses that hit there: a JSON array of ranges. */
    OpprofText miss_pcs; /**< Addresses that missed there: a JSON array of ranges. */
    uint32_t set;        /**< Its number. */
    uint32_t slice;      /**< Slice of the cache that it is in. */
    uint32_t device;     /**< Interned part of the results' folder, or absent. */
    uint32_t kernel;     /**< The second part. */
    uint32_t order;      /**< The third part. */
    uint32_t sets; /**< How many there are; they come in order, so the last one ends the launch. */
} OpprofDbiSet;

/** Record of `opprof_dbi_block_type`, "dbi.block": a basic block of a kernel and how often it ran.
 * */
typedef struct OpprofDbiBlockCount {
    uint64_t start; /**< First instruction, from the start of the code. */
    uint64_t end;   /**< Last instruction. */
    uint64_t count; /**< Executions on all cores together; absent: unknown. */
    /** Interned name of the function that it is in. Blocks of other kernels' functions are left
     * out. */
    uint32_t function;
    uint32_t reserved; /**< 0. */
} OpprofDbiBlockCount;

/** Record of `opprof_dbi_sample_type`, "dbi.sample": how often threads were seen at an instruction,
 * for one reason. */
typedef struct OpprofDbiSample {
    uint64_t pc;        /**< Instruction, from the start of the code; absent: unknown. */
    uint64_t samples;   /**< How often. */
    uint32_t reason;    /**< Interned, such as "IBuf_Empty". */
    uint32_t is_issued; /**< 1: the instruction was issued; 0: it waited. */
} OpprofDbiSample;

/** Record of `opprof_dbi_register_type`, "dbi.register": a register that is in use at an
 * instruction. */
typedef struct OpprofDbiRegister {
    uint64_t pc;       /**< Instruction, from the start of the code. */
    uint32_t name;     /**< Interned, such as "X3"; absent: no register is in use there. */
    uint32_t status;   /**< 0 space, 1 read, 2 written, 3 both, 4 in use. */
    uint32_t survival; /**< Instructions of the run of uses that begins here; 0: it began before. */
    uint32_t reserved; /**< 0. */
} OpprofDbiRegister;

static_assert(sizeof(OpprofDbiBlockCount) == 32, "no padding");
static_assert(sizeof(OpprofDbiSample) == 24, "no padding");
static_assert(sizeof(OpprofDbiRegister) == 24, "no padding");
static_assert(sizeof(OpprofDbiPc) == 128, "no padding");
static_assert(sizeof(OpprofDbiSet) == 72, "no padding");
static_assert(sizeof(OpprofDbiAccess) == 104, "no padding");
static_assert(sizeof(OpprofDbiMove) == 24, "no padding");

static const OpprofField opprof_dbi_access_fields[] = {
    OPPROF_RECORD_FIELD(OpprofDbiAccess, src, HEX, 0, NULL, "Address of the first source.",
                        "nothing is read"),
    OPPROF_RECORD_FIELD(OpprofDbiAccess, dst, HEX, 0, NULL, "Address of the first destination.",
                        "nothing is written"),
    OPPROF_RECORD_FIELD(OpprofDbiAccess, src_bytes, U64, 0, "byte", "Bytes that each access reads.",
                        NULL),
    OPPROF_RECORD_FIELD(OpprofDbiAccess, dst_bytes, U64, 0, "byte",
                        "Bytes that each access writes.", NULL),
    OPPROF_RECORD_FIELD(OpprofDbiAccess, src_step, HEX, 0, NULL, "Distance of the sources.", NULL),
    OPPROF_RECORD_FIELD(OpprofDbiAccess, dst_step, HEX, 0, NULL, "Distance of the destinations.",
                        NULL),
    OPPROF_RECORD_FIELD(OpprofDbiAccess, pc, HEX, 0, NULL,
                        "Instruction, from the start of the code.", "the record does not say"),
    OPPROF_RECORD_FIELD(OpprofDbiAccess, start_pc, HEX, OPPROF_FIELD_HIDDEN, NULL,
                        "Where the code was loaded.", "unknown"),
    OPPROF_RECORD_FIELD(OpprofDbiAccess, count, U32, 0, "1", "Accesses.", NULL),
    OPPROF_RECORD_FIELD(OpprofDbiAccess, slot, U32, 0, NULL,
                        "Core: 3 x AI core + {0, 1 vector, 2 cube}.", "the launch ends here"),
    OPPROF_RECORD_FIELD(OpprofDbiAccess, from, STRING, 0, NULL, "Memory that is read.",
                        "the launch ends here"),
    OPPROF_RECORD_FIELD(OpprofDbiAccess, to, STRING, 0, NULL, "Memory that is written.",
                        "the launch ends here"),
    OPPROF_RECORD_FIELD(OpprofDbiAccess, record, STRING, 0, NULL, "Record type that made it.",
                        "the file has none"),
    OPPROF_RECORD_FIELD(OpprofDbiAccess, chip, STRING, OPPROF_FIELD_HIDDEN, NULL,
                        "SoC whose facts apply.", "unknown"),
    OPPROF_RECORD_FIELD(OpprofDbiAccess, op, U32, OPPROF_FIELD_HIDDEN, NULL,
                        "In the last record: kinds of cores that ran: 0 mix, 1 cube, 2 vector.",
                        NULL),
    OPPROF_RECORD_FOLDER(OpprofDbiAccess),
};
static const OpprofField opprof_dbi_move_fields[] = {
    OPPROF_RECORD_FIELD(OpprofDbiMove, bytes, U64, 0, "byte", "Bytes read at the source.", NULL),
    OPPROF_RECORD_FIELD(OpprofDbiMove, requests, U64, 0, "1", "Requests of the path's size.",
                        "nothing was recorded"),
    OPPROF_RECORD_FIELD(OpprofDbiMove, slot, U32, 0, NULL,
                        "Core: 3 x AI core + {0, 1 vector, 2 cube}.", "the launch ends here"),
    OPPROF_RECORD_FIELD(OpprofDbiMove, path, STRING, 0, NULL, "Path between two memories.",
                        "the launch ends here"),
};

static const OpprofField opprof_dbi_pc_fields[] = {
    OPPROF_RECORD_FIELD(OpprofDbiPc, pc, HEX, OPPROF_FIELD_HIDDEN, NULL,
                        "Instruction, from the start of the code.", NULL),
    OPPROF_RECORD_FIELD(OpprofDbiPc, start_pc, HEX, OPPROF_FIELD_HIDDEN, NULL,
                        "Where the code was loaded.", "unknown"),
    OPPROF_RECORD_FIELD(
        OpprofDbiPc, address, HEX, OPPROF_FIELD_KEY | OPPROF_FIELD_ADDRESS, NULL,
        "Address of the instruction; from the start of the code where that is unknown.", NULL),
    OPPROF_RECORD_NUMBER(OpprofDbiPc, bytes, U64, SUM, 0, "byte",
                         "Bytes read from or written to global memory.", NULL),
    OPPROF_RECORD_NUMBER(OpprofDbiPc, hits, U64, SUM, 0, "1", "Lines found in the L2 cache.",
                         "there is no model of the cache"),
    OPPROF_RECORD_NUMBER(OpprofDbiPc, misses, U64, SUM, 0, "1", "Lines not found.",
                         "there is no model of the cache"),
    OPPROF_RECORD_NUMBER(OpprofDbiPc, hit_rate, F64, MEAN, 0, "%", "Share of lines found.",
                         "there was no access"),
    OPPROF_RECORD_NUMBER(OpprofDbiPc, compulsory, U64, SUM, 0, "1",
                         "Misses of lines that were not accessed before.",
                         "there is no model of the cache"),
    OPPROF_RECORD_NUMBER(OpprofDbiPc, capacity, U64, SUM, 0, "1",
                         "Misses of lines after more others than the cache holds.",
                         "there is no model of the cache"),
    OPPROF_RECORD_NUMBER(OpprofDbiPc, conflict, U64, SUM, 0, "1", "All other misses.",
                         "there is no model of the cache"),
    OPPROF_RECORD_NUMBER(OpprofDbiPc, evictions, U64, SUM, 0, "1",
                         "Lines that left the cache for its lines.",
                         "there is no model of the cache"),
    OPPROF_RECORD_NUMBER(OpprofDbiPc, write_backs, U64, SUM, 0, "1",
                         "Of these, lines that were written back.",
                         "there is no model of the cache"),
    OPPROF_RECORD_NUMBER(OpprofDbiPc, stride, I64, NONE, 0, "byte",
                         "Distance of most of its conflict misses.",
                         "they have no common distance"),
    OPPROF_RECORD_FIELD(OpprofDbiPc, record, STRING, 0, NULL,
                        "Record type that its instrumentation makes.", "the file has none"),
    OPPROF_RECORD_FIELD(OpprofDbiPc, from, STRING, 0, NULL, "Memory that it reads.", "unknown"),
    OPPROF_RECORD_FIELD(OpprofDbiPc, to, STRING, 0, NULL, "Memory that it writes.", "unknown"),
    OPPROF_RECORD_FOLDER(OpprofDbiPc),
};
static const OpprofField opprof_dbi_set_fields[] = {
    OPPROF_RECORD_FIELD(OpprofDbiSet, set, U32, OPPROF_FIELD_KEY, NULL, "Set of the L2 cache.",
                        NULL),
    OPPROF_RECORD_NUMBER(OpprofDbiSet, slice, U32, NONE, 0, NULL,
                         "Slice of the cache that it is in.", NULL),
    OPPROF_RECORD_NUMBER(OpprofDbiSet, hits, U64, SUM, 0, "1", "Accesses that found their line.",
                         NULL),
    OPPROF_RECORD_NUMBER(OpprofDbiSet, misses, U64, SUM, 0, "1", "Accesses that did not.", NULL),
    OPPROF_RECORD_NUMBER(OpprofDbiSet, hit_ratio, F64, MEAN, 0, "ratio", "Share of hits.", NULL),
    OPPROF_RECORD_NUMBER(OpprofDbiSet, miss_ratio, F64, MEAN, 0, "ratio", "Share of misses.", NULL),
    OPPROF_RECORD_FIELD(OpprofDbiSet, hit_pcs, TEXT, OPPROF_FIELD_HIDDEN, NULL,
                        "Ranges of addresses that hit there.", NULL),
    OPPROF_RECORD_FIELD(OpprofDbiSet, miss_pcs, TEXT, OPPROF_FIELD_HIDDEN, NULL,
                        "Ranges of addresses that missed there.", NULL),
    OPPROF_RECORD_NUMBER(OpprofDbiSet, sets, U32, NONE, OPPROF_FIELD_HIDDEN, NULL,
                         "How many sets there are.", NULL),
    OPPROF_RECORD_FOLDER(OpprofDbiSet),
};

static const OpprofField opprof_dbi_block_fields[] = {
    OPPROF_RECORD_FIELD(OpprofDbiBlockCount, start, HEX, OPPROF_FIELD_KEY, NULL,
                        "First instruction, from the start of the code.", NULL),
    OPPROF_RECORD_FIELD(OpprofDbiBlockCount, end, HEX, 0, NULL, "Last instruction.", NULL),
    OPPROF_RECORD_FIELD(OpprofDbiBlockCount, count, U64, 0, "1",
                        "Executions on all cores together.", "it was not counted"),
    OPPROF_RECORD_FIELD(OpprofDbiBlockCount, function, STRING, 0, NULL, "Function that it is in.",
                        NULL),
};
static const OpprofField opprof_dbi_sample_fields[] = {
    OPPROF_RECORD_FIELD(OpprofDbiSample, pc, HEX, OPPROF_FIELD_KEY, NULL,
                        "Instruction, from the start of the code.", "unknown"),
    OPPROF_RECORD_FIELD(OpprofDbiSample, reason, STRING, OPPROF_FIELD_KEY, NULL,
                        "What was waited for.", NULL),
    OPPROF_RECORD_FIELD(OpprofDbiSample, is_issued, U32, 0, NULL,
                        "1: the instruction was issued; 0: it waited.", NULL),
    OPPROF_RECORD_FIELD(OpprofDbiSample, samples, U64, 0, "1", "How often.", NULL),
};
static const OpprofField opprof_dbi_register_fields[] = {
    OPPROF_RECORD_FIELD(OpprofDbiRegister, pc, HEX, OPPROF_FIELD_KEY, NULL,
                        "Instruction, from the start of the code.", NULL),
    OPPROF_RECORD_FIELD(OpprofDbiRegister, name, STRING, OPPROF_FIELD_KEY, NULL, "Register.",
                        "no register is in use there"),
    OPPROF_RECORD_FIELD(OpprofDbiRegister, status, U32, 0, NULL,
                        "0 space, 1 read, 2 written, 3 both, 4 in use.", NULL),
    OPPROF_RECORD_FIELD(OpprofDbiRegister, survival, U32, 0, "1",
                        "Instructions of the run of uses that begins here; 0: it began before.",
                        NULL),
};
static const OpprofRecordType opprof_dbi_block_type =
    OPPROF_RECORD_TYPE(OpprofDbiBlockCount, 1, "dbi.block",
                       "A basic block of an instrumented kernel and how often it ran.", 0,
                       opprof_dbi_block_fields, NULL, NULL);
static const OpprofRecordType opprof_dbi_sample_type = OPPROF_RECORD_TYPE(
    OpprofDbiSample, 1, "dbi.sample", "Samples of an instruction, for one reason.", 0,
    opprof_dbi_sample_fields, NULL, NULL);
static const OpprofRecordType opprof_dbi_register_type = OPPROF_RECORD_TYPE(
    OpprofDbiRegister, 1, "dbi.register", "A register that is in use at an instruction.", 0,
    opprof_dbi_register_fields, NULL, NULL);

static const OpprofRecordType opprof_dbi_pc_type = OPPROF_RECORD_TYPE(
    OpprofDbiPc, 1, "dbi.pc",
    "Global memory accesses of an instruction and how they fared in the L2 cache.",
    OPPROF_RECORD_TABLE, opprof_dbi_pc_fields, "L2 cache by instruction",
    "<device>/<kernel>/<order>/L2CachePc");
static const OpprofRecordType opprof_dbi_set_type = OPPROF_RECORD_TYPE(
    OpprofDbiSet, 1, "dbi.cache-set", "A set of the L2 cache and what hit and missed there.",
    OPPROF_RECORD_TABLE, opprof_dbi_set_fields, "L2 cache by set",
    "<device>/<kernel>/<order>/L2CacheSet");
static const OpprofRecordType opprof_dbi_access_type =
    OPPROF_RECORD_TYPE(OpprofDbiAccess, 1, "dbi.access",
                       "Memory accesses of an instrumented launch, in arithmetic progression.", 0,
                       opprof_dbi_access_fields, NULL, NULL);
static const OpprofRecordType opprof_dbi_move_type = OPPROF_RECORD_TYPE(
    OpprofDbiMove, 1, "dbi.move", "What a core of an instrumented launch moved along a path.", 0,
    opprof_dbi_move_fields, NULL, NULL);

#ifdef __cplusplus
}
#endif

#endif
