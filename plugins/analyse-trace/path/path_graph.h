/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_PATH_PATH_GRAPH_H
#define ANALYSE_TRACE_PATH_PATH_GRAPH_H

#include "analyse-trace/path/path_memory.h"

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

#define PATH_MOMENT_BYTES 64u    /* of all arrays that a moment and its edges take */
#define PATH_MAPPED_BYTES 65536u /* what the system maps of an array where one item is used */
#define PATH_RUN_BYTES (2 * PATH_MAPPED_BYTES) /* of all arrays, however short the run */

#define PATH_OWNER_BITS 27
#define PATH_OWNER_MASK ((UINT32_C(1) << PATH_OWNER_BITS) - 1)

typedef struct PathEdge {
    uint32_t from; /* moments */
    uint32_t to;
    uint32_t owner : PATH_OWNER_BITS; /* number of the span that it belongs to */
    uint32_t part : 4;                /* PathPart */
    uint32_t is_slack : 1; /* at most PathGraph.longest; if communication, as long as its owner */
} PathEdge;

/* Consecutive places of PathGraph.order. */
typedef struct PathRun {
    uint32_t from;
    uint32_t to;
} PathRun;

/*
 * The moments of a block lie together, and as many of them as possible are visited before those of
 * another block, so that only a few blocks of a graph that does not fit into memory are in use at a
 * time.
 */
typedef struct PathGraph {
    PathMemory *memory; /* of all arrays; NULL: ordinary memory */
    uint64_t *times;    /* of the moments */
    uint32_t moment_count;
    uint32_t edge_count;
    uint32_t edge_capacity;
    PathEdge *edges;      /* by `from`, once settled */
    uint32_t *first;      /* for each moment: its first edge */
    const uint32_t *ends; /* for each block: the moment after it; borrowed. NULL: one block */
    uint32_t block_count; /* 0: one block */
    uint32_t *order;      /* moments; those of a block have its places */
    PathRun *runs; /* parts of order, in which each moment comes after those that lead to it */
    uint32_t run_count;
    uint32_t run_capacity;
    uint32_t ordered;             /* moments of the runs; less than all if edges form a circle */
    uint32_t root;                /* the caller's: the first moment */
    uint64_t longest[PATH_PARTS]; /* ticks of a slack edge */
} PathGraph;

/* Add an edge. Edges that go back in time are refused: false, as without memory; `*ret_is_against`
 * tells which. */
bool PathGraphAdd(PathGraph *graph, PathEdge edge, bool *ret_is_against);

/* Room for so many edges. False without memory. */
bool PathGraphReserve(PathGraph *graph, size_t edges);

/* Add an edge between moments of different clocks. False without memory. */
bool PathGraphTie(PathGraph *graph, PathEdge edge);

/* All edges are added: sort the graph. False without memory. */
bool PathGraphSettle(PathGraph *graph);

/* Length of an edge. */
static inline uint64_t PathGraphLength(const PathGraph *graph, const PathEdge *edge)
{
    const uint64_t from = graph->times[edge->from];
    const uint64_t to = graph->times[edge->to];
    uint64_t longest = UINT64_MAX;

    if (edge->part == PATH_WAIT || to < from) {
        return 0;
    }
    if (edge->is_slack && edge->part == PATH_COMMUNICATION) {
        longest = graph->times[2 * edge->owner + 1] - graph->times[2 * edge->owner];
    } else if (edge->is_slack) {
        longest = graph->longest[edge->part];
    }
    return to - from < longest ? to - from : longest;
}

/* An edge is used: each tie has its own slot in another block. */
static inline void PathGraphUseEdge(const PathGraph *graph, const PathEdge *edge)
{
    const bool is_far =
        edge->part == PATH_WAIT || (edge->is_slack && edge->part == PATH_COMMUNICATION);

    PathMemoryUse(graph->memory, is_far ? PATH_MAPPED_BYTES : sizeof *edge);
}

/* A zeroed one is allowed. */
void PathGraphFinish(PathGraph *graph);

#endif
