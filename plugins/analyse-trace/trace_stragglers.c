/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace-stragglers: which ranks come late to collective communication, iteration after iteration.
 *
 * Collectives end together, so the durations of the ranks show when each one arrived, whatever
 * their clocks show. The collective of an iteration whose duration differs most between ranks is
 * chosen; the ranks that begin it last, beyond the noise, are late. Tested by
 * tests/plugins/analyse-trace/test_kineto.
 */
#include "analyse-trace/common/collectives.h"
#include "analyse-trace/common/feed.h"
#include "analyse-trace/common/item_map.h"
#include "analyse-trace/common/late_starts.h"
#include "analyse-trace/common/rank_rows.h"

#include <opprof/grow.h>
#include <opprof/kit/large_array.h>

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define IS_GROUP (UINT32_C(1) << 31) /* an interned group, not a stream */

/* A rank whose records come. */
typedef struct Seat {
    uint32_t rank; /* interned name; 0: none came */
    uint32_t name; /* the same without the number of the recording */
    uint32_t cycle;
} Seat;

/* What the second half takes: an iteration of a rank, or its end, … */
typedef struct StepPart {
    uint32_t name; /* OPPROF_NA_STRING: the end of the rank */
    uint32_t reserved;
    uint64_t start_ns; /* on the rank's clock */
    uint64_t last_ns;  /* latest end of all that was launched in it */
} StepPart;

/* … and a call in one. */
typedef struct CallPart {
    uint32_t group;      /* OPPROF_NA_STRING: unknown, the stream tells kernels apart */
    uint32_t stream;     /* where the kernel was seen first */
    uint32_t kernel;     /* its name */
    uint32_t collective; /* its name, or the kernel's */
    uint32_t step;
    uint32_t call; /* of the kernel in the iteration, from 0 */
    uint64_t duration_ns;
} CallPart;

enum { PART_STEPS, PART_CALLS };

typedef struct Stragglers {
    Feed feed; /* first: see FeedCreate */
    size_t candidates;
    double min_duration;
    double noise_ns;
    /* KernelId, by group, else stream, and collective, else name; the same in all ranks */
    ItemMap kernels;
    ItemMap collectives; /* CollectiveId, by number of the kernel and call */
    ItemMap iterations;  /* Iteration, by recording and name; the same in all ranks */
    uint32_t *ranks;     /* interned names of ranks that are complete, whatever their recordings */
    size_t rank_count;
    size_t rank_capacity;
    OpprofMap places; /* in ranks, by name */
    Seat seat;        /* of the rank whose records come */
    RankRows steps;   /* of KeptStep */
    RankRows calls;   /* of KeptCall */
    ItemMap meetings; /* of Meeting, by numbers of the collective and the iteration */
} Stragglers;

/* An iteration. Those of two recordings are different ones, whatever their names. */
typedef struct Iteration {
    uint32_t name;
    uint32_t cycle; /* number of the recording */
} Iteration;

/* An iteration of a complete rank. Times are those of the run. */
typedef struct KeptStep {
    int64_t start_ns;
    int64_t last_ns;
    uint32_t iteration; /* number of it */
    uint32_t cycle;     /* number of the recording */
    uint32_t rank;      /* interned name */
    uint32_t reserved;
} KeptStep;

/* A call of a complete rank. */
typedef struct KeptCall {
    uint64_t meeting; /* key of it */
    uint64_t duration_ns;
    uint32_t rank; /* interned name, then place among all ranks */
    uint32_t reserved;
} KeptCall;

/* The calls of a collective in an iteration, one a rank. */
typedef struct Meeting {
    size_t count; /* of calls */
    size_t end;   /* of those that were placed, among the calls of all meetings */
} Meeting;

typedef struct KernelId {
    uint32_t group;
    uint32_t stream; /* where it was seen first */
    uint32_t name;
    bool is_known;
} KernelId;

/* A kernel of a rank. */
typedef struct RankKernel {
    uint32_t stream; /* where it was seen first */
    uint32_t name;
    bool is_known;
    bool is_shared; /* it is not a send or receive, in which ranks meet in pairs */
} RankKernel;

