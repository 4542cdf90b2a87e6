/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the graph of a rank: what follows on a thread, what a call launches, what follows in a
 * stream, who waits for whom.
 * Tested by tests/plugins/analyse-trace/test_critical_path.
 */
#include "analyse-trace/path/path_build.h"

#include <opprof/grow.h>
#include <opprof/records/path.h>

#include <stdlib.h>
#include <string.h>

/* The work of a stream: its part of the list, and the same sorted by launch. */
typedef struct Stream {
    uint32_t lane;
    uint32_t from; /* in the list of work */
    uint32_t to;
    uint32_t *launched; /* those that are the first of their call, by the call's start */
    uint32_t launched_count;
} Stream;

typedef struct Builder {
    PathInput *input;
    PathGraph *graph;
    PathLosses *losses;
    uint64_t longest_gap;
    OpprofMap calls; /* number of the host span, by id */
    Stream *streams;
    uint32_t stream_count;
    uint32_t stream_capacity;
    uint32_t *sources; /* for each piece of work: what its stream waited for before it; PATH_NONE */
    uint32_t *firsts;  /* for each piece of work: how many before it are the first of their call */
    bool *has_wait;    /* for each host span: the source states what it waited for */
    bool *goes_on;     /* for each host span: it did not wait for its work */
    bool is_good;      /* false: no memory */
} Builder;

static const PathSpan *host_at(const Builder *builder, uint32_t i)
{
    return &builder->input->host.list[i];
}

static const PathSpan *work_at(const Builder *builder, uint32_t i)
{
    return &builder->input->work.list[i];
}

/* Moments. */
static uint32_t host_start(uint32_t i)
{
    return 2 * i;
}

static uint32_t work_start(const Builder *builder, uint32_t i)
{
    return 2 * (builder->input->host.count + i);
}

static uint32_t work_end(const Builder *builder, uint32_t i)
{
    return work_start(builder, i) + 1;
}

