/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace-groups: how much of a device's time each group of kernels takes.
 * Tested by tests/plugins/analyse-trace/test_kineto.
 */
#include "analyse-trace/common/breakdown.h"
#include "analyse-trace/common/feed.h"
#include "groups.h"
#include "analyse-trace/common/item_map.h"
#include "analyse-trace/common/rank_rows.h"

#include <stdlib.h>
#include <string.h>

typedef struct Groups {
    Feed feed; /* first: see FeedCreate */
    KernelGroups groups;
} Groups;

/* All work of a group. */
typedef struct GroupTime {
    uint32_t group;   /* interned */
    uint32_t longest; /* name of the kernel with the most time */
    uint64_t longest_ns;
    uint64_t sum_ns;
    uint64_t count;
    uint64_t names;
} GroupTime;

/* All work of a name and class. */
typedef struct NameTime {
    uint32_t group; /* interned; 0: not looked up yet */
    uint32_t reserved;
    uint64_t sum_ns;
} NameTime;

typedef struct RankGroups {
    ItemMap groups; /* of GroupTime, by interned group */
    ItemMap names;  /* of NameTime, by name and class */
    uint64_t sum_ns;
} RankGroups;

typedef struct GroupRow {
    uint32_t rank;
    uint32_t group;
    uint32_t longest;
    uint32_t longest_name;
    uint32_t demangled;
    uint32_t reserved;
    double sum_us;
    double percent;
    double mean_us;
    uint64_t count;
    uint64_t names;
} GroupRow;

static const OpprofField fields[] = {
    OPPROF_FIELD(GroupRow, rank, OPPROF_FIELD_STRING,
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER, .meaning = "Rank."),
    OPPROF_FIELD(GroupRow, group, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning =
                     "Group of kernels. gemm: matrix products; attention: fused attention; "
                     "convolution: convolutions; norm: normalisation; mixture of experts: choice "
                     "of experts and their work; softmax: softmax alone; optimizer: updates of "
                     "weights; embedding: lookups in tables; sort and index: orders and selected "
                     "elements; copy and layout: copies, casts and other orders of the same data; "
                     "reduction: many values to one; elementwise: each value for itself; "
                     "compiled: kernels that a compiler fused; communication: between ranks; "
                     "memory: copies and fills by the device; other: no group has its name"),
    OPPROF_FIELD(GroupRow, sum_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST,
                 .unit = "us", .decimals = 4, .heading = "sum(us)",
                 .meaning = "Durations of its work, added up.", .flags = OPPROF_FIELD_WEIGHT),
    OPPROF_FIELD(GroupRow, percent, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_MEAN, .unit = "%",
                 .decimals = 3, .heading = "share(%)",
                 .meaning = "Part of the durations of all work of the rank."),
    OPPROF_FIELD(GroupRow, count, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM, .unit = "1",
                 .meaning = "Pieces of work."),
    OPPROF_FIELD(GroupRow, mean_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_MEAN, .unit = "us",
                 .decimals = 4, .heading = "mean(us)", .flags = OPPROF_FIELD_ALONE,
                 .meaning = "Mean duration."),
    OPPROF_FIELD(GroupRow, names, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM, .unit = "1",
                 .meaning = "Distinct kernels."),
    OPPROF_FIELD(
        GroupRow, longest, OPPROF_FIELD_STRING, .heading = "longest", .flags = OPPROF_FIELD_ALONE,
        .meaning = "Kernel with the most time, its name without namespaces, template arguments "
                   "and parameters."),
    OPPROF_FIELD(GroupRow, longest_name, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_ALONE,
                 .meaning = "Its name in the trace."),
    ROWS_DEMANGLED_NAME(GroupRow, demangled, "demangled"),
};

static const OpprofRecordType group_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "trace.kernel-groups",
    .summary = "Time of each group of kernels.",
    .size = sizeof(GroupRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = fields,
    .field_count = OPPROF_COUNT(fields),
    .title = "Kernel groups",
    .file_hint = "kernel_groups",
};

/* The group of a name, looked up once. False without memory. */
static bool look_up(const Groups *self, NameTime *name, const Activity *activity)
{
    OpprofStage *stage = self->feed.stage;
    const char *group;

    if (name->group != 0) {
        return true;
    }
    group =
        KernelGroupsFind(&self->groups, activity->class, OpprofStageString(stage, activity->name));
    name->group = OpprofStageIntern(stage, group, strlen(group));
    return name->group != OPPROF_NA_STRING;
}

