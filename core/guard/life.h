/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GUARD_LIFE_H
#define GUARD_LIFE_H

#include "run/stage.h"

/* The thread that makes these calls, all of a pipeline one after the other. */
typedef struct Life Life;

/*
 * Call the function on the pipeline's thread and wait for it. One that is still inside the plugin
 * after the pipeline's timeout and grace is given up: OPPROF_E_CRASH with the reason; the instance
 * is then not to be touched any more, and the pipeline never freed. [main]
 */
OpprofStatus LifeCall(OpprofStage *stage, StageFunction *function, OpprofError **error);

/* End the thread; NULL is allowed. */
void LifeFinish(Life *life);

#endif
