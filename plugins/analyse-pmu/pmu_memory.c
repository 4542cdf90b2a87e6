/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pmu-memory: how much data moved between the memories of each block, as a map and as tables.
 * Paths, tables and formulas are in the chip file (`metrics.storage`).
 * Tested by tests/plugins/parse-pmu/test_cases.sh.
 */
#include "advice.h"
#include "cells.h"
#include "launches.h"
#include "roofline_model.h"
#include "storage.h"

#include <opprof/grow.h>
#include <opprof/kit/json_out.h>
#include <opprof/plugin.h>
#include <opprof/text.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUTPUT_MAP, OUTPUT_TABLES, OUTPUT_ADVICE };
enum { PATH_REQUESTS, PATH_BANDWIDTH, PATH_PEAK, PATH_VALUES };
enum { CACHE_HIT, CACHE_MISS, CACHE_TOTAL, CACHE_RATE, CACHE_VALUES };

#define BUSY_ENOUGH 20.0 /* percent: a less busy unit gets its advice */

/* An arrow of the map. */
typedef struct MapPath {
    uint32_t name;      /* interned: "L2_TO_UB" */
    uint64_t in;        /* as in StorageRow */
    uint32_t of;        /* interned kind of core; absent: whole block */
    uint32_t sub_block; /* OPPROF_NA_U32: any */
    bool is_optional;   /* left out when it has no requests */
    const char *suffix; /* appended to its values; borrowed */
    const OpprofFormula *values[PATH_VALUES];
} MapPath;

typedef struct Compiled {
    StorageModel model;
    RooflineModel roofs;
    MapPath *paths;
    uint32_t path_count;
    const OpprofFormula *cache[CACHE_VALUES]; /* NULL: the map shows no cache */
} Compiled;

/* A sentence of a block's tables. */
typedef struct BlockAdvice {
    char *text;
    char *numbers;
    AdviceNumber shown;
    uint32_t row; /* interned: what it is about */
    uint32_t number;
} BlockAdvice;

/* The current launch. */
typedef struct Context {
    const Launches *self;
    PmuMetrics *metrics;
    Compiled *compiled;
    const LaunchView *view;
    BlockAdvice *advice; /* of the current block */
    uint32_t advice_count;
    uint32_t advice_capacity;
    Advice whole;         /* of all blocks */
    uint64_t type;        /* bit of the operator's type */
    uint64_t beyond_full; /* shares above 100 % */
    uint64_t longest;     /* cycles of the longest key, which the launch waits for */
    double below_roof;    /* percent of the time that no roof holds back */
    double busy;          /* see busy_of */
    bool has_busy;        /* it was searched already */
    CellWriter *writer;
    CellPlace place;
    uint32_t row;    /* key that the inputs of the formulas are set to */
    bool is_row_set; /* is set */
} Context;

/* A table that the current block has. */
typedef struct ShownTable {
    char *name;
    const StorageTable *table;
    uint32_t key;
} ShownTable;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "make memory views");
}

static OpprofStatus bad(const PmuMetrics *metrics, const char *what, OpprofError **error)
{
    return OpprofChipRefuse(metrics->chip, "metrics.storage.map", error, "%s", what);
}

/* ---- compiling ---- */

static void forget(void *compiled)
{
    Compiled *self = compiled;

    StorageModelFinish(&self->model);
    RooflineFinish(&self->roofs);
    free(self->paths);
    free(self);
}

static OpprofStatus compile_path(PmuMetrics *metrics, Compiled *compiled, const PathFacts *facts,
                                 OpprofError **error)
{
    const StorageFacts *storage = &compiled->model.facts;
    const ShapeFacts *shape = StorageShapeFind(storage, "requests_peak");
    MapPath *path = &compiled->paths[compiled->path_count++];
    const OpprofFact *row = facts->fact;

    if (facts->rows != NULL) {
        const RowFacts *other = StorageRowFind(storage, facts->rows, facts->row);

        row = other == NULL ? NULL : other->fact;
    }
    if (row == NULL || facts->name == NULL || shape == NULL) {
        return bad(metrics, "a path has no name, or its row or shape does not exist", error);
    }
    *path = (MapPath){
        .name = PmuIntern(metrics->stage, facts->name),
        .in = StorageTypes(&compiled->model.types, metrics->stage, &facts->in),
        .of = PmuIntern(metrics->stage, facts->of),
        .sub_block = facts->sub,
        .is_optional = facts->is_optional,
        .suffix = facts->suffix,
    };
    return StorageShapeCompile(metrics, shape, row, path->values, PATH_VALUES, error);
}

