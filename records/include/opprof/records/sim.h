/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_RECORDS_SIM_H
#define OPPROF_RECORDS_SIM_H

/**
 * @file
 * Records of a camodel (cycle-accurate simulator) run, as collectors of simulations emit them and
 * analyses take them. Batches are partitioned by logical core: "core0.veccore0", and for a launch
 * whose results lie in a folder "<folder>/core0.veccore0". Ticks are cycles of the core clock.
 * Experimental.
 */

#include <assert.h>
#include <opprof/record.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Record of `opprof_sim_instruction_type`, "sim.instruction": one executed instruction. */
typedef struct OpprofSimInstruction {
    uint64_t pc;       /**< Address. */
    uint64_t id;       /**< Instruction id of chips that print one; absent elsewhere. */
    uint64_t start;    /**< Tick of issue (popped log). */
    uint64_t end;      /**< Tick of retirement (instr log), at least start. */
    uint32_t core;     /**< Interned logical core name, "core0.veccore0". */
    uint32_t pipe;     /**< Interned normalised pipe name. */
    uint32_t name;     /**< Interned mnemonic, may be the empty string. */
    int16_t warp;      /**< SIMT warp, 0..99; -1: none. */
    int16_t scheduler; /**< SIMT scheduler, 0..3; -1: none. */
    uint64_t sequence; /**< Place in the core's popped log, from 0: breaks ties of issue order. */
    OpprofText detail; /**< Operands without blanks. */
    /** Cycles from fetch to issue by the control unit, at least 1; absent (or 0): unknown. */
    uint32_t cache_cycles;
    uint32_t ccu_cycles; /**< Cycles from there to start; absent: unknown. */
    /** Interned SoC name of the chip, whose file says what pipes and operands mean; absent:
     * unknown. */
    uint32_t chip;
    uint32_t reach; /**< Later rows of the core start at end - reach or after it; 0: unknown. */
} OpprofSimInstruction;

/** Record of `opprof_sim_issue_type`, "sim.issue": an instruction that is issued, in the order of
 * issue, which is that of registers and masks. It comes before the instruction retires, so that no
 * reader has to hold instructions in flight to find that order. */
typedef struct OpprofSimIssue {
    uint64_t pc;       /**< Address. */
    uint64_t start;    /**< Tick of issue. */
    uint64_t sequence; /**< Place in the core's popped log, from 0: breaks ties of start. */
    uint32_t core;     /**< Interned logical core name. */
    uint32_t name;     /**< Interned mnemonic. */
    uint32_t chip;     /**< Interned SoC name of the chip; absent: unknown. */
    uint32_t reserved; /**< 0. */
    OpprofText detail; /**< Operands without blanks. */
} OpprofSimIssue;

/** Record of `opprof_sim_mte_log_type`, "sim.mte-log": a piece of a log of memory transfer engines,
 * as it was logged. Pieces of a log come in its order. Batches are partitioned by the folder of the
 * launch; without one they have no partition. */
typedef struct OpprofSimMteLog {
    uint32_t core;    /**< Number of the physical core. */
    uint32_t file;    /**< Interned path of the log's file, of the oldest where it was rotated. */
    OpprofText lines; /**< Whole lines, a newline after each. */
    /** Interned SoC name of the chip, whose file says what lines look like; absent: unknown. */
    uint32_t chip;
    uint32_t is_own; /**< 1: the log has a name of the chip's own, `simulator.logs.mte`. */
} OpprofSimMteLog;

/** Record of `opprof_sim_mte_type`, "sim.mte": something that happened to a request on an interface
 * of the memory transfer engines of a physical core. Batches are partitioned as those of logs,
 * since bandwidth is that of all cores. */
typedef struct OpprofSimMte {
    uint64_t tick;           /**< When. */
    uint64_t instruction_id; /**< Instruction that the request belongs to. */
    uint64_t request_id;     /**< Request of the instruction; absent: not printed. */
    uint64_t size;           /**< Bytes; absent: not printed. */
    uint32_t core;           /**< Number of the physical core. */
    uint32_t unit;           /**< Interned unit: "B" for the global memory, "UB1", "L1" … */
    uint32_t is_write;       /**< 1: the interface writes into the unit; 0: it reads from it. */
    uint32_t reserved;       /**< 0. */
} OpprofSimMte;

