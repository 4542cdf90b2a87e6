/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_HTML_LANES_H
#define VIZ_HTML_LANES_H

#include "text.h"

#include <opprof/stage.h>

/* Lanes that have spans or curves: tracks of the run, under numbers of the page's own. */
typedef struct Lanes {
    OpprofStage *stage;
    const OpprofParams *params; /* which documents are wanted */
    uint32_t *numbers;          /* by track: lane plus 2; 1: not wanted; 0: not known yet */
    uint32_t number_count;
    uint32_t *tracks; /* by lane */
    uint32_t count;
    uint32_t capacity;
    uint64_t left_out; /* tracks beyond the limit */
} Lanes;

/* No lane: the document is not wanted, or there are too many lanes. */
#define LANE_NONE UINT32_MAX

/* The lane of a track. False without memory. */
bool LanesFind(Lanes *lanes, uint32_t track, uint32_t *ret_lane);

/*
 * Bring lanes into an order that does not depend on which was used first. False without memory.
 *
 * @param ret_numbers  By former lane, its number; to be given to free().
 */
bool LanesSettle(Lanes *lanes, uint32_t **ret_numbers);

/* Append the members of a JSON array, an object a lane. */
void LanesPut(const Lanes *lanes, OpprofJsonOut *json);

/* Free what it holds. */
void LanesFinish(Lanes *lanes);

#endif