static OpprofStatus compile_map(PmuMetrics *metrics, Compiled *compiled, OpprofError **error)
{
    const StorageFacts *facts = &compiled->model.facts;
    OpprofStatus status = OPPROF_OK;

    compiled->paths = calloc((size_t) facts->path_count + 1, sizeof *compiled->paths);
    if (compiled->paths == NULL) {
        return no_memory(error);
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < facts->path_count; i++) {
        status = compile_path(metrics, compiled, &facts->paths[i], error);
    }
    if (status == OPPROF_OK && facts->cache_rows != NULL) {
        const RowFacts *row = StorageRowFind(facts, facts->cache_rows, facts->cache_row);
        const ShapeFacts *shape = StorageShapeFind(facts, "hits");

        status = row == NULL || shape == NULL
                     ? bad(metrics, "the row for the cache does not exist, or its shape", error)
                     : StorageShapeCompile(metrics, shape, row->fact, compiled->cache, CACHE_VALUES,
                                           error);
    }
    return status;
}

static OpprofStatus compile(PmuMetrics *metrics, OpprofError **error)
{
    Compiled *compiled = calloc(1, sizeof *compiled);

    metrics->compiled = compiled;
    metrics->forget = forget;
    if (compiled == NULL) {
        return no_memory(error);
    }
    OpprofStatus status = StorageModelCompile(&compiled->model, metrics, error);

    if (status == OPPROF_OK) {
        status = RooflineCompile(&compiled->roofs, metrics, error);
    }
    return status == OPPROF_OK ? compile_map(metrics, compiled, error) : status;
}

/* ---- helpers ---- */

static uint32_t intern(const Context *context, const char *text)
{
    return PmuIntern(context->self->stage, text);
}

static void set_row(Context *context, uint32_t key)
{
    if (context->is_row_set && context->row == key) {
        return;
    }
    const PmuRow row = RowOfKey(context->view, key);
    PmuMetricsSetRow(context->metrics, context->view, &row);
    context->row = key;
    context->is_row_set = true;
}

/* The block's key that a table, path or unit stands for; end: none. */
static uint32_t find_key(const Context *context, uint32_t first, uint32_t end, uint32_t of,
                         uint32_t sub_block)
{
    uint32_t key = first;

    while (key < end && !StorageIsOf(context->view, &context->view->keys[key], of, sub_block)) {
        key++;
    }
    return key;
}

static void set_group(Context *context, uint32_t key)
{
    char block[16];

    snprintf(block, sizeof block, "%u", context->view->keys[key].block);
    context->place = (CellPlace){
        .group = (context->view->launch.flags & OPPROF_PMU_LAUNCH_ONE_KEY) != 0
                     ? OPPROF_NA_STRING
                     : intern(context, block),
    };
}

/* ---- the map ---- */

static void put_cache(Context *context, uint32_t first)
{
    static const char *const columns[CACHE_VALUES] = { "hit", "miss", "total_request",
                                                       "hit_ratio" };
    CellPlace place = context->place;

    if (context->compiled->cache[0] == NULL) {
        return;
    }
    place.table = intern(context, "L2cache");
    set_row(context, first);
    for (size_t i = 0; i < CACHE_VALUES; i++) {
        CellFormula(context->writer, &place, intern(context, columns[i]), OPPROF_NA_STRING,
                    context->metrics, context->compiled->cache[i]);
    }
}

