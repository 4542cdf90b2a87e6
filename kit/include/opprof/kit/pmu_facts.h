/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_KIT_PMU_FACTS_H
#define OPPROF_KIT_PMU_FACTS_H

/**
 * @file
 * Facts about the raw records of launches: `pmu.kinds`, `pmu.defaults`, `pmu.records.counters`,
 * `pmu.records.task_log`. Experimental.
 */

#include <opprof/kit/facts.h>
#include <opprof/kit/record_bits.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Most kinds of cores. */
#define OPPROF_CORE_KINDS 4u
/** Most counters of a record. */
#define OPPROF_COUNTER_SLOTS 64u

/** A kind of cores. */
typedef struct OpprofCoreKind {
    const char *name;  /**< Borrowed from the chip. */
    const char *label; /**< In advice; NULL: none. Borrowed from the chip. */
    /** Value of the field `core_type`; OPPROF_NA_U64: no record has it, or it is the only kind. */
    uint64_t type;
    uint32_t slot; /**< Its place among a block's three cores; OPPROF_NA_U32: the sub block's. */
} OpprofCoreKind;

/** A record with the counters of a core: who ran, when, and what was counted. */
typedef struct OpprofCounterRecord {
    OpprofRecordBits function;  /**< What the record is. */
    OpprofRecordBits core_type; /**< Kind of the core. */
    OpprofRecordBits core;      /**< Physical number of the core. */
    OpprofRecordBits block;     /**< The block. */
    OpprofRecordBits sub_block; /**< The core within the block. */
    OpprofRecordBits cycles;    /**< Cycles of the core. */
    OpprofRecordBits stream;    /**< Stream of the task. */
    OpprofRecordBits task;      /**< Number of the task. */
    OpprofRecordBits start;     /**< By the system's counter. */
    OpprofRecordBits end;       /**< By the system's counter. */
    uint64_t accepted;          /**< Bit f: records of function f count; 0: all do. */
    uint64_t known;             /**< Bit f: records of function f are skipped silently. */
    uint32_t size;              /**< Bytes; 0: the chip leaves none. */
    uint16_t slots_at;          /**< Where the counters begin. */
    uint16_t slot_count;        /**< How many there are. */
    uint8_t slot_bits;          /**< Bits of each: 8, 16, 24 … or 64. */
    bool is_big;                /**< Big-endian. */
} OpprofCounterRecord;

/** A record of the task scheduler's log. */
typedef struct OpprofTaskRecord {
    OpprofRecordBits function;  /**< What the record is. */
    OpprofRecordBits task_type; /**< Type of the task. */
    OpprofRecordBits time;      /**< By the system's counter. */
    OpprofRecordBits stream;    /**< Stream of the task. */
    OpprofRecordBits task;      /**< Number of the task. */
    uint64_t task_types;        /**< Bit t: tasks of type t run on cores; 0: all do. */
    uint64_t start;             /**< Function of records that state a start. */
    uint64_t end;               /**< Function of records that state an end. */
    uint32_t size;              /**< Bytes; 0: the chip leaves none. */
} OpprofTaskRecord;

/** A record of the log: a task starts or ends. */
typedef struct OpprofTaskMark {
    uint64_t time;   /**< By the system's counter. */
    uint64_t type;   /**< Of the task. */
    uint32_t stream; /**< As the record states it, like `task`. */
    uint32_t task;   /**< Its number. */
    bool is_start;   /**< Else an end. */
    bool is_of_core; /**< Tasks of this type run on cores. */
} OpprofTaskMark;

/** All of it. It owns nothing, and borrows texts from the chip. */
typedef struct OpprofPmuFacts {
    OpprofCoreKind kinds[OPPROF_CORE_KINDS]; /**< Kinds of cores. */
    uint32_t kind_count;                     /**< How many there are. */
    OpprofCounterRecord counters;            /**< Records with counters. */
    OpprofTaskRecord task_log;               /**< Records of the log. */
    double rated_mhz;                        /**< Frequency of cores; 0: not stated. */
    double scheduler_khz; /**< Frequency of the system's counter; 0: not stated. */
} OpprofPmuFacts;

/**
 * Read what a chip says of raw records. What it does not say is zero.
 *
 * @param[out] ret_facts  Borrows from the chip.
 * @return OPPROF_OK; OPPROF_E_DATA with file, member and what is wrong; OPPROF_E_MEMORY.
 *         [any thread]
 */
OpprofStatus OpprofPmuFactsRead(const OpprofChip *chip, OpprofPmuFacts *ret_facts,
                                OpprofError **error);

/**
 * Read a record of the log. [any thread]
 *
 * @param record  As many bytes as the layout says.
 * @param[out] ret_mark  What it says.
 * @return False: it is neither a start nor an end.
 */
static inline bool OpprofTaskMarkRead(const OpprofTaskRecord *layout, const unsigned char *record,
                                      OpprofTaskMark *ret_mark)
{
    const uint64_t function = OpprofRecordBitsGet(&layout->function, record);

    ret_mark->time = OpprofRecordBitsGet(&layout->time, record);
    ret_mark->type = OpprofRecordBitsGet(&layout->task_type, record);
    ret_mark->stream = (uint32_t) OpprofRecordBitsGet(&layout->stream, record);
    ret_mark->task = (uint32_t) OpprofRecordBitsGet(&layout->task, record);
    ret_mark->is_start = function == layout->start;
    ret_mark->is_of_core = layout->task_types == 0 ||
                           (ret_mark->type < 64 && (layout->task_types >> ret_mark->type & 1) != 0);
    return function == layout->start || function == layout->end;
}

#ifdef __cplusplus
}
#endif

#endif
