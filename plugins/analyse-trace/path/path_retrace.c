/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Follows a way through the net of all ranks through the graphs of those that it visits. Tested by
 * tests/plugins/analyse-trace/test_path_ranks.
 */
#include "analyse-trace/path/path_ranks.h"

#include <opprof/grow.h>

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
#define UNREACHED UINT64_MAX

/* A link of the way, and its pieces. */
typedef struct Stretch {
    uint32_t rank; /* of the node that it leads to */
    uint32_t number;
    uint32_t link;
    uint32_t from; /* the first of its pieces, in the order of ranks */
    uint32_t count;
} Stretch;

/* The graph of a rank that is visited. */
typedef struct Visit {
    const PathRank *rank;
    PathGraph graph;
    const uint32_t *names;
    uint32_t *places;  /* of the moments, in the graph's order; NONE: not in it */
    uint64_t *lengths; /* of the longest way to a moment; UNREACHED */
    uint32_t *best;    /* the edge by which it leads there */
    uint32_t *back;    /* edges of a way, the last one first */
    bool *waits;       /* for each span: it is work of a collective, which no way goes through */
} Visit;

typedef struct Retrace {
    PathRanks *ranks;
    PathPiece *pieces;
    uint32_t count;
    uint32_t capacity;
} Retrace;

static void *read_array(const PathRanks *ranks, uint64_t *place, size_t bytes)
{
    void *items = (char *) ranks->graphs.bytes + *place;

    *place += (bytes + 7) / 8 * 8;
    return items;
}

/* As PathRanksAdd stored it. */
static void read_graph(const PathRanks *ranks, Visit *visit)
{
    const PathRank *rank = visit->rank;
    const size_t moments = rank->moment_count;
    const size_t number = sizeof(uint32_t);
    uint64_t place = rank->place;
    PathGraph *graph = &visit->graph;

    *graph = (PathGraph){ .moment_count = rank->moment_count,
                          .edge_count = rank->edge_count,
                          .ordered = rank->ordered };
    memcpy(graph->longest, rank->longest, sizeof graph->longest);
    graph->times = read_array(ranks, &place, moments * sizeof *graph->times);
    graph->edges = read_array(ranks, &place, rank->edge_count * sizeof *graph->edges);
    graph->first = read_array(ranks, &place, (moments + 1) * number);
    graph->order = read_array(ranks, &place, moments * number);
    visit->names = read_array(ranks, &place, moments / 2 * number);
}

static void end_visit(const Visit *visit)
{
    free(visit->places);
    free(visit->lengths);
    free(visit->best);
    free(visit->back);
    free(visit->waits);
}

/* False without memory. */
static bool begin_visit(const PathRanks *ranks, uint32_t rank, Visit *visit)
{
    const size_t moments = (size_t) ranks->ranks[rank].moment_count + 1;

    *visit = (Visit){ .rank = &ranks->ranks[rank],
                      .places = reallocarray(NULL, moments, sizeof *visit->places),
                      .lengths = reallocarray(NULL, moments, sizeof *visit->lengths),
                      .best = reallocarray(NULL, moments, sizeof *visit->best),
                      .back = reallocarray(NULL, moments, sizeof *visit->back),
                      .waits = calloc(moments, sizeof *visit->waits) };
    if (visit->places == NULL || visit->lengths == NULL || visit->best == NULL ||
        visit->back == NULL || visit->waits == NULL) {
        return false;
    }
    read_graph(ranks, visit);
    memset(visit->places, UINT8_MAX, moments * sizeof *visit->places);
    for (uint32_t i = 0; i < visit->graph.ordered; i++) {
        visit->places[visit->graph.order[i]] = i;
    }
    for (uint32_t i = 0; i < visit->rank->collectives; i++) {
        visit->waits[ranks->net.nodes[visit->rank->first_node + 2 * i].moment / 2] = true;
    }
    return true;
}

/* ---- the way within a rank ---- */

static void reach(Visit *visit, uint32_t moment, const PathEdge *edge, uint32_t number)
{
    const uint64_t length = visit->lengths[moment] + PathGraphLength(&visit->graph, edge);
    const uint64_t other = visit->lengths[edge->to];

    if (other == UNREACHED ||
        PathWayIsBetter(length, edge->is_slack, other,
                        visit->best[edge->to] == NONE ||
                            visit->graph.edges[visit->best[edge->to]].is_slack)) {
        visit->lengths[edge->to] = length;
        visit->best[edge->to] = number;
    }
}

/*
 * Finds the longest way from one moment to another, or, for PATH_NO_NODE, to any; it meets no work
 * of a collective. Returns where it ends.
 */
static uint32_t find_way(Visit *visit, uint32_t from, uint32_t to)
{
    const PathGraph *graph = &visit->graph;
    const uint32_t first = visit->places[from];
    const uint32_t last = to == PATH_NO_NODE ? graph->ordered - 1 : visit->places[to];
    uint32_t end = from;

    for (uint32_t i = first; i <= last; i++) {
        visit->lengths[graph->order[i]] = UNREACHED;
        visit->best[graph->order[i]] = NONE;
    }
    visit->lengths[from] = 0;
    for (uint32_t i = first; i <= last; i++) {
        const uint32_t moment = graph->order[i];

        if (visit->lengths[moment] == UNREACHED) {
            continue;
        }
        end = visit->lengths[moment] > visit->lengths[end] ? moment : end;
        for (uint32_t e = graph->first[moment]; e < graph->first[moment + 1]; e++) {
            const PathEdge *edge = &graph->edges[e];
            const bool is_collective = visit->waits[edge->owner] && PathEdgeIsSpan(edge);

            /* Places that are not in order are NONE, and so behind all others. */
            if (!is_collective && visit->places[edge->to] <= last) {
                reach(visit, moment, edge, e);
            }
        }
    }
    return to == PATH_NO_NODE ? end : to;
}

