/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work, traffic and peaks of a chip, and how much of them a launch has.
 * Tested by tests/plugins/parse-pmu/test_cases.sh.
 */
#include "roofline_model.h"

#include <opprof/text.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOFLINE_MAX_WORKS 64u /* bits of a group */
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

static OpprofStatus compile_shares(PmuMetrics *metrics, RooflineModel *model,
                                   const WorkFacts *facts, OpprofError **error)
{
    const OpprofMetricScope outer = { .members = facts->fact };
    OpprofStatus status = OPPROF_OK;

    if (facts->share_count > 0 && facts->share == NULL) {
        return bad(metrics, "shares have no formula in work", facts->id, error);
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < facts->share_count; i++) {
        const OpprofMetricScope scope = { .members = facts->shares[i].fact, .outer = &outer };

        status = OpprofMetricsAdd(metrics->metrics, facts->shares[i].name, facts->share, &scope,
                                  &model->shares[model->share_count++], error);
    }
    return status;
}

static OpprofStatus compile_work(PmuMetrics *metrics, RooflineModel *model, const WorkFacts *facts,
                                 OpprofError **error)
{
    model->works[model->work_count++] = (RooflineWork){
        .facts = facts,
        .in = StorageTypes(&model->types, metrics->stage, &facts->in),
        .of = PmuIntern(metrics->stage, facts->of),
        .first_share = model->share_count,
    };
    return facts->theory.formula == NULL
               ? bad(metrics, "an entry lacks its formula", "theory", error)
               : compile_shares(metrics, model, facts, error);
}

static uint64_t works_of(const RooflineFacts *all, const GroupFacts *group)
{
    uint64_t works = 0;

    for (uint32_t work = 0; work < all->work_count; work++) {
        for (uint32_t i = 0; i < group->count; i++) {
            works |= (uint64_t) (strcmp(all->works[work].id, group->of[i]) == 0) << work;
        }
    }
    return works;
}

/* False without memory. */
static bool take_graph(const PmuMetrics *metrics, RooflineModel *model, const GraphFacts *facts)
{
    RooflineGraph *graph = &model->graphs[model->graph_count++];

    *graph = (RooflineGraph){
        .facts = facts,
        .in = StorageTypes(&model->types, metrics->stage, &facts->in),
        .groups = calloc((size_t) facts->group_count + 1, sizeof *graph->groups),
    };
    for (uint32_t i = 0; graph->groups != NULL && i < facts->group_count; i++) {
        graph->groups[i] = (RooflineGroup){ .as = facts->groups[i].as,
                                            .works = works_of(&model->facts, &facts->groups[i]) };
    }
    return graph->groups != NULL;
}

/* False without memory. */
static bool make_room(RooflineModel *model)
{
    size_t shares = 1;

    for (uint32_t i = 0; i < model->facts.work_count; i++) {
        shares += model->facts.works[i].share_count;
    }
    model->works = calloc((size_t) model->facts.work_count + 1, sizeof *model->works);
    model->shares = calloc(shares, sizeof(const OpprofFormula *));
    model->graphs = calloc((size_t) model->facts.graph_count + 1, sizeof *model->graphs);
    return model->works != NULL && model->shares != NULL && model->graphs != NULL;
}

OpprofStatus RooflineCompile(RooflineModel *model, PmuMetrics *metrics, OpprofError **error)
{
    const RooflineFacts *facts = &model->facts;
    OpprofStatus status = OpprofMetricsBind(metrics->metrics, "metrics.roofline",
                                            &metric_roofline_table, &model->facts, error);

    if (status == OPPROF_OK && !make_room(model)) {
        status = no_memory(error);
    }
    if (status == OPPROF_OK && facts->work_count > ROOFLINE_MAX_WORKS) {
        status = bad(metrics, "there are more than 64 kinds of work", NULL, error);
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < facts->work_count; i++) {
        status = compile_work(metrics, model, &facts->works[i], error);
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < facts->graph_count; i++) {
        status = take_graph(metrics, model, &facts->graphs[i]) ? OPPROF_OK : no_memory(error);
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
    }
    free(model->works);
    free((void *) model->shares);
    free(model->graphs);
    OpprofFactsFree(&metric_roofline_table, &model->facts);
}

/* ---- work ---- */

/* "Vec_FP16(20.5%),Vec_FP32(79.5%)": all kinds with a share, as text; free with free(). */
static char *print_shares(const RooflineLaunch *launch, const RooflineWork *work)
{
    const OpprofInputs *inputs = OpprofMetricsInputs(launch->metrics->metrics);
    char *text = NULL;
    size_t size = 0;
    FILE *out = OpprofTextOpen(&text, &size);
    const char *before = "";

    if (out == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < work->facts->share_count; i++) {
        const char *share = work->facts->shares[i].name;
        const double percent =
            OpprofFormulaReal(launch->model->shares[work->first_share + i], inputs);
        if (OpprofIsNaF64(percent) || percent <= 0) {
            continue;
        }
        if (percent >= 100 && work->facts->whole != NULL) {
            fprintf(out, "%s%s(%s)", before, share, work->facts->whole);
        } else {
            fprintf(out, "%s%s(%.6f%%)", before, share, percent);
        }
        before = ",";
    }
    return fclose(out) == 0 ? text : NULL;
}

static OpprofStatus measure_work(const RooflineLaunch *launch, RooflineWork *work,
                                 OpprofError **error)
{
    const OpprofInputs *inputs = OpprofMetricsInputs(launch->metrics->metrics);
    const PmuRow row = RowOfOperator(launch->view, work->of);

    PmuMetricsSetRow(launch->metrics, launch->view, &row);
    work->ops_value = OpprofFormulaReal(work->facts->ops.formula, inputs);
    work->theory_value = OpprofFormulaReal(work->facts->theory.formula, inputs);
    const bool is_of_type = (work->in & launch->type) != 0;
    const bool has_ops = work->ops_value > 0;
    work->is_unknown = is_of_type && (OpprofIsNaF64(work->ops_value) ||
                                      (has_ops && OpprofIsNaF64(work->theory_value)));
    work->is_reported = false;
    work->is_there = is_of_type && has_ops && !work->is_unknown;
    free(work->text);
    work->text = work->facts->share_count > 0
                     ? print_shares(launch, work)
                     : strdup(work->facts->name == NULL ? work->facts->id : work->facts->name);
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
    FILE *out = OpprofTextOpen(&ret_together->name, &size);
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

    for (uint32_t i = 0; i < graph->facts->line_count; i++) {
        const double bytes = OpprofFormulaReal(graph->facts->lines[i].bytes.formula, inputs);
        const double peak = OpprofFormulaReal(graph->facts->lines[i].peak.formula, inputs);

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

        for (uint32_t g = 0; (graph->in & launch->type) != 0 && g < graph->facts->group_count;
             g++) {
            RooflineTogether together;

            if (RooflineUnknown(launch, &graph->groups[g]) == NULL &&
                RooflineAddUp(launch, &graph->groups[g], &together)) {
                const double reached = reached_by(launch, graph, &together);

                most = reached > most ? reached : most;
                free(together.name);
            }
        }
    }
    return most;
}
