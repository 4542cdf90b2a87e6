/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace-operators: the operators, annotations, modules and Python functions that the device's time
 * belongs to, and what they cost the host.
 * Tested by tests/plugins/analyse-trace/test_kineto.
 */
#include "analyse-trace/common/item_map.h"
#include "analyse-trace/common/rank_rows.h"

#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/log.h>
#include <opprof/plugin.h>
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
    uint32_t name; /* interned name of the partition */
    double us_a_tick;
    ItemMap tables[TABLES];          /* of NameTime, by name */
    uint32_t recent[TABLES][RECENT]; /* number of a NameTime plus 1, by its name; 0: none yet */
} RankHost;

typedef struct Operators {
    OpprofStage *stage;
    uint32_t kind_ids[TABLES];
    RankHost **ranks; /* that are not over, in order of appearance */
    size_t rank_count;
    size_t rank_capacity;
    RankRows rows[TABLES];
    uint64_t calls; /* of all ranks so far */
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

static RankHost *find_rank(Operators *self, const OpprofBatch *batch)
{
    const OpprofClock *clock = OpprofStageClockInfo(self->stage, batch->clock);
    RankHost *rank;

    for (size_t i = self->rank_count; i > 0; i--) {
        if (self->ranks[i - 1]->name == batch->partition) {
            return self->ranks[i - 1];
        }
    }
    if (!OpprofGrow(&self->ranks, &self->rank_capacity, self->rank_count + 1, sizeof(RankHost *))) {
        return NULL;
    }
    rank = calloc(1, sizeof *rank);
    if (rank != NULL) {
        rank->name = batch->partition;
        rank->us_a_tick = clock == NULL ? 1e-3 : 1e6 / (double) clock->hz;
        self->ranks[self->rank_count++] = rank;
    }
    return rank;
}

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

static OpprofStatus add_row(Operators *self, const RankHost *rank, uint32_t table,
                            const NameTime *time, OpprofError **error)
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

    return RankRowsAdd(&self->rows[table], self->stage, rank->name, &row, sizeof row, error);
}

static OpprofStatus add_table(Operators *self, const RankHost *rank, uint32_t table,
                              OpprofError **error)
{
    const ItemMap *names = &rank->tables[table];
    void **list = ItemMapSorted(names, compare_times, self->stage);
    OpprofStatus status =
        list == NULL ? OpprofErrorNoMemory(error, "sort the names of a rank") : OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < names->count; i++) {
        status = add_row(self, rank, table, list[i], error);
    }
    free(list);
    return status;
}

static void destroy_rank(RankHost *rank)
{
    for (int table = 0; table < TABLES; table++) {
        ItemMapFree(&rank->tables[table]);
    }
    free(rank);
}

/* Its rows are put aside; nothing else of it is kept. */
static OpprofStatus end_rank(Operators *self, RankHost *rank, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    size_t place = 0;

    for (uint32_t table = 0; status == OPPROF_OK && table < TABLES; table++) {
        status = add_table(self, rank, table, error);
    }
    while (self->ranks[place] != rank) {
        place++;
    }
    self->rank_count--;
    memmove(self->ranks + place, self->ranks + place + 1,
            (self->rank_count - place) * sizeof(RankHost *));
    destroy_rank(rank);
    return status;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Operators *self = context;
    RankHost *rank = find_rank(self, batch);

    (void) port;
    self->calls += batch->count;
    for (uint32_t i = 0; rank != NULL && i < batch->count; i++) {
        if (!add_call(self, rank, OpprofBatchRecord(batch, i))) {
            rank = NULL;
        }
    }
    if (rank == NULL) {
        return OpprofErrorNoMemory(error, "add up operators");
    }
    return batch->watermark == UINT64_MAX ? end_rank(self, rank, error) : OPPROF_OK;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Operators *self = context;
    OpprofStatus status = OPPROF_OK;

    while (status == OPPROF_OK && self->rank_count > 0) {
        status = end_rank(self, self->ranks[0], error);
    }
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Added up calls: %" PRIu64, self->calls);
    for (uint32_t table = 0; status == OPPROF_OK && table < TABLES; table++) {
        status = RankRowsPut(&self->rows[table], self->stage, table, error);
    }
    return OpprofErrorExplain(error, status, "Cannot write the tables of operators");
}

/* ---- module ---- */

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Operators *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return OpprofErrorNoMemory(error, "create the analysis");
    }
    self->stage = stage;
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus start(void *context, OpprofError **error)
{
    Operators *self = context;

    for (int table = 0; table < TABLES; table++) {
        self->kind_ids[table] = OpprofStageIntern(self->stage, kinds[table], strlen(kinds[table]));
        if (self->kind_ids[table] == OPPROF_NA_STRING) {
            return OpprofErrorNoMemory(error, "start the analysis");
        }
    }
    return OPPROF_OK;
}

static void destroy(void *context)
{
    Operators *self = context;

    for (size_t r = 0; r < self->rank_count; r++) {
        destroy_rank(self->ranks[r]);
    }
    for (int table = 0; table < TABLES; table++) {
        RankRowsFinish(&self->rows[table]);
    }
    free(self->ranks);
    free(self);
}

static const OpprofPort inputs[] = {
    { .name = "host",
      .type = "host.call",
      .record_type = &opprof_host_call_type,
      .summary = "What the hosts did; a partition is a rank." },
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
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .start = start,
    .process = process,
    .flush = flush,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(
        .name = "trace-operators", .version = "1.0", .license = "Apache-2.0",
        .summary =
            "Shows which operators, annotations, modules and Python functions the time belongs to.",
        .help = "Device work belongs to what the host was doing on the thread that launched it. "
                "Keeps 90 bytes for each name of a rank until the rank ends.",
        .kind = OPPROF_ANALYSIS, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
        .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .ops = &ops);
