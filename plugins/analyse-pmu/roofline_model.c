/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work, traffic and peaks of a chip, and how much of them a launch has.
 * Tested by tests/plugins/parse-pmu/test_cases.sh.
 */
#include "roofline_model.h"

#include <opprof/grow.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPS_A_US_PER_TOPS 1e6

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "draw rooflines");
}

static OpprofStatus bad(const PmuMetrics *metrics, const char *what, const char *name,
                        OpprofError **error)
{
    return name == NULL
               ? OpprofChipRefuse(metrics->chip, "metrics.roofline", error, "%s", what)
               : OpprofChipRefuse(metrics->chip, "metrics.roofline", error, "%s '%s'", what, name);
}

/* ---- compiling ---- */

static OpprofStatus add(PmuMetrics *metrics, const OpprofMetricScope *scope, const char *member,
                        const OpprofFormula **ret_formula, OpprofError **error)
{
    const char *text = OpprofFactText(OpprofFactMember(scope->members, member));
    double number = 0;
    char digits[32];

    if (text == NULL && OpprofFactNumber(OpprofFactMember(scope->members, member), &number)) {
        snprintf(digits, sizeof digits, "%.15g", number);
        text = digits;
    }
    return text == NULL
               ? bad(metrics, "an entry lacks its formula", member, error)
               : OpprofMetricsAdd(metrics->metrics, member, text, scope, ret_formula, error);
}

static OpprofStatus compile_shares(PmuMetrics *metrics, RooflineModel *model, RooflineWork *work,
                                   const OpprofFact *fact, OpprofError **error)
{
    const OpprofFact *shares = OpprofFactMember(fact, "shares");
    const OpprofMetricScope outer = { .members = fact };
    const size_t count = OpprofFactCount(shares);
    OpprofStatus status = OPPROF_OK;

    if (!OpprofGrow32(&model->shares, &model->share_capacity, model->share_count + count + 1,
                      sizeof *model->shares)) {
        return no_memory(error);
    }
    work->first_share = model->share_count;
    for (size_t i = 0; status == OPPROF_OK && i < count; i++) {
        const OpprofFact *share = OpprofFactAt(shares, i);
        const OpprofMetricScope scope = { .members = share, .outer = &outer };
        const char *formula = OpprofFactText(OpprofFactMember(fact, "share"));
        const char *name = OpprofFactText(OpprofFactMember(share, "name"));
        if (name == NULL || formula == NULL) {
            return bad(metrics, "a share has no name or formula in work", work->id, error);
        }
        RooflineShare *added = &model->shares[model->share_count++];
        *added = (RooflineShare){ .name = name };
        status = OpprofMetricsAdd(metrics->metrics, name, formula, &scope, &added->percent, error);
        work->share_count++;
    }
    return status;
}

static OpprofStatus compile_work(PmuMetrics *metrics, RooflineModel *model, const char *id,
                                 const OpprofFact *fact, OpprofError **error)
{
    const OpprofMetricScope scope = { .members = fact };
    RooflineWork *work = &model->works[model->work_count++];

    *work = (RooflineWork){
        .id = id,
        .name = OpprofFactText(OpprofFactMember(fact, "name")),
        .whole = OpprofFactText(OpprofFactMember(fact, "whole")),
        .in = StorageTypes(&model->types, metrics->stage, OpprofFactMember(fact, "in")),
        .of = PmuIntern(metrics->stage, OpprofFactText(OpprofFactMember(fact, "of"))),
    };
    OpprofStatus status = add(metrics, &scope, "ops", &work->ops, error);
    if (status == OPPROF_OK) {
        status = add(metrics, &scope, "theory", &work->theory, error);
    }
    return status == OPPROF_OK ? compile_shares(metrics, model, work, fact, error) : status;
}

static OpprofStatus compile_works(PmuMetrics *metrics, RooflineModel *model, OpprofError **error)
{
    const OpprofFact *works = OpprofChipFact(metrics->chip, "metrics.roofline.compute");
    OpprofFactWalk walk = { 0 };
    const char *id;
    const OpprofFact *fact;
    OpprofStatus status = OPPROF_OK;

    model->works = calloc(64, sizeof *model->works);
    if (model->works == NULL) {
        return no_memory(error);
    }
    while (status == OPPROF_OK && OpprofFactGetKind(works) == OPPROF_FACT_OBJECT &&
           OpprofFactNext(works, &walk, &id, &fact)) {
        status = model->work_count == 64
                     ? bad(metrics, "there are more than 64 kinds of work:", id, error)
                     : compile_work(metrics, model, id, fact, error);
    }
    return status;
}

