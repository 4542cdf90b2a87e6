/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pmu-roofline: how close a launch comes to what the chip can compute and move, and what limits it.
 * Work, traffic and peaks come from the chip file (`metrics.roofline`).
 * Tested by tests/plugins/parse-pmu/test_cases.sh.
 */
#include "advice.h"
#include "cells.h"
#include "launches.h"
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
#define OPS_A_US_PER_TOPS 1e6

/* A kind of work: operations, and how many the chip could do. */
typedef struct Work {
    const char *id;    /* borrowed from the chip */
    const char *name;  /* for work without shares; borrowed */
    const char *whole; /* how a share of the whole is written; NULL: like any share */
    uint64_t in;       /* bits of the operators' types */
    uint32_t of;       /* interned kind of core; absent: all */
    const OpprofFormula *ops;
    const OpprofFormula *theory; /* TOPS */
    uint32_t first_share;        /* in the list of shares */
    uint32_t share_count;
    /* of the launch at hand */
    bool is_there;
    bool is_unknown;  /* its operations, or what the chip could do … */
    bool is_reported; /* … which was reported */
    double ops_value;
    double theory_value;
    char *text;
} Work;

typedef struct WorkShare {
    const char *name;
    const OpprofFormula *percent;
} WorkShare;

typedef struct Line {
    const char *name;
    const OpprofFormula *bytes;
    const OpprofFormula *peak; /* TB/s */
} Line;

/* Kinds of work that are counted together. */
typedef struct WorkGroup {
    const char *as; /* its name; NULL: the names of the kinds, joined */
    uint64_t works; /* bits */
} WorkGroup;

typedef struct Graph {
    const char *title;
    uint64_t in;
    WorkGroup *groups;
    uint32_t group_count;
    Line *lines;
    uint32_t line_count;
} Graph;

typedef struct Compiled {
    StorageModel storage; /* to find how busy the pipes were */
    OperatorTypes types;
    Work *works;
    uint32_t work_count;
    WorkShare *shares;
    uint32_t share_count;
    uint32_t share_capacity;
    Graph *graphs;
    uint32_t graph_count;
} Compiled;

typedef struct Context {
    const Launches *self;
    PmuMetrics *metrics;
    Compiled *compiled;
    const LaunchView *view;
    uint64_t type;
    CellWriter *writer;
    unsigned lines;         /* shown */
    unsigned drawn;         /* of these, those with a roof and a point to draw */
    double best_ratio;      /* largest share of a roof; above 1 beyond a roof that was measured */
    bool is_best_shown;     /* the view has it */
    bool is_compute_bound;  /* it belongs to the roof of the work */
    StorageBusiest busiest; /* when no roof is the bound */
} Context;

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

static void forget(void *compiled)
{
    Compiled *self = compiled;

    for (uint32_t i = 0; i < self->work_count; i++) {
        free(self->works[i].text);
    }
    for (uint32_t i = 0; i < self->graph_count; i++) {
        free(self->graphs[i].groups);
        free(self->graphs[i].lines);
    }
    StorageModelFinish(&self->storage);
    free(self->works);
    free(self->shares);
    free(self->graphs);
    free(self);
}

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

static OpprofStatus compile_shares(PmuMetrics *metrics, Compiled *compiled, Work *work,
                                   const OpprofFact *fact, OpprofError **error)
{
    const OpprofFact *shares = OpprofFactMember(fact, "shares");
    const OpprofMetricScope outer = { .members = fact };
    const size_t count = OpprofFactCount(shares);
    OpprofStatus status = OPPROF_OK;

    if (!OpprofGrow32(&compiled->shares, &compiled->share_capacity,
                      compiled->share_count + count + 1, sizeof *compiled->shares)) {
        return no_memory(error);
    }
    work->first_share = compiled->share_count;
    for (size_t i = 0; status == OPPROF_OK && i < count; i++) {
        const OpprofFact *share = OpprofFactAt(shares, i);
        const OpprofMetricScope scope = { .members = share, .outer = &outer };
        const char *formula = OpprofFactText(OpprofFactMember(fact, "share"));
        const char *name = OpprofFactText(OpprofFactMember(share, "name"));
        if (name == NULL || formula == NULL) {
            return bad(metrics, "a share has no name or formula in work", work->id, error);
        }
        WorkShare *added = &compiled->shares[compiled->share_count++];
        *added = (WorkShare){ .name = name };
        status = OpprofMetricsAdd(metrics->metrics, name, formula, &scope, &added->percent, error);
        work->share_count++;
    }
    return status;
}

