/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace-host: the calls of the host, and what it did while its devices had nothing to do.
 * Tested by tests/plugins/analyse-trace/test_host.
 */
#include "analyse-trace/common/collectives.h"
#include "analyse-trace/host/host_rows.h"
#include "analyse-trace/host/step_spread.h"

#include <opprof/records/activity.h>

#define OUTPUT_SPREAD TABLES /* after those with rows of ranks */
_Static_assert(TABLES <= FEED_PORTS, "all tables have rows of ranks");

static const char *const kind_words[HOST_KINDS] = {
    [HOST_OUTSIDE] = "outside of operators",
    [HOST_OPERATOR] = "operator",
    [HOST_ANNOTATION] = "annotation",
    [HOST_FRAME] = "frame",
    [HOST_LAUNCH] = "launch",
    [HOST_COPY] = "copy",
    [HOST_SYNCHRONISE] = "synchronise",
    [HOST_ALLOCATE] = "allocate",
    [HOST_OTHER_CALL] = "other call",
    [HOST_LAUNCHED] = "launched before",
    [HOST_UNKNOWN] = "unknown launch",
};

typedef struct Host {
    Feed feed;            /* first: see FeedCreate */
    uint32_t operator_id; /* of elements of the path */
    uint32_t annotation_id;
    uint32_t frame_id;
    uint32_t call_id;
    uint32_t work_id;
    uint32_t class_ids[HOST_OTHER_WORK]; /* of work */
    HostRows rows;
    uint32_t rank;       /* interned name of the one whose iterations come */
    uint32_t rank_steps; /* of it */
    uint32_t most_steps; /* of a rank */
    size_t steps;        /* of all ranks */
} Host;

/* ---- collecting ---- */

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

/* Operators whose names show a cause are followed as annotations are. */
static bool begin_operator(Host *self, HostRank *rank, const OpprofPathEvent *event)
{
    uint32_t cause;

    return HostCausesFind(&self->rows.causes, self->feed.stage, event->name, &cause) &&
           HostRankBegin(rank, event, HOST_OPERATOR, cause != OPPROF_NA_STRING);
}

static bool add(Host *self, HostRank *rank, const OpprofPathEvent *event)
{
    const Rows rows = { .stage = self->feed.stage };

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
        return HostRankBegin(rank, event, kind_of_call(event->flags), false);
    }
    if (event->kind == self->operator_id) {
        return begin_operator(self, rank, event);
    }
    if (event->kind == self->frame_id) {
        return HostRankBegin(rank, event, HOST_FRAME, false);
    }
    return event->kind != self->annotation_id || HostRankBegin(rank, event, HOST_ANNOTATION, true);
}

static OpprofStatus read_batch(void *context, FeedRank *rank, const OpprofBatch *batch)
{
    bool is_good = true;

    for (uint32_t i = 0; is_good && i < batch->count; i++) {
        is_good = add(context, rank->state, OpprofBatchRecord(batch, i));
    }
    return is_good ? OPPROF_OK : OPPROF_E_MEMORY;
}

static OpprofStatus end_rank(void *context, FeedRank *rank)
{
    Host *self = context;

    HostRankEnd(rank->state);
    return HostRowsAdd(&self->rows, rank);
}

/* ---- over ranks ---- */

static OpprofStatus accept_step(void *context, const FeedRank *rank, const void *record)
{
    Host *self = context;

    self->rank_steps = self->rank == rank->name ? self->rank_steps + 1 : 1;
    self->rank = rank->name;
    self->most_steps = self->rank_steps > self->most_steps ? self->rank_steps : self->most_steps;
    self->steps++;
    return FeedAddRow(&self->feed, TABLE_STEPS, rank->name, record, sizeof(StepRow));
}

/* The rows of iterations, on their way into the spread. */
typedef struct Spreading {
    const Host *self;
    StepSpread *spread;
} Spreading;

static OpprofStatus take_step(void *context, void *row)
{
    const Spreading *spreading = context;
    const StepRow *step = row;
    const StepWorkload work = {
        .rank = step->rank,
        .step = step->step,
        .cycle = RankCycle(OpprofStageString(spreading->self->feed.stage, step->rank), NULL),
        .place = (uint32_t) step->place,
        .computation_us = step->computation_us,
        .communication_us = step->communication_us
    };

    return StepSpreadAdd(spreading->spread, &work) ? OPPROF_OK : OPPROF_E_MEMORY;
}

static OpprofStatus put_spread(void *context)
{
    Host *self = context;
    Rows rows = { .stage = self->feed.stage, .port = OUTPUT_SPREAD };
    StepSpread spread;
    const Spreading spreading = { .self = self, .spread = &spread };
    bool has_more = true;
    OpprofStatus status = OPPROF_OK;

    StepSpreadBegin(&spread, self->steps, self->most_steps);
    while (status == OPPROF_OK && has_more) {
        status = RankRowsVisit(&self->feed.rows[TABLE_STEPS], self->feed.stage, take_step,
                               (void *) (uintptr_t) &spreading, self->feed.error);
        if (status == OPPROF_OK) {
            StepSpreadPut(&spread, &rows, &has_more);
            status = rows.status;
        }
    }
    StepSpreadFinish(&spread);
    return status == OPPROF_OK ? RowsEnd(&rows) : status;
}

/* ---- module ---- */

static OpprofStatus configure(void *context, const OpprofParams *params)
{
    Host *self = context;

    self->rows.feed = &self->feed;
    self->rows.top = (uint32_t) OpprofParamsInt(params, "top");
    return HostCausesLoad(&self->rows.causes, OpprofParamsString(params, "causes"),
                          self->feed.error);
}

