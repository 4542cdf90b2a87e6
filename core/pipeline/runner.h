/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PIPELINE_RUNNER_H
#define PIPELINE_RUNNER_H

#include "pipeline/pipeline.h"

/*
 * Run a validated pipeline whose output directory exists: instances, streams and threads, until all have
 * ended. Fails only if it could not start; a stage that failed keeps its error (Stage.error).
 */
OpprofStatus RunnerRun(OpprofPipeline *pipeline, OpprofError **error);

/* Start a thread that no signal but those of a crash interrupts. Returns 0 or an errno value. */
int RunnerCreateThread(pthread_t *ret_thread, void *(*function)(void *), void *argument);

#endif