/* A kernel may be called several times in an iteration: these are different collectives. */
typedef struct CollectiveId {
    uint32_t kernel; /* number of it */
    uint32_t call;   /* from 0 */
} CollectiveId;

/* An iteration of a rank, with all that was launched in it. */
typedef struct RankStep {
    uint32_t name;
    uint64_t start_ns; /* of the host's annotation */
    uint64_t end_ns;
    uint64_t last_ns;  /* latest end of all */
    uint64_t reach_ns; /* latest end of its annotation and those before, which may overlap it */
} RankStep;

typedef struct RankCalls {
    RankStep *steps; /* by start */
    size_t step_count;
    size_t step_capacity;
    ItemMap kernels; /* of RankKernel, by group, else stream, and collective, else name */
    /* uint32_t: calls so far, by number of the kernel and interned name of the step */
    ItemMap counts;
    CallPart *calls;
    size_t call_count;
    size_t call_capacity;
} RankCalls;

typedef struct StragglerRow {
    uint32_t rank;
    uint32_t is_straggler;
    uint64_t late_steps;
    uint64_t steps;
    double cost_us;
    uint32_t stream;
    uint32_t name;
    uint32_t short_name;
    uint32_t demangled;
    uint32_t call;
    uint32_t group;
} StragglerRow;

