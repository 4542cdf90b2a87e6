/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_PATH_PATH_RANKS_H
#define ANALYSE_TRACE_PATH_PATH_RANKS_H

#include "analyse-trace/common/meetings.h"
#include "analyse-trace/path/path_find.h"
#include "analyse-trace/path/path_net.h"

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
    uint32_t name; /* the caller's, and so are the following four */
    uint32_t clock;
    uint32_t track;
    PathSteps steps;   /* on the rank's own clock */
    bool with_lengths; /* gains of the path through all ranks are wanted */
    uint32_t root;     /* node of its first moment; PATH_NO_NODE: none */
    uint32_t first_node;
    uint32_t collectives; /* of which it took part: two nodes each, from first_node on */
    uint32_t moment_count;
    uint32_t edge_count;
    uint32_t ordered;
    uint64_t place;               /* of its graph, in bytes */
    uint64_t last;                /* the latest of its times */
    uint64_t longest[PATH_PARTS]; /* as in its graph */
    int64_t shift;                /* ticks to be added to its times */
    bool is_tied;                 /* its clock is known, by a collective with a rank before it */
} PathRank;

/* A rank that was not put to others yet. */
typedef struct PathAlone {
    PathGraph graph;
    uint32_t *names;
    uint32_t *spans; /* work of collectives */
} PathAlone;

/*
 * Each rank adds to the net what the others can change; its graph goes to a file, from where it is
 * read again if the path leads through it. The first rank stays as it is until there is a second
 * one, since most traces have no other.
 */
typedef struct PathRanks {
    OpprofOutputDirectory *directory; /* of the file, set before a rank comes; NULL: memory */
    PathRank *ranks;
    uint32_t rank_count;
    uint32_t rank_capacity;
    PathAlone first;
    PathNet net;
    OpprofLargeArray graphs;
    uint64_t graph_bytes;
    uint64_t rested;   /* of these, those that were written before memory was released */
    Meetings meetings; /* `place`: the node at which the rank's work begins */
} PathRanks;

/* Counts of a joined net. */
typedef struct PathJoined {
    uint64_t ties;      /* how often one rank waits for another */
    uint32_t unordered; /* nodes that wait for each other in a circle */
} PathJoined;

/*
 * Add a rank.
 *
 * rank:   the caller's members; the iterations are taken over if it returns true
 * graph:  settled; it is taken over, and empty afterwards
 * names:  of its spans, to be freed, too
 * calls:  of collectives in which it took part, by start; place: number of the span. They are
 *         changed
 * False without memory.
 */
bool PathRanksAdd(PathRanks *ranks, const PathRank *rank, PathGraph *graph, uint32_t **names,
                  CollectiveCall *calls, uint32_t call_count);

/* Tie the ranks, at least two: all times are of one clock then. False without memory. */
bool PathRanksJoin(PathRanks *ranks, PathJoined *ret_joined);

/* Find the longest way through joined ranks and, with gains, what shorter parts of it would gain;
 * all ranks were added with lengths then. False without memory. */
bool PathRanksFind(PathRanks *ranks, bool with_gains, PathFound *ret_path);

/* The pieces of a way through the net, to be freed; NULL without memory. */
PathPiece *PathRanksRetrace(PathRanks *ranks, const uint32_t *links, uint32_t count,
                            uint32_t *ret_count);

/* A zeroed one is allowed. */
void PathRanksFinish(PathRanks *ranks);

#endif