/* A table of metrics that shows the number, if the launch's groups include it. */
static void find_number(const Context *context, const StorageNumber *shown, AdviceNumber *number)
{
    const char *groups = OpprofStageString(context->self->stage, context->view->launch.groups);
    const double value =
        shown->table == NULL
            ? OpprofNaF64()
            : OpprofFormulaReal(shown->value, OpprofMetricsInputs(context->metrics->metrics));

    if (!OpprofIsNaF64(value) && OpprofPmuListHas(groups, shown->table)) {
        number->table = shown->table;
        number->column = shown->column;
        number->unit = shown->unit;
        number->value = value;
    }
}

static uint64_t longest_of(const LaunchView *view)
{
    uint64_t most = 0;

    for (uint32_t i = 0; i < view->key_count; i++) {
        most = view->keys[i].cycles > most ? view->keys[i].cycles : most;
    }
    return most;
}

/* A share of a key's cycles as a share of the longest one's. */
static double scale_to_longest(const Context *context, uint32_t key, double share)
{
    return context->longest == 0
               ? 0
               : share * (double) context->view->keys[key].cycles / (double) context->longest;
}

/* How long the pipe or unit that was busy longest was busy, in percent of the longest key's time;
 * 100 if unknown. */
static double search_busy(const Context *context)
{
    bool has_any = false;
    double most = 0;

    for (uint32_t key = 0; key < context->view->key_count; key++) {
        StorageBusiest busiest = { .name = NULL };
        double busy;

        StorageBusiestLook(&context->compiled->model, context->metrics, context->view,
                           context->self->stage, key, &busiest);
        if (busiest.has_unknown) {
            return 100;
        }
        has_any = has_any || busiest.name != NULL;
        busy = scale_to_longest(context, key, busiest.percent);
        most = busy > most ? busy : most;
    }
    return has_any ? most : 100;
}

/* The same, searched once: the launch cannot take less time. */
static double busy_of(Context *context)
{
    if (!context->has_busy) {
        context->busy = search_busy(context);
        context->has_busy = true;
        context->is_row_set = false;
    }
    return context->busy;
}

static void put_unit(Context *context, const StorageUnit *unit, uint32_t key)
{
    const OpprofInputs *inputs = OpprofMetricsInputs(context->metrics->metrics);
    CellPlace place = context->place;

    set_row(context, key);
    const uint64_t cycles = context->view->keys[key].cycles;
    const double share = OpprofFormulaReal(unit->share, inputs);
    place.table = unit->name;
    CellFormula(context->writer, &place, intern(context, "cycle"), OPPROF_NA_STRING,
                context->metrics, unit->cycle);
    CellInteger(context->writer, &place, intern(context, "total_cycles"), OPPROF_NA_STRING, cycles);
    CellReal(context->writer, &place, intern(context, "ratio"), intern(context, "%"), share);
    context->beyond_full += !OpprofIsNaF64(share) && share > 100;
    if (unit->below != NULL && !OpprofIsNaF64(share) && share < BUSY_ENOUGH) {
        CellText(context->writer, &context->place, intern(context, "advice"), unit->below);
        AdviceNumber number = {
            .file = VIEWS_FILE, .column = "ratio", .unit = "%", .value = share
        };

        find_number(context, &unit->shown, &number);
        number.gain = fmin(100 - busy_of(context), context->below_roof);
        set_row(context, key);
        AdviceAdd(&context->whole, unit->below, &number,
                  "%s of block %u: total_cycles=%llu, ratio=%.4g %%",
                  OpprofStageString(context->self->stage, unit->name),
                  context->view->keys[key].block, (unsigned long long) cycles, share);
    }
}

