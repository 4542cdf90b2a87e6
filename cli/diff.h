/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_DIFF_H
#define CLI_DIFF_H

#include "compare/compare.h"

#include <opprof/pipeline.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum DiffFormat { DIFF_TEXT = 0, DIFF_JSON, DIFF_MARKDOWN, DIFF_PAGE } DiffFormat;

/* What is to be compared, and how. Texts are borrowed. */
typedef struct DiffOptions {
    const char *a;
    const char *b;
    const char *const *rules; /* thresholds */
    size_t rule_count;
    DiffFormat format;
    unsigned columns;         /* of the terminal, for DIFF_TEXT; 0: none */
    OpprofPipeline *pipeline; /* an empty one, for DIFF_PAGE */
} DiffOptions;

/* Compare two results and print what differs. */
OpprofStatus Diff(const DiffOptions *options, FILE *out, DiffOutcome *ret_outcome,
                  OpprofError **error);

#endif
