/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of addresses with values, looked up by address. */
#include "kit/source/source_spans.h"

#include <opprof/grow.h>

#include <stdlib.h>

bool SourceSpansAdd(SourceSpans *spans, uint64_t low, uint64_t high, uint32_t value)
{
    if (low >= high) {
        return true;
    }
    if (!OpprofGrow(&spans->spans, &spans->capacity, spans->count + 1, sizeof *spans->spans)) {
        return false;
    }
    spans->spans[spans->count] =
        (SourceSpan){ .low = low, .high = high, .value = value, .order = (uint32_t) spans->count };
    spans->count++;
    return true;
}

/* Outer ranges before those inside of them. */
static int compare_spans(const void *a, const void *b)
{
    const SourceSpan *x = a;
    const SourceSpan *y = b;

    if (x->low != y->low) {
        return x->low < y->low ? -1 : 1;
    }
    if (x->high != y->high) {
        return x->high > y->high ? -1 : 1;
    }
    return x->order < y->order ? -1 : 1;
}

static void put_change(SourceSpans *spans, uint64_t address, uint32_t value)
{
    SourceChange *last = spans->change_count > 0 ? &spans->changes[spans->change_count - 1] : NULL;

    if (last != NULL && last->address == address) {
        last->value = value;
        return;
    }
    spans->changes[spans->change_count++] = (SourceChange){ .address = address, .value = value };
}

/* Ranges on the stack that end at or before `address` are over. Returns how many stay. */
static size_t leave(SourceSpans *spans, const SourceSpan *stack, size_t depth, uint64_t address)
{
    while (depth > 0 && stack[depth - 1].high <= address) {
        depth--;
        put_change(spans, stack[depth].high, depth > 0 ? stack[depth - 1].value : SPAN_NONE);
    }
    return depth;
}

bool SourceSpansClose(SourceSpans *spans)
{
    SourceSpan *stack = reallocarray(NULL, spans->count + 1, sizeof *stack);
    size_t depth = 0;

    spans->changes = reallocarray(NULL, 2 * spans->count + 1, sizeof *spans->changes);
    if (stack == NULL || spans->changes == NULL) {
        free(stack);
        return false;
    }
    if (spans->count > 0) {
        qsort(spans->spans, spans->count, sizeof *spans->spans, compare_spans);
    }
    for (size_t i = 0; i < spans->count; i++) {
        SourceSpan span = spans->spans[i];

        depth = leave(spans, stack, depth, span.low);
        if (depth > 0 && span.high > stack[depth - 1].high) {
            span.high = stack[depth - 1].high;
        }
        stack[depth++] = span;
        put_change(spans, span.low, span.value);
    }
    leave(spans, stack, depth, UINT64_MAX);
    free(stack);
    free(spans->spans);
    spans->spans = NULL;
    spans->count = 0;
    spans->capacity = 0;
    return true;
}

uint32_t SourceSpansFind(const SourceSpans *spans, uint64_t address)
{
    size_t low = 0;
    size_t high = spans->change_count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (spans->changes[middle].address <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low == 0 ? SPAN_NONE : spans->changes[low - 1].value;
}

void SourceSpansFinish(SourceSpans *spans)
{
    free(spans->spans);
    free(spans->changes);
    *spans = (SourceSpans){ 0 };
}
