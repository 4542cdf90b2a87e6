/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns spans into device work, sorted by time, rank by rank.
 * Tested by tests/plugins/analyse-trace/test_feed and test_kineto.
 */
#include "analyse-trace/common/feed.h"

#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/log.h>
#include <opprof/records/activity.h>
#include <opprof/records/host.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_SECOND UINT64_C(1000000000)
#define WORD_BITS 64u

/* ---- ranks ---- */

static void destroy_rank(Feed *feed, FeedRank *rank)
{
    if (feed->ops->free_state != NULL) {
        feed->ops->free_state(rank->state);
    }
    free(rank->state);
    free(rank->held);
    free(rank);
}

static FeedRank rank_of(const Feed *feed, const OpprofBatch *batch)
{
    const OpprofClock *clock = OpprofStageClockInfo(feed->stage, batch->clock);
    const uint64_t hz = clock == NULL ? NS_PER_SECOND : clock->hz;

    return (FeedRank){ .name = batch->partition,
                       .clock = batch->clock,
                       .hz = hz,
                       .offset_ps = clock == NULL ? 0 : clock->offset_ps,
                       .us_a_tick = 1e6 / (double) hz };
}

static FeedRank *add_rank(Feed *feed, const OpprofBatch *batch)
{
    FeedRank *rank;

    if (!OpprofGrow(&feed->ranks, &feed->open_capacity, feed->open_count + 1, sizeof(FeedRank *))) {
        return NULL;
    }
    rank = calloc(1, sizeof *rank);
    if (rank == NULL) {
        return NULL;
    }
    *rank = rank_of(feed, batch);
    rank->state = calloc(1, feed->ops->state_size);
    if (rank->state == NULL) {
        free(rank);
        return NULL;
    }
    feed->ranks[feed->open_count++] = rank;
    feed->rank_count++;
    return rank;
}

static FeedRank *find_rank(Feed *feed, const OpprofBatch *batch)
{
    for (size_t i = feed->open_count; i > 0; i--) {
        if (feed->ranks[i - 1]->name == batch->partition) {
            return feed->ranks[i - 1];
        }
    }
    return add_rank(feed, batch);
}

static bool is_over(const Feed *feed, uint32_t name)
{
    const size_t word = name / WORD_BITS;

    return word < feed->over_words && (feed->over[word] >> name % WORD_BITS & 1) != 0;
}

/* False without memory. */
static bool note_over(Feed *feed, uint32_t name)
{
    const size_t word = name / WORD_BITS;

    if (!OpprofGrowCleared(&feed->over, &feed->over_words, word + 1, sizeof *feed->over)) {
        return false;
    }
    feed->over[word] |= UINT64_C(1) << name % WORD_BITS;
    return true;
}

/* Its earlier part is freed: what arrives now counts as another rank. */
static void warn_of_return(Feed *feed, uint32_t name)
{
    feed->over[name / WORD_BITS] &= ~(UINT64_C(1) << name % WORD_BITS);
    OpprofStageWarn(feed->stage,
                    "Rank '%s' continues after its end; its rows appear once for each part",
                    OpprofStageString(feed->stage, name));
}

/* A rank is complete: only what the analysis puts aside is kept. */
static OpprofStatus end_rank(Feed *feed, FeedRank *rank)
{
    OpprofStatus status = note_over(feed, rank->name) ? OPPROF_OK : OPPROF_E_MEMORY;
    size_t place = 0;

    if (status == OPPROF_OK && feed->ops->end_rank != NULL) {
        status = feed->ops->end_rank(feed, rank);
    }
    if (status != OPPROF_OK) {
        return status;
    }
    while (feed->ranks[place] != rank) {
        place++;
    }
    feed->open_count--;
    memmove(feed->ranks + place, feed->ranks + place + 1,
            (feed->open_count - place) * sizeof(FeedRank *));
    destroy_rank(feed, rank);
    return OPPROF_OK;
}

/* ---- one span ---- */

static uint64_t to_ns(const FeedRank *rank, uint64_t ticks)
{
    if (rank->hz == NS_PER_SECOND || ticks == OPPROF_NA_U64) {
        return ticks;
    }
    return (uint64_t) (((unsigned __int128) ticks * NS_PER_SECOND + rank->hz / 2) / rank->hz);
}

static uint64_t saturating_add(uint64_t a, uint64_t b)
{
    uint64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX - 1 : sum;
}

