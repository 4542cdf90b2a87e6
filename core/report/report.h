/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "output/output.h"
#include "run/pipeline.h"

/* Sum up a finished run. */
OpprofStatus ReportMake(OpprofPipeline *pipeline, OpprofRunReport *report, OpprofError **error);
/* Facts of a run before it begins, as an object of JSON (to be freed), NULL without memory. */
char *ReportHead(const OpprofPipeline *pipeline);
/* The run record as JSON text (to be freed), NULL without memory. */
char *ReportRecord(const OpprofPipeline *pipeline, const OpprofRunReport *report);

/* ---- verdict.c ---- */

/*
 * Judge a run whose stages have all ended: a collector that brought nothing and did not say why,
 * and exporters that all got nothing, become incomplete; node->partial is set.
 */
void VerdictMake(OpprofPipeline *pipeline);

/* True when the stage that wrote the file, or one that it reads from, lacked something. After
 * VerdictMake. */
bool VerdictIsPartial(const OpprofPipeline *pipeline, const OutputRecord *file);

/*
 * Write INCOMPLETE.txt beside results that lack something, so that a reader of the files sees it
 * too; else remove what an earlier run left under that name.
 */
OpprofStatus VerdictWriteNote(const OpprofPipeline *pipeline, const OpprofRunReport *report,
                              OpprofError **error);

#endif
