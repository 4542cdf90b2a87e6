/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_RECORDS_HOTSPOT_H
#define OPPROF_RECORDS_HOTSPOT_H

/**
 * @file
 * Where the cores of an operator spend their time, by address and by source line, with everything a source page shows.
 * Batches are partitioned by core; a core has one record for each address, and one for each address of each line.
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
    uint64_t calls;  /**< Executions, at least 1. */
    uint64_t cycles; /**< Sum of their times. */
    uint32_t core;   /**< Interned core name. */
    uint32_t name;   /**< Interned mnemonic or name of a user mark; that of the first execution. */
    uint32_t pipe;   /**< Interned pipe of the first execution. */
    uint32_t line; /**< Interned "file:line" of the innermost line of the operator; absent: none. */
    OpprofText detail;     /**< Operands of the first execution. */
    int64_t process_bytes; /**< Bytes moved by all executions; absent: none or unknown. */
    int64_t icache_cycles; /**< Cycles from fetch to issue; absent: unknown. */
    int64_t ccu_cycles;    /**< Cycles from issue to start; absent: unknown. */
    double
        vector_utilization; /**< Percent, the least of all executions; absent: no vector instruction. */
    int32_t gpr_count;      /**< Most live registers; absent: not counted. */
    int32_t read_conflict;  /**< Most read conflicts; absent: no vector instruction. */
    int32_t write_conflict; /**< Most write conflicts; absent: no vector instruction. */
    uint32_t only_marks;    /**< 1: only user marks begin there; 0: instructions ran. */
} OpprofHotAddress;

/** Record of `opprof_hot_line_type`, "hot.line": an address of a source line on a core, and the line's sums there. */
typedef struct OpprofHotLine {
    uint64_t pc;       /**< Address that belongs to the line, itself or by a call inlined there. */
    uint64_t calls;    /**< Executions of all addresses of the line on the core. */
    uint64_t cycles;   /**< Sum of their times. */
    uint32_t core;     /**< Interned core name. */
    uint32_t file;     /**< Interned path of the source file. */
    uint32_t line;     /**< From 1. */
    uint32_t reserved; /**< 0. */
} OpprofHotLine;

static_assert(sizeof(OpprofHotAddress) == 96, "no padding");
/** Fields of OpprofHotAddress. */
static const OpprofField opprof_hot_address_fields[] = {
    OPPROF_RECORD_FIELD(OpprofHotAddress, core, STRING, OPPROF_FIELD_KEY, NULL, "Core.", NULL),
    OPPROF_RECORD_FIELD(OpprofHotAddress, pc, HEX, OPPROF_FIELD_KEY, NULL, "Address.", NULL),
    OPPROF_RECORD_FIELD(OpprofHotAddress, name, STRING, 0, NULL,
                        "Mnemonic, or name of a user mark.", NULL),
    OPPROF_RECORD_FIELD(OpprofHotAddress, pipe, STRING, 0, NULL, "Pipe.", NULL),
    OPPROF_RECORD_FIELD(OpprofHotAddress, line, STRING, 0, NULL,
                        "Innermost source line of the operator.", "its line is unknown"),
    OPPROF_RECORD_FIELD(OpprofHotAddress, calls, U64, 0, "1", "Executions.", NULL),
    OPPROF_RECORD_FIELD(OpprofHotAddress, cycles, U64, 0, "tick", "Sum of their times.", NULL),
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
};
/** See OpprofHotAddress. */
static const OpprofRecordType opprof_hot_address_type =
    OPPROF_RECORD_TYPE(OpprofHotAddress, 1, "hot.address", "What a core executed at an address.", 0,
                       opprof_hot_address_fields, NULL, NULL);

static_assert(sizeof(OpprofHotLine) == 40, "no padding");
/** Fields of OpprofHotLine. */
static const OpprofField opprof_hot_line_fields[] = {
    OPPROF_RECORD_FIELD(OpprofHotLine, core, STRING, OPPROF_FIELD_KEY, NULL, "Core.", NULL),
    OPPROF_RECORD_FIELD(OpprofHotLine, file, STRING, OPPROF_FIELD_KEY, NULL,
                        "Path of the source file.", NULL),
    OPPROF_RECORD_FIELD(OpprofHotLine, line, U32, OPPROF_FIELD_KEY, NULL, "Line, from 1.", NULL),
    OPPROF_RECORD_FIELD(OpprofHotLine, pc, HEX, OPPROF_FIELD_KEY, NULL,
                        "Address that belongs to the line.", NULL),
    OPPROF_RECORD_FIELD(OpprofHotLine, calls, U64, 0, "1",
                        "Executions of all addresses of the line.", NULL),
    OPPROF_RECORD_FIELD(OpprofHotLine, cycles, U64, 0, "tick", "Sum of their times.", NULL),
};
/** See OpprofHotLine. */
static const OpprofRecordType opprof_hot_line_type =
    OPPROF_RECORD_TYPE(OpprofHotLine, 1, "hot.line", "An address of a source line on a core.", 0,
                       opprof_hot_line_fields, NULL, NULL);

#ifdef __cplusplus
}
#endif

#endif
