/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pmu-memory: how much data moved between the memories of each block, as a map and as tables.
 * Paths, tables and formulas are in the chip file (`metrics.storage`).
 * Tested by tests/plugins/parse-pmu/test_cases.sh.
 */
#include "cells.h"
#include "launches.h"
#include "storage.h"

#include <opprof/grow.h>
#include <opprof/plugin.h>
#include <opprof/text.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUTPUT_MAP, OUTPUT_TABLES };
enum { PATH_REQUESTS, PATH_BANDWIDTH, PATH_PEAK, PATH_VALUES };
enum { CACHE_HIT, CACHE_MISS, CACHE_TOTAL, CACHE_RATE, CACHE_VALUES };

/* Limits of the viewer's sentences. */
#define BUSY_ENOUGH 20.0 /* percent of the time that a unit is busy */
#define NEAR_PEAK 0.8    /* share of its peak that a busy pipe reaches */

/* Words of cells, interned once. */
typedef enum Word {
    WORD_ADVICE,
    WORD_BANDWIDTH,
    WORD_CACHE,
    WORD_CYCLE,
    WORD_HIT,
    WORD_HIT_RATIO,
    WORD_LAYOUT,
    WORD_MEMORY_DETAIL,
    WORD_MEMORY_UNIT,
    WORD_MISS,
    WORD_OP_TYPE,
    WORD_PEAK_RATIO,
    WORD_PERCENT,
    WORD_RATE,
    WORD_RATIO,
    WORD_REQUEST,
    WORD_SUFFIX,
    WORD_TABLE_OP_TYPE,
    WORD_TOTAL_CYCLES,
    WORD_TOTAL_REQUEST,
    WORDS
} Word;

static const char *const words[WORDS] = {
    [WORD_ADVICE] = "advice",
    [WORD_BANDWIDTH] = "bandwidth",
    [WORD_CACHE] = "L2cache",
    [WORD_CYCLE] = "cycle",
    [WORD_HIT] = "hit",
    [WORD_HIT_RATIO] = "hit_ratio",
    [WORD_LAYOUT] = "layout",
    [WORD_MEMORY_DETAIL] = "memory_detail",
    [WORD_MEMORY_UNIT] = "memory_unit",
    [WORD_MISS] = "miss",
    [WORD_OP_TYPE] = "op_type",
    [WORD_PEAK_RATIO] = "peak_ratio",
    [WORD_PERCENT] = "%",
    [WORD_RATE] = "GiB/s",
    [WORD_RATIO] = "ratio",
    [WORD_REQUEST] = "request",
    [WORD_SUFFIX] = "suffix",
    [WORD_TABLE_OP_TYPE] = "table_op_type",
    [WORD_TOTAL_CYCLES] = "total_cycles",
    [WORD_TOTAL_REQUEST] = "total_request",
};

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
    MapPath *paths;
    uint32_t path_count;
    const OpprofFormula *cache[CACHE_VALUES]; /* NULL: the map shows no cache */
    uint32_t words[WORDS];                    /* interned */
} Compiled;

/* A sentence of the viewer on a block's tables. */
typedef struct Sentence {
    char *text;
    uint32_t row; /* interned: what it is about */
    uint32_t number;
} Sentence;

/* The current launch. */
typedef struct Context {
    const Launches *self;
    PmuMetrics *metrics;
    Compiled *compiled;
    const LaunchView *view;
    Sentence *sentences; /* of the current block */
    uint32_t sentence_count;
    uint32_t sentence_capacity;
    uint64_t type;        /* bit of the operator's type */
    uint64_t beyond_full; /* shares above 100 % */
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
    for (uint32_t i = 0; i < WORDS; i++) {
        compiled->words[i] = PmuIntern(metrics->stage, words[i]);
    }
    const OpprofStatus status = StorageModelCompile(&compiled->model, metrics, error);

    return status == OPPROF_OK ? compile_map(metrics, compiled, error) : status;
}

/* ---- helpers ---- */

static uint32_t intern(const Context *context, const char *text)
{
    return PmuIntern(context->self->stage, text);
}

static uint32_t word(const Context *context, Word number)
{
    return context->compiled->words[number];
}

