/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pmu-roofline: how close a launch comes to what the chip can compute and move, and what limits it.
 * Work, traffic and peaks come from the chip file (`metrics.roofline`).
 * Tested by tests/plugins/parse-pmu/test_cases.sh.
 */
#include "cells.h"
#include "launches.h"
#include "roofline_model.h"
#include "storage.h"

#include <opprof/grow.h>
#include <opprof/plugin.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OUTPUT_VIEW 0u
#define OUTPUT_TABLE 1u
#define VIEW "roofline"
#define NEAR_THEORY 1e-4 /* TOPS: so close to the theory that a share of it is meaningless */
#define BOUND_FROM 0.8   /* share of the roof from which on it is the bound */
#define BUSY_FROM 80.0   /* percent from which on a pipe is the bound */

/* People look them up on the page, if at all. */
#define FOR_RULES (OPPROF_FIELD_HIDDEN | OPPROF_FIELD_DETAIL)

/* Record of "pmu.roofline". */
typedef struct BoundRow {
    uint32_t device;
    uint32_t kernel;
    uint32_t order;
    uint32_t bound;
    uint32_t roof;
    uint32_t work;
    double share;
    double launch_us;
} BoundRow;

static const OpprofField bound_fields[] = {
    OPPROF_RECORD_FOLDER(BoundRow),
    OPPROF_FIELD(BoundRow, bound, OPPROF_FIELD_STRING,
                 .meaning = "What bounds the launch: 'memory bound' or 'compute bound' from 80 % "
                            "of a roof on, else a latency; 'unknown' without the view, or where "
                            "what may be the bound was not counted."),
    OPPROF_FIELD(BoundRow, roof, OPPROF_FIELD_STRING, .flags = FOR_RULES,
                 .meaning = "Memory or path of the nearest roof.",
                 .absent = "the view was not asked for"),
    OPPROF_FIELD(BoundRow, work, OPPROF_FIELD_STRING, .flags = FOR_RULES,
                 .meaning = "Work below the nearest roof.", .absent = "the view was not asked for"),
    OPPROF_FIELD(BoundRow, share, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_NONE, .unit = "ratio",
                 .decimals = 6, .flags = FOR_RULES,
                 .meaning = "Share of that roof that was reached; above 1: the stated peak is too "
                            "low.",
                 .absent = "no roof is known"),
    OPPROF_FIELD(BoundRow, launch_us, OPPROF_FIELD_F64, .combine = OPPROF_COMBINE_NONE,
                 .unit = "us", .decimals = 6, .flags = FOR_RULES, .meaning = "Time of the launch.",
                 .absent = "the data does not say"),
};
static const OpprofRecordType bound_type =
    OPPROF_RECORD_TYPE(BoundRow, 1, "pmu.roofline", "The nearest roof of a launch.",
                       OPPROF_RECORD_TABLE, bound_fields, "Nearest roofs", "");

typedef struct Compiled {
    StorageModel storage; /* to find how busy the pipes were */
    RooflineModel model;
} Compiled;

typedef struct Context {
    const Launches *self;
    PmuMetrics *metrics;
    Compiled *compiled;
    const LaunchView *view;
    RooflineLaunch launch;
    CellWriter *writer;
    unsigned lines;         /* shown */
    unsigned drawn;         /* of these, those with a roof and a point to draw */
    double best_ratio;      /* largest rate, in roofs; above 1: the stated peak is too low */
    uint32_t best_roof;     /* interned; OPPROF_NA_STRING: none */
    uint32_t best_work;     /* interned */
    bool is_compute_bound;  /* it belongs to the roof of the work */
    StorageBusiest busiest; /* when no roof is the bound */
} Context;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "draw rooflines");
}

/* ---- compiling ---- */

static void forget(void *compiled)
{
    Compiled *self = compiled;

    StorageModelFinish(&self->storage);
    RooflineFinish(&self->model);
    free(self);
}

static OpprofStatus compile(PmuMetrics *metrics, OpprofError **error)
{
    Compiled *compiled = calloc(1, sizeof *compiled);
    OpprofStatus status;

    metrics->compiled = compiled;
    metrics->forget = forget;
    if (compiled == NULL) {
        return no_memory(error);
    }
    status = StorageModelCompile(&compiled->storage, metrics, error);
    return status == OPPROF_OK ? RooflineCompile(&compiled->model, metrics, error) : status;
}

/* ---- lines ---- */

/* Share of the roof that was reached; absent at and beyond the roof, where the viewer has none. */
static double ratio_of(const RooflinePoint *point)
{
    const double roof = point->is_right ? point->theory : point->x * point->bandwidth;
    const bool is_shown = !OpprofIsNaF64(point->ratio) && point->y <= roof &&
                          point->y <= point->theory && fabs(point->y - point->theory) > NEAR_THEORY;

    return is_shown ? point->ratio : OpprofNaF64();
}

