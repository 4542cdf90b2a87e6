/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUN_RUNNER_H
#define RUN_RUNNER_H

#include "run/pipeline.h"

/* Make instances and streams of a validated pipeline whose output directory exists, and start its
 * stages. [main] */
OpprofStatus RunnerStart(OpprofPipeline *pipeline, OpprofError **error);
/* Start the threads; if one cannot be started, the others end. *ret_started counts those to be
 * joined. [main] */
OpprofStatus RunnerStartThreads(OpprofPipeline *pipeline, uint32_t *ret_started,
                                OpprofError **error);
/* Wait for them, once all have ended or were given up. A stage that failed keeps its error
 * (Stage.error). [main] */
void RunnerJoinThreads(OpprofPipeline *pipeline, uint32_t started);
/* Stop the stages that were started, whether the run succeeded or not. [main] */
void RunnerStop(OpprofPipeline *pipeline);

/* Drop what is queued, and let all threads end. [main] */
void RunnerAbort(OpprofPipeline *pipeline);
/* The run goes on as if the instance, whose thread is inside the plugin, had failed. [main] */
void RunnerGiveUp(OpprofStage *stage);

/* Start a thread that no signal but those of a crash interrupts. Returns 0 or an errno value. */
int RunnerCreateThread(pthread_t *ret_thread, void *(*function)(void *), void *argument);

#endif