static OpprofStatus start(void *context)
{
    Host *self = context;
    const Feed *feed = &self->feed;
    bool is_good =
        FeedIntern(feed, OPPROF_PATH_OPERATOR, &self->operator_id) &&
        FeedIntern(feed, OPPROF_PATH_ANNOTATION, &self->annotation_id) &&
        FeedIntern(feed, OPPROF_PATH_FRAME, &self->frame_id) &&
        FeedIntern(feed, OPPROF_PATH_CALL, &self->call_id) &&
        FeedIntern(feed, OPPROF_PATH_WORK, &self->work_id) &&
        FeedIntern(feed, "no operator", &self->rows.nothing_id) &&
        FeedIntern(feed, OPPROF_ACTIVITY_COMPUTATION, &self->class_ids[HOST_COMPUTATION]) &&
        FeedIntern(feed, OPPROF_ACTIVITY_COMMUNICATION, &self->class_ids[HOST_COMMUNICATION]);

    for (int kind = 0; is_good && kind < HOST_KINDS; kind++) {
        is_good = FeedIntern(feed, kind_words[kind], &self->rows.kind_ids[kind]);
    }
    return is_good ? OPPROF_OK : OPPROF_E_MEMORY;
}

static void finish(void *context)
{
    Host *self = context;

    HostCausesFinish(&self->rows.causes);
}

static void free_state(void *state)
{
    HostRankFinish(state);
}

static const FeedPart parts[TABLES] = {
    [TABLE_IDLE] = { .size = sizeof(IdleRow), .table = TABLE_IDLE },
    [TABLE_ACTIVITIES] = { .size = sizeof(ActivityRow), .table = TABLE_ACTIVITIES },
    [TABLE_CALLS] = { .size = sizeof(CallRow), .table = TABLE_CALLS },
    [TABLE_SITES] = { .size = sizeof(CallRow), .table = TABLE_SITES },
    [TABLE_STEPS] = { .size = sizeof(StepRow), .table = FEED_PORTS, .accept = accept_step },
    [TABLE_ANNOTATIONS] = { .size = sizeof(AnnotationRow), .table = TABLE_ANNOTATIONS },
};

static const FeedOps feed_ops = {
    .size = sizeof(Host),
    .state_size = sizeof(HostRank),
    .configure = configure,
    .start = start,
    .read = read_batch,
    .end_rank = end_rank,
    .put = put_spread,
    .finish = finish,
    .free_state = free_state,
    .parts = parts,
    .part_count = TABLES,
    .first_part = OUTPUT_SPREAD + 1,
};

#define PARTIALS                                                                                   \
    FEED_ROWS("idle-partial", "trace.host-idle", host_table_types[TABLE_IDLE]),                    \
        FEED_ROWS("activities-partial", "trace.host-activities",                                   \
                  host_table_types[TABLE_ACTIVITIES]),                                             \
        FEED_ROWS("calls-partial", "trace.host-calls", host_table_types[TABLE_CALLS]),             \
        FEED_ROWS("sites-partial", "trace.host-call-sites", host_table_types[TABLE_SITES]),        \
        FEED_ROWS("steps-partial", "trace.step-idle", host_table_types[TABLE_STEPS]),              \
        FEED_ROWS("annotations-partial", "trace.annotation-steps",                                 \
                  host_table_types[TABLE_ANNOTATIONS])

static const OpprofPort inputs[] = {
    FEED_PATH_INPUT,
    PARTIALS,
};

static const OpprofPort outputs[] = {
    [TABLE_IDLE] = { .name = "idle",
                     .record_type = &host_table_types[TABLE_IDLE],
                     .summary = "One row per device and what the host did while it was idle, the "
                                "most first." },
    [TABLE_ACTIVITIES] = { .name = "activities",
                           .record_type = &host_table_types[TABLE_ACTIVITIES],
                           .summary = "The same in short: one row per rank and name." },
    [TABLE_CALLS] = { .name = "calls",
                      .record_type = &host_table_types[TABLE_CALLS],
                      .summary = "One row per rank and name of calls, the most time first." },
    [TABLE_SITES] = { .name = "sites",
                      .record_type = &host_table_types[TABLE_SITES],
                      .summary = "The same by operator and annotation, for calls that "
                                 "synchronise, copy or allocate." },
    [TABLE_STEPS] = { .name = "steps",
                      .record_type = &host_table_types[TABLE_STEPS],
                      .summary = "One row per rank and iteration: work, idle time and its cause." },
    [TABLE_ANNOTATIONS] = { .name = "annotations",
                            .record_type = &host_table_types[TABLE_ANNOTATIONS],
                            .summary = "One row per rank, annotation and iteration." },
    [OUTPUT_SPREAD] = { .name = "spread",
                        .record_type = &step_spread_type,
                        .summary = "One row per iteration that several ranks have." },
    PARTIALS,
};

static const OpprofParam params[] = {
    FEED_PARAM_TOP(1, "100", "Rows of a device or rank in a table."),
    { .name = "causes",
      .type = OPPROF_PARAM_PATH,
      .summary = "Parts of names that show why the host is busy, in the form of "
                 "host_causes.json; empty: that file." },
};

FEED_DEFINE(feed_ops, inputs, outputs, .params = params, .param_count = OPPROF_COUNT(params),
            .name = "trace-host",
            .summary = "Shows the host's calls, and what it did while devices had nothing to do.",
            .help = "The host is the cause of idle time if it launched the next work only after "
                    "the device had become idle. Keeps what is open, sums by name, and 80 bytes "
                    "per iteration until the rank ends.");
