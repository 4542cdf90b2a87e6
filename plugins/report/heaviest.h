/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REPORT_HEAVIEST_H
#define REPORT_HEAVIEST_H

#include "findings.h"
#include "page.h"

/* A title, and the heaviest rows with their shares of the run, or of their sum. */
void HeaviestPut(FILE *out, const PageStyle *style, const char *title, const Findings *findings,
                 const Finding *finding, unsigned most);
/* Do the heaviest rows weigh the same, and are there others? Then they say little. */
bool HeaviestIsTied(const Finding *finding, unsigned most);

#endif
