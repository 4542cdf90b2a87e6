/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_RECORDS_HOTSPOT_H
#define OPPROF_RECORDS_HOTSPOT_H

/**
 * @file
 * Where the cores of an operator spend their time, by address and by source line, with everything a
 * source page shows. A core has one record for each address, and one for each address of each line.
 * Batches are partitioned by core, those of launches by the launch; what was counted for all cores
 * together has the one core "ALL", and no cycles. Experimental.
 */

#include <assert.h>
#include <opprof/record.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Record of `opprof_hot_address_type`, "hot.address": what a core executed at an address. */
typedef struct OpprofHotAddress {
    uint64_t pc;     /**< Address. */
    uint64_t calls;  /**< Executions; absent: unknown. */
    uint64_t cycles; /**< Sum of their times; absent: unknown, for all records of a core alike. */
    uint32_t core;   /**< Interned core name. */
    uint32_t name;   /**< Interned mnemonic or name of a user mark; that of the first execution. */
    uint32_t pipe;   /**< Interned pipe of the first execution. */
    uint32_t line; /**< Interned "file:line" of the innermost line of the operator; absent: none. */
    OpprofText detail;     /**< Operands of the first execution. */
    int64_t process_bytes; /**< Bytes moved by all executions; absent: none or unknown. */
    int64_t icache_cycles; /**< Cycles from fetch to issue; absent: unknown. */
    int64_t ccu_cycles;    /**< Cycles from issue to start; absent: unknown. */
    /** Percent, the least of all executions; absent: not a vector instruction. */
    double vector_utilization;
    int32_t gpr_count;      /**< Most live registers; absent: not counted. */
    int32_t read_conflict;  /**< Most read conflicts; absent: not a vector instruction. */
    int32_t write_conflict; /**< Most write conflicts; absent: not a vector instruction. */
    uint32_t only_marks;    /**< 1: only user marks begin there; 0: instructions ran. */
    uint64_t l2_hits;       /**< Lines that it found in the L2 cache; absent: unknown. */
    uint64_t l2_misses;     /**< Lines that it did not find; absent where l2_hits is. */
    /** Interned folder of the results that it is for; absent: the directory itself. */
    uint32_t folder;
    uint32_t reserved; /**< 0. */
} OpprofHotAddress;

/** Record of `opprof_hot_line_type`, "hot.line": an address of a source line on a core, and the
 * line's sums there. */
typedef struct OpprofHotLine {
    uint64_t pc;     /**< Address that belongs to the line, itself or by a call inlined there. */
    uint64_t calls;  /**< Executions of all addresses of the line on the core; absent: unknown. */
    uint64_t cycles; /**< Sum of their times; absent: unknown. */
    uint32_t core;   /**< Interned core name. */
    uint32_t file;   /**< Interned path of the source file. */
    uint32_t line;   /**< From 1. */
    /** Interned folder of the results that it is for; absent: the directory itself. */
    uint32_t folder;
} OpprofHotLine;

/** Record of `opprof_hot_sample_type`, "hot.sample": how often an address was seen, for one reason.
 * */
typedef struct OpprofHotSample {
    uint64_t pc;        /**< Address; absent: unknown, or one without a record of its own. */
    uint64_t samples;   /**< How often. */
    uint32_t reason;    /**< Interned, such as "IBuf_Empty". */
    uint32_t is_issued; /**< 1: the instruction was issued; 0: it waited. */
    /** Interned folder of the results that it is for; absent: the directory itself. */
    uint32_t folder;
    uint32_t reserved; /**< 0. */
} OpprofHotSample;

/** Record of `opprof_hot_register_type`, "hot.register": a register that is in use at an address.
 * */
typedef struct OpprofHotRegister {
    uint64_t pc;       /**< Address. */
    uint32_t name;     /**< Interned, such as "X3". */
    uint32_t status;   /**< 0 space, 1 read, 2 written, 3 both, 4 in use. */
    uint32_t survival; /**< Instructions of the run of uses that begins here; 0: it began before. */
    /** Interned folder of the results that it is for; absent: the directory itself. */
    uint32_t folder;
} OpprofHotRegister;

