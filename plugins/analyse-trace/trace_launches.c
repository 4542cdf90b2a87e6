/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace-launches: how long launching takes on the host, and how long work waits afterwards.
 * Tested by tests/plugins/analyse-trace/test_kineto.
 */
#include "analyse-trace/common/describe.h"
#include "analyse-trace/common/feed.h"
#include "analyse-trace/common/item_map.h"
#include "analyse-trace/common/rank_rows.h"

#include <stddef.h>

enum { OUTPUT_SUMMARY, OUTPUT_LAUNCHES };

typedef struct Launches {
    Feed feed; /* first: see FeedCreate */
    uint64_t runtime_cutoff_ns;
    uint64_t delay_cutoff_ns;
    bool include_memory;
    bool wants_rows;
    ItemMap names; /* PlainName, by interned name */
} Launches;

/* Interned forms of a name for people; 0 twice: not known yet. */
typedef struct PlainName {
    uint32_t short_name;
    uint32_t demangled;
} PlainName;

typedef struct RankLaunches {
    Running cpu_ns;
    Running gpu_ns;
    Running delay_ns;
    uint64_t kernels; /* launched by all calls */
    uint64_t short_kernels;
    uint64_t runtime_outliers;
    uint64_t delay_outliers;
    Rows rows; /* of launches */
} RankLaunches;

typedef struct SummaryRow {
    uint32_t rank;
    uint32_t reserved;
    uint64_t count;
    double cpu_mean_us;
    double cpu_max_us;
    double gpu_mean_us;
    double gpu_max_us;
    double delay_mean_us;
    double delay_max_us;
    uint64_t kernels;
    uint64_t short_kernels;
    uint64_t runtime_outliers;
    uint64_t delay_outliers;
} SummaryRow;

#define SUMMARY_TIME(member, head, text)                                                           \
    OPPROF_FIELD(SummaryRow, member, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_NONE,             \
                 .unit = "us", .heading = (head), .flags = OPPROF_FIELD_ALONE, .meaning = (text),  \
                 .absent = "nothing was launched")
#define SUMMARY_COUNT(member, head, text)                                                          \
    OPPROF_FIELD(SummaryRow, member, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM, .unit = "1", \
                 .heading = (head), .meaning = (text))

