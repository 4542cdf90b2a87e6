/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace-steps: where the time of each iteration of each rank went, and which iterations differ from
 * the others, in which part.
 * Tested by tests/plugins/analyse-trace/test_kineto.
 */
#include "feed.h"
#include "rows.h"
#include "step_parts.h"

#include <math.h>
#include <stdlib.h>

#define NOISE_OF_SPREAD                                                                            \
    4.45 /* times the median distance from the median: three standard deviations */

typedef struct Steps {
    Feed feed; /* first: see FeedCreate */
    uint64_t threshold_ns;
    double min_difference;
} Steps;

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

#define STEP_TIME(member, head, text)                                                              \
    OPPROF_FIELD(StepRow, member, OPPROF_FIELD_F64, .unit = "us", .heading = (head),               \
                 .decimals = 4, .meaning = (text))

#define STEP_PART(member, head, text)                                                              \
    OPPROF_FIELD(StepRow, member, OPPROF_FIELD_F64, .unit = "us", .heading = (head),               \
                 .decimals = 4, .meaning = (text), .flags = OPPROF_FIELD_PART)

static const OpprofField fields[] = {
    OPPROF_FIELD(StepRow, rank, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY, .meaning = "Rank."),
    OPPROF_FIELD(StepRow, step, OPPROF_FIELD_STRING, .meaning = "Iteration, as the host calls it."),
    OPPROF_FIELD(StepRow, place, OPPROF_FIELD_U32, .flags = OPPROF_FIELD_KEY, .unit = "1",
                 .meaning = "Its place among those of the rank, from 0: what runs are compared by, "
                            "for they number their iterations as they like."),
    STEP_TIME(start_us, "start(us)", "Start since the first rank's earliest time."),
    OPPROF_FIELD(StepRow, time_us, OPPROF_FIELD_F64, .unit = "us", .heading = "time(us)",
                 .decimals = 4, .flags = OPPROF_FIELD_WEIGHT,
                 .meaning = "From start to end on the host; the parts add up to it."),
    STEP_PART(parts_us[STEP_COMPUTE], "compute(us)", "Time in which a computation ran."),
    STEP_PART(parts_us[STEP_COMMUNICATION], "exposed_communication(us)",
              "Time in which communication ran and no computation."),
    STEP_PART(parts_us[STEP_COPY], "exposed_copy(us)",
              "Time in which copies and other work ran, and none of these."),
    STEP_PART(parts_us[STEP_HOST_WAIT], "idle_host_wait(us)",
              "Nothing ran: the next work was launched after the last one ended."),
    STEP_PART(parts_us[STEP_KERNEL_WAIT], "idle_kernel_wait(us)",
              "Nothing ran for less than consecutive_kernel_delay."),
    STEP_PART(parts_us[STEP_OTHER_WAIT], "idle_other(us)", "Nothing ran for other causes."),
    STEP_TIME(communication_us, "communication(us)",
              "Time in which communication ran, hidden by computation or not."),
    OPPROF_FIELD(StepRow, kernels, OPPROF_FIELD_U64, .unit = "1",
                 .meaning = "Pieces of work launched in it."),
    STEP_TIME(difference_us, "difference(us)", "Its time less the median of all iterations."),
    OPPROF_FIELD(StepRow, differs_in, OPPROF_FIELD_STRING,
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

/* ------------------------------------------------------------------ collecting */

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
    (void) context;
    StepSweepEnd(rank->state);
    return OPPROF_OK;
}

static void free_state(void *state)
{
    StepSweepFree(state);
}

/* ------------------------------------------------------------------ judging */

/* What is usual, over all iterations of all ranks. */
typedef struct Usual {
    uint64_t time_ns;
    uint64_t parts_ns[STEP_PARTS];
    double noise_ns; /* a time that differs by no more does not differ */
} Usual;

static uint64_t time_of(const StepTime *step)
{
    return step->end_ns - step->start_ns;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

static uint32_t count_steps(const Steps *self)
{
    uint32_t count = 0;

    for (size_t r = 0; r < self->feed.rank_count; r++) {
        const StepSweep *sweep = self->feed.ranks[r]->state;

        count += sweep->count;
    }
    return count;
}

/* Put one value of each iteration into a list; part STEP_PARTS: its time. Returns how many. */
static uint32_t list_values(const Steps *self, int part, uint64_t *values)
{
    uint32_t count = 0;

    for (size_t r = 0; r < self->feed.rank_count; r++) {
        const StepSweep *sweep = self->feed.ranks[r]->state;

        for (uint32_t i = 0; i < sweep->count; i++) {
            const StepTime *step = &sweep->steps[i];

            values[count++] = part == STEP_PARTS ? time_of(step) : step->parts_ns[part];
        }
    }
    return count;
}

/* False without memory. */
static bool find_usual(const Steps *self, Usual *usual)
{
    uint64_t *values = calloc((size_t) count_steps(self) + 1, sizeof *values);
    uint32_t count;

    if (values == NULL) {
        return false;
    }
    for (int part = 0; part < STEP_PARTS; part++) {
        count = list_values(self, part, values);
        usual->parts_ns[part] = StepMedian(values, count);
    }
    count = list_values(self, STEP_PARTS, values);
    usual->time_ns = StepMedian(values, count);
    for (uint32_t i = 0; i < count; i++) {
        values[i] = distance(values[i], usual->time_ns);
    }
    usual->noise_ns = fmax(NOISE_OF_SPREAD * (double) StepMedian(values, count),
                           self->min_difference * (double) usual->time_ns);
    free(values);
    return true;
}

/* The part that explains most of the difference; NULL if none beyond the noise. */
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

static void put_step(Rows *rows, const FeedRank *rank, uint32_t place, const Usual *usual)
{
    const StepTime *step = &((const StepSweep *) rank->state)->steps[place];
    StepRow *row = RowsNext(rows);

    if (row == NULL) {
        return;
    }
    *row = (StepRow){ .rank = rank->name,
                      .step = step->name,
                      .place = place,
                      .start_us = (double) rank->offset_ps / 1e6 + Microseconds(step->start_ns),
                      .time_us = Microseconds(time_of(step)),
                      .communication_us = Microseconds(step->communication_ns),
                      .difference_us = ((double) time_of(step) - (double) usual->time_ns) / 1000.0,
                      .differs_in = RowsText(rows, explain(usual, step)),
                      .kernels = step->kernels };
    for (int part = 0; part < STEP_PARTS; part++) {
        row->parts_us[part] = Microseconds(step->parts_ns[part]);
    }
}

static OpprofStatus put_all(void *context)
{
    Steps *self = context;
    Rows rows = { .stage = self->feed.stage };
    Usual usual = { .time_ns = 0 };

    if (!find_usual(self, &usual)) {
        return OPPROF_E_MEMORY;
    }
    for (size_t r = 0; r < self->feed.rank_count; r++) {
        const StepSweep *sweep = self->feed.ranks[r]->state;

        for (uint32_t i = 0; i < sweep->count; i++) {
            put_step(&rows, self->feed.ranks[r], i, &usual);
        }
    }
    return RowsEnd(&rows);
}

/* ------------------------------------------------------------------ module */

static OpprofStatus configure(void *context, const OpprofParams *params)
{
    Steps *self = context;

    self->threshold_ns = (uint64_t) OpprofParamsInt(params, "consecutive_kernel_delay");
    self->min_difference = OpprofParamsDouble(params, "min_difference");
    return OPPROF_OK;
}

static const FeedOps feed_ops = {
    .size = sizeof(Steps),
    .state_size = sizeof(StepSweep),
    .configure = configure,
    .take = take,
    .end_rank = end_rank,
    .put = put_all,
    .free_state = free_state,
};

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    return FeedCreate(stage, &feed_ops, ret_self, error);
}

static const OpprofPort inputs[] = { FEED_INPUT };

static const OpprofPort outputs[] = {
    { .name = "steps", .record_type = &step_type, .summary = "A row a rank and iteration." },
};

static const OpprofParam params[] = {
    FEED_PARAMS,
    { .name = "consecutive_kernel_delay",
      .type = OPPROF_PARAM_DURATION,
      .default_value = "30us",
      .summary = "Shorter gaps are the cost of launching one piece of work after the other." },
    { .name = "min_difference",
      .type = OPPROF_PARAM_DOUBLE,
      .default_value = "0.05",
      .min = 0,
      .max = 1000,
      .summary = "An iteration differs from the median by more than this part of it, and by more "
                 "than three standard deviations, estimated from the median distance." },
};

static const OpprofPluginOps ops = FEED_PLUGIN_OPS(create);

OPPROF_PLUGIN_DEFINE(.name = "trace-steps", .version = "1.0", .license = "Apache-2.0",
                     .summary = "Where the time of each iteration went, and which ones differ.",
                     .help = "The time of an iteration is that of the host's annotation. What the "
                             "devices do in that time is shared out: the parts add up exactly.",
                     .kind = OPPROF_ANALYSIS, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
                     .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .params = params,
                     .param_count = OPPROF_COUNT(params), .ops = &ops);
