/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace-memory-bandwidth: how fast memory work moves bytes, as a curve and as statistics, for each
 * kind of transfer. The rates of simultaneous transfers of one kind add up. Tested by
 * tests/plugins/analyse-trace/test_kineto.
 */
#include "analyse-trace/common/curve.h"
#include "analyse-trace/common/describe.h"
#include "analyse-trace/common/item_map.h"
#include "analyse-trace/common/rank_rows.h"

#include <opprof/grow.h>

#include <opprof/text.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { OUTPUT_CURVES, OUTPUT_SUMMARY };

#define MEMCPY_KIND 11u /* "Memcpy HtoD": this many letters distinguish the kinds */
#define UNKNOWN_KIND "Memcpy Unknown"
#define SERIES "bandwidth(GB/s)"
#define FEW 16u /* transfers whose rates are added up anew each time */

typedef struct Bandwidth {
    Feed feed;        /* first: see FeedCreate */
    uint64_t without; /* transfers whose rate is unknown */
} Bandwidth;

/* A transfer that runs. */
typedef struct ActiveTransfer {
    uint64_t end_tick;
    double rate;
} ActiveTransfer;

/* Transfers of one kind of a device. */
typedef struct KindRate {
    uint32_t kind; /* interned */
    uint32_t device;
    Curve curve;
    ActiveTransfer *active; /* a heap, the earliest end on top */
    size_t active_count;
    size_t active_capacity;
    double sum;    /* of the rates of running transfers */
    double *rates; /* one per start, for the statistics */
    size_t rate_count;
    size_t rate_capacity;
    uint64_t bytes;
} KindRate;

typedef struct RankRates {
    ItemMap kinds; /* of KindRate, by device and kind */
    ItemMap names; /* uint32_t: interned kind of a name */
    Rows curves;
} RankRates;

typedef struct BandwidthRow {
    uint32_t rank;
    uint32_t kind;
    uint32_t device;
    uint32_t reserved;
    Description stats;
    uint64_t bytes;
} BandwidthRow;

static const OpprofField fields[] = {
    OPPROF_FIELD(BandwidthRow, rank, OPPROF_FIELD_STRING,
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER, .meaning = "Rank."),
    OPPROF_FIELD(BandwidthRow, kind, OPPROF_FIELD_STRING, .heading = "name",
                 .flags = OPPROF_FIELD_KEY, .meaning = "Kind of transfer."),
    DESCRIPTION_FIELDS(BandwidthRow, "GB/s"),
    OPPROF_FIELD(BandwidthRow, bytes, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM,
                 .unit = "byte", .meaning = "Bytes moved, as far as transfers state them."),
    OPPROF_FIELD(BandwidthRow, device, OPPROF_FIELD_STRING,
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER | OPPROF_FIELD_LABEL,
                 .meaning = "Device."),
};

static const OpprofRecordType summary_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "trace.memory-bandwidth",
    .summary = "Bandwidth of memory work.",
    .size = sizeof(BandwidthRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = fields,
    .field_count = OPPROF_COUNT(fields),
    .title = "Memory bandwidth",
    .file_hint = "memory_bandwidth",
};

/* ---- kinds ---- */

static uint32_t make_kind(OpprofStage *stage, uint32_t name)
{
    size_t length;
    const char *text = OpprofStageStringLength(stage, name, &length);

    if (strncmp(text, "Memcpy", sizeof "Memcpy" - 1) == 0 &&
        strncmp(text, UNKNOWN_KIND, MEMCPY_KIND) != 0) {
        return OpprofStageIntern(stage, text, length < MEMCPY_KIND ? length : MEMCPY_KIND);
    }
    text = strncmp(text, "Memset", sizeof "Memset" - 1) == 0 ? "Memset" : UNKNOWN_KIND;
    return OpprofStageIntern(stage, text, strlen(text));
}

/* Interned kind of a name, 0 without memory. */
static uint32_t kind_of(OpprofStage *stage, RankRates *rates, uint32_t name)
{
    uint32_t *kind = ItemMapGet(&rates->names, name, sizeof *kind);

    if (kind != NULL && *kind == 0) {
        *kind = make_kind(stage, name);
    }
    return kind == NULL ? 0 : *kind;
}

static KindRate *find_kind(OpprofStage *stage, RankRates *rates, const Activity *activity)
{
    const uint32_t kind = kind_of(stage, rates, activity->name);
    const uint32_t device = RowsDevice(&rates->curves, activity->track);
    KindRate *rate = ItemMapGet(&rates->kinds, (uint64_t) device << 32 | kind, sizeof *rate);

    if (rate == NULL || kind == 0) {
        return NULL;
    }
    if (rate->kind == 0 &&
        !CurveInit(&rate->curve, stage, activity->track, OpprofStageString(stage, kind), SERIES)) {
        return NULL;
    }
    rate->kind = kind;
    rate->device = device;
    return rate;
}

