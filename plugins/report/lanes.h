/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REPORT_LANES_H
#define REPORT_LANES_H

#include <opprof/kit/busy_time.h>
#include <opprof/map.h>
#include <opprof/stage.h>
#include <stdbool.h>

/* Time of the slices on a track. */
typedef struct LaneTrack {
    const OpprofTrack *track;
    int64_t first_ps;
    int64_t last_ps;
    OpprofBusyTime busy; /* overlaps count once; times are counted from INT64_MIN */
    uint64_t slices;
    uint64_t batch; /* number of the last batch with one of its slices */
} LaneTrack;

/* A curve. */
typedef struct LaneCurve {
    uint32_t name;
    uint32_t series;
    double sum;
    double most;
    uint64_t samples;
} LaneCurve;

/* Tracks with the same thread name, one per process. */
typedef struct Lane {
    const char *name;
    double busy_ps;
    double whole_ps; /* extents of their documents */
    bool is_rough;   /* a slice began too long before others ended */
    bool is_label;   /* its slices are labels around work of others */
} Lane;

/* Timelines and curves. Zeroed memory holds none. */
typedef struct Lanes {
    LaneTrack *tracks; /* those with slices that the report shows */
    uint32_t track_count;
    uint32_t track_capacity;
    /* By track id: place in `tracks` and 1; 0: not seen yet, UINT32_MAX: not shown. */
    uint32_t *places;
    uint32_t place_count;
    uint64_t batches;   /* of spans so far */
    uint64_t folded_at; /* number of the batch after which stretches were last put together */
    uint64_t room;      /* stretches that the tracks have room for */
    uint64_t room_most; /* twice the room that was left when stretches were last put together */
    LaneCurve *curves;
    uint32_t curve_count;
    uint32_t curve_capacity;
    OpprofMap curve_index; /* name and series: index into curves */
} Lanes;

/* False without memory. */
bool LanesTakeSpans(Lanes *lanes, const OpprofStage *stage, const OpprofBatch *batch);
bool LanesTakeCounters(Lanes *lanes, const OpprofStage *stage, const OpprofBatch *batch);
/* Curves by name. */
void LanesSortCurves(Lanes *lanes, const OpprofStage *stage);
/* Lanes, the busiest first, for free(); NULL without memory or lanes. */
Lane *LanesSum(const Lanes *lanes, uint32_t *ret_count);
void LanesFree(Lanes *lanes);

#endif
