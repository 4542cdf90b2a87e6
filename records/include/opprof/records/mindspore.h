/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_RECORDS_MINDSPORE_H
#define OPPROF_RECORDS_MINDSPORE_H

/**
 * @file
 * What MindSpore's profiler left up to its version 2.3: raw files in pieces as the collector brings
 * them, what the parser reads of them, and tables. Names are interned; `device` is the text in the
 * names of the files, and the partition of all batches. Experimental.
 */

#include <assert.h>
#include <opprof/record.h>
#include <stddef.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An entry of a field table whose column has the unit in its heading. */
#define OPPROF_MINDSPORE_FIELD(type, member, kind, heading, rule, flags, unit, meaning, absent)    \
    {                                                                                              \
#member, OPPROF_FIELD_##kind, (uint32_t) offsetof(type, member), unit, meaning, absent,    \
            heading, 0, flags, OPPROF_COMBINE_##rule                                               \
    }
/** The key of all tables. */
#define OPPROF_MINDSPORE_DEVICE(type)                                                              \
    OPPROF_RECORD_FIELD(type, device, STRING, OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER, NULL,        \
                        "Device.", NULL)

/* ---- between collector, parser and analyses ---- */

#define OPPROF_MINDSPORE_FIRST 1u /**< The first piece of a log. */
#define OPPROF_MINDSPORE_LAST 2u  /**< The last piece of a log, perhaps without bytes. */
#define OPPROF_MINDSPORE_GAP 4u   /**< A slice is missing before this piece. */

/** Record of `opprof_mindspore_chunk_type`, "mindspore.chunk": a piece of a log, whose slices come
 * one after the other; those of a device come together, its tables of tasks first. */
typedef struct OpprofMindsporeChunk {
    uint64_t offset;     /**< Where in the file the piece begins. */
    uint32_t device;     /**< Interned number of the device. */
    uint32_t kind;       /**< Interned kind of the log; absent: the device ends here. */
    uint32_t generation; /**< 'A', 'B', or 0 for files that have none. */
    uint32_t slice;      /**< Slices of the log so far, with this one. */
    uint32_t file;       /**< Interned name of the file. */
    uint32_t flags;      /**< OPPROF_MINDSPORE_ flags. */
    OpprofText bytes;    /**< The piece. */
} OpprofMindsporeChunk;

static_assert(sizeof(OpprofMindsporeChunk) == 40, "no padding");
static const OpprofField opprof_mindspore_chunk_fields[] = {
    OPPROF_RECORD_FIELD(OpprofMindsporeChunk, offset, U64, 0, "byte", "Place in the file.", NULL),
    OPPROF_RECORD_FIELD(OpprofMindsporeChunk, device, STRING, 0, NULL, "Device.", NULL),
    OPPROF_RECORD_FIELD(OpprofMindsporeChunk, kind, STRING, 0, NULL, "Kind of the log.",
                        "the device ends here"),
    OPPROF_RECORD_FIELD(OpprofMindsporeChunk, generation, U32, 0, NULL, "65: A, 66: B, 0: neither.",
                        NULL),
    OPPROF_RECORD_FIELD(OpprofMindsporeChunk, slice, U32, 0, "1", "Slices so far.", NULL),
    OPPROF_RECORD_FIELD(OpprofMindsporeChunk, file, STRING, 0, NULL, "File.",
                        "the device ends here"),
    OPPROF_RECORD_FIELD(OpprofMindsporeChunk, flags, U32, OPPROF_FIELD_HIDDEN, NULL,
                        "1: first, 2: last, 4: a slice is missing before it.", NULL),
    OPPROF_RECORD_FIELD(OpprofMindsporeChunk, bytes, TEXT, 0, "byte", "The piece.",
                        "the device ends here"),
};
static const OpprofRecordType opprof_mindspore_chunk_type = OPPROF_RECORD_TYPE(
    OpprofMindsporeChunk, 1, "mindspore.chunk", "Pieces of logs of MindSpore's profiler.", 0,
    opprof_mindspore_chunk_fields, NULL, NULL);

