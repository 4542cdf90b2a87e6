/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace-operators: the operators, annotations, modules and Python functions that the device's time
 * belongs to, and what they cost the host.
 * Tested by tests/plugins/analyse-trace/test_kineto.
 */
#include "analyse-trace/common/feed.h"
#include "analyse-trace/common/item_map.h"

#include <opprof/records/host.h>
#include <stdlib.h>
#include <string.h>

#define RECENT 256u /* a power of two: names that are found without a search */

enum { TABLE_OPERATORS, TABLE_ANNOTATIONS, TABLE_MODULES, TABLE_FRAMES, TABLES };

static const char *const kinds[TABLES] = {
    [TABLE_OPERATORS] = OPPROF_HOST_OPERATOR,
    [TABLE_ANNOTATIONS] = OPPROF_HOST_ANNOTATION,
    [TABLE_MODULES] = OPPROF_HOST_MODULE,
    [TABLE_FRAMES] = OPPROF_HOST_FRAME,
};

/* All calls of one name. */
typedef struct NameTime {
    uint32_t name;
    uint32_t reserved;
    uint64_t count;
    uint64_t total; /* ticks; those inside another of the name are not counted again */
    uint64_t self;
    uint64_t device_total;
    uint64_t device_self;
    uint64_t kernels_total;
    uint64_t kernels_self;
    uint64_t delay;
    uint64_t launches;
} NameTime;

/* A rank while its spans arrive. */
typedef struct RankHost {
    ItemMap tables[TABLES];          /* of NameTime, by name */
    uint32_t recent[TABLES][RECENT]; /* number of a NameTime plus 1, by its name; 0: none yet */
} RankHost;

typedef struct Operators {
    Feed feed; /* first: see FeedCreate */
    uint32_t kind_ids[TABLES];
} Operators;

typedef struct OperatorRow {
    uint32_t rank;
    uint32_t name;
    uint64_t count;
    double total_us;
    double self_us;
    double device_total_us;
    double device_self_us;
    uint64_t kernels_total;
    uint64_t kernels_self;
    double delay_us;
} OperatorRow;

/* Totals have what is inside, which has rows of its own. */
#define OPERATOR_TIME(member, head, more, text)                                                    \
    OPPROF_FIELD(OperatorRow, member, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST,         \
                 .unit = "us", .heading = (head), .decimals = 4, .flags = (more),                  \
                 .meaning = (text))
#define OPERATOR_COUNT(member, head, text)                                                         \
    OPPROF_FIELD(OperatorRow, member, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM,             \
                 .unit = "1", .heading = (head), .meaning = (text))

