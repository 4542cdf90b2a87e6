/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pmu-occupancy: compares the load of the cores and marks those that stand out. The formulas are in
 * the chip file (`metrics.occupancy`). Tested by tests/plugins/parse-pmu/test_cases.sh.
 */
#include "cells.h"
#include "launches.h"
#include "metric_facts.h"

#include <opprof/plugin.h>
#include <opprof/text.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OUTPUT_VIEW 0u
#define VIEW "occupancy"
#define LEAST_PERCENT 10 /* a core that differs by less does not stand out */

enum { LOAD_THROUGHPUT, LOAD_ACCESSES, LOAD_HIT_RATE, LOAD_SIMT, LOAD_SIMT_PER_CYCLE, LOADS };

static const char *const load_members[LOADS] = {
    [LOAD_THROUGHPUT] = "throughput",
    [LOAD_ACCESSES] = "accesses",
    [LOAD_HIT_RATE] = "hit_rate",
    [LOAD_SIMT] = "simt_instructions",
    [LOAD_SIMT_PER_CYCLE] = "simt_per_cycle",
};

typedef struct Load {
    const OpprofFormula *value; /* NULL: the chip file has none */
    const OpprofFormula *when;  /* used only if this is not zero; NULL: always */
    uint32_t of;                /* interned kind of core; absent: all */
} Load;

typedef struct Compiled {
    Load loads[LOADS];
    uint32_t kinds[4]; /* interned, the last of the chip file first */
    uint32_t kind_count;
} Compiled;

/* A core of the view. */
typedef struct Core {
    uint32_t id;        /* smallest block id that ran on it */
    uint32_t key;       /* of that block */
    uint32_t said_core; /* as sentences name it */
    uint32_t said_sub;
    uint64_t cycles;
    double values[LOADS]; /* absent: not counted */
} Core;

typedef struct Context {
    const Launches *self;
    PmuMetrics *metrics;
    const Compiled *compiled;
    const LaunchView *view;
    Core *cores;
    uint32_t core_count;
    uint32_t *lists; /* keys by core */
} Context;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "compare the cores");
}

/* ---- compiling ---- */

static void take_load(const PmuMetrics *metrics, const OccupancyFacts *facts, Compiled *compiled)
{
    size_t which = 0;

    while (strcmp(load_members[which], facts->name) != 0) { /* the table lets no other name pass */
        which++;
    }
    compiled->loads[which] = (Load){ .value = facts->is.formula,
                                     .when = facts->when.formula,
                                     .of = PmuIntern(metrics->stage, facts->of) };
}

static OpprofStatus compile(PmuMetrics *metrics, OpprofError **error)
{
    const OpprofFact *kinds = OpprofChipFact(metrics->chip, "pmu.kinds");
    Compiled *compiled = calloc(1, sizeof *compiled);
    OccupanciesFacts facts;

    metrics->compiled = compiled;
    metrics->forget = free;
    if (compiled == NULL) {
        return no_memory(error);
    }
    for (size_t i = OpprofFactCount(kinds); i > 0 && compiled->kind_count < 4; i--) {
        compiled->kinds[compiled->kind_count++] = PmuIntern(
            metrics->stage, OpprofFactText(OpprofFactMember(OpprofFactAt(kinds, i - 1), "name")));
    }
    const OpprofStatus status = OpprofMetricsBind(metrics->metrics, "metrics.occupancy",
                                                  &metric_occupancy_table, &facts, error);
    for (uint32_t i = 0; i < facts.count; i++) {
        take_load(metrics, &facts.list[i], compiled);
    }
    OpprofFactsFree(&metric_occupancy_table, &facts);
    return status;
}

/* ---- cores ---- */

typedef struct KeyOfCore {
    uint32_t core;
    uint32_t key;
} KeyOfCore;

static int by_core(const void *a, const void *b)
{
    const KeyOfCore *x = a;
    const KeyOfCore *y = b;

    if (x->core != y->core) {
        return x->core < y->core ? -1 : 1;
    }
    return x->key < y->key ? -1 : x->key > y->key;
}

static int by_key(const void *a, const void *b)
{
    const Core *x = a;
    const Core *y = b;
    return x->key < y->key ? -1 : x->key > y->key;
}

