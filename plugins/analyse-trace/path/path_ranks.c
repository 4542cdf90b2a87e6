/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Joins the graphs of ranks where they wait for each other.
 * Tested by tests/plugins/analyse-trace/test_path_ranks.
 */
#include "analyse-trace/path/path_ranks.h"

#include <opprof/grow.h>

#include <stdlib.h>
#include <string.h>

#define SPAN_BYTES (sizeof(uint32_t) + 2 * sizeof(uint64_t)) /* its name and its times */

/*
 * Room for the spans and edges of one more rank. Sets the graph's memory again, since the caller
 * may have moved the graph.
 */
static bool make_room(PathRanks *ranks, const PathGraph *graph, uint32_t span_count)
{
    PathGraph *all = &ranks->graph;
    const size_t spans = (size_t) ranks->span_count + span_count;

    all->memory = &ranks->memory;
    return spans <= PATH_OWNER_MASK &&
           PathMemoryGrow(all->memory, &ranks->names, spans, sizeof *ranks->names) &&
           PathMemoryGrow(all->memory, &all->times, 2 * spans, sizeof *all->times) &&
           PathGraphReserve(all, (size_t) all->edge_count + graph->edge_count);
}

/* Puts a rank's graph after those before it. False without memory. */
static bool append(PathRanks *ranks, const PathGraph *graph, const uint32_t *names,
                   uint32_t span_count)
{
    const uint32_t first = ranks->span_count;
    PathGraph *all = &ranks->graph;

    if (!make_room(ranks, graph, span_count)) {
        return false;
    }
    if (span_count > 0) {
        memcpy(ranks->names + first, names, span_count * sizeof *names);
        memcpy(all->times + 2 * (size_t) first, graph->times,
               2 * (size_t) span_count * sizeof *graph->times);
    }
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        PathEdge edge = graph->edges[i];

        edge.from += 2 * first;
        edge.to += 2 * first;
        edge.owner = (edge.owner + first) & PATH_OWNER_MASK;
        all->edges[all->edge_count++] = edge;
    }
    ranks->span_count += span_count;
    all->moment_count = 2 * ranks->span_count;
    PathMemoryUse(all->memory, span_count * SPAN_BYTES + graph->edge_count * sizeof(PathEdge));
    return true;
}

/* The first rank waits for others. */
static void keep_first(PathRanks *ranks, PathGraph *graph, uint32_t **names)
{
    ranks->first = *graph;
    ranks->first_names = *names;
    *graph = (PathGraph){ .times = NULL };
    *names = NULL;
}

/* Turns the first rank into one of several. False without memory. */
static bool append_first(PathRanks *ranks)
{
    const bool is_good =
        append(ranks, &ranks->first, ranks->first_names, ranks->first.moment_count / 2);

    PathGraphFinish(&ranks->first);
    free(ranks->first_names);
    ranks->first_names = NULL;
    return is_good;
}

bool PathRanksAdd(PathRanks *ranks, const PathRank *rank, PathGraph *graph, uint32_t **names,
                  uint32_t span_count)
{
    bool is_good = OpprofGrow32(&ranks->ranks, &ranks->rank_capacity,
                                (size_t) ranks->rank_count + 1, sizeof *ranks->ranks);

    if (is_good && ranks->rank_count == 1) {
        is_good = append_first(ranks);
    }
    if (is_good) {
        ranks->ranks[ranks->rank_count] = *rank;
        ranks->ranks[ranks->rank_count].first = ranks->span_count;
    }
    if (is_good && ranks->rank_count == 0) {
        keep_first(ranks, graph, names);
    } else if (is_good) {
        is_good = append(ranks, graph, *names, span_count);
    }
    PathGraphFinish(graph);
    free(*names);
    *names = NULL;
    ranks->rank_count += is_good;
    MeetingsSeenFinish(&ranks->seen);
    return is_good;
}

bool PathRanksAddCall(PathRanks *ranks, CollectiveCall call)
{
    call.rank = ranks->rank_count - 1;
    call.place += ranks->ranks[call.rank].first;
    ranks->meetings.directory = ranks->memory.directory;
    return MeetingsAdd(&ranks->meetings, &ranks->seen, &call);
}

/* The others' work of a collective ends with that of the last one. False without memory. */
static bool tie(PathRanks *ranks, bool *waits, uint64_t *ties)
{
    for (size_t i = 0; i < ranks->meetings.call_count; i++) {
        const MeetingCall *call = MeetingsCall(&ranks->meetings, i);
        const Meeting *meeting = &ranks->meetings.list[call->meeting];

        if (call->rank == meeting->late) {
            continue;
        }
        waits[call->place] = true;
        (*ties)++;
        if (!PathGraphTie(&ranks->graph, 2 * meeting->place + 1, 2 * call->place + 1)) {
            return false;
        }
        PathMemoryUse(&ranks->memory, sizeof(PathEdge) + 4096); /* waits lie far apart */
    }
    return true;
}

/* Work that waited has no time of its own. */
static void clear_waiting(PathGraph *graph, const bool *waits)
{
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        PathEdge *edge = &graph->edges[i];

        PathMemoryUse(graph->memory, sizeof *edge + sizeof *waits);
        if (waits[edge->owner] && edge->from == 2 * edge->owner && edge->to == edge->from + 1) {
            edge->part = PATH_WAIT;
        }
    }
}

/* Each rank's moments are a block of the graph. False without memory. */
static bool make_blocks(PathRanks *ranks)
{
    ranks->ends = calloc((size_t) ranks->rank_count + 1, sizeof *ranks->ends);
    for (uint32_t i = 0; ranks->ends != NULL && i < ranks->rank_count; i++) {
        ranks->ends[i] =
            i + 1 < ranks->rank_count ? 2 * ranks->ranks[i + 1].first : ranks->graph.moment_count;
    }
    ranks->graph.ends = ranks->ends;
    ranks->graph.block_count = ranks->rank_count;
    return ranks->ends != NULL;
}

bool PathRanksJoin(PathRanks *ranks, uint64_t *ret_ties)
{
    bool *waits = PathMemoryTake(&ranks->memory, ranks->span_count, sizeof *waits);
    bool is_good = waits != NULL && make_blocks(ranks);

    *ret_ties = 0;
    is_good = is_good && tie(ranks, waits, ret_ties);
    if (is_good) {
        clear_waiting(&ranks->graph, waits);
        is_good = PathGraphSettle(&ranks->graph);
    }
    PathMemoryGive(&ranks->memory, waits);
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
    OpprofOutputDirectory *directory = ranks->memory.directory;

    PathGraphFinish(&ranks->first);
    free(ranks->first_names);
    PathGraphFinish(&ranks->graph);
    PathMemoryFinish(&ranks->memory);
    free(ranks->ranks);
    free(ranks->ends);
    MeetingsFinish(&ranks->meetings);
    MeetingsSeenFinish(&ranks->seen);
    *ranks = (PathRanks){ .memory = { .directory = directory } };
}
