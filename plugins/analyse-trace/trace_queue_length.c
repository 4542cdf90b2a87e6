/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace-queue-length: how much work of each stream was launched but had not begun, as a curve and
 * as statistics. Tested by tests/plugins/analyse-trace/test_kineto.
 */
#include "analyse-trace/common/curve.h"
#include "analyse-trace/common/describe.h"
#include "analyse-trace/common/item_map.h"
#include "analyse-trace/common/rank_rows.h"

#include <opprof/grow.h>

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { OUTPUT_CURVES, OUTPUT_SUMMARY };

#define SERIES "Queue Length"
#define NAME_ROOM 128u

typedef struct Queues {
    Feed feed; /* first: see FeedCreate */
    uint64_t full;
} Queues;

/* Times, in order of arrival. */
typedef struct Ticks {
    uint64_t *list;
    size_t count;
    size_t capacity;
} Ticks;

/* When work entered a stream's queue and when it left. */
typedef struct StreamQueue {
    uint32_t track;
    Ticks enqueued;
    Ticks begun; /* by time */
    Description stats;
    uint64_t full_ticks; /* time in which the queue was full */
} StreamQueue;

typedef struct RankQueues {
    ItemMap streams; /* of StreamQueue */
    bool has_any;
    uint64_t first_tick;
    uint64_t last_tick;
} RankQueues;

typedef struct QueueRow {
    uint32_t rank;
    uint32_t stream;
    uint32_t device;
    uint32_t reserved;
    Description stats;
    double full_us;
    double full_ratio;
} QueueRow;

static const OpprofField fields[] = {
    OPPROF_FIELD(QueueRow, rank, OPPROF_FIELD_STRING,
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER, .meaning = "Rank."),
    OPPROF_FIELD(QueueRow, stream, OPPROF_FIELD_STRING,
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_LABEL | OPPROF_FIELD_LANE,
                 .meaning = "Stream of the device."),
    DESCRIPTION_FIELDS(QueueRow, "1"),
    OPPROF_FIELD(QueueRow, full_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST,
                 .unit = "us", .decimals = 4, .heading = "full_time(us)",
                 .meaning = "Time in which the queue was full."),
    OPPROF_FIELD(QueueRow, full_ratio, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_MEAN,
                 .unit = "1", .decimals = 5,
                 .meaning = "Part of the time from the rank's first to its last change of a queue.",
                 .absent = "the rank's queues changed at only one time"),
    OPPROF_FIELD(QueueRow, device, OPPROF_FIELD_STRING,
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER | OPPROF_FIELD_LABEL,
                 .meaning = "Device of the stream."),
};

static const OpprofRecordType summary_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "trace.queue-length",
    .summary = "Work that was launched but had not begun, over all changes of a stream's queue.",
    .size = sizeof(QueueRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = fields,
    .field_count = OPPROF_COUNT(fields),
    .title = "Queue length",
    .file_hint = "queue_length",
};

static bool append(Ticks *ticks, uint64_t tick)
{
    if (!OpprofGrow(&ticks->list, &ticks->capacity, ticks->count + 1, sizeof *ticks->list)) {
        return false;
    }
    ticks->list[ticks->count++] = tick;
    return true;
}

static void free_ticks(Ticks *ticks)
{
    free(ticks->list);
    *ticks = (Ticks){ .list = NULL };
}

static OpprofStatus take(void *context, FeedRank *rank, const Activity *activity)
{
    RankQueues *queues = rank->state;
    const uint64_t begun = activity->start_tick;
    uint64_t enqueued = activity->enqueued_tick;
    StreamQueue *queue;

    (void) context;
    if (activity->class >= ACTIVITY_CLASSES || enqueued == OPPROF_NA_U64) {
        return OPPROF_OK;
    }
    /* Clocks of host and device differ a little: work cannot leave a queue before it entered. */
    enqueued = enqueued < begun ? enqueued : begun;
    queue = ItemMapGet(&queues->streams, activity->track, sizeof *queue);
    if (queue == NULL || !append(&queue->enqueued, enqueued) || !append(&queue->begun, begun)) {
        return OPPROF_E_MEMORY;
    }
    queue->track = activity->track;
    queues->first_tick =
        !queues->has_any || enqueued < queues->first_tick ? enqueued : queues->first_tick;
    queues->last_tick = begun > queues->last_tick ? begun : queues->last_tick;
    queues->has_any = true;
    return OPPROF_OK;
}

/* ---- curve ---- */

static int compare_ticks(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *) a;
    const uint64_t right = *(const uint64_t *) b;

    return (left > right) - (left < right);
}

/* How often the queue had each length. */
typedef struct Lengths {
    uint64_t *counts;
    size_t size; /* of counts, all of them set */
} Lengths;

static bool count_length(Lengths *lengths, size_t length)
{
    if (!OpprofGrowCleared(&lengths->counts, &lengths->size, length + 1, sizeof *lengths->counts)) {
        return false;
    }
    lengths->counts[length]++;
    return true;
}

/* A walk over a queue's changes. */
typedef struct Walk {
    const Queues *self;
    StreamQueue *queue;
    Lengths lengths;
    Rows rows;
    Curve curve;
    size_t entered;
    size_t left;
    uint64_t full_since;
} Walk;

/* The next change. At equal times, entering comes before leaving. */
static bool step(Walk *walk)
{
    StreamQueue *queue = walk->queue;
    const size_t before = walk->entered - walk->left;
    const bool enters = walk->entered < queue->enqueued.count &&
                        queue->enqueued.list[walk->entered] <= queue->begun.list[walk->left];
    const uint64_t tick =
        enters ? queue->enqueued.list[walk->entered++] : queue->begun.list[walk->left++];
    const size_t length = walk->entered - walk->left;

    if (length >= walk->self->full && before < walk->self->full) {
        walk->full_since = tick;
    } else if (length < walk->self->full && before >= walk->self->full) {
        queue->full_ticks += tick - walk->full_since;
    }
    CurvePut(&walk->rows, &walk->curve, tick, (double) length);
    return count_length(&walk->lengths, length);
}

