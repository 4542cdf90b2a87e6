/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REPORT_ADVICE_LINES_H
#define REPORT_ADVICE_LINES_H

#include "notes.h"
#include "page.h"

/* The pieces of advice that could save most, each with its cause and what to do. They are
 * sorted. */
void AdviceLinesPut(FILE *out, const PageStyle *style, const Notes *notes, unsigned most);
/* "up to 12.3 %: the sentence (rank 3, …)", for free(); NULL without memory. */
char *AdviceLinesCause(const Note *note);

#endif
