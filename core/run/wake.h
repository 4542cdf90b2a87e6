/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUN_WAKE_H
#define RUN_WAKE_H

#include <stdatomic.h>
#include <stdbool.h>

/* Wakes the main thread of a pipeline, which sleeps between its looks at what the others do. */
typedef struct Wake {
    int fd;                /* eventfd; -1: none */
    atomic_uint rings;     /* since the main thread slept last */
    atomic_bool is_asleep; /* only then something need be written */
} Wake;

/* False if there is no descriptor left. To be given to WakeFinish in any case. */
bool WakeInit(Wake *wake);

void WakeFinish(Wake *wake);

/* After what the main thread is to see was stored. [any thread, signal handlers] */
void WakeRing(Wake *wake);

/*
 * Sleep until the next ring, at most that long. One since the last sleep ends this one at once;
 * what was stored before a ring is seen after it. [main]
 */
void WakeSleep(Wake *wake, int wait_ms);

#endif
