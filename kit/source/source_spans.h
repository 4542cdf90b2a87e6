/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KIT_SOURCE_SOURCE_SPANS_H
#define KIT_SOURCE_SOURCE_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPAN_NONE UINT32_MAX

/* A range of addresses with a value. */
typedef struct SourceSpan {
    uint64_t low;
    uint64_t high;  /* after the last address */
    uint32_t value; /* below SPAN_NONE */
    uint32_t order; /* of addition */
} SourceSpan;

/* From an address on, up to the next change, this value holds. */
typedef struct SourceChange {
    uint64_t address;
    uint32_t value; /* or SPAN_NONE */
} SourceChange;

/* Nested ranges: an address has the value of the innermost one. */
typedef struct SourceSpans {
    SourceSpan *spans; /* until SourceSpansClose */
    size_t count;
    size_t capacity;
    SourceChange *changes; /* from then on */
    size_t change_count;
} SourceSpans;

/* Add [low, high); an outer range before those inside of it. False without memory. */
bool SourceSpansAdd(SourceSpans *spans, uint64_t low, uint64_t high, uint32_t value);

/* All are added. A range that overlaps another one without being inside of it is cut. False without
 * memory. */
bool SourceSpansClose(SourceSpans *spans);

/* Value of an address, or SPAN_NONE. */
uint32_t SourceSpansFind(const SourceSpans *spans, uint64_t address);

void SourceSpansFinish(SourceSpans *spans);

#endif
