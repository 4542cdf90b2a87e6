/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIM_TIMELINE_CORE_LANES_H
#define SIM_TIMELINE_CORE_LANES_H

/* A core's pipes, warps and lanes, and their tracks in both documents. */

#include "lane.h"
#include "shared.h"

#define CORE_WARPS 100u     /* warp ids have one or two digits */
#define CORE_PIPE_CACHE 64u /* slots, a power of two */
#define CORE_MARK_DIGITS 10u
#define NUMBER_ROOM 24u /* bytes of a decimal number and a NUL */

/* A pipe of the core. Tracks are OPPROF_NA_U32 until they are declared. */
typedef struct PipeState {
    uint32_t pipe;       /* interned name */
    uint32_t main_track; /* in the document of all cores */
    uint32_t colour;
    uint64_t plain_end; /* latest end of a row drawn there as a plain instruction */
    bool has_plain;
    bool is_scalar;
    Lane *lane;       /* in the core's own document */
    Lane *load_store; /* lane of scalar rows with a destination register; NULL: none yet */
} PipeState;

/* A SIMT warp of the core. */
typedef struct WarpState {
    uint32_t main_track;
    Lane *lane; /* NULL: not seen yet */
} WarpState;

typedef struct CoreLanes {
    TimelineShared *shared;
    const char *name; /* of the core */
    size_t name_length;
    uint32_t own_document; /* interned: "<core>/trace" */
    PipeState **pipes;
    uint32_t pipe_count;
    uint32_t pipe_capacity;
    PipeState *pipe_cache[CORE_PIPE_CACHE];
    WarpState warps[CORE_WARPS];
    Lane **lanes;
    uint32_t lane_count;
    uint32_t lane_capacity;
    uint32_t others; /* lanes without a number of their own so far */
} CoreLanes;

/* False without memory, or if the name is too long; finish it all the same. */
bool CoreLanesInit(CoreLanes *core, TimelineShared *shared, uint32_t name);
void CoreLanesFinish(CoreLanes *core);

/* Each returns NULL or OPPROF_NA_U32 without memory. */
PipeState *CoreFindPipe(CoreLanes *core, uint32_t pipe);
WarpState *CoreFindWarp(CoreLanes *core, unsigned warp);
Lane *CoreAddPipeLane(CoreLanes *core, const char *pipe);
/*
 * The lane of misses, whose order relative to the pipes is not fixed: its number does not depend on
 * which came first.
 */
Lane *CoreAddMissLane(CoreLanes *core, const char *pipe);
uint32_t CoreMainTrack(CoreLanes *core, const char *thread, int32_t sort);
uint32_t CoreOwnTrack(CoreLanes *core, uint32_t number, const char *label, uint32_t thread);
uint32_t CoreSubLaneTrack(CoreLanes *core, Lane *lane, uint32_t sub_lane);

/* The current batch is about to go: copy what held rows borrow from it. */
OpprofStatus CoreLanesKeep(CoreLanes *core);
/* True if a limit put some rows into the wrong sub-lane. */
bool CoreLanesLetGo(const CoreLanes *core);

#endif