/** Record of `opprof_sim_mark_type`, "sim.mark": a user range (TRACE_START to TRACE_STOP). */
typedef struct OpprofSimMark {
    uint64_t pc;       /**< Address of the start instruction. */
    uint64_t end_pc;   /**< Address of the stop instruction. */
    uint64_t start;    /**< Tick. */
    uint64_t end;      /**< Tick. */
    uint32_t core;     /**< Interned logical core name. */
    uint32_t name;     /**< Interned "Mark 0x<digit>". */
    uint32_t digit;    /**< 0..9. */
    uint32_t chip;     /**< Interned SoC name of the chip; absent: unknown. */
    OpprofText detail; /**< Operands of the start instruction without blanks. */
} OpprofSimMark;

/** Record of `opprof_sim_icache_miss_type`, "sim.icache-miss": one instruction-cache miss. */
typedef struct OpprofSimIcacheMiss {
    uint64_t pc;        /**< Address that missed. */
    uint64_t tick;      /**< When. */
    uint32_t core;      /**< Interned logical core name. */
    uint32_t chip;      /**< Interned SoC name of the chip; absent: unknown. */
    OpprofText address; /**< The address as printed. */
    OpprofText detail;  /**< Rest of the line without blanks. */
} OpprofSimIcacheMiss;

/** Record of `opprof_sim_pc_details_type`, "sim.pc-details": what is known of one address of one
 * core over all its executions, besides their times. At most one record per core and address. */
typedef struct OpprofSimPcDetails {
    uint64_t pc;       /**< Address. */
    uint32_t core;     /**< Interned logical core name. */
    int32_t gpr_count; /**< Most registers that were live; absent: not counted. */
    /** Bytes moved to or from memory by all executions; absent: none or unknown. */
    int64_t process_bytes;
    /** Percent, the least of all executions; absent: not a vector instruction. */
    double vector_utilization;
    /** Most read conflicts of an execution; absent: not a vector instruction. */
    int32_t ub_read_conflict;
    /** Most write conflicts of an execution; absent: not a vector instruction. */
    int32_t ub_write_conflict;
    int64_t icache_cycles; /**< Cycles from fetch to issue of all executions; absent: unknown. */
    int64_t ccu_cycles;    /**< Cycles from issue to start of all executions; absent: unknown. */
} OpprofSimPcDetails;

/** Record of `opprof_sim_core_end_type`, "sim.core-end": all records of a core of a launch were
 * sent. Collectors of several launches send one for each core that they sent anything of, after the
 * whole launch, so that a reader need not hold a launch until the run ends. Ports are separate: a
 * reader has the whole core when it has had as many records of it as this one says. */
typedef struct OpprofSimCoreEnd {
    uint64_t instructions; /**< Records of type "sim.instruction". */
    uint64_t marks;        /**< Records of type "sim.mark". */
    uint64_t misses;       /**< Records of type "sim.icache-miss". */
    uint64_t issues;       /**< Records of type "sim.issue". */
    uint32_t core;         /**< Interned logical core name. */
    uint32_t cores;        /**< Cores of the launch with such a record, at most; at least 1. */
    uint32_t kernel;       /**< Interned name of the kernel; absent: it has no folder. */
    uint32_t device;       /**< Interned device, "device0"; absent: it has no folder. */
    /** Interned: which of its kernel's launches, as its folder is named; absent: it has no folder.
     * */
    uint32_t order;
    uint32_t reserved; /**< 0. */
} OpprofSimCoreEnd;