/* ---- curve ---- */

/*
 * Adding and subtracting accumulates rounding errors. They must not remain when nothing runs any
 * more, so small numbers of rates are added up anew.
 */
static void set_sum(KindRate *rate, double sum)
{
    rate->sum = sum;
    if (rate->active_count <= FEW) {
        rate->sum = 0;
        for (size_t i = 0; i < rate->active_count; i++) {
            rate->sum += rate->active[i].rate;
        }
    }
}

static bool note_rate(KindRate *rate, double value)
{
    if (!OpprofGrow(&rate->rates, &rate->rate_capacity, rate->rate_count + 1,
                    sizeof *rate->rates)) {
        return false;
    }
    rate->rates[rate->rate_count++] = value;
    return true;
}

/* The curve at a time: a sample, and a row of the statistics unless nothing runs. */
static bool put_sample(RankRates *rates, KindRate *rate, uint64_t tick)
{
    CurvePut(&rates->curves, &rate->curve, tick, rate->sum);
    return rate->sum <= 0 || note_rate(rate, rate->sum);
}

static void swap(ActiveTransfer *a, ActiveTransfer *b)
{
    const ActiveTransfer kept = *a;

    *a = *b;
    *b = kept;
}

/* Remove the transfer that ends first from the heap. */
static ActiveTransfer take_first(KindRate *rate)
{
    ActiveTransfer *heap = rate->active;
    const ActiveTransfer first = heap[0];
    const size_t count = --rate->active_count;
    size_t at = 0;

    heap[0] = heap[count];
    for (size_t child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && heap[child + 1].end_tick < heap[child].end_tick) {
            child++;
        }
        if (heap[at].end_tick <= heap[child].end_tick) {
            break;
        }
        swap(&heap[at], &heap[child]);
        at = child;
    }
    return first;
}

/* End the transfers that end at this time or earlier. */
static bool end_until(RankRates *rates, KindRate *rate, uint64_t tick)
{
    while (rate->active_count > 0 && rate->active[0].end_tick <= tick) {
        const ActiveTransfer ended = take_first(rate);

        set_sum(rate, rate->sum - ended.rate);
        if (!put_sample(rates, rate, ended.end_tick)) {
            return false;
        }
    }
    return true;
}

static bool begin(KindRate *rate, ActiveTransfer transfer)
{
    size_t at = rate->active_count;

    if (!OpprofGrow(&rate->active, &rate->active_capacity, rate->active_count + 1,
                    sizeof *rate->active)) {
        return false;
    }
    rate->active[rate->active_count++] = transfer;
    while (at > 0 && rate->active[(at - 1) / 2].end_tick > rate->active[at].end_tick) {
        swap(&rate->active[(at - 1) / 2], &rate->active[at]);
        at = (at - 1) / 2;
    }
    set_sum(rate, rate->sum + transfer.rate);
    return true;
}

/* GB/s of a transfer; the absent double if unknown. A duration of 0 counts as 1 us. */
static double rate_of(const Activity *activity)
{
    const uint64_t duration_ns = ActivityDuration(activity);

    if (!OpprofIsNaF64(activity->bandwidth) || activity->bytes == OPPROF_NA_U64) {
        return activity->bandwidth;
    }
    return (double) activity->bytes / (double) (duration_ns == 0 ? 1000 : duration_ns);
}

static OpprofStatus take_transfer(Bandwidth *self, FeedRank *rank, const Activity *activity,
                                  double value)
{
    RankRates *rates = rank->state;
    const uint64_t microsecond = rank->hz / 1000000 == 0 ? 1 : rank->hz / 1000000;
    ActiveTransfer transfer = { .end_tick = activity->end_tick, .rate = value };
    KindRate *rate = find_kind(self->feed.stage, rates, activity);

    if (rate == NULL) {
        return OPPROF_E_MEMORY;
    }
    if (activity->end_tick == activity->start_tick) {
        transfer.end_tick += microsecond;
    }
    rate->bytes += activity->bytes == OPPROF_NA_U64 ? 0 : activity->bytes;
    return end_until(rates, rate, activity->start_tick) && begin(rate, transfer) &&
                   put_sample(rates, rate, activity->start_tick)
               ? OPPROF_OK
               : OPPROF_E_MEMORY;
}