static void take_name(const FeedKeys *keys, const OpprofArg *arg, Activity *activity)
{
    const uint32_t name = (uint32_t) arg->value.u64;

    if (arg->key == keys->host_operator) {
        activity->host_operator = name;
    } else if (arg->key == keys->host_annotation) {
        activity->host_annotation = name;
    } else if (arg->key == keys->host_module) {
        activity->host_module = name;
    } else if (arg->key == keys->collective) {
        activity->collective = name;
    } else if (arg->key == keys->group) {
        activity->group = name;
    }
}

static void take_collective_arg(const FeedKeys *keys, const OpprofArg *arg, Activity *activity)
{
    if (arg->key == keys->sequence) {
        activity->sequence = arg->value.u64;
    } else if (arg->key == keys->group_size) {
        activity->group_size = arg->value.u64;
    } else if (arg->key == keys->in_bytes) {
        activity->in_bytes = arg->value.u64;
    } else if (arg->key == keys->out_bytes) {
        activity->out_bytes = arg->value.u64;
    }
}

static void take_arg(const FeedKeys *keys, const OpprofArg *arg, Activity *activity)
{
    if (arg->kind == OPPROF_ARG_F64) {
        activity->bandwidth = arg->key == keys->bandwidth ? arg->value.f64 : activity->bandwidth;
    } else if (arg->kind == OPPROF_ARG_U64_TEXT) {
        activity->peer = arg->key == keys->peer ? arg->value.u64 : activity->peer;
    } else if (arg->kind == OPPROF_ARG_STRING) {
        take_name(keys, arg, activity);
    } else if (arg->kind != OPPROF_ARG_U64) {
        return;
    } else if (arg->key == keys->peer) {
        activity->peer = arg->value.u64;
    } else if (arg->key == keys->bytes) {
        activity->bytes = arg->value.u64;
    } else if (arg->key == keys->correlation) {
        activity->correlation = arg->value.u64;
    } else if (arg->key == keys->enqueued) {
        activity->enqueued_tick = arg->value.u64;
    } else if (arg->key == keys->launch_duration) {
        activity->launch_end_ns = arg->value.u64; /* a duration here */
    } else if (arg->key == keys->launch_start) {
        activity->launch_start_ns = arg->value.u64; /* in ticks here */
    } else if (arg->key == keys->launched) {
        activity->launched = arg->value.u64;
    } else if (arg->key == keys->launched_duration) {
        activity->launched_ns = arg->value.u64; /* in ticks here */
    } else {
        take_collective_arg(keys, arg, activity);
    }
}

static void take_args(const Feed *feed, const FeedRank *rank, const OpprofBatch *batch,
                      const OpprofSpan *span, Activity *activity)
{
    const char *bytes = OpprofBatchText(batch, span->args);
    const uint32_t room = bytes == NULL ? 0 : (uint32_t) (span->args.length / sizeof(OpprofArg));
    const uint32_t count = span->arg_count < room ? span->arg_count : room;
    OpprofArg arg;

    for (uint32_t i = 0; i < count; i++) {
        memcpy(&arg, bytes + i * sizeof arg, sizeof arg);
        take_arg(&feed->keys, &arg, activity);
    }
    activity->launched_ns = to_ns(rank, activity->launched_ns);
    if (activity->launch_start_ns == OPPROF_NA_U64) {
        activity->launch_end_ns = OPPROF_NA_U64;
        return;
    }
    if (activity->launch_end_ns == OPPROF_NA_U64) {
        activity->launch_end_ns = 0;
    }
    activity->launch_end_ns =
        to_ns(rank, saturating_add(activity->launch_start_ns, activity->launch_end_ns));
    activity->launch_start_ns = to_ns(rank, activity->launch_start_ns);
}

