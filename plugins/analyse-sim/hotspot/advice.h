/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HOTSPOT_ADVICE_H
#define HOTSPOT_ADVICE_H

/* Advice from the times of a core's pipes. */

#include "core_stats.h"
#include "pipes.h"

#include <opprof/kit/launches.h>

/* The finding about the core whose busiest pipe works longest: it bounds the operator. Zero at
 * first. */
typedef struct PipeFinding {
    uint32_t core;      /* interned, as the next ones */
    uint32_t partition; /* as of CoreStats */
    uint32_t folder;
    uint32_t chip;
    uint32_t pipe;
    uint32_t clock;
    uint64_t duration; /* of the core; 0: no finding */
    uint64_t longest;  /* of all cores, which the operator takes */
    uint64_t worked;
    uint64_t waited;
    /* The address with the longest wait; wait_pipe and line may be OPPROF_NA_STRING. */
    uint64_t wait_ticks; /* time of its executions; 0: no wait */
    uint32_t wait_pipe;  /* interned: whose flags */
    uint32_t line;       /* interned */
} PipeFinding;

/* Look at a core that has ended; the finding does not depend on the order of cores. False without
 * memory. */
bool PipeFindingConsider(PipeFinding *finding, const CoreStats *core, const CorePipes *pipes);

/* The row of the finding's launch, without its names. */
OpprofLaunchRow PipeFindingLaunch(const PipeFinding *finding, OpprofStage *stage);

/* Push the advice of the finding, if any. */
OpprofStatus PipeFindingAdvise(const PipeFinding *finding, OpprofStage *stage, uint32_t port);

#endif
