/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GUARD_WATCHDOG_H
#define GUARD_WATCHDOG_H

#include "run/pipeline.h"

/* Watch the pipeline's threads until all have ended or were given up. [main] */
void WatchdogRun(OpprofPipeline *pipeline);

/*
 * For times without a sign of life: what passed between calls, each of which counts for a second at
 * most. A program that is stopped (Ctrl+Z) gets no calls, so no time passes. `now` is the
 * pipeline's clock. [main]
 */
uint64_t WatchdogAwake(OpprofPipeline *pipeline, uint64_t now);

#endif