static const OpprofField fields[] = {
    OPPROF_FIELD(StragglerRow, rank, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_KEY,
                 .meaning = "Rank, the latest first."),
    OPPROF_FIELD(StragglerRow, late_steps, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM,
                 .unit = "1",
                 .meaning = "Iterations in which the rank was among the last to begin the kernel, "
                            "beyond the noise (parameter `noise`, 10 us)."),
    OPPROF_FIELD(StragglerRow, steps, OPPROF_FIELD_U64, .combine = OPPROF_COMBINE_SUM, .unit = "1",
                 .meaning = "Iterations that were compared."),
    OPPROF_FIELD(StragglerRow, is_straggler, OPPROF_FIELD_U32, .combine = OPPROF_COMBINE_NONE,
                 .unit = "1", .heading = "straggler",
                 .meaning = "1 if the rank is among those late more often than all others."),
    OPPROF_FIELD(StragglerRow, cost_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_SUM,
                 .unit = "us", .decimals = 4, .heading = "cost(us)",
                 .meaning =
                     "How much earlier the kernel would have begun everywhere if the rank had "
                     "come with the second last, where that is beyond the noise; the sum "
                     "over the iterations."),
    OPPROF_FIELD(StragglerRow, stream, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_ALONE,
                 .meaning = "Stream of the kernel."),
    OPPROF_FIELD(StragglerRow, name, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_ALONE,
                 .meaning = "Communication whose duration differs most between the ranks."),
    OPPROF_FIELD(StragglerRow, call, OPPROF_FIELD_U32, .combine = OPPROF_COMBINE_NONE, .unit = "1",
                 .meaning = "Which of the kernel's calls in an iteration it is, from 0."),
    OPPROF_FIELD(StragglerRow, group, OPPROF_FIELD_STRING, .flags = OPPROF_FIELD_ALONE,
                 .meaning = "Its process group; ranks without it were compared in 0 iterations.",
                 .absent = "the trace does not say"),
    ROWS_SHORT_NAME(StragglerRow, short_name, "short_name"),
    ROWS_DEMANGLED_NAME(StragglerRow, demangled, "demangled"),
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

/* ---- collecting ---- */

static OpprofStatus take_step(FeedRank *rank, const Activity *activity)
{
    RankCalls *state = rank->state;
    const uint64_t reach_ns =
        state->step_count == 0 ? 0 : state->steps[state->step_count - 1].reach_ns;

    if (!OpprofGrow(&state->steps, &state->step_capacity, state->step_count + 1,
                    sizeof *state->steps)) {
        return OPPROF_E_MEMORY;
    }
    state->steps[state->step_count++] =
        (RankStep){ .name = activity->name,
                    .start_ns = activity->start_ns,
                    .end_ns = activity->end_ns,
                    .last_ns = activity->end_ns,
                    .reach_ns = activity->end_ns > reach_ns ? activity->end_ns : reach_ns };
    return OPPROF_OK;
}

/* The iteration in which the work was launched, the last to begin of several; NULL: none. Usually
 * the latest one. */
static RankStep *step_of(const RankCalls *state, const Activity *activity)
{
    const uint64_t at = activity->launch_start_ns;

    for (size_t i = state->step_count; i > 0 && state->steps[i - 1].reach_ns > at; i--) {
        RankStep *step = &state->steps[i - 1];

        if (at >= step->start_ns && at < step->end_ns) {
            return step;
        }
    }
    return NULL;
}

/* The default stream is ignored: communication has streams of its own. */
static bool is_default_stream(const Rows *rows, uint32_t stream)
{
    return strcmp(OpprofStageString(rows->stage, stream), "0") == 0;
}

static uint64_t kernel_key(uint32_t group, uint32_t stream, uint32_t collective)
{
    const uint32_t place = group != OPPROF_NA_STRING ? group | IS_GROUP : stream;

    return (uint64_t) place << 32 | collective;
}

/* The kernel, whose number is the map's latest; NULL without memory. One kernel sends for several
 * kinds of collectives. */
static const RankKernel *find_kernel(const Stragglers *self, RankCalls *state, const CallPart *call)
{
    RankKernel *kernel = ItemMapGet(
        &state->kernels, kernel_key(call->group, call->stream, call->collective), sizeof *kernel);

    if (kernel != NULL && !kernel->is_known) {
        const char *name = OpprofStageString(self->feed.stage, call->collective);

        *kernel = (RankKernel){ .stream = call->stream,
                                .name = call->kernel,
                                .is_known = true,
                                .is_shared = CollectiveFormOf(name) != FORM_POINT_TO_POINT };
    }
    return kernel;
}

static OpprofStatus take_communication(const Stragglers *self, RankCalls *state,
                                       const Activity *activity, const RankStep *step)
{
    const Rows rows = { .stage = self->feed.stage };
    const bool has_name = activity->collective != OPPROF_NA_STRING;
    CallPart call = { .group = activity->group,
                      .stream = RowsStream(&rows, activity->track),
                      .kernel = activity->name,
                      .collective = has_name ? activity->collective : activity->name,
                      .step = step->name,
                      .duration_ns = ActivityDuration(activity) };
    const RankKernel *kernel;
    uint32_t *count;

    if (is_default_stream(&rows, call.stream)) {
        return OPPROF_OK;
    }
    kernel = find_kernel(self, state, &call);
    if (kernel != NULL && !kernel->is_shared) {
        return OPPROF_OK;
    }
    count = ItemMapGet(&state->counts, (uint64_t) state->kernels.latest << 32 | step->name,
                       sizeof *count);
    if (kernel == NULL || count == NULL ||
        !OpprofGrow(&state->calls, &state->call_capacity, state->call_count + 1,
                    sizeof *state->calls)) {
        return OPPROF_E_MEMORY;
    }
    call.stream = kernel->stream;
    call.kernel = kernel->name;
    call.call = (*count)++;
    state->calls[state->call_count++] = call;
    return OPPROF_OK;
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
               ? take_communication(context, rank->state, activity, step)
               : OPPROF_OK;
}

static OpprofStatus end_rank(void *context, FeedRank *rank)
{
    Stragglers *self = context;
    const RankCalls *state = rank->state;
    const StepPart end = { .name = OPPROF_NA_STRING };
    OpprofStatus status = FeedHand(&self->feed, PART_STEPS, rank, &end);

    for (size_t i = 0; status == OPPROF_OK && i < state->step_count; i++) {
        const RankStep *step = &state->steps[i];

        status = FeedHand(&self->feed, PART_STEPS, rank,
                          &(StepPart){ .name = step->name,
                                       .start_ns = step->start_ns,
                                       .last_ns = step->last_ns });
    }
    for (size_t i = 0; status == OPPROF_OK && i < state->call_count; i++) {
        status = FeedHand(&self->feed, PART_CALLS, rank, &state->calls[i]);
    }
    return status;
}

static void free_state(void *state)
{
    RankCalls *calls = state;

    ItemMapFree(&calls->kernels);
    ItemMapFree(&calls->counts);
    free(calls->calls);
    free(calls->steps);
}

/* ---- keeping ---- */

/* False without memory. */
static bool number_iteration(Stragglers *self, uint32_t name, uint32_t cycle, uint32_t *ret_number)
{
    Iteration *iteration =
        ItemMapGet(&self->iterations, (uint64_t) cycle << 32 | name, sizeof *iteration);

    if (iteration == NULL) {
        return false;
    }
    *iteration = (Iteration){ .name = name, .cycle = cycle };
    *ret_number = self->iterations.latest;
    return true;
}

/* The collective that a call is of. False without memory. */
static bool number_call(Stragglers *self, const CallPart *call, uint32_t *ret_number)
{
    const uint64_t key = kernel_key(call->group, call->stream, call->collective);
    KernelId *kernel = ItemMapGet(&self->kernels, key, sizeof *kernel);
    const uint32_t number = self->kernels.latest;
    CollectiveId *collective;

    if (kernel == NULL) {
        return false;
    }
    if (!kernel->is_known) {
        *kernel = (KernelId){ call->group, call->stream, call->kernel, true };
    }
    collective =
        ItemMapGet(&self->collectives, (uint64_t) number << 32 | call->call, sizeof *collective);
    if (collective == NULL) {
        return false;
    }
    *collective = (CollectiveId){ .kernel = number, .call = call->call };
    *ret_number = self->collectives.latest;
    return true;
}

/* False without memory. */
static bool add_rank(Stragglers *self, uint32_t name)
{
    if (OpprofMapFind(&self->places, name) != OPPROF_MAP_NONE) {
        return true; /* another recording of it */
    }
    if (!OpprofGrow(&self->ranks, &self->rank_capacity, self->rank_count + 1,
                    sizeof *self->ranks) ||
        !OpprofMapPut(&self->places, name, (uint32_t) self->rank_count)) {
        return false;
    }
    self->ranks[self->rank_count++] = name;
    return true;
}

/* False without memory. */
static bool take_seat(Stragglers *self, const FeedRank *rank)
{
    const char *text = OpprofStageString(self->feed.stage, rank->name);
    size_t length;
    Seat seat = { .rank = rank->name };

    if (self->seat.rank == rank->name) {
        return true;
    }
    seat.cycle = RankCycle(text, &length);
    seat.name = OpprofStageIntern(self->feed.stage, text, length);
    self->seat = seat;
    return seat.name != OPPROF_NA_STRING && add_rank(self, seat.name);
}

static OpprofStatus accept_step(void *context, const FeedRank *rank, const void *record)
{
    Stragglers *self = context;
    const StepPart *step = record;

    if (!take_seat(self, rank)) {
        return OPPROF_E_MEMORY;
    }
    KeptStep kept = { .start_ns = common_ns(rank, step->start_ns),
                      .last_ns = common_ns(rank, step->last_ns),
                      .cycle = self->seat.cycle,
                      .rank = rank->name };

    if (step->name == OPPROF_NA_STRING) {
        return OPPROF_OK;
    }
    return number_iteration(self, step->name, kept.cycle, &kept.iteration)
               ? RankRowsAdd(&self->steps, self->feed.stage, rank->name, &kept, sizeof kept,
                             self->feed.error)
               : OPPROF_E_MEMORY;
}

static OpprofStatus accept_call(void *context, const FeedRank *rank, const void *record)
{
    Stragglers *self = context;
    const CallPart *call = record;
    uint32_t collective = 0;
    uint32_t iteration = 0;
    const bool is_good = take_seat(self, rank) && number_call(self, call, &collective) &&
                         number_iteration(self, call->step, self->seat.cycle, &iteration);
    const KeptCall kept = { .meeting = (uint64_t) collective << 32 | iteration,
                            .duration_ns = call->duration_ns,
                            .rank = self->seat.name };
    Meeting *meeting = is_good ? ItemMapGet(&self->meetings, kept.meeting, sizeof *meeting) : NULL;

    if (meeting == NULL) {
        return OPPROF_E_MEMORY;
    }
    meeting->count++;
    return RankRowsAdd(&self->calls, self->feed.stage, rank->name, &kept, sizeof kept,
                       self->feed.error);
}

/* ---- choosing ---- */

/* The iterations of one recording, of all ranks. */
typedef struct Recording {
    uint32_t count;  /* of different ones */
    uint32_t latest; /* number of the last one */
    int64_t latest_ns;
    uint32_t ranks; /* measured, the last of them up to here */
    uint32_t rank;
    int64_t first_ns; /* of that one's iterations that are compared */
    int64_t last_ns;
    int64_t sum_ns; /* from first to last, of those before it */
} Recording;

/* Numbers of the compared iterations: of each recording all but the last,
 * unless there is only one. */
typedef struct Iterations {
    uint32_t *numbers;
    uint32_t count;
    uint32_t capacity;
    OpprofMap places;   /* in numbers; OPPROF_MAP_NONE: not compared */
    ItemMap recordings; /* of Recording, by number of it */
    double mean_ns;     /* of an iteration */
} Iterations;

static OpprofStatus collect_step(void *context, void *row)
{
    Iterations *steps = context;
    const KeptStep *step = row;
    Recording *recording = ItemMapGet(&steps->recordings, step->cycle, sizeof *recording);

    if (recording == NULL) {
        return OPPROF_E_MEMORY;
    }
    if (recording->count == 0 || step->start_ns > recording->latest_ns) {
        recording->latest_ns = step->start_ns;
        recording->latest = step->iteration;
    }
    if (OpprofMapFind(&steps->places, step->iteration) != OPPROF_MAP_NONE) {
        return OPPROF_OK;
    }
    if (!OpprofGrow32(&steps->numbers, &steps->capacity, (size_t) steps->count + 1,
                      sizeof *steps->numbers) ||
        !OpprofMapPut(&steps->places, step->iteration, steps->count)) {
        return OPPROF_E_MEMORY;
    }
    recording->count++;
    steps->numbers[steps->count++] = step->iteration;
    return OPPROF_OK;
}

/* A recording may end in the middle of its last iteration. */
static void drop_latest(Iterations *steps)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < steps->recordings.count; i++) {
        const Recording *recording = ItemMapAt(&steps->recordings, i);

        if (recording->count > 1) {
            (void) OpprofMapRemove(&steps->places, recording->latest);
        }
    }
    for (uint32_t i = 0; i < steps->count; i++) {
        if (OpprofMapFind(&steps->places, steps->numbers[i]) != OPPROF_MAP_NONE) {
            steps->numbers[kept++] = steps->numbers[i];
        }
    }
    steps->count = kept;
}

