/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GUARD_WATCHDOG_H
#define GUARD_WATCHDOG_H

#include "run/pipeline.h"

#define PIPELINE_WATCHDOG_NS (10u * UINT64_C(1000000000))

/* What the watchdog remembers of an instance. */
typedef struct WatchState {
    uint64_t heartbeat; /* and what its stage wrote */
    uint64_t since_ns;
    bool told;
} WatchState;

/* Whether an instance has been inside one call of its plugin, without a sign of life, since that time. */
bool WatchdogIsSilent(const OpprofStage *stage, const WatchState *state, uint64_t since_ns);

/* Look at all instances and warn about those without a sign of life for too long. */
void WatchdogLook(OpprofPipeline *pipeline, WatchState *states, uint64_t now_ns);

#endif
