/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Joins the graphs of ranks where they wait for each other.
 * Tested by tests/plugins/analyse-trace/test_path_ranks.
 */
#include "analyse-trace/path/path_ranks.h"

#include <opprof/grow.h>

#include <stdlib.h>
#include <string.h>

#define BYTES_IN_HAND (UINT64_C(4) << 20) /* of graphs, before they are released */

/* ---- adding ---- */

static int compare_numbers(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *) a;
    const uint32_t right = *(const uint32_t *) b;

    return left < right ? -1 : left > right;
}

/* The spans of calls, each once, in order, to be freed; NULL without memory. */
static uint32_t *list_spans(const CollectiveCall *calls, uint32_t call_count, uint32_t *ret_count)
{
    uint32_t *spans = reallocarray(NULL, (size_t) call_count + 1, sizeof *spans);
    uint32_t count = 0;

    *ret_count = 0;
    if (spans == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < call_count; i++) {
        spans[i] = (uint32_t) calls[i].place;
    }
    if (call_count > 1) {
        qsort(spans, call_count, sizeof *spans, compare_numbers);
    }
    for (uint32_t i = 0; i < call_count; i++) {
        if (i == 0 || spans[i] != spans[i - 1]) {
            spans[count++] = spans[i];
        }
    }
    *ret_count = count;
    return spans;
}

/* The calls of a rank, at the nodes that its spans have or will have. False without memory. */
static bool add_calls(PathRanks *ranks, const PathRank *rank, const uint32_t *spans,
                      CollectiveCall *calls, uint32_t call_count)
{
    MeetingsSeen seen = { .bits = NULL };
    bool is_good = true;

    ranks->meetings.directory = ranks->directory;
    for (uint32_t i = 0; is_good && i < call_count; i++) {
        const uint32_t span = (uint32_t) calls[i].place;
        const uint32_t *found =
            bsearch(&span, spans, rank->collectives, sizeof *spans, compare_numbers);

        calls[i].rank = ranks->rank_count;
        calls[i].place = rank->first_node + 2 * (uint64_t) (found - spans);
        is_good = MeetingsAdd(&ranks->meetings, &seen, &calls[i]);
    }
    MeetingsSeenFinish(&seen);
    return is_good;
}

/* Puts an array into the file; `*place` moves on, by whole words. */
static void put_array(PathRanks *ranks, uint64_t *place, const void *items, size_t bytes)
{
    if (bytes > 0) {
        memcpy((char *) ranks->graphs.bytes + *place, items, bytes);
    }
    *place += (bytes + 7) / 8 * 8;
}

/* As PathRanksGraph reads it. False without memory. */
static bool store_graph(PathRanks *ranks, PathRank *rank, const PathGraph *graph,
                        const uint32_t *names)
{
    const size_t moments = graph->moment_count;
    const size_t number = sizeof(uint32_t);
    uint64_t place = ranks->graph_bytes;
    const size_t bytes = moments * (sizeof *graph->times + 2 * number + number / 2) + number +
                         graph->edge_count * sizeof *graph->edges + 5 * sizeof(uint64_t);

    if (!OpprofLargeArrayGrow(&ranks->graphs, ranks->directory, place + bytes)) {
        return false;
    }
    rank->place = place;
    rank->moment_count = graph->moment_count;
    rank->edge_count = graph->edge_count;
    rank->ordered = graph->ordered;
    memcpy(rank->longest, graph->longest, sizeof rank->longest);
    put_array(ranks, &place, graph->times, moments * sizeof *graph->times);
    put_array(ranks, &place, graph->edges, graph->edge_count * sizeof *graph->edges);
    put_array(ranks, &place, graph->first, (moments + 1) * number);
    put_array(ranks, &place, graph->order, moments * number);
    put_array(ranks, &place, names, moments / 2 * number);
    ranks->graph_bytes = place;
    if (place - ranks->rested >= BYTES_IN_HAND) {
        ranks->rested = place;
        OpprofLargeArrayRest(&ranks->graphs);
    }
    return true;
}

/* A rank takes its place among others. False without memory. */
static bool contract(PathRanks *ranks, PathRank *rank, const PathAlone *alone)
{
    ranks->net.directory = ranks->directory;
    for (uint32_t i = 0; i < alone->graph.moment_count; i++) {
        rank->last = alone->graph.times[i] > rank->last ? alone->graph.times[i] : rank->last;
    }
    return PathNetAddRank(&ranks->net, &alone->graph, alone->spans, rank->collectives,
                          rank->with_lengths, &rank->root) &&
           store_graph(ranks, rank, &alone->graph, alone->names);
}

