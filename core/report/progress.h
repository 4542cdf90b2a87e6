/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REPORT_PROGRESS_H
#define REPORT_PROGRESS_H

#include <opprof/pipeline.h>

/* How far the run is. [main] */
OpprofProgress ProgressNow(OpprofPipeline *pipeline);

#endif