/** Record of `opprof_mindspore_operator_type`, "mindspore.operator": what is known about an
 * operator beside its executions. All but the names may be absent; several records may each know a
 * part. */
typedef struct OpprofMindsporeOperator {
    double mean_us;            /**< Mean time, where there are no executions. */
    double mflops;             /**< Operations of an execution, 1e6. */
    double gflops;             /**< Operations a second, 1e9. */
    double utilization;        /**< Share of the device's peak, in percent. */
    double cube_mflops;        /**< Of the cube. */
    double cube_gflops;        /**< Of the cube. */
    double cube_utilization;   /**< Of the cube. */
    double vector_mflops;      /**< Of the vector unit. */
    double vector_gflops;      /**< Of the vector unit. */
    double vector_utilization; /**< Of the vector unit. */
    double peak;               /**< Operations a second of the device, for `mflops` alone. */
    uint64_t executions;       /**< How often, where there are no executions. */
    uint32_t device;           /**< Device. */
    uint32_t name;             /**< Full name. */
    uint32_t type;             /**< Type. */
    uint32_t stream;           /**< Stream. */
    uint32_t block_dim;        /**< Blocks. */
    uint32_t reserved;         /**< 0. */
    OpprofText info;           /**< JSON of inputs and outputs. */
} OpprofMindsporeOperator;

static_assert(sizeof(OpprofMindsporeOperator) == 128, "no padding");
#define OPPROF_MINDSPORE_MAYBE(member, kind, unit, meaning)                                        \
    OPPROF_RECORD_FIELD(OpprofMindsporeOperator, member, kind, 0, unit, meaning,                   \
                        "this record does not say")
static const OpprofField opprof_mindspore_operator_fields[] = {
    OPPROF_MINDSPORE_MAYBE(mean_us, F64, "us", "Mean time of an execution."),
    OPPROF_MINDSPORE_MAYBE(mflops, F64, "1e6", "Operations of an execution."),
    OPPROF_MINDSPORE_MAYBE(gflops, F64, "1e9/s", "Operations a second."),
    OPPROF_MINDSPORE_MAYBE(utilization, F64, "%", "Share of the device's peak."),
    OPPROF_MINDSPORE_MAYBE(cube_mflops, F64, "1e6", "Operations of the cube."),
    OPPROF_MINDSPORE_MAYBE(cube_gflops, F64, "1e9/s", "Operations a second of the cube."),
    OPPROF_MINDSPORE_MAYBE(cube_utilization, F64, "%", "Share of the device's peak."),
    OPPROF_MINDSPORE_MAYBE(vector_mflops, F64, "1e6", "Operations of the vector unit."),
    OPPROF_MINDSPORE_MAYBE(vector_gflops, F64, "1e9/s", "Operations a second of the vector unit."),
    OPPROF_MINDSPORE_MAYBE(vector_utilization, F64, "%", "Share of the device's peak."),
    OPPROF_MINDSPORE_MAYBE(peak, F64, "1/s", "Peak of the device."),
    OPPROF_MINDSPORE_MAYBE(executions, U64, "1", "Executions."),
    OPPROF_RECORD_FIELD(OpprofMindsporeOperator, device, STRING, 0, NULL, "Device.", NULL),
    OPPROF_RECORD_FIELD(OpprofMindsporeOperator, name, STRING, 0, NULL, "Full name.", NULL),
    OPPROF_MINDSPORE_MAYBE(type, STRING, NULL, "Type."),
    OPPROF_MINDSPORE_MAYBE(stream, U32, NULL, "Stream."),
    OPPROF_MINDSPORE_MAYBE(block_dim, U32, "1", "Blocks."),
    OPPROF_MINDSPORE_MAYBE(info, TEXT, NULL, "Inputs and outputs, JSON."),
};
static const OpprofRecordType opprof_mindspore_operator_type = OPPROF_RECORD_TYPE(
    OpprofMindsporeOperator, 1, "mindspore.operator", "What is known about operators.", 0,
    opprof_mindspore_operator_fields, NULL, NULL);