static OpprofStatus take(void *context, FeedRank *rank, const Activity *activity)
{
    Bandwidth *self = context;
    RankRates *rates = rank->state;
    double value;

    if (activity->class != ACTIVITY_MEMORY) {
        return OPPROF_OK;
    }
    if (rates->curves.stage == NULL) {
        rates->curves = CurveRows(self->feed.stage, OUTPUT_CURVES, rank);
    }
    value = rate_of(activity);
    if (OpprofIsNaF64(value)) {
        self->without++;
        return OPPROF_OK;
    }
    return take_transfer(self, rank, activity, value);
}

static void free_state(void *state)
{
    RankRates *rates = state;

    for (uint32_t i = 0; i < rates->kinds.count; i++) {
        KindRate *rate = ItemMapAt(&rates->kinds, i);

        free(rate->active);
        free(rate->rates);
    }
    ItemMapFree(&rates->kinds);
    ItemMapFree(&rates->names);
}

/* ---- table ---- */

static int compare_kinds(const void *a, const void *b, void *stage)
{
    const KindRate *left = *(const KindRate *const *) a;
    const KindRate *right = *(const KindRate *const *) b;
    const int order =
        strcmp(OpprofStageString(stage, left->device), OpprofStageString(stage, right->device));

    return order != 0 ? order
                      : strcmp(OpprofStageString(stage, left->kind),
                               OpprofStageString(stage, right->kind));
}

static OpprofStatus add_row(Bandwidth *self, const FeedRank *rank, const KindRate *rate)
{
    const BandwidthRow row = { .rank = rank->name,
                               .kind = rate->kind,
                               .device = rate->device,
                               .stats = DescribeValues(rate->rates, rate->rate_count),
                               .bytes = rate->bytes };

    return FeedHand(&self->feed, 0, rank, &row);
}

static OpprofStatus add_rows(Bandwidth *self, const FeedRank *rank)
{
    const RankRates *rates = rank->state;
    void **list = ItemMapSorted(&rates->kinds, compare_kinds, self->feed.stage);
    OpprofStatus status = list == NULL ? OPPROF_E_MEMORY : OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < rates->kinds.count; i++) {
        status = add_row(self, rank, list[i]);
    }
    free(list);
    return status;
}

static OpprofStatus end_rank(void *context, FeedRank *rank)
{
    RankRates *rates = rank->state;
    bool is_good = true;

    for (uint32_t i = 0; is_good && i < rates->kinds.count; i++) {
        is_good = end_until(rates, ItemMapAt(&rates->kinds, i), UINT64_MAX);
    }
    rates->curves.watermark = UINT64_MAX;
    if (RowsEnd(&rates->curves) != OPPROF_OK || !is_good) {
        return is_good ? rates->curves.status : OPPROF_E_MEMORY;
    }
    return add_rows(context, rank);
}

static OpprofStatus put_all(void *context)
{
    Bandwidth *self = context;

    if (self->without > 0) {
        OpprofStageWarn(self->feed.stage, "%llu %s neither bandwidth nor bytes: left out",
                        (unsigned long long) self->without,
                        OPPROF_PLURAL(self->without, "piece of memory work states",
                                      "pieces of memory work state"));
    }
    return OPPROF_OK;
}

static const FeedPart parts[] = {
    { .size = sizeof(BandwidthRow), .table = OUTPUT_SUMMARY },
};

static const FeedOps feed_ops = {
    .size = sizeof(Bandwidth),
    .state_size = sizeof(RankRates),
    .take = take,
    .end_rank = end_rank,
    .put = put_all,
    .free_state = free_state,
    .parts = parts,
    .part_count = OPPROF_COUNT(parts),
    .first_part = 2,
};

#define PARTIALS FEED_ROWS("summary-partial", "trace.memory-bandwidth", summary_type)

static const OpprofPort inputs[] = { FEED_INPUT, PARTIALS };

static const OpprofPort outputs[] = {
    [OUTPUT_CURVES] = { .name = "curves",
                        .record_type = &opprof_counter_type,
                        .batch_records = 512,
                        .summary = "One curve per device and kind of transfer." },
    [OUTPUT_SUMMARY] = { .name = "summary",
                         .record_type = &summary_type,
                         .summary = "Statistics of the curves where they are above 0." },
    PARTIALS,
};

static const OpprofParam params[] = { FEED_PARAMS };

FEED_DEFINE_SPANS(feed_ops, inputs, outputs, params, .name = "trace-memory-bandwidth",
                  .summary = "Shows how fast memory work moves bytes.");
