/* SPDX-License-Identifier: Apache-2.0 */
/* A graph of moments, put into order. Tested by
 * tests/plugins/analyse-trace/test_path_graph. */
#include "analyse-trace/path/path_graph.h"

#include <opprof/grow.h>

#include <stdlib.h>
#include <string.h>

#define FEW_LATE 8u /* late edges are merged if at most one edge in so many is late */

bool PathGraphReserve(PathGraph *graph, size_t edges)
{
    if (edges <= graph->edge_capacity) {
        return true;
    }
    if (graph->memory == NULL) {
        return OpprofGrow32(&graph->edges, &graph->edge_capacity, edges, sizeof *graph->edges);
    }
    edges += edges / 4;
    if (edges > UINT32_MAX ||
        !PathMemoryGrow(graph->memory, &graph->edges, edges, sizeof *graph->edges)) {
        return false;
    }
    graph->edge_capacity = (uint32_t) edges;
    return true;
}

static bool append(PathGraph *graph, PathEdge edge)
{
    if (!PathGraphReserve(graph, (size_t) graph->edge_count + 1)) {
        return false;
    }
    graph->edges[graph->edge_count++] = edge;
    return true;
}

bool PathGraphAdd(PathGraph *graph, PathEdge edge, bool *ret_is_against)
{
    *ret_is_against = graph->times[edge.from] > graph->times[edge.to];
    return !*ret_is_against && append(graph, edge);
}

bool PathGraphTie(PathGraph *graph, PathEdge edge)
{
    return append(graph, edge);
}

/* Where the edges of each moment begin. */
static bool count_edges(PathGraph *graph)
{
    graph->first = PathMemoryTake(graph->memory, graph->moment_count, sizeof *graph->first);
    if (graph->first == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        graph->first[graph->edges[i].from + 1]++;
        PathMemoryUse(graph->memory, sizeof *graph->edges + sizeof *graph->first);
    }
    for (uint32_t i = 0; i < graph->moment_count; i++) {
        graph->first[i + 1] += graph->first[i];
        PathMemoryUse(graph->memory, sizeof *graph->first);
    }
    return true;
}

static bool scatter_edges(PathGraph *graph)
{
    PathEdge *sorted = PathMemoryTake(graph->memory, graph->edge_count, sizeof *sorted);
    uint32_t *at = PathMemoryTake(graph->memory, graph->moment_count, sizeof *at);

    if (sorted == NULL || at == NULL) {
        PathMemoryGive(graph->memory, sorted);
        PathMemoryGive(graph->memory, at);
        return false;
    }
    memcpy(at, graph->first, ((size_t) graph->moment_count + 1) * sizeof *at);
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        sorted[at[graph->edges[i].from]++] = graph->edges[i];
        PathMemoryUse(graph->memory, 3 * sizeof *sorted);
    }
    PathMemoryGive(graph->memory, graph->edges);
    PathMemoryGive(graph->memory, at);
    graph->edges = sorted;
    graph->edge_capacity = graph->edge_count + 1;
    return true;
}

/* An edge added out of order. */
typedef struct LateEdge {
    PathEdge edge;
    uint32_t place;
} LateEdge;

static int compare_late(const void *a, const void *b)
{
    const LateEdge *left = a;
    const LateEdge *right = b;

    if (left->edge.from != right->edge.from) {
        return left->edge.from < right->edge.from ? -1 : 1;
    }
    return (left->place > right->place) - (left->place < right->place);
}

/*
 * Put late edges between the ordered ones, from the back, each after the others of its moment: this
 * needs no second list of all edges.
 */
static bool merge_late(PathGraph *graph, uint32_t ordered)
{
    uint32_t count = graph->edge_count - ordered;
    uint32_t to = graph->edge_count;
    LateEdge *late = reallocarray(NULL, (size_t) count + 1, sizeof *late);

    if (late == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        late[i] = (LateEdge){ .edge = graph->edges[ordered + i], .place = i };
    }
    qsort(late, count, sizeof *late, compare_late);
    while (count > 0) {
        const bool is_late =
            ordered == 0 || graph->edges[ordered - 1].from <= late[count - 1].edge.from;

        graph->edges[--to] = is_late ? late[--count].edge : graph->edges[--ordered];
        PathMemoryUse(graph->memory, 2 * sizeof *graph->edges);
    }
    free(late);
    return true;
}

/* Sorts edges by the moment that they leave; edges of one moment keep their order. Joined ranks are
 * sorted already. */
static bool sort_edges(PathGraph *graph)
{
    uint32_t ordered = graph->edge_count == 0 ? 0 : 1;

    while (ordered < graph->edge_count &&
           graph->edges[ordered - 1].from <= graph->edges[ordered].from) {
        ordered++;
        PathMemoryUse(graph->memory, sizeof *graph->edges);
    }
    if (!count_edges(graph)) {
        return false;
    }
    return graph->edge_count - ordered <= graph->edge_count / FEW_LATE ? merge_late(graph, ordered)
                                                                       : scatter_edges(graph);
}

