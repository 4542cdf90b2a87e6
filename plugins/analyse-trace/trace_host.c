/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace-host: the calls of the host, and what it did while its devices had nothing to do.
 * Tested by tests/plugins/analyse-trace/test_host.
 */
#include "analyse-trace/common/rank_rows.h"
#include "analyse-trace/host/host_rank.h"

#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/log.h>
#include <opprof/plugin.h>
#include <opprof/records/activity.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_IDLE, TABLE_CALLS, TABLE_SITES, TABLE_STEPS, TABLES };

static const char *const kind_words[HOST_KINDS] = {
    [HOST_OUTSIDE] = "outside of operators",
    [HOST_OPERATOR] = "operator",
    [HOST_ANNOTATION] = "annotation",
    [HOST_LAUNCH] = "launch",
    [HOST_COPY] = "copy",
    [HOST_SYNCHRONISE] = "synchronise",
    [HOST_ALLOCATE] = "allocate",
    [HOST_OTHER_CALL] = "other call",
    [HOST_LAUNCHED] = "launched before",
    [HOST_UNKNOWN] = "unknown launch",
};

typedef struct Host {
    OpprofStage *stage;
    uint32_t top;
    uint32_t kind_ids[HOST_KINDS];
    uint32_t operator_id; /* of elements of the path */
    uint32_t annotation_id;
    uint32_t call_id;
    uint32_t work_id;
    uint32_t class_ids[HOST_OTHER_WORK]; /* of work */
    HostRank **ranks;                    /* that are not over, in order of appearance */
    size_t rank_count;
    size_t rank_capacity;
    RankRows rows[TABLES];
    uint64_t elements; /* of all ranks so far */
} Host;

/* ---- tables ---- */

typedef struct IdleRow {
    uint32_t rank;
    uint32_t device;
    uint32_t what;
    uint32_t kind;
    uint32_t around_operator;
    uint32_t around_annotation;
    uint32_t inner_operator;
    uint32_t step;
    double idle_us;
    uint64_t count;
    double longest_us;
    double longest_start_us;
} IdleRow;

typedef struct CallRow {
    uint32_t rank;
    uint32_t name;
    uint32_t kind;
    uint32_t around_operator;
    uint32_t around_annotation;
    uint32_t inner_operator;
    uint64_t count;
    double total_us;
    double mean_us;
    double max_us;
    double idle_us;
    double after_us;
} CallRow;

typedef struct StepRow {
    uint32_t rank;
    uint32_t step;
    uint64_t place;
    double time_us;
    uint64_t kernels;
    double computation_us;
    double communication_us;
    double idle_us;
    uint32_t what;
    uint32_t kind;
    uint32_t around_operator;
    uint32_t around_annotation;
    uint32_t inner_operator;
    uint32_t reserved;
    double what_us;
} StepRow;

#define HOST_TEXT(type, member, head, more, text, why)                                             \
    OPPROF_FIELD(type, member, OPPROF_FIELD_STRING, .heading = (head), .flags = (more),            \
                 .meaning = (text), .absent = (why))
#define HOST_TIME(type, member, head, more, text)                                                  \
    OPPROF_FIELD(type, member, OPPROF_FIELD_F64, .unit = "us", .heading = (head), .decimals = 4,   \
                 .flags = (more), .meaning = (text))
#define HOST_RANK(type)                                                                            \
    HOST_TEXT(type, rank, "rank", OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER, "Rank.", NULL)
#define HOST_AROUND(type, more)                                                                    \
    HOST_TEXT(type, around_operator, "operator", (more), "Outermost operator around it.",          \
              "there is none"),                                                                    \
        HOST_TEXT(type, around_annotation, "annotation", (more),                                   \
                  "Innermost annotation around it that is not an iteration.", "there is none"),    \
        HOST_TEXT(type, inner_operator, "inner_operator", (more), "Innermost operator around it.", \
                  "there is none")
#define HOST_WHAT                                                                                  \
    "What the thread that launched the next work did: the innermost operator, annotation or call."
#define HOST_KIND_OF_IDLE                                                                          \
    "operator, annotation, or the kind of the call (launch, copy, synchronise, allocate, other "   \
    "call); outside of operators; launched before: the next work was launched before the device "  \
    "became idle; unknown launch: what launched it is not known."