static void put_path(Context *context, const MapPath *path, uint32_t key)
{
    const OpprofInputs *inputs = OpprofMetricsInputs(context->metrics->metrics);
    CellPlace place = context->place;

    set_row(context, key);
    if (path->is_optional &&
        OpprofFormulaCount(path->values[PATH_REQUESTS], inputs) == OPPROF_NA_U64) {
        return;
    }
    place.table = intern(context, "memory_unit");
    place.row = path->name;
    CellFormula(context->writer, &place, intern(context, "request"), OPPROF_NA_STRING,
                context->metrics, path->values[PATH_REQUESTS]);
    CellFormula(context->writer, &place, intern(context, "bandwidth"), intern(context, "GiB/s"),
                context->metrics, path->values[PATH_BANDWIDTH]);
    CellReal(context->writer, &place, intern(context, "peak_ratio"), intern(context, "%"),
             OpprofFormulaReal(path->values[PATH_PEAK], inputs));
    if (path->suffix != NULL) {
        CellText(context->writer, &place, intern(context, "suffix"), path->suffix);
    }
}

static void put_block_map(Context *context, uint32_t first, uint32_t end)
{
    const Compiled *compiled = context->compiled;
    const OpprofPmuLaunch *launch = &context->view->launch;

    set_group(context, first);
    CellText(context->writer, &context->place, intern(context, "op_type"),
             OpprofStageString(context->self->stage, launch->op_type));
    CellText(context->writer, &context->place, intern(context, "layout"),
             compiled->model.facts.layout);
    CellText(context->writer, &context->place, intern(context, "memory_detail"),
             (launch->flags & OPPROF_PMU_LAUNCH_MEMORY_DETAIL) != 0 ? "1" : "0");
    put_cache(context, first);
    for (uint32_t i = 0; i < compiled->model.unit_count; i++) {
        const StorageUnit *unit = &compiled->model.units[i];
        const uint32_t key = find_key(context, first, end, unit->of, unit->sub_block);
        if ((unit->in & context->type) != 0 && key < end) {
            put_unit(context, unit, key);
        }
    }
    for (uint32_t i = 0; i < compiled->path_count; i++) {
        const MapPath *path = &compiled->paths[i];
        const uint32_t key = find_key(context, first, end, path->of, path->sub_block);
        if ((path->in & context->type) != 0 && key < end) {
            put_path(context, path, key);
        }
    }
}

/* ---- tables ---- */

static int by_name(const void *a, const void *b)
{
    const ShownTable *x = a;
    const ShownTable *y = b;
    return strcmp(x->name, y->name);
}

static void free_shown(ShownTable *shown, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        free(shown[i].name);
    }
    free(shown);
}

static bool is_whole_block(const Context *context, const StorageTable *table)
{
    return table->of == OPPROF_NA_STRING && LaunchIsMix(context->view);
}

/* The tables of a block, sorted by name; NULL without memory. */
static ShownTable *list_tables(const Context *context, uint32_t first, uint32_t end,
                               uint32_t *ret_count)
{
    const StorageModel *model = &context->compiled->model;
    ShownTable *shown = calloc((size_t) model->table_count * (end - first) + 1, sizeof *shown);
    uint32_t count = 0;

    for (uint32_t i = 0; shown != NULL && i < model->table_count; i++) {
        const StorageTable *table = &model->tables[i];
        const uint32_t stop = is_whole_block(context, table) ? first + 1 : end;
        for (uint32_t key = first; key < stop; key++) {
            if ((table->in & context->type) == 0 ||
                !StorageIsOf(context->view, &context->view->keys[key], table->of,
                             table->sub_block)) {
                continue;
            }
            char *name =
                StorageText(table->facts->name, context->view->keys[key].sub_block, NULL, NULL);
            if (name == NULL) {
                free_shown(shown, count);
                return NULL;
            }
            shown[count++] = (ShownTable){ .name = name, .table = table, .key = key };
        }
    }
    if (shown != NULL) {
        qsort(shown, count, sizeof *shown, by_name);
    }
    *ret_count = count;
    return shown;
}

static void put_row(Context *context, const StorageTable *table, const StorageRow *row)
{
    const OpprofInputs *inputs = OpprofMetricsInputs(context->metrics->metrics);

    context->place.row = row->name;
    for (uint32_t i = 0; i < table->column_count; i++) {
        CellFormula(context->writer, &context->place, table->columns[i].name,
                    table->columns[i].unit, context->metrics, row->values[i]);
    }
    if (table->busy != OPPROF_NA_U32) {
        const double busy = OpprofFormulaReal(row->values[table->busy], inputs);
        context->beyond_full += !OpprofIsNaF64(busy) && busy > 100;
    }
}