static void measure(const Context *context, const PmuRow *row, Core *core)
{
    const OpprofInputs *inputs = OpprofMetricsInputs(context->metrics->metrics);
    const OpprofPmuKey *key = &context->view->keys[core->key];

    PmuMetricsSetRow(context->metrics, context->view, row);
    for (size_t i = 0; i < LOADS; i++) {
        const Load *load = &context->compiled->loads[i];
        double holds = 1;
        core->values[i] = OpprofNaF64();
        if (load->value == NULL || (load->of != OPPROF_NA_STRING && load->of != key->kind)) {
            continue;
        }
        if (load->when != NULL) {
            holds = OpprofFormulaReal(load->when, inputs);
        }
        if (!OpprofIsNaF64(holds) && holds != 0) {
            core->values[i] = OpprofFormulaReal(load->value, inputs);
        }
    }
}

static uint64_t add_cycles(uint64_t a, uint64_t b)
{
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX - 1 : sum;
}

/* In a mix operator each key is a core. */
static void list_mix(Context *context)
{
    for (uint32_t key = 0; key < context->view->key_count; key++) {
        const OpprofPmuKey *at = &context->view->keys[key];
        const PmuRow row = RowOfKey(context->view, key);
        Core *core = &context->cores[context->core_count++];
        *core = (Core){ .id = at->block,
                        .key = key,
                        .said_core = at->block,
                        .said_sub = at->sub_block,
                        .cycles = at->cycles };
        measure(context, &row, core);
    }
}

/* The load of a core is the sum of the blocks that ran on it. */
static OpprofStatus list_merged(Context *context, OpprofError **error)
{
    const LaunchView *view = context->view;
    KeyOfCore *sorted = calloc((size_t) view->key_count + 1, sizeof *sorted);

    if (sorted == NULL) {
        return no_memory(error);
    }
    for (uint32_t key = 0; key < view->key_count; key++) {
        sorted[key] = (KeyOfCore){ .core = view->keys[key].core, .key = key };
    }
    qsort(sorted, view->key_count, sizeof *sorted, by_core);
    for (uint32_t i = 0; i < view->key_count; i++) {
        context->lists[i] = sorted[i].key;
    }
    for (uint32_t first = 0, end; first < view->key_count; first = end) {
        Core *core = &context->cores[context->core_count++];
        *core = (Core){ .key = sorted[first].key };
        for (end = first; end < view->key_count && sorted[end].core == sorted[first].core; end++) {
            core->cycles = add_cycles(core->cycles, view->keys[sorted[end].key].cycles);
        }
        const PmuRow row = {
            .first = first, .end = end, .list = context->lists, .around_end = view->key_count
        };
        measure(context, &row, core);
    }
    free(sorted);
    qsort(context->cores, context->core_count, sizeof *context->cores, by_key);
    return OPPROF_OK;
}

/* Sentences name the AI core that a block ran on; vector operators run two blocks on one. */
static void name_merged(Context *context)
{
    for (uint32_t i = 0; i < context->core_count; i++) {
        Core *core = &context->cores[i];
        const OpprofPmuKey *key = &context->view->keys[core->key];
        const bool is_paired =
            context->compiled->kind_count > 1 && key->kind == context->compiled->kinds[0];
        core->id = key->block;
        core->said_core = is_paired ? key->block / 2 : key->block;
        core->said_sub = is_paired ? key->block % 2 : key->sub_block;
    }
}

static OpprofStatus list_cores(Context *context, OpprofError **error)
{
    const size_t count = (size_t) context->view->key_count + 1;
    OpprofStatus status = OPPROF_OK;

    context->cores = calloc(count, sizeof *context->cores);
    context->lists = calloc(count, sizeof *context->lists);
    if (context->cores == NULL || context->lists == NULL) {
        return no_memory(error);
    }
    if (LaunchIsMix(context->view)) {
        list_mix(context);
    } else {
        status = list_merged(context, error);
        name_merged(context);
    }
    return status;
}

/* ---- sentences ---- */

typedef enum Quantity {
    QUANTITY_CYCLES,
    QUANTITY_THROUGHPUT,
    QUANTITY_HIT_RATE,
    QUANTITY_SIMT
} Quantity;

