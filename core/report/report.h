/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "run/pipeline.h"

/* Sum up a finished run. */
OpprofStatus ReportMake(OpprofPipeline *pipeline, OpprofRunReport *report, OpprofError **error);
/* What is known of a run before it begins, as an object of JSON (to be freed), NULL without memory. */
char *ReportHead(const OpprofPipeline *pipeline);
/* The run record as JSON text (to be freed), NULL without memory. */
char *ReportRecord(const OpprofPipeline *pipeline, const OpprofRunReport *report);

#endif