/* Keeps the best. */
static void keep_best(Context *context, const LineFacts *line, const RooflineTogether *together,
                      const RooflinePoint *point)
{
    if (point->ratio > context->best_ratio) {
        context->best_ratio = point->ratio;
        context->best_roof = PmuIntern(context->self->stage, line->name);
        context->best_work = PmuIntern(context->self->stage, together->name);
        context->is_compute_bound = point->is_right;
    }
}

static void put_line(Context *context, const RooflineGraph *graph, const LineFacts *line,
                     const RooflineTogether *together, const RooflinePoint *point)
{
    OpprofStage *stage = context->self->stage;
    char number[16];

    snprintf(number, sizeof number, "%u", context->lines++);
    context->drawn += point->bandwidth > 0 && point->theory > 0 && point->x > 0 && point->y > 0;
    const CellPlace place = { .table = PmuIntern(stage, graph->facts->title),
                              .row = PmuIntern(stage, number) };
    const uint32_t tops = PmuIntern(stage, "TOPS");
    CellReal(context->writer, &place, PmuIntern(stage, "bw"), PmuIntern(stage, "TB/s"),
             point->bandwidth);
    CellText(context->writer, &place, PmuIntern(stage, "bw_name"), line->name);
    CellReal(context->writer, &place, PmuIntern(stage, "computility"), tops, point->theory);
    CellText(context->writer, &place, PmuIntern(stage, "computility_name"), together->name);
    CellReal(context->writer, &place, PmuIntern(stage, "x"), PmuIntern(stage, "ops/byte"),
             point->x);
    CellReal(context->writer, &place, PmuIntern(stage, "y"), tops, point->y);
    CellReal(context->writer, &place, PmuIntern(stage, "ratio"), OPPROF_NA_STRING, ratio_of(point));
    keep_best(context, line, together, point);
}

static void warn_unknown(const Context *context, const RooflineGraph *graph, const LineFacts *line,
                         const OpprofFormula *formula, const char *what)
{
    char why[256];

    OpprofMetricsWhy(context->metrics->metrics, formula, why, sizeof why);
    OpprofStageWarn(context->self->stage, "Roofline '%s', line '%s': its %s is unknown: %s",
                    graph->facts->title, line->name, what, why);
}

/* Once per launch, even if several graphs show the work. */
static void report_unknown_work(const Context *context, RooflineWork *work)
{
    const PmuRow row = RowOfOperator(context->view, work->of);
    const PmuRow all = RowOfOperator(context->view, OPPROF_NA_STRING);
    const OpprofFormula *unknown =
        OpprofIsNaF64(work->ops_value) ? work->facts->ops.formula : work->facts->theory.formula;
    char why[256];

    if (work->is_reported) {
        return;
    }
    work->is_reported = true;
    PmuMetricsSetRow(context->metrics, context->view, &row);
    OpprofMetricsWhy(context->metrics->metrics, unknown, why, sizeof why);
    PmuMetricsSetRow(context->metrics, context->view, &all);
    OpprofStageIncomplete(context->self->stage,
                          "Launch '%s': the rooflines of '%s' are left out, because the %s of "
                          "that work is unknown: %s",
                          OpprofStageString(context->self->stage, context->view->batch->partition),
                          work->facts->id, unknown == work->facts->ops.formula ? "amount" : "peak",
                          why);
}

/* A line without bytes, or with unknown bytes, is left out. */
static void put_group(Context *context, const RooflineGraph *graph, const RooflineGroup *group)
{
    const OpprofInputs *inputs = OpprofMetricsInputs(context->metrics->metrics);
    RooflineWork *unknown = RooflineUnknown(&context->launch, group);
    RooflineTogether together;

    if (unknown != NULL) {
        report_unknown_work(context, unknown);
        return;
    }
    if (!RooflineAddUp(&context->launch, group, &together)) {
        return;
    }
    for (uint32_t i = 0; i < graph->facts->line_count; i++) {
        const LineFacts *line = &graph->facts->lines[i];
        const double bytes = OpprofFormulaReal(line->bytes.formula, inputs);
        const double peak = OpprofFormulaReal(line->peak.formula, inputs);
        if (OpprofIsNaF64(bytes)) {
            warn_unknown(context, graph, line, line->bytes.formula, "traffic");
        } else if (bytes > 0) {
            const RooflinePoint point = RooflinePlace(&context->launch, &together, bytes, peak);

            put_line(context, graph, line, &together, &point);
            if (OpprofIsNaF64(peak)) {
                warn_unknown(context, graph, line, line->peak.formula, "peak");
            }
        }
    }
    free(together.name);
}