static OpprofStatus collect_steps(Stragglers *self, Iterations *steps)
{
    const OpprofStatus status =
        RankRowsVisit(&self->steps, self->feed.stage, collect_step, steps, self->feed.error);

    if (status == OPPROF_OK) {
        drop_latest(steps);
    }
    return status;
}

static OpprofStatus measure_step(void *context, void *row)
{
    Iterations *steps = context;
    const KeptStep *step = row;
    Recording *recording = ItemMapFind(&steps->recordings, step->cycle);

    if (OpprofMapFind(&steps->places, step->iteration) == OPPROF_MAP_NONE) {
        return OPPROF_OK;
    }
    if (recording->ranks == 0 || step->rank != recording->rank) {
        recording->sum_ns += recording->last_ns - recording->first_ns;
        recording->rank = step->rank;
        recording->ranks++;
        recording->first_ns = step->start_ns;
        recording->last_ns = step->last_ns;
    }
    recording->first_ns =
        step->start_ns < recording->first_ns ? step->start_ns : recording->first_ns;
    recording->last_ns = step->last_ns > recording->last_ns ? step->last_ns : recording->last_ns;
    return OPPROF_OK;
}

/*
 * From the first to the last moment of each recording's iterations, divided by their number: the
 * mean of the ranks, since their clocks may be far apart.
 */