static OpprofStatus compile_work(PmuMetrics *metrics, Compiled *compiled, const char *id,
                                 const OpprofFact *fact, OpprofError **error)
{
    const OpprofMetricScope scope = { .members = fact };
    Work *work = &compiled->works[compiled->work_count++];

    *work = (Work){
        .id = id,
        .name = OpprofFactText(OpprofFactMember(fact, "name")),
        .whole = OpprofFactText(OpprofFactMember(fact, "whole")),
        .in = StorageTypes(&compiled->types, metrics->stage, OpprofFactMember(fact, "in")),
        .of = PmuIntern(metrics->stage, OpprofFactText(OpprofFactMember(fact, "of"))),
    };
    OpprofStatus status = add(metrics, &scope, "ops", &work->ops, error);
    if (status == OPPROF_OK) {
        status = add(metrics, &scope, "theory", &work->theory, error);
    }
    return status == OPPROF_OK ? compile_shares(metrics, compiled, work, fact, error) : status;
}

static OpprofStatus compile_works(PmuMetrics *metrics, Compiled *compiled, OpprofError **error)
{
    const OpprofFact *works = OpprofChipFact(metrics->chip, "metrics.roofline.compute");
    OpprofFactWalk walk = { 0 };
    const char *id;
    const OpprofFact *fact;
    OpprofStatus status = OPPROF_OK;

    compiled->works = calloc(64, sizeof *compiled->works);
    if (compiled->works == NULL) {
        return no_memory(error);
    }
    while (status == OPPROF_OK && OpprofFactGetKind(works) == OPPROF_FACT_OBJECT &&
           OpprofFactNext(works, &walk, &id, &fact)) {
        status = compiled->work_count == 64
                     ? bad(metrics, "there are more than 64 kinds of work:", id, error)
                     : compile_work(metrics, compiled, id, fact, error);
    }
    return status;
}

static OpprofStatus compile_group(PmuMetrics *metrics, const Compiled *compiled, Graph *graph,
                                  const OpprofFact *fact, OpprofError **error)
{
    const OpprofFact *ids = OpprofFactMember(fact, "of");
    WorkGroup *group = &graph->groups[graph->group_count++];

    *group = (WorkGroup){ .as = OpprofFactText(OpprofFactMember(fact, "as")) };
    for (size_t i = 0; i < OpprofFactCount(ids); i++) {
        const char *id = OpprofFactText(OpprofFactAt(ids, i));
        uint32_t work = 0;
        while (id != NULL && work < compiled->work_count &&
               strcmp(compiled->works[work].id, id) != 0) {
            work++;
        }
        if (id == NULL || work == compiled->work_count) {
            return bad(metrics, "unknown work:", id, error);
        }
        group->works |= UINT64_C(1) << work;
    }
    return OPPROF_OK;
}

static OpprofStatus compile_line(PmuMetrics *metrics, Graph *graph, const OpprofFact *fact,
                                 OpprofError **error)
{
    const OpprofMetricScope scope = { .members = fact };
    Line *line = &graph->lines[graph->line_count++];

    *line = (Line){ .name = OpprofFactText(OpprofFactMember(fact, "name")) };
    if (line->name == NULL) {
        return bad(metrics, "a line has no name in graph", graph->title, error);
    }
    const OpprofStatus status = add(metrics, &scope, "bytes", &line->bytes, error);
    return status == OPPROF_OK ? add(metrics, &scope, "peak", &line->peak, error) : status;
}

