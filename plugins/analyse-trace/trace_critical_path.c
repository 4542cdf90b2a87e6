/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace-critical-path: the longest way through what a rank did, and through what all ranks did; its
 * parts, and what would be gained if a part were shorter.
 * Tested by tests/plugins/analyse-trace/test_critical_path.
 */
#include "analyse-trace/common/feed.h"
#include "analyse-trace/path/path_draw.h"
#include "analyse-trace/path/path_events.h"
#include "analyse-trace/path/path_writer.h"

#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/log.h>
#include <opprof/plugin.h>
#include <opprof/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALL_RANKS "all"

typedef struct CriticalPath {
    OpprofStage *stage;
    PathEvents events;
    PathWriter writer;
    uint32_t all_id;
    PathRanks all;
    uint64_t most_spans; /* kept for the path through all ranks */
    uint64_t spans;      /* of all ranks */
    double hz;           /* of the first rank's clock */
    bool has_two_clocks;
    RankPath **ranks;
    size_t rank_count;
    size_t rank_capacity;
    Path first; /* of the first rank, if it communicates: with whom shows later */
    bool has_first;
    bool lacks_waits;     /* some rank so far does not record who waited for whom */
    bool is_loose;        /* some rank waits for others without a collective that shows it */
    bool has_circle;      /* moments of some rank wait for each other */
    uint64_t outside;     /* ranks of which nothing is in the window */
    uint32_t outside_one; /* the first of them */
} CriticalPath;

/* ---- one rank ---- */

static RankPath *find_rank(CriticalPath *self, const OpprofBatch *batch)
{
    RankPath *rank;

    for (size_t i = self->rank_count; i > 0; i--) {
        if (self->ranks[i - 1]->name == batch->partition) {
            return self->ranks[i - 1];
        }
    }
    if (!OpprofGrow(&self->ranks, &self->rank_capacity, self->rank_count + 1, sizeof(RankPath *))) {
        return NULL;
    }
    rank = calloc(1, sizeof *rank);
    if (rank != NULL) {
        rank->name = batch->partition;
        rank->clock = batch->clock;
        self->ranks[self->rank_count++] = rank;
    }
    return rank;
}

/* The line that the path is drawn on; OPPROF_NA_U32: the rank's document is unknown. */
static uint32_t declare_track(const CriticalPath *self, const RankPath *rank)
{
    const OpprofTrack *work =
        rank->input.work.count == 0
            ? NULL
            : OpprofStageTrackInfo(self->stage, rank->input.work.list[0].lane);
    char process[160];

    if (work == NULL) {
        return OPPROF_NA_U32;
    }
    snprintf(process, sizeof process, "rank %s critical path",
             OpprofStageString(self->stage, rank->name));
    return OpprofStageTrack(self->stage, &(OpprofTrack){ .document = work->document,
                                                         .process = process,
                                                         .thread = "critical path",
                                                         .process_sort = work->process_sort,
                                                         .thread_sort = -1,
                                                         .flags = OPPROF_TRACK_LABELS });
}

/* The parts of a rank's path. What a rank that communicates would gain depends on the others. */
static OpprofStatus put_parts(CriticalPath *self, Path *path, bool communicates)
{
    path->found.has_gains = path->found.has_gains && !(communicates && self->rank_count > 1);
    return PathWriteParts(&self->writer, path);
}

/* The first rank's parts, once it is known whether it is the only one. */
static OpprofStatus put_first(CriticalPath *self)
{
    if (!self->has_first) {
        return OPPROF_OK;
    }
    self->has_first = false;
    return put_parts(self, &self->first, true);
}

/* Counts the moments of a rank, or of all, and what leads from one to another. */
static void report_size(const CriticalPath *self, uint32_t rank, uint32_t moments, uint32_t ties,
                        uint32_t unordered)
{
    OpprofStageCount(self->stage, "moments", moments);
    OpprofStageCount(self->stage, "ties", ties);
    if (unordered > 0) {
        OpprofStageIncomplete(
            self->stage,
            "Rank %s: %" PRIu32
            " moments wait for each other in a circle; the critical path leaves them out",
            OpprofStageString(self->stage, rank), unordered);
    }
}

static void report_losses(const CriticalPath *self, uint32_t rank, const PathLosses *losses)
{
    if (losses->untied > 0) {
        OpprofStageCount(self->stage, "work that nothing is known to precede", losses->untied);
    }
    if (losses->against > 0) {
        OpprofStageWarn(self->stage,
                        "Rank %s: %" PRIu64
                        " %s back in time: left out of the critical path, since the clocks differ",
                        OpprofStageString(self->stage, rank), losses->against,
                        OPPROF_PLURAL(losses->against, "tie between host and device goes",
                                      "ties between host and device go"));
    }
}