static void free_alone(PathAlone *alone)
{
    PathGraphFinish(&alone->graph);
    free(alone->names);
    free(alone->spans);
    *alone = (PathAlone){ .names = NULL };
}

/* The first rank becomes one of several. False without memory. */
static bool contract_first(PathRanks *ranks)
{
    const bool is_good = ranks->rank_count != 1 || contract(ranks, &ranks->ranks[0], &ranks->first);

    free_alone(&ranks->first);
    return is_good;
}

bool PathRanksAdd(PathRanks *ranks, const PathRank *rank, PathGraph *graph, uint32_t **names,
                  CollectiveCall *calls, uint32_t call_count)
{
    PathRank added = *rank;
    PathAlone alone = { .graph = *graph,
                        .names = *names,
                        .spans = list_spans(calls, call_count, &added.collectives) };
    bool is_good = alone.spans != NULL && contract_first(ranks) &&
                   OpprofGrow32(&ranks->ranks, &ranks->rank_capacity,
                                (size_t) ranks->rank_count + 1, sizeof *ranks->ranks);

    *graph = (PathGraph){ .moment_count = 0 };
    *names = NULL;
    added.root = PATH_NO_NODE;
    added.first_node = ranks->net.node_count;
    is_good = is_good && add_calls(ranks, &added, alone.spans, calls, call_count);
    if (is_good && ranks->rank_count == 0) {
        ranks->first = alone;
    } else {
        is_good = is_good && contract(ranks, &added, &alone);
        free_alone(&alone);
    }
    if (is_good) {
        ranks->ranks[ranks->rank_count++] = added;
    }
    return is_good;
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
    return (int64_t) ranks->net.nodes[(size_t) call->place + 1].time;
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

/* The node after a rank's last one. */
static uint32_t after_rank(const PathRanks *ranks, uint32_t rank)
{
    return rank + 1 < ranks->rank_count ? ranks->ranks[rank + 1].first_node : ranks->net.node_count;
}

/* False without memory. */
static bool align(PathRanks *ranks)
{
    Ends ends = { .list = calloc((size_t) ranks->meetings.count + 1, sizeof(int64_t)),
                  .is_known = calloc((size_t) ranks->meetings.count + 1, sizeof(bool)) };
    const bool is_good = ends.list != NULL && ends.is_known != NULL;
    const int64_t largest = is_good ? find_shifts(ranks, &ends) : 0;

    for (uint32_t r = 0; is_good && r < ranks->rank_count; r++) {
        ranks->ranks[r].shift += largest; /* no time becomes negative */
        for (uint32_t i = ranks->ranks[r].first_node; i < after_rank(ranks, r); i++) {
            ranks->net.nodes[i].time += (uint64_t) ranks->ranks[r].shift;
        }
    }
    free(ends.list);
    free(ends.is_known);
    return is_good;
}

/* The beginning of the first of the ranks whose clocks are known, and the last moment of these. */
static uint32_t find_root(const PathRanks *ranks, uint64_t *ret_last)
{
    const PathNode *nodes = ranks->net.nodes;
    uint32_t root = PATH_NO_NODE;

    *ret_last = 0;
    for (uint32_t r = 0; r < ranks->rank_count; r++) {
        const PathRank *rank = &ranks->ranks[r];
        const uint64_t last = rank->last + (uint64_t) rank->shift;

        if (!rank->is_tied || rank->root == PATH_NO_NODE) {
            continue;
        }
        root =
            root == PATH_NO_NODE || nodes[rank->root].time < nodes[root].time ? rank->root : root;
        *ret_last = last > *ret_last ? last : *ret_last;
    }
    return root;
}

/*
 * All begin with the rank that begins first: what the others did before is unknown. A rank whose
 * clock is not known is left alone if it does not begin among them. False without memory.
 */
static bool connect_roots(PathRanks *ranks)
{
    const PathNode *nodes = ranks->net.nodes;
    uint64_t last;
    const uint32_t root = find_root(ranks, &last);
    bool is_good = true;

    for (uint32_t r = 0; is_good && root != PATH_NO_NODE && r < ranks->rank_count; r++) {
        const uint32_t own = ranks->ranks[r].root;

        is_good =
            own == PATH_NO_NODE || own == root || nodes[own].time < nodes[root].time ||
            nodes[own].time > last ||
            PathNetAddLink(&ranks->net, &(PathLink){ .from = root,
                                                     .to = own,
                                                     .ticks = nodes[own].time - nodes[root].time,
                                                     .kind = PATH_LINK_EDGE,
                                                     .part = PATH_OUTSIDE });
    }
    return is_good;
}

/* ---- ties ---- */

/* A collective ends for all ranks with the work of the last one, and lasts as long as that from
 * whichever begins last. False without memory. */
static bool tie_call(PathNet *net, const Meeting *meeting, uint32_t place)
{
    const uint32_t end = meeting->place + 1;
    const uint64_t until = net->nodes[end].time;
    const uint64_t from = net->nodes[place].time;
    const uint64_t longest = until - net->nodes[meeting->place].time;
    const uint64_t ticks = until < from ? 0 : until - from;

    return PathNetAddLink(net, &(PathLink){ .from = place,
                                            .to = end,
                                            .ticks = ticks < longest ? ticks : longest,
                                            .kind = PATH_LINK_EDGE,
                                            .part = PATH_COMMUNICATION,
                                            .is_slack = 1 }) &&
           PathNetAddLink(
               net, &(PathLink){
                        .from = end, .to = place + 1, .kind = PATH_LINK_EDGE, .part = PATH_WAIT });
}

/* Work that waited has no time of its own. `waits`: of the nodes at which it begins. */
static void clear_waiting(PathNet *net, const bool *waits)
{
    for (uint32_t i = 0; i < net->link_count; i++) {
        PathLink *link = &net->links[i];

        if (link->kind == PATH_LINK_EDGE && waits[link->from]) {
            link->part = PATH_WAIT;
            link->ticks = 0;
        }
    }
}

/* False without memory. */
static bool tie(PathRanks *ranks, uint64_t *ret_ties)
{
    bool *waits = calloc((size_t) ranks->net.node_count + 1, sizeof *waits);
    bool is_good = waits != NULL;

    for (size_t i = 0; is_good && i < ranks->meetings.call_count; i++) {
        const MeetingCall *call = MeetingsCall(&ranks->meetings, i);

        waits[call->place] |= call->rank != ranks->meetings.list[call->meeting].late;
    }
    if (is_good) {
        clear_waiting(&ranks->net, waits);
    }
    free(waits);
    *ret_ties = 0;
    for (size_t i = 0; is_good && i < ranks->meetings.call_count; i++) {
        const MeetingCall *call = MeetingsCall(&ranks->meetings, i);
        const Meeting *meeting = &ranks->meetings.list[call->meeting];

        if (call->rank != meeting->late) {
            is_good = tie_call(&ranks->net, meeting, call->place);
            (*ret_ties)++;
        }
    }
    return is_good;
}

bool PathRanksJoin(PathRanks *ranks, PathJoined *ret_joined)
{
    const bool is_good = align(ranks) && tie(ranks, &ret_joined->ties) && connect_roots(ranks) &&
                         PathNetSettle(&ranks->net);

    ret_joined->unordered = ranks->net.node_count - ranks->net.ordered;
    return is_good;
}

/* False without memory. */
static bool find_gains(const PathNet *net, PathFound *path)
{
    uint64_t lengths[PATH_NET_SHARES];
    PathParts parts = { .count = 0 };

    for (uint32_t part = 0; part < PATH_WAIT; part++) {
        if (path->parts[part].ticks > 0) {
            parts.list[parts.count++] = part;
        }
    }
    if (!PathNetShorter(net, &parts, lengths)) {
        return false;
    }
    for (uint32_t i = 0; i < parts.count; i++) {
        PathFoundGain(path, parts.list[i], &lengths[2 * i]);
    }
    return true;
}

bool PathRanksFind(PathRanks *ranks, bool with_gains, PathFound *ret_path)
{
    uint32_t count = 0;
    uint32_t *links;

    *ret_path = (PathFound){ .has_gains = with_gains };
    links = PathNetLongest(&ranks->net, &count, &ret_path->length);
    if (links != NULL) {
        ret_path->pieces = PathRanksRetrace(ranks, links, count, &ret_path->count);
    }
    free(links);
    if (ret_path->pieces == NULL) {
        return false;
    }
    PathFoundSum(ret_path);
    return !with_gains || find_gains(&ranks->net, ret_path);
}

void PathRanksFinish(PathRanks *ranks)
{
    OpprofOutputDirectory *directory = ranks->directory;

    free_alone(&ranks->first);
    PathNetFinish(&ranks->net);
    OpprofLargeArrayFinish(&ranks->graphs);
    for (uint32_t i = 0; i < ranks->rank_count; i++) {
        free(ranks->ranks[i].steps.starts);
    }
    free(ranks->ranks);
    MeetingsFinish(&ranks->meetings);
    *ranks = (PathRanks){ .directory = directory };
}
