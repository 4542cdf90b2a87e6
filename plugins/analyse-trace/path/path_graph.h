/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_PATH_PATH_GRAPH_H
#define ANALYSE_TRACE_PATH_PATH_GRAPH_H

#include "analyse-trace/path/path_memory.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A graph of moments and what leads from one to another, and the longest way through it. An edge is
 * as long as the time between its moments, or takes no time at all: then the later moment only
 * waits for the earlier one.
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
    PATH_WAIT, /* no time: the later moment waits for the earlier one */
    PATH_PARTS
} PathPart;

#define PATH_OWNER_BITS 29
#define PATH_OWNER_MASK ((UINT32_C(1) << PATH_OWNER_BITS) - 1)

typedef struct PathEdge {
    uint32_t from; /* moments */
    uint32_t to;
    uint32_t owner : PATH_OWNER_BITS;     /* the caller's number of its owner */
    uint32_t part : 32 - PATH_OWNER_BITS; /* PathPart */
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
    uint32_t ordered; /* moments of the runs; less than all if edges form a circle */
} PathGraph;

/* How much of the time of each part counts, in halves: 0, 1 or 2. */
typedef struct PathShares {
    uint8_t halves[PATH_PARTS];
} PathShares;

/* Add an edge. Edges that go back in time are refused: false, as without memory; `*ret_is_against`
 * tells which. */
bool PathGraphAdd(PathGraph *graph, PathEdge edge, bool *ret_is_against);

/* Room for so many edges. False without memory. */
bool PathGraphReserve(PathGraph *graph, size_t edges);

/* Let a moment wait for another one, even if their times are from different clocks. False without
 * memory. */
bool PathGraphTie(PathGraph *graph, uint32_t from, uint32_t to);

/* All edges are added: sort the graph. False without memory. */
bool PathGraphSettle(PathGraph *graph);

/* Length of an edge. */
static inline uint64_t PathGraphLength(const PathGraph *graph, const PathEdge *edge)
{
    return edge->part == PATH_WAIT ? 0 : graph->times[edge->to] - graph->times[edge->from];
}

/*
 * The longest way through a settled graph.
 *
 * best:      NULL, or room for a number a moment and one more: the edge by which the longest way
 *            leads there, UINT32_MAX for none
 * ret_last:  NULL, or where the way ends
 * ret_length:  half ticks
 * False without memory.
 */
bool PathGraphLongest(const PathGraph *graph, const PathShares *shares, uint32_t *best,
                      uint32_t *ret_last, uint64_t *ret_length);

/* A zeroed one is allowed. */
void PathGraphFinish(PathGraph *graph);

#endif
