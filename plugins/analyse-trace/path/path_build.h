/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_PATH_PATH_BUILD_H
#define ANALYSE_TRACE_PATH_PATH_BUILD_H

#include "analyse-trace/path/path_graph.h"

#include <opprof/map.h>

#define PATH_NONE UINT32_MAX

/* Something with a duration: an operator or a call of the host, or a piece of work. */
typedef struct PathSpan {
    uint64_t start;
    uint64_t end;
    uint64_t id; /* ties calls and work; UINT64_MAX: none */
    uint32_t name;
    uint32_t lane; /* thread, or track */
    uint32_t call; /* of work: the host span that launched it, once built; PATH_NONE */
    uint8_t part;  /* PathPart */
    uint8_t flags; /* PATH_SPAN_ flags */
    uint16_t reserved;
} PathSpan;

#define PATH_SPAN_IS_CALL 16u /* and OPPROF_PATH_ flags */
#define PATH_SPAN_IS_FIRST 1u /* of work: the first of its call in its stream */

/* A call or a stream waits. */
typedef struct PathWait {
    uint64_t id;
    uint64_t source; /* UINT64_MAX: none */
    uint32_t lane;   /* PATH_NONE: the call waits */
    uint32_t source_lane;
} PathWait;

/* A growing list of spans. */
typedef struct PathSpans {
    PathSpan *list;
    uint32_t count;
    uint32_t capacity;
} PathSpans;

/* Events of a rank. */
typedef struct PathInput {
    PathSpans host;
    PathSpans work;
    PathWait *waits;
    uint32_t wait_count;
    uint32_t wait_capacity;
} PathInput;

/* Counts of events that could not be tied. */
typedef struct PathLosses {
    uint64_t against; /* edges that go back in time */
    uint64_t untied;  /* pieces of work for which it is unknown what they waited for */
    bool lacks_waits; /* what waited for what is not recorded: gains are unknown */
} PathLosses;

/*
 * Make the graph of a rank; it is settled. Moments 2i and 2i+1 are start and end of span i, those
 * of work come after those of the host. Lists are sorted, and ends of host spans brought inside
 * what is around them.
 * False without memory.
 */
bool PathBuild(PathInput *input, PathGraph *ret_graph, PathLosses *ret_losses);

/* The span that a number, as PathEdge.owner, belongs to. */
static inline const PathSpan *PathInputSpan(const PathInput *input, uint32_t number)
{
    return number < input->host.count ? &input->host.list[number]
                                      : &input->work.list[number - input->host.count];
}

/* Number of a piece of work in the sorted list, found by all that was known of it before;
 * PATH_NONE. */
uint32_t PathInputFindWork(const PathInput *input, const PathSpan *work);

/* A zeroed one is allowed. */
void PathInputFinish(PathInput *input);

#endif
