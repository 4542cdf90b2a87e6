/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_RECORDS_HOST_H
#define OPPROF_RECORDS_HOST_H

/**
 * @file
 * What the host did: operators of a framework, annotations, modules, functions of Python, each with
 * the device work that was launched in it. Experimental.
 */

#include <assert.h>
#include <opprof/record.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Kind, as OpprofHostCall.kind: an operator of a framework. */
#define OPPROF_HOST_OPERATOR "operator"
/** Kind: an annotation of the user. */
#define OPPROF_HOST_ANNOTATION "annotation"
/** Kind: a module of the network. */
#define OPPROF_HOST_MODULE "module"
/** Kind: a function of Python. */
#define OPPROF_HOST_FRAME "frame"

/** It runs inside another one of its kind and name, which already counts its time. */
#define OPPROF_HOST_RECURSIVE 1u

/** Record of `opprof_host_call_type`, "host.call". Times are ticks of the batch's clock; the
 * batch's partition is the rank. */
typedef struct OpprofHostCall {
    uint64_t start;    /**< Start. */
    uint64_t duration; /**< Ticks. */
    uint64_t self;     /**< Ticks without those of its kind inside it. */
    /** Ticks of the device work launched in it and in none of its kind inside it, added up. */
    uint64_t device_self;
    uint64_t device_total; /**< The same with those inside it. */
    /** Ticks from the ends of its own launching calls to the starts of their first work, added up.
     * */
    uint64_t delay;
    uint32_t name;          /**< Interned. */
    uint32_t kind;          /**< Interned OPPROF_HOST_ word. */
    uint32_t thread;        /**< Number of the thread in the rank; OPPROF_NA_U32: none. */
    uint32_t launches;      /**< Its own launching calls. */
    uint32_t kernels_self;  /**< Pieces of work of device_self. */
    uint32_t kernels_total; /**< Pieces of work of device_total. */
    uint32_t flags;         /**< OPPROF_HOST_ flags. */
    uint32_t reserved;      /**< 0. */
} OpprofHostCall;

static_assert(sizeof(OpprofHostCall) == 80, "no padding");
static const OpprofField opprof_host_call_fields[] = {
    OPPROF_RECORD_FIELD(OpprofHostCall, start, TICK, 0, NULL, "Start.", NULL),
    OPPROF_RECORD_FIELD(OpprofHostCall, duration, TICK, 0, NULL, "Duration.", NULL),
    OPPROF_RECORD_FIELD(OpprofHostCall, self, TICK, 0, NULL,
                        "Duration without those of its kind inside it.", NULL),
    OPPROF_RECORD_FIELD(OpprofHostCall, device_self, TICK, 0, NULL,
                        "Device work launched in it alone.", NULL),
    OPPROF_RECORD_FIELD(OpprofHostCall, device_total, TICK, 0, NULL, "Device work launched in it.",
                        NULL),
    OPPROF_RECORD_FIELD(OpprofHostCall, delay, TICK, 0, NULL,
                        "From its launching calls' ends to their work.", NULL),
    OPPROF_RECORD_FIELD(OpprofHostCall, name, STRING, 0, NULL, "Name.", NULL),
    OPPROF_RECORD_FIELD(OpprofHostCall, kind, STRING, 0, NULL,
                        "Operator, annotation, module or frame.", NULL),
    OPPROF_RECORD_FIELD(OpprofHostCall, thread, U32, 0, NULL, "Number of the thread.",
                        "only its work names it"),
    OPPROF_RECORD_FIELD(OpprofHostCall, launches, U32, 0, "1", "Its own launching calls.", NULL),
    OPPROF_RECORD_FIELD(OpprofHostCall, kernels_self, U32, 0, "1",
                        "Pieces of work launched in it alone.", NULL),
    OPPROF_RECORD_FIELD(OpprofHostCall, kernels_total, U32, 0, "1",
                        "Pieces of work launched in it.", NULL),
    OPPROF_RECORD_FIELD(OpprofHostCall, flags, U32, OPPROF_FIELD_HIDDEN, NULL,
                        "1: inside one of its kind and name.", NULL),
};
static const OpprofRecordType opprof_host_call_type =
    OPPROF_RECORD_TYPE(OpprofHostCall, 1, "host.call",
                       "Operators, annotations, modules and frames with their device work.", 0,
                       opprof_host_call_fields, NULL, NULL);

/** Record of `opprof_shaped_call_type`, "host.shaped-call". Times are ticks of the batch's clock;
 * the batch's partition is the rank. */
typedef struct OpprofShapedCall {
    uint64_t start;        /**< Start on the host. */
    uint64_t device_total; /**< Ticks of the device work launched in it, added up. */
    double flops;          /**< Operations; a multiplication and an addition are two. */
    double bytes;          /**< Least that moves: inputs once, result once. OpprofNaF64: unknown. */
    uint32_t name;         /**< Interned name of the operator. */
    uint32_t shape;        /**< Interned: its inputs' shapes, "4096x1024 1024x512". */
    uint32_t type;         /**< Interned type of its elements, as the framework calls it. */
    uint32_t device;       /**< Interned name of the device's model; OPPROF_NA_STRING: unknown. */
    uint32_t kernels;      /**< Pieces of work of device_total. */
    uint32_t reserved;     /**< 0. */
} OpprofShapedCall;

static_assert(sizeof(OpprofShapedCall) == 56, "no padding");
static const OpprofField opprof_shaped_call_fields[] = {
    OPPROF_RECORD_FIELD(OpprofShapedCall, start, TICK, 0, NULL, "Start on the host.", NULL),
    OPPROF_RECORD_FIELD(OpprofShapedCall, device_total, TICK, 0, NULL,
                        "Device work launched in it.", NULL),
    OPPROF_RECORD_FIELD(OpprofShapedCall, flops, F64, 0, "1", "Operations.", NULL),
    OPPROF_RECORD_FIELD(OpprofShapedCall, bytes, F64, 0, "byte", "Least that moves.",
                        "the type of its elements is unknown"),
    OPPROF_RECORD_FIELD(OpprofShapedCall, name, STRING, 0, NULL, "Operator.", NULL),
    OPPROF_RECORD_FIELD(OpprofShapedCall, shape, STRING, 0, NULL, "Shapes of its inputs.", NULL),
    OPPROF_RECORD_FIELD(OpprofShapedCall, type, STRING, 0, NULL, "Type of its elements.", NULL),
    OPPROF_RECORD_FIELD(OpprofShapedCall, device, STRING, 0, NULL, "Model of the device.",
                        "the trace does not say"),
    OPPROF_RECORD_FIELD(OpprofShapedCall, kernels, U32, 0, "1", "Pieces of work.", NULL),
};
static const OpprofRecordType opprof_shaped_call_type = OPPROF_RECORD_TYPE(
    OpprofShapedCall, 1, "host.shaped-call", "Operators whose arithmetic is known.", 0,
    opprof_shaped_call_fields, NULL, NULL);

#ifdef __cplusplus
}
#endif

#endif
