/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What work waited for: the latest of its launch, the work before it in its stream, and work that
 * its stream waited for. Where the trace does not record waits, the latter is the work of any
 * stream that ended last before it.
 * Tested by tests/plugins/analyse-trace/test_critical_path.
 */
#include "analyse-trace/path/path_builder.h"

#include <opprof/records/path.h>

#include <stdlib.h>

/* ---- delays ---- */

#define DELAYS 4096u /* that are kept; an even number */
#define FEW 20u      /* of fewer delays the longest counts, else all but this part */

/* Delays of one kind: every so many-th, so that a long trace takes no more memory. */
typedef struct Delays {
    uint64_t list[DELAYS];
    uint64_t seen;
    uint64_t every; /* 0: all */
    uint32_t count;
    uint64_t shortest; /* of those where something else was the limit; UINT64_MAX */
} Delays;

static void add_delay(Delays *delays, uint64_t ticks)
{
    const uint64_t every = delays->every == 0 ? 1 : delays->every;

    if (delays->count == DELAYS) {
        for (uint32_t i = 0; i < DELAYS / 2; i++) {
            delays->list[i] = delays->list[2 * i];
        }
        delays->count = DELAYS / 2;
        delays->every = 2 * every;
    }
    if (delays->seen++ % (delays->every == 0 ? 1 : delays->every) == 0) {
        delays->list[delays->count++] = ticks;
    }
}

/* A delay that was no limit is at most that long. */
static void note_shorter(Delays *delays, uint64_t ticks)
{
    delays->shortest = ticks < delays->shortest ? ticks : delays->shortest;
}

static int compare_ticks(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *) a;
    const uint64_t right = *(const uint64_t *) b;

    return (left > right) - (left < right);
}

/*
 * How long the way takes at most where something else was the limit: a little longer than nearly
 * all of those that were the limit, so that no gain is promised that such a delay would eat up.
 */
static uint64_t longest_delay(Delays *delays)
{
    if (delays->count == 0) {
        return delays->shortest == UINT64_MAX ? 0 : delays->shortest;
    }
    qsort(delays->list, delays->count, sizeof *delays->list, compare_ticks);
    return delays->list[delays->count - 1 - (delays->count < FEW ? 0 : delays->count / FEW)];
}

/* ---- predecessors ---- */

typedef struct Work {
    Builder *builder;
    uint32_t *by_end; /* pieces of work by their end; NULL: not needed */
    Delays launches;
    Delays gaps;
    Delays others;  /* durations of calls that never wait */
    Delays calls;   /* of calls that could have waited */
    Delays returns; /* from work to the end of calls that waited for it */
} Work;

/* What may have kept a piece of work waiting. */
typedef struct Cause {
    uint32_t moment; /* PATH_NONE: nothing is known */
    uint32_t owner;
    PathPart part;
    uint64_t until; /* when it was over */
} Cause;

static int compare_work_ends(const void *a, const void *b, void *context)
{
    const PathInput *input = context;
    const uint32_t left = *(const uint32_t *) a;
    const uint32_t right = *(const uint32_t *) b;

    if (input->work.list[left].end != input->work.list[right].end) {
        return input->work.list[left].end < input->work.list[right].end ? -1 : 1;
    }
    return (left > right) - (left < right);
}

static bool has_overlaps(const Builder *builder)
{
    for (uint32_t i = 1; i < builder->input->work.count; i++) {
        const PathSpan *before = BuilderWork(builder, i - 1);
        const PathSpan *after = BuilderWork(builder, i);

        if (before->lane == after->lane && before->end > after->start) {
            return true;
        }
    }
    return false;
}

static bool sort_ends(Work *self)
{
    PathInput *input = self->builder->input;
    const uint32_t count = input->work.count;

    if (!self->builder->losses->lacks_waits && !has_overlaps(self->builder)) {
        return true;
    }
    self->by_end = reallocarray(NULL, (size_t) count + 1, sizeof *self->by_end);
    for (uint32_t i = 0; self->by_end != NULL && i < count; i++) {
        self->by_end[i] = i;
    }
    if (self->by_end != NULL && count > 1) {
        qsort_r(self->by_end, count, sizeof *self->by_end, compare_work_ends, input);
    }
    return self->by_end != NULL;
}