/* False if the analysis does not need the span. */
static bool read_span(Feed *feed, const FeedRank *rank, const OpprofBatch *batch,
                      const OpprofSpan *span, Activity *ret_activity)
{
    ActivityClass class;

    if (span->kind != OPPROF_SPAN_SLICE) {
        return false;
    }
    class = RulesClass(&feed->rules, feed->stage, span);
    if (class == ACTIVITY_NONE) {
        return false;
    }
    *ret_activity = (Activity){ .start_tick = span->start,
                                .end_tick = saturating_add(span->start, span->duration),
                                .track = span->track,
                                .name = span->name,
                                .class = class,
                                .launch_start_ns = OPPROF_NA_U64,
                                .launch_end_ns = OPPROF_NA_U64,
                                .enqueued_tick = OPPROF_NA_U64,
                                .correlation = OPPROF_NA_U64,
                                .bytes = OPPROF_NA_U64,
                                .peer = OPPROF_NA_U64,
                                .launched = OPPROF_NA_U64,
                                .launched_ns = OPPROF_NA_U64,
                                .host_operator = OPPROF_NA_STRING,
                                .host_annotation = OPPROF_NA_STRING,
                                .host_module = OPPROF_NA_STRING,
                                .collective = OPPROF_NA_STRING,
                                .group = OPPROF_NA_STRING,
                                .sequence = OPPROF_NA_U64,
                                .group_size = OPPROF_NA_U64,
                                .in_bytes = OPPROF_NA_U64,
                                .out_bytes = OPPROF_NA_U64,
                                .bandwidth = OpprofNaF64() };
    ret_activity->start_ns = to_ns(rank, ret_activity->start_tick);
    ret_activity->end_ns = to_ns(rank, ret_activity->end_tick);
    take_args(feed, rank, batch, span, ret_activity);
    return true;
}

/* ---- order ---- */

/* True if the spans come sorted by start and nothing earlier than the last of them will follow. */
static bool is_in_order(const OpprofBatch *batch)
{
    uint64_t latest = 0;

    for (uint32_t i = 0; i < batch->count; i++) {
        const OpprofSpan *span = OpprofBatchRecord(batch, i);

        if (span->start < latest) {
            return false;
        }
        latest = span->start;
    }
    return latest <= batch->watermark;
}

static OpprofStatus give(Feed *feed, FeedRank *rank, const Activity *activity)
{
    feed->given++;
    return feed->ops->take(feed, rank, activity);
}

static OpprofStatus give_batch(Feed *feed, FeedRank *rank, const OpprofBatch *batch)
{
    OpprofStatus status = OPPROF_OK;
    Activity activity;

    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        if (read_span(feed, rank, batch, OpprofBatchRecord(batch, i), &activity)) {
            status = give(feed, rank, &activity);
        }
    }
    return status;
}

static bool hold(FeedRank *rank, const Activity *activity)
{
    if (!OpprofGrow(&rank->held, &rank->held_capacity, rank->held_count + 1, sizeof *rank->held)) {
        return false;
    }
    rank->held[rank->held_count++] = *activity;
    return true;
}

static bool hold_batch(Feed *feed, FeedRank *rank, const OpprofBatch *batch)
{
    Activity activity;

    for (uint32_t i = 0; i < batch->count; i++) {
        if (read_span(feed, rank, batch, OpprofBatchRecord(batch, i), &activity) &&
            !hold(rank, &activity)) {
            return false;
        }
    }
    return true;
}

static int compare_starts(const void *a, const void *b)
{
    const Activity *left = a;
    const Activity *right = b;

    return (left->start_tick > right->start_tick) - (left->start_tick < right->start_tick);
}

/* Merge two sorted halves; equal ones keep their order, which qsort does not guarantee. */
static void merge_halves(const Activity *from, size_t middle, size_t count, Activity *to)
{
    size_t left = 0;
    size_t right = middle;

    for (size_t at = 0; at < count; at++) {
        const bool take_right =
            left == middle || (right < count && compare_starts(&from[right], &from[left]) < 0);

        to[at] = from[take_right ? right++ : left++];
    }
}

static void sort_held(Activity *list, size_t count, Activity *scratch)
{
    if (count < 2) {
        return;
    }
    sort_held(list, count / 2, scratch);
    sort_held(list + count / 2, count - count / 2, scratch);
    memcpy(scratch, list, count * sizeof *list);
    merge_halves(scratch, count / 2, count, list);
}

/* Emit everything that nothing earlier can precede any more. */
static OpprofStatus release(Feed *feed, FeedRank *rank, uint64_t watermark)
{
    OpprofStatus status = OPPROF_OK;
    Activity *scratch;
    size_t given = 0;

    if (rank->held_count == 0 || watermark == 0) {
        return OPPROF_OK;
    }
    scratch = reallocarray(NULL, rank->held_count, sizeof *scratch);
    if (scratch == NULL) {
        return OPPROF_E_MEMORY;
    }
    sort_held(rank->held, rank->held_count, scratch);
    free(scratch);
    while (status == OPPROF_OK && given < rank->held_count &&
           rank->held[given].start_tick <= watermark) {
        status = give(feed, rank, &rank->held[given++]);
    }
    rank->held_count -= given;
    memmove(rank->held, rank->held + given, rank->held_count * sizeof *rank->held);
    return status;
}