static OpprofStatus compile_graph(PmuMetrics *metrics, Compiled *compiled, const OpprofFact *fact,
                                  OpprofError **error)
{
    const OpprofFact *groups = OpprofFactMember(fact, "compute");
    const OpprofFact *lines = OpprofFactMember(fact, "lines");
    Graph *graph = &compiled->graphs[compiled->graph_count++];
    OpprofStatus status = OPPROF_OK;

    *graph = (Graph){
        .title = OpprofFactText(OpprofFactMember(fact, "title")),
        .in = StorageTypes(&compiled->types, metrics->stage, OpprofFactMember(fact, "in")),
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
        status = compile_group(metrics, compiled, graph, OpprofFactAt(groups, i), error);
    }
    for (size_t i = 0; status == OPPROF_OK && i < OpprofFactCount(lines); i++) {
        status = compile_line(metrics, graph, OpprofFactAt(lines, i), error);
    }
    return status;
}

static OpprofStatus compile(PmuMetrics *metrics, OpprofError **error)
{
    const OpprofFact *graphs = OpprofChipFact(metrics->chip, "metrics.roofline.graphs");
    Compiled *compiled = calloc(1, sizeof *compiled);

    metrics->compiled = compiled;
    metrics->forget = forget;
    if (compiled == NULL) {
        return no_memory(error);
    }
    compiled->graphs = calloc(OpprofFactCount(graphs) + 1, sizeof *compiled->graphs);
    if (compiled->graphs == NULL) {
        return no_memory(error);
    }
    OpprofStatus status = StorageModelCompile(&compiled->storage, metrics, error);
    if (status == OPPROF_OK) {
        status = compile_works(metrics, compiled, error);
    }
    for (size_t i = 0; status == OPPROF_OK && i < OpprofFactCount(graphs); i++) {
        status = compile_graph(metrics, compiled, OpprofFactAt(graphs, i), error);
    }
    return status;
}

/* ---- work ---- */