/* The work that ended last before a piece of work began; PATH_NONE. It began earlier, too, so that
 * pieces without a duration do not wait for each other. */
static uint32_t ended_before(const Work *self, uint32_t number)
{
    const uint64_t start = BuilderWork(self->builder, number)->start;
    uint32_t low = 0;
    uint32_t high = self->builder->input->work.count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (BuilderWork(self->builder, self->by_end[middle])->end <= start) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    while (low > 0 && BuilderWork(self->builder, self->by_end[low - 1])->start >= start) {
        low--;
    }
    return low == 0 ? PATH_NONE : self->by_end[low - 1];
}

/* Takes the later one of two causes. */
static void take_later(Cause *latest, Cause cause)
{
    if (cause.moment != PATH_NONE && (latest->moment == PATH_NONE || cause.until > latest->until)) {
        *latest = cause;
    }
}

/* A cause that was not the latest may be once others are gone. */
static void connect(Work *self, uint32_t number, const Cause *cause, bool is_slack)
{
    Builder *builder = self->builder;
    const uint64_t ticks =
        BuilderWork(builder, number)->start - builder->graph->times[cause->moment];
    Delays *delays = cause->part == PATH_LAUNCH ? &self->launches : &self->gaps;

    BuilderConnect(builder, (PathEdge){ .from = cause->moment,
                                        .to = WorkStart(builder, number),
                                        .owner = cause->owner & PATH_OWNER_MASK,
                                        .part = cause->part & 15u,
                                        .is_slack = is_slack });
    if (cause->part != PATH_LAUNCH && cause->part != PATH_QUEUE) {
        return;
    }
    if (is_slack) {
        note_shorter(delays, ticks);
    } else {
        add_delay(delays, ticks);
    }
}

/* The launch of a piece of work. Clocks may contradict each other. */
static Cause launch_of(const Builder *builder, uint32_t number)
{
    const PathSpan *work = BuilderWork(builder, number);
    Cause launch = { .moment = PATH_NONE };

    if (work->call == PATH_NONE) {
        return launch;
    }
    if (BuilderHost(builder, work->call)->start > work->start) {
        builder->losses->against++;
        return launch;
    }
    return (Cause){ .moment = HostStart(work->call),
                    .owner = builder->input->host.count + number,
                    .part = PATH_LAUNCH,
                    .until = BuilderHost(builder, work->call)->start };
}

/*
 * The end of other work, if that is known and came before a piece of work. Where times are rounded,
 * work that was waited for may seem to end a little after that: then it counts until there.
 */
static Cause end_of(const Builder *builder, uint32_t other, uint32_t number)
{
    const uint64_t start = BuilderWork(builder, number)->start;
    const PathSpan *before = other == PATH_NONE ? NULL : BuilderWork(builder, other);

    if (before != NULL && before->end <= start) {
        return (Cause){ .moment = WorkEnd(builder, other),
                        .owner = WorkEnd(builder, other) / 2,
                        .part = PATH_QUEUE,
                        .until = before->end };
    }
    if (before != NULL && before->start < start && before->end - start < start - before->start) {
        return (Cause){ .moment = WorkStart(builder, other),
                        .owner = WorkStart(builder, other) / 2,
                        .part = (PathPart) before->part,
                        .until = start };
    }
    return (Cause){ .moment = PATH_NONE };
}