static bool add_piece(Retrace *self, PathPiece piece)
{
    if (!OpprofGrow32(&self->pieces, &self->capacity, (size_t) self->count + 1,
                      sizeof *self->pieces)) {
        return false;
    }
    self->pieces[self->count++] = piece;
    return true;
}

/* False without memory. */
static bool trace_way(Retrace *self, Visit *visit, const Stretch *stretch)
{
    const PathNode *nodes = self->ranks->net.nodes;
    const PathLink *link = &self->ranks->net.links[stretch->link];
    const uint32_t end = find_way(visit, nodes[link->from].moment, nodes[link->to].moment);
    const uint32_t count = PathFindBack(&visit->graph, visit->best, end, visit->back);
    bool is_good = true;

    for (uint32_t i = count; is_good && i > 0; i--) {
        PathPiece piece =
            PathFindPiece(&visit->graph, &visit->graph.edges[visit->back[i - 1]], visit->names);

        piece.rank = stretch->rank;
        piece.start += (uint64_t) visit->rank->shift;
        piece.end += (uint64_t) visit->rank->shift;
        is_good = add_piece(self, piece);
    }
    return is_good;
}

/* An edge belongs to the span at whose moment it ends. */
static bool trace_edge(Retrace *self, const Visit *visit, const Stretch *stretch)
{
    const PathLink *link = &self->ranks->net.links[stretch->link];
    const PathNode *to = &self->ranks->net.nodes[link->to];
    const uint32_t owner = to->moment / 2;

    return add_piece(self, (PathPiece){ .start = self->ranks->net.nodes[link->from].time,
                                        .end = to->time,
                                        .ticks = link->ticks,
                                        .rank = stretch->rank,
                                        .owner = owner,
                                        .name = visit->names[owner],
                                        .part = link->part });
}

/* ---- the way through ranks ---- */

static uint32_t rank_of(const PathRanks *ranks, uint32_t node)
{
    uint32_t low = 0;
    uint32_t high = ranks->rank_count;

    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;

        if (ranks->ranks[middle].first_node <= node) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static int by_rank(const void *a, const void *b)
{
    const Stretch *left = a;
    const Stretch *right = b;

    if (left->rank != right->rank) {
        return left->rank < right->rank ? -1 : 1;
    }
    return (left->number > right->number) - (left->number < right->number);
}

static int by_number(const void *a, const void *b)
{
    const Stretch *left = a;
    const Stretch *right = b;

    return (left->number > right->number) - (left->number < right->number);
}

/* The stretches of one rank. False without memory. */
static bool trace_rank(Retrace *self, Stretch *stretches, uint32_t count)
{
    Visit visit;
    bool is_good = begin_visit(self->ranks, stretches->rank, &visit);

    for (uint32_t i = 0; is_good && i < count; i++) {
        Stretch *stretch = &stretches[i];
        const PathLink *link = &self->ranks->net.links[stretch->link];

        stretch->from = self->count;
        is_good = link->kind == PATH_LINK_WAY ? trace_way(self, &visit, stretch)
                                              : trace_edge(self, &visit, stretch);
        stretch->count = self->count - stretch->from;
    }
    end_visit(&visit);
    OpprofLargeArrayRest(&self->ranks->graphs);
    return is_good;
}

/* The pieces in the order of the way; NULL without memory. */
static PathPiece *put_in_order(const Retrace *self, const Stretch *stretches, uint32_t count)
{
    PathPiece *pieces = reallocarray(NULL, (size_t) self->count + 1, sizeof *pieces);
    uint32_t at = 0;

    for (uint32_t i = 0; pieces != NULL && i < count; i++) {
        if (stretches[i].count > 0) {
            memcpy(pieces + at, self->pieces + stretches[i].from,
                   stretches[i].count * sizeof *pieces);
        }
        at += stretches[i].count;
    }
    return pieces;
}

PathPiece *PathRanksRetrace(PathRanks *ranks, const uint32_t *links, uint32_t count,
                            uint32_t *ret_count)
{
    Stretch *stretches = reallocarray(NULL, (size_t) count + 1, sizeof *stretches);
    Retrace retrace = { .ranks = ranks };
    PathPiece *pieces = NULL;
    bool is_good = stretches != NULL;

    for (uint32_t i = 0; is_good && i < count; i++) {
        stretches[i] = (Stretch){ .rank = rank_of(ranks, ranks->net.links[links[i]].to),
                                  .number = i,
                                  .link = links[i] };
    }
    if (is_good && count > 1) {
        qsort(stretches, count, sizeof *stretches, by_rank);
    }
    for (uint32_t from = 0, to; is_good && from < count; from = to) {
        for (to = from + 1; to < count && stretches[to].rank == stretches[from].rank;) {
            to++;
        }
        is_good = trace_rank(&retrace, stretches + from, to - from);
    }
    if (is_good && count > 1) {
        qsort(stretches, count, sizeof *stretches, by_number);
    }
    pieces = is_good ? put_in_order(&retrace, stretches, count) : NULL;
    *ret_count = retrace.count;
    free(retrace.pieces);
    free(stretches);
    return pieces;
}