static_assert(sizeof(OpprofSimInstruction) == 80, "no padding");
static const OpprofField opprof_sim_instruction_fields[] = {
    OPPROF_RECORD_FIELD(OpprofSimInstruction, pc, HEX, 0, NULL, "Address of the instruction.",
                        NULL),
    OPPROF_RECORD_FIELD(OpprofSimInstruction, id, U64, 0, NULL, "Instruction id of the simulator.",
                        "the chip's logs print no instruction ids"),
    OPPROF_RECORD_FIELD(OpprofSimInstruction, start, TICK, 0, "tick", "Cycle of issue.", NULL),
    OPPROF_RECORD_FIELD(OpprofSimInstruction, end, TICK, 0, "tick",
                        "Cycle of retirement, at least start.", NULL),
    OPPROF_RECORD_FIELD(OpprofSimInstruction, core, STRING, 0, NULL, "Logical core.", NULL),
    OPPROF_RECORD_FIELD(OpprofSimInstruction, pipe, STRING, 0, NULL, "Normalised pipe name.", NULL),
    OPPROF_RECORD_FIELD(OpprofSimInstruction, name, STRING, 0, NULL,
                        "Mnemonic, may be the empty text.", NULL),
    OPPROF_RECORD_FIELD(OpprofSimInstruction, warp, I16, 0, NULL, "SIMT warp, 0 to 99.",
                        "not executed by a warp"),
    OPPROF_RECORD_FIELD(OpprofSimInstruction, scheduler, I16, 0, NULL, "SIMT scheduler, 0 to 3.",
                        "not executed by a warp"),
    OPPROF_RECORD_FIELD(OpprofSimInstruction, sequence, U64, 0, NULL,
                        "Place in the core's issue log, from 0; breaks ties of issue order.", NULL),
    OPPROF_RECORD_FIELD(OpprofSimInstruction, detail, TEXT, 0, NULL, "Operands without blanks.",
                        NULL),
    OPPROF_RECORD_FIELD(OpprofSimInstruction, cache_cycles, U32, 0, "cycle",
                        "From fetch to issue by the control unit.",
                        "fetch and issue were not looked for, or the logs show none"),
    OPPROF_RECORD_FIELD(OpprofSimInstruction, ccu_cycles, U32, 0, "cycle",
                        "From issue by the control unit to start.",
                        "fetch and issue were not looked for, or the logs show none"),
    OPPROF_RECORD_FIELD(OpprofSimInstruction, reach, U32, 0, "tick",
                        "Later rows start at end - reach or after it; 0: unknown.", NULL),
    OPPROF_RECORD_FIELD(OpprofSimInstruction, chip, STRING, OPPROF_FIELD_HIDDEN, NULL,
                        "SoC whose facts apply.", "unknown"),
};
static const OpprofRecordType opprof_sim_instruction_type = OPPROF_RECORD_TYPE(
    OpprofSimInstruction, 1, "sim.instruction", "One executed instruction of a simulated core.", 0,
    opprof_sim_instruction_fields, NULL, NULL);

static_assert(sizeof(OpprofSimIssue) == 48, "no padding");
static const OpprofField opprof_sim_issue_fields[] = {
    OPPROF_RECORD_FIELD(OpprofSimIssue, pc, HEX, 0, NULL, "Address of the instruction.", NULL),
    OPPROF_RECORD_FIELD(OpprofSimIssue, start, TICK, 0, "tick", "Cycle of issue.", NULL),
    OPPROF_RECORD_FIELD(OpprofSimIssue, sequence, U64, 0, NULL,
                        "Place in the core's issue log, from 0; breaks ties of issue order.", NULL),
    OPPROF_RECORD_FIELD(OpprofSimIssue, core, STRING, 0, NULL, "Logical core.", NULL),
    OPPROF_RECORD_FIELD(OpprofSimIssue, name, STRING, 0, NULL, "Mnemonic, may be the empty text.",
                        NULL),
    OPPROF_RECORD_FIELD(OpprofSimIssue, chip, STRING, OPPROF_FIELD_HIDDEN, NULL,
                        "SoC whose facts apply.", "unknown"),
    OPPROF_RECORD_FIELD(OpprofSimIssue, detail, TEXT, 0, NULL, "Operands without blanks.", NULL),
};
static const OpprofRecordType opprof_sim_issue_type = OPPROF_RECORD_TYPE(
    OpprofSimIssue, 1, "sim.issue", "One issued instruction of a simulated core, in issue order.",
    0, opprof_sim_issue_fields, NULL, NULL);

static_assert(sizeof(OpprofSimMteLog) == 24, "no padding");
static const OpprofField opprof_sim_mte_log_fields[] = {
    OPPROF_RECORD_FIELD(OpprofSimMteLog, core, U32, 0, NULL, "Number of the physical core.", NULL),
    OPPROF_RECORD_FIELD(OpprofSimMteLog, file, STRING, 0, NULL, "File of the log.", NULL),
    OPPROF_RECORD_FIELD(OpprofSimMteLog, lines, TEXT, 0, NULL, "Lines as they were logged.", NULL),
    OPPROF_RECORD_FIELD(OpprofSimMteLog, chip, STRING, 0, NULL, "SoC.", "the chip is unknown"),
    OPPROF_RECORD_FIELD(OpprofSimMteLog, is_own, U32, 0, NULL,
                        "1 for a log with a name of the chip's own.", NULL),
};
static const OpprofRecordType opprof_sim_mte_log_type = OPPROF_RECORD_TYPE(
    OpprofSimMteLog, 1, "sim.mte-log", "A piece of a log of memory transfer engines.", 0,
    opprof_sim_mte_log_fields, NULL, NULL);

