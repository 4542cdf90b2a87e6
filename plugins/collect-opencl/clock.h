/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_OPENCL_CLOCK_H
#define COLLECT_OPENCL_CLOCK_H

/*
 * How a device's clock goes by the host's. The driver stamps a command as queued while the call
 * that enqueues it runs, so each command says between what two values the distance is.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* At a device time, the distance to the host's time is in this range. */
typedef struct ClockBound {
    uint64_t time;
    int64_t least;
    int64_t most;
} ClockBound;

/* At a device time, the distance that is taken. */
typedef struct ClockPoint {
    uint64_t time;
    int64_t offset;
} ClockPoint;

typedef struct ClockFit {
    ClockPoint *points; /* by time; owned */
    size_t count;       /* 0: nothing is known, and device times count as the host's */
    uint64_t error;     /* by which the result may be wrong; UINT64_MAX: unknown */
    bool is_host;       /* the distance may be none at all */
    bool drifts;        /* no one distance fits */
    bool is_vague;      /* the bounds contradict each other too often to be what they should */
} ClockFit;

/* From bounds in any order, which are sorted. False without memory. */
bool ClockFitMake(ClockBound *bounds, size_t count, ClockFit *ret_fit);
/* Host time of a device time. */
int64_t ClockHost(const ClockFit *fit, uint64_t time);
void ClockFitFinish(ClockFit *fit);

#endif
