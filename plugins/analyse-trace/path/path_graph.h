/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_PATH_PATH_GRAPH_H
#define ANALYSE_TRACE_PATH_PATH_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A graph of moments and what leads from one to another. What a
 * moment waited for leads to it by an edge as long as the time between the two; so a way from the
 * first moment takes all of the time until the last one. An edge from what was there earlier is
 * slack: it is only as long as it has to be, and counts once other edges become shorter.
 */

/* Use of an edge's time. */
typedef enum PathPart {
    PATH_HOST,
    PATH_DATA_LOADING,
    PATH_LAUNCH, /* from a launching call's start to its work */
    PATH_QUEUE,  /* from one piece of work to the next in a stream */
    PATH_COMPUTATION,
    PATH_COMMUNICATION,
    PATH_MEMORY,
    PATH_OUTSIDE, /* the host, outside of all operators and calls */
    PATH_WAIT,    /* no time: the later moment waits for the earlier one */
    PATH_PARTS
} PathPart;

#define PATH_OWNER_BITS 27
#define PATH_OWNER_MASK ((UINT32_C(1) << PATH_OWNER_BITS) - 1)

typedef struct PathEdge {
    uint32_t from; /* moments */
    uint32_t to;
    uint32_t owner : PATH_OWNER_BITS; /* number of the span that it belongs to */
    uint32_t part : 4;                /* PathPart */
    uint32_t is_slack : 1;            /* at most PathGraph.longest */
} PathEdge;

typedef struct PathGraph {
    uint64_t *times; /* of the moments */
    uint32_t moment_count;
    uint32_t edge_count;
    uint32_t edge_capacity;
    PathEdge *edges;              /* by `from`, once settled */
    uint32_t *first;              /* for each moment: its first edge */
    uint32_t *order;              /* moments, each after those that lead to it */
    uint32_t ordered;             /* moments in `order`; less than all if edges form a circle */
    uint32_t root;                /* the caller's: the first moment */
    uint64_t longest[PATH_PARTS]; /* ticks of a slack edge */
} PathGraph;

/* Add an edge. Edges that go back in time are refused: false, as without memory; `*ret_is_against`
 * tells which. */
bool PathGraphAdd(PathGraph *graph, PathEdge edge, bool *ret_is_against);

/* All edges are added: sort the graph. False without memory. */
bool PathGraphSettle(PathGraph *graph);

/* Length of an edge. */
static inline uint64_t PathGraphLength(const PathGraph *graph, const PathEdge *edge)
{
    const uint64_t length = graph->times[edge->to] - graph->times[edge->from];

    if (edge->part == PATH_WAIT) {
        return 0;
    }
    return edge->is_slack && length > graph->longest[edge->part] ? graph->longest[edge->part]
                                                                 : length;
}

/* The edge is its span: from where it begins to where it ends. */
static inline bool PathEdgeIsSpan(const PathEdge *edge)
{
    return edge->from == 2 * edge->owner && edge->to == edge->from + 1;
}

/* A zeroed one is allowed. */
void PathGraphFinish(PathGraph *graph);

#endif
