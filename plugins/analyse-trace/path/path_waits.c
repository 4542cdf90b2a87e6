/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What calls and streams waited for: as the trace records it, else as the names of calls say.
 * Tested by tests/plugins/analyse-trace/test_critical_path.
 */
#include "analyse-trace/path/path_builder.h"

#include <opprof/records/path.h>

#include <stdlib.h>

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
        const uint64_t launch = BuilderLaunch(builder, stream->launched[middle]);

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
    const PathSpan *caller = BuilderHost(builder, call);
    uint32_t i = stream == NULL ? 0 : count_launches(builder, stream, caller->start, true);
    uint32_t *known;

    while (stream != NULL && i < stream->launched_count &&
           BuilderHost(builder, BuilderWork(builder, stream->launched[i])->call)->lane !=
               caller->lane) {
        i++;
    }
    if (stream == NULL || i == stream->launched_count) {
        return;
    }
    known = &builder->sources[stream->launched[i]];
    if (*known == PATH_NONE ||
        BuilderWork(builder, *known)->end < BuilderWork(builder, source)->end) {
        *known = source;
    }
    BuilderConnect(builder, (PathEdge){ .from = WorkEnd(builder, source),
                                        .to = WorkStart(builder, stream->launched[i]),
                                        .owner = WorkEnd(builder, source) / 2 & PATH_OWNER_MASK,
                                        .part = PATH_QUEUE,
                                        .is_slack = 1 });
}

static void await(Builder *builder, uint32_t call, uint32_t moment)
{
    uint32_t *awaited = &builder->awaited[call];

    if (*awaited == PATH_NONE || builder->graph->times[*awaited] < builder->graph->times[moment]) {
        *awaited = moment;
    }
}

/* A call waits for a piece of work. Work that ended after the call is not what it waited for. */
static void add_call_wait(Builder *builder, uint32_t call, uint32_t source)
{
    if (source == PATH_NONE ||
        BuilderWork(builder, source)->end > BuilderHost(builder, call)->end) {
        return;
    }
    BuilderConnect(builder, (PathEdge){ .from = WorkEnd(builder, source),
                                        .to = HostStart(call) + 1,
                                        .owner = call & PATH_OWNER_MASK,
                                        .part = PATH_HOST,
                                        .is_slack = 1 });
    await(builder, call, WorkEnd(builder, source));
}

static void wait_for_all(Builder *builder, uint32_t call)
{
    for (uint32_t i = 0; i < builder->stream_count; i++) {
        add_call_wait(
            builder, call,
            last_before(builder, &builder->streams[i], BuilderHost(builder, call)->start));
    }
}

/* The work that ended last while the call was waiting. With one stream it is known. */
static void wait_for_some(Builder *builder, uint32_t call)
{
    const PathSpan *span = BuilderHost(builder, call);
    uint32_t latest = PATH_NONE;

    if (builder->stream_count == 1) {
        wait_for_all(builder, call);
        return;
    }
    for (uint32_t i = 0; i < builder->stream_count; i++) {
        const uint32_t source = last_before(builder, &builder->streams[i], span->start);
        const uint64_t end = source == PATH_NONE ? 0 : BuilderWork(builder, source)->end;

        if (source != PATH_NONE && end >= span->start && end <= span->end &&
            (latest == PATH_NONE || BuilderWork(builder, latest)->end < end)) {
            latest = source;
        }
    }
    add_call_wait(builder, call, latest);
}

static void add_wait(Builder *builder, const PathWait *wait)
{
    const uint32_t call = BuilderCall(builder, wait->id);
    const uint32_t mark = BuilderCall(builder, wait->source);
    uint32_t source;

    if (wait->lane != PATH_NONE && wait->source_lane == PATH_NONE) {
        builder->losses->lacks_waits = true; /* a stream waits for unknown work */
        return;
    }
    if (call == PATH_NONE) {
        return;
    }
    builder->has_wait[call] = true;
    if (wait->source_lane == PATH_NONE) {
        wait_for_all(builder, call);
        return;
    }
    source = last_before(builder, stream_of(builder, wait->source_lane),
                         BuilderHost(builder, mark == PATH_NONE ? call : mark)->start);
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
        const PathSpan *span = BuilderHost(builder, i);

        if (!PathSpanIsCall(span) || builder->has_wait[i]) {
            continue;
        }
        if ((span->flags & OPPROF_PATH_WAITS_ALL) != 0) {
            wait_for_all(builder, i);
        } else if ((span->flags & OPPROF_PATH_WAITS_SOME) != 0) {
            wait_for_some(builder, i);
        }
    }
}

/* Most of the work lies before a time: the rest of it may seem to come after it where the clocks of
 * host and device differ a little. */
static bool is_mostly_before(const PathSpan *work, uint64_t time)
{
    return work->start < time && work->end - time <= time - work->start;
}

/* A call that may wait for its own work, as copies do, waited for it if that did not go on after
 * it. */
static void add_own_waits(Builder *builder)
{
    for (uint32_t i = 0; i < builder->input->work.count; i++) {
        const PathSpan *work = BuilderWork(builder, i);
        const PathSpan *call = work->call == PATH_NONE ? NULL : BuilderHost(builder, work->call);

        if (call == NULL || (call->flags & OPPROF_PATH_BLOCKS) == 0) {
            continue;
        }
        if (work->end <= call->end) {
            add_call_wait(builder, work->call, i);
        } else if (work->start >= call->start && is_mostly_before(work, call->end)) {
            await(builder, work->call, WorkStart(builder, i));
        }
    }
}

void BuilderConnectWaits(Builder *builder)
{
    builder->losses->lacks_waits = builder->input->wait_count == 0 && builder->stream_count > 1;
    for (uint32_t i = 0; i < builder->input->wait_count; i++) {
        add_wait(builder, &builder->input->waits[i]);
    }
    add_named_waits(builder);
    add_own_waits(builder);
}
