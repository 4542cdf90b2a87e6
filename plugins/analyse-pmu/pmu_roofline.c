/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pmu-roofline: how close a launch comes to what the chip can compute and move, and what limits it.
 * Work, traffic and peaks come from the chip file (`metrics.roofline`).
 * Tested by tests/plugins/parse-pmu/test_cases.sh.
 */
#include "advice.h"
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
#define OUTPUT_ADVICE 1u
#define VIEW "roofline"
#define NEAR_THEORY 1e-4 /* TOPS: so close to the theory that a share of it is meaningless */
#define BOUND_FROM 0.8   /* share of the roof from which on it is the bound */
#define BUSY_FROM 80.0   /* percent from which on a pipe is the bound */
#define BEYOND 1.005     /* times the stated peak, from which on it is said */

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
    bool is_best_shown;     /* the view has it */
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

/* Share of the roof that was reached; absent at and beyond the roof, where the viewer has none.
 * Keeps the best. */
static double ratio_of(Context *context, const RooflinePoint *point)
{
    const double roof = point->is_right ? point->theory : point->x * point->bandwidth;
    const bool is_shown = !OpprofIsNaF64(point->ratio) && point->y <= roof &&
                          point->y <= point->theory && fabs(point->y - point->theory) > NEAR_THEORY;

    if (point->ratio > context->best_ratio) {
        context->best_ratio = point->ratio;
        context->is_best_shown = is_shown;
        context->is_compute_bound = point->is_right;
    }
    return is_shown ? point->ratio : OpprofNaF64();
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
    CellReal(context->writer, &place, PmuIntern(stage, "ratio"), OPPROF_NA_STRING,
             ratio_of(context, point));
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

static const char *advice_of(Context *context)
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

static OpprofStatus push_advice(const Context *context, const char *bound, OpprofError **error)
{
    const StorageBusiest *busiest = &context->busiest;
    Advice advice = { .count = 0 };
    const double best = fmin(context->best_ratio, 1);
    char sentence[64];
    char beyond[64] = "";
    char busy[96] = "";

    if (bound[0] != '\0') {
        snprintf(sentence, sizeof sentence, "roofline: %s", bound);
        if (busiest->name != NULL) { /* not needed where a roof is the bound */
            snprintf(busy, sizeof busy, ", busiest=%.64s %.4g %%", busiest->name, busiest->percent);
        }
        if (context->best_ratio > BEYOND) { /* no share of it: a stated peak is too low */
            snprintf(beyond, sizeof beyond, " (%.4g times the stated peak)", context->best_ratio);
        }
        AdviceAdd(&advice, sentence,
                  &(AdviceNumber){ .file = VIEWS_FILE,
                                   .column = "ratio",
                                   .value = context->is_best_shown ? best : OpprofNaF64(),
                                   .gain = 100 - 100 * best },
                  "best share of a roof=%.4g%s%s, lines=%u", best, beyond, busy, context->drawn);
    }
    return AdvicePush(
        &advice,
        &(AdviceTarget){ context->self->stage, OUTPUT_ADVICE, OPPROF_SEVERITY_NOTE, "roofline" },
        context->view, error);
}

static OpprofStatus analyse(Launches *self, const LaunchView *view, OpprofError **error)
{
    Context context = { .self = self, .view = view };
    const CellPlace place = { 0 };
    const char *bound = "";
    CellWriter writer;

    if (!OpprofPmuListHas(OpprofStageString(self->stage, view->launch.views), VIEW)) {
        return OPPROF_OK;
    }
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
    context.writer = &writer;
    CellsBegin(&writer, self->stage, OUTPUT_VIEW, view);
    status = put_graphs(&context, error);
    if (status == OPPROF_OK) {
        bound = advice_of(&context);
        CellText(&writer, &place, PmuIntern(self->stage, "advice"), bound);
    }
    const OpprofStatus end = CellsEnd(&writer, error);
    status = status == OPPROF_OK ? end : status;
    return status == OPPROF_OK ? push_advice(&context, bound, error) : status;
}

static const OpprofPort outputs[] = {
    { .name = "view",
      .record_type = &opprof_roofline_view_type,
      .summary = "Rooflines of the chip's memories and pipes, and the bound of the launch." },
    ADVICE_OUTPUT,
};

LAUNCHES_DEFINE(
    analyse, NULL, outputs, .name = "pmu-roofline",
    .summary = "Shows how close a launch comes to the chip's bounds.",
    .help = "Processes launches whose metrics include Roofline. Work, traffic and peaks come "
            "from the chip file; where a peak is unknown, the share of it is unknown too.");