static const OpprofField fields[] = {
    OPPROF_FIELD(OperatorRow, rank, OPPROF_FIELD_STRING,
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER, .meaning = "Rank."),
    OPPROF_FIELD(OperatorRow, name, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Name of the operator, annotation, module or function."),
    OPERATOR_COUNT(count, "count", "Calls."),
    OPERATOR_TIME(total_us, "total(us)", OPPROF_FIELD_ALONE,
                  "Time on the host; calls inside another of the name are not counted again."),
    OPERATOR_TIME(self_us, "self(us)", 0,
                  "Time on the host without that of others of its kind inside it."),
    OPERATOR_TIME(device_total_us, "device_total(us)", OPPROF_FIELD_ALONE,
                  "Device work launched in it, durations added up."),
    OPERATOR_TIME(device_self_us, "device_self(us)", 0,
                  "Device work launched in it, but not in others of its kind inside it."),
    OPERATOR_COUNT(kernels_total, "kernels_total", "Pieces of work of device_total."),
    OPERATOR_COUNT(kernels_self, "kernels_self", "Pieces of work of device_self."),
    OPPROF_FIELD(OperatorRow, delay_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_MEAN,
                 .unit = "us", .decimals = 4, .heading = "launch_delay_mean(us)",
                 .flags = OPPROF_FIELD_ALONE,
                 .meaning = "Mean time from the end of its own launching calls to their work.",
                 .absent = "it launched nothing itself"),
};

#define OPERATOR_TABLE(type_name, text, heading, file)                                             \
    {                                                                                              \
        .struct_size = sizeof(OpprofRecordType), .version = 1, .name = (type_name),                \
        .summary = (text), .size = sizeof(OperatorRow), .flags = OPPROF_RECORD_TABLE,              \
        .fields = fields, .field_count = OPPROF_COUNT(fields), .title = (heading),                 \
        .file_hint = (file)                                                                        \
    }

static const OpprofRecordType table_types[TABLES] = {
    [TABLE_OPERATORS] =
        OPERATOR_TABLE("trace.operators", "Time of each operator.", "Operators", "operators"),
    [TABLE_ANNOTATIONS] = OPERATOR_TABLE("trace.annotations", "Time of each annotation.",
                                         "Annotations", "annotations"),
    [TABLE_MODULES] = OPERATOR_TABLE("trace.modules", "Time of each module of the network.",
                                     "Modules", "modules"),
    [TABLE_FRAMES] = OPERATOR_TABLE("trace.frames", "Time of each Python function.",
                                    "Functions of Python", "python_frames"),
};

/* ---- collecting ---- */

/* The times of a name, NULL without memory. Most names come again soon. */
static NameTime *times_of(RankHost *rank, int table, uint32_t name)
{
    ItemMap *map = &rank->tables[table];
    uint32_t *recent = &rank->recent[table][name % RECENT];
    NameTime *time = *recent == 0 ? NULL : ItemMapAt(map, *recent - 1);

    if (time == NULL || time->name != name) {
        time = ItemMapGet(map, name, sizeof *time);
        if (time == NULL) {
            return NULL;
        }
        time->name = name;
        *recent = map->latest + 1;
    }
    return time;
}

static bool add_call(const Operators *self, RankHost *rank, const OpprofHostCall *call)
{
    NameTime *time;
    int table = 0;

    while (table < TABLES && self->kind_ids[table] != call->kind) {
        table++;
    }
    if (table == TABLES) {
        return true;
    }
    time = times_of(rank, table, call->name);
    if (time == NULL) {
        return false;
    }
    time->count++;
    time->self += call->self;
    time->device_self += call->device_self;
    time->kernels_self += call->kernels_self;
    time->delay += call->delay;
    time->launches += call->launches;
    if ((call->flags & OPPROF_HOST_RECURSIVE) == 0) {
        time->total += call->duration;
        time->device_total += call->device_total;
        time->kernels_total += call->kernels_total;
    }
    return true;
}

static OpprofStatus read_batch(void *context, FeedRank *rank, const OpprofBatch *batch)
{
    bool is_good = true;

    for (uint32_t i = 0; is_good && i < batch->count; i++) {
        is_good = add_call(context, rank->state, OpprofBatchRecord(batch, i));
    }
    return is_good ? OPPROF_OK : OPPROF_E_MEMORY;
}

/* ---- tables ---- */

/* Most of the device's time first, then most of the host's. */
static int compare_times(const void *a, const void *b, void *stage)
{
    const NameTime *left = *(const NameTime *const *) a;
    const NameTime *right = *(const NameTime *const *) b;

    if (left->device_total != right->device_total) {
        return left->device_total < right->device_total ? 1 : -1;
    }
    if (left->total != right->total) {
        return left->total < right->total ? 1 : -1;
    }
    return strcmp(OpprofStageString(stage, left->name), OpprofStageString(stage, right->name));
}

static OpprofStatus add_row(Operators *self, const FeedRank *rank, uint32_t table,
                            const NameTime *time)
{
    const OperatorRow row = {
        .rank = rank->name,
        .name = time->name,
        .count = time->count,
        .total_us = (double) time->total * rank->us_a_tick,
        .self_us = (double) time->self * rank->us_a_tick,
        .device_total_us = (double) time->device_total * rank->us_a_tick,
        .device_self_us = (double) time->device_self * rank->us_a_tick,
        .kernels_total = time->kernels_total,
        .kernels_self = time->kernels_self,
        .delay_us = time->launches == 0
                        ? OpprofNaF64()
                        : (double) time->delay * rank->us_a_tick / (double) time->launches,
    };

    return FeedHand(&self->feed, table, rank, &row);
}

static OpprofStatus add_table(Operators *self, const FeedRank *rank, uint32_t table)
{
    const ItemMap *names = &((const RankHost *) rank->state)->tables[table];
    void **list = ItemMapSorted(names, compare_times, self->feed.stage);
    OpprofStatus status = list == NULL ? OPPROF_E_MEMORY : OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < names->count; i++) {
        status = add_row(self, rank, table, list[i]);
    }
    free(list);
    return status;
}