static const OpprofField idle_fields[] = {
    HOST_RANK(IdleRow),
    HOST_TEXT(IdleRow, device, "device", OPPROF_FIELD_KEY, "Device that had nothing to do.", NULL),
    HOST_TEXT(IdleRow, what, "what", OPPROF_FIELD_KEY, HOST_WHAT, "nothing is known"),
    HOST_TEXT(IdleRow, kind, "kind", OPPROF_FIELD_KEY, HOST_KIND_OF_IDLE, NULL),
    HOST_AROUND(IdleRow, OPPROF_FIELD_KEY),
    HOST_TIME(IdleRow, idle_us, "idle(us)", OPPROF_FIELD_WEIGHT,
              "Time between its work in which the host did that."),
    OPPROF_FIELD(IdleRow, count, OPPROF_FIELD_U64, .unit = "1", .heading = "count",
                 .meaning = "Stretches of idle time that have a part of it."),
    HOST_TIME(IdleRow, longest_us, "longest(us)", OPPROF_FIELD_ALONE,
              "Largest part in one stretch."),
    HOST_TIME(IdleRow, longest_start_us, "longest_start(us)", OPPROF_FIELD_MOMENT,
              "Start of that stretch since the first rank's earliest time."),
    HOST_TEXT(IdleRow, step, "step", 0, "Iteration in which that stretch began.", "it is in none"),
};

#define CALL_NUMBERS                                                                               \
    OPPROF_FIELD(CallRow, count, OPPROF_FIELD_U64, .unit = "1", .heading = "count",                \
                 .meaning = "Calls."),                                                             \
        HOST_TIME(CallRow, total_us, "total(us)", OPPROF_FIELD_ALONE, "Time of all calls."),       \
        HOST_TIME(CallRow, mean_us, "mean(us)", OPPROF_FIELD_ALONE, "Mean time of a call."),       \
        HOST_TIME(CallRow, max_us, "max(us)", OPPROF_FIELD_ALONE, "Time of the longest call."),    \
        HOST_TIME(CallRow, idle_us, "idle(us)", OPPROF_FIELD_ALONE,                                \
                  "Time of devices without work that passed in these calls, on the thread that "   \
                  "launched the next work."),                                                      \
        HOST_TIME(CallRow, after_us, "idle_after(us)", OPPROF_FIELD_ALONE,                         \
                  "Time of devices without work that began within such a call, until the next "    \
                  "work: the device had run dry while the host was in the call.")
#define CALL_NAME                                                                                  \
    HOST_RANK(CallRow), HOST_TEXT(CallRow, name, "name", OPPROF_FIELD_KEY, "Name.", NULL),         \
        HOST_TEXT(CallRow, kind, "kind", 0,                                                        \
                  "launch, copy (or fill), synchronise, allocate (or free), other call.", NULL)

static const OpprofField call_fields[] = { CALL_NAME, CALL_NUMBERS };
static const OpprofField site_fields[] = { CALL_NAME, HOST_AROUND(CallRow, OPPROF_FIELD_KEY),
                                           CALL_NUMBERS };

static const OpprofField step_fields[] = {
    HOST_RANK(StepRow),
    HOST_TEXT(StepRow, step, "step", OPPROF_FIELD_KEY, "Name of the iteration.", NULL),
    OPPROF_FIELD(StepRow, place, OPPROF_FIELD_U64, .unit = "1", .heading = "place",
                 .flags = OPPROF_FIELD_PLACE, .meaning = "Number of the iteration of the rank."),
    HOST_TIME(StepRow, time_us, "time(us)", OPPROF_FIELD_ALONE, "Duration of the iteration."),
    OPPROF_FIELD(StepRow, kernels, OPPROF_FIELD_U64, .unit = "1", .heading = "kernels",
                 .meaning = "Pieces of work launched in it."),
    HOST_TIME(StepRow, computation_us, "computation(us)", OPPROF_FIELD_ALONE,
              "Computation launched in it, durations added up."),
    HOST_TIME(StepRow, communication_us, "communication(us)", OPPROF_FIELD_ALONE,
              "The same for communication, with its waiting."),
    HOST_TIME(StepRow, idle_us, "idle(us)", OPPROF_FIELD_ALONE,
              "Idle time of devices that began in it."),
    HOST_TEXT(StepRow, what, "what", 0, HOST_WHAT, "nothing is known, or nothing was idle"),
    HOST_TEXT(StepRow, kind, "kind", 0, HOST_KIND_OF_IDLE, "nothing was idle"),
    HOST_AROUND(StepRow, 0),
    HOST_TIME(StepRow, what_us, "what(us)", OPPROF_FIELD_ALONE,
              "Part of the idle time that this has, the most."),
};

