/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace-steps: where the time of each iteration of each rank went, and which iterations differ from
 * the others, in which part.
 * Tested by tests/plugins/analyse-trace/test_kineto.
 */
#include "analyse-trace/common/feed.h"
#include "analyse-trace/common/rank_rows.h"
#include "analyse-trace/common/step_parts.h"

#include <math.h>
#include <stdlib.h>

/* times the median distance from the median: three standard deviations */
#define NOISE_OF_SPREAD 4.45

typedef struct Steps {
    Feed feed; /* first: see FeedCreate */
    uint64_t threshold_ns;
    double min_difference;
    RankRows steps; /* of RankStep */
    uint32_t count; /* of them */
} Steps;

/* An iteration of a complete rank. */
typedef struct RankStep {
    StepTime time;
    uint32_t place;
    uint32_t rank;     /* from here on set by the second half */
    int64_t offset_ps; /* of the rank's clock */
} RankStep;

typedef struct StepRow {
    uint32_t rank;
    uint32_t step;
    uint32_t differs_in;
    uint32_t place;
    double start_us;
    double time_us;
    double parts_us[STEP_PARTS];
    double communication_us;
    double difference_us;
    uint64_t kernels;
} StepRow;

/* The iterations of a rank. */
typedef struct StepRankRow {
    uint32_t rank;
    uint32_t slowest;
    uint32_t differs_in;
    uint32_t count;
    uint32_t slow;
    uint32_t reserved;
    double least_us;
    double mean_us;
    double most_us;
    double slow_us;
    double slowest_start_us;
} StepRankRow;

enum { OUTPUT_STEPS, OUTPUT_RANKS };

#define STEP_TIME(member, head, text)                                                              \
    OPPROF_FIELD(StepRow, member, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST,             \
                 .unit = "us", .heading = (head), .decimals = 4, .meaning = (text))

#define STEP_PART(member, head, text)                                                              \
    OPPROF_FIELD(StepRow, member, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST,             \
                 .unit = "us", .heading = (head), .decimals = 4, .meaning = (text),                \
                 .flags = OPPROF_FIELD_PART)

static const OpprofField fields[] = {
    OPPROF_FIELD(StepRow, rank, OPPROF_FIELD_STRING,
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER, .meaning = "Rank."),
    OPPROF_FIELD(StepRow, step, OPPROF_FIELD_STRING, .meaning = "Iteration, as the host names it."),
    OPPROF_FIELD(StepRow, place, OPPROF_FIELD_U32, .flags = OPPROF_FIELD_KEY, .unit = "1",
                 .meaning = "Its place among those of the rank, from 0: used to compare runs, "
                            "since their numbering of iterations is arbitrary."),
    OPPROF_FIELD(StepRow, start_us, OPPROF_FIELD_F64, .unit = "us", .heading = "start(us)",
                 .decimals = 4, .flags = OPPROF_FIELD_MOMENT,
                 .meaning = "Start since the first rank's earliest time."),
    OPPROF_FIELD(StepRow, time_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST,
                 .unit = "us", .heading = "time(us)", .decimals = 4, .flags = OPPROF_FIELD_WEIGHT,
                 .meaning = "From start to end on the host; the parts add up to it."),
    STEP_PART(parts_us[STEP_COMPUTE], "compute(us)", "Time in which a computation ran."),
    STEP_PART(parts_us[STEP_COMMUNICATION], "exposed_communication(us)",
              "Time in which communication ran, but no computation."),
    STEP_PART(parts_us[STEP_COPY], "exposed_copy(us)",
              "Time in which copies and other work ran, but none of these."),
    STEP_PART(parts_us[STEP_HOST_WAIT], "idle_host_wait(us)",
              "Nothing ran: the next work was launched after the last one ended."),
    STEP_PART(parts_us[STEP_KERNEL_WAIT], "idle_kernel_wait(us)",
              "Nothing ran for less than consecutive_kernel_delay."),
    STEP_PART(parts_us[STEP_OTHER_WAIT], "idle_other(us)", "Nothing ran for other reasons."),
    STEP_TIME(communication_us, "communication(us)",
              "Time in which communication ran, hidden by computation or not."),
    OPPROF_FIELD(StepRow, kernels, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM, .unit = "1",
                 .meaning = "Pieces of work launched in it."),
    OPPROF_FIELD(StepRow, difference_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_NONE,
                 .unit = "us", .decimals = 4, .heading = "difference(us)",
                 .flags = OPPROF_FIELD_ALONE,
                 .meaning = "Its time minus the median of all iterations."),
    OPPROF_FIELD(StepRow, differs_in, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_ALONE,
                 .meaning =
                     "The part that differs most from its own median, in the same direction.",
                 .absent = "the difference is not beyond the noise"),
};

