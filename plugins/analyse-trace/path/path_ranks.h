/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_PATH_PATH_RANKS_H
#define ANALYSE_TRACE_PATH_PATH_RANKS_H

#include "analyse-trace/common/meetings.h"
#include "analyse-trace/path/path_graph.h"

/*
 * The graphs of several ranks as one. Ranks leave a collective together, so the one with the
 * shortest time in it came last and the others waited for it: the collective lasts as long as that
 * rank's work from the moment when all have begun, and ends for all at once. This needs no common
 * clock: the moments at which ranks leave collectives show how far their clocks are apart.
 */

/* Where the iterations of a rank begin, in order. */
typedef struct PathSteps {
    uint64_t *starts;
    uint32_t count;
    uint32_t capacity;
} PathSteps;

/* One of these ranks. */
typedef struct PathRank {
    uint32_t name; /* the caller's, and so are the following two */
    uint32_t clock;
    uint32_t track;
    PathSteps steps; /* on the rank's own clock */
    uint32_t first;  /* number of its first span among those of all ranks */
    uint32_t root;   /* its first moment; UINT32_MAX: none */
    int64_t shift;   /* ticks that were added to its times */
    bool is_tied;    /* its clock is known, by a collective with a rank before it */
} PathRank;

/*
 * Moments 2i and 2i+1 are start and end of span i, as in PathBuild. The first rank stays unchanged,
 * since most traces have no other; with the second one the arrays of all ranks move to rooms, which
 * take memory only where they are in use.
 */
typedef struct PathRanks {
    PathMemory memory; /* the caller may set its directory before the first rank comes */
    PathRank *ranks;
    uint32_t rank_count;
    uint32_t rank_capacity;
    PathGraph first; /* of the first rank, until there is a second one */
    uint32_t *first_names;
    uint32_t *names; /* of the spans */
    uint32_t span_count;
    PathGraph graph;   /* not settled before they are joined */
    uint32_t *ends;    /* for each rank: the moment after its last one */
    Meetings meetings; /* `place`: number of the span among those of all ranks */
    MeetingsSeen seen; /* by the rank that was added last */
} PathRanks;

/*
 * Add a rank.
 *
 * rank:   name, clock, track and iterations; these are taken over if it returns true
 * graph:  of `span_count` spans, settled or not; it is taken over, and empty afterwards
 * names:  of the spans, to be freed, too
 * False without memory, or if there are too many spans.
 */
bool PathRanksAdd(PathRanks *ranks, const PathRank *rank, PathGraph *graph, uint32_t **names,
                  uint32_t span_count);

/*
 * Add the work of a collective that the rank added last took part in, by start; call.place: number
 * of the span in the rank.
 */
bool PathRanksAddCall(PathRanks *ranks, CollectiveCall call);

/*
 * Tie the ranks, at least two, and settle the graph, in which all times are of one clock. Returns
 * false without memory; *ret_ties: how often one rank waits for another.
 */
bool PathRanksJoin(PathRanks *ranks, uint64_t *ret_ties);

/* Number of the rank that a span belongs to. */
uint32_t PathRanksOf(const PathRanks *ranks, uint32_t span);

/* A zeroed one is allowed. */
void PathRanksFinish(PathRanks *ranks);

#endif