/* Names of all spans of a rank, to be freed; NULL without memory. */
static uint32_t *list_names(const PathInput *input)
{
    const uint32_t spans = input->host.count + input->work.count;
    uint32_t *names = reallocarray(NULL, (size_t) spans + 1, sizeof *names);

    for (uint32_t i = 0; names != NULL && i < spans; i++) {
        names[i] = PathInputSpan(input, i)->name;
    }
    return names;
}

/* Collectives in which a rank took part, to be freed; NULL without memory. */
static CollectiveCall *list_calls(const CriticalPath *self, const RankPath *rank,
                                  uint32_t *ret_count)
{
    const uint32_t cycle = RankCycle(OpprofStageString(self->stage, rank->name), NULL);
    CollectiveCall *calls = reallocarray(NULL, (size_t) rank->shared_count + 1, sizeof *calls);

    *ret_count = 0;
    for (uint32_t i = 0; calls != NULL && i < rank->shared_count; i++) {
        const SharedWork *shared = &rank->shared[i];

        if (shared->place != PATH_NONE) {
            calls[(*ret_count)++] =
                (CollectiveCall){ .kind = shared->kind,
                                  .cycle = cycle,
                                  .sequence = shared->sequence,
                                  .repeat = shared->repeat,
                                  .duration_ns = shared->work.end - shared->work.start,
                                  .place = shared->place };
        }
    }
    return calls;
}

/* The path through all ranks can have gains, as far as is known. */
static bool has_all_waits(const CriticalPath *self)
{
    return !self->lacks_waits && !self->is_loose && !self->has_circle;
}

/* Keep a rank for the path through all ranks; graph and names are empty afterwards. False without
 * memory. */
static bool keep_rank(CriticalPath *self, RankPath *rank, uint32_t track, PathGraph *graph,
                      uint32_t **names)
{
    CollectiveCall *calls;
    uint32_t call_count;
    bool is_good;

    self->spans += graph->moment_count / 2;
    if (self->spans > self->most_spans || self->has_two_clocks) {
        PathRanksFinish(&self->all);
        return true;
    }
    calls = list_calls(self, rank, &call_count);
    is_good = calls != NULL && PathRanksAdd(&self->all,
                                            &(PathRank){ .name = rank->name,
                                                         .clock = rank->clock,
                                                         .track = track,
                                                         .steps = rank->steps,
                                                         .with_lengths = has_all_waits(self) },
                                            graph, names, calls, call_count);
    if (is_good) {
        rank->steps = (PathSteps){ .count = 0 };
    }
    free(calls);
    return is_good;
}

static double clock_of(CriticalPath *self, const RankPath *rank)
{
    const OpprofClock *clock = OpprofStageClockInfo(self->stage, rank->clock);
    const double hz = clock == NULL ? 1e9 : (double) clock->hz;

    self->hz = self->hz == 0 ? hz : self->hz;
    self->has_two_clocks |= hz != self->hz;
    return hz;
}

/* The path of a rank whose graph is made. `names`: of its spans. */
static OpprofStatus put_rank_path(CriticalPath *self, const RankPath *rank, const PathGraph *graph,
                                  const uint32_t *names, uint32_t track)
{
    const bool is_first = self->rank_count == 1;
    const bool with_gains = !rank->lacks_waits && (is_first || !rank->communicates) &&
                            graph->ordered == graph->moment_count;
    Path path = { .rank = rank->name, .us_a_tick = 1e6 / clock_of(self, rank) };
    OpprofStatus status = put_first(self);

    if (status == OPPROF_OK && !PathFind(graph, names, with_gains, &path.found)) {
        status = OPPROF_E_MEMORY;
    }
    if (status == OPPROF_OK && is_first && rank->communicates) {
        self->first = path;
        self->first.found.pieces = NULL;
        self->has_first = true;
    } else if (status == OPPROF_OK) {
        status = put_parts(self, &path, rank->communicates);
    }
    status = status == OPPROF_OK ? PathWriteNames(&self->writer, &path) : status;
    if (status == OPPROF_OK) {
        status = PathDraw(
            &self->writer, &path,
            &(PathRank){
                .name = rank->name, .clock = rank->clock, .track = track, .steps = rank->steps });
    }
    PathFoundFinish(&path.found);
    return status;
}

static void note_outside(CriticalPath *self, const RankPath *rank)
{
    if (self->events.window != NULL && rank->input.host.count == 0) {
        self->outside_one = self->outside == 0 ? rank->name : self->outside_one;
        self->outside++;
    }
}

