/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pmu-tables: the tables of metrics for each core of a launch, one CSV file each. Names, columns
 * and formulas are in the chip file (`metrics.tables`).
 * Tested by tests/plugins/parse-pmu/test_cases.sh.
 */
#include "launches.h"
#include "metric_facts.h"

#include <opprof/kit/facts.h>
#include <opprof/plugin.h>

#include <stdlib.h>
#include <string.h>

#define OUTPUT_TABLES 0u

typedef enum ColumnSource { COLUMN_FORMULA, COLUMN_BLOCK, COLUMN_SUB_BLOCK } ColumnSource;

typedef struct MetricColumn {
    TableColumn shown;
    ColumnSource source;
    uint32_t kind;               /* interned kind of core; absent: all */
    const OpprofFormula *value;  /* COLUMN_FORMULA */
    const OpprofFormula *option; /* shown only if this is not zero for some core; NULL: always */
    bool any_core;               /* of any kind */
} MetricColumn;

typedef struct MetricTable {
    const char *name; /* borrowed from the chip */
    MetricColumn *columns;
    uint32_t column_count;
    bool *shown;       /* of the current launch: whether it has the column */
    uint32_t *place;   /* place among the file's columns */
    TableColumn *list; /* of the present columns */
    TableType *type;
    OpprofOpenBatch open;
    bool is_wanted;
} MetricTable;

typedef struct Compiled {
    MetricTable *tables;
    uint32_t count;
} Compiled;

/* The current launch. */
typedef struct Context {
    Launches *self;
    const LaunchView *view;
    PmuMetrics *metrics;
    Compiled *compiled;
    OpprofError **error;
} Context;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "make metric tables");
}

/* ---- compiling ---- */

static void forget(void *compiled)
{
    Compiled *self = compiled;

    for (uint32_t i = 0; i < self->count; i++) {
        free(self->tables[i].columns);
        free(self->tables[i].shown);
        free(self->tables[i].place);
        free(self->tables[i].list);
    }
    free(self->tables);
    free(self);
}

static void take_formula(const ColumnFacts *facts, MetricColumn *column)
{
    column->value = facts->is.formula;
    column->any_core = facts->with.text != NULL;
    column->option = column->any_core ? facts->with.formula : facts->optional.formula;
    column->shown.formula = facts->is.text;
    column->shown.kind =
        OpprofFormulaIsInteger(column->value) ? OPPROF_FIELD_U64 : OPPROF_FIELD_F64;
    /* True of a share of a peak, and of a unit that works at its full rate while it is busy. */
    column->shown.flags =
        strstr(facts->is.text, "/ peak(") != NULL || facts->is_peak ? OPPROF_FIELD_PEAK : 0;
}

static void take_column(const PmuMetrics *metrics, const ColumnFacts *facts, MetricColumn *column)
{
    *column = (MetricColumn){
        .shown = { .name = facts->name, .unit = facts->unit, .meaning = facts->meaning },
        .kind = PmuIntern(metrics->stage, facts->of),
    };
    if (facts->shows == METRIC_NO_CHOICE) {
        take_formula(facts, column);
        return;
    }
    column->source = facts->shows == METRIC_SHOWS_BLOCK ? COLUMN_BLOCK : COLUMN_SUB_BLOCK;
    column->shown.flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER;
    column->shown.kind = column->source == COLUMN_BLOCK ? OPPROF_FIELD_U64 : OPPROF_FIELD_STRING;
}

/* False without memory. */
static bool take_table(const PmuMetrics *metrics, const TableFacts *facts, MetricTable *table)
{
    const size_t count = facts->count;

    *table = (MetricTable){ .name = facts->name,
                            .column_count = facts->count,
                            .columns = calloc(count + 1, sizeof *table->columns),
                            .shown = calloc(count + 1, sizeof *table->shown),
                            .place = calloc(count + 1, sizeof *table->place),
                            .list = calloc(count + 1, sizeof *table->list) };
    if (table->columns == NULL || table->shown == NULL || table->place == NULL ||
        table->list == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < facts->count; i++) {
        take_column(metrics, &facts->columns[i], &table->columns[i]);
    }
    return true;
}

