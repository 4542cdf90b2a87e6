/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace-kernels: which kernels the time of each class of work went to.
 * Tested by tests/plugins/analyse-trace/test_kineto.
 */
#include "analyse-trace/common/breakdown.h"
#include "analyse-trace/common/describe.h"
#include "analyse-trace/common/feed.h"
#include "analyse-trace/common/item_map.h"
#include "analyse-trace/common/rank_rows.h"

#include <fnmatch.h>
#include <opprof/kit/large_array.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define OTHERS "others"
#define STREAMS_TOLD                                                                               \
    64u /* different streams; further ones count as the last                   \
         */

typedef struct Kernels {
    Feed feed; /* first: see FeedCreate */
    size_t top;
    double duration_ratio;
    const char **keep; /* patterns, borrowed from the parameters */
    size_t keep_count;
    RankRows rows;
    ItemMap names; /* of NameRows */
} Kernels;

/* The rows of a name and class, one per rank. */
typedef struct NameRows {
    uint32_t type; /* interned name of the class */
    uint32_t name;
    size_t count;
} NameRows;

/* All calls of one name and class. */
typedef struct KernelTime {
    uint32_t name;
    ActivityClass class;
    uint64_t sum_ns;
    uint64_t streams; /* bits of the rank's streams */
    Running calls_us;
} KernelTime;

typedef struct RankKernels {
    ItemMap kernels; /* of KernelTime */
    ItemMap streams; /* uint32_t: number of a track */
    uint64_t sum_ns;
} RankKernels;

typedef struct KernelRow {
    uint32_t name;
    uint32_t type;
    uint32_t rank;
    uint32_t streams;
    uint32_t short_name;
    uint32_t demangled;
    double sum_us;
    double max_us;
    double min_us;
    double std_us;
    double mean_us;
    double percent;
    uint64_t count;
} KernelRow;

#define KERNEL_KEY(member, head, text)                                                             \
    OPPROF_FIELD(KernelRow, member, OPPROF_FIELD_STRING, .heading = (head),                        \
                 .flags = OPPROF_FIELD_KEY, .meaning = (text))
#define KERNEL_TIME(member, head, text)                                                            \
    OPPROF_FIELD(KernelRow, member, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_NONE,              \
                 .heading = (head), .unit = "us", .decimals = 4, .flags = OPPROF_FIELD_ALONE,      \
                 .meaning = (text))

static const OpprofField fields[] = {
    KERNEL_KEY(name, "name", "Name of the kernel. others: all those beyond the top"),
    OPPROF_FIELD(KernelRow, sum_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST,
                 .heading = "sum (us)", .unit = "us", .decimals = 4,
                 .meaning = "Time of all calls.", .flags = OPPROF_FIELD_WEIGHT),
    KERNEL_TIME(max_us, "max (us)", "Longest call; of 'others' the largest sum of a name."),
    KERNEL_TIME(min_us, "min (us)", "Shortest call; of 'others' the smallest sum of a name."),
    KERNEL_TIME(std_us, "stddev", "Standard deviation of the calls; of 'others' of the sums."),
    KERNEL_TIME(mean_us, "mean (us)", "Mean of the calls; of 'others' of the sums."),
    KERNEL_KEY(type, "kernel_type", "Class of the work."),
    OPPROF_FIELD(KernelRow, rank, OPPROF_FIELD_STRING,
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER, .meaning = "Rank."),
    OPPROF_FIELD(KernelRow, count, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM, .unit = "1",
                 .meaning = "Number of calls."),
    OPPROF_FIELD(KernelRow, percent, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_MEAN, .unit = "%",
                 .decimals = 3, .heading = "share(%)",
                 .meaning = "Part of the time of all work of the rank, calls added up."),
    OPPROF_FIELD(KernelRow, streams, OPPROF_FIELD_U32, .combine = OPPROF_COMBINE_SUM, .unit = "1",
                 .meaning = "Number of streams it ran in."),
    ROWS_SHORT_NAME(KernelRow, short_name, "short_name"),
    ROWS_DEMANGLED_NAME(KernelRow, demangled, "demangled"),
};

static const OpprofRecordType kernel_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "trace.kernel-breakdown",
    .summary = "Time of each kernel.",
    .size = sizeof(KernelRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = fields,
    .field_count = OPPROF_COUNT(fields),
    .title = "Kernels",
    .file_hint = "kernel_breakdown",
};

