/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace-sync-calls: how long the host is in calls that may wait for the device, by call and by the
 * operator around it. Tested by tests/plugins/analyse-trace/test_sync_calls.sh.
 */
#include "analyse-trace/common/rank_rows.h"

#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/log.h>
#include <opprof/plugin.h>
#include <opprof/records/path.h>
#include <stdlib.h>
#include <string.h>

#define WAITS (OPPROF_PATH_BLOCKS | OPPROF_PATH_WAITS_ALL | OPPROF_PATH_WAITS_SOME)
#define OPEN_MOST 64u /* operators inside each other that are looked at */

/* An operator, or a call that may wait. */
typedef struct HostPart {
    uint64_t start;
    uint64_t end;
    uint32_t thread;
    uint32_t name;
    bool is_call;
} HostPart;

/* A rank until it is over. */
typedef struct RankHost {
    uint32_t name;
    double us_a_tick;
    HostPart *parts;
    size_t count;
    size_t capacity;
    size_t calls;
} RankHost;

typedef struct SyncCalls {
    OpprofStage *stage;
    uint32_t operator_id; /* interned kinds */
    uint32_t call_id;
    RankHost *ranks; /* that are not over */
    size_t rank_count;
    size_t rank_capacity;
    RankRows rows;
    uint64_t calls;
} SyncCalls;

typedef struct SyncRow {
    uint32_t rank;
    uint32_t call;
    uint32_t around;
    uint32_t reserved;
    uint64_t count;
    double total_us;
    double max_us;
} SyncRow;

