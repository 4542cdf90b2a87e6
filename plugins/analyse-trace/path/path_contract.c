/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes the moments out of a rank's graph that only lie between others. Tested by
 * tests/plugins/analyse-trace/test_path_ranks.
 *
 * Moments are visited in order. Each has the longest ways that lead to it from nodes, one a node,
 * and hands them on to what follows. A moment to which too many nodes have ways becomes a node
 * itself.
 */
#include "analyse-trace/path/path_net.h"

#include <opprof/grow.h>

#include <stdlib.h>
#include <string.h>

#define MOST_WAYS 4u /* to a moment between nodes */
#define NONE UINT32_MAX

/* The longest way from a node to a moment. */
typedef struct Way {
    uint64_t ticks;
    uint32_t node;
    uint32_t next; /* to the same moment, or another one that is free */
    bool is_slack; /* its last edge */
} Way;

/* A rank on its way into a net. */
typedef struct Contraction {
    PathNet *net;
    const PathGraph *graph;
    bool with_lengths;
    uint32_t first_node; /* of the rank */
    uint32_t after;      /* the last node of its collectives */
    uint32_t end;        /* node for wherever its work ends */
    uint32_t *nodes;     /* for each moment, or NONE */
    uint32_t *ways;      /* for each moment: the first of its ways; NONE */
    uint32_t *end_links; /* for each moment that is a node: the link from it to `end`; NONE */
    Way *list;
    uint32_t capacity;
    uint64_t *lengths; /* of the ways in the list, as in the net */
    uint32_t length_capacity;
    uint32_t count;
    uint32_t unused; /* the first free way; NONE */
    bool is_good;    /* false: no memory */
} Contraction;

static void finish(Contraction *self)
{
    free(self->nodes);
    free(self->ways);
    free(self->end_links);
    free(self->list);
    free(self->lengths);
}

static uint64_t *lengths_of(const Contraction *self, uint32_t way)
{
    return &self->lengths[(size_t) way * PATH_NET_SHARES];
}

/* A new way without a length; NONE without memory. */
static uint32_t take_way(Contraction *self)
{
    uint32_t way = self->unused;

    if (way != NONE) {
        self->unused = self->list[way].next;
    } else if (OpprofGrow32(&self->list, &self->capacity, (size_t) self->count + 1,
                            sizeof *self->list) &&
               (!self->with_lengths ||
                OpprofGrow32(&self->lengths, &self->length_capacity, (size_t) self->count + 1,
                             PATH_NET_SHARES * sizeof *self->lengths))) {
        way = self->count++;
    } else {
        self->is_good = false;
    }
    return way;
}

static void give_way(Contraction *self, uint32_t way)
{
    self->list[way].next = self->unused;
    self->unused = way;
}

/* The way from a node to a moment; a new one is of no length. NONE without memory. */
static uint32_t find_way(Contraction *self, uint32_t moment, uint32_t node)
{
    uint32_t way = self->ways[moment];

    while (way != NONE && self->list[way].node != node) {
        way = self->list[way].next;
    }
    if (way == NONE && (way = take_way(self)) != NONE) {
        self->list[way] = (Way){ .node = node, .next = self->ways[moment], .is_slack = true };
        self->ways[moment] = way;
        if (self->with_lengths) {
            memset(lengths_of(self, way), 0, PATH_NET_SHARES * sizeof *self->lengths);
        }
    }
    return way;
}

/* A way goes on by an edge. `lengths`: of the way, NULL without any. */
static void go_on(Contraction *self, const PathEdge *edge, const Way *from, const uint64_t *lengths)
{
    const uint64_t ticks = PathGraphLength(self->graph, edge);
    const uint64_t length = from->ticks + ticks;
    const uint32_t number = find_way(self, edge->to, from->node);
    uint64_t longer[PATH_NET_SHARES];
    Way *way;

    if (number == NONE) {
        return;
    }
    way = &self->list[number];
    if (PathWayIsBetter(length, edge->is_slack, way->ticks, way->is_slack)) {
        way->ticks = length;
        way->is_slack = edge->is_slack;
    }
    if (lengths == NULL) {
        return;
    }
    for (uint32_t i = 0; i < PATH_NET_SHARES; i++) {
        longer[i] = lengths[i] + 2 * ticks;
    }
    if (edge->part != PATH_WAIT) {
        longer[2 * edge->part] -= 2 * ticks;
        longer[2 * edge->part + 1] -= ticks;
    }
    PathTakeLonger(lengths_of(self, number), longer, PATH_NET_SHARES);
}

/* ---- links ---- */

/* A way has reached a node. Returns the link's number; NONE without memory. */
static uint32_t link_way(Contraction *self, uint32_t number, uint32_t node)
{
    PathNet *net = self->net;
    const Way *way = &self->list[number];
    const PathLink link = { .from = way->node,
                            .to = node,
                            .ticks = way->ticks,
                            .lengths = net->length_count,
                            .kind = PATH_LINK_WAY,
                            .is_slack = way->is_slack };

    if ((self->with_lengths && !PathNetAddLengths(net)) || !PathNetAddLink(net, &link)) {
        self->is_good = false;
        return NONE;
    }
    if (self->with_lengths) {
        memcpy(PathNetLengths(net, link.lengths), lengths_of(self, number),
               PATH_NET_SHARES * sizeof *self->lengths);
    }
    return net->link_count - 1;
}

