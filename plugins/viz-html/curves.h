/* SPDX-License-Identifier: Apache-2.0 */
#ifndef VIZ_HTML_CURVES_H
#define VIZ_HTML_CURVES_H

#include "names.h"

/* A value from a time on, or the values of several neighbours. */
typedef struct Sample {
    int64_t time; /* picoseconds */
    double last;
    double low;
    double high;
} Sample;

/* One series of one curve of a lane. */
typedef struct Curve {
    uint32_t lane;
    uint32_t name;   /* interned */
    uint32_t series; /* interned */
    uint32_t count;
    uint32_t capacity;
    uint32_t joined;  /* number of samples in one: 1, 2, 4 … */
    uint32_t pending; /* samples in the last one */
    Sample *samples;
} Curve;

/* All curves, in bounded memory: in a curve with too many samples,
 * neighbours are joined in pairs. */
typedef struct Curves {
    Curve *curves;
    uint32_t count;
    uint32_t capacity;
    uint32_t latest;   /* place of the last sample's curve */
    OpprofMap places;  /* by lane and names */
    uint64_t samples;  /* all samples so far */
    uint64_t left_out; /* of curves beyond the limit */
    bool has_any;
    int64_t first; /* earliest time */
    int64_t last;
} Curves;

/* Add a sample. False without memory. */
bool CurvesTake(Curves *curves, uint32_t lane, const OpprofCounter *counter, int64_t time);

/* Sort curves by lane and name and samples by time, and reduce them to what a page may hold. */
void CurvesSettle(Curves *curves, const OpprofStage *stage);

/* Append the members of a JSON array, one object per curve. */
void CurvesPut(const Curves *curves, Names *names, OpprofJsonOut *json);

/* Free what it holds. */
void CurvesFinish(Curves *curves);

#endif
