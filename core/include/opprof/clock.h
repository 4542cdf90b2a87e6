/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OPPROF_CLOCK_H
#define OPPROF_CLOCK_H

/**
 * @file
 * Clocks: time is integer ticks of a named clock until an exporter prints it. Experimental.
 */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A clock. Tick t happened offset_ps + t * 1e12 / hz picoseconds after the run's common origin. */
typedef struct OpprofClock {
    const char *name;  /**< For people, such as "core" or "counter". */
    uint64_t hz;       /**< Ticks a second, above 0. */
    int64_t offset_ps; /**< Picoseconds from the common origin to tick 0. */
    /** Time of the source's own clock at the common origin, in nanoseconds; 0 if it has none.
     * Timelines that can be opened beside the source show its times; picoseconds would only reach
     * 106 days. */
    int64_t epoch_ns;
} OpprofClock;

/** Picoseconds of a tick (`ticks`, as in TICK fields) after the common origin, rounded half up,
 * saturating at INT64_MAX (106 days). Integer arithmetic in 128 bits, so equal ticks give equal
 * times on any machine. [any thread] */
int64_t OpprofClockPicoseconds(const OpprofClock *clock, uint64_t ticks);

/** The same of `ticks` that last so long, without the offset. [any thread] */
int64_t OpprofClockDuration(const OpprofClock *clock, uint64_t ticks);

#ifdef __cplusplus
}
#endif

#endif
