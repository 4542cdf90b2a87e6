/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RESULTS_SPAN_ARGS_H
#define RESULTS_SPAN_ARGS_H

#include <opprof/present.h>
#include <opprof/stage.h>
#include <stdbool.h>

/* Arguments of a span as a JSON object. Zeroed memory holds none; the text is for free(). */
typedef struct SpanArgs {
    char *text;
    size_t length; /* 0: the span has none */
    size_t capacity;
    bool is_out_of_memory;
} SpanArgs;

/* Print those of a span of a batch, in place of the ones before. False without memory. */
bool SpanArgsPut(SpanArgs *args, OpprofStage *stage, const OpprofBatch *batch,
                 const OpprofSpan *span);

#endif
