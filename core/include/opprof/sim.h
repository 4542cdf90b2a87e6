/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_SIM_H
#define OPPROF_SIM_H

/**
 * @file
 * Records of a camodel (cycle-accurate simulator) run, as collectors of simulations emit them and
 * analyses take them. Batches are partitioned by logical core; ticks are cycles of the core clock.
 */

#include <opprof/record.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Record of `opprof_sim_instruction_type`, "sim.instruction": one executed instruction. */
typedef struct SimInstruction {
    uint64_t pc;        /**< Address. */
    uint64_t id;        /**< Instruction id of chips that print one; absent elsewhere. */
    uint64_t start;     /**< Tick of issue (popped log). */
    uint64_t end;       /**< Tick of retirement (instr log), at least start. */
    uint32_t core;      /**< Interned logical core name, "core0.veccore0". */
    uint32_t pipe;      /**< Interned normalised pipe name. */
    uint32_t name;      /**< Interned mnemonic, may be the empty string. */
    int16_t warp;       /**< SIMT warp, 0..99; -1: none. */
    int16_t scheduler;  /**< SIMT scheduler, 0..3; -1: none. */
    uint64_t sequence;  /**< Place in the core's popped log, from 0: breaks ties of issue order. */
    OpprofText detail;  /**< Operands without blanks. */
    uint32_t cache_cycles; /**< Cycles from fetch to issue by the control unit, at least 1; absent (or 0): unknown. */
    uint32_t ccu_cycles;   /**< Cycles from there to start; absent: unknown. */
    uint32_t dialect;      /**< Interned name of the chip's operand texts ("a2", "310p", "950"); absent: unknown. */
    uint32_t reserved;     /**< 0. */
} SimInstruction;

/**
 * Record of `opprof_sim_issue_type`, "sim.issue": an instruction that is issued, in the order of issue, which
 * is that of registers and masks. It is a record before the instruction has retired, so that nobody has to
 * hold what is in flight to find that order.
 */
typedef struct SimIssue {
    uint64_t pc;       /**< Address. */
    uint64_t start;    /**< Tick of issue. */
    uint64_t sequence; /**< Place in the core's popped log, from 0: breaks ties of start. */
    uint32_t core;     /**< Interned logical core name. */
    uint32_t name;     /**< Interned mnemonic. */
    uint32_t dialect;  /**< Interned name of the chip's operand texts; absent: unknown. */
    uint32_t reserved; /**< 0. */
    OpprofText detail; /**< Operands without blanks. */
} SimIssue;

/**
 * Record of `opprof_sim_mte_type`, "sim.mte": something that happened to a request on an interface of the
 * memory transfer engines of a physical core. Batches are not partitioned: bandwidth is that of all cores.
 */
typedef struct SimMte {
    uint64_t tick;           /**< When. */
    uint64_t instruction_id; /**< Instruction that the request belongs to. */
    uint64_t request_id;     /**< Request of the instruction; absent: not printed. */
    uint64_t size;           /**< Bytes; absent: not printed. */
    uint32_t core;           /**< Number of the physical core. */
    uint32_t unit;           /**< Interned unit: "B" for the global memory, "UB1", "L1" … */
    uint32_t is_write;       /**< 1: the interface writes into the unit; 0: it reads from it. */
    uint32_t reserved;       /**< 0. */
} SimMte;

/** Record of `opprof_sim_mark_type`, "sim.mark": a user range (TRACE_START to TRACE_STOP). */
typedef struct SimMark {
    uint64_t pc;       /**< Address of the start instruction. */
    uint64_t end_pc;   /**< Address of the stop instruction. */
    uint64_t start;    /**< Tick. */
    uint64_t end;      /**< Tick. */
    uint32_t core;     /**< Interned logical core name. */
    uint32_t name;     /**< Interned "Mark 0x<digit>". */
    uint32_t digit;    /**< 0..9. */
    uint32_t reserved; /**< 0. */
    OpprofText detail; /**< Operands of the start instruction without blanks. */
} SimMark;

/** Record of `opprof_sim_icache_miss_type`, "sim.icache-miss": one instruction-cache miss. */
typedef struct SimIcacheMiss {
    uint64_t pc;       /**< Address that missed. */
    uint64_t tick;     /**< When. */
    uint32_t core;     /**< Interned logical core name. */
    uint32_t reserved; /**< 0. */
    OpprofText address; /**< The address as printed. */
    OpprofText detail;  /**< Rest of the line without blanks. */
} SimIcacheMiss;

/**
 * Record of `opprof_sim_pc_details_type`, "sim.pc-details": what is known of one address of one core over
 * all its executions, besides their times. At most one record a core and address.
 */
typedef struct SimPcDetails {
    uint64_t pc;                 /**< Address. */
    uint32_t core;               /**< Interned logical core name. */
    int32_t gpr_count;           /**< Most registers that were live; absent: not counted. */
    int64_t process_bytes;       /**< Bytes moved to or from memory by all executions; absent: none or unknown. */
    double vector_utilization;   /**< Percent, the least of all executions; absent: not a vector instruction. */
    int32_t ub_read_conflict;    /**< Most read conflicts of an execution; absent: not a vector instruction. */
    int32_t ub_write_conflict;   /**< Most write conflicts of an execution; absent: not a vector instruction. */
    int64_t icache_cycles;       /**< Cycles from fetch to issue of all executions; absent: unknown. */
    int64_t ccu_cycles;          /**< Cycles from issue to start of all executions; absent: unknown. */
} SimPcDetails;

/** Built-in types. Defined in libopprof; immutable. */
extern const RecordType opprof_sim_instruction_type;
extern const RecordType opprof_sim_issue_type;       /**< See SimIssue. */
extern const RecordType opprof_sim_mark_type;        /**< See SimMark. */
extern const RecordType opprof_sim_icache_miss_type; /**< See SimIcacheMiss. */
extern const RecordType opprof_sim_mte_type;         /**< See SimMte. */
extern const RecordType opprof_sim_pc_details_type;  /**< See SimPcDetails. */

#ifdef __cplusplus
}
#endif

#endif
