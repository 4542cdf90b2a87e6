/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_DIFF_PRINT_H
#define CLI_DIFF_PRINT_H

#include "diff_find.h"

#include <stdio.h>

/* All that a comparison found. */
typedef struct DiffFound {
    const DiffData *data;
    DiffChanges whole;
    DiffChanges causes;
    DiffChanges *tables; /* of each table of `data` */
    DiffRule *rules;
    size_t rule_count;
} DiffFound;

bool DiffIsRegression(const DiffFound *found);
void DiffPrintText(const DiffFound *found, FILE *out);
void DiffPrintMarkdown(const DiffFound *found, FILE *out);
/* False without memory. */
bool DiffPrintJson(const DiffFound *found, FILE *out);

#endif
