/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_PATH_PATH_FIND_H
#define ANALYSE_TRACE_PATH_PATH_FIND_H

#include "analyse-trace/common/item_map.h"
#include "analyse-trace/path/path_ways.h"

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

/* An edge on a path. */
typedef struct PathPiece {
    uint64_t start; /* of the edge, on the clock of all ranks … */
    uint64_t end;
    uint64_t ticks; /* … and its length, which is shorter if it is slack */
    uint32_t rank;  /* number among all ranks; 0 for the path of one */
    uint32_t owner; /* number of the span in that rank */
    uint32_t name;  /* of that span */
    uint32_t part;
} PathPiece;

/* The longest way through a graph. Gains are half ticks. */
typedef struct PathFound {
    PathPiece *pieces; /* in order */
    uint32_t count;
    uint64_t length; /* ticks */
    PathSum parts[PATH_PARTS];
    /* how much shorter it is if all of a part takes half its time */
    uint64_t half_gains[PATH_PARTS];
    uint64_t whole_gains[PATH_PARTS]; /* the same if it takes no time */
    bool has_gains;
} PathFound;

/* The edges that `best` leads back by from the moment `last`, the last one first; returns how many
 * there are. `edges` has room for them, or is NULL. */
uint32_t PathFindBack(const PathGraph *graph, const uint32_t *best, uint32_t last, uint32_t *edges);

/* An edge as a piece of a path. `names`: of the rank's spans. */
PathPiece PathFindPiece(const PathGraph *graph, const PathEdge *edge, const uint32_t *names);

/* All pieces are there: add up the parts. */
void PathFoundSum(PathFound *path);

/* The lengths, in half ticks, with none and with half of a part's time: what is gained. */
void PathFoundGain(PathFound *path, uint32_t part, const uint64_t lengths[2]);

/* All of the time of each part counts. */
PathShares PathSharesOfAll(void);

/*
 * Find the longest way through a settled graph and, with gains, what shorter parts of it would
 * gain. `names`: of the spans. False without memory.
 */
bool PathFind(const PathGraph *graph, const uint32_t *names, bool with_gains, PathFound *ret_path);

/* Sums by name and part, as PathNameSum. False without memory. */
bool PathFoundNames(const PathFound *path, ItemMap *sums);

/* A zeroed one is allowed. */
void PathFoundFinish(PathFound *path);

#endif