static const OpprofRecordType step_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "trace.steps",
    .summary = "Time of each iteration by what the devices did.",
    .size = sizeof(StepRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = fields,
    .field_count = OPPROF_COUNT(fields),
    .title = "Iterations",
    .file_hint = "steps",
};

#define STEP_RANK_TIME(member, head, more, text)                                                   \
    OPPROF_FIELD(StepRankRow, member, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_LONGEST,         \
                 .unit = "us", .heading = (head), .decimals = 4, .flags = (more),                  \
                 .meaning = (text))

static const OpprofField rank_fields[] = {
    OPPROF_FIELD(StepRankRow, rank, OPPROF_FIELD_STRING,
                 .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER, .meaning = "Rank."),
    OPPROF_FIELD(StepRankRow, count, OPPROF_FIELD_U32, .combine = OPPROF_COMBINE_NONE, .unit = "1",
                 .heading = "steps", .meaning = "Iterations."),
    STEP_RANK_TIME(least_us, "least(us)", 0, "Time of the shortest."),
    STEP_RANK_TIME(mean_us, "mean(us)", OPPROF_FIELD_WEIGHT, "Mean time."),
    STEP_RANK_TIME(most_us, "most(us)", 0, "Time of the longest."),
    OPPROF_FIELD(StepRankRow, slow, OPPROF_FIELD_U32, .combine = OPPROF_COMBINE_NONE, .unit = "1",
                 .meaning = "Those that are longer than usual, beyond the noise."),
    STEP_RANK_TIME(slow_us, "slow(us)", OPPROF_FIELD_ALONE,
                   "Time of these beyond that of the shortest, added up."),
    OPPROF_FIELD(StepRankRow, slowest, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_ALONE,
                 .meaning = "The longest."),
    OPPROF_FIELD(StepRankRow, slowest_start_us, OPPROF_FIELD_F64, .unit = "us",
                 .heading = "slowest_start(us)", .decimals = 4, .flags = OPPROF_FIELD_MOMENT,
                 .meaning = "Its start since the first rank's earliest time."),
    OPPROF_FIELD(StepRankRow, differs_in, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_ALONE,
                 .meaning = "The part in which it differs most.",
                 .absent = "the difference is not beyond the noise"),
};

static const OpprofRecordType step_rank_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "trace.step-ranks",
    .summary = "The iterations of each rank.",
    .size = sizeof(StepRankRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = rank_fields,
    .field_count = OPPROF_COUNT(rank_fields),
    .title = "Iterations by rank",
    .file_hint = "step_ranks",
};

/* ---- collecting ---- */

static OpprofStatus take(void *context, FeedRank *rank, const Activity *activity)
{
    const Steps *self = context;
    StepSweep *sweep = rank->state;

    if (activity->class == ACTIVITY_STEP) {
        return StepSweepStep(sweep, activity->name, activity->start_ns, activity->end_ns)
                   ? OPPROF_OK
                   : OPPROF_E_MEMORY;
    }
    if (activity->class < ACTIVITY_CLASSES) {
        StepSweepWork(sweep,
                      &(StepWork){ .class = activity->class,
                                   .start_ns = activity->start_ns,
                                   .end_ns = activity->end_ns,
                                   .launch_ns = activity->launch_start_ns },
                      self->threshold_ns);
    }
    return OPPROF_OK;
}

static OpprofStatus end_rank(void *context, FeedRank *rank)
{
    Steps *self = context;
    StepSweep *sweep = rank->state;
    OpprofStatus status = OPPROF_OK;

    StepSweepEnd(sweep);
    for (uint32_t i = 0; status == OPPROF_OK && i < sweep->count; i++) {
        const RankStep step = { .place = i, .time = sweep->steps[i] };

        status = FeedHand(&self->feed, 0, rank, &step);
    }
    return status;
}

static void free_state(void *state)
{
    StepSweepFree(state);
}

/* ---- judging ---- */

static OpprofStatus accept_step(void *context, const FeedRank *rank, const void *record)
{
    Steps *self = context;
    RankStep step = *(const RankStep *) record;

    step.rank = rank->name;
    step.offset_ps = rank->offset_ps;
    self->count++;
    return RankRowsAdd(&self->steps, self->feed.stage, rank->name, &step, sizeof step,
                       self->feed.error);
}

/* The usual iteration, over all iterations of all ranks. */
typedef struct Usual {
    uint64_t time_ns;
    uint64_t parts_ns[STEP_PARTS];
    double noise_ns; /* a smaller difference counts as none */
} Usual;

