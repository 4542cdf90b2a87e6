/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REPORT_ROWS_H
#define REPORT_ROWS_H

#include "findings.h"
#include "page.h"

/* The first rows of a table unchanged; a single row with more columns than fit becomes a list. */
void RowsPut(FILE *out, const PageStyle *style, const Finding *finding, unsigned most);

#endif