static OpprofStatus end_rank(void *context, FeedRank *rank)
{
    OpprofStatus status = OPPROF_OK;

    for (uint32_t table = 0; status == OPPROF_OK && table < TABLES; table++) {
        status = add_table(context, rank, table);
    }
    return status;
}

static void free_state(void *state)
{
    RankHost *host = state;

    for (int table = 0; table < TABLES; table++) {
        ItemMapFree(&host->tables[table]);
    }
}

/* ---- module ---- */

static OpprofStatus start(void *context)
{
    Operators *self = context;
    bool is_good = true;

    for (int table = 0; is_good && table < TABLES; table++) {
        is_good = FeedIntern(&self->feed, kinds[table], &self->kind_ids[table]);
    }
    return is_good ? OPPROF_OK : OPPROF_E_MEMORY;
}

static const FeedPart parts[] = {
    { .size = sizeof(OperatorRow), .table = TABLE_OPERATORS },
    { .size = sizeof(OperatorRow), .table = TABLE_ANNOTATIONS },
    { .size = sizeof(OperatorRow), .table = TABLE_MODULES },
    { .size = sizeof(OperatorRow), .table = TABLE_FRAMES },
};

static const FeedOps feed_ops = {
    .size = sizeof(Operators),
    .state_size = sizeof(RankHost),
    .start = start,
    .read = read_batch,
    .end_rank = end_rank,
    .free_state = free_state,
    .parts = parts,
    .part_count = OPPROF_COUNT(parts),
    .first_part = 4,
};

#define PARTIALS                                                                                   \
    FEED_ROWS("operators-partial", "trace.operators", table_types[TABLE_OPERATORS]),               \
        FEED_ROWS("annotations-partial", "trace.annotations", table_types[TABLE_ANNOTATIONS]),     \
        FEED_ROWS("modules-partial", "trace.modules", table_types[TABLE_MODULES]),                 \
        FEED_ROWS("frames-partial", "trace.frames", table_types[TABLE_FRAMES])

static const OpprofPort inputs[] = {
    { .name = "host",
      .type = "host.call",
      .record_type = &opprof_host_call_type,
      .summary = "What the hosts did; a partition is a rank." },
    PARTIALS,
};

static const OpprofPort outputs[] = {
    [TABLE_OPERATORS] = { .name = "operators",
                          .record_type = &table_types[TABLE_OPERATORS],
                          .summary =
                              "One row per rank and operator, most of the device's time first." },
    [TABLE_ANNOTATIONS] = { .name = "annotations",
                            .record_type = &table_types[TABLE_ANNOTATIONS],
                            .summary = "The same for annotations." },
    [TABLE_MODULES] = { .name = "modules",
                        .record_type = &table_types[TABLE_MODULES],
                        .summary = "The same for modules of the network." },
    [TABLE_FRAMES] = { .name = "frames",
                       .record_type = &table_types[TABLE_FRAMES],
                       .summary = "The same for Python functions." },
    PARTIALS,
};

FEED_DEFINE(
    feed_ops, inputs, outputs, .name = "trace-operators",
    .summary =
        "Shows which operators, annotations, modules and Python functions the time belongs to.",
    .help = "Device work belongs to what the host was doing on the thread that launched it. "
            "Keeps 90 bytes for each name of a rank until the rank ends.");