static_assert(sizeof(OpprofHotAddress) == 120, "no padding");
static_assert(sizeof(OpprofHotSample) == 32, "no padding");
static_assert(sizeof(OpprofHotRegister) == 24, "no padding");
static const OpprofField opprof_hot_address_fields[] = {
    OPPROF_RECORD_FIELD(OpprofHotAddress, core, STRING, OPPROF_FIELD_KEY, NULL, "Core.", NULL),
    OPPROF_RECORD_FIELD(OpprofHotAddress, pc, HEX, OPPROF_FIELD_KEY, NULL, "Address.", NULL),
    OPPROF_RECORD_FIELD(OpprofHotAddress, name, STRING, 0, NULL,
                        "Mnemonic, or name of a user mark.", NULL),
    OPPROF_RECORD_FIELD(OpprofHotAddress, pipe, STRING, 0, NULL, "Pipe.", NULL),
    OPPROF_RECORD_FIELD(OpprofHotAddress, line, STRING, 0, NULL,
                        "Innermost source line of the operator.", "its line is unknown"),
    OPPROF_RECORD_FIELD(OpprofHotAddress, calls, U64, 0, "1", "Executions.", "unknown"),
    OPPROF_RECORD_FIELD(OpprofHotAddress, cycles, U64, 0, "tick", "Sum of their times.",
                        "only executions were counted"),
    OPPROF_RECORD_FIELD(OpprofHotAddress, process_bytes, I64, 0, "byte", "Moved by all executions.",
                        "nothing is moved, or it is unknown"),
    OPPROF_RECORD_FIELD(OpprofHotAddress, icache_cycles, I64, 0, "cycle", "From fetch to issue.",
                        "fetch and issue were not looked for"),
    OPPROF_RECORD_FIELD(OpprofHotAddress, ccu_cycles, I64, 0, "cycle", "From issue to start.",
                        "fetch and issue were not looked for"),
    OPPROF_RECORD_FIELD(OpprofHotAddress, vector_utilization, F64, 0, "%",
                        "Least share of the vector unit's lanes in use.",
                        "not a vector instruction"),
    OPPROF_RECORD_FIELD(OpprofHotAddress, gpr_count, I32, 0, "1", "Most live registers.",
                        "registers were not counted"),
    OPPROF_RECORD_FIELD(OpprofHotAddress, read_conflict, I32, 0, "1",
                        "Most read conflicts of an execution.", "not a vector instruction"),
    OPPROF_RECORD_FIELD(OpprofHotAddress, write_conflict, I32, 0, "1",
                        "Most write conflicts of an execution.", "not a vector instruction"),
    OPPROF_RECORD_FIELD(OpprofHotAddress, only_marks, U32, 0, NULL,
                        "1: only user marks begin there; 0: instructions ran.", NULL),
    OPPROF_RECORD_FIELD(OpprofHotAddress, detail, TEXT, 0, NULL, "Operands of the first execution.",
                        NULL),
    OPPROF_RECORD_FIELD(OpprofHotAddress, l2_hits, U64, 0, "1", "Lines found in the L2 cache.",
                        "there was no access, or no model of the cache"),
    OPPROF_RECORD_FIELD(OpprofHotAddress, l2_misses, U64, 0, "1", "Lines not found.",
                        "there was no access, or no model of the cache"),
    OPPROF_RECORD_FIELD(OpprofHotAddress, folder, STRING, OPPROF_FIELD_HIDDEN, NULL,
                        "Folder of the results.", "the output directory itself"),
};
static const OpprofRecordType opprof_hot_address_type =
    OPPROF_RECORD_TYPE(OpprofHotAddress, 1, "hot.address", "What a core executed at an address.", 0,
                       opprof_hot_address_fields, NULL, NULL);