static const struct {
    const char *complaint;
    bool is_bad_when_low;
} quantities[] = {
    [QUANTITY_CYCLES] = { "take more time than", false },
    [QUANTITY_THROUGHPUT] = { "write/read more data than", false },
    [QUANTITY_HIT_RATE] = { "cache hit rate lower than", true },
    [QUANTITY_SIMT] = { "execute more instructions than", false },
};

static double quantity_of(const Core *core, Quantity quantity)
{
    switch (quantity) {
    case QUANTITY_CYCLES: /* whatever ran took some; 0 was not counted */
        return core->cycles == 0 ? OpprofNaF64() : (double) core->cycles;
    case QUANTITY_THROUGHPUT:
        return core->values[LOAD_THROUGHPUT];
    case QUANTITY_HIT_RATE:
        return core->values[LOAD_HIT_RATE];
    case QUANTITY_SIMT:
        break;
    }
    return core->values[LOAD_SIMT];
}

/* The values of a quantity for the cores of one kind, in ascending order. */
typedef struct Others {
    double *values; /* one for each core at most */
    uint32_t count;
    double sum;
} Others;

static int by_value(const void *a, const void *b)
{
    const double *x = a;
    const double *y = b;
    return (*x > *y) - (*x < *y);
}

static bool has_quantity(const Context *context, const Core *core, uint32_t kind, Quantity quantity)
{
    return context->view->keys[core->key].kind == kind &&
           !OpprofIsNaF64(quantity_of(core, quantity));
}

static void collect(const Context *context, uint32_t kind, Quantity quantity, Others *others)
{
    others->count = 0;
    others->sum = 0;
    for (uint32_t i = 0; i < context->core_count; i++) {
        if (has_quantity(context, &context->cores[i], kind, quantity)) {
            const double value = quantity_of(&context->cores[i], quantity);
            others->values[others->count++] = value;
            others->sum += value;
        }
    }
    qsort(others->values, others->count, sizeof *others->values, by_value);
}

/* The median when the value at `without` is left out. */
static double median_without(const Others *others, uint32_t without)
{
    const uint32_t count = others->count - 1;
    const uint32_t low = (count - 1) / 2;
    const uint32_t high = count / 2;

    return (others->values[low + (low >= without)] + others->values[high + (high >= without)]) / 2;
}

static uint32_t place_of(const Others *others, double value)
{
    uint32_t low = 0;
    uint32_t high = others->count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (others->values[middle] < value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/*
 * A core stands out when it is a tenth or more beyond the mean of the other cores of its kind, and
 * beyond their median: a single idle core does not make all others slow.
 */
static bool stands_out(const Others *others, double value, bool is_bad_when_low)
{
    if (others->count < 2) {
        return false;
    }
    const double mean = (others->sum - value) / (others->count - 1);
    const double median = median_without(others, place_of(others, value));
    if (is_bad_when_low) {
        const double least = mean < median ? mean : median;
        return value < least && value * 100 <= least * (100 - LEAST_PERCENT);
    }
    const double most = mean > median ? mean : median;
    return value > most && value * 100 >= most * (100 + LEAST_PERCENT);
}

/* Marks the cores of a kind that stand out. False: none. */
static bool mark(const Context *context, uint32_t kind, Quantity quantity, Others *others,
                 bool *marks)
{
    bool has_any = false;

    collect(context, kind, quantity, others);
    for (uint32_t i = 0; i < context->core_count; i++) {
        const Core *core = &context->cores[i];
        marks[i] =
            has_quantity(context, core, kind, quantity) &&
            stands_out(others, quantity_of(core, quantity), quantities[quantity].is_bad_when_low);
        has_any = has_any || marks[i];
    }
    return has_any;
}

static bool is_twin(const Context *context, const bool *marks, uint32_t index, uint32_t other)
{
    const Core *a = &context->cores[index];
    const Core *b = &context->cores[other];

    return marks[other] && a->said_sub + b->said_sub == 1 &&
           context->view->keys[a->key].kind == context->view->keys[b->key].kind;
}

/*
 * True if the other one of sub-cores 0 and 1 of the same core is marked as well. Cores are sorted
 * by block, so the sub-cores of a core are neighbours.
 */
static bool has_twin(const Context *context, const bool *marks, uint32_t index)
{
    const Core *cores = context->cores;
    const uint32_t core = cores[index].said_core;

    for (uint32_t i = index; i > 0 && cores[i - 1].said_core == core; i--) {
        if (is_twin(context, marks, index, i - 1)) {
            return true;
        }
    }
    for (uint32_t i = index + 1; i < context->core_count && cores[i].said_core == core; i++) {
        if (is_twin(context, marks, index, i)) {
            return true;
        }
    }
    return false;
}

/* A core that a sentence names, and whether its twin is named with it. */
typedef struct Named {
    uint32_t group; /* 0: with its twin; else 1 + its sub-core */
    uint32_t order;
    uint32_t core;
} Named;

static int by_group(const void *a, const void *b)
{
    const Named *x = a;
    const Named *y = b;

    if (x->group != y->group) {
        return x->group < y->group ? -1 : 1;
    }
    return x->order < y->order ? -1 : x->order > y->order;
}

/* The first twin stands for both. */
static uint32_t list_named(const Context *context, const bool *marks, Named *named)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < context->core_count; i++) {
        const uint32_t sub = context->cores[i].said_sub;
        const bool is_pair = marks[i] && sub <= 1 && has_twin(context, marks, i);
        if (marks[i] && !(is_pair && sub == 1)) {
            named[count++] = (Named){ .group = is_pair ? 0 : 1 + sub,
                                      .order = i,
                                      .core = context->cores[i].said_core };
        }
    }
    qsort(named, count, sizeof *named, by_group);
    return count;
}