#define HOST_TABLE(type_name, text, Row, list, heading, file)                                      \
    {                                                                                              \
        .struct_size = sizeof(OpprofRecordType), .version = 1, .name = (type_name),                \
        .summary = (text), .size = sizeof(Row), .flags = OPPROF_RECORD_TABLE, .fields = (list),    \
        .field_count = OPPROF_COUNT(list), .title = (heading), .file_hint = (file)                 \
    }

static const OpprofRecordType table_types[TABLES] = {
    [TABLE_IDLE] =
        HOST_TABLE("trace.host-idle", "What the host did while a device had nothing to do.",
                   IdleRow, idle_fields, "Host while idle", "host_idle"),
    [TABLE_CALLS] = HOST_TABLE("trace.host-calls", "Calls of the host into the device's library.",
                               CallRow, call_fields, "Runtime calls of the host", "host_calls"),
    [TABLE_SITES] =
        HOST_TABLE("trace.host-call-sites",
                   "Calls that synchronise, copy or allocate, by what is around them.", CallRow,
                   site_fields, "Runtime calls of the host by place", "host_call_sites"),
    [TABLE_STEPS] = HOST_TABLE("trace.step-idle",
                               "What was launched in an iteration, and why devices were idle.",
                               StepRow, step_fields, "Host while idle by iteration", "step_idle"),
};

/* ---- collecting ---- */

static HostRank *find_rank(Host *self, const OpprofBatch *batch)
{
    const OpprofClock *clock = OpprofStageClockInfo(self->stage, batch->clock);
    HostRank *rank;

    for (size_t i = self->rank_count; i > 0; i--) {
        if (self->ranks[i - 1]->name == batch->partition) {
            return self->ranks[i - 1];
        }
    }
    if (!OpprofGrow(&self->ranks, &self->rank_capacity, self->rank_count + 1, sizeof(HostRank *))) {
        return NULL;
    }
    rank = calloc(1, sizeof *rank);
    if (rank != NULL) {
        rank->name = batch->partition;
        rank->clock = batch->clock;
        rank->us_a_tick = clock == NULL ? 1e-3 : 1e6 / (double) clock->hz;
        self->ranks[self->rank_count++] = rank;
    }
    return rank;
}

static HostKind kind_of_call(uint32_t flags)
{
    const uint32_t waits = OPPROF_PATH_BLOCKS | OPPROF_PATH_WAITS_ALL | OPPROF_PATH_WAITS_SOME;

    if ((flags & OPPROF_PATH_COPIES) != 0) {
        return HOST_COPY;
    }
    if ((flags & OPPROF_PATH_ALLOCATES) != 0) {
        return HOST_ALLOCATE;
    }
    if ((flags & waits) != 0) {
        return HOST_SYNCHRONISE;
    }
    return (flags & OPPROF_PATH_ENQUEUES) != 0 ? HOST_LAUNCH : HOST_OTHER_CALL;
}

static bool add(const Host *self, HostRank *rank, const OpprofPathEvent *event)
{
    const Rows rows = { .stage = self->stage };

    if (event->start + event->duration < event->start) {
        return true; /* beyond the largest time */
    }
    if (event->kind == self->work_id) {
        const uint32_t device = RowsDevice(&rows, event->lane);

        return device != OPPROF_NA_STRING &&
               HostRankWork(
                   rank, event, device,
                   event->work_class == self->class_ids[HOST_COMPUTATION]     ? HOST_COMPUTATION
                   : event->work_class == self->class_ids[HOST_COMMUNICATION] ? HOST_COMMUNICATION
                                                                              : HOST_OTHER_WORK);
    }
    if (event->kind == self->annotation_id && event->thread == OPPROF_NA_U32) {
        return HostRankStep(rank, event);
    }
    if (event->thread == OPPROF_NA_U32 || event->duration == 0) {
        return true;
    }
    if (event->kind == self->call_id) {
        return HostRankBegin(rank, event, kind_of_call(event->flags));
    }
    if (event->kind == self->operator_id) {
        return HostRankBegin(rank, event, HOST_OPERATOR);
    }
    return event->kind != self->annotation_id || HostRankBegin(rank, event, HOST_ANNOTATION);
}