/**
 * A record of an operator that says nothing but its name.
 *
 * @param device  Interned number of the device.
 * @param name    Interned full name.
 * @return The record. [any thread]
 */
static inline OpprofMindsporeOperator OpprofMindsporeOperatorOf(uint32_t device, uint32_t name)
{
    OpprofMindsporeOperator record;

    memset(&record, 0, sizeof record);
    for (uint32_t i = 0; i < OPPROF_COUNT(opprof_mindspore_operator_fields); i++) {
        const OpprofField *field = &opprof_mindspore_operator_fields[i];
        const double na = OpprofNaF64();
        char *at = (char *) &record + field->offset;

        if (field->kind == OPPROF_FIELD_F64) {
            memcpy(at, &na, sizeof na);
        } else if (field->kind == OPPROF_FIELD_U64) {
            memset(at, 0xff, 8);
        } else if (field->kind == OPPROF_FIELD_U32 || field->kind == OPPROF_FIELD_TEXT) {
            memset(at, 0xff, 4);
        }
    }
    record.device = device;
    record.name = name;
    return record;
}

/** Record of `opprof_mindspore_execution_type`, "mindspore.execution": one execution of an operator
 * of the task table, by its end. Times are ticks of the batch's clock. */
typedef struct OpprofMindsporeExecution {
    uint64_t start;    /**< Start. */
    uint64_t duration; /**< Ticks. */
    uint64_t task;     /**< Task, unwrapped. */
    uint32_t stream;   /**< Stream. */
    uint32_t name;     /**< Full name of the operator. */
} OpprofMindsporeExecution;

static_assert(sizeof(OpprofMindsporeExecution) == 32, "no padding");
static const OpprofField opprof_mindspore_execution_fields[] = {
    OPPROF_RECORD_FIELD(OpprofMindsporeExecution, start, TICK, 0, NULL, "Start.", NULL),
    OPPROF_RECORD_FIELD(OpprofMindsporeExecution, duration, TICK, 0, NULL, "Duration.", NULL),
    OPPROF_RECORD_FIELD(OpprofMindsporeExecution, task, U64, 0, NULL, "Task.", NULL),
    OPPROF_RECORD_FIELD(OpprofMindsporeExecution, stream, U32, 0, NULL, "Stream.", NULL),
    OPPROF_RECORD_FIELD(OpprofMindsporeExecution, name, STRING, 0, NULL, "Operator.", NULL),
};
static const OpprofRecordType opprof_mindspore_execution_type = OPPROF_RECORD_TYPE(
    OpprofMindsporeExecution, 1, "mindspore.execution", "Executions of operators on a device.", 0,
    opprof_mindspore_execution_fields, NULL, NULL);

/* ---- tables that the parser reads ---- */

/** Record of `opprof_mindspore_source_type`, "mindspore.sources": a log and what it lacks. */
typedef struct OpprofMindsporeSource {
    uint64_t bytes;      /**< Bytes. */
    uint64_t records;    /**< Records that were read. */
    uint64_t lost;       /**< Records lost before they were written, by their counter. */
    uint64_t skipped;    /**< Records of no known form, or alone. */
    uint64_t tail_bytes; /**< Bytes after the last whole record. */
    uint64_t wraps;      /**< How often task ids began again. */
    uint32_t device;     /**< Device. */
    uint32_t kind;       /**< Kind: hwts, aicpu, step. */
    uint32_t generation; /**< "A" or "B". */
    uint32_t slices;     /**< Files. */
} OpprofMindsporeSource;

