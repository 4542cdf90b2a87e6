/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_FORMATS_EVENT_H
#define COLLECT_KINETO_FORMATS_EVENT_H

#include "collect-kineto/text/json_text.h"
#include "collect-kineto/formats/vocabulary.h"

#include <stddef.h>
#include <stdint.h>

/* Bits of the members of an event. */
enum {
    EVENT_BIT_PHASE,
    EVENT_BIT_CATEGORY,
    EVENT_BIT_NAME,
    EVENT_BIT_START,
    EVENT_BIT_DURATION,
    EVENT_BIT_PID,
    EVENT_BIT_TID,
    EVENT_BIT_LABEL = 23
};

/* Members that exist and are valid. */
enum {
    EVENT_HAS_PHASE = 1u << EVENT_BIT_PHASE,
    EVENT_HAS_CATEGORY = 1u << EVENT_BIT_CATEGORY,
    EVENT_HAS_NAME = 1u << EVENT_BIT_NAME,
    EVENT_HAS_START = 1u << EVENT_BIT_START,
    EVENT_HAS_DURATION = 1u << EVENT_BIT_DURATION,
    EVENT_HAS_PID = 1u << EVENT_BIT_PID,
    EVENT_HAS_TID = 1u << EVENT_BIT_TID,
    EVENT_HAS_ARGS = 1u << 7,
    EVENT_HAS_STREAM = 1u << 8,
    EVENT_HAS_DEVICE = 1u << 9,
    EVENT_HAS_CORRELATION = 1u << 10,
    EVENT_HAS_BYTES = 1u << 11,
    EVENT_HAS_BANDWIDTH = 1u << 12,
    EVENT_HAS_TASK_TYPE = 1u << 13,
    EVENT_HAS_CONNECTION = 1u << 14,
    EVENT_HAS_COLLECTIVE = 1u << 15,
    EVENT_HAS_GROUP = 1u << 16,
    EVENT_HAS_SEQUENCE = 1u << 17,
    EVENT_HAS_COMMUNICATOR = 1u << 18,
    EVENT_HAS_IN_ELEMENTS = 1u << 19,
    EVENT_HAS_OUT_ELEMENTS = 1u << 20,
    EVENT_HAS_ELEMENT_TYPE = 1u << 21,
    EVENT_HAS_GROUP_SIZE = 1u << 22,
    EVENT_HAS_LABEL = 1u << EVENT_BIT_LABEL,
    EVENT_HAS_DIMS = 1u << 24,
    EVENT_HAS_GROUP_RANKS = EVENT_HAS_DIMS, /* of work */
    EVENT_HAS_TYPES = 1u << 25,
    EVENT_HAS_MODULE = EVENT_HAS_TYPES, /* of work */
    EVENT_HAS_CONCRETE = 1u << 26,
    EVENT_HAS_SPLIT_SIZES = EVENT_HAS_CONCRETE, /* of work */
    EVENT_HAS_SOURCE_STREAM = 1u << 27,
    EVENT_HAS_SOURCE_CALL = 1u << 28,
    /* phase or category is not a text, or the phase is missing or unknown */
    EVENT_IS_ODD = 1u << 29,
    EVENT_IS_NAMELESS = (int) (1u << 31), /* a kernel without a name; it may have an invented one */
    /* a number among the arguments is invalid, or a call or copy has no name */
    EVENT_HAS_ODD_ARGS = 1u << 30
};

/* Any of these arguments makes a kernel part of a collective, whatever its name. */
#define EVENT_IS_COLLECTIVE                                                                        \
    (EVENT_HAS_COLLECTIVE | EVENT_HAS_GROUP | EVENT_HAS_SEQUENCE | EVENT_HAS_COMMUNICATOR)

/* Things left out of a trace: how many, and the byte of the text of the first. */
typedef struct TraceLoss {
    uint64_t count;
    uint64_t at;
} TraceLoss;

static inline void TraceLossAdd(TraceLoss *loss, uint64_t at)
{
    if (loss->count++ == 0) {
        loss->at = at;
    }
}