static uint64_t time_of(const StepTime *step)
{
    return step->end_ns - step->start_ns;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* One value of each iteration; part STEP_PARTS: its time. */
typedef struct Values {
    int part;
    uint64_t *list;
    uint32_t count;
} Values;

static OpprofStatus list_value(void *context, void *row)
{
    const RankStep *step = row;
    Values *values = context;

    values->list[values->count++] =
        values->part == STEP_PARTS ? time_of(&step->time) : step->time.parts_ns[values->part];
    return OPPROF_OK;
}

static OpprofStatus list_values(Steps *self, int part, Values *values)
{
    values->part = part;
    values->count = 0;
    return RankRowsVisit(&self->steps, self->feed.stage, list_value, values, self->feed.error);
}

static OpprofStatus find_medians(Steps *self, Values *values, Usual *usual)
{
    OpprofStatus status = OPPROF_OK;

    for (int part = 0; status == OPPROF_OK && part < STEP_PARTS; part++) {
        status = list_values(self, part, values);
        usual->parts_ns[part] = StepMedian(values->list, values->count);
    }
    if (status == OPPROF_OK) {
        status = list_values(self, STEP_PARTS, values);
        usual->time_ns = StepMedian(values->list, values->count);
    }
    return status;
}

static OpprofStatus find_usual(Steps *self, Usual *usual)
{
    Values values = { .list = calloc((size_t) self->count + 1, sizeof *values.list) };
    OpprofStatus status = values.list == NULL ? OPPROF_E_MEMORY : OPPROF_OK;

    if (status == OPPROF_OK) {
        status = find_medians(self, &values, usual);
    }
    for (uint32_t i = 0; i < values.count; i++) {
        values.list[i] = distance(values.list[i], usual->time_ns);
    }
    if (status == OPPROF_OK) {
        usual->noise_ns = fmax(NOISE_OF_SPREAD * (double) StepMedian(values.list, values.count),
                               self->min_difference * (double) usual->time_ns);
    }
    free(values.list);
    return status;
}

/* The part that explains most of the difference; NULL if none is beyond the noise. */
static const char *explain(const Usual *usual, const StepTime *step)
{
    const bool is_slow = time_of(step) > usual->time_ns;
    const char *name = NULL;
    uint64_t most = 0;

    if ((double) distance(time_of(step), usual->time_ns) <= usual->noise_ns) {
        return NULL;
    }
    for (int part = 0; part < STEP_PARTS; part++) {
        const uint64_t by = distance(step->parts_ns[part], usual->parts_ns[part]);

        if ((step->parts_ns[part] > usual->parts_ns[part]) == is_slow && by > most) {
            most = by;
            name = step_part_names[part];
        }
    }
    return name;
}

/* Iterations on their way out, and the rank that they belong to. */
typedef struct Way {
    Rows rows;
    Rows ranks;
    Usual usual;
    StepRankRow rank; /* means and times beyond the shortest are sums so far */
} Way;

/* All iterations of a rank came. */
static void put_rank(Way *way)
{
    StepRankRow *row = way->rank.count == 0 ? NULL : RowsNext(&way->ranks);

    if (row != NULL) {
        *row = way->rank;
        row->mean_us /= way->rank.count;
        row->slow_us -= way->rank.slow * way->rank.least_us;
    }
    way->rank = (StepRankRow){ .count = 0 };
}

static void add_to_rank(Way *way, const StepRow *step)
{
    StepRankRow *rank = &way->rank;
    const bool is_slow = step->differs_in != OPPROF_NA_STRING && step->difference_us > 0;

    if (rank->count > 0 && rank->rank != step->rank) {
        put_rank(way);
    }
    if (rank->count == 0 || step->time_us > rank->most_us) {
        rank->most_us = step->time_us;
        rank->slowest = step->step;
        rank->slowest_start_us = step->start_us;
        rank->differs_in = is_slow ? step->differs_in : OPPROF_NA_STRING;
    }
    if (rank->count == 0 || step->time_us < rank->least_us) {
        rank->least_us = step->time_us;
    }
    rank->rank = step->rank;
    rank->count++;
    rank->mean_us += step->time_us;
    rank->slow += is_slow;
    rank->slow_us += is_slow ? step->time_us : 0;
}

static OpprofStatus put_step(void *context, void *from)
{
    Way *way = context;
    const RankStep *step = from;
    const StepTime *time = &step->time;
    StepRow *row = RowsNext(&way->rows);

    if (row == NULL) {
        return way->rows.status;
    }
    *row =
        (StepRow){ .rank = step->rank,
                   .step = time->name,
                   .place = step->place,
                   .start_us = (double) step->offset_ps / 1e6 + Microseconds(time->start_ns),
                   .time_us = Microseconds(time_of(time)),
                   .communication_us = Microseconds(time->communication_ns),
                   .difference_us = ((double) time_of(time) - (double) way->usual.time_ns) / 1000.0,
                   .differs_in = RowsText(&way->rows, explain(&way->usual, time)),
                   .kernels = time->kernels };
    for (int part = 0; part < STEP_PARTS; part++) {
        row->parts_us[part] = Microseconds(time->parts_ns[part]);
    }
    add_to_rank(way, row);
    return way->ranks.status;
}

static OpprofStatus put_all(void *context)
{
    Steps *self = context;
    Way way = { .rows = { .stage = self->feed.stage },
                .ranks = { .stage = self->feed.stage, .port = OUTPUT_RANKS } };
    OpprofStatus status = find_usual(self, &way.usual);

    if (status == OPPROF_OK) {
        status = RankRowsVisit(&self->steps, self->feed.stage, put_step, &way, self->feed.error);
    }
    put_rank(&way);
    status = status == OPPROF_OK ? RowsEnd(&way.rows) : status;
    return status == OPPROF_OK ? RowsEnd(&way.ranks) : status;
}

static void finish(void *context)
{
    Steps *self = context;

    RankRowsFinish(&self->steps);
}

/* ---- module ---- */

static OpprofStatus configure(void *context, const OpprofParams *params)
{
    Steps *self = context;

    self->threshold_ns = (uint64_t) OpprofParamsInt(params, "consecutive_kernel_delay");
    self->min_difference = OpprofParamsDouble(params, "min_difference");
    return OPPROF_OK;
}

static const FeedPart parts[] = {
    { .size = sizeof(RankStep), .table = FEED_PORTS, .accept = accept_step },
};

static const FeedOps feed_ops = {
    .size = sizeof(Steps),
    .state_size = sizeof(StepSweep),
    .configure = configure,
    .take = take,
    .end_rank = end_rank,
    .put = put_all,
    .finish = finish,
    .free_state = free_state,
    .parts = parts,
    .part_count = OPPROF_COUNT(parts),
    .first_part = OUTPUT_RANKS + 1,
};

#define PART_FIELD(part, text) FEED_NS(RankStep, time.parts_ns[part], text)

static const OpprofField part_fields[] = {
    FEED_FIELD(RankStep, time.name, STRING, "Iteration, as the host names it."),
    FEED_FIELD(RankStep, place, U32, "Its place among those of the rank, from 0."),
    FEED_NS(RankStep, time.start_ns, "Its start on the rank's clock."),
    FEED_NS(RankStep, time.end_ns, "Its end."),
    PART_FIELD(STEP_COMPUTE, "Time in which a computation ran."),
    PART_FIELD(STEP_COMMUNICATION, "Time in which communication ran, but no computation."),
    PART_FIELD(STEP_COPY, "Time in which copies and other work ran, but none of these."),
    PART_FIELD(STEP_HOST_WAIT, "Nothing ran: the next work was launched too late."),
    PART_FIELD(STEP_KERNEL_WAIT, "Nothing ran for a short time."),
    PART_FIELD(STEP_OTHER_WAIT, "Nothing ran for other reasons."),
    FEED_NS(RankStep, time.communication_ns, "Time in which communication ran."),
    FEED_FIELD(RankStep, time.kernels, U64, "Pieces of work launched in it."),
};

static const OpprofRecordType part_type =
    FEED_TYPE(RankStep, "trace.rank-steps", "An iteration of a rank.", part_fields);

#define PARTIALS                                                                                   \
    FEED_PARTIAL("steps-partial", "trace.rank-steps", part_type, "The iterations of each rank.")

static const OpprofPort inputs[] = { FEED_INPUT, PARTIALS };

static const OpprofPort outputs[] = {
    [OUTPUT_STEPS] = { .name = "steps",
                       .record_type = &step_type,
                       .summary = "One row per rank and iteration." },
    [OUTPUT_RANKS] = { .name = "ranks",
                       .record_type = &step_rank_type,
                       .summary = "One row per rank." },
    PARTIALS,
};

static const OpprofParam params[] = {
    FEED_PARAMS,
    { .name = "consecutive_kernel_delay",
      .type = OPPROF_PARAM_DURATION,
      .default_value = "30us",
      .summary = "Shorter gaps are the cost of launching one piece of work after another." },
    { .name = "min_difference",
      .type = OPPROF_PARAM_DOUBLE,
      .default_value = "0.05",
      .min = 0,
      .max = 1000,
      .summary =
          "An iteration stands out if it differs from the median by more than this part of it, and "
          "by more than three standard deviations, estimated from the median distance." },
};

FEED_DEFINE_SPANS(
    feed_ops, inputs, outputs, params, .name = "trace-steps",
    .summary = "Shows where the time of each iteration went, and which ones stand out.",
    .help = "The time of an iteration is that of the host's annotation. What the "
            "devices do in that time is divided into parts, which add up exactly.");
