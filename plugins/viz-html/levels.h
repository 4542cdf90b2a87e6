/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_HTML_LEVELS_H
#define VIZ_HTML_LEVELS_H

#include "timeline.h"

#define LEVELS_MAX 16u

/* The spans once more and more coarsely, so that a page draws as many as it has points, however many there are. */
typedef struct Levels {
    OpprofJsonOut bytes[LEVELS_MAX]; /* packed items, lane by lane */
    OpprofJsonOut lanes[LEVELS_MAX]; /* JSON members: lane, items, bytes of each */
    uint64_t grains[LEVELS_MAX];     /* picoseconds in which spans are joined */
    uint64_t items[LEVELS_MAX];
    uint32_t count;
    uint32_t unit; /* picoseconds of a packed number: 1, or 1000 */
} Levels;

/*
 * Make the levels of a settled timeline, the finest first, and join spans until all of them together are small enough.
 * False without memory.
 */
bool LevelsMake(Levels *levels, Timeline *timeline);

/* Free what it holds. */
void LevelsFinish(Levels *levels);

#endif