static OpprofStatus measure_steps(Stragglers *self, Iterations *steps)
{
    const OpprofStatus status =
        RankRowsVisit(&self->steps, self->feed.stage, measure_step, steps, self->feed.error);
    double sum_ns = 0;

    for (uint32_t i = 0; i < steps->recordings.count; i++) {
        const Recording *recording = ItemMapAt(&steps->recordings, i);
        const int64_t spans_ns = recording->sum_ns + recording->last_ns - recording->first_ns;

        sum_ns += recording->ranks == 0 ? 0 : (double) spans_ns / recording->ranks;
    }
    steps->mean_ns = steps->count == 0 ? 0 : sum_ns / steps->count;
    return status;
}

/* ---- calls by iteration ---- */

/* The calls of all ranks, grouped by collective and iteration, then by rank. */
typedef struct Placing {
    Stragglers *self;
    OpprofLargeArray room; /* of KeptCall */
    size_t in_hand;        /* calls used since the room was released */
} Placing;

#define CALLS_IN_HAND 256u /* each on a page of its own */

static void use_call(Placing *placing)
{
    if (++placing->in_hand == CALLS_IN_HAND) {
        placing->in_hand = 0;
        OpprofLargeArrayRest(&placing->room);
    }
}

static OpprofStatus place_call(void *context, void *row)
{
    Placing *placing = context;
    const Stragglers *self = placing->self;
    KeptCall *call = row;
    Meeting *meeting = ItemMapFind(&self->meetings, call->meeting);
    KeptCall *list = placing->room.bytes;

    call->rank = OpprofMapFind(&self->places, call->rank);
    list[meeting->end++] = *call;
    use_call(placing);
    return OPPROF_OK;
}