static void set_row(Context *context, uint32_t key)
{
    if (context->is_row_set && context->row == key) {
        return;
    }
    PmuMetricsSetKey(context->metrics, context->view, key);
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
    static const Word columns[CACHE_VALUES] = { WORD_HIT, WORD_MISS, WORD_TOTAL_REQUEST,
                                                WORD_HIT_RATIO };
    CellPlace place = context->place;

    if (context->compiled->cache[0] == NULL) {
        return;
    }
    place.table = word(context, WORD_CACHE);
    set_row(context, first);
    for (size_t i = 0; i < CACHE_VALUES; i++) {
        CellFormula(context->writer, &place, word(context, columns[i]), OPPROF_NA_STRING,
                    context->metrics, context->compiled->cache[i]);
    }
}

static void put_unit(Context *context, const StorageUnit *unit, uint32_t key)
{
    const OpprofInputs *inputs = OpprofMetricsInputs(context->metrics->metrics);
    CellPlace place = context->place;

    set_row(context, key);
    const uint64_t cycles = context->view->keys[key].cycles;
    const double share = OpprofFormulaReal(unit->share, inputs);
    place.table = unit->name;
    CellFormula(context->writer, &place, word(context, WORD_CYCLE), OPPROF_NA_STRING,
                context->metrics, unit->cycle);
    CellInteger(context->writer, &place, word(context, WORD_TOTAL_CYCLES), OPPROF_NA_STRING,
                cycles);
    CellReal(context->writer, &place, word(context, WORD_RATIO), word(context, WORD_PERCENT),
             share);
    context->beyond_full += !OpprofIsNaF64(share) && share > 100;
    if (unit->below != NULL && !OpprofIsNaF64(share) && share < BUSY_ENOUGH) {
        CellText(context->writer, &context->place, word(context, WORD_ADVICE), unit->below);
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
    place.table = word(context, WORD_MEMORY_UNIT);
    place.row = path->name;
    CellFormula(context->writer, &place, word(context, WORD_REQUEST), OPPROF_NA_STRING,
                context->metrics, path->values[PATH_REQUESTS]);
    CellFormula(context->writer, &place, word(context, WORD_BANDWIDTH), word(context, WORD_RATE),
                context->metrics, path->values[PATH_BANDWIDTH]);
    CellReal(context->writer, &place, word(context, WORD_PEAK_RATIO), word(context, WORD_PERCENT),
             OpprofFormulaReal(path->values[PATH_PEAK], inputs));
    if (path->suffix != NULL) {
        CellText(context->writer, &place, word(context, WORD_SUFFIX), path->suffix);
    }
}

static void put_block_map(Context *context, uint32_t first, uint32_t end)
{
    const Compiled *compiled = context->compiled;
    const OpprofPmuLaunch *launch = &context->view->launch;

    set_group(context, first);
    CellText(context->writer, &context->place, word(context, WORD_OP_TYPE),
             OpprofStageString(context->self->stage, launch->op_type));
    CellText(context->writer, &context->place, word(context, WORD_LAYOUT),
             compiled->model.facts.layout);
    CellText(context->writer, &context->place, word(context, WORD_MEMORY_DETAIL),
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
            if (!StorageHasTable(context->view, table, &context->view->keys[key], context->type)) {
                continue;
            }
            char *name = StorageText(table->facts->name, context->view->keys[key].sub_block);
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

/* A chip may want each sentence once in a block, and those about one row together. */
static bool is_said(const Context *context, const char *text, uint32_t row)
{
    for (uint32_t i = 0; context->compiled->model.facts.advice_once && i < context->sentence_count;
         i++) {
        if (context->sentences[i].row == row && strcmp(context->sentences[i].text, text) == 0) {
            return true;
        }
    }
    return false;
}

static OpprofStatus keep_sentence(Context *context, const ShownTable *shown, const StorageRow *row,
                                  OpprofError **error)
{
    char *text = NULL;

    if (!OpprofGrow32(&context->sentences, &context->sentence_capacity,
                      (uint64_t) context->sentence_count + 1, sizeof *context->sentences) ||
        asprintf(&text, "%s%s bandwidth utilization lower than 80%% when active", shown->table->who,
                 OpprofStageString(context->self->stage, row->name)) < 0) {
        return no_memory(error);
    }
    if (is_said(context, text, row->name)) {
        free(text);
        return OPPROF_OK;
    }
    context->sentences[context->sentence_count] =
        (Sentence){ .text = text, .row = row->name, .number = context->sentence_count };
    context->sentence_count++;
    return OPPROF_OK;
}

static int by_number(const void *a, const void *b)
{
    const Sentence *x = a;
    const Sentence *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void sort_sentences(Context *context)
{
    for (uint32_t i = 0; i < context->sentence_count; i++) {
        Sentence *one = &context->sentences[i];
        uint32_t rank = 0;
        for (uint32_t k = 0; k < context->sentence_count; k++) {
            rank += strcmp(OpprofStageString(context->self->stage, context->sentences[k].row),
                           OpprofStageString(context->self->stage, one->row)) < 0;
        }
        one->number = rank * context->sentence_count + i;
    }
    qsort(context->sentences, context->sentence_count, sizeof *context->sentences, by_number);
}

static void put_sentences(Context *context)
{
    const CellPlace place = { .group = context->place.group };
    const bool is_once = context->compiled->model.facts.advice_once;

    if (is_once && context->sentence_count > 0) {
        sort_sentences(context);
    }
    for (uint32_t i = 0; i < context->sentence_count; i++) {
        bool is_new = true;
        for (uint32_t k = 0; is_once && is_new && k < i; k++) {
            is_new = strcmp(context->sentences[k].text, context->sentences[i].text) != 0;
        }
        if (is_new) {
            CellText(context->writer, &place, word(context, WORD_ADVICE),
                     context->sentences[i].text);
        }
    }
    while (context->sentence_count > 0) {
        free(context->sentences[--context->sentence_count].text);
    }
}

/* The rows, which stay together, and then the sentences about them. */
static OpprofStatus put_table(Context *context, const ShownTable *shown, OpprofError **error)
{
    const StorageTable *table = shown->table;
    const OpprofInputs *inputs;
    OpprofStatus status = OPPROF_OK;

    set_row(context, shown->key);
    inputs = OpprofMetricsInputs(context->metrics->metrics);
    context->place.table = intern(context, shown->name);
    for (uint32_t i = 0; i < table->row_count; i++) {
        if (StorageHasRow(context->metrics, &table->rows[i], context->type)) {
            put_row(context, table, &table->rows[i]);
        }
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < table->row_count; i++) {
        const StorageRow *row = &table->rows[i];

        if (row->of_peak != NULL && StorageHasRow(context->metrics, row, context->type) &&
            OpprofFormulaReal(row->of_peak, inputs) < NEAR_PEAK) {
            status = keep_sentence(context, shown, row, error);
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
    CellText(context->writer, &context->place, word(context, WORD_TABLE_OP_TYPE),
             OpprofStageString(context->self->stage, context->view->launch.op_type));
    for (uint32_t i = 0; status == OPPROF_OK && i < count; i++) {
        status = put_table(context, &shown[i], error);
    }
    put_sentences(context);
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
    free(context->sentences);
    const OpprofStatus end = CellsEnd(&writer, error);
    return status == OPPROF_OK ? end : status;
}

static OpprofStatus analyse(Launches *self, const LaunchView *view, OpprofError **error)
{
    Context context = { .self = self, .view = view };

    OpprofStatus status =
        PmuMetricsFind(&self->metrics, self->stage, view, compile, &context.metrics, error);
    if (status != OPPROF_OK) {
        return status;
    }
    context.compiled = context.metrics->compiled;
    context.type = StorageTypeBit(&context.compiled->model.types, view->launch.op_type);
    if (OpprofStageHasReader(self->stage, OUTPUT_MAP)) {
        status = push_map(&context, error);
    }
    if (status == OPPROF_OK && OpprofStageHasReader(self->stage, OUTPUT_TABLES)) {
        status = push_tables(&context, error);
    }
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
};

LAUNCHES_DEFINE(analyse, NULL, outputs, .name = "pmu-memory",
                .summary = "Shows what moved between the memories of each block.",
                .help = "The chip file defines paths, tables and formulas.");