/* Nothing follows a moment: of all ways that a node has to such ones the longest counts. */
static void end_way(Contraction *self, uint32_t number)
{
    const Way *way = &self->list[number];
    uint32_t *link = &self->end_links[self->net->nodes[way->node].moment];

    if (self->end == NONE) {
        self->end = PathNetAddNode(self->net, 0, PATH_NO_NODE);
        self->is_good = self->end != NONE;
    }
    if (self->is_good && *link == NONE) {
        *link = link_way(self, number, self->end);
    } else if (self->is_good) {
        PathLink *known = &self->net->links[*link];

        known->ticks = way->ticks > known->ticks ? way->ticks : known->ticks;
        if (self->with_lengths) {
            PathTakeLonger(PathNetLengths(self->net, known->lengths), lengths_of(self, number),
                           PATH_NET_SHARES);
        }
    }
}

/* The work of a collective, which is an edge of the net. */
static bool is_collective(const Contraction *self, const PathEdge *edge)
{
    const uint32_t node = self->nodes[edge->from];

    return node < self->after && node % 2 == self->first_node % 2 && PathEdgeIsSpan(edge);
}

static void link_edge(Contraction *self, const PathEdge *edge)
{
    self->is_good &=
        PathNetAddLink(self->net, &(PathLink){ .from = self->nodes[edge->from],
                                               .to = self->nodes[edge->to],
                                               .ticks = PathGraphLength(self->graph, edge),
                                               .kind = PATH_LINK_EDGE,
                                               .part = edge->part,
                                               .is_slack = edge->is_slack });
}

/* ---- moments ---- */

static void make_node(Contraction *self, uint32_t moment)
{
    if (self->nodes[moment] == NONE) {
        self->nodes[moment] = PathNetAddNode(self->net, self->graph->times[moment], moment);
        self->is_good &= self->nodes[moment] != NONE;
    }
}

static bool has_too_many_ways(const Contraction *self, uint32_t moment)
{
    uint32_t count = 0;

    for (uint32_t way = self->ways[moment]; way != NONE; way = self->list[way].next) {
        count++;
    }
    return count == 0 || count > MOST_WAYS;
}

static void visit_node(Contraction *self, uint32_t moment)
{
    static const uint64_t none[PATH_NET_SHARES] = { 0 };
    const PathGraph *graph = self->graph;
    const Way start = { .node = self->nodes[moment] };

    for (uint32_t way = self->ways[moment], next; self->is_good && way != NONE; way = next) {
        next = self->list[way].next;
        link_way(self, way, start.node);
        give_way(self, way);
    }
    for (uint32_t e = graph->first[moment]; self->is_good && e < graph->first[moment + 1]; e++) {
        const PathEdge *edge = &graph->edges[e];

        if (is_collective(self, edge)) {
            link_edge(self, edge);
        } else {
            go_on(self, edge, &start, self->with_lengths ? none : NULL);
        }
    }
}

static void visit_other(Contraction *self, uint32_t moment)
{
    const PathGraph *graph = self->graph;
    uint64_t lengths[PATH_NET_SHARES];

    for (uint32_t way = self->ways[moment], next; self->is_good && way != NONE; way = next) {
        const Way from = self->list[way];

        next = from.next;
        if (self->with_lengths) {
            memcpy(lengths, lengths_of(self, way), sizeof lengths);
        }
        if (graph->first[moment] == graph->first[moment + 1]) {
            end_way(self, way);
        }
        give_way(self, way);
        for (uint32_t e = graph->first[moment]; self->is_good && e < graph->first[moment + 1];
             e++) {
            go_on(self, &graph->edges[e], &from, self->with_lengths ? lengths : NULL);
        }
    }
}

/* A moment that nothing leads to is a node, unless nothing follows it either. */
static void visit(Contraction *self, uint32_t moment)
{
    const bool is_last = self->graph->first[moment] == self->graph->first[moment + 1];

    if (!is_last && has_too_many_ways(self, moment)) {
        make_node(self, moment);
    }
    if (!self->is_good) {
        return;
    }
    if (self->nodes[moment] == NONE) {
        visit_other(self, moment);
    } else {
        visit_node(self, moment);
    }
}

static bool begin(Contraction *self, const uint32_t *spans, uint32_t count)
{
    const size_t moments = (size_t) self->graph->moment_count + 1;

    self->nodes = reallocarray(NULL, moments, sizeof *self->nodes);
    self->ways = reallocarray(NULL, moments, sizeof *self->ways);
    self->end_links = reallocarray(NULL, moments, sizeof *self->end_links);
    self->is_good = self->nodes != NULL && self->ways != NULL && self->end_links != NULL;
    if (self->is_good) {
        memset(self->nodes, UINT8_MAX, moments * sizeof *self->nodes);
        memset(self->ways, UINT8_MAX, moments * sizeof *self->ways);
        memset(self->end_links, UINT8_MAX, moments * sizeof *self->end_links);
    }
    for (uint32_t i = 0; self->is_good && i < count; i++) {
        make_node(self, 2 * spans[i]);
        make_node(self, 2 * spans[i] + 1);
    }
    return self->is_good;
}

bool PathNetAddRank(PathNet *net, const PathGraph *graph, const uint32_t *spans, uint32_t count,
                    bool with_lengths, uint32_t *ret_root)
{
    Contraction self = { .net = net,
                         .graph = graph,
                         .with_lengths = with_lengths,
                         .first_node = net->node_count,
                         .after = net->node_count + 2 * count,
                         .end = NONE,
                         .unused = NONE };

    *ret_root = PATH_NO_NODE;
    if (begin(&self, spans, count) && graph->root != UINT32_MAX) {
        make_node(&self, graph->root);
        *ret_root = self.nodes[graph->root];
    }
    for (uint32_t i = 0; self.is_good && i < graph->ordered; i++) {
        visit(&self, graph->order[i]);
    }
    finish(&self);
    return self.is_good;
}