static int compare_ranks(const void *a, const void *b, void *stage)
{
    return strverscmp(OpprofStageString(stage, *(const uint32_t *) a),
                      OpprofStageString(stage, *(const uint32_t *) b));
}

static void sort_ranks(Stragglers *self)
{
    if (self->rank_count > 1) {
        qsort_r(self->ranks, self->rank_count, sizeof *self->ranks, compare_ranks,
                self->feed.stage);
    }
    for (uint32_t i = 0; i < self->rank_count; i++) {
        (void) OpprofMapPut(&self->places, self->ranks[i], i); /* it has them all already */
    }
}

static OpprofStatus place_calls(Placing *placing)
{
    Stragglers *self = placing->self;
    size_t count = 0;

    sort_ranks(self);
    for (uint32_t i = 0; i < self->meetings.count; i++) {
        Meeting *meeting = ItemMapAt(&self->meetings, i);

        meeting->end = count;
        count += meeting->count;
    }
    return OpprofLargeArrayGrow(&placing->room, OpprofStageOutput(self->feed.stage),
                                (count + 1) * sizeof(KeptCall))
               ? RankRowsVisit(&self->calls, self->feed.stage, place_call, placing,
                               self->feed.error)
               : OPPROF_E_MEMORY;
}

/*
 * The calls of a collective in an iteration, one of each rank that has it. A rank that comes late
 * has a short one: only one that is short in all ranks is left out.
 */
static size_t list_starts(Placing *placing, const Iterations *steps, uint32_t collective,
                          uint32_t step, LateStart *starts)
{
    const Stragglers *self = placing->self;
    const Meeting *meeting = ItemMapFind(&self->meetings, (uint64_t) collective << 32 | step);
    const KeptCall *list = placing->room.bytes;
    double longest = 0;
    size_t count = 0;

    for (size_t i = meeting == NULL ? 0 : meeting->end - meeting->count;
         meeting != NULL && i < meeting->end; i++) {
        const KeptCall *call = &list[i];
        const double duration = (double) call->duration_ns / steps->mean_ns;

        longest = duration > longest ? duration : longest;
        count -= count > 0 && starts[count - 1].rank == call->rank; /* a rank that went on */
        starts[count++] =
            (LateStart){ .rank = call->rank, .duration = duration, .start = -duration };
        use_call(placing);
    }
    return longest >= self->min_duration ? count : 0;
}

