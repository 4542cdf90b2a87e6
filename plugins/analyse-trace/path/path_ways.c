/* SPDX-License-Identifier: Apache-2.0 */
/* The longest way through a graph of moments. Tested by
 * tests/plugins/analyse-trace/test_path_graph. */
#include "analyse-trace/path/path_ways.h"

#include <string.h>

/* The longest way so far, and to each moment. */
typedef struct Ways {
    const PathGraph *graph;
    const PathShares *shares;
    uint64_t *lengths; /* half ticks: one a moment … */
    uint32_t count;    /* … or one for each of so many shares */
    uint32_t *best;    /* as for PathGraphLongest */
    uint64_t longest;
    uint32_t last;
    uint64_t *ends; /* the longest of each of the shares */
} Ways;

static inline void visit_all(Ways *ways, uint32_t moment_bytes, void (*visit)(Ways *, uint32_t))
{
    const PathGraph *graph = ways->graph;

    for (uint32_t run = 0; run < graph->run_count; run++) {
        for (uint32_t i = graph->runs[run].from; i < graph->runs[run].to; i++) {
            visit(ways, graph->order[i]);
            PathMemoryUse(graph->memory, moment_bytes);
        }
        PathMemoryUse(graph->memory, PATH_RUN_BYTES);
    }
}

/* Of two ways that are equally long the one by what the moment waited for. */
static inline bool is_better(const Ways *ways, const PathEdge *edge, uint64_t length)
{
    const uint32_t best = ways->best[edge->to];

    return length == ways->lengths[edge->to] &&
           (best == UINT32_MAX || (ways->graph->edges[best].is_slack && !edge->is_slack));
}

static inline void go_on(Ways *ways, uint32_t moment)
{
    const PathGraph *graph = ways->graph;

    if (ways->lengths[moment] > ways->longest) {
        ways->longest = ways->lengths[moment];
        ways->last = moment;
    }
    for (uint32_t e = graph->first[moment]; e < graph->first[moment + 1]; e++) {
        const PathEdge *edge = &graph->edges[e];
        const uint64_t length =
            ways->lengths[moment] + PathGraphLength(graph, edge) * ways->shares->halves[edge->part];

        if (length > ways->lengths[edge->to] || is_better(ways, edge, length)) {
            ways->lengths[edge->to] = length;
            ways->best[edge->to] = e;
        }
        PathGraphUseEdge(graph, edge);
    }
}

bool PathGraphLongest(const PathGraph *graph, const PathShares *shares, uint32_t *best,
                      uint32_t *ret_last, uint64_t *ret_length)
{
    Ways ways = { .graph = graph,
                  .shares = shares,
                  .lengths = PathMemoryTake(graph->memory, graph->moment_count, sizeof(uint64_t)),
                  .best = best,
                  .last = graph->run_count == 0 ? 0 : graph->order[graph->runs[0].from] };

    if (ways.lengths == NULL) {
        return false;
    }
    for (uint32_t i = 0; i <= graph->moment_count; i++) {
        best[i] = UINT32_MAX;
        PathMemoryUse(graph->memory, sizeof *best);
    }
    visit_all(&ways, PATH_MOMENT_BYTES, go_on);
    PathMemoryGive(graph->memory, ways.lengths);
    *ret_last = ways.last;
    *ret_length = ways.longest;
    return true;
}

/* Go on from a moment with all shares. */
static inline void go_on_with_all(Ways *ways, uint32_t moment)
{
    const PathGraph *graph = ways->graph;
    const uint32_t count = ways->count;
    const uint64_t *from = &ways->lengths[(size_t) moment * count];

    for (uint32_t i = 0; i < count; i++) {
        ways->ends[i] = from[i] > ways->ends[i] ? from[i] : ways->ends[i];
    }
    for (uint32_t e = graph->first[moment]; e < graph->first[moment + 1]; e++) {
        const PathEdge *edge = &graph->edges[e];
        const uint64_t ticks = PathGraphLength(graph, edge);
        uint64_t *to = &ways->lengths[(size_t) edge->to * count];

        for (uint32_t i = 0; i < count; i++) {
            const uint64_t length = from[i] + ticks * ways->shares[i].halves[edge->part];

            to[i] = length > to[i] ? length : to[i];
        }
        PathGraphUseEdge(graph, edge);
    }
}

bool PathGraphLengths(const PathGraph *graph, const PathShares *shares, uint32_t count,
                      uint64_t *ret_lengths)
{
    const size_t moment_bytes = count * sizeof *ret_lengths;
    Ways ways = { .graph = graph,
                  .shares = shares,
                  .count = count,
                  .lengths = PathMemoryTake(graph->memory, graph->moment_count, moment_bytes),
                  .ends = ret_lengths };

    if (ways.lengths == NULL) {
        return false;
    }
    memset(ret_lengths, 0, moment_bytes);
    visit_all(&ways, (uint32_t) (PATH_MOMENT_BYTES + moment_bytes), go_on_with_all);
    PathMemoryGive(graph->memory, ways.lengths);
    return true;
}