static_assert(sizeof(OpprofSimMte) == 48, "no padding");
static const OpprofField opprof_sim_mte_fields[] = {
    OPPROF_RECORD_FIELD(OpprofSimMte, tick, TICK, 0, "tick", "Cycle in which it happened.", NULL),
    OPPROF_RECORD_FIELD(OpprofSimMte, instruction_id, U64, 0, NULL,
                        "Instruction that the request belongs to.", NULL),
    OPPROF_RECORD_FIELD(OpprofSimMte, request_id, U64, 0, NULL, "Request of the instruction.",
                        "the line prints none"),
    OPPROF_RECORD_FIELD(OpprofSimMte, size, U64, 0, "byte", "Size of the request.",
                        "the line prints none"),
    OPPROF_RECORD_FIELD(OpprofSimMte, core, U32, 0, NULL, "Number of the physical core.", NULL),
    OPPROF_RECORD_FIELD(OpprofSimMte, unit, STRING, 0, NULL, "Memory that the interface is of.",
                        NULL),
    OPPROF_RECORD_FIELD(OpprofSimMte, is_write, U32, 0, NULL,
                        "1: the interface writes into the memory, 0: it reads from it.", NULL),
};
static const OpprofRecordType opprof_sim_mte_type = OPPROF_RECORD_TYPE(
    OpprofSimMte, 1, "sim.mte", "An event of a request on a memory interface of a simulated core.",
    0, opprof_sim_mte_fields, NULL, NULL);

static_assert(sizeof(OpprofSimMark) == 56, "no padding");
static const OpprofField opprof_sim_mark_fields[] = {
    OPPROF_RECORD_FIELD(OpprofSimMark, pc, HEX, 0, NULL, "Address of the start instruction.", NULL),
    OPPROF_RECORD_FIELD(OpprofSimMark, end_pc, HEX, 0, NULL, "Address of the stop instruction.",
                        NULL),
    OPPROF_RECORD_FIELD(OpprofSimMark, start, TICK, 0, "tick", "Cycle in which the range starts.",
                        NULL),
    OPPROF_RECORD_FIELD(OpprofSimMark, end, TICK, 0, "tick", "Cycle in which the range stops.",
                        NULL),
    OPPROF_RECORD_FIELD(OpprofSimMark, core, STRING, 0, NULL, "Logical core.", NULL),
    OPPROF_RECORD_FIELD(OpprofSimMark, chip, STRING, OPPROF_FIELD_HIDDEN, NULL,
                        "SoC whose facts apply.", "unknown"),
    OPPROF_RECORD_FIELD(OpprofSimMark, name, STRING, 0, NULL, "Name of the range.", NULL),
    OPPROF_RECORD_FIELD(OpprofSimMark, digit, U32, 0, NULL, "Number of the range, 0 to 9.", NULL),
    OPPROF_RECORD_FIELD(OpprofSimMark, detail, TEXT, 0, NULL,
                        "Operands of the start instruction without blanks.", NULL),
};
static const OpprofRecordType opprof_sim_mark_type =
    OPPROF_RECORD_TYPE(OpprofSimMark, 1, "sim.mark", "A range that the kernel's author marked.", 0,
                       opprof_sim_mark_fields, NULL, NULL);

static_assert(sizeof(OpprofSimIcacheMiss) == 40, "no padding");
static const OpprofField opprof_sim_icache_miss_fields[] = {
    OPPROF_RECORD_FIELD(OpprofSimIcacheMiss, pc, HEX, 0, NULL, "Address that missed.", NULL),
    OPPROF_RECORD_FIELD(OpprofSimIcacheMiss, tick, TICK, 0, "tick", "Cycle of the miss.", NULL),
    OPPROF_RECORD_FIELD(OpprofSimIcacheMiss, core, STRING, 0, NULL, "Logical core.", NULL),
    OPPROF_RECORD_FIELD(OpprofSimIcacheMiss, chip, STRING, OPPROF_FIELD_HIDDEN, NULL,
                        "SoC whose facts apply.", "unknown"),
    OPPROF_RECORD_FIELD(OpprofSimIcacheMiss, address, TEXT, 0, NULL, "The address as printed.",
                        NULL),
    OPPROF_RECORD_FIELD(OpprofSimIcacheMiss, detail, TEXT, 0, NULL,
                        "Rest of the line without blanks.", NULL),
};
static const OpprofRecordType opprof_sim_icache_miss_type = OPPROF_RECORD_TYPE(
    OpprofSimIcacheMiss, 1, "sim.icache-miss", "One miss of a simulated instruction cache.", 0,
    opprof_sim_icache_miss_fields, NULL, NULL);

