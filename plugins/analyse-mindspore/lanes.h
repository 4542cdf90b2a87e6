/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_MINDSPORE_LANES_H
#define ANALYSE_MINDSPORE_LANES_H

/* Timelines of devices: a line for each stream and for steps, by number of the device. */

#include <opprof/present.h>
#include <opprof/stage.h>

/* Lines of a device, from the top. */
enum { LANE_STEPS, LANE_PARTS, LANE_COLLECTIVES, LANE_STREAMS = LANE_COLLECTIVES + 1000 };

/* The track of a line; OPPROF_NA_U32 without memory. */
uint32_t LanesTrack(OpprofStage *stage, uint32_t device, const char *lane, int32_t sort,
                    uint32_t flags);
/* Append a slice on a track. */
OpprofStatus LanesAppend(OpprofOpenBatch *open, uint32_t clock, const OpprofSpan *slice);
/* A slice. */
OpprofSpan LanesSlice(OpprofStage *stage, uint32_t track, uint32_t name, const char *category);

#endif
