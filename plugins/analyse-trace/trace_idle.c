/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace-idle: why a stream was idle between two pieces of work. Either the host had not
 * launched the next one yet, or the gap is the cost of launching back to back, or the stream waited
 * for something else.
 * Tested by tests/plugins/analyse-trace/test_kineto.
 */
#include "analyse-trace/common/describe.h"
#include "analyse-trace/common/feed.h"
#include "analyse-trace/common/item_map.h"
#include "analyse-trace/common/rank_rows.h"

#include <opprof/grow.h>
#include <stddef.h>
#include <stdlib.h>

enum { OUTPUT_IDLE, OUTPUT_STATS };

typedef enum IdleCause { HOST_WAIT, KERNEL_WAIT, OTHER_WAIT, IDLE_CAUSES } IdleCause;

static const char *const cause_names[] = { "host_wait", "kernel_wait", "other" };

/* Gaps of a stream by one cause. */
typedef struct Gaps {
    int64_t sum_ns;
    uint64_t count;
    double *list_us; /* for the statistics only */
    size_t capacity;
} Gaps;

typedef struct StreamGaps {
    uint32_t track;
    bool has_previous;
    uint64_t previous_end_ns; /* latest end so far: work may lie inside other work */
    Gaps gaps[IDLE_CAUSES];
} StreamGaps;

typedef struct Idle {
    Feed feed; /* first: see FeedCreate */
    uint64_t threshold_ns;
    bool wants_stats;
} Idle;

typedef struct IdleRow {
    uint32_t rank;
    uint32_t device;
    uint32_t stream;
    uint32_t cause;
    double idle_us;
    double ratio;
    uint64_t count;
} IdleRow;

#define IDLE_MEMBER(type, member, text)                                                            \
    OPPROF_FIELD(type, member, OPPROF_FIELD_STRING, .heading = #member,                            \
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER, .meaning = (text))
#define IDLE_KEY(type, member, head, text)                                                         \
    OPPROF_FIELD(type, member, OPPROF_FIELD_STRING, .heading = (head), .flags = OPPROF_FIELD_KEY,  \
                 .meaning = (text))

static const OpprofField idle_fields[] = {
    IDLE_MEMBER(IdleRow, rank, "Rank."),
    OPPROF_FIELD(IdleRow, stream, OPPROF_FIELD_STRING,
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_LABEL | OPPROF_FIELD_LANE,
                 .meaning = "Stream of the device."),
    IDLE_KEY(IdleRow, cause, "idle_category",
             "host_wait: not launched yet; kernel_wait: launched in time, and the gap is short; "
             "other: mostly waiting for another stream."),
    OPPROF_FIELD(IdleRow, idle_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST,
                 .unit = "us", .decimals = 4, .heading = "idle_time", .meaning = "Sum of the gaps.",
                 .flags = OPPROF_FIELD_WEIGHT),
    OPPROF_FIELD(IdleRow, ratio, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_MEAN, .unit = "1",
                 .decimals = 3, .heading = "idle_time_ratio",
                 .meaning = "Part of the stream's idle time.",
                 .absent = "the stream was never idle"),
    OPPROF_FIELD(IdleRow, count, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM, .unit = "1",
                 .meaning = "Number of gaps."),
    OPPROF_FIELD(IdleRow, device, OPPROF_FIELD_STRING,
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER | OPPROF_FIELD_LABEL,
                 .meaning = "Device of the stream."),
};

static const OpprofRecordType idle_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "trace.idle-breakdown",
    .summary = "Idle time of each stream by cause.",
    .size = sizeof(IdleRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = idle_fields,
    .field_count = OPPROF_COUNT(idle_fields),
    .title = "Idle time by cause",
    .file_hint = "idle_breakdown",
};

typedef struct IdleStatsRow {
    uint32_t rank;
    uint32_t device;
    uint32_t stream;
    uint32_t cause;
    Description stats;
} IdleStatsRow;

