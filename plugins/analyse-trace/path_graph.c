/* SPDX-License-Identifier: Apache-2.0 */
/* The longest way through a graph of moments. Tested by tests/plugins/analyse-trace/test_path_graph. */
#include "path_graph.h"

#include <opprof/grow.h>

#include <stdlib.h>
#include <string.h>

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

/* Edges by the moment that they leave, and where those of each moment begin. */
static bool sort_edges(PathGraph *graph)
{
    const uint32_t moments = graph->moment_count;
    PathEdge *sorted = reallocarray(NULL, (size_t) graph->edge_count + 1, sizeof *sorted);
    uint32_t *at = calloc((size_t) moments + 1, sizeof *at);

    graph->first = calloc((size_t) moments + 1, sizeof *graph->first);
    if (sorted == NULL || at == NULL || graph->first == NULL) {
        free(sorted);
        free(at);
        return false;
    }
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        graph->first[graph->edges[i].from + 1]++;
    }
    for (uint32_t i = 0; i < moments; i++) {
        graph->first[i + 1] += graph->first[i];
        at[i] = graph->first[i];
    }
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        sorted[at[graph->edges[i].from]++] = graph->edges[i];
    }
    free(graph->edges);
    free(at);
    graph->edges = sorted;
    return true;
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
