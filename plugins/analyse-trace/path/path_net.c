/* SPDX-License-Identifier: Apache-2.0 */
/* The longest way through a net of ranks. Tested by tests/plugins/analyse-trace/test_path_ranks. */
#include "analyse-trace/path/path_net.h"

#include <opprof/grow.h>

#include <stdlib.h>
#include <string.h>

/* Ways whose lengths are used before they are released, and those that the system maps with one. */
#define LENGTHS_IN_HAND (UINT32_C(1) << 15)
#define LENGTHS_MAPPED 512u

uint32_t PathNetAddNode(PathNet *net, uint64_t time, uint32_t moment)
{
    if (net->node_count == PATH_NO_NODE ||
        !OpprofGrow32(&net->nodes, &net->node_capacity, (size_t) net->node_count + 1,
                      sizeof *net->nodes)) {
        return PATH_NO_NODE;
    }
    net->nodes[net->node_count] = (PathNode){ .time = time, .moment = moment };
    return net->node_count++;
}

bool PathNetAddLink(PathNet *net, const PathLink *link)
{
    if (!OpprofGrow32(&net->links, &net->link_capacity, (size_t) net->link_count + 1,
                      sizeof *net->links)) {
        return false;
    }
    net->links[net->link_count++] = *link;
    return true;
}

bool PathNetAddLengths(PathNet *net)
{
    const size_t bytes = ((size_t) net->length_count + 1) * PATH_NET_SHARES * sizeof(uint64_t);

    if (!OpprofLargeArrayGrow(&net->lengths, net->directory, bytes)) {
        return false;
    }
    net->length_count++;
    if (net->length_count % LENGTHS_IN_HAND == 0) {
        OpprofLargeArrayRest(&net->lengths);
    }
    return true;
}

/* ---- order ---- */

/* The links of each node, in the order in which they came. False without memory. */
static bool sort_links(PathNet *net)
{
    uint32_t *at = reallocarray(NULL, (size_t) net->node_count + 1, sizeof *at);

    net->first = calloc((size_t) net->node_count + 1, sizeof *net->first);
    net->sorted = reallocarray(NULL, (size_t) net->link_count + 1, sizeof *net->sorted);
    if (at == NULL || net->first == NULL || net->sorted == NULL) {
        free(at);
        return false;
    }
    for (uint32_t i = 0; i < net->link_count; i++) {
        net->first[net->links[i].from + 1]++;
    }
    for (uint32_t i = 0; i < net->node_count; i++) {
        net->first[i + 1] += net->first[i];
    }
    memcpy(at, net->first, ((size_t) net->node_count + 1) * sizeof *at);
    for (uint32_t i = 0; i < net->link_count; i++) {
        net->sorted[at[net->links[i].from]++] = i;
    }
    free(at);
    return true;
}

