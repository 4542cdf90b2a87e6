/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COMPARE_PRINT_TEXT_H
#define COMPARE_PRINT_TEXT_H

#include "compare.h"

#include <stdio.h>

/*
 * Print a comparison. `columns`: of the terminal; 0: none. `rest`: a line that says how to get all
 * rows, where only some are printed. False without memory.
 */
bool DiffPrintText(const DiffFound *found, unsigned columns, const char *rest, FILE *out);

#endif
