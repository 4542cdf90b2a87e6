/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of the longest way through a graph, and the gain if a part were shorter.
 * Tested by tests/plugins/analyse-trace/test_critical_path.
 */
#include "analyse-trace/path/path_find.h"

#include <stdlib.h>
#include <string.h>

PathShares PathSharesOfAll(void)
{
    PathShares shares;

    memset(shares.halves, 2, sizeof shares.halves);
    return shares;
}

uint32_t PathFindBack(const PathGraph *graph, const uint32_t *best, uint32_t last, uint32_t *edges)
{
    uint32_t count = 0;

    for (uint32_t at = last; best[at] != UINT32_MAX; at = graph->edges[best[at]].from) {
        if (edges != NULL) {
            edges[count] = best[at];
        }
        count++;
    }
    return count;
}

PathPiece PathFindPiece(const PathGraph *graph, const PathEdge *edge, const uint32_t *names)
{
    return (PathPiece){ .start = graph->times[edge->from],
                        .end = graph->times[edge->to],
                        .ticks = PathGraphLength(graph, edge),
                        .owner = edge->owner,
                        .name = names[edge->owner],
                        .part = edge->part };
}

void PathFoundSum(PathFound *path)
{
    for (uint32_t i = 0; i < path->count; i++) {
        PathSum *sum = &path->parts[path->pieces[i].part];

        sum->ticks += path->pieces[i].ticks;
        sum->count++;
    }
}

void PathFoundGain(PathFound *path, uint32_t part, const uint64_t lengths[2])
{
    path->whole_gains[part] = 2 * path->length - lengths[0];
    path->half_gains[part] = 2 * path->length - lengths[1];
}

/* The pieces of the way that ends with `last`. False without memory. */
static bool collect_pieces(PathFound *path, const PathGraph *graph, const uint32_t *names,
                           const uint32_t *best, uint32_t last)
{
    const uint32_t count = PathFindBack(graph, best, last, NULL);
    uint32_t *edges = reallocarray(NULL, (size_t) count + 1, sizeof *edges);

    path->pieces = reallocarray(NULL, (size_t) count + 1, sizeof *path->pieces);
    if (edges == NULL || path->pieces == NULL) {
        free(edges);
        return false;
    }
    PathFindBack(graph, best, last, edges);
    for (uint32_t i = 0; i < count; i++) {
        path->pieces[i] = PathFindPiece(graph, &graph->edges[edges[count - 1 - i]], names);
    }
    path->count = count;
    free(edges);
    return true;
}

static bool find_way(PathFound *path, const PathGraph *graph, const uint32_t *names)
{
    const PathShares shares = PathSharesOfAll();
    uint32_t *best = reallocarray(NULL, (size_t) graph->moment_count + 1, sizeof *best);
    uint64_t half_ticks = 0;
    uint32_t last;
    bool is_good = best != NULL && PathGraphLongest(graph, &shares, best, &last, &half_ticks);

    path->length = half_ticks / 2;
    is_good = is_good && collect_pieces(path, graph, names, best, last);
    free(best);
    return is_good;
}

/* How much shorter the longest way is with none and with half of the time of each of its parts: 16
 * bytes a moment. False without memory. */
static bool find_gains(PathFound *path, const PathGraph *graph)
{
    for (int part = 0; part < PATH_PARTS; part++) {
        PathShares shares[2] = { PathSharesOfAll(), PathSharesOfAll() };
        uint64_t lengths[2];

        if (path->parts[part].ticks == 0) {
            continue;
        }
        shares[0].halves[part] = 0;
        shares[1].halves[part] = 1;
        if (!PathGraphLengths(graph, shares, 2, lengths)) {
            return false;
        }
        PathFoundGain(path, (uint32_t) part, lengths);
    }
    return true;
}

bool PathFind(const PathGraph *graph, const uint32_t *names, bool with_gains, PathFound *ret_path)
{
    *ret_path = (PathFound){ .has_gains = with_gains };
    if (!find_way(ret_path, graph, names)) {
        return false;
    }
    PathFoundSum(ret_path);
    return !with_gains || find_gains(ret_path, graph);
}

bool PathFoundNames(const PathFound *path, ItemMap *sums)
{
    for (uint32_t i = 0; i < path->count; i++) {
        const PathPiece *piece = &path->pieces[i];
        PathNameSum *sum;

        if (piece->part == PATH_WAIT) {
            continue;
        }
        sum = ItemMapGet(sums, (uint64_t) piece->part << 32 | piece->name, sizeof *sum);
        if (sum == NULL) {
            return false;
        }
        sum->name = piece->name;
        sum->part = piece->part;
        sum->sum.ticks += piece->ticks;
        sum->sum.count++;
    }
    return true;
}

void PathFoundFinish(PathFound *path)
{
    free(path->pieces);
    *path = (PathFound){ .count = 0 };
}