/* Members of an event that few have. */
#define EVENT_HAS_DETAILS                                                                          \
    (EVENT_HAS_BYTES | EVENT_HAS_BANDWIDTH | EVENT_HAS_TASK_TYPE | EVENT_IS_COLLECTIVE |           \
     EVENT_HAS_IN_ELEMENTS | EVENT_HAS_OUT_ELEMENTS | EVENT_HAS_ELEMENT_TYPE |                     \
     EVENT_HAS_GROUP_SIZE | EVENT_HAS_LABEL | EVENT_HAS_DIMS | EVENT_HAS_TYPES |                   \
     EVENT_HAS_CONCRETE | EVENT_HAS_SOURCE_STREAM | EVENT_HAS_SOURCE_CALL)

/*
 * One element of `traceEvents`. Texts are borrowed from the text it was read from. Of one without
 * details there may be no more memory than EventBytes.
 */
typedef struct TraceEvent {
    uint64_t at;     /* byte of the text where it begins; the reader sets it */
    char phase;      /* 'X', 'B', 'E', 'M', or 's' and 'f' of flows */
    CategoryUse use; /* purpose of its category */
    uint32_t has;    /* EVENT_HAS_* */
    JsonText name;
    JsonText pid;
    JsonText tid;
    JsonText category;
    int64_t start_ns;
    int64_t duration_ns;
    int64_t stream;      /* -1: none */
    int64_t device;      /* -1: none */
    int64_t correlation; /* of flows: number */
    uint32_t blocks;     /* of kernels; 0: unknown */
    uint16_t threads;    /* of a block; 0: unknown */
    uint16_t occupancy;  /* percent, as the profiler estimates; 0: unknown */
    JsonText task_type;  /* this and all below: EVENT_HAS_DETAILS. Of traces without categories */
    JsonText collective; /* of collectives: operation */
    JsonText group;
    JsonText label; /* of phase M: name of a process or thread; of work: operator */
    JsonText element_type;
    /* Of operators: JSON of their inputs' shapes, types, and values that are not tensors. */
    JsonText dims;     /* of work: ranks of the group */
    JsonText types;    /* of work: module */
    JsonText concrete; /* of work: sizes of the parts of a collective */
    int64_t bytes;
    int64_t source_stream; /* of waits: stream that is waited for; -1: none */
    int64_t source_call;   /* correlation of the call that marked what is waited for; -1: none */
    int64_t sequence;      /* of collectives: number in the group */
    int64_t in_elements;
    int64_t out_elements;
    int64_t group_size;
    double bandwidth;
} TraceEvent;

/* Bytes of an event that has no details. */
#define EVENT_PLAIN_BYTES offsetof(TraceEvent, task_type)

/* Bytes of an event without those that carry no data. */
static inline size_t EventBytes(const TraceEvent *event)
{
    return (event->has & EVENT_HAS_DETAILS) == 0 ? EVENT_PLAIN_BYTES : sizeof *event;
}

/* Copy an event; one without details gets empty ones. */
void EventCopy(const TraceEvent *event, TraceEvent *ret_event);

typedef enum EventResult {
    EVENT_READ,     /* *ret_event is an event that may matter */
    EVENT_PASSED,   /* an unwanted event; all of it was skipped */
    EVENT_CUT,      /* the text ends inside */
    EVENT_MALFORMED /* not JSON; *ret_at says where */
} EventResult;

/* A number in a text: its own, or one made of the text. */
int64_t EventNumber(JsonText text);

/* An empty event. */
void EventInit(TraceEvent *ret_event);

/* Texts that came before: see known_text.h. */
typedef struct KnownTexts KnownTexts;

/*
 * Read the event whose opening brace is before `at`. Of several members with one name the first
 * counts. Unused parts are only checked for balanced quotes and brackets.
 *
 * known:    of the caller's thread
 * at, end:  as for scan.h
 * ret_at:   byte after the closing brace with EVENT_READ and EVENT_PASSED
 */
EventResult EventRead(const Vocabulary *vocabulary, KnownTexts *known, const char *at,
                      const char *end, TraceEvent *ret_event, const char **ret_at);

/*
 * Read a string or another scalar. Returns the byte after it, NULL if the text ends before it does
 * or if there is no scalar; *ret_text is what there is.
 */
const char *EventReadScalar(const char *at, const char *end, JsonText *ret_text);

#endif