static_assert(sizeof(OpprofMindsporeSource) == 64, "no padding");
static const OpprofField opprof_mindspore_source_fields[] = {
    OPPROF_MINDSPORE_DEVICE(OpprofMindsporeSource),
    OPPROF_RECORD_FIELD(OpprofMindsporeSource, kind, STRING, OPPROF_FIELD_KEY, NULL,
                        "What the log has.", NULL),
    OPPROF_RECORD_FIELD(OpprofMindsporeSource, generation, STRING, 0, NULL,
                        "Generation of its format.", NULL),
    OPPROF_RECORD_FIELD(OpprofMindsporeSource, slices, U32, 0, "1", "Its files.", NULL),
    OPPROF_RECORD_NUMBER(OpprofMindsporeSource, bytes, U64, SUM, 0, "byte", "Its size.", NULL),
    OPPROF_RECORD_NUMBER(OpprofMindsporeSource, records, U64, SUM, 0, "1",
                         "Records that were read.", NULL),
    OPPROF_RECORD_NUMBER(OpprofMindsporeSource, lost, U64, SUM, 0, "1",
                         "Records that its counter misses, at least.", NULL),
    OPPROF_RECORD_NUMBER(OpprofMindsporeSource, skipped, U64, SUM, 0, "1",
                         "Records of no known form, or alone.", NULL),
    OPPROF_RECORD_NUMBER(OpprofMindsporeSource, tail_bytes, U64, SUM, 0, "byte",
                         "Bytes of records that are not whole.", NULL),
    OPPROF_RECORD_NUMBER(OpprofMindsporeSource, wraps, U64, SUM, 0, "1",
                         "How often task ids began again.", NULL),
};
static const OpprofRecordType opprof_mindspore_source_type = OPPROF_RECORD_TYPE(
    OpprofMindsporeSource, 1, "mindspore.sources", "Logs that were read, and what they lack.",
    OPPROF_RECORD_TABLE, opprof_mindspore_source_fields, "Logs", "sources");

/** Record of `opprof_mindspore_aicpu_type`, "mindspore.aicpu": an operator on the device's CPU. */
typedef struct OpprofMindsporeAicpu {
    uint64_t serial;      /**< From 1. */
    double total_us;      /**< From its submission to its end. */
    double dispatch_us;   /**< Of that, dispatching. */
    double execution_us;  /**< Of that, running. */
    double start_us;      /**< Start, by the profiler's clock. */
    double end_us;        /**< End. */
    uint64_t start_tick;  /**< Start on the clock of the log; OPPROF_NA_U64: unknown. */
    uint64_t end_tick;    /**< End. */
    uint64_t task;        /**< Task; OPPROF_NA_U64: unknown. */
    uint32_t stream;      /**< Stream; OPPROF_NA_U32: unknown. */
    uint32_t device;      /**< Device. */
    uint32_t kernel_name; /**< Kernel. */
    uint32_t kernel_type; /**< Type. */
} OpprofMindsporeAicpu;

