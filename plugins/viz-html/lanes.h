/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_HTML_LANES_H
#define VIZ_HTML_LANES_H

#include "text.h"

#include <opprof/stage.h>

/* Lanes with spans or curves: tracks of the run, with numbers of the page's own. */
typedef struct Lanes {
    OpprofStage *stage;
    const OpprofParams *params; /* patterns of the wanted documents */
    uint32_t *numbers;          /* by track: lane plus 3; 1, 2: none; 0: not noted */
    uint32_t number_count;
    uint32_t *tracks; /* by lane */
    uint32_t count;
    uint32_t capacity;
    uint64_t left_out; /* tracks beyond the limit */
} Lanes;

/* No lane: the document is not wanted, or there are too many lanes. */
#define LANE_NONE UINT32_MAX

/* Note a track that has spans or curves. False without memory. */
bool LanesNote(Lanes *lanes, uint32_t track);

/* True if a noted track belongs to a document that is wanted. */
bool LanesWant(const Lanes *lanes, uint32_t track);

/*
 * All tracks have been noted: number them by document, process and thread, so that the numbers, and
 * the choice of lanes that fit, do not depend on the order of arrival.
 */
void LanesSettle(Lanes *lanes);

/* The lane of a track, or LANE_NONE. */
uint32_t LanesFind(const Lanes *lanes, uint32_t track);

/* Append the members of a JSON array, one object per lane. */
void LanesPut(const Lanes *lanes, OpprofJsonOut *json);

/* Free what it holds. */
void LanesFinish(Lanes *lanes);

#endif
