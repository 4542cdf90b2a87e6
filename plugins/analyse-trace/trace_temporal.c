/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace-temporal: how long a rank's devices computed, did other work, and were idle.
 * Tested by tests/plugins/analyse-trace/test_kineto.
 */
#include "analyse-trace/common/breakdown.h"
#include "analyse-trace/common/feed.h"
#include "analyse-trace/common/item_map.h"
#include "analyse-trace/common/rank_rows.h"

#include <stddef.h>
#include <string.h>

enum { OUTPUT_RANKS, OUTPUT_DEVICES };

/* What the second half takes of a rank. */
enum { PART_DEVICES, PART_TIMES };

typedef struct Temporal {
    Feed feed; /* first: see FeedCreate */
    RankRows ranks;
    size_t rank_count;
    Breakdown all; /* sums of the ranks */
} Temporal;

/* A device of a rank. */
typedef struct DeviceTime {
    uint32_t device; /* interned */
    Sweep sweep;
} DeviceTime;

typedef struct RankTime {
    Sweep sweep;
    ItemMap devices; /* of DeviceTime, by interned name; only if requested */
    ItemMap tracks;  /* uint32_t: interned device of a track */
} RankTime;

/* The device that a track belongs to, 0 without memory. */
static uint32_t device_of(OpprofStage *stage, RankTime *times, uint32_t track)
{
    uint32_t *device = ItemMapGet(&times->tracks, track, sizeof *device);
    const OpprofTrack *info;

    if (device != NULL && *device == 0) {
        info = OpprofStageTrackInfo(stage, track);
        *device = info == NULL ? 0 : OpprofStageIntern(stage, info->process, strlen(info->process));
    }
    return device == NULL ? 0 : *device;
}

static OpprofStatus take_device(const Temporal *self, RankTime *times, const Activity *activity)
{
    const uint32_t device = device_of(self->feed.stage, times, activity->track);
    DeviceTime *time = ItemMapGet(&times->devices, device, sizeof *time);

    if (time == NULL || device == 0) {
        return OPPROF_E_MEMORY;
    }
    time->device = device;
    SweepAdd(&time->sweep, activity->class, activity->start_ns, activity->end_ns);
    return OPPROF_OK;
}

static OpprofStatus take(void *context, FeedRank *rank, const Activity *activity)
{
    const Temporal *self = context;
    RankTime *times = rank->state;

    if (activity->class >= ACTIVITY_CLASSES) {
        return OPPROF_OK;
    }
    SweepAdd(&times->sweep, activity->class, activity->start_ns, activity->end_ns);
    return FeedWants(&self->feed, PART_DEVICES) ? take_device(self, times, activity) : OPPROF_OK;
}

static void free_state(void *state)
{
    RankTime *times = state;

    ItemMapFree(&times->devices);
    ItemMapFree(&times->tracks);
}

static BreakdownRow row_of(uint32_t rank, uint32_t device, const Breakdown *breakdown)
{
    return (BreakdownRow){
        .rank = rank,
        .device = device,
        .idle_us = Microseconds(breakdown->idle_ns),
        .compute_us = Microseconds(breakdown->compute_ns),
        .non_compute_us = Microseconds(breakdown->non_compute_ns),
        .kernel_us = Microseconds(breakdown->kernel_ns),
        .idle_percent = BreakdownPercent(breakdown->idle_ns, breakdown->kernel_ns),
        .compute_percent = BreakdownPercent(breakdown->compute_ns, breakdown->kernel_ns),
        .non_compute_percent = BreakdownPercent(breakdown->non_compute_ns, breakdown->kernel_ns),
    };
}

static OpprofStatus hand_devices(Temporal *self, const FeedRank *rank)
{
    const RankTime *times = rank->state;
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < times->devices.count; i++) {
        DeviceTime *time = ItemMapAt(&times->devices, i);

        SweepEnd(&time->sweep);
        const Breakdown breakdown = BreakdownOf(&time->sweep);
        const BreakdownRow row = row_of(rank->name, time->device, &breakdown);

        status = FeedHand(&self->feed, PART_DEVICES, rank, &row);
    }
    return status;
}

