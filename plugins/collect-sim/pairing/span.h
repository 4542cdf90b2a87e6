/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_SIM_PAIRING_SPAN_H
#define COLLECT_SIM_PAIRING_SPAN_H

/*
 * The range of a log's ticks, and how its first and last records relate to another log. Each
 * instruction is in both logs, so if one continues for more records than can be in flight while the
 * other is silent, the other was cut.
 */

#include <stdbool.h>
#include <stdint.h>

/* Instructions that may be issued but not retired when a simulation ends. */
#define SPAN_IN_FLIGHT 64u

typedef struct Span {
    uint64_t first; /* smallest tick; UINT64_MAX: no record */
    uint64_t last;  /* largest tick */
    uint64_t records;
    uint64_t head_last;                 /* largest tick of the first SPAN_IN_FLIGHT + 1 records */
    uint64_t tail[SPAN_IN_FLIGHT + 1u]; /* ticks of the last records, in turn */
    uint32_t place; /* of the next one there; those before are not counted yet */
} Span;

static inline void SpanInit(Span *span)
{
    *span = (Span){ .first = UINT64_MAX };
}

/* Count the ticks that have come since the last time. Also at the end of the log, before anything
 * is asked of it. */
void SpanCount(Span *span);

static inline void SpanAdd(Span *span, uint64_t tick)
{
    span->tail[span->place++] = tick;
    if (span->place > SPAN_IN_FLIGHT) {
        SpanCount(span);
    }
}

/* Whether more records than can be in flight, at the end of the log, are later than all of the
 * other. */
bool SpanOutlasts(const Span *span, const Span *other);
/* The same at the beginning: earlier than all of the other. */
bool SpanPrecedes(const Span *span, const Span *other);

#endif
