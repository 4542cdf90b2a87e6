/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace-threads: draws what the threads of the host did, with arrows from launches to their work.
 * Tested by tests/plugins/analyse-trace/test_threads.
 */
#include "analyse-trace/common/feed.h"

#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/log.h>
#include <opprof/records/path.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Threads {
    Feed feed; /* first: see FeedCreate */
    uint32_t work_id;
    uint32_t launch_id;
    size_t most_ranks;
    uint32_t left_out; /* ranks */
} Threads;

/* A rank while its events arrive. */
typedef struct RankThreads {
    uint32_t *tracks; /* of its threads; 0: not seen yet */
    size_t capacity;
    size_t count;
    uint64_t arrows;
    bool is_left_out;
    bool is_known; /* whether it is left out */
} RankThreads;

static bool note_thread(RankThreads *state, const OpprofPathEvent *event)
{
    if (event->thread >= state->count) {
        const size_t count = (size_t) event->thread + 1;

        if (!OpprofGrowCleared(&state->tracks, &state->capacity, count, sizeof *state->tracks)) {
            return false;
        }
        state->count = count;
    }
    state->tracks[event->thread] = event->lane + 1;
    return true;
}

static OpprofSpan span_of(const OpprofPathEvent *event, OpprofSpanKind kind, uint32_t track)
{
    const OpprofText none = { OPPROF_NA_U32, 0 };

    return (OpprofSpan){ .start = event->start,
                         .track = track,
                         .kind = kind,
                         .name = event->name,
                         .category = OPPROF_NA_STRING,
                         .colour = OPPROF_NA_STRING,
                         .args = none,
                         .id = none,
                         .group = none };
}

/* Operators, annotations, functions and calls nest in the line of their thread. */
static OpprofStatus put_host(const Threads *self, FeedRank *rank, const OpprofPathEvent *event)
{
    OpprofSpan span = span_of(event, OPPROF_SPAN_SLICE, event->lane);

    span.duration = event->duration;
    return note_thread(rank->state, event)
               ? OpprofStageAppend(self->feed.stage, 0, rank->name, &span)
               : OPPROF_E_MEMORY;
}

/* An end of an arrow. Each piece of work has its own, also where one call launched several. */
static OpprofStatus put_end(const Threads *self, const FeedRank *rank, OpprofSpan span)
{
    const RankThreads *state = rank->state;
    char id[32];
    const int length = snprintf(id, sizeof id, "launch %" PRIu64, state->arrows);
    OpprofStatus status =
        OpprofStageText(self->feed.stage, 0, rank->name, id, (size_t) length, &span.id);

    span.name = self->launch_id;
    return status == OPPROF_OK ? OpprofStageAppend(self->feed.stage, 0, rank->name, &span) : status;
}

static OpprofStatus put_arrow(const Threads *self, FeedRank *rank, const OpprofPathEvent *event)
{
    RankThreads *state = rank->state;
    OpprofSpan tail;
    OpprofStatus status;

    if (event->launched == OPPROF_NA_U64 || event->thread >= state->count ||
        state->tracks[event->thread] == 0 || event->lane == OPPROF_NA_U32) {
        return OPPROF_OK;
    }
    state->arrows++;
    tail = span_of(event, OPPROF_SPAN_FLOW_START, state->tracks[event->thread] - 1);
    tail.start = event->launched;
    status = put_end(self, rank, tail);
    return status == OPPROF_OK
               ? put_end(self, rank, span_of(event, OPPROF_SPAN_FLOW_END, event->lane))
               : status;
}

static OpprofStatus put(const Threads *self, FeedRank *rank, const OpprofPathEvent *event)
{
    if (event->thread == OPPROF_NA_U32 || event->start + event->duration < event->start) {
        return OPPROF_OK;
    }
    if (event->kind == self->work_id) {
        return put_arrow(self, rank, event);
    }
    return event->lane != OPPROF_NA_U32 && event->duration > 0 ? put_host(self, rank, event)
                                                               : OPPROF_OK;
}

/* Of many ranks the first ones are drawn: they come in one order in all runs. */
static bool is_drawn(Threads *self, RankThreads *state)
{
    if (!state->is_known) {
        state->is_known = true;
        state->is_left_out = self->feed.rank_count > self->most_ranks;
        self->left_out += state->is_left_out;
    }
    return !state->is_left_out;
}

static OpprofStatus read_batch(void *context, FeedRank *rank, const OpprofBatch *batch)
{
    Threads *self = context;
    OpprofStatus status = OPPROF_OK;

    if (!is_drawn(self, rank->state)) {
        return OPPROF_OK;
    }
    OpprofStageSetClock(self->feed.stage, 0, rank->clock);
    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        status = put(self, rank, OpprofBatchRecord(batch, i));
    }
    return status;
}

static OpprofStatus end_rank(void *context, FeedRank *rank)
{
    const Threads *self = context;
    const RankThreads *state = rank->state;

    return state->is_left_out ? OPPROF_OK : OpprofStagePushOpen(self->feed.stage, 0, UINT64_MAX);
}

static OpprofStatus put_nothing(void *context)
{
    const Threads *self = context;

    if (self->left_out > 0) {
        OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->feed.stage),
                  "Drew the threads of %zu ranks, left out those of %" PRIu32, self->most_ranks,
                  self->left_out);
    }
    return OPPROF_OK;
}

static OpprofStatus configure(void *context, const OpprofParams *params)
{
    Threads *self = context;

    self->most_ranks = (size_t) OpprofParamsInt(params, "ranks");
    return OPPROF_OK;
}

static OpprofStatus start(void *context)
{
    Threads *self = context;

    return FeedIntern(&self->feed, OPPROF_PATH_WORK, &self->work_id) &&
                   FeedIntern(&self->feed, "launch", &self->launch_id)
               ? OPPROF_OK
               : OPPROF_E_MEMORY;
}

static void free_state(void *state)
{
    RankThreads *threads = state;

    free(threads->tracks);
}

static const FeedOps feed_ops = {
    .size = sizeof(Threads),
    .state_size = sizeof(RankThreads),
    .configure = configure,
    .start = start,
    .read = read_batch,
    .end_rank = end_rank,
    .put = put_nothing,
    .free_state = free_state,
};

static const OpprofPort inputs[] = {
    FEED_PATH_INPUT,
};

static const OpprofPort outputs[] = {
    { .name = "spans",
      .record_type = &opprof_span_type,
      .summary = "Operators, annotations and calls by thread, and arrows to the work." },
};

static const OpprofParam params[] = {
    { .name = "ranks",
      .type = OPPROF_PARAM_INT,
      .default_value = "8",
      .min = 0,
      .max = 1000000,
      .summary = "Number of ranks whose threads are drawn, the first ones." },
};

FEED_DEFINE(feed_ops, inputs, outputs, .params = params, .param_count = OPPROF_COUNT(params),
            .name = "trace-threads",
            .summary = "Draws the threads of the host, with arrows from launches to their work.",
            .help = "Its timeline is for pages; the trace that was read has the same spans.");
