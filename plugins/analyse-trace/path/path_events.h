/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_PATH_PATH_EVENTS_H
#define ANALYSE_TRACE_PATH_PATH_EVENTS_H

#include "analyse-trace/common/item_map.h"
#include "analyse-trace/path/path_ranks.h"
#include "analyse-trace/path/path_build.h"

#include <opprof/records/path.h>
#include <opprof/stage.h>

enum { KIND_OPERATOR, KIND_ANNOTATION, KIND_CALL, KIND_WORK, KIND_WAIT, KINDS };

/* Threads whose operators contain a word: the first two, and how many there
 * are; 3: more than two. */
typedef struct MarkedThreads {
    uint32_t threads[2];
    uint32_t count;
} MarkedThreads;

/* Work of a collective that a rank left together with others. */
typedef struct SharedWork {
    PathSpan work;
    uint32_t kind;
    uint32_t place; /* number of the span; PATH_NONE: it is not in the graph */
    uint64_t sequence;
    uint32_t repeat; /* see CollectiveCall */
} SharedWork;

/* A rank that is being read. */
typedef struct RankPath {
    uint32_t name;
    uint32_t clock;
    PathInput input;
    PathSpans windows;
    PathSteps steps;
    MarkedThreads autograd;
    MarkedThreads forward;
    SharedWork *shared;
    uint32_t shared_count;
    uint32_t shared_capacity;
    ItemMap counters;  /* of CallCounter, by kind of collective */
    bool communicates; /* with other ranks */
    bool is_loose;     /* in ways that do not show when which rank came */
    bool lacks_waits;  /* once its graph is made: as PathLosses */
    bool is_over;
} RankPath;

/* Shared by all ranks while they are read. */
typedef struct PathEvents {
    OpprofStage *stage;
    const OpprofParams *params;
    const char *window; /* NULL: everything */
    uint32_t kind_ids[KINDS];
    uint32_t communication; /* interned classes of work */
    uint32_t memory;
    ItemMap names; /* facts about them, by interned name */
    ItemMap kinds; /* of collectives, by group and name */
} PathEvents;

/* Called when stage and parameters are known. False without memory. */
bool PathEventsStart(PathEvents *events);

void PathEventsFinish(PathEvents *events);

/* Add what a record says about its rank. False without memory. */
bool PathEventsAdd(PathEvents *events, RankPath *rank, const OpprofPathEvent *event);

/* The rank is complete: join threads that are one, and drop what lies outside the window. False
 * without memory. */
bool RankPathEnd(const PathEvents *events, RankPath *rank);

/* Find the numbers of shared work among all spans; they are known once the graph is made. */
void RankPathPlace(RankPath *rank);

/* A zeroed one is allowed. */
void RankPathFinish(RankPath *rank);

#endif
