/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_PATH_EVENTS_H
#define ANALYSE_TRACE_PATH_EVENTS_H

#include "item_map.h"
#include "path_build.h"

#include <opprof/records/path.h>
#include <opprof/stage.h>

enum { KIND_OPERATOR, KIND_ANNOTATION, KIND_CALL, KIND_WORK, KIND_WAIT, KINDS };

/* Threads whose operators have a word: the first of them, and whether there are others. */
typedef struct MarkedThread {
    uint32_t thread;
    bool has_any;
    bool has_others;
} MarkedThread;

/* Work of a collective that a rank left together with others. */
typedef struct SharedWork {
    PathSpan work;
    uint32_t kind;
    uint32_t place; /* number of the span; PATH_NONE: it is not in the graph */
    uint64_t sequence;
} SharedWork;

/* A rank that is being read. */
typedef struct RankPath {
    uint32_t name;
    uint32_t clock;
    PathInput input;
    PathSpans windows;
    MarkedThread autograd;
    MarkedThread forward;
    SharedWork *shared;
    uint32_t shared_count;
    uint32_t shared_capacity;
    ItemMap ordinals; /* uint64_t: collectives so far of a kind whose profiler gives no sequence */
    bool is_over;
} RankPath;

/* What all ranks share while they are read. */
typedef struct PathEvents {
    OpprofStage *stage;
    const OpprofParams *params;
    const char *window;
    uint32_t kind_ids[KINDS];
    uint32_t communication; /* interned classes of work */
    uint32_t memory;
    ItemMap names; /* what is known of them, by interned name */
    ItemMap kinds; /* of collectives, by group and name */
} PathEvents;

/* Stage and parameters are there. False without memory. */
bool PathEventsStart(PathEvents *events);

void PathEventsFinish(PathEvents *events);

/* What a record says of its rank. False without memory. */
bool PathEventsAdd(PathEvents *events, RankPath *rank, const OpprofPathEvent *event);

/*
 * All of the rank is there: threads that are one become one, and only what is in the window stays. False without
 * memory.
 */
bool RankPathEnd(const PathEvents *events, RankPath *rank);

/* Find the numbers of shared work among all spans, which are known once the graph is made. */
void RankPathPlace(RankPath *rank);

/* Accepts a zeroed one. */
void RankPathFinish(RankPath *rank);

#endif