/* ---- rows of a rank ---- */

/* A rank that is over, and where its rows go. */
typedef struct Ending {
    Host *self;
    HostRank *rank;
    double offset_us;
    ItemMap idle; /* ticks by activity, of all devices */
    OpprofError **error;
} Ending;

static OpprofStatus put(const Ending *ending, uint32_t table, const void *row)
{
    return RankRowsAdd(&ending->self->rows[table], ending->self->stage, ending->rank->name, row,
                       table_types[table].size, ending->error);
}

static int compare_idle(const void *a, const void *b, void *context)
{
    const HostIdle *left = *(const HostIdle *const *) a;
    const HostIdle *right = *(const HostIdle *const *) b;

    (void) context;
    if (left->ticks != right->ticks) {
        return left->ticks < right->ticks ? 1 : -1;
    }
    return (left->activity > right->activity) - (left->activity < right->activity);
}

static IdleRow idle_row(const Ending *ending, const HostDevice *device, const HostIdle *idle)
{
    const HostActivity *activity = HostRankActivity(ending->rank, idle->activity);
    const double us = ending->rank->us_a_tick;

    return (IdleRow){ .rank = ending->rank->name,
                      .device = device->name,
                      .what = activity->name,
                      .kind = ending->self->kind_ids[activity->kind],
                      .around_operator = activity->around_operator,
                      .around_annotation = activity->around_annotation,
                      .inner_operator = activity->inner_operator,
                      .step = idle->step,
                      .idle_us = (double) idle->ticks * us,
                      .count = idle->count,
                      .longest_us = (double) idle->longest * us,
                      .longest_start_us = ending->offset_us + (double) idle->longest_start * us };
}

/* The idle time of a device; what is beyond the largest of it has no rows. */
static OpprofStatus put_idle(Ending *ending, const HostDevice *device)
{
    void **list = ItemMapSorted(&device->idle, compare_idle, NULL);
    OpprofStatus status = list == NULL ? OPPROF_E_MEMORY : OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < device->idle.count; i++) {
        const HostIdle *idle = list[i];
        uint64_t *ticks = ItemMapGet(&ending->idle, idle->activity, sizeof *ticks);
        const IdleRow row = idle_row(ending, device, idle);

        if (ticks == NULL) {
            status = OPPROF_E_MEMORY;
            break;
        }
        *ticks += idle->ticks;
        status = i < ending->self->top ? put(ending, TABLE_IDLE, &row) : OPPROF_OK;
    }
    free(list);
    return status;
}

/* Calls of one name, or of one activity. */
typedef struct CallSum {
    HostActivity sum;
    uint64_t idle;
    uint32_t number; /* of the first activity */
} CallSum;

static int compare_calls(const void *a, const void *b, void *context)
{
    const CallSum *left = *(const CallSum *const *) a;
    const CallSum *right = *(const CallSum *const *) b;

    (void) context;
    if (left->sum.total != right->sum.total) {
        return left->sum.total < right->sum.total ? 1 : -1;
    }
    return (left->number > right->number) - (left->number < right->number);
}

static OpprofStatus put_call(const Ending *ending, uint32_t table, const CallSum *call)
{
    const double us = ending->rank->us_a_tick;
    const CallRow row = { .rank = ending->rank->name,
                          .name = call->sum.name,
                          .kind = ending->self->kind_ids[call->sum.kind],
                          .around_operator = call->sum.around_operator,
                          .around_annotation = call->sum.around_annotation,
                          .inner_operator = call->sum.inner_operator,
                          .count = call->sum.count,
                          .total_us = (double) call->sum.total * us,
                          .mean_us = (double) call->sum.total * us / (double) call->sum.count,
                          .max_us = (double) call->sum.longest * us,
                          .idle_us = (double) call->idle * us,
                          .after_us = (double) call->sum.after * us };

    return put(ending, table, &row);
}

static bool is_call(const HostActivity *activity)
{
    return activity->kind >= HOST_LAUNCH && activity->kind <= HOST_OTHER_CALL;
}

static bool is_site(const HostActivity *activity)
{
    return activity->kind >= HOST_COPY && activity->kind <= HOST_ALLOCATE;
}

