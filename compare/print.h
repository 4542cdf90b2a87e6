/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COMPARE_PRINT_H
#define COMPARE_PRINT_H

#include "compare.h"

#include <stdio.h>

#define DIFF_JSON_ROWS 1000u /* of a table */

/* JSON with at most `rows` rows of each table and threshold. For free(). NULL without memory. */
char *DiffJsonText(const DiffFound *found, uint32_t rows);
/* False without memory. */
bool DiffPrintMarkdown(const DiffFound *found, FILE *out);
bool DiffPrintJson(const DiffFound *found, FILE *out);

#endif
