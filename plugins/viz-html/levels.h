/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_HTML_LEVELS_H
#define VIZ_HTML_LEVELS_H

#include "timeline.h"

#define LEVELS_MAX 16u

/*
 * The spans at increasingly coarse levels, so that a page draws only as many as it has pixels,
 * however many there are.
 */
typedef struct Levels {
    OpprofJsonOut bytes[LEVELS_MAX]; /* packed items, lane by lane */
    OpprofJsonOut lanes[LEVELS_MAX]; /* JSON members: lane, items, bytes of each */
    uint64_t grains[LEVELS_MAX];     /* picoseconds within which spans are joined */
    uint64_t items[LEVELS_MAX];
    uint32_t count;
    uint32_t unit; /* picoseconds per unit of a packed number: 1, or 1000 */
} Levels;

/*
 * Make the levels of a settled timeline, the finest first, and join spans until all levels together
 * are small enough. False without memory.
 */
bool LevelsMake(Levels *levels, Timeline *timeline);

/* Free what it holds. */
void LevelsFinish(Levels *levels);

#endif
