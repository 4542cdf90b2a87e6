/* SPDX-License-Identifier: Apache-2.0 */
/* Converts ticks of clocks to times, exactly. */
#include <opprof/clock.h>

#include <opprof/require.h>
#include <stddef.h>

#define PICOSECONDS_A_SECOND UINT64_C(1000000000000)

/* 2 * 2^64 * 1e12 + 2^64 is below 2^106: nothing here can overflow. */
static unsigned __int128 exact_duration(const OpprofClock *clock, uint64_t ticks)
{
    const unsigned __int128 twice = (unsigned __int128) ticks * (2 * PICOSECONDS_A_SECOND);

    return (twice + clock->hz) / (2 * (unsigned __int128) clock->hz);
}

int64_t OpprofClockPicoseconds(const OpprofClock *clock, uint64_t ticks)
{
    OPPROF_REQUIRE("clock-given", clock != NULL, "The clock is given");
    if (clock->hz == 0) { /* no clock at all: later than anything */
        return INT64_MAX;
    }
    const __int128 at = (__int128) exact_duration(clock, ticks) + clock->offset_ps;
    return at > INT64_MAX ? INT64_MAX : (int64_t) at;
}

int64_t OpprofClockDuration(const OpprofClock *clock, uint64_t ticks)
{
    OPPROF_REQUIRE("clock-given", clock != NULL, "The clock is given");
    if (clock->hz == 0) {
        return INT64_MAX;
    }
    const unsigned __int128 lasts = exact_duration(clock, ticks);
    return lasts > INT64_MAX ? INT64_MAX : (int64_t) lasts;
}
