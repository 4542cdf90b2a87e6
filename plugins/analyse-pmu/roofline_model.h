/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_PMU_ROOFLINE_MODEL_H
#define ANALYSE_PMU_ROOFLINE_MODEL_H

#include "launches.h"
#include "storage.h"

/*
 * Work, traffic and peaks of a chip, as its file states them (`metrics.roofline`), and how much of
 * them a launch has.
 */

/* A kind of work: operations, and how many the chip could do. */
typedef struct RooflineWork {
    const WorkFacts *facts;
    uint64_t in;          /* bits of the operators' types */
    uint32_t of;          /* interned kind of core; absent: all */
    uint32_t first_share; /* in the list of shares */
    /* of the launch at hand */
    bool is_there;
    bool is_unknown;  /* its operations, or what the chip could do … */
    bool is_reported; /* … which was reported */
    double ops_value;
    double theory_value;
    char *text;
} RooflineWork;

/* Kinds of work that are counted together. */
typedef struct RooflineGroup {
    const char *as; /* its name; NULL: the names of the kinds, joined */
    uint64_t works; /* bits */
} RooflineGroup;

typedef struct RooflineGraph {
    const GraphFacts *facts;
    uint64_t in;
    RooflineGroup *groups;
} RooflineGraph;

typedef struct RooflineModel {
    RooflineFacts facts;
    OperatorTypes types;
    RooflineWork *works; /* as many as the facts state */
    uint32_t work_count;
    const OpprofFormula **shares; /* in percent */
    uint32_t share_count;
    RooflineGraph *graphs;
    uint32_t graph_count;
} RooflineModel;

/* A launch, and the formulas of its chip. */
typedef struct RooflineLaunch {
    RooflineModel *model;
    PmuMetrics *metrics;
    const LaunchView *view;
    uint64_t type; /* bit of the operator's type */
} RooflineLaunch;

/* The work of a group together. */
typedef struct RooflineTogether {
    double ops;
    double theory;
    char *name; /* free with free() */
} RooflineTogether;

/* A place under a roof. */
typedef struct RooflinePoint {
    double x;         /* operations per byte */
    double y;         /* TOPS; may be absent */
    double bandwidth; /* TB/s; may be absent */
    double theory;    /* TOPS */
    bool is_right;    /* under the roof of the work, not of the memory */
    double ratio;     /* share of the roof; absent where one of them is */
} RooflinePoint;

OpprofStatus RooflineCompile(RooflineModel *model, PmuMetrics *metrics, OpprofError **error);
void RooflineFinish(RooflineModel *model);

/* Measure all work of a launch; afterwards the inputs of formulas are those of the whole launch. */
OpprofStatus RooflineMeasure(const RooflineLaunch *launch, OpprofError **error);
/* The first of a group's kinds of work whose amount is unknown; NULL: all are known. */
RooflineWork *RooflineUnknown(const RooflineLaunch *launch, const RooflineGroup *group);
/* False: the launch has no work of the group, or there is no memory. */
bool RooflineAddUp(const RooflineLaunch *launch, const RooflineGroup *group,
                   RooflineTogether *ret_together);
RooflinePoint RooflinePlace(const RooflineLaunch *launch, const RooflineTogether *together,
                            double bytes, double bandwidth);
/* The largest share of a roof of a launch that was measured; above 1 where a stated peak is too
 * low, 0: none is known. */
double RooflineReached(const RooflineLaunch *launch);

#endif