static const OpprofField summary_fields[] = {
    OPPROF_FIELD(SummaryRow, rank, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Rank."),
    SUMMARY_COUNT(count, "count", "Calls that launched work."),
    SUMMARY_TIME(cpu_mean_us, "cpu_duration_mean(us)", "Mean duration of the calls."),
    SUMMARY_TIME(cpu_max_us, "cpu_duration_max(us)", "Longest call."),
    SUMMARY_TIME(gpu_mean_us, "gpu_duration_mean(us)",
                 "Mean duration of the work of a call, pieces added up."),
    SUMMARY_TIME(gpu_max_us, "gpu_duration_max(us)", "Longest work of a call."),
    SUMMARY_TIME(delay_mean_us, "launch_delay_mean(us)",
                 "Mean time from the call's end to the start of its first work."),
    SUMMARY_TIME(delay_max_us, "launch_delay_max(us)", "Longest such time."),
    SUMMARY_COUNT(kernels, "kernels", "Pieces of work that the calls launched."),
    SUMMARY_COUNT(short_kernels, "short_kernels",
                  "Work shorter than its call, if the call is not an outlier."),
    SUMMARY_COUNT(runtime_outliers, "runtime_outliers", "Calls over runtime_cutoff."),
    SUMMARY_COUNT(delay_outliers, "launch_delay_outliers", "Delays over launch_delay_cutoff."),
};

static const OpprofRecordType summary_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "trace.launch-stats",
    .summary = "Cost of launching work, by rank.",
    .size = sizeof(SummaryRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = summary_fields,
    .field_count = OPPROF_COUNT(summary_fields),
    .title = "Kernel launches",
    .file_hint = "launch_stats",
};

typedef struct LaunchRow {
    uint32_t rank;
    uint32_t name;
    uint32_t short_name;
    uint32_t demangled;
    uint64_t correlation;
    double cpu_us;
    double gpu_us;
    double delay_us;
    uint64_t kernels;
} LaunchRow;

#define LAUNCH_TIME(member, head, text)                                                            \
    OPPROF_FIELD(LaunchRow, member, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST,           \
                 .unit = "us", .heading = (head), .decimals = 4, .meaning = (text))

static const OpprofField launch_fields[] = {
    OPPROF_FIELD(LaunchRow, rank, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Rank."),
    OPPROF_FIELD(LaunchRow, correlation, OPPROF_FIELD_U64, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Number that ties the call to its work.",
                 .absent = "the source ties them in another way"),
    LAUNCH_TIME(cpu_us, "cpu_duration", "Duration of the call."),
    LAUNCH_TIME(gpu_us, "gpu_duration", "Duration of its work, pieces added up."),
    LAUNCH_TIME(delay_us, "launch_delay",
                "Time from the call's end to the start of its first work, at least 0."),
    OPPROF_FIELD(LaunchRow, kernels, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM, .unit = "1",
                 .meaning = "Pieces of work that the call launched."),
    OPPROF_FIELD(LaunchRow, name, OPPROF_FIELD_STRING, .meaning = "Name of its first work."),
    ROWS_SHORT_NAME(LaunchRow, short_name, "short_name"),
    ROWS_DEMANGLED_NAME(LaunchRow, demangled, "demangled"),
};

static const OpprofRecordType launch_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "trace.launches",
    .summary = "Every launch.",
    .size = sizeof(LaunchRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = launch_fields,
    .field_count = OPPROF_COUNT(launch_fields),
    .title = "Launches",
    .file_hint = "launches",
};

static uint64_t above(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* A call by its first piece of work. */
typedef struct Launch {
    uint64_t cpu_ns;
    uint64_t gpu_ns;
    uint64_t delay_ns;
    uint64_t kernels;
} Launch;

static Launch launch_of(const Activity *activity)
{
    const bool is_single = activity->launched == OPPROF_NA_U64;

    return (Launch){ .cpu_ns = activity->launch_end_ns - activity->launch_start_ns,
                     .gpu_ns = is_single || activity->launched_ns == OPPROF_NA_U64
                                   ? ActivityDuration(activity)
                                   : activity->launched_ns,
                     .delay_ns = above(activity->start_ns, activity->launch_end_ns),
                     .kernels = is_single ? 1 : activity->launched };
}

/* Kernels are launched again and again: each name is shortened once. NULL without memory. */
static const PlainName *plain_name_of(Launches *self, uint32_t name)
{
    PlainName *plain = ItemMapGet(&self->names, name, sizeof *plain);

    if (plain != NULL && plain->short_name == 0 && plain->demangled == 0) {
        *plain = (PlainName){ .short_name = RowsShortName(self->feed.stage, name),
                              .demangled = RowsDemangledName(self->feed.stage, name) };
    }
    return plain;
}

static void put_launch(Launches *self, Rows *rows, const FeedRank *rank, const Activity *activity,
                       const Launch *launch)
{
    const PlainName *plain = plain_name_of(self, activity->name);
    LaunchRow *row = plain == NULL ? NULL : RowsNext(rows);

    if (plain == NULL) {
        rows->status = OPPROF_E_MEMORY;
    } else if (row != NULL) {
        *row = (LaunchRow){ .rank = rank->name,
                            .name = activity->name,
                            .short_name = plain->short_name,
                            .demangled = plain->demangled,
                            .correlation = activity->correlation,
                            .cpu_us = Microseconds(launch->cpu_ns),
                            .gpu_us = Microseconds(launch->gpu_ns),
                            .delay_us = Microseconds(launch->delay_ns),
                            .kernels = launch->kernels };
    }
}

static OpprofStatus take(void *context, FeedRank *rank, const Activity *activity)
{
    Launches *self = context;
    RankLaunches *state = rank->state;
    Launch launch;

    if (activity->class >= ACTIVITY_CLASSES || activity->launch_start_ns == OPPROF_NA_U64 ||
        (activity->class == ACTIVITY_MEMORY && !self->include_memory) || activity->launched == 0) {
        return OPPROF_OK;
    }
    launch = launch_of(activity);
    RunningAdd(&state->cpu_ns, (double) launch.cpu_ns);
    RunningAdd(&state->gpu_ns, (double) launch.gpu_ns);
    RunningAdd(&state->delay_ns, (double) launch.delay_ns);
    state->kernels += launch.kernels;
    state->short_kernels +=
        launch.cpu_ns <= self->runtime_cutoff_ns && launch.gpu_ns < launch.cpu_ns;
    state->runtime_outliers += launch.cpu_ns > self->runtime_cutoff_ns;
    state->delay_outliers += launch.delay_ns > self->delay_cutoff_ns;
    if (self->wants_rows) {
        state->rows.stage = self->feed.stage;
        state->rows.port = OUTPUT_LAUNCHES;
        put_launch(self, &state->rows, rank, activity, &launch);
    }
    return state->rows.status;
}

/* Nanoseconds add up without rounding; only the result is in microseconds. */
static double mean_us(const Running *running_ns)
{
    return running_ns->count == 0 ? OpprofNaF64()
                                  : running_ns->sum / 1000.0 / (double) running_ns->count;
}

static double max_us(const Running *running_ns)
{
    return running_ns->count == 0 ? OpprofNaF64() : running_ns->max / 1000.0;
}

static OpprofStatus end_rank(void *context, FeedRank *rank)
{
    Launches *self = context;
    RankLaunches *state = rank->state;
    const SummaryRow row = { .rank = rank->name,
                             .count = state->cpu_ns.count,
                             .cpu_mean_us = mean_us(&state->cpu_ns),
                             .cpu_max_us = max_us(&state->cpu_ns),
                             .gpu_mean_us = mean_us(&state->gpu_ns),
                             .gpu_max_us = max_us(&state->gpu_ns),
                             .delay_mean_us = mean_us(&state->delay_ns),
                             .delay_max_us = max_us(&state->delay_ns),
                             .kernels = state->kernels,
                             .short_kernels = state->short_kernels,
                             .runtime_outliers = state->runtime_outliers,
                             .delay_outliers = state->delay_outliers };
    const OpprofStatus status = FeedHand(&self->feed, 0, rank, &row);

    return status == OPPROF_OK ? RowsEnd(&state->rows) : status;
}

static void finish(void *context)
{
    Launches *self = context;

    ItemMapFree(&self->names);
}

static OpprofStatus configure(void *context, const OpprofParams *params)
{
    Launches *self = context;

    self->runtime_cutoff_ns = (uint64_t) OpprofParamsInt(params, "runtime_cutoff");
    self->delay_cutoff_ns = (uint64_t) OpprofParamsInt(params, "launch_delay_cutoff");
    self->include_memory = OpprofParamsBool(params, "include_memory_kernels");
    self->wants_rows = OpprofParamsBool(params, "rows");
    return OPPROF_OK;
}

static const FeedPart parts[] = {
    { .size = sizeof(SummaryRow), .table = OUTPUT_SUMMARY },
};

static const FeedOps feed_ops = {
    .size = sizeof(Launches),
    .state_size = sizeof(RankLaunches),
    .configure = configure,
    .take = take,
    .end_rank = end_rank,
    .finish = finish,
    .parts = parts,
    .part_count = OPPROF_COUNT(parts),
    .first_part = 2,
};

#define PARTIALS FEED_ROWS("summary-partial", "trace.launch-stats", summary_type)

static const OpprofPort inputs[] = { FEED_INPUT, PARTIALS };

static const OpprofPort outputs[] = {
    [OUTPUT_SUMMARY] = { .name = "summary",
                         .record_type = &summary_type,
                         .summary = "One row per rank." },
    [OUTPUT_LAUNCHES] = { .name = "launches",
                          .record_type = &launch_type,
                          .batch_records = 512,
                          .summary = "One row per launch, if requested." },
    PARTIALS,
};

static const OpprofParam params[] = {
    FEED_PARAMS,
    { .name = "runtime_cutoff",
      .type = OPPROF_PARAM_DURATION,
      .default_value = "50us",
      .summary = "Calls that take longer are outliers." },
    { .name = "launch_delay_cutoff",
      .type = OPPROF_PARAM_DURATION,
      .default_value = "100us",
      .summary = "Work that begins later than this after its call is an outlier." },
    { .name = "include_memory_kernels",
      .type = OPPROF_PARAM_BOOL,
      .default_value = "true",
      .summary = "Count memory work." },
    { .name = "rows",
      .type = OPPROF_PARAM_BOOL,
      .default_value = "false",
      .summary = "Also write a table with one row per launch." },
};

FEED_DEFINE_SPANS(feed_ops, inputs, outputs, params, .name = "trace-launches",
                  .summary = "Shows how long launching takes, and how long work waits afterwards.");