static_assert(sizeof(OpprofSimPcDetails) == 56, "no padding");
static const OpprofField opprof_sim_pc_details_fields[] = {
    OPPROF_RECORD_FIELD(OpprofSimPcDetails, core, STRING, OPPROF_FIELD_KEY, NULL, "Logical core.",
                        NULL),
    OPPROF_RECORD_FIELD(OpprofSimPcDetails, pc, HEX, OPPROF_FIELD_KEY, NULL,
                        "Address of the instruction.", NULL),
    OPPROF_RECORD_FIELD(OpprofSimPcDetails, gpr_count, I32, 0, "1",
                        "Most registers that were live.", "not counted"),
    OPPROF_RECORD_FIELD(OpprofSimPcDetails, process_bytes, I64, 0, "byte",
                        "Bytes moved to or from memory by all executions.",
                        "the instruction moves nothing, or its operands do not say"),
    OPPROF_RECORD_FIELD(OpprofSimPcDetails, vector_utilization, F64, 0, "%",
                        "Share of the vector unit in use, the least of all executions.",
                        "not a vector instruction, or its operands do not say"),
    OPPROF_RECORD_FIELD(OpprofSimPcDetails, ub_read_conflict, I32, 0, "1",
                        "Bank conflicts of reads, the most of all executions.",
                        "not a vector instruction, or its operands do not say"),
    OPPROF_RECORD_FIELD(OpprofSimPcDetails, ub_write_conflict, I32, 0, "1",
                        "Bank conflicts of writes, the most of all executions.",
                        "not a vector instruction, or its operands do not say"),
    OPPROF_RECORD_FIELD(OpprofSimPcDetails, icache_cycles, I64, 0, "tick",
                        "Cycles from fetch to issue of all executions.",
                        "the logs do not show fetch and issue"),
    OPPROF_RECORD_FIELD(OpprofSimPcDetails, ccu_cycles, I64, 0, "tick",
                        "Cycles from issue to start of all executions.",
                        "the logs do not show fetch and issue"),
};
static const OpprofRecordType opprof_sim_pc_details_type =
    OPPROF_RECORD_TYPE(OpprofSimPcDetails, 1, "sim.pc-details",
                       "What is known about one address of a simulated core besides its times.", 0,
                       opprof_sim_pc_details_fields, NULL, NULL);

static_assert(sizeof(OpprofSimCoreEnd) == 56, "no padding");
static const OpprofField opprof_sim_core_end_fields[] = {
    OPPROF_RECORD_FIELD(OpprofSimCoreEnd, core, STRING, 0, NULL, "Logical core.", NULL),
    OPPROF_RECORD_FIELD(OpprofSimCoreEnd, cores, U32, 0, "1",
                        "Cores of the launch that end, at most.", NULL),
    OPPROF_RECORD_FIELD(OpprofSimCoreEnd, kernel, STRING, 0, NULL, "Kernel that was launched.",
                        "it has no folder"),
    OPPROF_RECORD_FIELD(OpprofSimCoreEnd, device, STRING, 0, NULL, "Device.", "it has no folder"),
    OPPROF_RECORD_FIELD(OpprofSimCoreEnd, order, STRING, 0, NULL,
                        "Which of the kernel's launches, as its folder is named.",
                        "it has no folder"),
    OPPROF_RECORD_FIELD(OpprofSimCoreEnd, instructions, U64, 0, "1", "Instructions of the core.",
                        NULL),
    OPPROF_RECORD_FIELD(OpprofSimCoreEnd, marks, U64, 0, "1", "User ranges of the core.", NULL),
    OPPROF_RECORD_FIELD(OpprofSimCoreEnd, misses, U64, 0, "1", "Cache misses of the core.", NULL),
    OPPROF_RECORD_FIELD(OpprofSimCoreEnd, issues, U64, 0, "1", "Issued instructions of the core.",
                        NULL),
};
static const OpprofRecordType opprof_sim_core_end_type = OPPROF_RECORD_TYPE(
    OpprofSimCoreEnd, 1, "sim.core-end", "The end of a core's records, and how many there were.", 0,
    opprof_sim_core_end_fields, NULL, NULL);

#ifdef __cplusplus
}
#endif

#endif
