/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_ONBOARD_LIVE_CHUNKS_H
#define COLLECT_ONBOARD_LIVE_CHUNKS_H

#include "live_launches.h"

/*
 * Bytes of channels whose file consists of pieces of one size: each has a head of 8 bytes, which
 * states the core and the number of valid bytes. Up to one piece of each channel is held.
 */

void LiveChunksTake(const LiveLaunches *self, LiveLaunch *launch, const LivePlanFile *file,
                    const void *data, size_t size);
/* Nothing more will arrive: write the rest, and free. */
void LiveChunksFinish(const LiveLaunches *self, LiveLaunch *launch);

#endif