/* Cores of a kind that differ from the others in something. */
typedef struct Outliers {
    const Named *named;
    uint32_t count;
    uint32_t kind;
    Quantity quantity;
} Outliers;

/* "vector0, vector1 of core[0], vector0 of core[2,3] take more time than other vector cores" */
static void print_sentence(const Context *context, const Outliers *outliers, FILE *out)
{
    const char *kind = OpprofStageString(context->self->stage, outliers->kind);
    const Named *named = outliers->named;

    for (uint32_t i = 0; i < outliers->count; i++) {
        const bool is_new = i == 0 || named[i].group != named[i - 1].group;
        if (is_new && named[i].group == 0) {
            fprintf(out, "%s%s0, %s1 of core[", i == 0 ? "" : "], ", kind, kind);
        } else if (is_new) {
            fprintf(out, "%s%s%u of core[", i == 0 ? "" : "], ", kind, named[i].group - 1);
        }
        fprintf(out, "%s%u", is_new ? "" : ",", named[i].core);
    }
    fprintf(out, "] %s other %s cores", quantities[outliers->quantity].complaint, kind);
}

/* False without memory. */
static bool print_all(const Context *context, FILE *out)
{
    const size_t count = (size_t) context->core_count + 1;
    bool *marks = calloc(count, sizeof *marks);
    Named *named = calloc(count, sizeof *named);
    Others others = { .values = calloc(count, sizeof *others.values) };
    const bool is_good = marks != NULL && named != NULL && others.values != NULL;
    const uint32_t kinds = is_good ? context->compiled->kind_count : 0;
    unsigned number = 0;

    for (Quantity quantity = QUANTITY_CYCLES; quantity <= QUANTITY_SIMT; quantity++) {
        for (uint32_t i = 0; i < kinds; i++) {
            const uint32_t kind = context->compiled->kinds[i];
            if (mark(context, kind, quantity, &others, marks)) {
                const Outliers outliers = { named, list_named(context, marks, named), kind,
                                            quantity };

                fprintf(out, "\t%u) ", ++number);
                print_sentence(context, &outliers, out);
                fputs(".\n", out);
            }
        }
    }
    free(others.values);
    free(marks);
    free(named);
    return is_good;
}

/* The viewer's sentences; free with free(). NULL without memory. */
static char *print_sentences(const Context *context)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = OpprofTextOpen(&text, &size);
    const bool is_good = out != NULL && print_all(context, out);

    if (out == NULL || fclose(out) != 0 || !is_good) {
        free(text);
        text = NULL;
    }
    return text;
}