/* Moments while they are put into order. */
typedef struct Ordering {
    PathGraph *graph;
    uint32_t *missing; /* for each moment: edges to it that were not followed yet */
    uint32_t *heads;   /* for each block: place of its next moment … */
    uint32_t *tails;   /* … and after its last one so far */
    uint32_t *waiting; /* blocks that have such moments: a ring */
    bool *waits;       /* whether a block is there */
    uint32_t blocks;
    uint32_t next; /* of the ring */
    uint32_t count;
} Ordering;

static void free_ordering(const Ordering *self)
{
    PathMemoryGive(self->graph->memory, self->missing);
    free(self->heads);
    free(self->tails);
    free(self->waiting);
    free(self->waits);
}

static uint32_t end_of(const PathGraph *graph, uint32_t block)
{
    return graph->ends == NULL ? graph->moment_count : graph->ends[block];
}

static uint32_t start_of(const PathGraph *graph, uint32_t block)
{
    return block == 0 ? 0 : end_of(graph, block - 1);
}

/* The block of a moment, most often the current one. */
static uint32_t block_of(const Ordering *self, uint32_t moment, uint32_t in_hand)
{
    uint32_t low = 0;
    uint32_t high = self->blocks - 1;

    if (moment >= start_of(self->graph, in_hand) && moment < end_of(self->graph, in_hand)) {
        return in_hand;
    }
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (end_of(self->graph, middle) > moment) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* All edges to the moment were followed. */
static void enter(Ordering *self, uint32_t moment, uint32_t in_hand)
{
    const uint32_t block = block_of(self, moment, in_hand);

    self->graph->order[self->tails[block]++] = moment;
    if (!self->waits[block]) {
        self->waits[block] = true;
        self->waiting[(self->next + self->count++) % self->blocks] = block;
    }
}

static void follow(Ordering *self, uint32_t moment, uint32_t block)
{
    const PathGraph *graph = self->graph;

    for (uint32_t e = graph->first[moment]; e < graph->first[moment + 1]; e++) {
        if (--self->missing[graph->edges[e].to] == 0) {
            enter(self, graph->edges[e].to, block);
        }
        PathGraphUseEdge(graph, &graph->edges[e]);
    }
    PathMemoryUse(graph->memory, PATH_MOMENT_BYTES);
}

/* All of the next block that can be ordered now. False without memory. */
static bool order_block(Ordering *self)
{
    PathGraph *graph = self->graph;
    const uint32_t block = self->waiting[self->next];
    const uint32_t from = self->heads[block];

    self->next = (self->next + 1) % self->blocks;
    self->count--;
    while (self->heads[block] < self->tails[block]) {
        follow(self, graph->order[self->heads[block]++], block);
    }
    self->waits[block] = false;
    if (!OpprofGrow32(&graph->runs, &graph->run_capacity, (size_t) graph->run_count + 1,
                      sizeof *graph->runs)) {
        return false;
    }
    graph->runs[graph->run_count++] = (PathRun){ .from = from, .to = self->heads[block] };
    graph->ordered += self->heads[block] - from;
    PathMemoryUse(graph->memory, PATH_RUN_BYTES);
    return true;
}

static bool begin_ordering(Ordering *self)
{
    PathGraph *graph = self->graph;

    self->missing = PathMemoryTake(graph->memory, graph->moment_count, sizeof *self->missing);
    graph->order = PathMemoryTake(graph->memory, graph->moment_count, sizeof *graph->order);
    self->heads = calloc(self->blocks, sizeof *self->heads);
    self->tails = calloc(self->blocks, sizeof *self->tails);
    self->waiting = calloc(self->blocks, sizeof *self->waiting);
    self->waits = calloc(self->blocks, sizeof *self->waits);
    if (self->missing == NULL || graph->order == NULL || self->heads == NULL ||
        self->tails == NULL || self->waiting == NULL || self->waits == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        self->missing[graph->edges[i].to]++;
        PathMemoryUse(graph->memory, sizeof *graph->edges + sizeof *self->missing);
    }
    for (uint32_t block = 0; block < self->blocks; block++) {
        self->heads[block] = self->tails[block] = start_of(graph, block);
        for (uint32_t i = self->heads[block]; i < end_of(graph, block); i++) {
            if (self->missing[i] == 0) {
                enter(self, i, block);
            }
            PathMemoryUse(graph->memory, 2 * sizeof *self->missing);
        }
    }
    return true;
}

/* Orders each moment after all those that lead to it. */
static bool order_moments(PathGraph *graph)
{
    Ordering ordering = { .graph = graph,
                          .blocks = graph->block_count == 0 ? 1 : graph->block_count };
    bool is_good = begin_ordering(&ordering);

    graph->ordered = 0;
    graph->run_count = 0;
    while (is_good && ordering.count > 0) {
        is_good = order_block(&ordering);
    }
    free_ordering(&ordering);
    return is_good;
}

bool PathGraphSettle(PathGraph *graph)
{
    return sort_edges(graph) && order_moments(graph);
}

void PathGraphFinish(PathGraph *graph)
{
    PathMemoryGive(graph->memory, graph->times);
    PathMemoryGive(graph->memory, graph->edges);
    PathMemoryGive(graph->memory, graph->first);
    PathMemoryGive(graph->memory, graph->order);
    free(graph->runs);
    *graph = (PathGraph){ .moment_count = 0 };
}