/* Bit of a stream; 0 without memory. */
static uint64_t stream_bit(RankKernels *state, uint32_t track)
{
    uint32_t *number = ItemMapGet(&state->streams, track, sizeof *number);

    if (number == NULL) {
        return 0;
    }
    *number = state->streams.latest;
    return UINT64_C(1) << (*number < STREAMS_TOLD ? *number : STREAMS_TOLD - 1);
}

static OpprofStatus take(void *context, FeedRank *rank, const Activity *activity)
{
    RankKernels *state = rank->state;
    const uint64_t duration_ns = ActivityDuration(activity);
    const uint64_t key = (uint64_t) activity->name * ACTIVITY_CLASSES + activity->class;
    uint64_t stream;
    KernelTime *kernel;

    (void) context;
    if (activity->class >= ACTIVITY_CLASSES) {
        return OPPROF_OK;
    }
    stream = stream_bit(state, activity->track);
    kernel = ItemMapGet(&state->kernels, key, sizeof *kernel);
    if (kernel == NULL || stream == 0) {
        return OPPROF_E_MEMORY;
    }
    kernel->name = activity->name;
    kernel->class = activity->class;
    kernel->sum_ns += duration_ns;
    kernel->streams |= stream;
    RunningAdd(&kernel->calls_us, Microseconds(duration_ns));
    state->sum_ns += duration_ns;
    return OPPROF_OK;
}

static void free_state(void *state)
{
    RankKernels *kernels = state;

    ItemMapFree(&kernels->kernels);
    ItemMapFree(&kernels->streams);
}

/* ---- table ---- */

static int compare_names(const OpprofStage *stage, uint32_t a, uint32_t b)
{
    return a == b ? 0 : strcmp(FeedText(stage, a), FeedText(stage, b));
}

/* By sum, largest first. */
static int compare_kernels(const void *a, const void *b, void *stage)
{
    const KernelTime *left = *(const KernelTime *const *) a;
    const KernelTime *right = *(const KernelTime *const *) b;

    if (left->sum_ns != right->sum_ns) {
        return left->sum_ns < right->sum_ns ? 1 : -1;
    }
    return compare_names(stage, left->name, right->name);
}

static bool is_kept(const Kernels *self, uint32_t name)
{
    for (size_t i = 0; i < self->keep_count; i++) {
        if (fnmatch(self->keep[i], OpprofStageString(self->feed.stage, name), 0) == 0) {
            return true;
        }
    }
    return false;
}

/* The sum that the running sums must stay below: a quantile of them. */
static double fold_limit(const Kernels *self, KernelTime *const *list, size_t count,
                         double *running)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        sum += Microseconds(list[i]->sum_ns);
        running[i] = sum;
    }
    return QuantileOf(running, count, self->duration_ratio);
}

/* `calls` is the number of calls; for 'others' the statistics are of the names instead. */
static OpprofStatus hand_row(Kernels *self, const FeedRank *rank, const KernelTime *kernel,
                             uint64_t calls)
{
    const RankKernels *state = rank->state;
    const char *type = ActivityClassName(kernel->class);
    const KernelRow row = {
        .name = kernel->name,
        .type = OpprofStageIntern(self->feed.stage, type, strlen(type)),
        .rank = rank->name,
        .streams = (uint32_t) __builtin_popcountll(kernel->streams),
        .sum_us = Microseconds(kernel->sum_ns),
        .max_us = kernel->calls_us.max,
        .min_us = kernel->calls_us.min,
        .std_us = RunningStd(&kernel->calls_us),
        .mean_us = Microseconds(kernel->sum_ns) / (double) kernel->calls_us.count,
        .percent = BreakdownPercent(kernel->sum_ns, state->sum_ns),
        .count = calls,
        .short_name = OPPROF_NA_STRING,
        .demangled = OPPROF_NA_STRING,
    };

    return FeedHand(&self->feed, 0, rank, &row);
}

