/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What follows on the threads of the host: operators, calls and the time between them.
 * Tested by tests/plugins/analyse-trace/test_critical_path.
 */
#include "analyse-trace/path/path_builder.h"

#include <opprof/grow.h>
#include <opprof/records/path.h>

#include <stdlib.h>

/* Open spans of a thread, the outermost first, and the latest moment. */
typedef struct Thread {
    uint32_t *open;
    uint32_t depth;
    uint32_t capacity;
    uint32_t latest; /* moment; PATH_NONE: none yet */
} Thread;

static bool push(Builder *builder, Thread *thread, uint32_t number)
{
    if (!OpprofGrow32(&thread->open, &thread->capacity, (size_t) thread->depth + 1,
                      sizeof *thread->open)) {
        builder->is_good = false;
        return false;
    }
    thread->open[thread->depth++] = number;
    return true;
}

/* True if the innermost open span is over when a span of the same thread, or of another one,
 * begins. */
static bool is_over(const Builder *builder, const Thread *thread, const PathSpan *next)
{
    const PathSpan *open = BuilderHost(builder, thread->open[thread->depth - 1]);

    return open->lane != next->lane || open->end <= next->start;
}

void BuilderClip(Builder *builder)
{
    PathSpans *host = &builder->input->host;
    Thread thread = { .latest = PATH_NONE };

    for (uint32_t i = 0; i < host->count; i++) {
        PathSpan *span = &host->list[i];

        while (thread.depth > 0 && is_over(builder, &thread, span)) {
            thread.depth--;
        }
        if (thread.depth > 0) {
            const uint64_t end = BuilderHost(builder, thread.open[thread.depth - 1])->end;

            span->end = span->end < end ? span->end : end;
            builder->graph->times[HostStart(i) + 1] = span->end;
        }
        if (!push(builder, &thread, i)) {
            break;
        }
    }
    free(thread.open);
}

/* The time before the thread's next moment: it is that of the innermost open operator or call, or
 * lies outside of operators, where the host's activity is unknown. */
static PathEdge time_before(const Builder *builder, const Thread *thread, uint32_t moment)
{
    const bool is_outside = thread->depth == 0;
    const uint32_t owner = is_outside ? moment / 2 : thread->open[thread->depth - 1];

    return (PathEdge){ .from = thread->latest,
                       .to = moment,
                       .owner = owner & PATH_OWNER_MASK,
                       .part =
                           is_outside ? PATH_OUTSIDE : BuilderHost(builder, owner)->part & 15u };
}

static void move_on(Builder *builder, Thread *thread, uint32_t moment)
{
    if (thread->latest == PATH_NONE) {
        BuilderOrphan(builder, moment);
    } else {
        BuilderConnect(builder, time_before(builder, thread, moment));
    }
    thread->latest = moment;
}

/*
 * A call that waited ends because of the work that it waited for: what leads there is that work's
 * end and the way back to the host, or, if the work seems to end after the call by clocks that
 * differ a little, that work. The call's own time is no longer than that of calls that did not
 * wait.
 */
static void end_wait(Builder *builder, Thread *thread, uint32_t call)
{
    const uint32_t moment = HostStart(call) + 1;
    const uint32_t awaited = builder->awaited[call];
    const uint32_t work = awaited / 2 - builder->input->host.count;
    PathEdge own = time_before(builder, thread, moment);
    PathEdge wait = { .from = awaited, .to = moment, .owner = call & PATH_OWNER_MASK };

    own.is_slack = 1;
    BuilderConnect(builder, own);
    wait.part = BuilderHost(builder, call)->part & 15u;
    if (awaited % 2 == 0) {
        wait.part = BuilderWork(builder, work)->part & 15u;
        wait.owner = (awaited / 2) & PATH_OWNER_MASK;
    }
    BuilderConnect(builder, wait);
    thread->latest = moment;
}

static void close_last(Builder *builder, Thread *thread)
{
    const uint32_t last = thread->open[thread->depth - 1];
    const uint32_t awaited = builder->awaited[last];

    if (awaited != PATH_NONE &&
        builder->graph->times[awaited] > builder->graph->times[thread->latest]) {
        end_wait(builder, thread, last);
    } else {
        move_on(builder, thread, HostStart(last) + 1);
    }
    thread->depth--;
}

void BuilderConnectThreads(Builder *builder)
{
    const PathSpans *host = &builder->input->host;
    Thread thread = { .latest = PATH_NONE };

    for (uint32_t i = 0; builder->is_good && i < host->count; i++) {
        while (thread.depth > 0 && is_over(builder, &thread, &host->list[i])) {
            close_last(builder, &thread);
        }
        if (i > 0 && host->list[i].lane != host->list[i - 1].lane) {
            thread.latest = PATH_NONE;
        }
        move_on(builder, &thread, HostStart(i));
        if (!push(builder, &thread, i)) {
            break;
        }
    }
    while (builder->is_good && thread.depth > 0) {
        close_last(builder, &thread);
    }
    free(thread.open);
}

static int compare_ends(const void *a, const void *b, void *context)
{
    const PathInput *input = context;
    const PathSpan *left = &input->host.list[*(const uint32_t *) a];
    const PathSpan *right = &input->host.list[*(const uint32_t *) b];

    if (left->end != right->end) {
        return left->end < right->end ? -1 : 1;
    }
    if (left->start != right->start) {
        return left->start < right->start ? -1 : 1;
    }
    return left < right ? -1 : left > right;
}

void BuilderConnectLocks(Builder *builder)
{
    const PathSpans *host = &builder->input->host;
    uint32_t *list = reallocarray(NULL, (size_t) host->count + 1, sizeof *list);
    uint32_t count = 0;

    if (list == NULL) {
        builder->is_good = false;
        return;
    }
    for (uint32_t i = 0; i < host->count; i++) {
        if (PathSpanIsCall(&host->list[i]) && (host->list[i].flags & OPPROF_PATH_LOCKS) != 0) {
            list[count++] = i;
        }
    }
    qsort_r(list, count, sizeof *list, compare_ends, builder->input);
    for (uint32_t i = 1; i < count; i++) {
        const PathSpan *before = BuilderHost(builder, list[i - 1]);
        const PathSpan *after = BuilderHost(builder, list[i]);

        if (before->lane != after->lane && after->start < before->end) {
            BuilderConnect(builder, (PathEdge){ .from = HostStart(list[i - 1]) + 1,
                                                .to = HostStart(list[i]) + 1,
                                                .part = PATH_WAIT });
        }
    }
    free(list);
}
