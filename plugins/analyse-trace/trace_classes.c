/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace-classes: a line beside each rank's timeline that shows what its devices do: compute,
 * communicate, copy, or why nothing runs. Tested by tests/plugins/analyse-trace/test_steps.
 */
#include "analyse-trace/common/feed.h"
#include "analyse-trace/common/step_parts.h"

#include <opprof/records/activity.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Classes {
    Feed feed; /* first: see FeedCreate */
    uint64_t threshold_ns;
} Classes;

/* A rank while its spans arrive. */
typedef struct RankClasses {
    StepSweep sweep;
    StepPieces pieces;
    uint32_t track; /* of its first work; the line is in the same document */
    bool has_track;
} RankClasses;

static OpprofStatus take(void *context, FeedRank *rank, const Activity *activity)
{
    const Classes *self = context;
    RankClasses *state = rank->state;

    if (activity->class >= ACTIVITY_CLASSES) {
        return OPPROF_OK;
    }
    if (!state->has_track) {
        state->track = activity->track;
        state->has_track = true;
    }
    state->sweep.pieces = &state->pieces;
    StepSweepWork(&state->sweep,
                  &(StepWork){ .class = activity->class,
                               .start_ns = activity->start_ns,
                               .end_ns = activity->end_ns,
                               .launch_ns = activity->launch_start_ns },
                  self->threshold_ns);
    return state->pieces.is_short ? OPPROF_E_MEMORY : OPPROF_OK;
}

/* The line of a rank; OPPROF_NA_U32: its document is unknown. */
static uint32_t declare_line(const Classes *self, const FeedRank *rank)
{
    const RankClasses *state = rank->state;
    const OpprofTrack *work =
        state->has_track ? OpprofStageTrackInfo(self->feed.stage, state->track) : NULL;
    char process[160];

    if (work == NULL) {
        return OPPROF_NA_U32;
    }
    snprintf(process, sizeof process, "rank %s classes",
             OpprofStageString(self->feed.stage, rank->name));
    return OpprofStageTrack(self->feed.stage, &(OpprofTrack){ .document = work->document,
                                                              .process = process,
                                                              .thread = "classes",
                                                              .process_sort = work->process_sort,
                                                              .thread_sort = -1 });
}

static uint64_t ticks_of(const FeedRank *rank, uint64_t ns)
{
    return (uint64_t) ((unsigned __int128) ns * rank->hz / 1000000000);
}

static uint32_t intern(const Classes *self, const char *word)
{
    return OpprofStageIntern(self->feed.stage, word, strlen(word));
}

static OpprofStatus put_piece(const Classes *self, const FeedRank *rank, uint32_t track,
                              const StepPiece *piece)
{
    const OpprofText none = { OPPROF_NA_U32, 0 };
    const uint64_t start = ticks_of(rank, piece->start_ns);
    const OpprofSpan span = { .start = start,
                              .duration = ticks_of(rank, piece->end_ns) - start,
                              .track = track,
                              .kind = OPPROF_SPAN_SLICE,
                              .name = intern(self, step_part_names[piece->part]),
                              .category = intern(self, OPPROF_ACTIVITY_STATE),
                              .colour = OPPROF_NA_STRING,
                              .args = none,
                              .id = none,
                              .group = none };

    return OpprofStageAppend(self->feed.stage, 0, rank->name, &span);
}

static OpprofStatus end_rank(void *context, FeedRank *rank)
{
    const Classes *self = context;
    RankClasses *state = rank->state;
    const uint32_t track = declare_line(self, rank);
    OpprofStatus status = OPPROF_OK;

    StepSweepEnd(&state->sweep);
    OpprofStageSetClock(self->feed.stage, 0, rank->clock);
    for (uint32_t i = 0; status == OPPROF_OK && track != OPPROF_NA_U32 && i < state->pieces.count;
         i++) {
        status = put_piece(self, rank, track, &state->pieces.list[i]);
    }
    free(state->pieces.list);
    state->pieces = (StepPieces){ .list = NULL };
    return status == OPPROF_OK ? OpprofStagePushOpen(self->feed.stage, 0, UINT64_MAX) : status;
}

static OpprofStatus put_nothing(void *context)
{
    (void) context;
    return OPPROF_OK;
}

static void free_state(void *state)
{
    RankClasses *classes = state;

    StepSweepFree(&classes->sweep);
    free(classes->pieces.list);
}

static OpprofStatus configure(void *context, const OpprofParams *params)
{
    Classes *self = context;

    self->threshold_ns = (uint64_t) OpprofParamsInt(params, "consecutive_kernel_delay");
    return OPPROF_OK;
}

static const FeedOps feed_ops = {
    .size = sizeof(Classes),
    .state_size = sizeof(RankClasses),
    .configure = configure,
    .take = take,
    .end_rank = end_rank,
    .put = put_nothing,
    .free_state = free_state,
};

static const OpprofPort inputs[] = { FEED_INPUT };

static const OpprofPort outputs[] = {
    { .name = "spans",
      .record_type = &opprof_span_type,
      .order = OPPROF_ORDER_START,
      .batch_records = 256,
      .summary = "What the devices of each rank do, from its first work on." },
};

static const OpprofParam params[] = {
    FEED_PARAMS,
    { .name = "consecutive_kernel_delay",
      .type = OPPROF_PARAM_DURATION,
      .default_value = "30us",
      .summary = "Shorter idle time belongs to what ran before it." },
};

FEED_DEFINE_SPANS(
    feed_ops, inputs, outputs, params, .name = "trace-classes",
    .summary = "Draws a line that shows when a rank computes, communicates or idles.");