static OpprofStatus take_batch(Feed *feed, FeedRank *rank, const OpprofBatch *batch)
{
    OpprofStatus status;

    if (feed->ops->read != NULL) {
        feed->given += batch->count;
        status = feed->ops->read(feed, rank, batch);
    } else if (rank->held_count == 0 && is_in_order(batch)) {
        status = give_batch(feed, rank, batch);
    } else if (!hold_batch(feed, rank, batch)) {
        status = OPPROF_E_MEMORY;
    } else {
        status = release(feed, rank, batch->watermark);
    }
    if (status == OPPROF_OK && batch->watermark == UINT64_MAX) {
        status = end_rank(feed, rank);
    }
    return status;
}

static OpprofStatus explain(const Feed *feed, uint32_t rank, OpprofStatus status)
{
    return OpprofErrorExplain(feed->error, status, "Cannot analyse rank '%s'",
                              OpprofStageString(feed->stage, rank));
}

static OpprofStatus end_ranks(Feed *feed)
{
    OpprofStatus status = OPPROF_OK;

    while (status == OPPROF_OK && feed->open_count > 0) {
        FeedRank *rank = feed->ranks[0];
        const uint32_t name = rank->name;

        status = release(feed, rank, UINT64_MAX);
        status = explain(feed, name, status == OPPROF_OK ? end_rank(feed, rank) : status);
    }
    return status;
}

/* ---- parts ---- */

static OpprofStatus accept(Feed *feed, const FeedPart *part, const FeedRank *rank,
                           const void *record)
{
    return part->table == FEED_PORTS
               ? part->accept(feed, rank, record)
               : FeedAddRow(feed, part->table, rank->name, record, part->size);
}

OpprofStatus FeedHand(Feed *feed, uint32_t part, const FeedRank *rank, const void *record)
{
    const uint32_t port = feed->ops->first_part + part;
    const OpprofStatus status = accept(feed, &feed->ops->parts[part], rank, record);

    if (status != OPPROF_OK || !OpprofStageHasReader(feed->stage, port)) {
        return status;
    }
    OpprofStageSetClock(feed->stage, port, rank->clock);
    return OpprofStageAppend(feed->stage, port, rank->name, record);
}

bool FeedWants(const Feed *feed, uint32_t part)
{
    return OpprofStageHasReader(feed->stage, feed->ops->parts[part].table) ||
           OpprofStageHasReader(feed->stage, feed->ops->first_part + part);
}

/* Records that another run made. */
static OpprofStatus accept_batch(Feed *feed, const FeedPart *part, const OpprofBatch *batch)
{
    const FeedRank rank = rank_of(feed, batch);
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        status = accept(feed, part, &rank, OpprofBatchRecord(batch, i));
    }
    return status;
}

/* ---- operations ---- */

static OpprofStatus no_memory(const char *what, OpprofError **error)
{
    return OpprofErrorNoMemory(error, "%s the analysis", what);
}

OpprofStatus FeedCreate(OpprofStage *stage, const FeedOps *ops, void **ret_self,
                        OpprofError **error)
{
    Feed *feed = calloc(1, ops->size);

    if (feed == NULL) {
        return no_memory("create", error);
    }
    feed->stage = stage;
    feed->ops = ops;
    *ret_self = feed;
    return OPPROF_OK;
}

OpprofStatus FeedConfigure(void *self, const OpprofParams *params, OpprofError **error)
{
    Feed *feed = self;

    OpprofStatus status = OPPROF_OK;

    feed->params = params;
    feed->error = error;
    if (feed->ops->configure != NULL) {
        status = feed->ops->configure(self, params);
    }
    if (status == OPPROF_E_MEMORY) {
        return no_memory("configure", error);
    }
    return status == OPPROF_OK && feed->ops->take != NULL ? RulesInit(&feed->rules, params, error)
                                                          : status;
}

bool FeedIntern(const Feed *feed, const char *word, uint32_t *ret_id)
{
    *ret_id = OpprofStageIntern(feed->stage, word, strlen(word));
    return *ret_id != OPPROF_NA_STRING;
}

