/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of the memory traffic of a block, in the shapes that the chip file describes. Tested by
 * tests/plugins/parse-pmu/test_cases.sh.
 */
#include "storage.h"

#include <opprof/text.h>
#include <stdlib.h>
#include <string.h>

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "make memory tables");
}

static OpprofStatus bad(const PmuMetrics *metrics, const char *what, const char *name,
                        OpprofError **error)
{
    return name == NULL
               ? OpprofChipRefuse(metrics->chip, "metrics.storage", error, "%s", what)
               : OpprofChipRefuse(metrics->chip, "metrics.storage", error, "%s '%s'", what, name);
}

/* ---- types of operators ---- */

static uint64_t bit_of(OperatorTypes *types, uint32_t name)
{
    uint32_t i = 0;

    while (i < types->count && types->names[i] != name) {
        i++;
    }
    if (i == types->count) {
        if (types->count == 64) {
            return 0;
        }
        types->names[types->count++] = name;
    }
    return UINT64_C(1) << i;
}

uint64_t StorageTypes(OperatorTypes *types, OpprofStage *stage, const OperatorTypeNames *names)
{
    uint64_t bits = names->count == 0 ? UINT64_MAX : 0;

    for (uint32_t i = 0; i < names->count; i++) {
        bits |= bit_of(types, PmuIntern(stage, names->list[i]));
    }
    return bits;
}

uint64_t StorageTypeBit(const OperatorTypes *types, uint32_t op_type)
{
    for (uint32_t i = 0; i < types->count; i++) {
        if (types->names[i] == op_type) {
            return UINT64_C(1) << i;
        }
    }
    return types->count < 64 ? UINT64_C(1) << types->count : 0; /* part of every "all" */
}

/* ---- texts ---- */

char *StorageText(const char *text, uint32_t sub_block)
{
    char number[OPPROF_TEXT_NUMBER];
    const PmuPlaceholder all[] = { { "{n}", number }, { NULL, NULL } };

    *OpprofTextPutU64(number, sub_block) = '\0';
    return PmuReplace(text, all);
}

bool StorageIsOf(const LaunchView *view, const OpprofPmuKey *key, uint32_t of, uint32_t sub_block)
{
    if (of != OPPROF_NA_STRING && key->kind != of) {
        return false;
    }
    /* The sub block matters only if a block has several cores. */
    return sub_block == OPPROF_NA_U32 || !LaunchIsMix(view) || key->sub_block == sub_block;
}

bool StorageHasTable(const LaunchView *view, const StorageTable *table, const OpprofPmuKey *key,
                     uint64_t type)
{
    return (table->in & type) != 0 && StorageIsOf(view, key, table->of, table->sub_block);
}

bool StorageHasRow(const PmuMetrics *metrics, const StorageRow *row, uint64_t type)
{
    const double value =
        row->option == NULL ? 1
                            : OpprofFormulaReal(row->option, OpprofMetricsInputs(metrics->metrics));

    return (row->in & type) != 0 && !OpprofIsNaF64(value) && value != 0;
}

/* ---- compiling ---- */

const ShapeFacts *StorageShapeFind(const StorageFacts *facts, const char *name)
{
    for (uint32_t i = 0; i < facts->shape_count; i++) {
        if (strcmp(facts->shapes[i].name, name) == 0) {
            return &facts->shapes[i];
        }
    }
    return NULL;
}

static const RowSetFacts *find_set(const StorageFacts *facts, const char *name)
{
    for (uint32_t i = 0; i < facts->set_count; i++) {
        if (strcmp(facts->sets[i].name, name) == 0) {
            return &facts->sets[i];
        }
    }
    return NULL;
}

const RowFacts *StorageRowFind(const StorageFacts *facts, const char *set, const char *name)
{
    const RowSetFacts *rows = find_set(facts, set);

    for (uint32_t i = 0; name != NULL && rows != NULL && i < rows->count; i++) {
        if (strcmp(rows->rows[i].name, name) == 0) {
            return &rows->rows[i];
        }
    }
    return NULL;
}

/* A formula of a shape for the members of a row; without a text *ret_formula stays. */
static OpprofStatus add_formula(PmuMetrics *metrics, const ShapeFacts *shape, const OpprofFact *row,
                                const char *text, const OpprofFormula **ret_formula,
                                OpprofError **error)
{
    const OpprofMetricScope defaults = { .members = OpprofFactMember(shape->fact, "defaults") };
    const OpprofMetricScope scope = { .members = row, .outer = &defaults };
    const char *name = OpprofFactText(OpprofFactMember(row, "name"));

    return text == NULL ? OPPROF_OK
                        : OpprofMetricsAdd(metrics->metrics, name == NULL ? shape->name : name,
                                           text, &scope, ret_formula, error);
}