static_assert(sizeof(OpprofMindsporeAicpu) == 88, "no padding");
static const OpprofField opprof_mindspore_aicpu_fields[] = {
    OPPROF_MINDSPORE_DEVICE(OpprofMindsporeAicpu),
    OPPROF_RECORD_FIELD(OpprofMindsporeAicpu, serial, U64, OPPROF_FIELD_KEY | OPPROF_FIELD_ALONE,
                        "1", "Order in the log.", NULL),
    OPPROF_RECORD_FIELD(OpprofMindsporeAicpu, kernel_name, STRING, 0, NULL, "Kernel.", NULL),
    OPPROF_RECORD_FIELD(OpprofMindsporeAicpu, kernel_type, STRING, 0, NULL, "Type of the kernel.",
                        NULL),
    OPPROF_RECORD_FIELD(OpprofMindsporeAicpu, stream, U32, OPPROF_FIELD_ALONE, NULL, "Stream.",
                        "the log does not say"),
    OPPROF_RECORD_FIELD(OpprofMindsporeAicpu, task, U64, OPPROF_FIELD_ALONE, NULL, "Task.",
                        "the log does not say"),
    OPPROF_MINDSPORE_FIELD(OpprofMindsporeAicpu, total_us, F64, "total(us)", SUM,
                           OPPROF_FIELD_WEIGHT, "us", "From its submission to its end.",
                           "the log does not say"),
    OPPROF_MINDSPORE_FIELD(OpprofMindsporeAicpu, dispatch_us, F64, "dispatch(us)", SUM, 0, "us",
                           "Dispatching.", "the log does not say"),
    OPPROF_MINDSPORE_FIELD(OpprofMindsporeAicpu, execution_us, F64, "execution(us)", SUM, 0, "us",
                           "Running.", "the log does not say"),
    OPPROF_MINDSPORE_FIELD(OpprofMindsporeAicpu, start_us, F64, "start(us)", UNKNOWN,
                           OPPROF_FIELD_MOMENT, "us", "Start, by the profiler's clock.",
                           "the log does not say"),
    OPPROF_MINDSPORE_FIELD(OpprofMindsporeAicpu, end_us, F64, "end(us)", UNKNOWN,
                           OPPROF_FIELD_MOMENT, "us", "End, by the profiler's clock.",
                           "the log does not say"),
    OPPROF_RECORD_FIELD(OpprofMindsporeAicpu, start_tick, TICK, OPPROF_FIELD_HIDDEN, NULL,
                        "Start on the log's clock.", "the log does not say"),
    OPPROF_RECORD_FIELD(OpprofMindsporeAicpu, end_tick, TICK, OPPROF_FIELD_HIDDEN, NULL,
                        "End on the log's clock.", "the log does not say"),
};
static const OpprofRecordType opprof_mindspore_aicpu_type = OPPROF_RECORD_TYPE(
    OpprofMindsporeAicpu, 1, "mindspore.aicpu", "Operators that ran on the device's CPU (AI CPU).",
    OPPROF_RECORD_TABLE, opprof_mindspore_aicpu_fields, "Operators on the device's CPU", "aicpu");

/** Record of `opprof_mindspore_step_type`, "mindspore.steps": a training step by its points. Ticks
 * are of the batch's clock. */
typedef struct OpprofMindsporeStep {
    uint64_t step;                /**< Number, from 1. */
    uint64_t start_tick;          /**< End of the step before. */
    uint64_t end_tick;            /**< End. */
    uint64_t fp_tick;             /**< Forward pass begins. */
    uint64_t bp_tick;             /**< Backward pass ends; absent: inference. */
    double total_us;              /**< Time of the step. */
    double iteration_interval_us; /**< Before the forward pass. */
    double fp_and_bp_us;          /**< Forward and backward pass. */
    double tail_us;               /**< After the backward pass; absent: inference. */
    uint32_t device;              /**< Device. */
    uint32_t reserved;            /**< 0. */
} OpprofMindsporeStep;

static_assert(sizeof(OpprofMindsporeStep) == 80, "no padding");
/** A point in time of a table of steps. */
#define OPPROF_MINDSPORE_POINT(type, member, meaning, absent)                                      \
    OPPROF_RECORD_FIELD(type, member, U64, OPPROF_FIELD_MOMENT, "tick", meaning, absent)