static_assert(sizeof(OpprofHotLine) == 40, "no padding");
static const OpprofField opprof_hot_line_fields[] = {
    OPPROF_RECORD_FIELD(OpprofHotLine, core, STRING, OPPROF_FIELD_KEY, NULL, "Core.", NULL),
    OPPROF_RECORD_FIELD(OpprofHotLine, file, STRING, OPPROF_FIELD_KEY, NULL,
                        "Path of the source file.", NULL),
    OPPROF_RECORD_FIELD(OpprofHotLine, line, U32, OPPROF_FIELD_KEY, NULL, "Line, from 1.", NULL),
    OPPROF_RECORD_FIELD(OpprofHotLine, pc, HEX, OPPROF_FIELD_KEY, NULL,
                        "Address that belongs to the line.", NULL),
    OPPROF_RECORD_FIELD(OpprofHotLine, calls, U64, 0, "1",
                        "Executions of all addresses of the line.", "unknown"),
    OPPROF_RECORD_FIELD(OpprofHotLine, cycles, U64, 0, "tick", "Sum of their times.",
                        "only executions were counted"),
    OPPROF_RECORD_FIELD(OpprofHotLine, folder, STRING, OPPROF_FIELD_HIDDEN, NULL,
                        "Folder of the results.", "the output directory itself"),
};

static const OpprofField opprof_hot_sample_fields[] = {
    OPPROF_RECORD_FIELD(OpprofHotSample, pc, HEX, OPPROF_FIELD_KEY, NULL, "Address.",
                        "it has no record of its own"),
    OPPROF_RECORD_FIELD(OpprofHotSample, reason, STRING, OPPROF_FIELD_KEY, NULL,
                        "What was waited for.", NULL),
    OPPROF_RECORD_FIELD(OpprofHotSample, is_issued, U32, 0, NULL,
                        "1: the instruction was issued; 0: it waited.", NULL),
    OPPROF_RECORD_FIELD(OpprofHotSample, samples, U64, 0, "1", "How often.", NULL),
    OPPROF_RECORD_FIELD(OpprofHotSample, folder, STRING, OPPROF_FIELD_HIDDEN, NULL,
                        "Folder of the results.", "the output directory itself"),
};
static const OpprofRecordType opprof_hot_sample_type =
    OPPROF_RECORD_TYPE(OpprofHotSample, 1, "hot.sample", "Samples of an address, for one reason.",
                       0, opprof_hot_sample_fields, NULL, NULL);

static const OpprofField opprof_hot_register_fields[] = {
    OPPROF_RECORD_FIELD(OpprofHotRegister, pc, HEX, OPPROF_FIELD_KEY, NULL, "Address.", NULL),
    OPPROF_RECORD_FIELD(OpprofHotRegister, name, STRING, OPPROF_FIELD_KEY, NULL, "Register.", NULL),
    OPPROF_RECORD_FIELD(OpprofHotRegister, status, U32, 0, NULL,
                        "0 space, 1 read, 2 written, 3 both, 4 in use.", NULL),
    OPPROF_RECORD_FIELD(OpprofHotRegister, survival, U32, 0, "1",
                        "Instructions of the run of uses that begins here; 0: it began before.",
                        NULL),
    OPPROF_RECORD_FIELD(OpprofHotRegister, folder, STRING, OPPROF_FIELD_HIDDEN, NULL,
                        "Folder of the results.", "the output directory itself"),
};
static const OpprofRecordType opprof_hot_register_type = OPPROF_RECORD_TYPE(
    OpprofHotRegister, 1, "hot.register", "A register that is in use at an address.", 0,
    opprof_hot_register_fields, NULL, NULL);
static const OpprofRecordType opprof_hot_line_type =
    OPPROF_RECORD_TYPE(OpprofHotLine, 1, "hot.line", "An address of a source line on a core.", 0,
                       opprof_hot_line_fields, NULL, NULL);

#ifdef __cplusplus
}
#endif

#endif