OpprofStatus StorageShapeCompile(PmuMetrics *metrics, const ShapeFacts *shape,
                                 const OpprofFact *row, const OpprofFormula **values, size_t count,
                                 OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (size_t i = 0; status == OPPROF_OK && i < count; i++) {
        status = i < shape->count
                     ? add_formula(metrics, shape, row, shape->columns[i].is, &values[i], error)
                     : bad(metrics, "a column is missing in the shape", shape->name, error);
    }
    return status;
}

static void take_columns(const PmuMetrics *metrics, const ShapeFacts *shape, StorageTable *table)
{
    table->busy = table->waits = OPPROF_NA_U32;
    for (uint32_t i = 0; i < shape->count; i++) {
        if (shape->busy != NULL && strcmp(shape->busy, shape->columns[i].name) == 0) {
            table->busy = i;
        }
        if (shape->waits != NULL && strcmp(shape->waits, shape->columns[i].name) == 0) {
            table->waits = i;
        }
        table->columns[table->column_count++] = (StorageColumn){
            .name = PmuIntern(metrics->stage, shape->columns[i].name),
            .unit = PmuIntern(metrics->stage, shape->columns[i].unit),
        };
    }
}

static OpprofStatus compile_row(StorageModel *model, PmuMetrics *metrics, const ShapeFacts *shape,
                                const RowFacts *facts, StorageRow *row, OpprofError **error)
{
    *row = (StorageRow){
        .name = PmuIntern(metrics->stage, facts->name),
        .in = StorageTypes(&model->types, metrics->stage, &facts->in),
        .is_move = facts->class == METRIC_CLASS_MOVE,
        .option = facts->optional.formula,
    };
    OpprofStatus status =
        StorageShapeCompile(metrics, shape, facts->fact, row->values, shape->count, error);
    if (status == OPPROF_OK) {
        status = add_formula(metrics, shape, facts->fact, shape->of_peak, &row->of_peak, error);
    }
    return status == OPPROF_OK
               ? add_formula(metrics, shape, facts->fact, shape->lost, &row->lost, error)
               : status;
}

/* An earlier table with rows of the same name and shape: formulas depend on nothing else in a
 * table. */
static const StorageTable *find_like(const StorageModel *model, const StorageTable *table)
{
    for (const StorageTable *at = model->tables; at < table; at++) {
        if (strcmp(at->facts->rows, table->facts->rows) == 0 &&
            strcmp(at->facts->shape, table->facts->shape) == 0) {
            return at;
        }
    }
    return NULL;
}

static OpprofStatus compile_rows(StorageModel *model, PmuMetrics *metrics, const ShapeFacts *shape,
                                 const RowSetFacts *set, StorageTable *table, OpprofError **error)
{
    const StorageTable *like = find_like(model, table);
    OpprofStatus status = OPPROF_OK;

    if (like != NULL) {
        table->rows = like->rows;
        table->row_count = like->row_count;
        table->shares_rows = true;
        return OPPROF_OK;
    }
    table->rows = calloc((size_t) set->count + 1, sizeof *table->rows);
    if (table->rows == NULL) {
        return no_memory(error);
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < set->count; i++) {
        status = compile_row(model, metrics, shape, &set->rows[i], &table->rows[table->row_count++],
                             error);
    }
    return status;
}

static OpprofStatus compile_table(StorageModel *model, PmuMetrics *metrics,
                                  const StorageTableFacts *facts, StorageTable *table,
                                  OpprofError **error)
{
    const ShapeFacts *shape = StorageShapeFind(&model->facts, facts->shape);
    const RowSetFacts *set = find_set(&model->facts, facts->rows);

    *table = (StorageTable){
        .facts = facts,
        .in = StorageTypes(&model->types, metrics->stage, &facts->in),
        .of = PmuIntern(metrics->stage, facts->of),
        .sub_block = facts->sub,
        .who = facts->who == NULL ? "" : facts->who,
    };
    take_columns(metrics, shape, table);
    return compile_rows(model, metrics, shape, set, table, error);
}