static OpprofStatus compile(PmuMetrics *metrics, OpprofError **error)
{
    TablesFacts facts;
    Compiled *compiled = calloc(1, sizeof *compiled);

    metrics->compiled = compiled;
    metrics->forget = forget;
    if (compiled == NULL) {
        return no_memory(error);
    }
    OpprofStatus status =
        OpprofMetricsBind(metrics->metrics, "metrics.tables", &metric_tables_table, &facts, error);
    compiled->tables = calloc((size_t) facts.count + 1, sizeof *compiled->tables);
    if (status == OPPROF_OK && compiled->tables == NULL) {
        status = no_memory(error);
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < facts.count; i++) {
        /* tables of the whole operator are made elsewhere */
        if (facts.list[i].of == METRIC_NO_CHOICE &&
            !take_table(metrics, &facts.list[i], &compiled->tables[compiled->count++])) {
            status = no_memory(error);
        }
    }
    OpprofFactsFree(&metric_tables_table, &facts);
    return status;
}

/* ---- columns of a launch ---- */

static bool is_of(const MetricColumn *column, const OpprofPmuKey *key)
{
    return column->kind == OPPROF_NA_STRING || column->kind == key->kind;
}

static bool has_options(const Compiled *compiled)
{
    for (uint32_t i = 0; i < compiled->count; i++) {
        const MetricTable *table = &compiled->tables[i];
        for (uint32_t c = 0; table->is_wanted && c < table->column_count; c++) {
            if (table->columns[c].option != NULL) {
                return true;
            }
        }
    }
    return false;
}

static void show_present_options(const Context *context, uint32_t key)
{
    const OpprofInputs *inputs = OpprofMetricsInputs(context->metrics->metrics);

    for (uint32_t i = 0; i < context->compiled->count; i++) {
        MetricTable *table = &context->compiled->tables[i];
        for (uint32_t c = 0; table->is_wanted && c < table->column_count; c++) {
            const MetricColumn *column = &table->columns[c];
            if (table->shown[c] || column->option == NULL ||
                (!column->any_core && !is_of(column, &context->view->keys[key]))) {
                continue;
            }
            const double value = OpprofFormulaReal(column->option, inputs);
            table->shown[c] = !OpprofIsNaF64(value) && value != 0;
        }
    }
}

static OpprofStatus choose_columns(const Context *context, MetricTable *table)
{
    uint32_t count = 0;

    for (uint32_t c = 0; c < table->column_count; c++) {
        if (table->shown[c]) {
            table->place[c] = count;
            table->list[count++] = table->columns[c].shown;
        }
    }
    table->type = TableTypeFind(&context->self->types, table->name, 0, table->list, count);
    if (table->type == NULL) {
        return no_memory(context->error);
    }
    table->open = (OpprofOpenBatch){ .stage = context->self->stage,
                                     .pool = TableTypePool(table->type),
                                     .port = OUTPUT_TABLES,
                                     .partition = context->view->batch->partition };
    return OPPROF_OK;
}

static OpprofStatus choose_tables(const Context *context)
{
    const char *groups = OpprofStageString(context->self->stage, context->view->launch.groups);
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; i < context->compiled->count; i++) {
        MetricTable *table = &context->compiled->tables[i];
        table->is_wanted = OpprofPmuListHas(groups, table->name);
        for (uint32_t c = 0; c < table->column_count; c++) {
            table->shown[c] = table->columns[c].option == NULL;
        }
    }
    for (uint32_t key = 0; has_options(context->compiled) && key < context->view->key_count;
         key++) {
        const PmuRow row = RowOfKey(context->view, key);
        PmuMetricsSetRow(context->metrics, context->view, &row);
        show_present_options(context, key);
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < context->compiled->count; i++) {
        if (context->compiled->tables[i].is_wanted) {
            status = choose_columns(context, &context->compiled->tables[i]);
        }
    }
    return status;
}

/* ---- rows ---- */

