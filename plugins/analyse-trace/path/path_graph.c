/* SPDX-License-Identifier: Apache-2.0 */
/* A graph of moments, put into order. Tested by
 * tests/plugins/analyse-trace/test_path_graph. */
#include "analyse-trace/path/path_graph.h"

#include <opprof/grow.h>

#include <stdlib.h>
#include <string.h>

bool PathGraphAdd(PathGraph *graph, PathEdge edge, bool *ret_is_against)
{
    *ret_is_against = graph->times[edge.from] > graph->times[edge.to];
    if (*ret_is_against || !OpprofGrow32(&graph->edges, &graph->edge_capacity,
                                         (size_t) graph->edge_count + 1, sizeof edge)) {
        return false;
    }
    graph->edges[graph->edge_count++] = edge;
    return true;
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

/* Sorts edges by the moment that they leave; edges of one moment keep their order. */
static bool sort_edges(PathGraph *graph)
{
    PathEdge *sorted = reallocarray(NULL, (size_t) graph->edge_count + 1, sizeof *sorted);
    uint32_t *at = reallocarray(NULL, (size_t) graph->moment_count + 1, sizeof *at);

    if (sorted == NULL || at == NULL || !count_edges(graph)) {
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

/* Orders each moment after all those that lead to it. */
static bool order_moments(PathGraph *graph)
{
    uint32_t *missing = calloc((size_t) graph->moment_count + 1, sizeof *missing);
    uint32_t count = 0;

    graph->order = reallocarray(NULL, (size_t) graph->moment_count + 1, sizeof *graph->order);
    if (missing == NULL || graph->order == NULL) {
        free(missing);
        return false;
    }
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        missing[graph->edges[i].to]++;
    }
    for (uint32_t i = 0; i < graph->moment_count; i++) {
        if (missing[i] == 0) {
            graph->order[count++] = i;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t moment = graph->order[i];

        for (uint32_t e = graph->first[moment]; e < graph->first[moment + 1]; e++) {
            if (--missing[graph->edges[e].to] == 0) {
                graph->order[count++] = graph->edges[e].to;
            }
        }
    }
    graph->ordered = count;
    free(missing);
    return true;
}

bool PathGraphSettle(PathGraph *graph)
{
    return sort_edges(graph) && order_moments(graph);
}

void PathGraphFinish(PathGraph *graph)
{
    free(graph->times);
    free(graph->edges);
    free(graph->first);
    free(graph->order);
    *graph = (PathGraph){ .moment_count = 0 };
}