/* The collective whose duration differs most, UINT32_MAX if several ranks share none. */
static uint32_t choose_collective(Placing *placing, const Iterations *steps, LateStart *starts)
{
    const Stragglers *self = placing->self;
    uint32_t chosen = UINT32_MAX;
    double most = -1;

    for (uint32_t k = 0; k < self->collectives.count; k++) {
        double sum = 0;
        size_t seen = 0;

        for (size_t s = 0; s < steps->count; s++) {
            const size_t count = list_starts(placing, steps, k, steps->numbers[s], starts);

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

/* ---- table ---- */

static void put_scores(const Stragglers *self, Rows *rows, LateScore *scores, uint32_t chosen,
                       double mean_ns)
{
    const CollectiveId *collective = ItemMapAt(&self->collectives, chosen);
    const KernelId *id = ItemMapAt(&self->kernels, collective->kernel);
    const size_t stragglers = LateStartsRank(scores, self->rank_count, self->candidates);

    for (size_t i = 0; i < self->rank_count; i++) {
        StragglerRow *row = RowsNext(rows);

        if (row != NULL) {
            *row = (StragglerRow){ .rank = self->ranks[scores[i].rank],
                                   .is_straggler = i < stragglers,
                                   .late_steps = scores[i].late_steps,
                                   .steps = scores[i].steps,
                                   .cost_us = scores[i].cost * mean_ns / 1000.0,
                                   .stream = id->stream,
                                   .group = id->group,
                                   .name = id->name,
                                   .call = collective->call,
                                   .short_name = RowsShortName(self->feed.stage, id->name),
                                   .demangled = RowsDemangledName(self->feed.stage, id->name) };
        }
    }
}

static void judge(Placing *placing, const Iterations *steps, Rows *rows, LateStart *starts,
                  LateScore *scores)
{
    const Stragglers *self = placing->self;
    const uint32_t chosen = choose_collective(placing, steps, starts);

    if (chosen == UINT32_MAX) {
        return;
    }
    for (size_t r = 0; r < self->rank_count; r++) {
        scores[r].rank = r;
    }
    for (size_t s = 0; s < steps->count; s++) {
        const size_t count = list_starts(placing, steps, chosen, steps->numbers[s], starts);

        LateStartsScore(starts, count, self->candidates, self->noise_ns / steps->mean_ns, scores);
    }
    put_scores(self, rows, scores, chosen, steps->mean_ns);
}

static OpprofStatus put_rows(Stragglers *self, const Iterations *steps)
{
    Rows rows = { .stage = self->feed.stage };
    Placing placing = { .self = self };
    LateStart *starts = calloc(self->rank_count + 1, sizeof *starts);
    LateScore *scores = calloc(self->rank_count + 1, sizeof *scores);
    OpprofStatus status =
        starts == NULL || scores == NULL ? OPPROF_E_MEMORY : place_calls(&placing);

    if (status == OPPROF_OK) {
        judge(&placing, steps, &rows, starts, scores);
    }
    OpprofLargeArrayFinish(&placing.room);
    free(starts);
    free(scores);
    return status == OPPROF_OK ? RowsEnd(&rows) : status;
}

static OpprofStatus put_all(void *context)
{
    Stragglers *self = context;
    Iterations steps = { .count = 0 };
    OpprofStatus status = collect_steps(self, &steps);

    if (status == OPPROF_OK && self->rank_count > 1 && steps.count > 0) {
        status = measure_steps(self, &steps);
        status = status == OPPROF_OK ? put_rows(self, &steps) : status;
    }
    OpprofMapFinish(&steps.places);
    ItemMapFree(&steps.recordings);
    free(steps.numbers);
    return status;
}

static OpprofStatus configure(void *context, const OpprofParams *params)
{
    Stragglers *self = context;

    self->candidates = (size_t) OpprofParamsInt(params, "candidates");
    self->min_duration = OpprofParamsDouble(params, "min_duration");
    self->noise_ns = (double) OpprofParamsInt(params, "noise");
    return OPPROF_OK;
}

static void finish(void *context)
{
    Stragglers *self = context;

    ItemMapFree(&self->kernels);
    ItemMapFree(&self->collectives);
    ItemMapFree(&self->iterations);
    OpprofMapFinish(&self->places);
    ItemMapFree(&self->meetings);
    RankRowsFinish(&self->steps);
    RankRowsFinish(&self->calls);
    free(self->ranks);
}

static const FeedPart parts[] = {
    [PART_STEPS] = { .size = sizeof(StepPart), .table = FEED_PORTS, .accept = accept_step },
    [PART_CALLS] = { .size = sizeof(CallPart), .table = FEED_PORTS, .accept = accept_call },
};

static const FeedOps feed_ops = {
    .size = sizeof(Stragglers),
    .state_size = sizeof(RankCalls),
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

static const OpprofField step_fields[] = {
    OPPROF_FIELD(StepPart, name, OPPROF_FIELD_STRING, .meaning = "Iteration, as the host names it.",
                 .absent = "the record only says that there is the rank"),
    FEED_NS(StepPart, start_ns, "Its start on the rank's clock."),
    FEED_NS(StepPart, last_ns, "Latest end of all that was launched in it."),
};

static const OpprofField call_fields[] = {
    OPPROF_FIELD(CallPart, group, OPPROF_FIELD_STRING, .meaning = "Process group.",
                 .absent = "the trace does not say"),
    FEED_FIELD(CallPart, stream, STRING, "Stream where the kernel was seen first."),
    FEED_FIELD(CallPart, kernel, STRING, "Its name."),
    FEED_FIELD(CallPart, collective, STRING, "Kind of the collective, or the kernel's name."),
    FEED_FIELD(CallPart, step, STRING, "Iteration in which it was launched."),
    FEED_FIELD(CallPart, call, U32, "Which of the kernel's calls in the iteration it is, from 0."),
    FEED_NS(CallPart, duration_ns, "Duration."),
};

static const OpprofRecordType step_part_type =
    FEED_TYPE(StepPart, "trace.rank-iterations", "An iteration of a rank.", step_fields);
static const OpprofRecordType call_part_type =
    FEED_TYPE(CallPart, "trace.rank-calls", "A call of a collective in an iteration.", call_fields);

#define PARTIALS                                                                                   \
    FEED_PARTIAL("steps-partial", "trace.rank-iterations", step_part_type,                         \
                 "The iterations of each rank."),                                                  \
        FEED_PARTIAL("calls-partial", "trace.rank-calls", call_part_type,                          \
                     "Each rank's calls of collectives in iterations.")

static const OpprofPort inputs[] = { FEED_INPUT, PARTIALS };

static const OpprofPort outputs[] = {
    { .name = "stragglers",
      .record_type = &straggler_type,
      .summary = "One row per rank, if several ranks communicate." },
    PARTIALS,
};

static const OpprofParam params[] = {
    FEED_PARAMS,
    { .name = "candidates",
      .type = OPPROF_PARAM_INT,
      .default_value = "2",
      .min = 1,
      .max = 1000000,
      .summary = "Number of ranks that may be late in an iteration, and stragglers in the end." },
    { .name = "noise",
      .type = OPPROF_PARAM_DURATION,
      .default_value = "10us",
      .summary = "Ranks that arrive within this time count as simultaneous." },
    { .name = "min_duration",
      .type = OPPROF_PARAM_DOUBLE,
      .default_value = "0.01",
      .min = 0,
      .max = 1,
      .summary = "Communication that is shorter than this part of a mean iteration in all ranks is "
                 "ignored." },
};

FEED_DEFINE_SPANS(feed_ops, inputs, outputs, params, .name = "trace-stragglers",
                  .summary = "Shows which ranks come late to communication.",
                  .help = "Needs iterations, and collectives that end together in all ranks.");
