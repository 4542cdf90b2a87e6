/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PRINT_STAGES_H
#define PRINT_STAGES_H

#include <opprof/pipeline.h>
#include <stdio.h>

/* Print a line for each stage, and the time of the run. */
void StagesPrint(const OpprofRunReport *report, FILE *out);
/*
 * Name the stage that limited the run. A run that took long, mostly for one thread, is worth a line
 * even to people who want the results alone.
 */
void StagesPrintLimit(const OpprofRunReport *report, FILE *out);

#endif
