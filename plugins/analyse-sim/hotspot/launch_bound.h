/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HOTSPOT_LAUNCH_BOUND_H
#define HOTSPOT_LAUNCH_BOUND_H

/* What bounds a launch: the core whose busiest pipe works longest. */

#include "core_stats.h"
#include "pipes.h"

#include <opprof/kit/launches.h>

/* The busiest pipe of the cores so far. Zero at first. */
typedef struct LaunchBound {
    uint32_t core; /* interned, as the next ones */
    uint32_t chip;
    uint32_t pipe;
    uint32_t clock;
    uint64_t duration; /* of the core; 0: no pipe worked */
    uint64_t longest;  /* of all cores, which the operator takes */
    uint64_t worked;
} LaunchBound;

/* Look at a core that has ended; the result does not depend on the order of cores. */
void LaunchBoundConsider(LaunchBound *bound, const CoreStats *core, const CorePipes *pipes);

/* The row of the launch, without its names. */
OpprofLaunchRow LaunchBoundRow(const LaunchBound *bound, OpprofStage *stage);

#endif