static const OpprofField stats_fields[] = {
    IDLE_KEY(IdleStatsRow, rank, "rank", "Rank."),
    IDLE_KEY(IdleStatsRow, stream, "stream", "Stream of the device."),
    IDLE_KEY(IdleStatsRow, cause, "idle_category", "Cause, as in the table of idle times."),
    DESCRIPTION_FIELDS(IdleStatsRow, "us"),
    IDLE_KEY(IdleStatsRow, device, "device", "Device of the stream."),
};

static const OpprofRecordType stats_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "trace.idle-stats",
    .summary = "Statistics of the gaps of each stream by cause.",
    .size = sizeof(IdleStatsRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = stats_fields,
    .field_count = OPPROF_COUNT(stats_fields),
    .title = "Idle gaps",
    .file_hint = "idle_stats",
};

static bool add_gap(Gaps *gaps, int64_t gap_ns, bool is_listed)
{
    if (is_listed &&
        !OpprofGrow(&gaps->list_us, &gaps->capacity, gaps->count + 1, sizeof *gaps->list_us)) {
        return false;
    }
    if (is_listed) {
        gaps->list_us[gaps->count] = (double) gap_ns / 1000.0;
    }
    gaps->sum_ns += gap_ns;
    gaps->count++;
    return true;
}

static IdleCause cause_of(const Idle *self, const StreamGaps *stream, const Activity *activity)
{
    if (activity->launch_start_ns != OPPROF_NA_U64 &&
        activity->launch_start_ns > stream->previous_end_ns) {
        return HOST_WAIT;
    }
    return activity->start_ns < stream->previous_end_ns ||
                   activity->start_ns - stream->previous_end_ns < self->threshold_ns
               ? KERNEL_WAIT
               : OTHER_WAIT;
}

static OpprofStatus take(void *context, FeedRank *rank, const Activity *activity)
{
    const Idle *self = context;
    StreamGaps *stream;
    int64_t gap_ns;
    bool is_good = true;

    if (activity->class >= ACTIVITY_CLASSES) {
        return OPPROF_OK;
    }
    stream = ItemMapGet(rank->state, activity->track, sizeof *stream);
    if (stream == NULL) {
        return OPPROF_E_MEMORY;
    }
    if (stream->has_previous) {
        gap_ns = (int64_t) (activity->start_ns - stream->previous_end_ns);
        gap_ns = gap_ns < 0 ? 0 : gap_ns; /* work of a stream may overlap */
        is_good =
            add_gap(&stream->gaps[cause_of(self, stream, activity)], gap_ns, self->wants_stats);
    }
    stream->track = activity->track;
    stream->has_previous = true;
    if (activity->end_ns > stream->previous_end_ns) {
        stream->previous_end_ns = activity->end_ns;
    }
    return is_good ? OPPROF_OK : OPPROF_E_MEMORY;
}

static void free_state(void *state)
{
    ItemMap *streams = state;

    for (uint32_t i = 0; i < streams->count; i++) {
        StreamGaps *stream = ItemMapAt(streams, i);

        for (int cause = 0; cause < IDLE_CAUSES; cause++) {
            free(stream->gaps[cause].list_us);
        }
    }
    ItemMapFree(streams);
}

/* The common members of a stream's rows. */
typedef struct RowContext {
    Idle *self;
    const FeedRank *rank;
    Rows texts;
} RowContext;

static OpprofStatus add_idle(RowContext *context, const StreamGaps *stream)
{
    Idle *self = context->self;
    OpprofStatus status = OPPROF_OK;
    int64_t total = 0;

    for (int cause = 0; cause < IDLE_CAUSES; cause++) {
        total += stream->gaps[cause].sum_ns;
    }
    for (int cause = 0; status == OPPROF_OK && cause < IDLE_CAUSES; cause++) {
        const Gaps *gaps = &stream->gaps[cause];
        const IdleRow row = {
            .rank = context->rank->name,
            .device = RowsDevice(&context->texts, stream->track),
            .stream = RowsStream(&context->texts, stream->track),
            .cause = RowsText(&context->texts, cause_names[cause]),
            .idle_us = (double) gaps->sum_ns / 1000.0,
            .ratio = total == 0 ? OpprofNaF64() : (double) gaps->sum_ns / (double) total,
            .count = gaps->count,
        };

        status = FeedHand(&self->feed, OUTPUT_IDLE, context->rank, &row);
    }
    return status;
}