static OpprofStatus compile_group(PmuMetrics *metrics, const RooflineModel *model,
                                  RooflineGraph *graph, const OpprofFact *fact, OpprofError **error)
{
    const OpprofFact *ids = OpprofFactMember(fact, "of");
    RooflineGroup *group = &graph->groups[graph->group_count++];

    *group = (RooflineGroup){ .as = OpprofFactText(OpprofFactMember(fact, "as")) };
    for (size_t i = 0; i < OpprofFactCount(ids); i++) {
        const char *id = OpprofFactText(OpprofFactAt(ids, i));
        uint32_t work = 0;
        while (id != NULL && work < model->work_count && strcmp(model->works[work].id, id) != 0) {
            work++;
        }
        if (id == NULL || work == model->work_count) {
            return bad(metrics, "unknown work:", id, error);
        }
        group->works |= UINT64_C(1) << work;
    }
    return OPPROF_OK;
}

static OpprofStatus compile_line(PmuMetrics *metrics, RooflineGraph *graph, const OpprofFact *fact,
                                 OpprofError **error)
{
    const OpprofMetricScope scope = { .members = fact };
    RooflineLine *line = &graph->lines[graph->line_count++];

    *line = (RooflineLine){ .name = OpprofFactText(OpprofFactMember(fact, "name")) };
    if (line->name == NULL) {
        return bad(metrics, "a line has no name in graph", graph->title, error);
    }
    const OpprofStatus status = add(metrics, &scope, "bytes", &line->bytes, error);
    return status == OPPROF_OK ? add(metrics, &scope, "peak", &line->peak, error) : status;
}

static OpprofStatus compile_graph(PmuMetrics *metrics, RooflineModel *model, const OpprofFact *fact,
                                  OpprofError **error)
{
    const OpprofFact *groups = OpprofFactMember(fact, "compute");
    const OpprofFact *lines = OpprofFactMember(fact, "lines");
    RooflineGraph *graph = &model->graphs[model->graph_count++];
    OpprofStatus status = OPPROF_OK;

    *graph = (RooflineGraph){
        .title = OpprofFactText(OpprofFactMember(fact, "title")),
        .in = StorageTypes(&model->types, metrics->stage, OpprofFactMember(fact, "in")),
        .groups = calloc(OpprofFactCount(groups) + 1, sizeof *graph->groups),
        .lines = calloc(OpprofFactCount(lines) + 1, sizeof *graph->lines),
    };
    if (graph->groups == NULL || graph->lines == NULL) {
        return no_memory(error);
    }
    if (graph->title == NULL) {
        return bad(metrics, "a graph has no title", NULL, error);
    }
    for (size_t i = 0; status == OPPROF_OK && i < OpprofFactCount(groups); i++) {
        status = compile_group(metrics, model, graph, OpprofFactAt(groups, i), error);
    }
    for (size_t i = 0; status == OPPROF_OK && i < OpprofFactCount(lines); i++) {
        status = compile_line(metrics, graph, OpprofFactAt(lines, i), error);
    }
    return status;
}

OpprofStatus RooflineCompile(RooflineModel *model, PmuMetrics *metrics, OpprofError **error)
{
    const OpprofFact *graphs = OpprofChipFact(metrics->chip, "metrics.roofline.graphs");
    OpprofStatus status;

    model->graphs = calloc(OpprofFactCount(graphs) + 1, sizeof *model->graphs);
    if (model->graphs == NULL) {
        return no_memory(error);
    }
    status = compile_works(metrics, model, error);
    for (size_t i = 0; status == OPPROF_OK && i < OpprofFactCount(graphs); i++) {
        status = compile_graph(metrics, model, OpprofFactAt(graphs, i), error);
    }
    return status;
}

void RooflineFinish(RooflineModel *model)
{
    for (uint32_t i = 0; i < model->work_count; i++) {
        free(model->works[i].text);
    }
    for (uint32_t i = 0; i < model->graph_count; i++) {
        free(model->graphs[i].groups);
        free(model->graphs[i].lines);
    }
    free(model->works);
    free(model->shares);
    free(model->graphs);
}

/* ---- work ---- */

