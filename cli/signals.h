/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

#include <opprof/pipeline.h>

/*
 * The first signal stops the pipeline, the second aborts it. NULL: the first one ends the process.
 */
void SignalsInstall(OpprofPipeline *pipeline);

/*
 * The pipeline is about to go. From now on a signal does not change the exit code, since all is
 * done; but a plugin may hang in its end: the first one reports so, the second one ends the
 * process.
 */
void SignalsReportLate(int code);

/* The last signal that came; 0: none did. */
int SignalsLast(void);

#endif
