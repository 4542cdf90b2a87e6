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
        PathRank *added = &ranks->ranks[ranks->rank_count];

        *added = *rank;
        added->first = ranks->span_count;
        added->root = graph->root == UINT32_MAX ? UINT32_MAX : graph->root + 2 * added->first;
        for (int part = 0; part < PATH_PARTS; part++) {
            uint64_t *longest = &ranks->graph.longest[part];

            *longest = graph->longest[part] > *longest ? graph->longest[part] : *longest;
        }
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

/* ---- one clock ---- */

#define DIFFERENCES 63u /* of a rank's clock, of which the middle one counts */

/* When ranks left each collective, on the clock of all. */
typedef struct Ends {
    int64_t *list;
    bool *is_known;
} Ends;

static int compare_differences(const void *a, const void *b)
{
    const int64_t left = *(const int64_t *) a;
    const int64_t right = *(const int64_t *) b;

    return (left > right) - (left < right);
}

static int64_t end_of(const PathRanks *ranks, const MeetingCall *call)
{
    return (int64_t) ranks->graph.times[2 * (size_t) call->place + 1];
}

/* The calls of a rank, from one number to another: how far its clock is ahead of that of all. False
 * if that is unknown. */
static bool find_difference(PathRanks *ranks, const Ends *ends, size_t from, size_t to,
                            int64_t *ret_difference)
{
    int64_t differences[DIFFERENCES];
    size_t count = 0;

    for (size_t i = from; i < to && count < DIFFERENCES; i++) {
        const MeetingCall *call = MeetingsCall(&ranks->meetings, i);

        if (ends->is_known[call->meeting]) {
            differences[count++] = end_of(ranks, call) - ends->list[call->meeting];
        }
    }
    if (count > 0) {
        qsort(differences, count, sizeof *differences, compare_differences);
        *ret_difference = differences[count / 2];
    }
    return count > 0;
}

/* Finds for each rank how much its times have to be moved; the calls of a rank lie together. */
static int64_t find_shifts(PathRanks *ranks, const Ends *ends)
{
    int64_t largest = 0;

    for (size_t from = 0; from < ranks->meetings.call_count;) {
        const uint32_t rank = MeetingsCall(&ranks->meetings, from)->rank;
        const bool is_first = from == 0;
        size_t to = from;
        int64_t difference = 0;

        while (to < ranks->meetings.call_count &&
               MeetingsCall(&ranks->meetings, to)->rank == rank) {
            to++;
        }
        ranks->ranks[rank].is_tied =
            find_difference(ranks, ends, from, to, &difference) || is_first;
        for (; from < to; from++) {
            const MeetingCall *call = MeetingsCall(&ranks->meetings, from);

            if (!ends->is_known[call->meeting]) {
                ends->list[call->meeting] = end_of(ranks, call) - difference;
                ends->is_known[call->meeting] = true;
            }
        }
        ranks->ranks[rank].shift = -difference;
        largest = difference > largest ? difference : largest;
    }
    return largest;
}

/* False without memory. */
static bool align(PathRanks *ranks)
{
    Ends ends = { .list = calloc((size_t) ranks->meetings.count + 1, sizeof(int64_t)),
                  .is_known = calloc((size_t) ranks->meetings.count + 1, sizeof(bool)) };
    const bool is_good = ends.list != NULL && ends.is_known != NULL;
    const int64_t largest = is_good ? find_shifts(ranks, &ends) : 0;

    for (uint32_t r = 0; is_good && r < ranks->rank_count; r++) {
        const uint32_t end =
            r + 1 < ranks->rank_count ? 2 * ranks->ranks[r + 1].first : ranks->graph.moment_count;

        ranks->ranks[r].shift += largest; /* no time becomes negative */
        for (uint32_t i = 2 * ranks->ranks[r].first; i < end; i++) {
            ranks->graph.times[i] += (uint64_t) ranks->ranks[r].shift;
            PathMemoryUse(&ranks->memory, sizeof *ranks->graph.times);
        }
    }
    free(ends.list);
    free(ends.is_known);
    return is_good;
}

/* The beginning of the first of the ranks whose clocks are known, and the last moment of these. */
static uint32_t find_root(const PathRanks *ranks, uint64_t *ret_last)
{
    const uint64_t *times = ranks->graph.times;
    uint32_t root = UINT32_MAX;

    *ret_last = 0;
    for (uint32_t r = 0; r < ranks->rank_count; r++) {
        const PathRank *rank = &ranks->ranks[r];
        const uint32_t end =
            r + 1 < ranks->rank_count ? 2 * ranks->ranks[r + 1].first : ranks->graph.moment_count;

        if (!rank->is_tied || rank->root == UINT32_MAX) {
            continue;
        }
        root = root == UINT32_MAX || times[rank->root] < times[root] ? rank->root : root;
        for (uint32_t i = 2 * rank->first; i < end; i++) {
            *ret_last = times[i] > *ret_last ? times[i] : *ret_last;
            PathMemoryUse(ranks->graph.memory, sizeof *times);
        }
    }
    return root;
}

/*
 * All begin with the rank that begins first: what the others did before is unknown. A rank whose
 * clock is not known is left alone if it does not begin among them. False without memory.
 */
static bool connect_roots(PathRanks *ranks)
{
    PathGraph *graph = &ranks->graph;
    uint64_t last;
    bool is_good = true;

    graph->root = find_root(ranks, &last);
    for (uint32_t r = 0; is_good && graph->root != UINT32_MAX && r < ranks->rank_count; r++) {
        const uint32_t own = ranks->ranks[r].root;

        is_good = own == UINT32_MAX || own == graph->root ||
                  graph->times[own] < graph->times[graph->root] || graph->times[own] > last ||
                  PathGraphTie(graph, (PathEdge){ .from = graph->root,
                                                  .to = own,
                                                  .owner = own / 2 & PATH_OWNER_MASK,
                                                  .part = PATH_OUTSIDE });
    }
    return is_good;
}

/* ---- ties ---- */

/* A collective ends for all ranks with the work of the last one, and lasts as long as that from
 * whichever begins last. False without memory. */
static bool tie_call(PathGraph *graph, const Meeting *meeting, uint32_t place)
{
    const uint32_t end = 2 * meeting->place + 1;

    return PathGraphTie(graph, (PathEdge){ .from = 2 * place,
                                           .to = end,
                                           .owner = meeting->place & PATH_OWNER_MASK,
                                           .part = PATH_COMMUNICATION,
                                           .is_slack = 1 }) &&
           PathGraphTie(graph, (PathEdge){ .from = end, .to = 2 * place + 1, .part = PATH_WAIT });
}

/* False without memory. */
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
        if (!tie_call(&ranks->graph, meeting, call->place)) {
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
    is_good = is_good && align(ranks) && tie(ranks, waits, ret_ties) && connect_roots(ranks);
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
    for (uint32_t i = 0; i < ranks->rank_count; i++) {
        free(ranks->ranks[i].steps.starts);
    }
    free(ranks->ranks);
    free(ranks->ends);
    MeetingsFinish(&ranks->meetings);
    MeetingsSeenFinish(&ranks->seen);
    *ranks = (PathRanks){ .memory = { .directory = directory } };
}
