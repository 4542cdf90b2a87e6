/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the graph of a rank: what follows on a thread, what a call launches, what follows in a
 * stream, who waits for whom.
 * Tested by tests/plugins/analyse-trace/test_critical_path.
 */
#include "analyse-trace/path/path_build.h"
#include "analyse-trace/path/path_builder.h"

#include <opprof/grow.h>
#include <opprof/records/path.h>

#include <stdlib.h>
#include <string.h>

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

/* ---- order ---- */

/* By thread, then by start, outer spans before inner ones: of those with the same times the one
 * that came first. */
static int compare_host(const void *a, const void *b)
{
    const PathSpan *left = a;
    const PathSpan *right = b;

    if (left->lane != right->lane) {
        return left->lane < right->lane ? -1 : 1;
    }
    if (left->start != right->start) {
        return left->start < right->start ? -1 : 1;
    }
    if (left->end != right->end) {
        return left->end > right->end ? -1 : 1;
    }
    if ((left->flags & PATH_SPAN_IS_CALL) != (right->flags & PATH_SPAN_IS_CALL)) {
        return (left->flags & PATH_SPAN_IS_CALL) != 0 ? 1 : -1;
    }
    if (left->id != right->id) {
        return left->id < right->id ? -1 : 1;
    }
    return (left->call > right->call) - (left->call < right->call);
}

/* By stream, then by start. */
static int compare_work(const void *a, const void *b)
{
    const PathSpan *left = a;
    const PathSpan *right = b;

    if (left->lane != right->lane) {
        return left->lane < right->lane ? -1 : 1;
    }
    if (left->start != right->start) {
        return left->start < right->start ? -1 : 1;
    }
    if (left->end != right->end) {
        return left->end < right->end ? -1 : 1;
    }
    if (left->id != right->id) {
        return left->id < right->id ? -1 : 1;
    }
    return (left->name > right->name) - (left->name < right->name);
}

static void sort(PathSpans *spans, int (*compare)(const void *, const void *))
{
    if (spans->count > 1) {
        qsort(spans->list, spans->count, sizeof *spans->list, compare);
    }
}

/* `call` is each one's place until they are sorted. */
static void sort_host(PathSpans *spans)
{
    for (uint32_t i = 0; i < spans->count; i++) {
        spans->list[i].call = i;
    }
    sort(spans, compare_host);
    for (uint32_t i = 0; i < spans->count; i++) {
        spans->list[i].call = PATH_NONE;
    }
}

/* ---- streams ---- */

static void index_calls(Builder *builder)
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

static void make_streams(Builder *builder)
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

/* ---- all of it ---- */

static bool make_moments(const PathInput *input, PathGraph *graph)
{
    const uint64_t moments = 2 * ((uint64_t) input->host.count + input->work.count);
    uint32_t at = 0;

    if (moments / 2 > PATH_OWNER_MASK) {
        return false;
    }
    graph->times = reallocarray(NULL, moments + 1, sizeof *graph->times);
    graph->moment_count = (uint32_t) moments;
    for (uint32_t i = 0; graph->times != NULL && i < moments / 2; i++) {
        graph->times[at++] = PathInputSpan(input, i)->start;
        graph->times[at++] = PathInputSpan(input, i)->end;
    }
    return graph->times != NULL;
}

/* Allocates the facts about each piece of work and each host span. */
static void make_marks(Builder *builder)
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

/*
 * The rank begins at the earliest moment that nothing leads to. The host's activity before all
 * others of these is unknown, so the way there is outside of operators: each way from the beginning
 * to a moment then takes all of the time until it.
 */
static void connect_orphans(Builder *builder)
{
    const uint64_t *times = builder->graph->times;
    uint32_t root = 0;

    for (uint32_t i = 1; i < builder->orphan_count; i++) {
        root = times[builder->orphans[i]] < times[builder->orphans[root]] ? i : root;
    }
    for (uint32_t i = 0; builder->is_good && i < builder->orphan_count; i++) {
        if (i != root) {
            BuilderConnect(builder, (PathEdge){ .from = builder->orphans[root],
                                                .to = builder->orphans[i],
                                                .owner = builder->orphans[i] / 2 & PATH_OWNER_MASK,
                                                .part = PATH_OUTSIDE });
        }
    }
    builder->graph->root = builder->orphan_count == 0 ? PATH_NONE : builder->orphans[root];
}

static void finish(Builder *builder)
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

bool PathBuild(PathInput *input, PathGraph *ret_graph, PathLosses *ret_losses)
{
    Builder builder = { .input = input, .graph = ret_graph, .losses = ret_losses };
    void (*const parts[])(
        Builder *) = { BuilderClip,         index_calls,         make_streams,
                       make_marks,          BuilderConnectWaits, BuilderConnectThreads,
                       BuilderConnectLocks, BuilderConnectWork,  connect_orphans };

    *ret_graph = (PathGraph){ .moment_count = 0 };
    *ret_losses = (PathLosses){ .against = 0 };
    sort_host(&input->host);
    sort(&input->work, compare_work);
    builder.is_good = make_moments(input, ret_graph);
    for (size_t i = 0; builder.is_good && i < sizeof parts / sizeof parts[0]; i++) {
        parts[i](&builder);
    }
    finish(&builder);
    return builder.is_good && PathGraphSettle(ret_graph);
}

uint32_t PathInputFindWork(const PathInput *input, const PathSpan *work)
{
    const PathSpan *found = input->work.count == 0
                                ? NULL
                                : bsearch(work, input->work.list, input->work.count,
                                          sizeof *input->work.list, compare_work);

    return found == NULL ? PATH_NONE : (uint32_t) (found - input->work.list);
}

void PathInputFinish(PathInput *input)
{
    free(input->host.list);
    free(input->work.list);
    free(input->waits);
    *input = (PathInput){ .wait_count = 0 };
}