static OpprofStatus take(void *context, FeedRank *rank, const Activity *activity)
{
    const Groups *self = context;
    RankGroups *state = rank->state;
    const uint64_t key = (uint64_t) activity->name * ACTIVITY_CLASSES + activity->class;
    const uint64_t duration_ns = ActivityDuration(activity);
    GroupTime *group;
    NameTime *name;

    if (activity->class >= ACTIVITY_CLASSES) {
        return OPPROF_OK;
    }
    name = ItemMapGet(&state->names, key, sizeof *name);
    if (name == NULL || !look_up(self, name, activity)) {
        return OPPROF_E_MEMORY;
    }
    group = ItemMapGet(&state->groups, name->group, sizeof *group);
    if (group == NULL) {
        return OPPROF_E_MEMORY;
    }
    group->group = name->group;
    group->names += name->sum_ns == 0 && name->reserved == 0;
    name->reserved = 1;
    name->sum_ns += duration_ns;
    if (name->sum_ns > group->longest_ns || group->longest == 0) {
        group->longest_ns = name->sum_ns;
        group->longest = activity->name;
    }
    group->sum_ns += duration_ns;
    group->count++;
    state->sum_ns += duration_ns;
    return OPPROF_OK;
}

static void free_state(void *state)
{
    RankGroups *groups = state;

    ItemMapFree(&groups->groups);
    ItemMapFree(&groups->names);
}

static int compare_groups(const void *a, const void *b, void *stage)
{
    const GroupTime *left = *(const GroupTime *const *) a;
    const GroupTime *right = *(const GroupTime *const *) b;

    if (left->sum_ns != right->sum_ns) {
        return left->sum_ns < right->sum_ns ? 1 : -1;
    }
    return strcmp(OpprofStageString(stage, left->group), OpprofStageString(stage, right->group));
}

static OpprofStatus add_row(Groups *self, const FeedRank *rank, const GroupTime *group)
{
    OpprofStage *stage = self->feed.stage;
    const RankGroups *state = rank->state;
    const GroupRow row = { .rank = rank->name,
                           .group = group->group,
                           .longest = RowsShortName(stage, group->longest),
                           .longest_name = group->longest,
                           .demangled = RowsDemangledName(stage, group->longest),
                           .sum_us = Microseconds(group->sum_ns),
                           .percent = BreakdownPercent(group->sum_ns, state->sum_ns),
                           .mean_us = Microseconds(group->sum_ns) / (double) group->count,
                           .count = group->count,
                           .names = group->names };

    return FeedHand(&self->feed, 0, rank, &row);
}

static OpprofStatus end_rank(void *context, FeedRank *rank)
{
    Groups *self = context;
    const RankGroups *state = rank->state;
    void **list = ItemMapSorted(&state->groups, compare_groups, self->feed.stage);
    OpprofStatus status = list == NULL ? OPPROF_E_MEMORY : OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < state->groups.count; i++) {
        status = add_row(self, rank, list[i]);
    }
    free(list);
    return status;
}

static const KernelGroupsText own_groups = { "kernel_groups.json", kernel_groups_text };

static OpprofStatus configure(void *context, const OpprofParams *params)
{
    Groups *self = context;

    return KernelGroupsLoad(OpprofParamsString(params, "groups"), &own_groups, &self->groups,
                            self->feed.error);
}

static void finish(void *context)
{
    Groups *self = context;

    KernelGroupsFinish(&self->groups);
}

static const FeedPart parts[] = {
    { .size = sizeof(GroupRow), .table = 0 },
};

static const FeedOps feed_ops = {
    .size = sizeof(Groups),
    .state_size = sizeof(RankGroups),
    .configure = configure,
    .take = take,
    .end_rank = end_rank,
    .finish = finish,
    .free_state = free_state,
    .parts = parts,
    .part_count = OPPROF_COUNT(parts),
    .first_part = 1,
};

#define PARTIALS FEED_ROWS("groups-partial", "trace.kernel-groups", group_type)

static const OpprofPort inputs[] = { FEED_INPUT, PARTIALS };

static const OpprofPort outputs[] = {
    { .name = "groups",
      .record_type = &group_type,
      .summary = "One row per rank and group, the largest first." },
    PARTIALS,
};

static const OpprofParam params[] = {
    FEED_PARAMS,
    { .name = "groups",
      .type = OPPROF_PARAM_PATH,
      .summary = "File with groups in place of those that come with the module; see "
                 "kernel_groups.json." },
};

FEED_DEFINE_SPANS(feed_ops, inputs, outputs, params, .name = "trace-groups",
                  .summary = "Shows how much of the device's time each group of kernels takes.");
