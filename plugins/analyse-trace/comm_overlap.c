/* SPDX-License-Identifier: Apache-2.0 */
/*
 * comm-overlap: how much of the communication is hidden behind computation, and how long each
 * combination of classes of work was active.
 */
#include "breakdown.h"
#include "feed.h"
#include "rows.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { OUTPUT_OVERLAP, OUTPUT_TYPES };

#define NAME_ROOM 96u /* all names of classes, joined */

typedef struct Overlap {
    Feed feed; /* first: see FeedCreate */
    bool include_memory;
} Overlap;

typedef struct OverlapRow {
    uint32_t rank;
    uint32_t reserved;
    double percent;
    double overlap_us;
    double communication_us;
} OverlapRow;

static const OpprofField overlap_fields[] = {
    OPPROF_FIELD(OverlapRow, rank, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Rank."),
    OPPROF_FIELD(OverlapRow, percent, OPPROF_FIELD_F64, .unit = "%", .decimals = 3,
                 .heading = "comp_comm_overlap_pctg",
                 .meaning = "Part of the communication time in which a computation ran.",
                 .absent = "no communication kernels"),
    OPPROF_FIELD(OverlapRow, overlap_us, OPPROF_FIELD_F64, .unit = "us", .decimals = 4,
                 .heading = "overlap_us", .meaning = "Time in which both ran."),
    OPPROF_FIELD(OverlapRow, communication_us, OPPROF_FIELD_F64, .unit = "us", .decimals = 4,
                 .heading = "comm_us", .meaning = "Time in which communication ran."),
};

static const OpprofRecordType overlap_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "trace.comm-overlap",
    .summary = "Communication hidden behind computation.",
    .size = sizeof(OverlapRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = overlap_fields,
    .field_count = OPPROF_COUNT(overlap_fields),
    .title = "Communication-computation overlap",
    .file_hint = "comm_comp_overlap",
};

typedef struct TypeRow {
    uint32_t type;
    uint32_t reserved;
    double sum_us;
    double percent;
} TypeRow;

static const OpprofField type_fields[] = {
    OPPROF_FIELD(TypeRow, type, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .heading = "kernel_type", .meaning = "Classes that were active together."),
    OPPROF_FIELD(TypeRow, sum_us, OPPROF_FIELD_F64, .unit = "us", .decimals = 4, .heading = "sum",
                 .meaning = "How long they were, over all ranks."),
    OPPROF_FIELD(TypeRow, percent, OPPROF_FIELD_F64, .unit = "%", .decimals = 2,
                 .heading = "percentage", .meaning = "Part of the sum of all rows."),
};

static const OpprofRecordType type_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "trace.kernel-types",
    .summary = "How long each combination of classes of work was active.",
    .size = sizeof(TypeRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = type_fields,
    .field_count = OPPROF_COUNT(type_fields),
    .title = "Kernel types",
    .file_hint = "kernel_types",
};

static OpprofStatus take(void *context, FeedRank *rank, const Activity *activity)
{
    const Overlap *self = context;
    const bool is_left_out = activity->class == ACTIVITY_MEMORY && !self->include_memory;

    if (activity->class < ACTIVITY_CLASSES && !is_left_out) {
        SweepAdd(rank->state, activity->class, activity->start_ns, activity->end_ns);
    }
    return OPPROF_OK;
}

static void put_overlap(Rows *rows, uint32_t rank, const Sweep *sweep)
{
    const uint64_t communication = SweepUnion(sweep, SWEEP_COMMUNICATION);
    const uint64_t both = SweepIntersection(sweep, SWEEP_COMMUNICATION | SWEEP_COMPUTATION);
    OverlapRow *row = RowsNext(rows);

    if (row != NULL) {
        row->rank = rank;
        row->percent = communication == 0 ? OpprofNaF64() : BreakdownPercent(both, communication);
        row->overlap_us = Microseconds(both);
        row->communication_us = Microseconds(communication);
    }
}

/* Names of a set of classes, joined. */
static uint32_t type_name(const Rows *rows, unsigned set)
{
    char name[NAME_ROOM] = "";

    for (unsigned i = 0; i < ACTIVITY_CLASSES; i++) {
        if ((set & 1u << i) != 0) {
            strncat(name, name[0] == '\0' ? "" : " overlapping ", sizeof name - strlen(name) - 1);
            strncat(name, ActivityClassName((ActivityClass) i), sizeof name - strlen(name) - 1);
        }
    }
    return RowsText(rows, name);
}

typedef struct TypeSum {
    unsigned set;
    uint64_t ns;
} TypeSum;

static int compare_sums(const void *a, const void *b)
{
    const TypeSum *left = a;
    const TypeSum *right = b;

    if (left->ns != right->ns) {
        return left->ns < right->ns ? 1 : -1;
    }
    return (left->set > right->set) - (left->set < right->set);
}

static void put_types(Rows *rows, const Overlap *self)
{
    TypeSum sums[SWEEP_ANY] = { { 0, 0 } };
    uint64_t total = 0;

    for (unsigned set = 1; set <= SWEEP_ANY; set++) {
        sums[set - 1].set = set;
        for (size_t i = 0; i < self->feed.rank_count; i++) {
            const Sweep *sweep = self->feed.ranks[i]->state;

            sums[set - 1].ns += sweep->sums[set];
        }
        total += sums[set - 1].ns;
    }
    qsort(sums, SWEEP_ANY, sizeof sums[0], compare_sums);
    for (unsigned i = 0; i < SWEEP_ANY && sums[i].ns > 0; i++) {
        TypeRow *row = RowsNext(rows);

        if (row != NULL) {
            row->type = type_name(rows, sums[i].set);
            row->sum_us = Microseconds(sums[i].ns);
            row->percent = BreakdownPercent(sums[i].ns, total);
        }
    }
}

static OpprofStatus put_all(void *context)
{
    Overlap *self = context;
    Rows overlaps = { .stage = self->feed.stage, .port = OUTPUT_OVERLAP };
    Rows types = { .stage = self->feed.stage, .port = OUTPUT_TYPES };
    OpprofStatus status;

    for (size_t i = 0; i < self->feed.rank_count; i++) {
        SweepEnd(self->feed.ranks[i]->state);
        put_overlap(&overlaps, self->feed.ranks[i]->name, self->feed.ranks[i]->state);
    }
    put_types(&types, self);
    status = RowsEnd(&types);
    return RowsEnd(&overlaps) != OPPROF_OK ? overlaps.status : status;
}

static OpprofStatus configure(void *context, const OpprofParams *params)
{
    Overlap *self = context;

    self->include_memory = OpprofParamsBool(params, "include_memory_kernels");
    return OPPROF_OK;
}

static const FeedOps feed_ops = {
    .size = sizeof(Overlap),
    .state_size = sizeof(Sweep),
    .configure = configure,
    .take = take,
    .put = put_all,
};

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    return FeedCreate(stage, &feed_ops, ret_self, error);
}

static const OpprofPort inputs[] = { FEED_INPUT };

static const OpprofPort outputs[] = {
    [OUTPUT_OVERLAP] = { .name = "overlap",
                         .record_type = &overlap_type,
                         .summary = "A row a rank." },
    [OUTPUT_TYPES] = { .name = "kernel-types",
                       .record_type = &type_type,
                       .summary = "A row a combination of classes that occurred." },
};

static const OpprofParam params[] = {
    FEED_PARAMS,
    { .name = "include_memory_kernels",
      .type = OPPROF_PARAM_BOOL,
      .default_value = "true",
      .summary = "Count memory work in the table of kernel types." },
};

static const OpprofPluginOps ops = FEED_PLUGIN_OPS(create);

OPPROF_PLUGIN_DEFINE(.name = "trace-comm-overlap", .version = "1.0", .license = "Apache-2.0",
                     .summary = "How much communication is hidden behind computation.",
                     .kind = OPPROF_ANALYSIS, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
                     .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .params = params,
                     .param_count = OPPROF_COUNT(params), .ops = &ops);
