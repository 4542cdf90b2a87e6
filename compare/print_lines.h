/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COMPARE_PRINT_LINES_H
#define COMPARE_PRINT_LINES_H

#include "compare.h"

#include <stdio.h>

#define DIFF_KIND_COLUMNS 10

/* Where a comparison is printed. */
typedef struct DiffSheet {
    FILE *out;
    size_t width;
    size_t name_width; /* of a change */
} DiffSheet;

/* `columns`: of the terminal; 0: the output is not a terminal. */
DiffSheet DiffSheetOf(unsigned columns, FILE *out);

/*
 * Print a change in a line, in a narrow terminal in two, with how many are alike; `with_share`:
 * under it its share of the whole. False without memory.
 */
bool DiffLinePut(const DiffSheet *sheet, const DiffChange *change, uint32_t alike, bool with_share);
/* The same for a text. False without memory. */
bool DiffLinePutText(const DiffSheet *sheet, const DiffTextChange *change, uint32_t alike);

#endif
