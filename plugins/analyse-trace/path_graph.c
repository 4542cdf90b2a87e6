/* SPDX-License-Identifier: Apache-2.0 */
/* The longest way through a graph of moments. Tested by tests/plugins/analyse-trace/test_path_graph. */
#include "path_graph.h"

#include <opprof/grow.h>

#include <stdlib.h>
#include <string.h>

#define FEW_LATE 8u /* late edges are merged if they are at most one in so many */

static bool append(PathGraph *graph, PathEdge edge)
{
    if (!OpprofGrow32(&graph->edges, &graph->edge_capacity, (size_t) graph->edge_count + 1,
                      sizeof *graph->edges)) {
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

bool PathGraphTie(PathGraph *graph, uint32_t from, uint32_t to)
{
    return append(graph, (PathEdge){ .from = from, .to = to, .owner = 0, .part = PATH_WAIT });
}

/* Where the edges of each moment begin. */
static bool count_edges(PathGraph *graph)
{
    graph->first = calloc((size_t) graph->moment_count + 1, sizeof *graph->first);
    if (graph->first == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        graph->first[graph->edges[i].from + 1]++;
    }
    for (uint32_t i = 0; i < graph->moment_count; i++) {
        graph->first[i + 1] += graph->first[i];
    }
    return true;
}

static bool scatter_edges(PathGraph *graph)
{
    PathEdge *sorted = reallocarray(NULL, (size_t) graph->edge_count + 1, sizeof *sorted);
    uint32_t *at = reallocarray(NULL, (size_t) graph->moment_count + 1, sizeof *at);

    if (sorted == NULL || at == NULL) {
        free(sorted);
        free(at);
        return false;
    }
    memcpy(at, graph->first, ((size_t) graph->moment_count + 1) * sizeof *at);
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        sorted[at[graph->edges[i].from]++] = graph->edges[i];
    }
    free(graph->edges);
    free(at);
    graph->edges = sorted;
    graph->edge_capacity = graph->edge_count + 1;
    return true;
}

/* An edge that was added after those in order. */
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

/* Put late edges between the ordered ones, from the back, each after the others of its moment: takes no second list of all. */
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
    }
    free(late);
    return true;
}

/* Edges by the moment that they leave, those of one as they came. Ranks that are joined have theirs in order already. */
static bool sort_edges(PathGraph *graph)
{
    uint32_t ordered = graph->edge_count == 0 ? 0 : 1;

    while (ordered < graph->edge_count &&
           graph->edges[ordered - 1].from <= graph->edges[ordered].from) {
        ordered++;
    }
    if (!count_edges(graph)) {
        return false;
    }
    return graph->edge_count - ordered <= graph->edge_count / FEW_LATE ? merge_late(graph, ordered)
                                                                       : scatter_edges(graph);
}

/* Each moment after all that lead to it. */
static bool order_moments(PathGraph *graph)
{
    uint32_t *missing = calloc((size_t) graph->moment_count + 1, sizeof *missing);

    graph->order = reallocarray(NULL, (size_t) graph->moment_count + 1, sizeof *graph->order);
    if (missing == NULL || graph->order == NULL) {
        free(missing);
        return false;
    }
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        missing[graph->edges[i].to]++;
    }
    graph->ordered = 0;
    for (uint32_t i = 0; i < graph->moment_count; i++) {
        if (missing[i] == 0) {
            graph->order[graph->ordered++] = i;
        }
    }
    for (uint32_t i = 0; i < graph->ordered; i++) {
        const uint32_t moment = graph->order[i];

        for (uint32_t e = graph->first[moment]; e < graph->first[moment + 1]; e++) {
            if (--missing[graph->edges[e].to] == 0) {
                graph->order[graph->ordered++] = graph->edges[e].to;
            }
        }
    }
    free(missing);
    return true;
}

bool PathGraphSettle(PathGraph *graph)
{
    return sort_edges(graph) && order_moments(graph);
}

bool PathGraphLongest(const PathGraph *graph, const PathShares *shares, uint32_t *best,
                      uint32_t *ret_last, uint64_t *ret_length)
{
    uint64_t *lengths = calloc((size_t) graph->moment_count + 1, sizeof *lengths);
    uint64_t longest = 0;
    uint32_t last = graph->ordered == 0 ? 0 : graph->order[0];

    if (lengths == NULL) {
        return false;
    }
    if (best != NULL) {
        memset(best, 0xff, ((size_t) graph->moment_count + 1) * sizeof *best);
    }
    for (uint32_t i = 0; i < graph->ordered; i++) {
        const uint32_t moment = graph->order[i];

        if (lengths[moment] > longest) {
            longest = lengths[moment];
            last = moment;
        }
        for (uint32_t e = graph->first[moment]; e < graph->first[moment + 1]; e++) {
            const PathEdge *edge = &graph->edges[e];
            const uint64_t length =
                lengths[moment] + PathGraphLength(graph, edge) * shares->halves[edge->part];

            if (length > lengths[edge->to] || (best != NULL && best[edge->to] == UINT32_MAX)) {
                lengths[edge->to] = length;
                if (best != NULL) {
                    best[edge->to] = e;
                }
            }
        }
    }
    free(lengths);
    if (ret_last != NULL) {
        *ret_last = last;
    }
    *ret_length = longest;
    return true;
}

void PathGraphFinish(PathGraph *graph)
{
    free(graph->times);
    free(graph->edges);
    free(graph->first);
    free(graph->order);
    *graph = (PathGraph){ .moment_count = 0 };
}