OpprofStatus FeedStart(void *self, OpprofError **error)
{
    Feed *feed = self;
    const struct {
        uint32_t *id;
        const char *word;
    } table[] = {
        { &feed->keys.bandwidth, OPPROF_ACTIVITY_ARG_BANDWIDTH },
        { &feed->keys.bytes, OPPROF_ACTIVITY_ARG_BYTES },
        { &feed->keys.correlation, OPPROF_ACTIVITY_ARG_CORRELATION },
        { &feed->keys.enqueued, OPPROF_ACTIVITY_ARG_ENQUEUED },
        { &feed->keys.launch_duration, OPPROF_ACTIVITY_ARG_LAUNCH_DURATION },
        { &feed->keys.launch_start, OPPROF_ACTIVITY_ARG_LAUNCH_START },
        { &feed->keys.peer, OPPROF_ACTIVITY_ARG_PEER },
        { &feed->keys.launched, OPPROF_ACTIVITY_ARG_LAUNCHED },
        { &feed->keys.launched_duration, OPPROF_ACTIVITY_ARG_LAUNCHED_DURATION },
        { &feed->keys.host_operator, OPPROF_HOST_OPERATOR },
        { &feed->keys.host_annotation, OPPROF_HOST_ANNOTATION },
        { &feed->keys.host_module, OPPROF_HOST_MODULE },
        { &feed->keys.collective, OPPROF_ACTIVITY_ARG_COLLECTIVE },
        { &feed->keys.group, OPPROF_ACTIVITY_ARG_GROUP },
        { &feed->keys.sequence, OPPROF_ACTIVITY_ARG_SEQUENCE },
        { &feed->keys.group_size, OPPROF_ACTIVITY_ARG_GROUP_SIZE },
        { &feed->keys.in_bytes, OPPROF_ACTIVITY_ARG_IN_BYTES },
        { &feed->keys.out_bytes, OPPROF_ACTIVITY_ARG_OUT_BYTES },
    };

    bool is_good = true;

    for (size_t i = 0; is_good && i < OPPROF_COUNT(table); i++) {
        is_good = FeedIntern(feed, table[i].word, table[i].id);
    }
    feed->error = error;
    return is_good && (feed->ops->start == NULL || feed->ops->start(self) == OPPROF_OK)
               ? OPPROF_OK
               : no_memory("start", error);
}

OpprofStatus FeedProcess(void *self, uint32_t port, const OpprofBatch *batch, OpprofError **error)
{
    Feed *feed = self;
    FeedRank *rank;

    feed->error = error;
    if (port > 0) {
        return explain(feed, batch->partition,
                       accept_batch(feed, &feed->ops->parts[port - 1], batch));
    }
    if (batch->count == 0 && is_over(feed, batch->partition)) {
        return OPPROF_OK;
    }
    if (is_over(feed, batch->partition)) {
        warn_of_return(feed, batch->partition);
    }
    rank = find_rank(feed, batch);
    return explain(feed, batch->partition,
                   rank == NULL ? OPPROF_E_MEMORY : take_batch(feed, rank, batch));
}

static OpprofStatus put_tables(Feed *feed)
{
    OpprofStatus status = feed->ops->put == NULL ? OPPROF_OK : feed->ops->put(feed);

    for (uint32_t port = 0; status == OPPROF_OK && port < FEED_PORTS; port++) {
        if (feed->rows[port].part_count > 0) {
            status = RankRowsPut(&feed->rows[port], feed->stage, port, feed->error);
        }
    }
    return OpprofErrorExplain(feed->error, status, "Cannot write the results of '%s'",
                              OpprofStageId(feed->stage));
}

OpprofStatus FeedFlush(void *self, OpprofError **error)
{
    Feed *feed = self;
    OpprofStatus status;

    feed->error = error;
    status = end_ranks(feed);
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(feed->stage), "Analysed %s: %" PRIu64 ", ranks=%zu",
              feed->ops->take == NULL ? "records" : "pieces of work", feed->given,
              feed->rank_count);
    if (feed->rank_count > 0 && feed->ops->take != NULL) {
        RulesWarnUnused(&feed->rules, feed->params, feed->stage);
    }
    return status == OPPROF_OK ? put_tables(feed) : status;
}

void FeedDestroy(void *self)
{
    Feed *feed = self;

    for (size_t i = 0; i < feed->open_count; i++) {
        destroy_rank(feed, feed->ranks[i]);
    }
    for (uint32_t port = 0; port < FEED_PORTS; port++) {
        RankRowsFinish(&feed->rows[port]);
    }
    free(feed->ranks);
    free(feed->over);
    if (feed->ops->finish != NULL) {
        feed->ops->finish(self);
    }
    free(feed);
}