static const OpprofField opprof_mindspore_step_fields[] = {
    OPPROF_MINDSPORE_DEVICE(OpprofMindsporeStep),
    OPPROF_RECORD_FIELD(OpprofMindsporeStep, step, U64, OPPROF_FIELD_KEY, "1", "Step.", NULL),
    OPPROF_MINDSPORE_POINT(OpprofMindsporeStep, start_tick, "End of the step before.", NULL),
    OPPROF_MINDSPORE_POINT(OpprofMindsporeStep, end_tick, "End of the step.", NULL),
    OPPROF_MINDSPORE_POINT(OpprofMindsporeStep, fp_tick, "The forward pass begins.", NULL),
    OPPROF_MINDSPORE_POINT(OpprofMindsporeStep, bp_tick, "The backward pass ends.",
                           "there is none in inference"),
    OPPROF_MINDSPORE_FIELD(OpprofMindsporeStep, total_us, F64, "total(us)", SUM,
                           OPPROF_FIELD_WEIGHT, "us", "Time of the step.", NULL),
    OPPROF_MINDSPORE_FIELD(OpprofMindsporeStep, iteration_interval_us, F64,
                           "iteration_interval(us)", SUM, OPPROF_FIELD_PART, "us",
                           "Between the step before and the forward pass.", NULL),
    OPPROF_MINDSPORE_FIELD(OpprofMindsporeStep, fp_and_bp_us, F64, "fp_and_bp(us)", SUM,
                           OPPROF_FIELD_PART, "us", "Forward and backward pass.", NULL),
    OPPROF_MINDSPORE_FIELD(OpprofMindsporeStep, tail_us, F64, "tail(us)", SUM, OPPROF_FIELD_PART,
                           "us", "Between the backward pass and the end.",
                           "there is none in inference"),
};
static const OpprofRecordType opprof_mindspore_step_type =
    OPPROF_RECORD_TYPE(OpprofMindsporeStep, 1, "mindspore.steps", "Training steps by their parts.",
                       OPPROF_RECORD_TABLE, opprof_mindspore_step_fields, "Steps", "steps");

/** Record of `opprof_mindspore_collective_type`, "mindspore.step-collectives": a collective of a
 * step. */
typedef struct OpprofMindsporeCollective {
    uint64_t step;       /**< Number of the step. */
    uint64_t start_tick; /**< Start. */
    uint64_t end_tick;   /**< End. */
    double duration_us;  /**< Duration. */
    uint32_t device;     /**< Device. */
    uint32_t stream;     /**< Stream; OPPROF_NA_U32: unknown. */
    uint32_t place;      /**< Order by start on the stream in the step, from 0. */
    uint32_t name;       /**< Name, or "parallel". */
} OpprofMindsporeCollective;

static_assert(sizeof(OpprofMindsporeCollective) == 48, "no padding");
static const OpprofField opprof_mindspore_collective_fields[] = {
    OPPROF_MINDSPORE_DEVICE(OpprofMindsporeCollective),
    OPPROF_RECORD_FIELD(OpprofMindsporeCollective, step, U64, OPPROF_FIELD_KEY, "1", "Step.", NULL),
    OPPROF_RECORD_FIELD(OpprofMindsporeCollective, stream, U32, OPPROF_FIELD_KEY, NULL, "Stream.",
                        "the file does not say"),
    OPPROF_RECORD_FIELD(OpprofMindsporeCollective, place, U32, OPPROF_FIELD_KEY, "1",
                        "Order by start on the stream in the step.", NULL),
    OPPROF_RECORD_FIELD(OpprofMindsporeCollective, name, STRING, OPPROF_FIELD_KEY, NULL,
                        "Operator. parallel: no table names it.", NULL),
    OPPROF_MINDSPORE_POINT(OpprofMindsporeCollective, start_tick, "Start.", NULL),
    OPPROF_MINDSPORE_POINT(OpprofMindsporeCollective, end_tick, "End.", NULL),
    OPPROF_MINDSPORE_FIELD(OpprofMindsporeCollective, duration_us, F64, "duration(us)", SUM,
                           OPPROF_FIELD_WEIGHT, "us", "How long it took.", NULL),
};
static const OpprofRecordType opprof_mindspore_collective_type = OPPROF_RECORD_TYPE(
    OpprofMindsporeCollective, 1, "mindspore.step-collectives", "Collective operators of steps.",
    OPPROF_RECORD_TABLE, opprof_mindspore_collective_fields, "Collectives of steps",
    "step_collectives");

/** Record of `opprof_mindspore_point_type`, "mindspore.step-points": the operator at a point of all
 * steps. */
