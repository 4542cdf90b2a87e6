/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stragglers: which ranks come late to collective communication, iteration after iteration.
 *
 * Collectives end together, so their duration differs by when each rank comes. Of all communication
 * the kernel is chosen whose duration differs most between ranks; those that begin it last are
 * late.
 * Tested by tests/plugins/analyse-trace/test_kineto.
 */
#include "feed.h"
#include "item_map.h"
#include "late_starts.h"
#include "rows.h"

#include <opprof/grow.h>

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct Stragglers {
    Feed feed; /* first: see FeedCreate */
    size_t candidates;
    double min_duration;
    ItemMap kernels; /* KernelId, by stream and name; the same in all ranks */
} Stragglers;

typedef struct KernelId {
    uint32_t stream;
    uint32_t name;
} KernelId;

/* A call of a kernel that may be looked at. */
typedef struct Call {
    int64_t start_ns; /* of the run */
    uint64_t duration_ns;
} Call;

/*
 * Calls of a kernel in an iteration, as far as a later one was not longer: whatever duration counts
 * in the end, the last call that has it is among these.
 */
typedef struct Calls {
    Call *list;
    uint32_t count;
    uint32_t capacity;
} Calls;

/* An iteration of a rank, with all that was launched in it. */
typedef struct RankStep {
    uint32_t name;
    uint64_t start_ns; /* of the host's annotation */
    uint64_t end_ns;
    uint64_t last_ns; /* greatest end of all */
} RankStep;

typedef struct RankCalls {
    RankStep *steps; /* by start */
    size_t step_count;
    size_t step_capacity;
    ItemMap calls; /* of Calls, by number of the kernel and interned name of the step */
} RankCalls;

typedef struct StragglerRow {
    uint32_t rank;
    uint32_t is_straggler;
    uint64_t late_steps;
    uint64_t steps;
    uint32_t stream;
    uint32_t name;
} StragglerRow;