static bool is_there(const Context *context, const StorageRow *row)
{
    return (row->in & context->type) != 0 &&
           (row->option == NULL || StorageHolds(context->metrics, row->option));
}

/* "MTE2 of block 0: cycle=5, active rate(%)=50.1": the row that the sentence is about. NULL without
 * memory. */
static char *print_numbers(const Context *context, const ShownTable *shown, const StorageRow *row)
{
    const OpprofInputs *inputs = OpprofMetricsInputs(context->metrics->metrics);
    OpprofJsonOut out = { .text = NULL }; /* where a memory stream would be slow */
    const char *separator = " ";
    char number[OPPROF_TEXT_NUMBER];

    snprintf(number, sizeof number, " of block %u:", context->view->keys[shown->key].block);
    OpprofJsonPutRaw(&out, OpprofStageString(context->self->stage, row->name));
    OpprofJsonPutRaw(&out, number);
    for (uint32_t i = 0; i < shown->table->column_count; i++) {
        const double value = OpprofFormulaReal(row->values[i], inputs);
        if (!OpprofIsNaF64(value)) {
            /* Counts are exact, whatever their size; of a share, six digits were five of noise. */
            snprintf(number, sizeof number, value == trunc(value) ? "=%.0f" : "=%.4g", value);
            OpprofJsonPutRaw(&out, separator);
            OpprofJsonPutRaw(
                &out, OpprofStageString(context->self->stage, shown->table->columns[i].name));
            OpprofJsonPutRaw(&out, number);
            separator = ", ";
        }
    }
    OpprofJsonPutBytes(&out, "", 1);
    if (out.is_short) {
        OpprofJsonOutFinish(&out);
    }
    return out.text;
}

static AdviceNumber number_of_row(const Context *context, const ShownTable *shown,
                                  const StorageRow *row)
{
    const StorageTable *table = shown->table;
    const OpprofInputs *inputs = OpprofMetricsInputs(context->metrics->metrics);
    AdviceNumber number = { .value = OpprofNaF64() };

    if (table->busy != OPPROF_NA_U32) {
        number = (AdviceNumber){
            .file = VIEWS_FILE,
            .column = OpprofStageString(context->self->stage, table->columns[table->busy].name),
            .unit = "%",
            .value = OpprofFormulaReal(row->values[table->busy], inputs),
        };
    }
    find_number(context, &row->shown, &number);
    if (row->gain != NULL) {
        const double gain = OpprofFormulaReal(row->gain, inputs);
        number.gain = OpprofIsNaF64(gain) ? 0 : scale_to_longest(context, shown->key, gain);
        number.gain = fmin(number.gain, context->below_roof);
    }
    return number;
}

/* Where the sentence about a row stands that takes the place of this one; NULL: nowhere. */
static BlockAdvice *find_said(const Context *context, const char *text, uint32_t row)
{
    for (uint32_t i = 0; context->compiled->model.facts.advice_once && i < context->advice_count;
         i++) {
        if (context->advice[i].row == row && strcmp(context->advice[i].text, text) == 0) {
            return &context->advice[i];
        }
    }
    return NULL;
}

/* Of a sentence that is said once, the core with the largest gain counts; its numbers need not be
 * printed otherwise. */
static OpprofStatus say_again(const Context *context, const ShownTable *shown,
                              const StorageRow *row, BlockAdvice *said, OpprofError **error)
{
    const AdviceNumber number = number_of_row(context, shown, row);

    if (AdviceGainsMore(&number, &said->shown)) {
        char *numbers = print_numbers(context, shown, row);

        if (numbers == NULL) {
            return no_memory(error);
        }
        free(said->numbers);
        said->numbers = numbers;
        said->shown = number;
    }
    return OPPROF_OK;
}