static OpprofStatus end_rank(void *context, FeedRank *rank)
{
    Temporal *self = context;
    RankTime *times = rank->state;

    SweepEnd(&times->sweep);
    const Breakdown breakdown = BreakdownOf(&times->sweep);
    const OpprofStatus status = FeedHand(&self->feed, PART_TIMES, rank, &breakdown);

    return status == OPPROF_OK ? hand_devices(self, rank) : status;
}

/* ---- over ranks ---- */

static OpprofStatus accept_times(void *context, const FeedRank *rank, const void *record)
{
    Temporal *self = context;
    const Breakdown *breakdown = record;
    const BreakdownRow row = row_of(rank->name, OPPROF_NA_STRING, breakdown);

    self->rank_count++;
    self->all.kernel_ns += breakdown->kernel_ns;
    self->all.compute_ns += breakdown->compute_ns;
    self->all.non_compute_ns += breakdown->non_compute_ns;
    self->all.idle_ns += breakdown->idle_ns;
    return RankRowsAdd(&self->ranks, self->feed.stage, rank->name, &row, sizeof row,
                       self->feed.error);
}

static OpprofStatus put_all(void *context)
{
    Temporal *self = context;
    Rows rows = { .stage = self->feed.stage, .port = OUTPUT_RANKS };
    OpprofStatus status = RankRowsPush(&self->ranks, &rows, self->feed.error);

    if (status == OPPROF_OK && self->rank_count > 1) {
        BreakdownRow *row = RowsNext(&rows);

        if (row != NULL) {
            *row = row_of(RowsText(&rows, BREAKDOWN_ALL), OPPROF_NA_STRING, &self->all);
        }
    }
    return status == OPPROF_OK ? RowsEnd(&rows) : status;
}

static void finish(void *context)
{
    Temporal *self = context;

    RankRowsFinish(&self->ranks);
}

static const FeedPart parts[] = {
    [PART_DEVICES] = { .size = sizeof(BreakdownRow), .table = OUTPUT_DEVICES },
    [PART_TIMES] = { .size = sizeof(Breakdown), .table = FEED_PORTS, .accept = accept_times },
};

static const FeedOps feed_ops = {
    .size = sizeof(Temporal),
    .state_size = sizeof(RankTime),
    .take = take,
    .end_rank = end_rank,
    .put = put_all,
    .finish = finish,
    .free_state = free_state,
    .parts = parts,
    .part_count = OPPROF_COUNT(parts),
    .first_part = OUTPUT_DEVICES + 1,
};

static const OpprofField times_fields[] = {
    FEED_NS(Breakdown, kernel_ns, "From the first start to the last end of work."),
    FEED_NS(Breakdown, compute_ns, "At least one computation ran."),
    FEED_NS(Breakdown, non_compute_ns, "Something ran, but no computation."),
    FEED_NS(Breakdown, idle_ns, "Nothing ran."),
};

static const OpprofRecordType times_type =
    FEED_TYPE(Breakdown, "trace.rank-times", "Where the time of a rank went.", times_fields);

#define PARTIALS                                                                                   \
    FEED_ROWS("by-device-partial", "trace.temporal-breakdown-by-device",                           \
              breakdown_by_device_type),                                                           \
        FEED_PARTIAL("times-partial", "trace.rank-times", times_type,                              \
                     "Where the time of each rank went.")

static const OpprofPort inputs[] = { FEED_INPUT, PARTIALS };

static const OpprofPort outputs[] = {
    [OUTPUT_RANKS] = { .name = "breakdown",
                       .record_type = &breakdown_type,
                       .summary = "One row per rank, and one for all if there are several." },
    [OUTPUT_DEVICES] = { .name = "by-device",
                         .record_type = &breakdown_by_device_type,
                         .summary = "One row per device." },
    PARTIALS,
};

static const OpprofParam params[] = { FEED_PARAMS };

FEED_DEFINE_SPANS(feed_ops, inputs, outputs, params, .name = "trace-temporal",
                  .summary = "How long devices computed, did other work, and were idle.",
                  .help =
                      "Intervals of all streams that overlap or touch are merged. Time in which "
                      "communication or memory work runs behind computation is compute time; "
                      "non-compute time is only what computation does not cover.");
