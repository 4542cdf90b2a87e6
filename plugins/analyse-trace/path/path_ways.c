/* SPDX-License-Identifier: Apache-2.0 */
/* The longest way through a graph of moments. Tested by
 * tests/plugins/analyse-trace/test_path_graph. */
#include "analyse-trace/path/path_ways.h"

#include <stdlib.h>
#include <string.h>

/* The way to a moment by an edge is better than the best so far. */
static bool is_better(const PathGraph *graph, const uint64_t *lengths, const uint32_t *best,
                      const PathEdge *edge, uint64_t length)
{
    const uint32_t other = best[edge->to];

    return other == UINT32_MAX ||
           PathWayIsBetter(length, edge->is_slack, lengths[edge->to], graph->edges[other].is_slack);
}

bool PathGraphLongest(const PathGraph *graph, const PathShares *shares, uint32_t *best,
                      uint32_t *ret_last, uint64_t *ret_length)
{
    uint64_t *lengths = calloc((size_t) graph->moment_count + 1, sizeof *lengths);

    if (lengths == NULL) {
        return false;
    }
    memset(best, UINT8_MAX, ((size_t) graph->moment_count + 1) * sizeof *best);
    *ret_last = graph->ordered == 0 ? 0 : graph->order[0];
    for (uint32_t i = 0; i < graph->ordered; i++) {
        const uint32_t moment = graph->order[i];

        if (lengths[moment] > lengths[*ret_last]) {
            *ret_last = moment;
        }
        for (uint32_t e = graph->first[moment]; e < graph->first[moment + 1]; e++) {
            const PathEdge *edge = &graph->edges[e];
            const uint64_t length =
                lengths[moment] + PathGraphLength(graph, edge) * shares->halves[edge->part];

            if (is_better(graph, lengths, best, edge, length)) {
                lengths[edge->to] = length;
                best[edge->to] = e;
            }
        }
    }
    *ret_length = lengths[*ret_last];
    free(lengths);
    return true;
}

/* Go on from a moment with all shares. */
static inline void go_on(const PathGraph *graph, uint32_t moment, const PathShares *shares,
                         uint32_t count, uint64_t *lengths, uint64_t *longest)
{
    const uint64_t *from = &lengths[(size_t) moment * count];

    for (uint32_t i = 0; i < count; i++) {
        longest[i] = from[i] > longest[i] ? from[i] : longest[i];
    }
    for (uint32_t e = graph->first[moment]; e < graph->first[moment + 1]; e++) {
        const PathEdge *edge = &graph->edges[e];
        const uint64_t ticks = PathGraphLength(graph, edge);
        uint64_t *to = &lengths[(size_t) edge->to * count];

        for (uint32_t i = 0; i < count; i++) {
            const uint64_t length = from[i] + ticks * shares[i].halves[edge->part];

            to[i] = length > to[i] ? length : to[i];
        }
    }
}

bool PathGraphLengths(const PathGraph *graph, const PathShares *shares, uint32_t count,
                      uint64_t *ret_lengths)
{
    uint64_t *lengths = calloc((size_t) graph->moment_count + 1, count * sizeof *lengths);

    if (lengths == NULL) {
        return false;
    }
    memset(ret_lengths, 0, count * sizeof *ret_lengths);
    for (uint32_t i = 0; i < graph->ordered; i++) {
        go_on(graph, graph->order[i], shares, count, lengths, ret_lengths);
    }
    free(lengths);
    return true;
}