/* "Vec_FP16(20.5%),Vec_FP32(79.5%)": all kinds with a share, as text; free with free(). */
static char *print_shares(const RooflineLaunch *launch, const RooflineWork *work)
{
    const OpprofInputs *inputs = OpprofMetricsInputs(launch->metrics->metrics);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    const char *before = "";

    if (out == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < work->share_count; i++) {
        const RooflineShare *share = &launch->model->shares[work->first_share + i];
        const double percent = OpprofFormulaReal(share->percent, inputs);
        if (OpprofIsNaF64(percent) || percent <= 0) {
            continue;
        }
        if (percent >= 100 && work->whole != NULL) {
            fprintf(out, "%s%s(%s)", before, share->name, work->whole);
        } else {
            fprintf(out, "%s%s(%.6f%%)", before, share->name, percent);
        }
        before = ",";
    }
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static OpprofStatus measure_work(const RooflineLaunch *launch, RooflineWork *work,
                                 OpprofError **error)
{
    const OpprofInputs *inputs = OpprofMetricsInputs(launch->metrics->metrics);
    const PmuRow row = RowOfOperator(launch->view, work->of);

    PmuMetricsSetRow(launch->metrics, launch->view, &row);
    work->ops_value = OpprofFormulaReal(work->ops, inputs);
    work->theory_value = OpprofFormulaReal(work->theory, inputs);
    const bool is_of_type = (work->in & launch->type) != 0;
    const bool has_ops = work->ops_value > 0;
    work->is_unknown = is_of_type && (OpprofIsNaF64(work->ops_value) ||
                                      (has_ops && OpprofIsNaF64(work->theory_value)));
    work->is_reported = false;
    work->is_there = is_of_type && has_ops && !work->is_unknown;
    free(work->text);
    work->text = work->share_count > 0 ? print_shares(launch, work)
                                       : strdup(work->name == NULL ? work->id : work->name);
    return work->text == NULL ? no_memory(error) : OPPROF_OK;
}

OpprofStatus RooflineMeasure(const RooflineLaunch *launch, OpprofError **error)
{
    const PmuRow row = RowOfOperator(launch->view, OPPROF_NA_STRING);
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < launch->model->work_count; i++) {
        status = measure_work(launch, &launch->model->works[i], error);
    }
    PmuMetricsSetRow(launch->metrics, launch->view, &row);
    return status;
}

RooflineWork *RooflineUnknown(const RooflineLaunch *launch, const RooflineGroup *group)
{
    for (uint32_t i = 0; i < launch->model->work_count; i++) {
        RooflineWork *work = &launch->model->works[i];
        if ((group->works >> i & 1) != 0 && work->is_unknown) {
            return work;
        }
    }
    return NULL;
}

bool RooflineAddUp(const RooflineLaunch *launch, const RooflineGroup *group,
                   RooflineTogether *ret_together)
{
    size_t size = 0;
    FILE *out = open_memstream(&ret_together->name, &size);
    bool has_any = false;

    ret_together->ops = 0;
    ret_together->theory = 0;
    for (uint32_t i = 0; out != NULL && i < launch->model->work_count; i++) {
        const RooflineWork *work = &launch->model->works[i];
        if ((group->works >> i & 1) == 0 || !work->is_there) {
            continue;
        }
        ret_together->ops += work->ops_value;
        ret_together->theory += work->theory_value;
        if (group->as == NULL) {
            fprintf(out, "%s%s", has_any ? " + " : "", work->text);
        }
        has_any = true;
    }
    if (out != NULL && group->as != NULL) {
        fputs(group->as, out);
    }
    if (out == NULL || fclose(out) != 0 || !has_any) {
        free(out == NULL ? NULL : ret_together->name);
        ret_together->name = NULL;
        return false;
    }
    return true;
}

/* ---- roofs ---- */

RooflinePoint RooflinePlace(const RooflineLaunch *launch, const RooflineTogether *together,
                            double bytes, double bandwidth)
{
    const double duration = launch->view->launch.duration_us;
    const bool is_timed = !OpprofIsNaF64(duration) && duration > 0;
    RooflinePoint point = {
        .x = together->ops / bytes,
        .y = is_timed ? together->ops / duration / OPS_A_US_PER_TOPS : OpprofNaF64(),
        .bandwidth = bandwidth,
        .theory = together->theory,
        .ratio = OpprofNaF64(),
    };

    if (is_timed && !OpprofIsNaF64(bandwidth) && bandwidth > 0 && point.theory > 0) {
        point.is_right = point.x > point.theory / bandwidth;
        point.ratio = point.y / (point.is_right ? point.theory : point.x * bandwidth);
    }
    return point;
}

/* The largest share of a roof of a group's lines. */
static double reached_by(const RooflineLaunch *launch, const RooflineGraph *graph,
                         const RooflineTogether *together)
{
    const OpprofInputs *inputs = OpprofMetricsInputs(launch->metrics->metrics);
    double most = 0;

    for (uint32_t i = 0; i < graph->line_count; i++) {
        const double bytes = OpprofFormulaReal(graph->lines[i].bytes, inputs);
        const double peak = OpprofFormulaReal(graph->lines[i].peak, inputs);

        if (bytes > 0) {
            const RooflinePoint point = RooflinePlace(launch, together, bytes, peak);

            most = point.ratio > most ? point.ratio : most;
        }
    }
    return most;
}

double RooflineReached(const RooflineLaunch *launch)
{
    double most = 0;

    for (uint32_t i = 0; i < launch->model->graph_count; i++) {
        const RooflineGraph *graph = &launch->model->graphs[i];

        for (uint32_t g = 0; (graph->in & launch->type) != 0 && g < graph->group_count; g++) {
            RooflineTogether together;

            if (RooflineUnknown(launch, &graph->groups[g]) == NULL &&
                RooflineAddUp(launch, &graph->groups[g], &together)) {
                const double reached = reached_by(launch, graph, &together);

                most = reached > most ? reached : most;
                free(together.name);
            }
        }
    }
    return most < 1 ? most : 1;
}