static OpprofStatus put_graphs(Context *context, OpprofError **error)
{
    const RooflineModel *model = &context->compiled->model;
    const OpprofStatus status = RooflineMeasure(&context->launch, error);

    if (model->graph_count == 0) {
        OpprofStageWarn(context->self->stage,
                        "Launch '%s': there is no roofline, because the chip file states no graphs "
                        "in metrics.roofline",
                        OpprofStageString(context->self->stage, context->view->batch->partition));
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < model->graph_count; i++) {
        const RooflineGraph *graph = &model->graphs[i];

        for (uint32_t g = 0;
             (graph->in & context->launch.type) != 0 && g < graph->facts->group_count; g++) {
            put_group(context, graph, &graph->groups[g]);
        }
    }
    return status;
}

/* ---- what limits it ---- */

static const char *bound_of(Context *context)
{
    StorageBusiest *busiest = &context->busiest;

    if (context->drawn == 0) {
        return ""; /* without drawn lines there is no bound */
    }
    if (context->best_ratio > BOUND_FROM) {
        return context->is_compute_bound ? "compute bound" : "memory bound";
    }
    for (uint32_t key = 0; key < context->view->key_count; key++) {
        StorageBusiestLook(&context->compiled->storage, context->metrics, context->view,
                           context->self->stage, key, busiest);
    }
    if (busiest->has_unknown && busiest->percent < BUSY_FROM) {
        return ""; /* what was not counted may be the bound */
    }
    if (busiest->name == NULL || busiest->percent < BUSY_FROM) {
        return "latency bound:pipeline caused";
    }
    return busiest->is_move ? "latency bound:memory caused" : "latency bound:compute caused";
}

static OpprofStatus push_bound(const Context *context, const char *bound, OpprofError **error)
{
    OpprofStage *stage = context->self->stage;
    const OpprofPmuLaunch *launch = &context->view->launch;
    const BoundRow row = { .device = launch->device,
                           .kernel = launch->kernel,
                           .order = launch->order,
                           .bound = PmuIntern(stage, bound[0] == '\0' ? "unknown" : bound),
                           .roof = context->best_roof,
                           .work = context->best_work,
                           .share = context->best_ratio > 0 ? context->best_ratio : OpprofNaF64(),
                           .launch_us = launch->duration_us };

    return OpprofErrorExplain(
        error, OpprofStageAppend(stage, OUTPUT_TABLE, context->view->batch->partition, &row),
        "Cannot add the nearest roof");
}

static OpprofStatus push_view(Context *context, const char **ret_bound, OpprofError **error)
{
    const CellPlace place = { 0 };
    CellWriter writer;

    context->writer = &writer;
    CellsBegin(&writer, context->self->stage, OUTPUT_VIEW, context->view);
    OpprofStatus status = put_graphs(context, error);

    if (status == OPPROF_OK) {
        *ret_bound = bound_of(context);
        CellText(&writer, &place, PmuIntern(context->self->stage, "advice"), *ret_bound);
    }
    const OpprofStatus end = CellsEnd(&writer, error);
    return status == OPPROF_OK ? end : status;
}

/* Without the view only the nearest roof is looked for. */
static OpprofStatus measure(Context *context, OpprofError **error)
{
    const OpprofStatus status = RooflineMeasure(&context->launch, error);

    context->best_ratio = status == OPPROF_OK ? RooflineReached(&context->launch) : 0;
    return status;
}

static OpprofStatus analyse(Launches *self, const LaunchView *view, OpprofError **error)
{
    Context context = {
        .self = self, .view = view, .best_roof = OPPROF_NA_STRING, .best_work = OPPROF_NA_STRING
    };
    const char *bound = "";
    OpprofStatus status =
        PmuMetricsFind(&self->metrics, self->stage, view, compile, &context.metrics, error);

    if (status != OPPROF_OK) {
        return status;
    }
    context.compiled = context.metrics->compiled;
    context.launch = (RooflineLaunch){
        .model = &context.compiled->model,
        .metrics = context.metrics,
        .view = view,
        .type = StorageTypeBit(&context.compiled->model.types, view->launch.op_type),
    };
    status = OpprofPmuListHas(OpprofStageString(self->stage, view->launch.views), VIEW)
                 ? push_view(&context, &bound, error)
                 : measure(&context, error);
    return status == OPPROF_OK ? push_bound(&context, bound, error) : status;
}

static const OpprofPort outputs[] = {
    { .name = "view",
      .record_type = &opprof_roofline_view_type,
      .summary = "Rooflines of the chip's memories and pipes, and the bound of the launch." },
    { .name = "bound",
      .record_type = &bound_type,
      .summary = "The nearest roof of each launch, and what bounds it." },
};

LAUNCHES_DEFINE(
    analyse, NULL, outputs, .name = "pmu-roofline",
    .summary = "Shows how close a launch comes to the chip's bounds.",
    .help = "The view is of launches whose metrics include Roofline; the nearest roof is looked "
            "for in all. Work, traffic and peaks come from the chip file; where a peak is "
            "unknown, the share of it is unknown too.");
