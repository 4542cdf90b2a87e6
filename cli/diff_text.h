/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_DIFF_TEXT_H
#define CLI_DIFF_TEXT_H

#include "compare/compare.h"

#include <stdio.h>

/* Print a comparison. `columns`: of the terminal; 0: none. False without memory. */
bool DiffPrintText(const DiffFound *found, unsigned columns, FILE *out);

#endif