/* "Vec_FP16(20.5%),Vec_FP32(79.5%)": all kinds with a share, as text; free with free(). */
static char *print_shares(const Context *context, const Work *work)
{
    const OpprofInputs *inputs = OpprofMetricsInputs(context->metrics->metrics);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    const char *before = "";

    if (out == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < work->share_count; i++) {
        const WorkShare *share = &context->compiled->shares[work->first_share + i];
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

static OpprofStatus measure_work(const Context *context, Work *work, OpprofError **error)
{
    const OpprofInputs *inputs = OpprofMetricsInputs(context->metrics->metrics);
    const PmuRow row = RowOfOperator(context->view, work->of);

    PmuMetricsSetRow(context->metrics, context->view, &row);
    work->ops_value = OpprofFormulaReal(work->ops, inputs);
    work->theory_value = OpprofFormulaReal(work->theory, inputs);
    const bool is_of_type = (work->in & context->type) != 0;
    const bool has_ops = work->ops_value > 0;
    work->is_unknown = is_of_type && (OpprofIsNaF64(work->ops_value) ||
                                      (has_ops && OpprofIsNaF64(work->theory_value)));
    work->is_reported = false;
    work->is_there = is_of_type && has_ops && !work->is_unknown;
    free(work->text);
    work->text = work->share_count > 0 ? print_shares(context, work)
                                       : strdup(work->name == NULL ? work->id : work->name);
    return work->text == NULL ? no_memory(error) : OPPROF_OK;
}

/* The work of a group together. */
typedef struct Together {
    double ops;
    double theory;
    char *name; /* free with free() */
} Together;

/* The first of a group's kinds of work whose amount is unknown; NULL: all are known. */
static Work *unknown_of(const Context *context, const WorkGroup *group)
{
    for (uint32_t i = 0; i < context->compiled->work_count; i++) {
        Work *work = &context->compiled->works[i];
        if ((group->works >> i & 1) != 0 && work->is_unknown) {
            return work;
        }
    }
    return NULL;
}

/* False: the launch has no work of the group. */
static bool add_up(const Context *context, const WorkGroup *group, Together *ret_together)
{
    size_t size = 0;
    FILE *out = open_memstream(&ret_together->name, &size);
    bool has_any = false;

    ret_together->ops = 0;
    ret_together->theory = 0;
    for (uint32_t i = 0; out != NULL && i < context->compiled->work_count; i++) {
        const Work *work = &context->compiled->works[i];
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

/* ---- lines ---- */

/* Share of the roof that was reached; absent at and beyond the roof, where the viewer has none.
 * Keeps the best. */
static double ratio_of(Context *context, double x, double y, double bandwidth, double theory)
{
    if (OpprofIsNaF64(y) || OpprofIsNaF64(bandwidth) || bandwidth <= 0 || theory <= 0) {
        return OpprofNaF64();
    }
    const bool is_right = x > theory / bandwidth;
    const double roof = is_right ? theory : x * bandwidth;
    const double ratio = y / roof;
    const bool is_shown = y <= roof && y <= theory && fabs(y - theory) > NEAR_THEORY;

    if (ratio > context->best_ratio) {
        context->best_ratio = ratio;
        context->is_best_shown = is_shown;
        context->is_compute_bound = is_right;
    }
    return is_shown ? ratio : OpprofNaF64();
}

static void put_line(Context *context, const Graph *graph, const Line *line,
                     const Together *together, double bytes, double bandwidth)
{
    const double duration = context->view->launch.duration_us;
    const double x = together->ops / bytes;
    const double y = OpprofIsNaF64(duration) || duration <= 0
                         ? OpprofNaF64()
                         : together->ops / duration / OPS_A_US_PER_TOPS;
    OpprofStage *stage = context->self->stage;
    char number[16];

    snprintf(number, sizeof number, "%u", context->lines++);
    context->drawn += bandwidth > 0 && together->theory > 0 && x > 0 && y > 0;
    const CellPlace place = { .table = PmuIntern(stage, graph->title),
                              .row = PmuIntern(stage, number) };
    const uint32_t tops = PmuIntern(stage, "TOPS");
    CellReal(context->writer, &place, PmuIntern(stage, "bw"), PmuIntern(stage, "TB/s"), bandwidth);
    CellText(context->writer, &place, PmuIntern(stage, "bw_name"), line->name);
    CellReal(context->writer, &place, PmuIntern(stage, "computility"), tops, together->theory);
    CellText(context->writer, &place, PmuIntern(stage, "computility_name"), together->name);
    CellReal(context->writer, &place, PmuIntern(stage, "x"), PmuIntern(stage, "ops/byte"), x);
    CellReal(context->writer, &place, PmuIntern(stage, "y"), tops, y);
    CellReal(context->writer, &place, PmuIntern(stage, "ratio"), OPPROF_NA_STRING,
             ratio_of(context, x, y, bandwidth, together->theory));
}

static void warn_unknown(const Context *context, const Graph *graph, const Line *line,
                         const OpprofFormula *formula, const char *what)
{
    char why[256];

    OpprofMetricsWhy(context->metrics->metrics, formula, why, sizeof why);
    OpprofStageWarn(context->self->stage, "Roofline '%s', line '%s': its %s is unknown: %s",
                    graph->title, line->name, what, why);
}

/* Once per launch, even if several graphs show the work. */
static void report_unknown_work(const Context *context, Work *work)
{
    const PmuRow row = RowOfOperator(context->view, work->of);
    const PmuRow all = RowOfOperator(context->view, OPPROF_NA_STRING);
    const OpprofFormula *unknown = OpprofIsNaF64(work->ops_value) ? work->ops : work->theory;
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
                          work->id, unknown == work->ops ? "amount" : "peak", why);
}

/* A line without bytes, or with unknown bytes, is left out. */
static void put_group(Context *context, const Graph *graph, const WorkGroup *group)
{
    const OpprofInputs *inputs = OpprofMetricsInputs(context->metrics->metrics);
    Work *unknown = unknown_of(context, group);
    Together together;

    if (unknown != NULL) {
        report_unknown_work(context, unknown);
        return;
    }
    if (!add_up(context, group, &together)) {
        return;
    }
    for (uint32_t i = 0; i < graph->line_count; i++) {
        const Line *line = &graph->lines[i];
        const double bytes = OpprofFormulaReal(line->bytes, inputs);
        const double peak = OpprofFormulaReal(line->peak, inputs);
        if (OpprofIsNaF64(bytes)) {
            warn_unknown(context, graph, line, line->bytes, "traffic");
        } else if (bytes > 0) {
            put_line(context, graph, line, &together, bytes, peak);
            if (OpprofIsNaF64(peak)) {
                warn_unknown(context, graph, line, line->peak, "peak");
            }
        }
    }
    free(together.name);
}

static OpprofStatus put_graphs(Context *context, OpprofError **error)
{
    Compiled *compiled = context->compiled;
    const PmuRow row = RowOfOperator(context->view, OPPROF_NA_STRING);
    OpprofStatus status = OPPROF_OK;

    if (compiled->graph_count == 0) {
        OpprofStageWarn(context->self->stage,
                        "Launch '%s': there is no roofline, because the chip file states no graphs "
                        "in metrics.roofline",
                        OpprofStageString(context->self->stage, context->view->batch->partition));
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < compiled->work_count; i++) {
        status = measure_work(context, &compiled->works[i], error);
    }
    PmuMetricsSetRow(context->metrics, context->view, &row);
    for (uint32_t i = 0; status == OPPROF_OK && i < compiled->graph_count; i++) {
        const Graph *graph = &compiled->graphs[i];
        for (uint32_t g = 0; (graph->in & context->type) != 0 && g < graph->group_count; g++) {
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
    char sentence[64];
    char busy[96] = "";

    if (bound[0] != '\0') {
        snprintf(sentence, sizeof sentence, "roofline: %s", bound);
        if (busiest->name != NULL) { /* not needed where a roof is the bound */
            snprintf(busy, sizeof busy, ", busiest=%.64s %.4g %%", busiest->name, busiest->percent);
        }
        AdviceAdd(&advice, sentence,
                  &(AdviceNumber){
                      .file = VIEWS_FILE,
                      .column = "ratio",
                      .value = context->is_best_shown ? context->best_ratio : OpprofNaF64(),
                      .gain = context->best_ratio < 1 ? 100 - 100 * context->best_ratio : 0 },
                  "best share of a roof=%.4g%s, lines=%u", context->best_ratio, busy,
                  context->drawn);
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
    context.type = StorageTypeBit(&context.compiled->types, view->launch.op_type);
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

static OpprofStatus process(void *self, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    (void) port;
    return LaunchesProcess(self, batch, analyse, error);
}

static const OpprofPort inputs[] = { LAUNCHES_INPUT };

static const OpprofPort outputs[] = {
    { .name = "view",
      .record_type = &opprof_roofline_view_type,
      .summary = "Rooflines of the chip's memories and pipes, and the bound of the launch." },
    ADVICE_OUTPUT,
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = LaunchesCreate,
    .process = process,
    .flush = LaunchesFlush,
    .destroy = LaunchesDestroy,
};

static const char *const chip_sections[] = { "metrics", "peaks", "pmu", NULL };

OPPROF_PLUGIN_DEFINE(
        .name = "pmu-roofline", .version = "1.0", .license = "Apache-2.0",
        .summary = "Shows how close a launch comes to the chip's bounds.",
        .help = "Processes launches whose metrics include Roofline. Work, traffic and peaks come "
                "from the chip file; where a peak is unknown, the share of it is unknown too.",
        .kind = OPPROF_ANALYSIS, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
        .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .ops = &ops,
        .chip_sections = chip_sections, .chip_tables = pmu_chip_tables);
