/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_PATH_PATH_NET_H
#define ANALYSE_TRACE_PATH_PATH_NET_H

#include "analyse-trace/path/path_ways.h"

#include <opprof/kit/large_array.h>

/*
 * The graphs of many ranks without the moments that only lie between others. What stays of a rank
 * are the moments at which its collectives begin and end, its first one, and the few where more
 * ways meet than are worth keeping apart; what leads from one of them to another is a link as long
 * as the longest way. So the longest way through the net is that through the whole graph, and so
 * is its length if some part takes less time: a link keeps that, too.
 */

#define PATH_NO_NODE UINT32_MAX

/* Ways with none and with half of the time of a part: 2 * part + halves. */
#define PATH_NET_SHARES (2u * PATH_WAIT)

typedef struct PathNode {
    uint64_t time;
    uint32_t moment; /* of the rank; PATH_NO_NODE: wherever its work ends */
    uint32_t reserved;
} PathNode;

typedef enum PathLinkKind {
    PATH_LINK_WAY,  /* the longest way in a rank that meets no node between */
    PATH_LINK_EDGE, /* an edge */
} PathLinkKind;

typedef struct PathLink {
    uint32_t from; /* nodes */
    uint32_t to;
    uint64_t ticks;
    uint32_t lengths; /* of a way: number of its lengths with less of a part's time */
    uint8_t kind;     /* PathLinkKind */
    uint8_t part;     /* of an edge */
    uint8_t is_slack; /* it, or the last edge of the way */
    uint8_t reserved;
} PathLink;

typedef struct PathNet {
    OpprofOutputDirectory *directory; /* of the lengths; NULL: memory */
    PathNode *nodes;
    uint32_t node_count;
    uint32_t node_capacity;
    PathLink *links;
    uint32_t link_count;
    uint32_t link_capacity;
    OpprofLargeArray lengths; /* of ways: half ticks, PATH_NET_SHARES each */
    uint32_t length_count;
    uint32_t *first; /* once settled: for each node the place in `sorted` of its first link */
    uint32_t *sorted;
    uint32_t *order; /* nodes, each after those that lead to it */
    uint32_t ordered;
} PathNet;

/* Number of a new node; PATH_NO_NODE without memory. */
uint32_t PathNetAddNode(PathNet *net, uint64_t time, uint32_t moment);

/* False without memory. */
bool PathNetAddLink(PathNet *net, const PathLink *link);

/* Lengths of a way, to be read or written before the next ones come. */
static inline uint64_t *PathNetLengths(const PathNet *net, uint32_t number)
{
    return (uint64_t *) net->lengths.bytes + (size_t) number * PATH_NET_SHARES;
}

/* Each length becomes that of the longer way. */
static inline void PathTakeLonger(uint64_t *lengths, const uint64_t *others, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        lengths[i] = others[i] > lengths[i] ? others[i] : lengths[i];
    }
}

/* Room for the lengths of one more way, all 0. False without memory. */
bool PathNetAddLengths(PathNet *net);

/*
 * Add a rank: nodes 2i and 2i+1 from the net's next one on are the moments at which spans[i] begins
 * and ends, which is work of a collective; the way through it is an edge.
 *
 * graph:         settled
 * spans:         each of them once
 * with_lengths:  with less of each part's time, too
 * ret_root:      node of the first moment, or PATH_NO_NODE
 * False without memory.
 */
bool PathNetAddRank(PathNet *net, const PathGraph *graph, const uint32_t *spans, uint32_t count,
                    bool with_lengths, uint32_t *ret_root);

/* All links are there: put them in order. False without memory. */
bool PathNetSettle(PathNet *net);

/*
 * The longest way: its links in order, to be freed.
 *
 * ret_ticks:  its length
 * NULL without memory.
 */
uint32_t *PathNetLongest(const PathNet *net, uint32_t *ret_count, uint64_t *ret_ticks);

/* Parts whose time takes less, each alone. */
typedef struct PathParts {
    uint32_t list[PATH_WAIT];
    uint32_t count;
} PathParts;

/*
 * Lengths of the longest ways with less of the time of a part; all ranks have lengths.
 *
 * ret_lengths:  half ticks: of each part with none of its time, and with half of it
 * False without memory.
 */
bool PathNetShorter(const PathNet *net, const PathParts *parts, uint64_t *ret_lengths);

/* A zeroed one is allowed. */
void PathNetFinish(PathNet *net);

#endif