static OpprofStatus add_list(Kernels *self, const FeedRank *rank, KernelTime *const *list,
                             size_t count, double *running)
{
    const bool is_folded = count > self->top;
    const double limit = is_folded ? fold_limit(self, list, count, running) : 0;
    KernelTime others = { .name = OpprofStageIntern(self->feed.stage, OTHERS, sizeof OTHERS - 1),
                          .class = list[0]->class };
    OpprofStatus status = OPPROF_OK;
    uint64_t other_calls = 0;

    for (size_t i = 0; status == OPPROF_OK && i < count; i++) {
        if (!is_folded || (i < self->top && running[i] <= limit) || is_kept(self, list[i]->name)) {
            status = hand_row(self, rank, list[i], list[i]->calls_us.count);
            continue;
        }
        others.sum_ns += list[i]->sum_ns;
        others.streams |= list[i]->streams;
        other_calls += list[i]->calls_us.count;
        RunningAdd(&others.calls_us, Microseconds(list[i]->sum_ns));
    }
    return status == OPPROF_OK && others.calls_us.count > 0
               ? hand_row(self, rank, &others, other_calls)
               : status;
}

/* Kernels of one class of a rank. */
static OpprofStatus add_class(Kernels *self, const FeedRank *rank, ActivityClass class,
                              KernelTime **list, double *running)
{
    const RankKernels *state = rank->state;
    size_t count = 0;

    for (uint32_t i = 0; i < state->kernels.count; i++) {
        KernelTime *kernel = ItemMapAt(&state->kernels, i);

        if (kernel->class == class) {
            list[count++] = kernel;
        }
    }
    if (count == 0) {
        return OPPROF_OK;
    }
    qsort_r(list, count, sizeof(KernelTime *), compare_kernels, self->feed.stage);
    return add_list(self, rank, list, count, running);
}

static OpprofStatus end_rank(void *context, FeedRank *rank)
{
    const RankKernels *state = rank->state;
    KernelTime **list = calloc((size_t) state->kernels.count + 1, sizeof(KernelTime *));
    double *running = calloc((size_t) state->kernels.count + 1, sizeof *running);
    OpprofStatus status = list == NULL || running == NULL ? OPPROF_E_MEMORY : OPPROF_OK;

    for (int i = 0; status == OPPROF_OK && i < ACTIVITY_CLASSES; i++) {
        status = add_class(context, rank, (ActivityClass) i, list, running);
    }
    free(list);
    free(running);
    return status;
}

/* ---- order ---- */

static OpprofStatus accept_row(void *context, const FeedRank *rank, const void *record)
{
    Kernels *self = context;
    const KernelRow *row = record;
    NameRows *name = ItemMapGet(&self->names, (uint64_t) row->type << 32 | row->name, sizeof *name);

    if (name == NULL) {
        return OPPROF_E_MEMORY;
    }
    name->type = row->type;
    name->name = row->name;
    name->count++;
    return RankRowsAdd(&self->rows, self->feed.stage, rank->name, row, sizeof *row,
                       self->feed.error);
}

/* The rows of all ranks by class and name, and those of one name by rank. */
typedef struct Sorting {
    const Kernels *self;
    OpprofLargeArray room; /* of KernelRow */
    size_t *ends;          /* by number of the name: where its next row goes */
    size_t placed;
} Sorting;

#define PLACED_AT_ONCE 256u /* rows, each on a page of its own, before these are released */

static int compare_name_rows(const void *a, const void *b, void *stage)
{
    const NameRows *left = *(const NameRows *const *) a;
    const NameRows *right = *(const NameRows *const *) b;
    const int order = compare_names(stage, left->type, right->type);

    return order != 0 ? order : compare_names(stage, left->name, right->name);
}

/* Where the rows of each name begin. False without memory. */
static bool begin_sorting(const Kernels *self, Sorting *sorting)
{
    void **names = ItemMapSorted(&self->names, compare_name_rows, self->feed.stage);
    size_t count = 0;

    sorting->ends = calloc((size_t) self->names.count + 1, sizeof *sorting->ends);
    for (uint32_t i = 0; names != NULL && sorting->ends != NULL && i < self->names.count; i++) {
        const NameRows *name = names[i];

        sorting->ends[name - (const NameRows *) ItemMapAt(&self->names, 0)] = count;
        count += name->count;
    }
    free(names);
    return names != NULL && sorting->ends != NULL &&
           OpprofLargeArrayGrow(&sorting->room, OpprofStageOutput(self->feed.stage),
                                count * sizeof(KernelRow) + 1);
}

