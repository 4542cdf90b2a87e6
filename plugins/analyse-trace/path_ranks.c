/* SPDX-License-Identifier: Apache-2.0 */
/* Joins the graphs of ranks where they wait for each other. Tested by tests/plugins/analyse-trace/test_path_ranks. */
#include "path_ranks.h"

#include <opprof/grow.h>

#include <stdlib.h>
#include <string.h>

static bool make_room(PathRanks *ranks, const PathGraph *graph, uint32_t span_count)
{
    PathGraph *all = &ranks->graph;
    const size_t spans = (size_t) ranks->span_count + span_count;

    return spans <= PATH_OWNER_MASK &&
           OpprofGrow32(&ranks->ranks, &ranks->rank_capacity, (size_t) ranks->rank_count + 1,
                        sizeof *ranks->ranks) &&
           OpprofGrow32(&ranks->names, &ranks->span_capacity, spans, sizeof *ranks->names) &&
           OpprofGrow32(&all->times, &ranks->time_capacity, 2 * spans, sizeof *all->times) &&
           OpprofGrow32(&all->edges, &all->edge_capacity,
                        (size_t) all->edge_count + graph->edge_count, sizeof *all->edges);
}

/* The first rank's graph becomes that of all: most traces are of one rank. */
static void take_over(PathRanks *ranks, PathGraph *graph, uint32_t **names, uint32_t span_count)
{
    PathGraph *all = &ranks->graph;

    free(all->times);
    free(all->edges);
    free(ranks->names);
    *all = (PathGraph){ .times = graph->times,
                        .edges = graph->edges,
                        .edge_count = graph->edge_count,
                        .edge_capacity = graph->edge_count };
    ranks->names = *names;
    ranks->span_capacity = span_count;
    ranks->time_capacity = 2 * span_count;
    graph->times = NULL;
    graph->edges = NULL;
    *names = NULL;
}

static void append(PathRanks *ranks, const PathGraph *graph, const uint32_t *names,
                   uint32_t span_count)
{
    const uint32_t first = ranks->span_count;
    PathGraph *all = &ranks->graph;

    memcpy(ranks->names + first, names, span_count * sizeof *names);
    memcpy(all->times + 2 * (size_t) first, graph->times,
           2 * (size_t) span_count * sizeof *graph->times);
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        PathEdge edge = graph->edges[i];

        edge.from += 2 * first;
        edge.to += 2 * first;
        edge.owner = (edge.owner + first) & PATH_OWNER_MASK;
        all->edges[all->edge_count++] = edge;
    }
}

bool PathRanksAdd(PathRanks *ranks, const PathRank *rank, PathGraph *graph, uint32_t **names,
                  uint32_t span_count)
{
    const uint32_t first = ranks->span_count;
    const bool is_first = first == 0;
    const bool is_good = make_room(ranks, is_first ? &(PathGraph){ .times = NULL } : graph,
                                   is_first ? 0 : span_count);

    if (is_good && is_first) {
        take_over(ranks, graph, names, span_count);
    } else if (is_good && span_count > 0) {
        append(ranks, graph, *names, span_count);
    }
    PathGraphFinish(graph);
    free(*names);
    *names = NULL;
    if (!is_good) {
        return false;
    }
    ranks->span_count += span_count;
    ranks->graph.moment_count = 2 * ranks->span_count;
    ranks->ranks[ranks->rank_count] = *rank;
    ranks->ranks[ranks->rank_count++].first = first;
    return true;
}

bool PathRanksAddCall(PathRanks *ranks, CollectiveCall call)
{
    if (!OpprofGrow(&ranks->calls, &ranks->call_capacity, ranks->call_count + 1,
                    sizeof *ranks->calls)) {
        return false;
    }
    call.rank = ranks->rank_count - 1;
    call.place += ranks->ranks[call.rank].first;
    ranks->calls[ranks->call_count++] = call;
    return true;
}

/* The others' work of a collective ends with that of the last one. */
static bool tie(PathRanks *ranks, const CollectiveMatch *match, bool *waits, uint64_t *ties)
{
    const uint32_t late = (uint32_t) match->calls[match->late].place;

    for (uint32_t i = 0; i < match->count; i++) {
        const uint32_t other = (uint32_t) match->calls[i].place;

        if (i == match->late) {
            continue;
        }
        waits[other] = true;
        (*ties)++;
        if (!PathGraphTie(&ranks->graph, 2 * late + 1, 2 * other + 1)) {
            return false;
        }
    }
    return true;
}

/* The time of work that waited is not its own. */
static void clear_waiting(PathGraph *graph, const bool *waits)
{
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        PathEdge *edge = &graph->edges[i];

        if (waits[edge->owner] && edge->from == 2 * edge->owner && edge->to == edge->from + 1) {
            edge->part = PATH_WAIT;
        }
    }
}

bool PathRanksJoin(PathRanks *ranks, uint64_t *ret_ties)
{
    bool *waits = calloc((size_t) ranks->span_count + 1, sizeof *waits);
    bool is_good = waits != NULL;

    *ret_ties = 0;
    ranks->call_count = CollectivesSort(ranks->calls, ranks->call_count);
    for (size_t at = 0; is_good && at < ranks->call_count;) {
        const CollectiveMatch match = CollectivesMatch(ranks->calls + at, ranks->call_count - at);

        is_good = tie(ranks, &match, waits, ret_ties);
        at += match.count;
    }
    if (is_good) {
        clear_waiting(&ranks->graph, waits);
        is_good = PathGraphSettle(&ranks->graph);
    }
    free(waits);
    return is_good;
}

uint32_t PathRanksOf(const PathRanks *ranks, uint32_t span)
{
    uint32_t low = 0;
    uint32_t high = ranks->rank_count;

    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;

        if (ranks->ranks[middle].first <= span) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

void PathRanksFinish(PathRanks *ranks)
{
    free(ranks->ranks);
    free(ranks->names);
    free(ranks->calls);
    PathGraphFinish(&ranks->graph);
    *ranks = (PathRanks){ .rank_count = 0 };
}