static OpprofStatus add_stats(RowContext *context, const StreamGaps *stream)
{
    Idle *self = context->self;
    OpprofStatus status = OPPROF_OK;

    for (int cause = 0; status == OPPROF_OK && cause < IDLE_CAUSES; cause++) {
        const Gaps *gaps = &stream->gaps[cause];
        const IdleStatsRow row = { .rank = context->rank->name,
                                   .device = RowsDevice(&context->texts, stream->track),
                                   .stream = RowsStream(&context->texts, stream->track),
                                   .cause = RowsText(&context->texts, cause_names[cause]),
                                   .stats = DescribeValues(gaps->list_us, gaps->count) };

        status = FeedHand(&self->feed, OUTPUT_STATS, context->rank, &row);
    }
    return status;
}

static int compare_streams(const void *a, const void *b, void *stage)
{
    const StreamGaps *left = *(const StreamGaps *const *) a;
    const StreamGaps *right = *(const StreamGaps *const *) b;

    return RowsCompareTracks(stage, left->track, right->track);
}

static OpprofStatus end_rank(void *context, FeedRank *rank)
{
    Idle *self = context;
    const ItemMap *streams = rank->state;
    RowContext rows = { .self = self, .rank = rank, .texts = { .stage = self->feed.stage } };
    void **list = ItemMapSorted(streams, compare_streams, self->feed.stage);
    OpprofStatus status = list == NULL ? OPPROF_E_MEMORY : OPPROF_OK;

    for (uint32_t s = 0; status == OPPROF_OK && s < streams->count; s++) {
        status = add_idle(&rows, list[s]);
        if (status == OPPROF_OK && self->wants_stats) {
            status = add_stats(&rows, list[s]);
        }
    }
    free(list);
    return status;
}

static OpprofStatus configure(void *context, const OpprofParams *params)
{
    Idle *self = context;

    self->threshold_ns = (uint64_t) OpprofParamsInt(params, "consecutive_kernel_delay");
    self->wants_stats = OpprofParamsBool(params, "stats");
    return OPPROF_OK;
}

static const FeedPart parts[] = {
    { .size = sizeof(IdleRow), .table = OUTPUT_IDLE },
    { .size = sizeof(IdleStatsRow), .table = OUTPUT_STATS },
};

static const FeedOps feed_ops = {
    .size = sizeof(Idle),
    .state_size = sizeof(ItemMap),
    .configure = configure,
    .take = take,
    .end_rank = end_rank,
    .free_state = free_state,
    .parts = parts,
    .part_count = OPPROF_COUNT(parts),
    .first_part = 2,
};

#define PARTIALS                                                                                   \
    FEED_ROWS("idle-partial", "trace.idle-breakdown", idle_type),                                  \
        FEED_ROWS("stats-partial", "trace.idle-stats", stats_type)

static const OpprofPort inputs[] = { FEED_INPUT, PARTIALS };

static const OpprofPort outputs[] = {
    [OUTPUT_IDLE] = { .name = "idle",
                      .record_type = &idle_type,
                      .summary = "One row per stream and cause." },
    [OUTPUT_STATS] = { .name = "stats",
                       .record_type = &stats_type,
                       .summary = "The same with quartiles of the gaps, if requested." },
    PARTIALS,
};

static const OpprofParam params[] = {
    FEED_PARAMS,
    { .name = "consecutive_kernel_delay",
      .type = OPPROF_PARAM_DURATION,
      .default_value = "30us",
      .summary = "Shorter gaps are the cost of launching one piece of work after another." },
    { .name = "stats",
      .type = OPPROF_PARAM_BOOL,
      .default_value = "false",
      .summary = "Also write statistics of the gaps; keeps 8 bytes for each piece of work." },
};

FEED_DEFINE_SPANS(feed_ops, inputs, outputs, params, .name = "trace-idle",
                  .summary = "Shows why the streams of a device were idle.");
