/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_DIFF_PRINT_H
#define CLI_DIFF_PRINT_H

#include "diff_find.h"

#include <opprof/pipeline.h>
#include <stdio.h>

#define DIFF_JSON_ROWS 1000u /* of a table */

/* All that a comparison found. */
typedef struct DiffFound {
    const DiffData *data;
    DiffChanges whole;
    DiffChanges causes;
    DiffTextChanges texts;
    DiffChanges *tables; /* of each table of `data` */
    DiffRule *rules;
    size_t rule_count;
} DiffFound;

bool DiffIsRegression(const DiffFound *found);
/* JSON with at most `rows` rows of each table and threshold. For free(). NULL without memory. */
char *DiffJsonText(const DiffFound *found, uint32_t rows);
/*
 * Run `pipeline`, an empty one, to make the report page of the second results with the comparison in it.
 *
 * @return OPPROF_E_CRASH: the run failed. Else what pipelines and files fail with.
 */
OpprofStatus DiffPrintPage(const DiffFound *found, OpprofPipeline *pipeline, FILE *out,
                           OpprofError **error);
/* False without memory. */
/* `columns`: of the terminal; 0: none. */
bool DiffPrintText(const DiffFound *found, unsigned columns, FILE *out);
bool DiffPrintMarkdown(const DiffFound *found, FILE *out);
bool DiffPrintJson(const DiffFound *found, FILE *out);

#endif
