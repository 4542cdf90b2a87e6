/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of the longest way through a graph, and the gain if a part were shorter.
 * Tested by tests/plugins/analyse-trace/test_critical_path.
 */
#include "analyse-trace/path/path_find.h"

#include "analyse-trace/path/path_ways.h"

#include <stdlib.h>
#include <string.h>

static PathShares all_shares(void)
{
    PathShares shares;

    memset(shares.halves, 2, sizeof shares.halves);
    return shares;
}

/* The edges of the longest way, from its end back. Contradictory data may form a circle. */
static uint32_t walk_back(const PathGraph *graph, const uint32_t *best, uint32_t last,
                          uint32_t *edges)
{
    uint32_t count = 0;

    for (uint32_t at = last; best[at] != UINT32_MAX && count < graph->moment_count;
         at = graph->edges[best[at]].from) {
        if (edges != NULL) {
            edges[count] = best[at];
        }
        count++;
        PathMemoryUse(graph->memory, PATH_STEP_BYTES);
    }
    return count;
}

/* In the order of the way. False without memory. */
static bool collect_edges(PathFound *path, const uint32_t *best, uint32_t last)
{
    path->count = walk_back(path->graph, best, last, NULL);
    path->edges = reallocarray(NULL, (size_t) path->count + 1, sizeof *path->edges);
    if (path->edges == NULL) {
        return false;
    }
    walk_back(path->graph, best, last, path->edges);
    for (uint32_t i = 0; i < path->count / 2; i++) {
        const uint32_t edge = path->edges[i];

        path->edges[i] = path->edges[path->count - 1 - i];
        path->edges[path->count - 1 - i] = edge;
    }
    return true;
}

static bool find_way(PathFound *path)
{
    const PathGraph *graph = path->graph;
    const PathShares shares = all_shares();
    uint32_t *best = PathMemoryTake(graph->memory, graph->moment_count, sizeof *best);
    uint64_t half_ticks = 0;
    uint32_t last;
    bool is_good = best != NULL && PathGraphLongest(graph, &shares, best, &last, &half_ticks);

    path->length = half_ticks / 2;
    is_good = is_good && collect_edges(path, best, last);
    PathMemoryGive(graph->memory, best);
    return is_good;
}

/* With how many shares the graph is looked at: in ordinary memory each takes 8 bytes a moment. */
#define MOST_GAINS (2u * PATH_PARTS)
#define GAINS_IN_MEMORY 2u

/* How much shorter the longest way is with half or none of the time of each of its parts. False
 * without memory. */
static bool find_gains(PathFound *path)
{
    const uint32_t at_once = path->graph->memory == NULL ? GAINS_IN_MEMORY : MOST_GAINS;
    PathShares shares[MOST_GAINS];
    uint64_t *gains[MOST_GAINS];
    uint64_t lengths[MOST_GAINS];
    uint32_t count = 0;

    for (int part = 0; part < PATH_PARTS; part++) {
        for (uint8_t halves = 0; path->parts[part].ticks > 0 && halves < 2; halves++) {
            gains[count] = halves == 0 ? &path->whole_gains[part] : &path->half_gains[part];
            shares[count] = all_shares();
            shares[count++].halves[part] = halves;
        }
    }
    for (uint32_t i = 0; i < count; i += at_once) {
        const uint32_t more = count - i < at_once ? count - i : at_once;

        if (!PathGraphLengths(path->graph, &shares[i], more, &lengths[i])) {
            return false;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        *gains[i] = 2 * path->length - lengths[i];
    }
    return true;
}

bool PathFind(const PathGraph *graph, bool with_gains, PathFound *ret_path)
{
    *ret_path = (PathFound){ .graph = graph, .has_gains = with_gains };
    if (!find_way(ret_path)) {
        return false;
    }
    for (uint32_t i = 0; i < ret_path->count; i++) {
        const PathEdge *edge = PathFoundEdge(ret_path, i);
        PathSum *sum = &ret_path->parts[edge->part];

        sum->ticks += PathGraphLength(graph, edge);
        sum->count++;
    }
    return !with_gains || find_gains(ret_path);
}

bool PathFoundNames(const PathFound *path, const uint32_t *names, ItemMap *sums)
{
    for (uint32_t i = 0; i < path->count; i++) {
        const PathEdge *edge = PathFoundEdge(path, i);
        const uint32_t name = names[edge->owner];
        PathNameSum *sum;

        if (edge->part == PATH_WAIT) {
            continue;
        }
        sum = ItemMapGet(sums, (uint64_t) edge->part << 32 | name, sizeof *sum);
        if (sum == NULL) {
            return false;
        }
        sum->name = name;
        sum->part = edge->part;
        sum->sum.ticks += PathGraphLength(path->graph, edge);
        sum->sum.count++;
    }
    return true;
}

void PathFoundFinish(PathFound *path)
{
    free(path->edges);
    *path = (PathFound){ .count = 0 };
}
