/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_PATH_PATH_FIND_H
#define ANALYSE_TRACE_PATH_PATH_FIND_H

#include "analyse-trace/common/item_map.h"
#include "analyse-trace/path/path_graph.h"

#define PATH_STEP_BYTES (2u * 4096u) /* an edge and a moment far from those before */

/* Sum over pieces of a path. */
typedef struct PathSum {
    uint64_t ticks;
    uint64_t count;
} PathSum;

/* The sum of a path for one name in one part. */
typedef struct PathNameSum {
    uint32_t name;
    uint32_t part;
    PathSum sum;
} PathNameSum;

/* The longest way through a graph. Gains are half ticks. */
typedef struct PathFound {
    const PathGraph *graph;
    uint32_t *edges; /* in order */
    uint32_t count;
    uint64_t length; /* ticks */
    PathSum parts[PATH_PARTS];
    /* how much shorter it is if all of a part takes half its time */
    uint64_t half_gains[PATH_PARTS];
    uint64_t whole_gains[PATH_PARTS]; /* the same if it takes no time */
    bool has_gains;
} PathFound;

/* Find the longest way through a settled graph and, with gains, what shorter parts of it would
 * gain. False without memory. */
bool PathFind(const PathGraph *graph, bool with_gains, PathFound *ret_path);

static inline const PathEdge *PathFoundEdge(const PathFound *path, uint32_t i)
{
    PathMemoryUse(path->graph->memory, PATH_STEP_BYTES);
    return &path->graph->edges[path->edges[i]];
}

/* Sums by name and part, as PathNameSum; `names`: of owners. False without memory. */
bool PathFoundNames(const PathFound *path, const uint32_t *names, ItemMap *sums);

/* A zeroed one is allowed. */
void PathFoundFinish(PathFound *path);

#endif
