/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REPORT_VERDICT_H
#define REPORT_VERDICT_H

#include "output/output.h"
#include "run/pipeline.h"

/*
 * Judge a run whose stages have all ended: a collector that brought nothing and did not say why, and
 * exporters that all got nothing, become incomplete; node->partial is set.
 */
void VerdictMake(OpprofPipeline *pipeline);

/* True when the stage that wrote the file, or one that it reads from, lacked something. After VerdictMake. */
bool VerdictIsPartial(const OpprofPipeline *pipeline, const OutputRecord *file);

/*
 * Write INCOMPLETE.txt beside results that lack something, so that a reader of the files sees it too;
 * else remove what an earlier run left under that name.
 */
OpprofStatus VerdictWriteNote(const OpprofPipeline *pipeline, const OpprofRunReport *report,
                              OpprofError **error);

#endif
