/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUN_RUNNER_H
#define RUN_RUNNER_H

#include "run/pipeline.h"

/*
 * Run a validated pipeline whose output directory exists: instances, streams and threads, until all have
 * ended. Fails only if it could not start; a stage that failed keeps its error (Stage.error).
 */
OpprofStatus RunnerRun(OpprofPipeline *pipeline, OpprofError **error);

/*
 * For times without a sign of life: what passed between calls, each of which counts for a second at most. While the program
 * is stopped (Ctrl+Z), nobody can show one. `now` is the pipeline's clock. [main]
 */
uint64_t RunnerAwake(OpprofPipeline *pipeline, uint64_t now);

/* Start a thread that no signal but those of a crash interrupts. Returns 0 or an errno value. */
int RunnerCreateThread(pthread_t *ret_thread, void *(*function)(void *), void *argument);

#endif