static const OpprofField fields[] = {
    OPPROF_FIELD(StragglerRow, rank, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Rank, the latest first."),
    OPPROF_FIELD(StragglerRow, late_steps, OPPROF_FIELD_U64, .unit = "1",
                 .meaning = "Iterations in which the rank was among the last to begin the kernel."),
    OPPROF_FIELD(StragglerRow, steps, OPPROF_FIELD_U64, .unit = "1",
                 .meaning = "Iterations looked at."),
    OPPROF_FIELD(StragglerRow, is_straggler, OPPROF_FIELD_U32, .heading = "straggler",
                 .meaning = "1 if the rank is among those late most often."),
    OPPROF_FIELD(StragglerRow, stream, OPPROF_FIELD_STRING, .meaning = "Stream of the kernel."),
    OPPROF_FIELD(StragglerRow, name, OPPROF_FIELD_STRING,
                 .meaning = "Communication whose duration differs most between the ranks."),
};

static const OpprofRecordType straggler_type = {
    .struct_size = sizeof(OpprofRecordType),
    .version = 1,
    .name = "trace.stragglers",
    .summary = "Ranks that come late to communication.",
    .size = sizeof(StragglerRow),
    .flags = OPPROF_RECORD_TABLE,
    .fields = fields,
    .field_count = OPPROF_COUNT(fields),
    .title = "Stragglers",
    .file_hint = "stragglers",
};

/* Time since the run's origin, which all ranks share. */
static int64_t common_ns(const FeedRank *rank, uint64_t ns)
{
    return rank->offset_ps / 1000 + (int64_t) ns;
}

/* ------------------------------------------------------------------ collecting */

static OpprofStatus take_step(FeedRank *rank, const Activity *activity)
{
    RankCalls *state = rank->state;

    if (!OpprofGrow(&state->steps, &state->step_capacity, state->step_count + 1,
                    sizeof *state->steps)) {
        return OPPROF_E_MEMORY;
    }
    state->steps[state->step_count++] = (RankStep){ .name = activity->name,
                                                    .start_ns = activity->start_ns,
                                                    .end_ns = activity->end_ns,
                                                    .last_ns = activity->end_ns };
    return OPPROF_OK;
}

/* The iteration in which the work was launched; NULL: none. Mostly it is the latest; they do not
 * overlap. */
static RankStep *step_of(const RankCalls *state, const Activity *activity)
{
    for (size_t i = state->step_count; i > 0; i--) {
        RankStep *step = &state->steps[i - 1];

        if (activity->launch_start_ns >= step->start_ns) {
            return activity->launch_start_ns < step->end_ns ? step : NULL;
        }
    }
    return NULL;
}

static bool add_call(Calls *calls, Call call)
{
    while (calls->count > 0 && calls->list[calls->count - 1].duration_ns <= call.duration_ns) {
        calls->count--;
    }
    if (!OpprofGrow32(&calls->list, &calls->capacity, (size_t) calls->count + 1,
                      sizeof *calls->list)) {
        return false;
    }
    calls->list[calls->count++] = call;
    return true;
}

/* The default stream is not looked at: communication has streams of its own. */
static bool is_default_stream(const Rows *rows, uint32_t stream)
{
    return strcmp(OpprofStageString(rows->stage, stream), "0") == 0;
}

static OpprofStatus take_communication(Stragglers *self, FeedRank *rank, const Activity *activity,
                                       const RankStep *step)
{
    const Rows rows = { .stage = self->feed.stage };
    RankCalls *state = rank->state;
    const uint32_t stream = RowsStream(&rows, activity->track);
    KernelId *kernel;
    uint64_t number;
    Calls *calls;

    if (is_default_stream(&rows, stream)) {
        return OPPROF_OK;
    }
    kernel = ItemMapGet(&self->kernels, (uint64_t) stream << 32 | activity->name, sizeof *kernel);
    if (kernel == NULL) {
        return OPPROF_E_MEMORY;
    }
    *kernel = (KernelId){ stream, activity->name };
    number = self->kernels.latest;
    calls = ItemMapGet(&state->calls, number << 32 | step->name, sizeof *calls);
    return calls != NULL && add_call(calls, (Call){ common_ns(rank, activity->start_ns),
                                                    ActivityDuration(activity) })
               ? OPPROF_OK
               : OPPROF_E_MEMORY;
}

static OpprofStatus take(void *context, FeedRank *rank, const Activity *activity)
{
    RankStep *step;

    if (activity->class == ACTIVITY_STEP) {
        return take_step(rank, activity);
    }
    if (activity->class >= ACTIVITY_CLASSES || activity->launch_start_ns == OPPROF_NA_U64) {
        return OPPROF_OK;
    }
    step = step_of(rank->state, activity);
    if (step == NULL) {
        return OPPROF_OK;
    }
    step->last_ns = activity->end_ns > step->last_ns ? activity->end_ns : step->last_ns;
    return activity->class == ACTIVITY_COMMUNICATION
               ? take_communication(context, rank, activity, step)
               : OPPROF_OK;
}

static OpprofStatus end_rank(void *context, FeedRank *rank)
{
    RankCalls *state = rank->state;

    (void) context;
    for (uint32_t i = 0; i < state->calls.count; i++) {
        Calls *calls = ItemMapAt(&state->calls, i);

        calls->list = Trimmed(calls->list, calls->count * sizeof *calls->list);
        calls->capacity = calls->count;
    }
    ItemMapTrim(&state->calls);
    return OPPROF_OK;
}

static void free_state(void *state)
{
    RankCalls *calls = state;

    for (uint32_t i = 0; i < calls->calls.count; i++) {
        Calls *one = ItemMapAt(&calls->calls, i);

        free(one->list);
    }
    ItemMapFree(&calls->calls);
    free(calls->steps);
}

/* ------------------------------------------------------------------ choosing */

/* Names of the iterations looked at: all but the last, unless there is only one. */
typedef struct StepNames {
    uint32_t *names;
    size_t count;
    int64_t first_ns;
    double mean_ns; /* of an iteration */
} StepNames;

static bool has_name(const StepNames *steps, uint32_t name)
{
    for (size_t i = 0; i < steps->count; i++) {
        if (steps->names[i] == name) {
            return true;
        }
    }
    return false;
}

static bool collect_names(const Stragglers *self, StepNames *steps)
{
    int64_t latest_ns = INT64_MIN;
    uint32_t latest = 0;
    size_t all = 0;

    for (size_t r = 0; r < self->feed.rank_count; r++) {
        const RankCalls *state = self->feed.ranks[r]->state;

        all += state->step_count;
    }
    steps->names = calloc(all + 1, sizeof *steps->names);
    for (size_t r = 0; steps->names != NULL && r < self->feed.rank_count; r++) {
        const RankCalls *state = self->feed.ranks[r]->state;

        for (size_t i = 0; i < state->step_count; i++) {
            const int64_t start_ns = common_ns(self->feed.ranks[r], state->steps[i].start_ns);

            if (!has_name(steps, state->steps[i].name)) {
                steps->names[steps->count++] = state->steps[i].name;
            }
            if (start_ns > latest_ns) {
                latest_ns = start_ns;
                latest = state->steps[i].name;
            }
        }
    }
    for (size_t i = 0; steps->count > 1 && i < steps->count; i++) {
        if (steps->names[i] == latest) {
            steps->names[i] = steps->names[--steps->count];
            break;
        }
    }
    return steps->names != NULL;
}

/* From the first to the last moment of the iterations, divided by their number. */
static void measure_steps(const Stragglers *self, StepNames *steps)
{
    int64_t first_ns = INT64_MAX;
    int64_t last_ns = INT64_MIN;

    for (size_t r = 0; r < self->feed.rank_count; r++) {
        const FeedRank *rank = self->feed.ranks[r];
        const RankCalls *state = rank->state;

        for (size_t i = 0; i < state->step_count; i++) {
            const RankStep *step = &state->steps[i];

            if (has_name(steps, step->name)) {
                const int64_t start_ns = common_ns(rank, step->start_ns);
                const int64_t end_ns = common_ns(rank, step->last_ns);

                first_ns = start_ns < first_ns ? start_ns : first_ns;
                last_ns = end_ns > last_ns ? end_ns : last_ns;
            }
        }
    }
    steps->first_ns = first_ns;
    steps->mean_ns = steps->count == 0 ? 0 : (double) (last_ns - first_ns) / (double) steps->count;
}

/* The last call of at least that duration; NULL: none. */
static const Call *last_call(const FeedRank *rank, uint32_t kernel, uint32_t step, double limit_ns)
{
    RankCalls *state = rank->state;
    const Calls *calls = ItemMapFind(&state->calls, (uint64_t) kernel << 32 | step);

    for (uint32_t i = calls == NULL ? 0 : calls->count; i > 0; i--) {
        if ((double) calls->list[i - 1].duration_ns >= limit_ns) {
            return &calls->list[i - 1];
        }
    }
    return NULL;
}

/* What there is of a kernel in an iteration: one entry a rank that has it. */
static size_t list_starts(const Stragglers *self, const StepNames *steps, uint32_t kernel,
                          uint32_t step, LateStart *starts)
{
    size_t count = 0;

    for (size_t r = 0; r < self->feed.rank_count; r++) {
        const Call *call =
            last_call(self->feed.ranks[r], kernel, step, self->min_duration * steps->mean_ns);

        if (call != NULL) {
            starts[count++] = (LateStart){ .rank = r,
                                           .duration = (double) call->duration_ns / steps->mean_ns,
                                           .start = (double) (call->start_ns - steps->first_ns) /
                                                    steps->mean_ns };
        }
    }
    return count;
}

/* The kernel whose duration differs most, UINT32_MAX if none is in several ranks. */
static uint32_t choose_kernel(const Stragglers *self, const StepNames *steps, LateStart *starts)
{
    uint32_t chosen = UINT32_MAX;
    double most = -1;

    for (uint32_t k = 0; k < self->kernels.count; k++) {
        double sum = 0;
        size_t seen = 0;

        for (size_t s = 0; s < steps->count; s++) {
            const size_t count = list_starts(self, steps, k, steps->names[s], starts);

            if (count > 1) {
                sum += LateStartsSpread(starts, count);
                seen++;
            }
        }
        if (seen > 0 && sum / (double) seen > most) {
            most = sum / (double) seen;
            chosen = k;
        }
    }
    return chosen;
}

/* ------------------------------------------------------------------ table */

static int compare_scores(const void *a, const void *b)
{
    const LateScore *left = a;
    const LateScore *right = b;

    if (left->late_steps != right->late_steps) {
        return left->late_steps < right->late_steps ? 1 : -1;
    }
    return (left->rank > right->rank) - (left->rank < right->rank);
}

static void put_scores(const Stragglers *self, Rows *rows, LateScore *scores, uint32_t kernel)
{
    const KernelId *id = ItemMapAt(&self->kernels, kernel);

    qsort(scores, self->feed.rank_count, sizeof *scores, compare_scores);
    for (size_t i = 0; i < self->feed.rank_count; i++) {
        StragglerRow *row = RowsNext(rows);

        if (row != NULL) {
            *row = (StragglerRow){ .rank = self->feed.ranks[scores[i].rank]->name,
                                   .is_straggler = i < self->candidates && scores[i].late_steps > 0,
                                   .late_steps = scores[i].late_steps,
                                   .steps = scores[i].steps,
                                   .stream = id->stream,
                                   .name = id->name };
        }
    }
}

static void judge(const Stragglers *self, const StepNames *steps, Rows *rows, LateStart *starts,
                  LateScore *scores)
{
    const uint32_t kernel = choose_kernel(self, steps, starts);

    if (kernel == UINT32_MAX) {
        return;
    }
    for (size_t r = 0; r < self->feed.rank_count; r++) {
        scores[r].rank = r;
    }
    for (size_t s = 0; s < steps->count; s++) {
        const size_t count = list_starts(self, steps, kernel, steps->names[s], starts);

        LateStartsScore(starts, count, self->candidates, scores);
    }
    put_scores(self, rows, scores, kernel);
}

static OpprofStatus put_all(void *context)
{
    Stragglers *self = context;
    Rows rows = { .stage = self->feed.stage };
    LateStart *starts = calloc(self->feed.rank_count + 1, sizeof *starts);
    LateScore *scores = calloc(self->feed.rank_count + 1, sizeof *scores);
    StepNames steps = { .names = NULL };

    if (starts == NULL || scores == NULL || !collect_names(self, &steps)) {
        rows.status = OPPROF_E_MEMORY;
    } else if (self->feed.rank_count > 1 && steps.count > 0) {
        measure_steps(self, &steps);
        judge(self, &steps, &rows, starts, scores);
    }
    free(steps.names);
    free(starts);
    free(scores);
    return RowsEnd(&rows);
}

static OpprofStatus configure(void *context, const OpprofParams *params)
{
    Stragglers *self = context;

    self->candidates = (size_t) OpprofParamsInt(params, "candidates");
    self->min_duration = OpprofParamsDouble(params, "min_duration");
    return OPPROF_OK;
}

static void finish(void *context)
{
    Stragglers *self = context;

    ItemMapFree(&self->kernels);
}

static const FeedOps feed_ops = {
    .size = sizeof(Stragglers),
    .state_size = sizeof(RankCalls),
    .configure = configure,
    .take = take,
    .end_rank = end_rank,
    .put = put_all,
    .finish = finish,
    .free_state = free_state,
};

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    return FeedCreate(stage, &feed_ops, ret_self, error);
}

static const OpprofPort inputs[] = { FEED_INPUT };

static const OpprofPort outputs[] = {
    { .name = "stragglers",
      .record_type = &straggler_type,
      .summary = "A row a rank, if there are several that communicate." },
};

static const OpprofParam params[] = {
    FEED_PARAMS,
    { .name = "candidates",
      .type = OPPROF_PARAM_INT,
      .default_value = "2",
      .min = 1,
      .max = 1000000,
      .summary = "Ranks that are called late in an iteration, and stragglers in the end." },
    { .name = "min_duration",
      .type = OPPROF_PARAM_DOUBLE,
      .default_value = "0.01",
      .min = 0,
      .max = 1,
      .summary = "Communication shorter than this part of a mean iteration is not looked at." },
};

static const OpprofPluginOps ops = FEED_PLUGIN_OPS(create);

OPPROF_PLUGIN_DEFINE(.name = "trace-stragglers", .version = "1.0", .license = "Apache-2.0",
                     .summary = "Which ranks come late to communication.",
                     .help = "Needs iterations, and collectives that end together in all ranks.",
                     .kind = OPPROF_ANALYSIS, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
                     .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .params = params,
                     .param_count = OPPROF_COUNT(params), .ops = &ops);