static OpprofStatus keep_advice(Context *context, const ShownTable *shown, const StorageRow *row,
                                OpprofError **error)
{
    if (!OpprofGrow32(&context->advice, &context->advice_capacity,
                      (size_t) context->advice_count + 1, sizeof *context->advice)) {
        return no_memory(error);
    }
    char *text = StorageText(shown->table->say, context->view->keys[shown->key].sub_block,
                             shown->table->who, OpprofStageString(context->self->stage, row->name));
    BlockAdvice *said = text == NULL ? NULL : find_said(context, text, row->name);
    if (said != NULL) {
        free(text);
        return say_again(context, shown, row, said, error);
    }
    char *numbers = text == NULL ? NULL : print_numbers(context, shown, row);
    if (numbers == NULL) {
        free(text);
        return no_memory(error);
    }
    context->advice[context->advice_count] = (BlockAdvice){
        .text = text,
        .numbers = numbers,
        .shown = number_of_row(context, shown, row),
        .row = row->name,
        .number = context->advice_count,
    };
    context->advice_count++;
    return OPPROF_OK;
}

static int by_number(const void *a, const void *b)
{
    const BlockAdvice *x = a;
    const BlockAdvice *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* If the chip file wants each sentence once, sentences about one row stay together. */
static void sort_advice(Context *context)
{
    for (uint32_t i = 0; i < context->advice_count; i++) {
        BlockAdvice *one = &context->advice[i];
        uint32_t rank = 0;
        for (uint32_t k = 0; k < context->advice_count; k++) {
            rank += strcmp(OpprofStageString(context->self->stage, context->advice[k].row),
                           OpprofStageString(context->self->stage, one->row)) < 0;
        }
        one->number = rank * context->advice_count + i;
    }
    qsort(context->advice, context->advice_count, sizeof *context->advice, by_number);
}

static void put_advice(Context *context)
{
    const CellPlace place = { .group = context->place.group };
    const bool is_once = context->compiled->model.facts.advice_once;

    if (is_once && context->advice_count > 0) {
        sort_advice(context);
    }
    for (uint32_t i = 0; i < context->advice_count; i++) {
        bool is_new = true;
        for (uint32_t k = 0; is_once && is_new && k < i; k++) {
            is_new = strcmp(context->advice[k].text, context->advice[i].text) != 0;
        }
        if (is_new) {
            CellText(context->writer, &place, intern(context, "advice"), context->advice[i].text);
            AdviceAdd(&context->whole, context->advice[i].text, &context->advice[i].shown, "%s",
                      context->advice[i].numbers);
        }
    }
    for (uint32_t i = 0; i < context->advice_count; i++) {
        free(context->advice[i].text);
        free(context->advice[i].numbers);
    }
    context->advice_count = 0;
}

/* The rows, which stay together, and then their advice. */
static OpprofStatus put_table(Context *context, const ShownTable *shown, OpprofError **error)
{
    const StorageTable *table = shown->table;
    OpprofStatus status = OPPROF_OK;

    set_row(context, shown->key);
    context->place.table = intern(context, shown->name);
    for (uint32_t i = 0; i < table->row_count; i++) {
        if (is_there(context, &table->rows[i])) {
            put_row(context, table, &table->rows[i]);
        }
    }
    for (uint32_t i = 0; status == OPPROF_OK && table->say != NULL && i < table->row_count; i++) {
        const StorageRow *row = &table->rows[i];
        if (row->advice != NULL && is_there(context, row) &&
            StorageHolds(context->metrics, row->advice)) {
            status = keep_advice(context, shown, row, error);
        }
    }
    return status;
}

static OpprofStatus put_block_tables(Context *context, uint32_t first, uint32_t end,
                                     OpprofError **error)
{
    uint32_t count = 0;
    ShownTable *shown = list_tables(context, first, end, &count);
    OpprofStatus status = OPPROF_OK;

    if (shown == NULL) {
        return no_memory(error);
    }
    set_group(context, first);
    CellText(context->writer, &context->place, intern(context, "table_op_type"),
             OpprofStageString(context->self->stage, context->view->launch.op_type));
    for (uint32_t i = 0; status == OPPROF_OK && i < count; i++) {
        status = put_table(context, &shown[i], error);
    }
    put_advice(context);
    free_shown(shown, count);
    return status;
}

/* ---- launches ---- */

static OpprofStatus push_map(Context *context, OpprofError **error)
{
    const LaunchView *view = context->view;
    CellWriter writer;

    CellsBegin(&writer, context->self->stage, OUTPUT_MAP, view);
    context->writer = &writer;
    for (uint32_t first = 0; first < view->key_count; first = LaunchBlockEnd(view, first)) {
        put_block_map(context, first, LaunchBlockEnd(view, first));
    }
    return CellsEnd(&writer, error);
}

/* How much shorter the launch could be before it meets a roof, which no gain changes. */
static OpprofStatus measure_roof(Context *context, OpprofError **error)
{
    const RooflineLaunch launch = {
        .model = &context->compiled->roofs,
        .metrics = context->metrics,
        .view = context->view,
        .type = StorageTypeBit(&context->compiled->roofs.types, context->view->launch.op_type),
    };
    const OpprofStatus status = RooflineMeasure(&launch, error);

    context->below_roof = status == OPPROF_OK ? 100 - 100 * RooflineReached(&launch) : 100;
    context->is_row_set = false;
    return status;
}

static OpprofStatus push_tables(Context *context, OpprofError **error)
{
    const LaunchView *view = context->view;
    CellWriter writer;
    OpprofStatus status = OPPROF_OK;

    CellsBegin(&writer, context->self->stage, OUTPUT_TABLES, view);
    context->writer = &writer;
    for (uint32_t first = 0; status == OPPROF_OK && first < view->key_count;
         first = LaunchBlockEnd(view, first)) {
        status = put_block_tables(context, first, LaunchBlockEnd(view, first), error);
    }
    free(context->advice);
    const OpprofStatus end = CellsEnd(&writer, error);
    return status == OPPROF_OK ? end : status;
}

static OpprofStatus analyse(Launches *self, const LaunchView *view, OpprofError **error)
{
    Context context = { .self = self, .view = view, .longest = longest_of(view) };

    OpprofStatus status =
        PmuMetricsFind(&self->metrics, self->stage, view, compile, &context.metrics, error);
    if (status != OPPROF_OK) {
        return status;
    }
    context.compiled = context.metrics->compiled;
    context.type = StorageTypeBit(&context.compiled->model.types, view->launch.op_type);
    status = measure_roof(&context, error);
    if (status == OPPROF_OK && OpprofStageHasReader(self->stage, OUTPUT_MAP)) {
        status = push_map(&context, error);
    }
    if (status == OPPROF_OK && OpprofStageHasReader(self->stage, OUTPUT_TABLES)) {
        status = push_tables(&context, error);
    }
    if (status == OPPROF_OK) {
        status = AdvicePush(
            &context.whole,
            &(AdviceTarget){ self->stage, OUTPUT_ADVICE, OPPROF_SEVERITY_HINT, "memory" }, view,
            error);
    }
    AdviceFinish(&context.whole);
    if (context.beyond_full > 0) {
        OpprofStageWarn(self->stage,
                        "Launch '%s': %llu %s above 100%%, since "
                        "counters and cycles come from different replays",
                        OpprofStageString(self->stage, view->batch->partition),
                        (unsigned long long) context.beyond_full,
                        OPPROF_PLURAL(context.beyond_full, "share of a core's cycles is",
                                      "shares of a core's cycles are"));
    }
    return status;
}

static const OpprofPort outputs[] = {
    { .name = "map",
      .record_type = &opprof_storage_map_view_type,
      .summary = "Traffic on each path of a block, and how busy its units were." },
    { .name = "tables",
      .record_type = &opprof_storage_view_type,
      .summary = "Tables of the traffic of each block's memories, caches and pipes." },
    ADVICE_OUTPUT,
};

LAUNCHES_DEFINE(analyse, NULL, outputs, .name = "pmu-memory",
                .summary = "Shows what moved between the memories of each block.",
                .help = "The chip file defines paths, tables and formulas.");
