/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_ONBOARD_LIVE_FILES_H
#define COLLECT_ONBOARD_LIVE_FILES_H

#include "live_launches.h"

/* The raw files of a launch. Failures are reported. */

void LiveFilesWrite(const LiveLaunches *launches, LiveLaunch *launch, const char *name,
                    const void *data, size_t size);

/*
 * Bytes of channels whose file consists of pieces of one size: each has a head of 8 bytes, which
 * states the core and the number of valid bytes. Up to one piece of each channel is held.
 */
void LiveFilesTakeChunk(const LiveLaunches *launches, LiveLaunch *launch, const LivePlanFile *file,
                        const void *data, size_t size);

/* Facts of a launch; one within a range has its clock in the range's files. */
void LiveFilesWriteInfo(const LiveLaunches *launches, LiveLaunch *launch);
void LiveFilesWriteClocks(const LiveLaunches *launches, LiveLaunch *range);

/* Nothing more will arrive of channels: write what is held of them. */
void LiveFilesEndChunks(const LiveLaunches *launches, LiveLaunch *launch);
/* All files are complete. */
void LiveFilesFinish(const LiveLaunches *launches, LiveLaunch *launch);
/* Remove the raw files, but not the kernel. */
void LiveFilesRemove(const LiveLaunches *launches, const LiveLaunch *launch);

#endif