/* The rank is complete. */
static OpprofStatus end_rank(CriticalPath *self, RankPath *rank)
{
    OpprofStatus status = OPPROF_E_MEMORY;
    PathGraph graph = { .moment_count = 0 };
    uint32_t *names = NULL;
    PathLosses losses;

    if (rank->is_over) {
        return OPPROF_OK;
    }
    rank->is_over = true;
    if (RankPathEnd(&self->events, rank) && PathBuild(&rank->input, &graph, &losses) &&
        (names = list_names(&rank->input)) != NULL) {
        const uint32_t track = declare_track(self, rank);
        const uint32_t unordered = graph.moment_count - graph.ordered;

        rank->lacks_waits = losses.lacks_waits;
        self->lacks_waits |= rank->lacks_waits;
        self->is_loose |= rank->is_loose;
        self->has_circle |= unordered > 0;
        note_outside(self, rank);
        RankPathPlace(rank);
        PathInputFinish(&rank->input);
        report_size(self, rank->name, graph.moment_count, graph.edge_count, unordered);
        report_losses(self, rank->name, &losses);
        status = put_rank_path(self, rank, &graph, names, track);
        if (status == OPPROF_OK && !keep_rank(self, rank, track, &graph, &names)) {
            status = OPPROF_E_MEMORY;
        }
    }
    PathGraphFinish(&graph);
    free(names);
    RankPathFinish(rank);
    return status;
}

static OpprofStatus fail(OpprofStatus status, OpprofError **error)
{
    return OpprofErrorExplain(error, status, "Cannot compute the critical path");
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    CriticalPath *self = context;
    RankPath *rank = find_rank(self, batch);

    (void) port;
    for (uint32_t i = 0; rank != NULL && i < batch->count; i++) {
        if (!PathEventsAdd(&self->events, rank, OpprofBatchRecord(batch, i))) {
            rank = NULL;
        }
    }
    if (rank == NULL) {
        return fail(OPPROF_E_MEMORY, error);
    }
    return batch->watermark == UINT64_MAX ? fail(end_rank(self, rank), error) : OPPROF_OK;
}

/* ---- all ranks ---- */

static void sum_ranks(const Path *path, RankSum *sums)
{
    uint32_t before = UINT32_MAX;

    for (uint32_t i = 0; i < path->found.count; i++) {
        const PathPiece *piece = &path->found.pieces[i];

        sums[piece->rank].entered += before != UINT32_MAX && before != piece->rank;
        before = piece->rank;
        if (piece->part != PATH_WAIT) {
            sums[piece->rank].sum.ticks += piece->ticks;
            sums[piece->rank].sum.count++;
        }
    }
}

static OpprofStatus put_across(CriticalPath *self, const Path *path)
{
    RankSum *sums = calloc((size_t) self->all.rank_count + 1, sizeof *sums);
    OpprofStatus status = OPPROF_E_MEMORY;

    if (sums != NULL) {
        sum_ranks(path, sums);
        status = PathWriteParts(&self->writer, path);
    }
    status = status == OPPROF_OK ? PathWriteNames(&self->writer, path) : status;
    if (status == OPPROF_OK) {
        status = PathWriteRanks(&self->writer, path, &self->all, sums);
    }
    free(sums);
    return status;
}

/* A window that is misspelt would leave everything out. */
static void report_outside(const CriticalPath *self)
{
    if (self->outside > 0) {
        OpprofStageIncomplete(self->stage,
                              "Ranks without a critical path: %" PRIu64
                              " of %zu. In rank '%s' the host begins nothing in annotations or "
                              "iterations that have '%s' in their name",
                              self->outside, self->rank_count,
                              OpprofStageString(self->stage, self->outside_one),
                              self->events.window);
    }
}

static void warn_why_none(const CriticalPath *self)
{
    if (self->rank_count > 1 && self->spans > self->most_spans) {
        OpprofStageWarn(self->stage,
                        "No critical path through all ranks: they have %" PRIu64
                        " operators, calls and pieces of work, more than the %" PRIu64
                        " of parameter 'most_spans'",
                        self->spans, self->most_spans);
    } else if (self->rank_count > 1 && self->has_two_clocks) {
        OpprofStageWarn(self->stage,
                        "No critical path through all ranks: their clocks have different ticks");
    }
}

/* The path through all ranks, if some of them wait for each other. */
static OpprofStatus end_all(CriticalPath *self)
{
    Path path = { .rank = self->all_id, .us_a_tick = 1e6 / self->hz };
    OpprofStatus status = OPPROF_OK;
    PathJoined joined;

    if (self->all.rank_count < 2) {
        warn_why_none(self);
        return OPPROF_OK;
    }
    if (!PathRanksJoin(&self->all, &joined)) {
        return OPPROF_E_MEMORY;
    }
    OpprofStageCount(self->stage, "ranks waiting for others", joined.ties);
    if (joined.ties > 0) {
        const bool with_gains = has_all_waits(self) && joined.unordered == 0;

        report_size(self, self->all_id, self->all.net.node_count, self->all.net.link_count,
                    joined.unordered);
        status = PathRanksFind(&self->all, with_gains, &path.found) ? put_across(self, &path)
                                                                    : OPPROF_E_MEMORY;
    }
    PathFoundFinish(&path.found);
    PathRanksFinish(&self->all);
    return status;
}