static bool name_curve(Walk *walk, OpprofStage *stage)
{
    const OpprofTrack *info = OpprofStageTrackInfo(stage, walk->queue->track);
    char name[NAME_ROOM];

    snprintf(name, sizeof name, "Queue Length[%s]",
             info == NULL || info->thread == NULL ? "" : info->thread);
    return CurveInit(&walk->curve, stage, walk->queue->track, name, SERIES);
}

/* watermark: as in Rows. */
static OpprofStatus end_queue(const Queues *self, const FeedRank *rank, StreamQueue *queue,
                              uint64_t watermark)
{
    Walk walk = { .self = self,
                  .queue = queue,
                  .rows = CurveRows(self->feed.stage, OUTPUT_CURVES, rank) };
    bool is_good = name_curve(&walk, self->feed.stage);

    walk.rows.watermark = watermark;

    qsort(queue->enqueued.list, queue->enqueued.count, sizeof(uint64_t), compare_ticks);
    while (is_good && walk.left < queue->begun.count && walk.rows.status == OPPROF_OK) {
        is_good = step(&walk);
    }
    queue->stats = DescribeCounts(walk.lengths.counts, walk.lengths.size);
    free(walk.lengths.counts);
    free_ticks(&queue->enqueued);
    free_ticks(&queue->begun);
    return RowsEnd(&walk.rows) != OPPROF_OK || is_good ? walk.rows.status : OPPROF_E_MEMORY;
}

static void free_state(void *state)
{
    RankQueues *queues = state;

    for (uint32_t i = 0; i < queues->streams.count; i++) {
        StreamQueue *queue = ItemMapAt(&queues->streams, i);

        free_ticks(&queue->enqueued);
        free_ticks(&queue->begun);
    }
    ItemMapFree(&queues->streams);
}

/* ---- table ---- */

static int compare_queues(const void *a, const void *b, void *stage)
{
    const StreamQueue *left = *(const StreamQueue *const *) a;
    const StreamQueue *right = *(const StreamQueue *const *) b;

    return RowsCompareTracks(stage, left->track, right->track);
}

static OpprofStatus add_row(Queues *self, const FeedRank *rank, const StreamQueue *queue)
{
    const Rows texts = { .stage = self->feed.stage };
    const RankQueues *queues = rank->state;
    const uint64_t span = queues->last_tick - queues->first_tick;
    const QueueRow row = {
        .rank = rank->name,
        .stream = RowsStream(&texts, queue->track),
        .device = RowsDevice(&texts, queue->track),
        .stats = queue->stats,
        .full_us = (double) queue->full_ticks * 1e6 / (double) rank->hz,
        .full_ratio = span == 0 ? OpprofNaF64() : (double) queue->full_ticks / (double) span,
    };

    return FeedHand(&self->feed, 0, rank, &row);
}

static OpprofStatus add_rows(Queues *self, const FeedRank *rank)
{
    const RankQueues *queues = rank->state;
    void **list = ItemMapSorted(&queues->streams, compare_queues, self->feed.stage);
    OpprofStatus status = list == NULL ? OPPROF_E_MEMORY : OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < queues->streams.count; i++) {
        status = add_row(self, rank, list[i]);
    }
    free(list);
    return status;
}

static OpprofStatus end_rank(void *context, FeedRank *rank)
{
    RankQueues *queues = rank->state;
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < queues->streams.count; i++) {
        status = end_queue(context, rank, ItemMapAt(&queues->streams, i),
                           i + 1 == queues->streams.count ? UINT64_MAX : 0);
    }
    return status == OPPROF_OK ? add_rows(context, rank) : status;
}

static OpprofStatus configure(void *context, const OpprofParams *params)
{
    Queues *self = context;

    self->full = (uint64_t) OpprofParamsInt(params, "max_queue_length");
    return OPPROF_OK;
}

static const FeedPart parts[] = {
    { .size = sizeof(QueueRow), .table = OUTPUT_SUMMARY },
};

static const FeedOps feed_ops = {
    .size = sizeof(Queues),
    .state_size = sizeof(RankQueues),
    .configure = configure,
    .take = take,
    .end_rank = end_rank,
    .free_state = free_state,
    .parts = parts,
    .part_count = OPPROF_COUNT(parts),
    .first_part = 2,
};

#define PARTIALS FEED_ROWS("summary-partial", "trace.queue-length", summary_type)

static const OpprofPort inputs[] = { FEED_INPUT, PARTIALS };

static const OpprofPort outputs[] = {
    [OUTPUT_CURVES] = { .name = "curves",
                        .record_type = &opprof_counter_type,
                        .batch_records = 512,
                        .summary = "One curve per stream." },
    [OUTPUT_SUMMARY] = { .name = "summary",
                         .record_type = &summary_type,
                         .summary = "Statistics of the curves; each change counts once." },
    PARTIALS,
};

static const OpprofParam params[] = {
    FEED_PARAMS,
    { .name = "max_queue_length",
      .type = OPPROF_PARAM_INT,
      .default_value = "1024",
      .min = 1,
      .max = 1000000000,
      .summary = "A queue of this length is full: the host has to wait." },
};

FEED_DEFINE_SPANS(feed_ops, inputs, outputs, params, .name = "trace-queue-length",
                  .summary = "Shows how much launched work waited in the streams of a device.",
                  .help = "Keeps 16 bytes for each piece of work of a rank until the rank ends. "
                          "Work without an enqueue time is not counted.");