static OpprofStatus compile_unit(StorageModel *model, PmuMetrics *metrics, const UnitFacts *facts,
                                 StorageUnit *unit, OpprofError **error)
{
    /* In the formula of shares, "is" names what is divided. */
    const OpprofMetricScope scope = { .members = facts->fact };
    const char *share = OpprofChipText(metrics->chip, "metrics.share.is");

    if (share == NULL) {
        return bad(metrics, "'metrics.share' is missing for unit", facts->name, error);
    }
    *unit = (StorageUnit){
        .name = PmuIntern(metrics->stage, facts->name),
        .in = StorageTypes(&model->types, metrics->stage, &facts->in),
        .is_move = facts->class == METRIC_CLASS_MOVE,
        .of = PmuIntern(metrics->stage, facts->of),
        .sub_block = facts->sub,
        .below = facts->below_20,
        .cycle = facts->is.formula,
        .wait = facts->wait.formula,
        .lost = facts->lost.formula,
    };
    return OpprofMetricsAdd(metrics->metrics, facts->name, share, &scope, &unit->share, error);
}

OpprofStatus StorageModelCompile(StorageModel *model, PmuMetrics *metrics, OpprofError **error)
{
    const StorageFacts *facts = &model->facts;

    *model = (StorageModel){ .table_count = 0 };
    OpprofStatus status = OpprofMetricsBind(metrics->metrics, "metrics.storage",
                                            &metric_storage_table, &model->facts, error);
    model->tables = calloc((size_t) facts->table_count + 1, sizeof *model->tables);
    model->units = calloc((size_t) facts->unit_count + 1, sizeof *model->units);
    if (status == OPPROF_OK && (model->tables == NULL || model->units == NULL)) {
        return no_memory(error);
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < facts->table_count; i++) {
        status = compile_table(model, metrics, &facts->tables[i],
                               &model->tables[model->table_count++], error);
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < facts->unit_count; i++) {
        status = compile_unit(model, metrics, &facts->units[i], &model->units[model->unit_count++],
                              error);
    }
    return status;
}

void StorageModelFinish(StorageModel *model)
{
    for (uint32_t i = 0; i < model->table_count; i++) {
        if (!model->tables[i].shares_rows) {
            free(model->tables[i].rows);
        }
    }
    free(model->tables);
    free(model->units);
    OpprofFactsFree(&metric_storage_table, &model->facts);
    *model = (StorageModel){ .table_count = 0 };
}

/* ---- what was busiest ---- */

/* Of several equally busy ones, the first by byte order. */
static void note_busy(StorageBusiest *busiest, const char *name, double percent, bool is_move)
{
    if (OpprofIsNaF64(percent)) {
        busiest->has_unknown = true;
        return;
    }
    if (busiest->name == NULL || percent > busiest->percent ||
        (percent >= busiest->percent && strcmp(name, busiest->name) < 0)) {
        busiest->name = name;
        busiest->percent = percent;
        busiest->is_move = is_move;
    }
}

void StorageBusiestLook(const StorageModel *model, PmuMetrics *metrics, const LaunchView *view,
                        OpprofStage *stage, uint32_t key, StorageBusiest *busiest)
{
    const OpprofInputs *inputs = OpprofMetricsInputs(metrics->metrics);
    const uint64_t type = StorageTypeBit(&model->types, view->launch.op_type);
    const OpprofPmuKey *at = &view->keys[key];
    const PmuRow row = RowOfKey(view, key);

    if (at->cycles == 0) { /* then there are no shares */
        return;
    }
    PmuMetricsSetRow(metrics, view, &row);
    for (uint32_t i = 0; i < model->table_count; i++) {
        const StorageTable *table = &model->tables[i];
        const bool is_shown =
            table->busy != OPPROF_NA_U32 && StorageHasTable(view, table, at, type);
        for (uint32_t r = 0; is_shown && r < table->row_count; r++) {
            note_busy(busiest, OpprofStageString(stage, table->rows[r].name),
                      OpprofFormulaReal(table->rows[r].values[table->busy], inputs),
                      table->rows[r].is_move);
        }
    }
    for (uint32_t i = 0; i < model->unit_count; i++) {
        const StorageUnit *unit = &model->units[i];
        if ((unit->in & type) != 0 && StorageIsOf(view, at, unit->of, unit->sub_block)) {
            note_busy(busiest, OpprofStageString(stage, unit->name),
                      OpprofFormulaReal(unit->share, inputs), unit->is_move);
        }
    }
}