/* Adds calls up by name, or, for the table of sites, by activity. False without memory. */
static bool add_calls(const Ending *ending, bool by_name, ItemMap *sums)
{
    for (uint32_t i = 0; i < ending->rank->activities.count; i++) {
        const HostActivity *activity = HostRankActivity(ending->rank, i);
        const uint64_t *idle = ItemMapFind(&ending->idle, i);
        CallSum *call;

        if (!(by_name ? is_call(activity) : is_site(activity))) {
            continue;
        }
        call = ItemMapGet(sums, by_name ? activity->name : i, sizeof *call);
        if (call == NULL) {
            return false;
        }
        if (call->sum.count == 0) {
            call->sum = (HostActivity){ .name = activity->name,
                                        .kind = activity->kind,
                                        .around_operator = activity->around_operator,
                                        .around_annotation = activity->around_annotation,
                                        .inner_operator = activity->inner_operator };
            call->number = i;
        }
        call->sum.count += activity->count;
        call->sum.total += activity->total;
        call->sum.after += activity->after;
        call->idle += idle == NULL ? 0 : *idle;
        if (activity->longest > call->sum.longest) {
            call->sum.longest = activity->longest;
        }
    }
    return true;
}

static OpprofStatus put_calls(const Ending *ending, uint32_t table)
{
    ItemMap sums = { .count = 0 };
    void **list = add_calls(ending, table == TABLE_CALLS, &sums)
                      ? ItemMapSorted(&sums, compare_calls, NULL)
                      : NULL;
    OpprofStatus status = list == NULL ? OPPROF_E_MEMORY : OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < sums.count && i < ending->self->top; i++) {
        status = put_call(ending, table, list[i]);
    }
    free(list);
    ItemMapFree(&sums);
    return status;
}

static OpprofStatus put_steps(const Ending *ending)
{
    const double us = ending->rank->us_a_tick;
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < ending->rank->step_count; i++) {
        const HostStep *step = &ending->rank->steps[i];
        StepRow row = { .rank = ending->rank->name,
                        .step = step->name,
                        .place = i,
                        .time_us = (double) (step->end - step->start) * us,
                        .kernels = step->kernels,
                        .computation_us = (double) step->work[HOST_COMPUTATION] * us,
                        .communication_us = (double) step->work[HOST_COMMUNICATION] * us,
                        .idle_us = (double) step->idle * us,
                        .what_us = (double) step->most_ticks * us };

        if (step->most_ticks > 0) {
            const HostActivity *activity = HostRankActivity(ending->rank, step->most);

            row.what = activity->name;
            row.kind = ending->self->kind_ids[activity->kind];
            row.around_operator = activity->around_operator;
            row.around_annotation = activity->around_annotation;
            row.inner_operator = activity->inner_operator;
        }
        status = put(ending, TABLE_STEPS, &row);
    }
    return status;
}

static void forget_rank(Host *self, HostRank *rank)
{
    size_t place = 0;

    while (self->ranks[place] != rank) {
        place++;
    }
    self->rank_count--;
    memmove(self->ranks + place, self->ranks + place + 1,
            (self->rank_count - place) * sizeof(HostRank *));
    HostRankFinish(rank);
    free(rank);
}

/* Its rows are put aside; nothing else of it is kept. */
static OpprofStatus end_rank(Host *self, HostRank *rank, OpprofError **error)
{
    const OpprofClock *clock = OpprofStageClockInfo(self->stage, rank->clock);
    Ending ending = { .self = self,
                      .rank = rank,
                      .offset_us = clock == NULL ? 0 : (double) clock->offset_ps / 1e6,
                      .error = error };
    OpprofStatus status = OPPROF_OK;

    HostRankEnd(rank);
    for (uint32_t i = 0; status == OPPROF_OK && i < rank->devices.count; i++) {
        status = put_idle(&ending, ItemMapAt(&rank->devices, i));
    }
    status = status == OPPROF_OK ? put_calls(&ending, TABLE_CALLS) : status;
    status = status == OPPROF_OK ? put_calls(&ending, TABLE_SITES) : status;
    status = status == OPPROF_OK ? put_steps(&ending) : status;
    ItemMapFree(&ending.idle);
    forget_rank(self, rank);
    return OpprofErrorExplain(error, status, "Cannot add up what the host of a rank did");
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Host *self = context;
    HostRank *rank = find_rank(self, batch);

    (void) port;
    self->elements += batch->count;
    for (uint32_t i = 0; rank != NULL && i < batch->count; i++) {
        if (!add(self, rank, OpprofBatchRecord(batch, i))) {
            rank = NULL;
        }
    }
    if (rank == NULL) {
        return OpprofErrorNoMemory(error, "follow what the host did");
    }
    return batch->watermark == UINT64_MAX ? end_rank(self, rank, error) : OPPROF_OK;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Host *self = context;
    OpprofStatus status = OPPROF_OK;

    while (status == OPPROF_OK && self->rank_count > 0) {
        status = end_rank(self, self->ranks[0], error);
    }
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage),
              "Followed what hosts and devices did: %" PRIu64 " elements", self->elements);
    for (uint32_t table = 0; status == OPPROF_OK && table < TABLES; table++) {
        status = RankRowsPut(&self->rows[table], self->stage, table, error);
    }
    return OpprofErrorExplain(error, status, "Cannot write the tables of the host");
}