/* ---- end ---- */

static OpprofStatus flush(void *context, OpprofError **error)
{
    CriticalPath *self = context;
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; status == OPPROF_OK && i < self->rank_count; i++) {
        status = end_rank(self, self->ranks[i]);
    }
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Followed critical paths: ranks=%zu",
              self->rank_count);
    report_outside(self);
    status = status == OPPROF_OK ? put_first(self) : status;
    status = status == OPPROF_OK ? end_all(self) : status;
    return fail(status, error);
}

/* ---- module ---- */

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    CriticalPath *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return OpprofErrorNoMemory(error, "create the analysis");
    }
    self->stage = self->events.stage = self->writer.stage = stage;
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    CriticalPath *self = context;
    const char *window = OpprofParamsString(params, "window");

    (void) error;
    self->events.params = params;
    self->events.window = window == NULL || window[0] == '\0' ? NULL : window;
    self->writer.top = (size_t) OpprofParamsInt(params, "top");
    self->most_spans = (uint64_t) OpprofParamsInt(params, "most_spans");
    return OPPROF_OK;
}

static OpprofStatus start(void *context, OpprofError **error)
{
    CriticalPath *self = context;

    self->all_id = OpprofStageIntern(self->stage, ALL_RANKS, strlen(ALL_RANKS));
    self->all.directory = OpprofStageOutput(self->stage);
    return self->all_id != OPPROF_NA_STRING && PathEventsStart(&self->events) &&
                   PathWriterStart(&self->writer)
               ? OPPROF_OK
               : OpprofErrorNoMemory(error, "start the analysis");
}

static void destroy(void *context)
{
    CriticalPath *self = context;

    for (size_t i = 0; i < self->rank_count; i++) {
        RankPathFinish(self->ranks[i]);
        free(self->ranks[i]);
    }
    free(self->ranks);
    PathEventsFinish(&self->events);
    PathRanksFinish(&self->all);
    free(self);
}

static const OpprofPort inputs[] = {
    FEED_PATH_INPUT,
};

static const OpprofPort outputs[] = {
    [OUTPUT_PARTS] = { .name = "parts",
                       .record_type = &path_part_type,
                       .batch_records = 16, /* of one rank */
                       .summary = "One row per rank and part of its path." },
    [OUTPUT_NAMES] = { .name = "names",
                       .record_type = &path_name_type,
                       .batch_records = 32, /* of one rank */
                       .summary = "One row per rank, part and name, the longest first." },
    [OUTPUT_RANKS] = { .name = "ranks",
                       .record_type = &path_rank_type,
                       .summary = "One row per rank that the path through all ranks visits." },
    [OUTPUT_SPANS] = { .name = "spans",
                       .record_type = &opprof_span_type,
                       .order = OPPROF_ORDER_START,
                       .batch_records = 256,
                       .summary = "The path, drawn beside the rank's timeline." },
    [OUTPUT_ALL_SPANS] = { .name = "all-spans",
                           .record_type = &opprof_span_type,
                           .order = OPPROF_ORDER_START,
                           .batch_records = 256,
                           .summary = "The path through all ranks, drawn beside their timelines." },
};

static const OpprofParam params[] = {
    { .name = "window",
      .type = OPPROF_PARAM_STRING,
      .summary =
          "Use only what the host begins in annotations or iterations that have this text in "
          "their name." },
    { .name = "data_loading",
      .type = OPPROF_PARAM_LIST,
      .default_value = "enumerate(DataLoader)*",
      .summary = "Patterns of the names of operators and annotations that load data." },
    FEED_PARAM_TOP(1, "20", "Names of a rank that get a row."),
    { .name = "most_spans",
      .type = OPPROF_PARAM_INT,
      .default_value = "64000000",
      .min = 0,
      .max = INT32_MAX / 16,
      .summary = "Operators, calls and pieces of work of all ranks together that are kept for the "
                 "path through all ranks, 64 bytes each in a temporary file; if there are more, "
                 "only each rank's own path is computed." },
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
        .name = "trace-critical-path", .version = "1.0", .license = "Apache-2.0",
        .summary = "Finds the longest path through operators, launches, work and waits.",
        .help = "Keeps what a rank did until its end, and less of it until the end of the run for "
                "the path through all ranks; the family's README says how much.",
        .kind = OPPROF_ANALYSIS, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
        .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .params = params,
        .param_count = OPPROF_COUNT(params), .ops = &ops);