static void connect(Builder *builder, uint32_t from, uint32_t to, uint32_t owner, PathPart part)
{
    const PathEdge edge = {
        .from = from, .to = to, .owner = owner & PATH_OWNER_MASK, .part = (uint32_t) part & 7u
    };
    bool is_against;

    if (builder->is_good && !PathGraphAdd(builder->graph, edge, &is_against)) {
        builder->losses->against += is_against;
        builder->is_good = is_against;
    }
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

/* ---- host ---- */

/* Open events of a thread, the outermost first, and the latest moment. */
typedef struct Thread {
    uint32_t *open;
    uint32_t depth;
    uint32_t capacity;
    uint32_t latest; /* moment; PATH_NONE: none yet */
} Thread;

/* The thread moves on to a moment, within the innermost open span. */
static void move_on(Builder *builder, Thread *thread, uint32_t moment)
{
    const uint32_t owner = thread->depth == 0 ? PATH_NONE : thread->open[thread->depth - 1];
    PathPart part = PATH_WAIT; /* what it does between operators is unknown */

    if (owner != PATH_NONE) {
        const PathSpan *span = host_at(builder, owner);
        const bool blocks = (span->flags & OPPROF_PATH_BLOCKS) != 0 &&
                            (span->flags & PATH_SPAN_IS_CALL) != 0 && !builder->goes_on[owner];

        part = blocks && thread->latest == host_start(owner) ? PATH_WAIT : (PathPart) span->part;
    }
    if (thread->latest != PATH_NONE) {
        connect(builder, thread->latest, moment, owner == PATH_NONE ? 0 : owner, part);
    }
    thread->latest = moment;
}

static void close_last(Builder *builder, Thread *thread)
{
    move_on(builder, thread, host_start(thread->open[thread->depth - 1]) + 1);
    thread->depth--;
}

static void open_span(Builder *builder, Thread *thread, uint32_t number)
{
    PathSpan *span = &builder->input->host.list[number];

    while (thread->depth > 0 &&
           host_at(builder, thread->open[thread->depth - 1])->end <= span->start) {
        close_last(builder, thread);
    }
    if (thread->depth > 0) {
        const uint64_t end = host_at(builder, thread->open[thread->depth - 1])->end;

        span->end = span->end < end ? span->end : end;
        builder->graph->times[host_start(number) + 1] = span->end;
    }
    move_on(builder, thread, host_start(number));
    if (!OpprofGrow32(&thread->open, &thread->capacity, (size_t) thread->depth + 1,
                      sizeof *thread->open)) {
        builder->is_good = false;
        return;
    }
    thread->open[thread->depth++] = number;
}

static void connect_threads(Builder *builder)
{
    const PathSpans *host = &builder->input->host;
    Thread thread = { .latest = PATH_NONE };

    for (uint32_t i = 0; builder->is_good && i < host->count; i++) {
        if (i > 0 && host->list[i].lane != host->list[i - 1].lane) {
            while (thread.depth > 0) {
                close_last(builder, &thread);
            }
            thread.latest = PATH_NONE;
        }
        open_span(builder, &thread, i);
    }
    while (thread.depth > 0) {
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

/* Calls that share a lock end one after another. */
static void connect_locks(Builder *builder)
{
    const PathSpans *host = &builder->input->host;
    uint32_t *list = reallocarray(NULL, (size_t) host->count + 1, sizeof *list);
    uint32_t count = 0;

    if (list == NULL) {
        builder->is_good = false;
        return;
    }
    for (uint32_t i = 0; i < host->count; i++) {
        if ((host->list[i].flags & PATH_SPAN_IS_CALL) != 0 &&
            (host->list[i].flags & OPPROF_PATH_LOCKS) != 0) {
            list[count++] = i;
        }
    }
    qsort_r(list, count, sizeof *list, compare_ends, builder->input);
    for (uint32_t i = 1; i < count; i++) {
        const PathSpan *before = host_at(builder, list[i - 1]);
        const PathSpan *after = host_at(builder, list[i]);

        if (before->lane != after->lane && after->start < before->end) {
            connect(builder, host_start(list[i - 1]) + 1, host_start(list[i]) + 1, 0, PATH_WAIT);
        }
    }
    free(list);
}

/* ---- streams ---- */

static void index_calls(Builder *builder)
{
    for (uint32_t i = 0; builder->is_good && i < builder->input->host.count; i++) {
        const PathSpan *span = host_at(builder, i);

        if ((span->flags & PATH_SPAN_IS_CALL) != 0 && span->id != UINT64_MAX &&
            OpprofMapFind(&builder->calls, span->id) == OPPROF_MAP_NONE) {
            builder->is_good = OpprofMapPut(&builder->calls, span->id, i);
        }
    }
}

static uint32_t call_of(const Builder *builder, uint64_t id)
{
    const uint32_t place = id == UINT64_MAX ? OPPROF_MAP_NONE : OpprofMapFind(&builder->calls, id);

    return place == OPPROF_MAP_NONE ? PATH_NONE : place;
}

static uint64_t launch_of(const Builder *builder, uint32_t work)
{
    return host_at(builder, work_at(builder, work)->call)->start;
}

static int compare_launches(const void *a, const void *b, void *context)
{
    const Builder *builder = context;
    const uint32_t left = *(const uint32_t *) a;
    const uint32_t right = *(const uint32_t *) b;
    const uint64_t left_start = launch_of(builder, left);
    const uint64_t right_start = launch_of(builder, right);

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
    Stream stream = { .lane = work_at(builder, from)->lane, .from = from, .to = to };

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

        work->call = call_of(builder, work->id);
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

static const Stream *stream_of(const Builder *builder, uint32_t lane)
{
    for (uint32_t i = 0; i < builder->stream_count; i++) {
        if (builder->streams[i].lane == lane) {
            return &builder->streams[i];
        }
    }
    return NULL;
}

/* How many of a stream's launches came at or before a time. */
static uint32_t count_launches(const Builder *builder, const Stream *stream, uint64_t time,
                               bool is_inclusive)
{
    uint32_t low = 0;
    uint32_t high = stream->launched_count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const uint64_t launch = launch_of(builder, stream->launched[middle]);

        if (launch < time || (is_inclusive && launch == time)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The last work of a stream that was launched before a time. */
static uint32_t last_before(const Builder *builder, const Stream *stream, uint64_t time)
{
    const uint32_t count = stream == NULL ? 0 : count_launches(builder, stream, time, false);

    return count == 0 ? PATH_NONE : stream->launched[count - 1];
}

/* ---- waits ---- */

/* A stream waits before the next work that the call's thread puts into it. */
static void add_stream_wait(Builder *builder, const PathWait *wait, uint32_t call, uint32_t source)
{
    const Stream *stream = stream_of(builder, wait->lane);
    const PathSpan *caller = host_at(builder, call);
    uint32_t i = stream == NULL ? 0 : count_launches(builder, stream, caller->start, true);

    while (stream != NULL && i < stream->launched_count &&
           host_at(builder, work_at(builder, stream->launched[i])->call)->lane != caller->lane) {
        i++;
    }
    if (stream != NULL && i < stream->launched_count) {
        uint32_t *known = &builder->sources[stream->launched[i]];

        if (*known == PATH_NONE || work_at(builder, *known)->end < work_at(builder, source)->end) {
            *known = source;
        }
        connect(builder, work_end(builder, source), work_start(builder, stream->launched[i]), 0,
                PATH_WAIT);
    }
}

/* A call waits for a piece of work. Work that ended after the call is not what it waited for. */
static void add_call_wait(Builder *builder, uint32_t call, uint32_t source)
{
    if (source != PATH_NONE && work_at(builder, source)->end <= host_at(builder, call)->end) {
        connect(builder, work_end(builder, source), host_start(call) + 1, 0, PATH_WAIT);
    }
}

static void wait_for_all(Builder *builder, uint32_t call)
{
    for (uint32_t i = 0; i < builder->stream_count; i++) {
        add_call_wait(builder, call,
                      last_before(builder, &builder->streams[i], host_at(builder, call)->start));
    }
}

/* The work that ended last while the call was waiting. */
static void wait_for_some(Builder *builder, uint32_t call)
{
    const PathSpan *span = host_at(builder, call);
    uint32_t latest = PATH_NONE;

    for (uint32_t i = 0; i < builder->stream_count; i++) {
        const uint32_t source = last_before(builder, &builder->streams[i], span->start);
        const uint64_t end = source == PATH_NONE ? 0 : work_at(builder, source)->end;

        if (source != PATH_NONE && end >= span->start && end <= span->end &&
            (latest == PATH_NONE || work_at(builder, latest)->end < end)) {
            latest = source;
        }
    }
    add_call_wait(builder, call, latest);
}

static void add_wait(Builder *builder, const PathWait *wait)
{
    const uint32_t call = call_of(builder, wait->id);
    const uint32_t mark = call_of(builder, wait->source);
    uint32_t source;

    if (call == PATH_NONE) {
        return;
    }
    builder->has_wait[call] = true;
    if (wait->source_lane == PATH_NONE) {
        wait_for_all(builder, call);
        return;
    }
    source = last_before(builder, stream_of(builder, wait->source_lane),
                         host_at(builder, mark == PATH_NONE ? call : mark)->start);
    if (source == PATH_NONE) {
        return;
    }
    if (wait->lane == PATH_NONE) {
        add_call_wait(builder, call, source);
    } else if (wait->lane != wait->source_lane) {
        add_stream_wait(builder, wait, call, source);
    }
}

/* Calls that wait, by their name, where the source does not state for what. */
static void add_named_waits(Builder *builder)
{
    for (uint32_t i = 0; i < builder->input->host.count; i++) {
        const PathSpan *span = host_at(builder, i);

        if ((span->flags & PATH_SPAN_IS_CALL) == 0 || builder->has_wait[i]) {
            continue;
        }
        if ((span->flags & OPPROF_PATH_WAITS_ALL) != 0) {
            wait_for_all(builder, i);
        } else if ((span->flags & OPPROF_PATH_WAITS_SOME) != 0) {
            wait_for_some(builder, i);
        }
    }
}

static void connect_waits(Builder *builder)
{
    for (uint32_t i = 0; i < builder->input->wait_count; i++) {
        add_wait(builder, &builder->input->waits[i]);
    }
    add_named_waits(builder);
}

/* ---- work ---- */

/* How much of a stream's work had begun before a time; only the first of each call counts. */
static uint32_t count_begun(const Builder *builder, const Stream *stream, uint64_t time)
{
    uint32_t low = stream->from;
    uint32_t high = stream->to;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (work_at(builder, middle)->start < time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return builder->firsts[low] - builder->firsts[stream->from];
}

/*
 * The work began because it was launched then: its queue was empty, and nothing delayed it.
 * Launches that follow before it begins, as in every burst of small kernels, change nothing about
 * that.
 */
static bool waited_for_launch(const Builder *builder, const Stream *stream, uint32_t number)
{
    const PathSpan *work = work_at(builder, number);
    const uint32_t source = builder->sources[number];
    uint64_t launch;

    if ((work->flags & PATH_SPAN_IS_FIRST) == 0) {
        return false;
    }
    launch = launch_of(builder, number);
    return count_launches(builder, stream, launch, true) ==
               count_begun(builder, stream, launch) + 1 &&
           (number == stream->from || launch > work_at(builder, number - 1)->end) &&
           (source == PATH_NONE || work_at(builder, source)->end < launch);
}

/* The work began because the one before it in its stream had ended. */
static bool waited_for_stream(const Builder *builder, const Stream *stream, uint32_t number)
{
    const PathSpan *work = work_at(builder, number);
    const uint32_t source = builder->sources[number];
    uint64_t end;

    if (number == stream->from) {
        return false;
    }
    end = work_at(builder, number - 1)->end;
    return end <= work->start && work->start - end < builder->longest_gap &&
           (source == PATH_NONE || work_at(builder, source)->end < end);
}

static void connect_work(Builder *builder, const Stream *stream, uint32_t number)
{
    const PathSpan *work = work_at(builder, number);
    const uint32_t owner = builder->input->host.count + number;

    connect(builder, work_start(builder, number), work_end(builder, number), owner,
            (PathPart) work->part);
    if (waited_for_launch(builder, stream, number)) {
        connect(builder, host_start(work->call), work_start(builder, number), owner, PATH_LAUNCH);
    } else if (waited_for_stream(builder, stream, number)) {
        connect(builder, work_end(builder, number - 1), work_start(builder, number), owner - 1,
                PATH_QUEUE);
    } else if (builder->sources[number] == PATH_NONE) {
        builder->losses->untied++;
    }
    if (work->call != PATH_NONE &&
        (host_at(builder, work->call)->flags & OPPROF_PATH_BLOCKS) != 0) {
        add_call_wait(builder, work->call, number);
    }
}

static void connect_streams(Builder *builder)
{
    for (uint32_t i = 0; i < builder->stream_count; i++) {
        const Stream *stream = &builder->streams[i];

        for (uint32_t work = stream->from; work < stream->to; work++) {
            connect_work(builder, stream, work);
        }
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

/* Not only the last of it, which may seem to come later where the clocks of host and device differ
 * a little. */
static bool is_mostly_after(const PathSpan *work, uint64_t time)
{
    return work->end > time && (work->start >= time || work->end - time > time - work->start);
}

/* Allocates the facts about each piece of work and each host span. */
static void make_marks(Builder *builder)
{
    const PathSpans *work = &builder->input->work;

    builder->sources = reallocarray(NULL, (size_t) work->count + 1, sizeof *builder->sources);
    builder->firsts = calloc((size_t) work->count + 1, sizeof *builder->firsts);
    builder->has_wait = calloc((size_t) builder->input->host.count + 1, sizeof *builder->has_wait);
    builder->goes_on = calloc((size_t) builder->input->host.count + 1, sizeof *builder->goes_on);
    if (builder->sources == NULL || builder->firsts == NULL || builder->has_wait == NULL ||
        builder->goes_on == NULL) {
        builder->is_good = false;
        return;
    }
    for (uint32_t i = 0; i < work->count; i++) {
        const uint32_t call = work->list[i].call;

        if (call != PATH_NONE && is_mostly_after(&work->list[i], host_at(builder, call)->end)) {
            builder->goes_on[call] = true;
        }
        builder->sources[i] = PATH_NONE;
        builder->firsts[i + 1] =
            builder->firsts[i] + ((work->list[i].flags & PATH_SPAN_IS_FIRST) != 0);
    }
}

static void finish(Builder *builder)
{
    for (uint32_t i = 0; i < builder->stream_count; i++) {
        free(builder->streams[i].launched);
    }
    free(builder->streams);
    free(builder->sources);
    free(builder->firsts);
    free(builder->has_wait);
    free(builder->goes_on);
    OpprofMapFinish(&builder->calls);
}

bool PathBuild(PathInput *input, uint64_t longest_queue_gap, PathGraph *ret_graph,
               PathLosses *ret_losses)
{
    Builder builder = {
        .input = input, .graph = ret_graph, .losses = ret_losses, .longest_gap = longest_queue_gap
    };
    void (*const parts[])(Builder *) = { index_calls,     make_streams,  make_marks,
                                         connect_threads, connect_waits, connect_locks,
                                         connect_streams };

    *ret_graph = (PathGraph){ .moment_count = 0 };
    *ret_losses = (PathLosses){ 0, 0 };
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
