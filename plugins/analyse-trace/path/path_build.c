/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the graph of a rank: what follows on a thread, what a call launches, what follows in a
 * stream, who waits for whom.
 * Tested by tests/plugins/analyse-trace/test_critical_path.
 */
#include "analyse-trace/path/path_build.h"
#include "analyse-trace/path/path_builder.h"

#include <opprof/records/path.h>

#include <stdlib.h>
#include <string.h>

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

bool PathBuild(PathInput *input, PathGraph *ret_graph, PathLosses *ret_losses)
{
    Builder builder = { .input = input, .graph = ret_graph, .losses = ret_losses };
    void (*const parts[])(
        Builder *) = { BuilderClip,         BuilderIndexCalls,   BuilderMakeStreams,
                       BuilderMakeMarks,    BuilderConnectWaits, BuilderConnectThreads,
                       BuilderConnectLocks, BuilderConnectWork,  connect_orphans };

    *ret_graph = (PathGraph){ .moment_count = 0 };
    *ret_losses = (PathLosses){ .against = 0 };
    sort_host(&input->host);
    sort(&input->work, compare_work);
    builder.is_good = make_moments(input, ret_graph);
    for (size_t i = 0; builder.is_good && i < sizeof parts / sizeof parts[0]; i++) {
        parts[i](&builder);
    }
    BuilderFinish(&builder);
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
