/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_TRACE_PATH_PATH_BUILDER_H
#define ANALYSE_TRACE_PATH_PATH_BUILDER_H

#include "analyse-trace/path/path_build.h"

/* The work of a stream: its part of the list, and the same sorted by launch. */
typedef struct Stream {
    uint32_t lane;
    uint32_t from; /* in the list of work */
    uint32_t to;
    uint32_t *launched; /* those that are the first of their call, by the call's start */
    uint32_t launched_count;
} Stream;

/* The graph of a rank while it is made; shared by the files that each add one kind of edges. */
typedef struct Builder {
    PathInput *input;
    PathGraph *graph;
    PathLosses *losses;
    OpprofMap calls; /* number of the host span, by id */
    Stream *streams;
    uint32_t stream_count;
    uint32_t stream_capacity;
    uint32_t *sources; /* for each piece of work: the work that its stream waited for; PATH_NONE */
    uint32_t *awaited; /* for each host span: the latest moment that it waited for; PATH_NONE */
    bool *has_wait;    /* for each host span: the source states what it waited for */
    uint32_t *orphans; /* moments that no other one leads to */
    uint32_t orphan_count;
    uint32_t orphan_capacity;
    bool is_good; /* false: no memory */
} Builder;

static inline const PathSpan *BuilderHost(const Builder *builder, uint32_t i)
{
    return &builder->input->host.list[i];
}

static inline const PathSpan *BuilderWork(const Builder *builder, uint32_t i)
{
    return &builder->input->work.list[i];
}

static inline bool PathSpanIsCall(const PathSpan *span)
{
    return (span->flags & PATH_SPAN_IS_CALL) != 0;
}

/* Moments. */
static inline uint32_t HostStart(uint32_t i)
{
    return 2 * i;
}

static inline uint32_t WorkStart(const Builder *builder, uint32_t i)
{
    return 2 * (builder->input->host.count + i);
}

static inline uint32_t WorkEnd(const Builder *builder, uint32_t i)
{
    return WorkStart(builder, i) + 1;
}

/* Calls by id, then streams, then marks; before any edge. */
void BuilderIndexCalls(Builder *builder);
void BuilderMakeStreams(Builder *builder);
/* Allocate the facts about each piece of work and each host span. */
void BuilderMakeMarks(Builder *builder);
void BuilderFinish(Builder *builder);

/* Add an edge; one that goes back in time is counted and left out. */
void BuilderConnect(Builder *builder, PathEdge edge);

/* Nothing is known to lead to a moment. */
void BuilderOrphan(Builder *builder, uint32_t moment);

/* The number of the host span with that id; PATH_NONE. */
uint32_t BuilderCall(const Builder *builder, uint64_t id);

/* The start of the call that launched a piece of work. */
uint64_t BuilderLaunch(const Builder *builder, uint32_t work);

/* Bring the ends of host spans inside what is around them. */
void BuilderClip(Builder *builder);

/* What calls and streams waited for. */
void BuilderConnectWaits(Builder *builder);

/* What follows on a thread; uses what calls waited for. */
void BuilderConnectThreads(Builder *builder);

/* Calls that share a lock end one after another. */
void BuilderConnectLocks(Builder *builder);

/* What each piece of work waited for, and how long that takes at most where it was no limit. */
void BuilderConnectWork(Builder *builder);

#endif
