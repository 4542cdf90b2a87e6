/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HOTSPOT_ADVICE_H
#define HOTSPOT_ADVICE_H

/* What the times of a core's pipes advise. */

#include "core_stats.h"
#include "pipes.h"

/* What is said about the core whose busiest pipe works longest: it bounds the operator. Begin with zero. */
typedef struct PipeFinding {
    uint32_t core; /* interned */
    uint32_t pipe; /* interned */
    uint32_t clock;
    uint64_t duration; /* of the core; 0: there is no finding */
    uint64_t worked;
    uint64_t waited;
    /* The address where it waits longest; wait_pipe and line may be OPPROF_NA_STRING. */
    uint64_t wait_ticks; /* time of its executions; 0: it waits nowhere */
    uint32_t wait_pipe;  /* interned: whose flags */
    uint32_t line;       /* interned */
} PipeFinding;

/* Look at a core that has ended; the finding is the same whichever core comes first. False without memory. */
bool PipeFindingConsider(PipeFinding *finding, const CoreStats *core, const CorePipes *pipes);

/* Push what the finding advises, if anything. */
OpprofStatus PipeFindingAdvise(const PipeFinding *finding, OpprofStage *stage, uint32_t port);

#endif