static OpprofStatus place(void *context, void *row)
{
    Sorting *sorting = context;
    const KernelRow *kernel = row;
    const ItemMap *names = &sorting->self->names;
    const NameRows *name = ItemMapFind(names, (uint64_t) kernel->type << 32 | kernel->name);
    KernelRow *list = sorting->room.bytes;

    list[sorting->ends[name - (const NameRows *) ItemMapAt(names, 0)]++] = *kernel;
    if (++sorting->placed % PLACED_AT_ONCE == 0) {
        OpprofLargeArrayRest(&sorting->room);
    }
    return OPPROF_OK;
}

static OpprofStatus put_sorted(const Sorting *sorting)
{
    OpprofStage *stage = sorting->self->feed.stage;
    const KernelRow *list = sorting->room.bytes;
    Rows rows = { .stage = stage };

    for (size_t i = 0; i < sorting->placed; i++) {
        KernelRow *row = RowsNext(&rows);

        if (row != NULL) {
            *row = list[i];
            row->short_name = RowsShortName(stage, row->name);
            row->demangled = RowsDemangledName(stage, row->name);
        }
        if ((i + 1) % PLACED_AT_ONCE == 0) {
            OpprofLargeArrayRest(&sorting->room);
        }
    }
    return RowsEnd(&rows);
}

static OpprofStatus put_all(void *context)
{
    Kernels *self = context;
    Sorting sorting = { .self = self };
    OpprofStatus status = begin_sorting(self, &sorting) ? OPPROF_OK : OPPROF_E_MEMORY;

    if (status == OPPROF_OK) {
        status = RankRowsVisit(&self->rows, self->feed.stage, place, &sorting, self->feed.error);
    }
    if (status == OPPROF_OK) {
        status = put_sorted(&sorting);
    }
    free(sorting.ends);
    OpprofLargeArrayFinish(&sorting.room);
    return status;
}

static OpprofStatus configure(void *context, const OpprofParams *params)
{
    Kernels *self = context;

    self->top = (size_t) OpprofParamsInt(params, "top");
    self->duration_ratio = OpprofParamsDouble(params, "duration_ratio");
    self->keep_count = OpprofParamsCount(params, "keep");
    self->keep = calloc(self->keep_count + 1, sizeof *self->keep);
    if (self->keep == NULL) {
        return OPPROF_E_MEMORY;
    }
    for (size_t i = 0; i < self->keep_count; i++) {
        self->keep[i] = OpprofParamsElement(params, "keep", i);
    }
    return OPPROF_OK;
}

static void finish(void *context)
{
    Kernels *self = context;

    free(self->keep);
    RankRowsFinish(&self->rows);
    ItemMapFree(&self->names);
}

static const FeedPart parts[] = {
    { .size = sizeof(KernelRow), .table = FEED_PORTS, .accept = accept_row },
};

static const FeedOps feed_ops = {
    .size = sizeof(Kernels),
    .state_size = sizeof(RankKernels),
    .configure = configure,
    .take = take,
    .end_rank = end_rank,
    .put = put_all,
    .finish = finish,
    .free_state = free_state,
    .parts = parts,
    .part_count = OPPROF_COUNT(parts),
    .first_part = 1,
};

#define PARTIALS FEED_ROWS("kernels-partial", "trace.kernel-breakdown", kernel_type)

static const OpprofPort inputs[] = { FEED_INPUT, PARTIALS };

static const OpprofPort outputs[] = {
    { .name = "kernels",
      .record_type = &kernel_type,
      .summary = "One row per kernel, class and rank." },
    PARTIALS,
};

static const OpprofParam params[] = {
    FEED_PARAMS,
    { .name = "top",
      .type = OPPROF_PARAM_INT,
      .default_value = "10",
      .min = 1,
      .max = 1000000000,
      .summary = "Names of a class and rank that get a row of their own; the rest is 'others'." },
    { .name = "duration_ratio",
      .type = OPPROF_PARAM_DOUBLE,
      .default_value = "1",
      .min = 0,
      .max = 1,
      .summary = "Below 1: if there are more names than that, those whose running sum is beyond "
                 "this quantile of all running sums are 'others' too." },
    { .name = "keep",
      .type = OPPROF_PARAM_LIST,
      .summary = "Patterns of names that always get a row of their own." },
};

FEED_DEFINE_SPANS(feed_ops, inputs, outputs, params, .name = "trace-kernels",
                  .summary = "Shows which kernels the device's time went to.");
