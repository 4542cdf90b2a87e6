/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace-host: the calls of the host, and what it did while its devices had nothing to do.
 * Tested by tests/plugins/analyse-trace/test_host.
 */
#include "analyse-trace/common/collectives.h"
#include "analyse-trace/host/host_rows.h"
#include "analyse-trace/host/step_spread.h"

#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/log.h>
#include <opprof/plugin.h>
#include <opprof/records/activity.h>
#include <stdlib.h>
#include <string.h>

#define OUTPUT_SPREAD TABLES /* after those with rows of ranks */

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
    uint32_t operator_id; /* of elements of the path */
    uint32_t annotation_id;
    uint32_t call_id;
    uint32_t work_id;
    uint32_t class_ids[HOST_OTHER_WORK]; /* of work */
    HostRank **ranks;                    /* that are not over, in order of appearance */
    size_t rank_count;
    size_t rank_capacity;
    HostRows rows;
    uint32_t most_steps; /* of a rank */
    size_t steps;        /* of all ranks */
    uint64_t elements;   /* of all ranks so far */
} Host;

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
    OpprofStatus status;

    HostRankEnd(rank);
    status = HostRowsAdd(&self->rows, rank, error);
    self->steps += rank->step_count;
    self->most_steps = rank->step_count > self->most_steps ? rank->step_count : self->most_steps;
    forget_rank(self, rank);
    return status;
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

/* ---- over ranks ---- */

/* The rows of iterations, on their way into the spread. */
typedef struct Spreading {
    const Host *self;
    StepSpread *spread;
} Spreading;

static OpprofStatus take_step(void *context, void *row)
{
    const Spreading *spreading = context;
    const StepRow *step = row;
    const StepWorkload work = { .rank = step->rank,
                                .step = step->step,
                                .cycle = RankCycle(
                                    OpprofStageString(spreading->self->stage, step->rank), NULL),
                                .place = (uint32_t) step->place,
                                .computation_us = step->computation_us,
                                .communication_us = step->communication_us };

    return StepSpreadAdd(spreading->spread, &work) ? OPPROF_OK : OPPROF_E_MEMORY;
}

static OpprofStatus put_spread(Host *self, OpprofError **error)
{
    Rows rows = { .stage = self->stage, .port = OUTPUT_SPREAD };
    StepSpread spread;
    const Spreading spreading = { .self = self, .spread = &spread };
    bool has_more = true;
    OpprofStatus status = OPPROF_OK;

    StepSpreadBegin(&spread, self->steps, self->most_steps);
    while (status == OPPROF_OK && has_more) {
        status = RankRowsVisit(&self->rows.rows[TABLE_STEPS], self->stage, take_step,
                               (void *) (uintptr_t) &spreading, error);
        if (status == OPPROF_OK) {
            StepSpreadPut(&spread, &rows, &has_more);
            status = rows.status;
        }
    }
    StepSpreadFinish(&spread);
    return status == OPPROF_OK ? RowsEnd(&rows) : status;
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
    status = status == OPPROF_OK ? put_spread(self, error) : status;
    for (uint32_t table = 0; status == OPPROF_OK && table < TABLES; table++) {
        status = RankRowsPut(&self->rows.rows[table], self->stage, table, error);
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
    self->stage = self->rows.stage = stage;
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    Host *self = context;

    (void) error;
    self->rows.top = (uint32_t) OpprofParamsInt(params, "top");
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
        is_good = intern(self, kind_words[kind], &self->rows.kind_ids[kind]);
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
    HostRowsFinish(&self->rows);
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
                     .record_type = &host_table_types[TABLE_IDLE],
                     .summary = "One row per device and what the host did while it was idle, the "
                                "most first." },
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