/* ---- the view ---- */

static uint32_t intern(const Context *context, const char *text)
{
    return PmuIntern(context->self->stage, text);
}

static uint64_t whole(double value)
{
    return OpprofIsNaF64(value) || value < 0 || value >= 18446744073709549568.0 ? OPPROF_NA_U64
                                                                                : (uint64_t) value;
}

/* The viewer reads a number here: 0 if nothing was looked up. What was not counted stays absent. */
static double shown_hit_rate(const Core *core)
{
    const double rate = core->values[LOAD_HIT_RATE];

    return OpprofIsNaF64(rate) && whole(core->values[LOAD_ACCESSES]) == 0 ? 0 : rate;
}

static void put_core(const Context *context, const Core *core, CellWriter *writer)
{
    const OpprofPmuKey *key = &context->view->keys[core->key];
    char id[16];
    char sub_block[16];

    snprintf(id, sizeof id, "%u", core->id);
    snprintf(sub_block, sizeof sub_block, "%u", key->sub_block);
    const CellPlace place = { .group = intern(context, id), .row = key->name };
    CellText(writer, &place, intern(context, "subcore_type"),
             OpprofStageString(context->self->stage, key->kind));
    CellText(writer, &place, intern(context, "subcore_id"), sub_block);
    CellInteger(writer, &place, intern(context, "cycles"), OPPROF_NA_STRING, core->cycles);
    CellInteger(writer, &place, intern(context, "throughput"), intern(context, "bytes"),
                whole(core->values[LOAD_THROUGHPUT]));
    CellReal(writer, &place, intern(context, "L2cache_hit_rate"), intern(context, "%"),
             shown_hit_rate(core));
    if (!OpprofIsNaF64(core->values[LOAD_SIMT])) {
        CellInteger(writer, &place, intern(context, "instructions"), OPPROF_NA_STRING,
                    whole(core->values[LOAD_SIMT]));
        CellReal(writer, &place, intern(context, "instruction_per_cycle"), OPPROF_NA_STRING,
                 core->values[LOAD_SIMT_PER_CYCLE]);
    }
}

static OpprofStatus push_view(const Context *context, OpprofError **error)
{
    const OpprofPmuLaunch *launch = &context->view->launch;
    const CellPlace place = { 0 };
    CellWriter writer;
    char *text = print_sentences(context);

    if (text == NULL) {
        return no_memory(error);
    }
    CellsBegin(&writer, context->self->stage, OUTPUT_VIEW, context->view);
    CellText(&writer, &place, intern(context, "soc"),
             OpprofStageString(context->self->stage, launch->soc));
    CellText(&writer, &place, intern(context, "op_type"),
             OpprofStageString(context->self->stage, launch->op_type));
    CellText(&writer, &place, intern(context, "advice"), text);
    free(text);
    for (uint32_t i = 0; i < context->core_count; i++) {
        put_core(context, &context->cores[i], &writer);
    }
    return CellsEnd(&writer, error);
}

static OpprofStatus analyse(Launches *self, const LaunchView *view, OpprofError **error)
{
    Context context = { .self = self, .view = view };

    if (!OpprofPmuListHas(OpprofStageString(self->stage, view->launch.views), VIEW)) {
        return OPPROF_OK;
    }
    OpprofStatus status =
        PmuMetricsFind(&self->metrics, self->stage, view, compile, &context.metrics, error);
    if (status != OPPROF_OK) {
        return status;
    }
    context.compiled = context.metrics->compiled;
    status = list_cores(&context, error);
    if (status == OPPROF_OK) {
        status = push_view(&context, error);
    }
    free(context.cores);
    free(context.lists);
    return status;
}

static const OpprofPort outputs[] = {
    { .name = "view",
      .record_type = &opprof_occupancy_view_type,
      .summary = "Cycles, throughput and hit rate of each core, and which cores stand out." },
};

LAUNCHES_DEFINE(
    analyse, NULL, outputs, .name = "pmu-occupancy", .summary = "Compares the load of the cores.",
    .help = "Processes launches whose metrics include Occupancy. A core stands out when it is "
            "10 % or more beyond the mean and the median of the other cores of its kind.");
