/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The graph of a rank while it is made: calls by id, the work of streams, edges.
 * Tested by tests/plugins/analyse-trace/test_critical_path.
 */
#include "analyse-trace/path/path_builder.h"

#include <opprof/grow.h>

#include <stdlib.h>

void BuilderConnect(Builder *builder, PathEdge edge)
{
    bool is_against;

    if (builder->is_good && !PathGraphAdd(builder->graph, edge, &is_against)) {
        builder->losses->against += is_against;
        builder->is_good = is_against;
    }
}

void BuilderOrphan(Builder *builder, uint32_t moment)
{
    if (!OpprofGrow32(&builder->orphans, &builder->orphan_capacity,
                      (size_t) builder->orphan_count + 1, sizeof *builder->orphans)) {
        builder->is_good = false;
        return;
    }
    builder->orphans[builder->orphan_count++] = moment;
}

/* ---- streams ---- */

void BuilderIndexCalls(Builder *builder)
{
    for (uint32_t i = 0; builder->is_good && i < builder->input->host.count; i++) {
        const PathSpan *span = BuilderHost(builder, i);

        if ((span->flags & PATH_SPAN_IS_CALL) != 0 && span->id != UINT64_MAX &&
            OpprofMapFind(&builder->calls, span->id) == OPPROF_MAP_NONE) {
            builder->is_good = OpprofMapPut(&builder->calls, span->id, i);
        }
    }
}

uint32_t BuilderCall(const Builder *builder, uint64_t id)
{
    const uint32_t place = id == UINT64_MAX ? OPPROF_MAP_NONE : OpprofMapFind(&builder->calls, id);

    return place == OPPROF_MAP_NONE ? PATH_NONE : place;
}

uint64_t BuilderLaunch(const Builder *builder, uint32_t work)
{
    return BuilderHost(builder, BuilderWork(builder, work)->call)->start;
}

static int compare_launches(const void *a, const void *b, void *context)
{
    const Builder *builder = context;
    const uint32_t left = *(const uint32_t *) a;
    const uint32_t right = *(const uint32_t *) b;
    const uint64_t left_start = BuilderLaunch(builder, left);
    const uint64_t right_start = BuilderLaunch(builder, right);

    if (left_start != right_start) {
        return left_start < right_start ? -1 : 1;
    }
    return left < right ? -1 : left > right;
}

/*
 * Ties a stream's work, from one number to another, to calls. `seen`: for each host span, the last
 * stream that it launched work in, plus 1.
 */
static void add_stream(Builder *builder, uint32_t from, uint32_t to, uint32_t *seen)
{
    Stream stream = { .lane = BuilderWork(builder, from)->lane, .from = from, .to = to };

    stream.launched = reallocarray(NULL, (size_t) (to - from) + 1, sizeof *stream.launched);
    if (stream.launched == NULL ||
        !OpprofGrow32(&builder->streams, &builder->stream_capacity,
                      (size_t) builder->stream_count + 1, sizeof stream)) {
        free(stream.launched);
        builder->is_good = false;
        return;
    }
    for (uint32_t i = from; i < to; i++) {
        PathSpan *work = &builder->input->work.list[i];

        work->call = BuilderCall(builder, work->id);
        work->flags = 0;
        if (work->call != PATH_NONE && seen[work->call] != builder->stream_count + 1) {
            seen[work->call] = builder->stream_count + 1;
            work->flags = PATH_SPAN_IS_FIRST;
            stream.launched[stream.launched_count++] = i;
        }
    }
    qsort_r(stream.launched, stream.launched_count, sizeof *stream.launched, compare_launches,
            builder);
    builder->streams[builder->stream_count++] = stream;
}

void BuilderMakeStreams(Builder *builder)
{
    const PathSpans *work = &builder->input->work;
    uint32_t *seen = calloc((size_t) builder->input->host.count + 1, sizeof *seen);
    uint32_t from = 0;

    builder->is_good = seen != NULL;
    for (uint32_t i = 1; builder->is_good && i <= work->count; i++) {
        if (i == work->count || work->list[i].lane != work->list[from].lane) {
            add_stream(builder, from, i, seen);
            from = i;
        }
    }
    free(seen);
}

/* ---- facts about spans ---- */

/* Allocates the facts about each piece of work and each host span. */
void BuilderMakeMarks(Builder *builder)
{
    const uint32_t work = builder->input->work.count;
    const uint32_t host = builder->input->host.count;

    builder->sources = reallocarray(NULL, (size_t) work + 1, sizeof *builder->sources);
    builder->awaited = reallocarray(NULL, (size_t) host + 1, sizeof *builder->awaited);
    builder->has_wait = calloc((size_t) host + 1, sizeof *builder->has_wait);
    if (builder->sources == NULL || builder->awaited == NULL || builder->has_wait == NULL) {
        builder->is_good = false;
        return;
    }
    for (uint32_t i = 0; i < work; i++) {
        builder->sources[i] = PATH_NONE;
    }
    for (uint32_t i = 0; i < host; i++) {
        builder->awaited[i] = PATH_NONE;
    }
}

void BuilderFinish(Builder *builder)
{
    for (uint32_t i = 0; i < builder->stream_count; i++) {
        free(builder->streams[i].launched);
    }
    free(builder->streams);
    free(builder->sources);
    free(builder->awaited);
    free(builder->has_wait);
    free(builder->orphans);
    OpprofMapFinish(&builder->calls);
}
