/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_ONBOARD_LIVE_AREA_H
#define COLLECT_ONBOARD_LIVE_AREA_H

/* Passes of launches with instrumented kernels: the kernels, and what they report, as raw files. */

#include "live_launches.h"

/* A piece of a launch's kernel has arrived; the program may ask for it, instrumented. */
void LiveAreaKeepKernel(const LiveLaunches *launches, LiveLaunch *launch, const void *data,
                        size_t size);
/* A program asks for a piece of an instrumented kernel. `launch` may be NULL. */
OpprofStatus LiveAreaAnswer(LiveLaunches *launches, LiveLaunch *launch, OpprofLiveClient *client,
                            const OpprofLiveHead *head, const uint8_t *body, const char **ret_why);
/* Bytes of a record area have arrived. */
OpprofStatus LiveAreaTake(LiveLaunches *launches, LiveLaunch *launch, const OpprofLiveHead *head,
                          const uint8_t *body, const char **ret_why);

/* An instrumented kernel was loaded for samples. */
OpprofStatus LiveAreaLoaded(const LiveLaunches *launches, LiveLaunch *launch,
                            const OpprofLiveHead *head, const uint8_t *body);

/* Free what was made. */
void LiveAreaFinish(LiveLaunches *launches);

#endif
