/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Detects from the ticks of two logs whether one of them was cut.
 * Tested by tests/plugins/collect-sim/test_damage.sh.
 */
#include "span.h"

void SpanCount(Span *span)
{
    for (uint32_t i = 0; i < span->place; i++) {
        span->first = span->tail[i] < span->first ? span->tail[i] : span->first;
        span->last = span->tail[i] > span->last ? span->tail[i] : span->last;
    }
    if (span->records == 0) {
        span->head_last = span->last;
    }
    span->records += span->place;
    span->place = 0;
}

bool SpanOutlasts(const Span *span, const Span *other)
{
    if (span->records <= SPAN_IN_FLIGHT || other->records == 0) {
        return false;
    }
    for (unsigned i = 0; i <= SPAN_IN_FLIGHT; i++) {
        if (span->tail[i] <= other->last) {
            return false;
        }
    }
    return true;
}

bool SpanPrecedes(const Span *span, const Span *other)
{
    return span->records > SPAN_IN_FLIGHT && other->records > 0 && span->head_last < other->first;
}
