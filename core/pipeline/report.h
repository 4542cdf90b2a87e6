/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PIPELINE_REPORT_H
#define PIPELINE_REPORT_H

#include "pipeline/pipeline.h"

/* Sum up a finished run. */
OpprofStatus ReportMake(OpprofPipeline *pipeline, OpprofRunReport *report, OpprofError **error);
/* The run record as JSON text (to be freed), NULL without memory. */
char *ReportRecord(const OpprofPipeline *pipeline, const OpprofRunReport *report);

#endif