typedef struct OpprofMindsporePoint {
    uint32_t device;   /**< Device. */
    uint32_t point;    /**< "fp_start", "bp_end". */
    uint32_t op_name;  /**< Full name. */
    uint32_t reserved; /**< 0. */
} OpprofMindsporePoint;

static_assert(sizeof(OpprofMindsporePoint) == 16, "no padding");
static const OpprofField opprof_mindspore_point_fields[] = {
    OPPROF_MINDSPORE_DEVICE(OpprofMindsporePoint),
    OPPROF_RECORD_FIELD(OpprofMindsporePoint, point, STRING, OPPROF_FIELD_KEY, NULL,
                        "fp_start or bp_end.", NULL),
    OPPROF_RECORD_FIELD(OpprofMindsporePoint, op_name, STRING, 0, NULL, "Operator there.", NULL),
};
static const OpprofRecordType opprof_mindspore_point_type = OPPROF_RECORD_TYPE(
    OpprofMindsporePoint, 1, "mindspore.step-points", "Operators at the points of steps.",
    OPPROF_RECORD_TABLE, opprof_mindspore_point_fields, "Points of steps", "step_points");

/** Record of `opprof_mindspore_queue_step_type`, "mindspore.queue-steps": what a queue of data had
 * in a step. */
typedef struct OpprofMindsporeQueueStep {
    uint64_t step;     /**< Number. */
    uint64_t size;     /**< Batches in it; OPPROF_NA_U64: unknown. */
    uint64_t capacity; /**< Room in it; OPPROF_NA_U64: unknown. */
    double get_us;     /**< Getting a batch; absent: unknown. */
    double push_us;    /**< Pushing it; absent: unknown. */
    double total_us;   /**< Both; absent: unknown. */
    uint32_t device;   /**< Device. */
    uint32_t queue;    /**< "device_queue": the host fills it; "get_next": the device empties it. */
} OpprofMindsporeQueueStep;

static_assert(sizeof(OpprofMindsporeQueueStep) == 56, "no padding");
static const OpprofField opprof_mindspore_queue_step_fields[] = {
    OPPROF_MINDSPORE_DEVICE(OpprofMindsporeQueueStep),
    OPPROF_RECORD_FIELD(OpprofMindsporeQueueStep, queue, STRING, OPPROF_FIELD_KEY, NULL,
                        "Queue. device_queue: the host fills it; get_next: the device empties it.",
                        NULL),
    OPPROF_RECORD_FIELD(OpprofMindsporeQueueStep, step, U64, OPPROF_FIELD_KEY, "1", "Step.", NULL),
    OPPROF_RECORD_FIELD(OpprofMindsporeQueueStep, size, U64, OPPROF_FIELD_ALONE, "1",
                        "Batches in it.", "the file does not say"),
    OPPROF_RECORD_FIELD(OpprofMindsporeQueueStep, capacity, U64, OPPROF_FIELD_ALONE, "1",
                        "Room for batches.", "the file does not say"),
    OPPROF_MINDSPORE_FIELD(OpprofMindsporeQueueStep, get_us, F64, "get(us)", SUM, 0, "us",
                           "Getting a batch.", "the file does not say"),
    OPPROF_MINDSPORE_FIELD(OpprofMindsporeQueueStep, push_us, F64, "push(us)", SUM, 0, "us",
                           "Pushing it.", "the file does not say"),
    OPPROF_MINDSPORE_FIELD(OpprofMindsporeQueueStep, total_us, F64, "total(us)", SUM,
                           OPPROF_FIELD_WEIGHT, "us", "Both.", "the file does not say"),
};
static const OpprofRecordType opprof_mindspore_queue_step_type = OPPROF_RECORD_TYPE(
    OpprofMindsporeQueueStep, 1, "mindspore.queue-steps", "Queues of data in each step.",
    OPPROF_RECORD_TABLE, opprof_mindspore_queue_step_fields, "Queues of data by step",
    "data_queue_steps");

#ifdef __cplusplus
}
#endif

#endif
