/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_RECORDS_PATH_H
#define OPPROF_RECORDS_PATH_H

/**
 * @file
 * What the host and the devices of a rank did, and what ties it together: who launched what, and
 * who waited for whom. Experimental.
 */

#include <assert.h>
#include <opprof/record.h>
#include <stddef.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Kind, as OpprofPathEvent.kind: an operator of the host. */
#define OPPROF_PATH_OPERATOR "operator"
/** Kind: an annotation of the host, or an iteration. */
#define OPPROF_PATH_ANNOTATION "annotation"
/** Kind: a long function of the host's language that no word of the collector names. */
#define OPPROF_PATH_FRAME "frame"
/** Kind: a call of the host into the device's library. */
#define OPPROF_PATH_CALL "call"
/** Kind: work of a device. */
#define OPPROF_PATH_WORK "work"
/** Kind: a call, or a queue of the device, waits for work. */
#define OPPROF_PATH_WAIT "wait"

/** The call may wait for the device: its time is not the host's work. */
#define OPPROF_PATH_BLOCKS 1u
#define OPPROF_PATH_WAITS_ALL 2u /**< The call waits for all work that was launched before. */
/** The call waits for work, but the trace does not say for which. */
#define OPPROF_PATH_WAITS_SOME 4u
#define OPPROF_PATH_LOCKS 8u      /**< Calls with this flag wait for each other. */
#define OPPROF_PATH_COPIES 32u    /**< The call copies or fills memory. */
#define OPPROF_PATH_ALLOCATES 64u /**< The call allocates or frees memory. */
#define OPPROF_PATH_ENQUEUES 128u /**< The call puts work into a queue of the device. */

/**
 * Record of `opprof_path_event_type`, "host.path". Times are ticks of the batch's clock; the
 * batch's partition is the rank. Within a rank they come by start, of those with one start the
 * longer ones of the host first and the device's last, and waits at the end; the watermark of a
 * rank's last batch is UINT64_MAX.
 */
typedef struct OpprofPathEvent {
    uint64_t start;    /**< Start. */
    uint64_t duration; /**< Ticks. */
    uint64_t id; /**< Number that a call shares with its work and its waits; OPPROF_NA_U64: none. */
    /** Of a wait: number of the call that marked what is waited for; OPPROF_NA_U64: the wait's own
     * call. */
    uint64_t source;
    uint32_t name;       /**< Interned. */
    uint32_t kind;       /**< Interned OPPROF_PATH_ word. */
    uint32_t work_class; /**< Of work: interned category. */
    /** Of host kinds but iterations: number of the thread in the rank. Of work: that of the call
     * that launched it. Else absent. */
    uint32_t thread;
    /** Of work: its track. Of the host: that of its thread. Of a wait: track of the queue that
     * waits; absent: the call does. */
    uint32_t lane;
    /** Of a wait: track of the queue that is waited for; absent: the call waits for all of them, or
     * it is unknown for which one the queue waits. */
    uint32_t source_lane;
    uint32_t flags;    /**< Of a call: OPPROF_PATH_ flags. */
    uint32_t reserved; /**< 0. */
    /** Of a collective's work: its number in its group; OPPROF_NA_U64: unknown. */
    uint64_t sequence;
    /** Of a collective's work: interned process group; OPPROF_NA_STRING: unknown. */
    uint32_t group;
    /** Of a collective's work: interned word for what it does; OPPROF_NA_STRING: unknown. */
    uint32_t collective;
    uint64_t launched; /**< Of work: start of the call that launched it; OPPROF_NA_U64: unknown. */
} OpprofPathEvent;

static_assert(sizeof(OpprofPathEvent) == 88, "no padding");

/** An event of which only the interned `kind` and `name` are known. What may be unknown is absent,
 * times and flags are 0. [any thread] */
static inline OpprofPathEvent OpprofPathEventOf(uint32_t kind, uint32_t name)
{
    OpprofPathEvent event;

    memset(&event, 0, sizeof event);
    event.id = OPPROF_NA_U64;
    event.source = OPPROF_NA_U64;
    event.name = name;
    event.kind = kind;
    event.work_class = OPPROF_NA_STRING;
    event.thread = OPPROF_NA_U32;
    event.lane = OPPROF_NA_U32;
    event.source_lane = OPPROF_NA_U32;
    event.sequence = OPPROF_NA_U64;
    event.group = OPPROF_NA_STRING;
    event.collective = OPPROF_NA_STRING;
    event.launched = OPPROF_NA_U64;
    return event;
}

static const OpprofField opprof_path_event_fields[] = {
    OPPROF_RECORD_FIELD(OpprofPathEvent, start, TICK, 0, NULL, "Start.", NULL),
    OPPROF_RECORD_FIELD(OpprofPathEvent, duration, TICK, 0, NULL, "Duration.", NULL),
    OPPROF_RECORD_FIELD(OpprofPathEvent, id, U64, 0, "1", "Ties calls, work and waits.",
                        "it has none"),
    OPPROF_RECORD_FIELD(OpprofPathEvent, source, U64, 0, "1",
                        "Call that marked what is waited for.", "it is the wait's own"),
    OPPROF_RECORD_FIELD(OpprofPathEvent, name, STRING, 0, NULL, "Name.", NULL),
    OPPROF_RECORD_FIELD(OpprofPathEvent, kind, STRING, 0, NULL,
                        "Operator, annotation, frame, call, work or wait.", NULL),
    OPPROF_RECORD_FIELD(OpprofPathEvent, work_class, STRING, 0, NULL, "Class of work.",
                        "it is not work"),
    OPPROF_RECORD_FIELD(OpprofPathEvent, thread, U32, 0, "1", "Thread of the host.",
                        "it is an iteration, or unknown"),
    OPPROF_RECORD_FIELD(OpprofPathEvent, lane, TRACK, 0, NULL,
                        "Queue of the work, thread of the host, or queue that waits.",
                        "it is an iteration, or the host waits"),
    OPPROF_RECORD_FIELD(OpprofPathEvent, source_lane, TRACK, 0, NULL, "Queue that is waited for.",
                        "the call waits for all, or it is unknown for which one the queue waits"),
    OPPROF_RECORD_FIELD(OpprofPathEvent, flags, U32, OPPROF_FIELD_HIDDEN, NULL,
                        "1: blocks, 2: waits for all, 4: waits for some, 8: locks, 32: copies, 64: "
                        "allocates, 128: enqueues.",
                        NULL),
    OPPROF_RECORD_FIELD(OpprofPathEvent, sequence, U64, 0, "1",
                        "Number of the collective in its group.", "it is unknown"),
    OPPROF_RECORD_FIELD(OpprofPathEvent, group, STRING, 0, NULL, "Process group.", "it is unknown"),
    OPPROF_RECORD_FIELD(OpprofPathEvent, collective, STRING, 0, NULL, "What the collective does.",
                        "it is unknown"),
    OPPROF_RECORD_FIELD(OpprofPathEvent, launched, TICK, 0, NULL,
                        "Start of the call that launched the work.", "it is unknown"),
};
static const OpprofRecordType opprof_path_event_type = OPPROF_RECORD_TYPE(
    OpprofPathEvent, 3, "host.path", "Operators, calls, work and waits, tied to each other.", 0,
    opprof_path_event_fields, NULL, NULL);

#ifdef __cplusplus
}
#endif

#endif
