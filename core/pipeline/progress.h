/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PIPELINE_PROGRESS_H
#define PIPELINE_PROGRESS_H

#include <opprof/pipeline.h>

/* How far the run is. [main] */
OpprofProgress ProgressNow(OpprofPipeline *pipeline);

#endif