static const OpprofField fields[] = {
    OPPROF_FIELD(SyncRow, rank, OPPROF_FIELD_STRING,
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER, .meaning = "Rank."),
    OPPROF_FIELD(SyncRow, call, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Call that may wait for the device."),
    OPPROF_FIELD(SyncRow, around, OPPROF_FIELD_STRING, .heading = "operator",
                 .flags = OPPROF_FIELD_KEY,
                 .meaning = "Innermost operator that was open on the thread of the call.",
                 .absent = "no operator was open"),
    OPPROF_FIELD(SyncRow, count, OPPROF_FIELD_U64, .unit = "1", .meaning = "Calls."),
    OPPROF_FIELD(SyncRow, total_us, OPPROF_FIELD_F64, .unit = "us", .heading = "total(us)",
                 .decimals = 4, .meaning = "Time of the host in the calls, waiting or not."),
    OPPROF_FIELD(SyncRow, max_us, OPPROF_FIELD_F64, .unit = "us", .heading = "max(us)",
                 .decimals = 4, .flags = OPPROF_FIELD_ALONE, .meaning = "Longest call."),
};

static const OpprofRecordType sync_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "trace.sync-calls",
    .summary = "Time of the host in calls that may wait for the device.",
    .size = sizeof(SyncRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = fields,
    .field_count = OPPROF_COUNT(fields),
    .title = "Calls that wait for the device",
    .file_hint = "sync_calls",
};

/* ---- collecting ---- */

static RankHost *find_rank(SyncCalls *self, const OpprofBatch *batch)
{
    const OpprofClock *clock = OpprofStageClockInfo(self->stage, batch->clock);
    RankHost *rank;

    for (size_t i = self->rank_count; i > 0; i--) {
        if (self->ranks[i - 1].name == batch->partition) {
            return &self->ranks[i - 1];
        }
    }
    if (!OpprofGrow(&self->ranks, &self->rank_capacity, self->rank_count + 1,
                    sizeof *self->ranks)) {
        return NULL;
    }
    rank = &self->ranks[self->rank_count++];
    *rank = (RankHost){ .name = batch->partition,
                        .us_a_tick = clock == NULL ? 1e-3 : 1e6 / (double) clock->hz };
    return rank;
}

static bool add(const SyncCalls *self, RankHost *rank, const OpprofPathEvent *event)
{
    const bool is_call = event->kind == self->call_id && (event->flags & WAITS) != 0;

    if (!is_call && event->kind != self->operator_id) {
        return true;
    }
    if (!OpprofGrow(&rank->parts, &rank->capacity, rank->count + 1, sizeof *rank->parts)) {
        return false;
    }
    rank->parts[rank->count++] = (HostPart){ .start = event->start,
                                             .end = event->start + event->duration,
                                             .thread = event->thread,
                                             .name = event->name,
                                             .is_call = is_call };
    rank->calls += is_call;
    return true;
}

/* ---- a rank ---- */

/* By thread and start; what is around comes before what is inside. */
static int compare_parts(const void *a, const void *b)
{
    const HostPart *left = a;
    const HostPart *right = b;

    if (left->thread != right->thread) {
        return left->thread < right->thread ? -1 : 1;
    }
    if (left->start != right->start) {
        return left->start < right->start ? -1 : 1;
    }
    if (left->is_call != right->is_call) {
        return left->is_call ? 1 : -1;
    }
    return left->end == right->end ? 0 : left->end > right->end ? -1 : 1;
}

/* A call, and the operator around it. */
typedef struct SyncCall {
    uint32_t call;
    uint32_t around;
    uint64_t duration;
} SyncCall;

static int compare_calls(const void *a, const void *b)
{
    const SyncCall *left = a;
    const SyncCall *right = b;

    if (left->call != right->call) {
        return left->call < right->call ? -1 : 1;
    }
    return left->around == right->around ? 0 : left->around < right->around ? -1 : 1;
}

/* The calls of sorted parts, each with the innermost operator that is open. */
static size_t find_calls(const RankHost *rank, SyncCall *calls)
{
    const HostPart *open[OPEN_MOST];
    size_t depth = 0;
    size_t count = 0;

    for (size_t i = 0; i < rank->count; i++) {
        const HostPart *part = &rank->parts[i];

        while (depth > 0 &&
               (open[depth - 1]->thread != part->thread || open[depth - 1]->end <= part->start)) {
            depth--;
        }
        if (part->is_call) {
            calls[count++] =
                (SyncCall){ .call = part->name,
                            .around = depth == 0 ? OPPROF_NA_STRING : open[depth - 1]->name,
                            .duration = part->end - part->start };
        } else if (depth < OPEN_MOST) {
            open[depth++] = part;
        }
    }
    return count;
}

/* Most of the host's time first. */
static int compare_rows(const void *a, const void *b)
{
    const SyncRow *left = a;
    const SyncRow *right = b;

    if (left->total_us < right->total_us || left->total_us > right->total_us) {
        return left->total_us < right->total_us ? 1 : -1;
    }
    if (left->call != right->call) {
        return left->call < right->call ? -1 : 1;
    }
    return left->around == right->around ? 0 : left->around < right->around ? -1 : 1;
}

/* One row for each pair of sorted calls; returns how many. Ticks add up without rounding. */
static size_t sum_calls(const RankHost *rank, const SyncCall *calls, size_t count, SyncRow *rows)
{
    size_t row_count = 0;
    uint64_t total = 0;
    uint64_t most = 0;

    for (size_t i = 0; i < count; i++) {
        const bool is_first = i == 0 || compare_calls(&calls[i - 1], &calls[i]) != 0;
        SyncRow *row;

        if (is_first) {
            rows[row_count++] =
                (SyncRow){ .rank = rank->name, .call = calls[i].call, .around = calls[i].around };
            total = 0;
            most = 0;
        }
        row = &rows[row_count - 1];
        total += calls[i].duration;
        most = calls[i].duration > most ? calls[i].duration : most;
        row->count++;
        row->total_us = (double) total * rank->us_a_tick;
        row->max_us = (double) most * rank->us_a_tick;
    }
    return row_count;
}

static OpprofStatus put_rank(SyncCalls *self, RankHost *rank, OpprofError **error)
{
    SyncCall *calls = calloc(rank->calls + 1, sizeof *calls);
    SyncRow *rows = calloc(rank->calls + 1, sizeof *rows);
    OpprofStatus status = OPPROF_OK;
    size_t count = 0;

    if (calls == NULL || rows == NULL) {
        status = OpprofErrorNoMemory(error, "add up the calls of a rank");
    } else {
        qsort(rank->parts, rank->count, sizeof *rank->parts, compare_parts);
        count = find_calls(rank, calls);
        qsort(calls, count, sizeof *calls, compare_calls);
        count = sum_calls(rank, calls, count, rows);
        qsort(rows, count, sizeof *rows, compare_rows);
    }
    for (size_t i = 0; status == OPPROF_OK && i < count; i++) {
        status = RankRowsAdd(&self->rows, self->stage, rank->name, &rows[i], sizeof rows[i], error);
    }
    free(calls);
    free(rows);
    return status;
}

static OpprofStatus end_rank(SyncCalls *self, RankHost *rank, OpprofError **error)
{
    const OpprofStatus status = rank->calls == 0 ? OPPROF_OK : put_rank(self, rank, error);

    self->calls += rank->calls;
    free(rank->parts);
    *rank = self->ranks[--self->rank_count];
    return status;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    SyncCalls *self = context;
    RankHost *rank = find_rank(self, batch);
    bool is_good = rank != NULL;

    (void) port;
    for (uint32_t i = 0; is_good && i < batch->count; i++) {
        is_good = add(self, rank, OpprofBatchRecord(batch, i));
    }
    if (!is_good) {
        return OpprofErrorNoMemory(error, "keep calls of the host");
    }
    return batch->watermark == UINT64_MAX ? end_rank(self, rank, error) : OPPROF_OK;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    SyncCalls *self = context;
    OpprofStatus status = OPPROF_OK;

    while (status == OPPROF_OK && self->rank_count > 0) {
        status = end_rank(self, &self->ranks[0], error);
    }
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Added up calls: %" PRIu64, self->calls);
    if (status == OPPROF_OK) {
        status = RankRowsPut(&self->rows, self->stage, 0, error);
    }
    return OpprofErrorExplain(error, status, "Cannot write the table of waiting calls");
}

/* ---- module ---- */

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    SyncCalls *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return OpprofErrorNoMemory(error, "create the analysis");
    }
    self->stage = stage;
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus start(void *context, OpprofError **error)
{
    SyncCalls *self = context;

    self->operator_id =
        OpprofStageIntern(self->stage, OPPROF_PATH_OPERATOR, strlen(OPPROF_PATH_OPERATOR));
    self->call_id = OpprofStageIntern(self->stage, OPPROF_PATH_CALL, strlen(OPPROF_PATH_CALL));
    return self->operator_id == OPPROF_NA_STRING || self->call_id == OPPROF_NA_STRING
               ? OpprofErrorNoMemory(error, "start the analysis")
               : OPPROF_OK;
}

static void destroy(void *context)
{
    SyncCalls *self = context;

    for (size_t i = 0; i < self->rank_count; i++) {
        free(self->ranks[i].parts);
    }
    free(self->ranks);
    RankRowsFinish(&self->rows);
    free(self);
}

static const OpprofPort inputs[] = {
    { .name = "path",
      .type = "host.path",
      .record_type = &opprof_path_event_type,
      .summary = "Operators and calls of the hosts; a partition is a rank." },
};

static const OpprofPort outputs[] = {
    { .name = "calls",
      .record_type = &sync_type,
      .summary = "One row per rank, call and operator, most of the host's time first." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .start = start,
    .process = process,
    .flush = flush,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(.name = "trace-sync-calls", .version = "1.0", .license = "Apache-2.0",
                     .summary = "Shows how long the host is in calls that may wait for the device, "
                                "by call and operator.",
                     .help = "A call belongs to the innermost operator that was open on its thread "
                             "when it began. Keeps 32 bytes for each operator and waiting call of "
                             "a rank until the rank ends.",
                     .kind = OPPROF_ANALYSIS, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
                     .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .ops = &ops);