/* ---- module ---- */

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Host *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return OpprofErrorNoMemory(error, "create the analysis");
    }
    self->stage = stage;
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    Host *self = context;

    (void) error;
    self->top = (uint32_t) OpprofParamsInt(params, "top");
    return OPPROF_OK;
}

static bool intern(const Host *self, const char *word, uint32_t *ret_id)
{
    *ret_id = OpprofStageIntern(self->stage, word, strlen(word));
    return *ret_id != OPPROF_NA_STRING;
}

static OpprofStatus start(void *context, OpprofError **error)
{
    Host *self = context;
    bool is_good =
        intern(self, OPPROF_PATH_OPERATOR, &self->operator_id) &&
        intern(self, OPPROF_PATH_ANNOTATION, &self->annotation_id) &&
        intern(self, OPPROF_PATH_CALL, &self->call_id) &&
        intern(self, OPPROF_PATH_WORK, &self->work_id) &&
        intern(self, OPPROF_ACTIVITY_COMPUTATION, &self->class_ids[HOST_COMPUTATION]) &&
        intern(self, OPPROF_ACTIVITY_COMMUNICATION, &self->class_ids[HOST_COMMUNICATION]);

    for (int kind = 0; is_good && kind < HOST_KINDS; kind++) {
        is_good = intern(self, kind_words[kind], &self->kind_ids[kind]);
    }
    return is_good ? OPPROF_OK : OpprofErrorNoMemory(error, "start the analysis");
}

static void destroy(void *context)
{
    Host *self = context;

    for (size_t i = 0; i < self->rank_count; i++) {
        HostRankFinish(self->ranks[i]);
        free(self->ranks[i]);
    }
    for (int table = 0; table < TABLES; table++) {
        RankRowsFinish(&self->rows[table]);
    }
    free(self->ranks);
    free(self);
}

static const OpprofPort inputs[] = {
    { .name = "path",
      .type = "host.path",
      .record_type = &opprof_path_event_type,
      .summary = "What hosts and devices did; a partition is a rank." },
};

static const OpprofPort outputs[] = {
    [TABLE_IDLE] = { .name = "idle",
                     .record_type = &table_types[TABLE_IDLE],
                     .summary = "One row per device and what the host did while it was idle, the "
                                "most first." },
    [TABLE_CALLS] = { .name = "calls",
                      .record_type = &table_types[TABLE_CALLS],
                      .summary = "One row per rank and name of calls, the most time first." },
    [TABLE_SITES] = { .name = "sites",
                      .record_type = &table_types[TABLE_SITES],
                      .summary = "The same by operator and annotation, for calls that "
                                 "synchronise, copy or allocate." },
    [TABLE_STEPS] = { .name = "steps",
                      .record_type = &table_types[TABLE_STEPS],
                      .summary = "One row per rank and iteration: work, idle time and its cause." },
};

static const OpprofParam params[] = {
    { .name = "top",
      .type = OPPROF_PARAM_INT,
      .default_value = "100",
      .min = 1,
      .max = 1000000,
      .summary = "Rows of a device or rank in a table." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .configure = configure,
    .start = start,
    .process = process,
    .flush = flush,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(
        .name = "trace-host", .version = "1.0", .license = "Apache-2.0",
        .summary = "Shows the host's calls, and what it did while devices had nothing to do.",
        .help = "The host is the cause of idle time if it launched the next work only after the "
                "device had become idle. Keeps what is open, sums by name, and 80 bytes per "
                "iteration until the rank ends.",
        .kind = OPPROF_ANALYSIS, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
        .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .params = params,
        .param_count = OPPROF_COUNT(params), .ops = &ops);