static void connect_start(Work *self, const Stream *stream, uint32_t number)
{
    Builder *builder = self->builder;
    const Cause before = end_of(builder, number > stream->from ? number - 1 : PATH_NONE, number);
    const Cause launch = launch_of(builder, number);
    const bool looks_around =
        self->by_end != NULL && (builder->losses->lacks_waits || before.moment == PATH_NONE);
    Cause latest = end_of(builder, builder->sources[number], number);

    take_later(&latest, before);
    take_later(&latest, launch);
    if (looks_around) {
        take_later(&latest, end_of(builder, ended_before(self, number), number));
    }
    if (latest.moment == PATH_NONE) {
        BuilderOrphan(builder, WorkStart(builder, number));
        builder->losses->untied++;
        return;
    }
    connect(self, number, &latest, false);
    if (launch.moment != PATH_NONE && launch.moment != latest.moment) {
        connect(self, number, &launch, true);
    }
    if (before.moment != PATH_NONE && before.moment != latest.moment) {
        connect(self, number, &before, true);
    }
}

static void connect_streams(Work *self)
{
    Builder *builder = self->builder;

    for (uint32_t i = 0; i < builder->stream_count; i++) {
        const Stream *stream = &builder->streams[i];

        for (uint32_t work = stream->from; builder->is_good && work < stream->to; work++) {
            BuilderConnect(builder,
                           (PathEdge){ .from = WorkStart(builder, work),
                                       .to = WorkEnd(builder, work),
                                       .owner = WorkStart(builder, work) / 2 & PATH_OWNER_MASK,
                                       .part = BuilderWork(builder, work)->part & 15u });
            connect_start(self, stream, work);
        }
    }
}

/* Takes down what a call shows of the time that such calls need by themselves. */
static void note_call(Work *self, uint32_t number)
{
    const uint32_t flags = OPPROF_PATH_BLOCKS | OPPROF_PATH_WAITS_ALL | OPPROF_PATH_WAITS_SOME;
    const PathSpan *span = BuilderHost(self->builder, number);
    const uint32_t awaited = self->builder->awaited[number];
    const uint64_t end = awaited == PATH_NONE ? 0 : self->builder->graph->times[awaited];

    if (awaited != PATH_NONE && end > span->start) {
        note_shorter(&self->calls, span->end - span->start);
        add_delay(&self->returns, span->end - end);
    } else if (awaited != PATH_NONE || (span->flags & flags) != 0) {
        add_delay(&self->calls, span->end - span->start);
        if (awaited != PATH_NONE) {
            note_shorter(&self->returns, span->end - end);
        }
    } else {
        add_delay(&self->others, span->end - span->start);
    }
}

/*
 * What calls that may wait take by themselves, or the way back from the work to those that waited,
 * whichever is longer. If all such calls waited, they are taken to need what other calls do.
 */
static uint64_t longest_return(Work *self)
{
    uint64_t own;
    uint64_t back;

    for (uint32_t i = 0; i < self->builder->input->host.count; i++) {
        if (PathSpanIsCall(BuilderHost(self->builder, i))) {
            note_call(self, i);
        }
    }
    own = longest_delay(&self->calls);
    if (self->calls.count == 0 && self->others.count > 0 && longest_delay(&self->others) < own) {
        own = longest_delay(&self->others);
    }
    back = longest_delay(&self->returns);
    return own > back ? own : back;
}

/* If no work waited for its stream, the gap is taken to be no longer than a launch takes. */
static uint64_t longest_gap(Work *self)
{
    const uint64_t gap = longest_delay(&self->gaps);
    const uint64_t launch = longest_delay(&self->launches);

    return self->gaps.count == 0 && self->launches.count > 0 && launch < gap ? launch : gap;
}

void BuilderConnectWork(Builder *builder)
{
    Work *self = calloc(1, sizeof *self);

    if (self == NULL) {
        builder->is_good = false;
        return;
    }
    self->builder = builder;
    self->launches.shortest = self->gaps.shortest = UINT64_MAX;
    self->calls.shortest = self->returns.shortest = self->others.shortest = UINT64_MAX;
    builder->is_good = sort_ends(self);
    if (builder->is_good) {
        connect_streams(self);
    }
    builder->graph->longest[PATH_HOST] = longest_return(self);
    builder->graph->longest[PATH_LAUNCH] = longest_delay(&self->launches);
    builder->graph->longest[PATH_QUEUE] = longest_gap(self);
    free(self->by_end);
    free(self);
}