bool PathNetSettle(PathNet *net)
{
    uint32_t *missing = calloc((size_t) net->node_count + 1, sizeof *missing);
    uint32_t count = 0;

    net->order = reallocarray(NULL, (size_t) net->node_count + 1, sizeof *net->order);
    if (missing == NULL || net->order == NULL || !sort_links(net)) {
        free(missing);
        return false;
    }
    for (uint32_t i = 0; i < net->link_count; i++) {
        missing[net->links[i].to]++;
    }
    for (uint32_t i = 0; i < net->node_count; i++) {
        if (missing[i] == 0) {
            net->order[count++] = i;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t node = net->order[i];

        for (uint32_t l = net->first[node]; l < net->first[node + 1]; l++) {
            const uint32_t to = net->links[net->sorted[l]].to;

            if (--missing[to] == 0) {
                net->order[count++] = to;
            }
        }
    }
    net->ordered = count;
    free(missing);
    return true;
}

/* ---- ways ---- */

/* The links that `best` leads back by from a node; NULL without memory. */
static uint32_t *walk_back(const PathNet *net, const uint32_t *best, uint32_t last,
                           uint32_t *ret_count)
{
    uint32_t count = 0;
    uint32_t *links;

    for (uint32_t at = last; best[at] != UINT32_MAX; at = net->links[best[at]].from) {
        count++;
    }
    links = reallocarray(NULL, (size_t) count + 1, sizeof *links);
    *ret_count = count;
    for (uint32_t at = last; links != NULL && count > 0; at = net->links[best[at]].from) {
        links[--count] = best[at];
    }
    return links;
}

static void go_on(const PathNet *net, uint32_t node, uint64_t *lengths, uint32_t *best)
{
    for (uint32_t l = net->first[node]; l < net->first[node + 1]; l++) {
        const uint32_t number = net->sorted[l];
        const PathLink *link = &net->links[number];
        const uint64_t length = lengths[node] + link->ticks;
        const uint32_t other = best[link->to];

        if (other == UINT32_MAX || PathWayIsBetter(length, link->is_slack, lengths[link->to],
                                                   net->links[other].is_slack)) {
            lengths[link->to] = length;
            best[link->to] = number;
        }
    }
}

uint32_t *PathNetLongest(const PathNet *net, uint32_t *ret_count, uint64_t *ret_ticks)
{
    uint64_t *lengths = calloc((size_t) net->node_count + 1, sizeof *lengths);
    uint32_t *best = reallocarray(NULL, (size_t) net->node_count + 1, sizeof *best);
    uint32_t *links = NULL;
    uint32_t last = net->ordered == 0 ? 0 : net->order[0];

    if (lengths != NULL && best != NULL) {
        memset(best, UINT8_MAX, ((size_t) net->node_count + 1) * sizeof *best);
        for (uint32_t i = 0; i < net->ordered; i++) {
            const uint32_t node = net->order[i];

            last = lengths[node] > lengths[last] ? node : last;
            go_on(net, node, lengths, best);
        }
        *ret_ticks = lengths[last];
        links = walk_back(net, best, last, ret_count);
    }
    free(lengths);
    free(best);
    return links;
}

/* The lengths of a way are used: the system maps more than they take if the last ones used lie
 * elsewhere. */
static void use_lengths(const PathNet *net, uint32_t number, uint32_t *last, uint32_t *used)
{
    *used += number / LENGTHS_MAPPED == *last / LENGTHS_MAPPED ? 0 : LENGTHS_MAPPED;
    *last = number;
    if (*used >= LENGTHS_IN_HAND) {
        *used = 0;
        OpprofLargeArrayRest(&net->lengths);
    }
}

/* The lengths of a link with less of some parts' time, in half ticks. */
static void shorten(const PathNet *net, const PathLink *link, const PathParts *parts,
                    uint64_t *lengths)
{
    const uint64_t *of_way =
        link->kind == PATH_LINK_WAY ? PathNetLengths(net, link->lengths) : NULL;

    for (uint32_t i = 0; i < 2 * parts->count; i++) {
        const uint32_t part = parts->list[i / 2];

        if (of_way != NULL) {
            lengths[i] = of_way[2 * part + i % 2];
        } else {
            lengths[i] = link->ticks * (link->part == part ? i % 2 : 2);
        }
    }
}

bool PathNetShorter(const PathNet *net, const PathParts *parts, uint64_t *ret_lengths)
{
    const uint32_t count = 2 * parts->count;
    uint64_t *lengths = calloc((size_t) net->node_count + 1, count * sizeof *lengths);
    uint64_t link_lengths[PATH_NET_SHARES];
    uint32_t last = 0;
    uint32_t used = 0;

    if (lengths == NULL) {
        return false;
    }
    memset(ret_lengths, 0, count * sizeof *ret_lengths);
    for (uint32_t n = 0; n < net->ordered; n++) {
        const uint32_t node = net->order[n];
        const uint64_t *from = &lengths[(size_t) node * count];

        PathTakeLonger(ret_lengths, from, count);
        for (uint32_t l = net->first[node]; l < net->first[node + 1]; l++) {
            const PathLink *link = &net->links[net->sorted[l]];

            shorten(net, link, parts, link_lengths);
            for (uint32_t i = 0; i < count; i++) {
                link_lengths[i] += from[i];
            }
            PathTakeLonger(&lengths[(size_t) link->to * count], link_lengths, count);
            if (link->kind == PATH_LINK_WAY) {
                use_lengths(net, link->lengths, &last, &used);
            }
        }
    }
    free(lengths);
    return true;
}

void PathNetFinish(PathNet *net)
{
    OpprofOutputDirectory *directory = net->directory;

    free(net->nodes);
    free(net->links);
    free(net->first);
    free(net->sorted);
    free(net->order);
    OpprofLargeArrayFinish(&net->lengths);
    *net = (PathNet){ .directory = directory };
}