static void fill_row(const Context *context, const MetricTable *table, const OpprofPmuKey *key,
                     void *row)
{
    const OpprofInputs *inputs = OpprofMetricsInputs(context->metrics->metrics);

    for (uint32_t c = 0; c < table->column_count; c++) {
        const MetricColumn *column = &table->columns[c];
        const uint32_t place = table->place[c];
        if (!table->shown[c] || !is_of(column, key)) {
            continue;
        }
        if (column->source == COLUMN_BLOCK) {
            TableSetCount(table->type, row, place, key->block);
        } else if (column->source == COLUMN_SUB_BLOCK) {
            TableSetString(table->type, row, place, key->name);
        } else if (column->shown.kind == OPPROF_FIELD_U64) {
            TableSetCount(table->type, row, place, OpprofFormulaCount(column->value, inputs));
        } else {
            TableSetReal(table->type, row, place, OpprofFormulaReal(column->value, inputs));
        }
    }
}

static OpprofStatus add_row(const Context *context, MetricTable *table, uint32_t key)
{
    const OpprofStatus status = OpprofOpenBatchRoom(&table->open);

    if (status == OPPROF_E_MEMORY) {
        return no_memory(context->error);
    }
    if (status == OPPROF_OK) {
        void *row = TableAppend(table->type, table->open.batch, &context->view->launch);
        fill_row(context, table, &context->view->keys[key], row);
    }
    return status;
}

static OpprofStatus fill_tables(const Context *context)
{
    OpprofStatus status = OPPROF_OK;

    for (uint32_t key = 0; key < context->view->key_count; key++) {
        const PmuRow row = RowOfKey(context->view, key);
        PmuMetricsSetRow(context->metrics, context->view, &row);
        for (uint32_t i = 0; status == OPPROF_OK && i < context->compiled->count; i++) {
            if (context->compiled->tables[i].is_wanted) {
                status = add_row(context, &context->compiled->tables[i], key);
            }
        }
    }
    return status;
}

static OpprofStatus push_tables(const Context *context, OpprofStatus status)
{
    for (uint32_t i = 0; i < context->compiled->count; i++) {
        MetricTable *table = &context->compiled->tables[i];
        table->open.watermark = UINT64_MAX;
        if (status == OPPROF_OK) {
            status = OpprofOpenBatchPush(&table->open);
        } else {
            OpprofOpenBatchDrop(&table->open);
        }
    }
    return status;
}

static OpprofStatus analyse(Launches *self, const LaunchView *view, OpprofError **error)
{
    Context context = { .self = self, .view = view, .error = error };

    OpprofStatus status =
        PmuMetricsFind(&self->metrics, self->stage, view, compile, &context.metrics, error);
    if (status != OPPROF_OK) {
        return status;
    }
    context.compiled = context.metrics->compiled;
    status = choose_tables(&context);
    if (status == OPPROF_OK) {
        status = fill_tables(&context);
    }
    return push_tables(&context, status);
}

static const OpprofPort outputs[] = {
    { .name = "tables",
      .record_type = &opprof_tables_type,
      .summary = "A table for each requested metric group, with a row for each core." },
};

/* The formulas of all analyses of launches, not only of the tables. */
static OpprofStatus explain(const char *chip_name, const char *name, FILE *out, OpprofError **error)
{
    OpprofChip *chip = NULL;
    OpprofStatus status = OpprofFactsExplain(chip_name, pmu_chip_tables, name, out, error);

    if (status != OPPROF_E_NOT_FOUND || *error != NULL) {
        return status;
    }
    status = OpprofChipLoad(chip_name, &chip, error);
    if (status == OPPROF_OK) {
        status = OpprofMetricsExplain(chip, name, out, error);
    }
    OpprofChipFree(chip);
    return status;
}

LAUNCHES_DEFINE(
    analyse, explain, outputs, .name = "pmu-tables",
    .summary = "Calculates the metrics of each core of a launch.",
    .help = "The chip file defines the tables, their columns and formulas; opprof-run --explain "
            "METRIC --set chip=… prints one. A value that cannot be calculated is NA.");
