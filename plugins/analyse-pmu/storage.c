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

uint64_t StorageTypes(OperatorTypes *types, OpprofStage *stage, const OpprofFact *list)
{
    uint64_t bits = 0;

    if (OpprofFactGetKind(list) != OPPROF_FACT_ARRAY) {
        return UINT64_MAX;
    }
    for (size_t i = 0; i < OpprofFactCount(list); i++) {
        bits |= bit_of(types, PmuIntern(stage, OpprofFactText(OpprofFactAt(list, i))));
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

char *StorageText(const char *text, uint32_t sub_block, const char *who, const char *row)
{
    char number[OPPROF_TEXT_NUMBER];
    const PmuPlaceholder all[] = {
        { "{n}", number }, { "{who}", who }, { "{row}", row }, { NULL, NULL }
    };

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

bool StorageHolds(const PmuMetrics *metrics, const OpprofFormula *formula)
{
    const double value = OpprofFormulaReal(formula, OpprofMetricsInputs(metrics->metrics));
    return !OpprofIsNaF64(value) && value != 0;
}

/* ---- compiling ---- */

static uint32_t sub_block_of(const OpprofFact *fact)
{
    double number = 0;

    return OpprofFactNumber(OpprofFactMember(fact, "sub"), &number) && number >= 0 &&
                   number < OPPROF_NA_U32
               ? (uint32_t) number
               : OPPROF_NA_U32;
}

/* "class" of a row or unit: what limits an operator that keeps it busy. */
static bool is_move(const OpprofFact *fact)
{
    const char *class = OpprofFactText(OpprofFactMember(fact, "class"));

    return class != NULL && strcmp(class, "move") == 0;
}

static OpprofStatus compile_columns(PmuMetrics *metrics, StorageTable *table,
                                    const OpprofFact *shape, OpprofError **error)
{
    const OpprofFact *columns = OpprofFactMember(shape, "columns");
    const char *busy = OpprofFactText(OpprofFactMember(shape, "busy"));

    table->busy = OPPROF_NA_U32;
    table->say = OpprofFactText(OpprofFactMember(OpprofFactMember(shape, "advice"), "say"));
    if (OpprofFactCount(columns) == 0 || OpprofFactCount(columns) > STORAGE_MAX_COLUMNS) {
        return bad(metrics, "no columns, or too many, in shape", table->shape, error);
    }
    for (size_t i = 0; i < OpprofFactCount(columns); i++) {
        const OpprofFact *column = OpprofFactAt(columns, i);
        const char *name = OpprofFactText(OpprofFactMember(column, "name"));
        if (busy != NULL && name != NULL && strcmp(busy, name) == 0) {
            table->busy = (uint32_t) i;
        }
        table->columns[table->column_count++] = (StorageColumn){
            .name = PmuIntern(metrics->stage, name),
            .unit = PmuIntern(metrics->stage, OpprofFactText(OpprofFactMember(column, "unit"))),
        };
    }
    return OPPROF_OK;
}

static const OpprofFact *find_column(const OpprofChip *chip, const char *table, const char *name)
{
    const OpprofFact *columns = OpprofFactMember(
        OpprofFactMember(OpprofChipFact(chip, "metrics.tables"), table), "columns");

    for (size_t i = 0; i < OpprofFactCount(columns); i++) {
        const OpprofFact *column = OpprofFactAt(columns, i);
        const char *its_name = OpprofFactText(OpprofFactMember(column, "name"));
        if (its_name != NULL && strcmp(its_name, name) == 0) {
            return column;
        }
    }
    return NULL;
}

/* "shown": [TABLE, COLUMN] of a row or unit. */
static OpprofStatus compile_number(PmuMetrics *metrics, const OpprofFact *fact,
                                   StorageNumber *number, OpprofError **error)
{
    const OpprofFact *shown = OpprofFactMember(fact, "shown");
    const char *table = OpprofFactText(OpprofFactAt(shown, 0));
    const char *name = OpprofFactText(OpprofFactAt(shown, 1));

    if (shown == NULL) {
        return OPPROF_OK;
    }
    const OpprofFact *column =
        table == NULL || name == NULL ? NULL : find_column(metrics->chip, table, name);
    const OpprofMetricScope scope = { .members = column };
    const char *formula = OpprofFactText(OpprofFactMember(column, "is"));
    if (formula == NULL) {
        return bad(metrics, "no table has the column of 'shown':", name, error);
    }
    *number = (StorageNumber){ .table = table,
                               .column = name,
                               .unit = OpprofFactText(OpprofFactMember(column, "unit")) };
    return OpprofMetricsAdd(metrics->metrics, name, formula, &scope, &number->value, error);
}

static OpprofStatus compile_row(StorageModel *model, PmuMetrics *metrics, const OpprofFact *shape,
                                const OpprofFact *fact, StorageRow *row, OpprofError **error)
{
    const OpprofFact *columns = OpprofFactMember(shape, "columns");
    const OpprofMetricScope defaults = { .members = OpprofFactMember(shape, "defaults") };
    const OpprofMetricScope scope = { .members = fact, .outer = &defaults };
    const char *name = OpprofFactText(OpprofFactMember(fact, "name"));
    const char *option = OpprofFactText(OpprofFactMember(fact, "optional"));
    const char *advice =
        OpprofFactText(OpprofFactMember(OpprofFactMember(shape, "advice"), "when"));
    const char *gain = OpprofFactText(OpprofFactMember(OpprofFactMember(shape, "advice"), "gain"));
    OpprofStatus status = OPPROF_OK;

    if (name == NULL) {
        return bad(metrics, "a row has no name", NULL, error);
    }
    *row = (StorageRow){
        .name = PmuIntern(metrics->stage, name),
        .in = StorageTypes(&model->types, metrics->stage, OpprofFactMember(fact, "in")),
        .is_move = is_move(fact),
    };
    for (size_t i = 0; status == OPPROF_OK && i < OpprofFactCount(columns); i++) {
        const char *formula = OpprofFactText(OpprofFactMember(OpprofFactAt(columns, i), "is"));
        status =
            formula == NULL
                ? bad(metrics, "a column has no formula in the shape of row", name, error)
                : OpprofMetricsAdd(metrics->metrics, name, formula, &scope, &row->values[i], error);
    }
    if (status == OPPROF_OK && option != NULL) {
        status = OpprofMetricsAdd(metrics->metrics, name, option, &scope, &row->option, error);
    }
    if (status == OPPROF_OK && advice != NULL) {
        status = OpprofMetricsAdd(metrics->metrics, name, advice, &scope, &row->advice, error);
    }
    if (status == OPPROF_OK && gain != NULL) {
        status = OpprofMetricsAdd(metrics->metrics, name, gain, &scope, &row->gain, error);
    }
    return status == OPPROF_OK ? compile_number(metrics, fact, &row->shown, error) : status;
}

/* An earlier table with rows of the same name and shape: formulas depend on nothing else in a
 * table. */
static const StorageTable *find_like(const StorageModel *model, const StorageTable *table)
{
    for (const StorageTable *at = model->tables; at < table; at++) {
        if (strcmp(at->rows_name, table->rows_name) == 0 && strcmp(at->shape, table->shape) == 0) {
            return at;
        }
    }
    return NULL;
}

static OpprofStatus compile_rows(StorageModel *model, PmuMetrics *metrics, const OpprofFact *shape,
                                 const OpprofFact *rows, StorageTable *table, OpprofError **error)
{
    const StorageTable *like = find_like(model, table);
    OpprofStatus status = OPPROF_OK;

    if (like != NULL) {
        table->rows = like->rows;
        table->row_count = like->row_count;
        table->shares_rows = true;
        return OPPROF_OK;
    }
    table->rows = calloc(OpprofFactCount(rows) + 1, sizeof *table->rows);
    if (table->rows == NULL) {
        return no_memory(error);
    }
    for (size_t i = 0; status == OPPROF_OK && i < OpprofFactCount(rows); i++) {
        status = compile_row(model, metrics, shape, OpprofFactAt(rows, i),
                             &table->rows[table->row_count++], error);
    }
    return status;
}

static OpprofStatus compile_table(StorageModel *model, PmuMetrics *metrics, const OpprofFact *fact,
                                  StorageTable *table, OpprofError **error)
{
    const OpprofFact *storage = OpprofChipFact(metrics->chip, "metrics.storage");
    const char *who = OpprofFactText(OpprofFactMember(fact, "who"));

    *table = (StorageTable){
        .name = OpprofFactText(OpprofFactMember(fact, "name")),
        .shape = OpprofFactText(OpprofFactMember(fact, "shape")),
        .in = StorageTypes(&model->types, metrics->stage, OpprofFactMember(fact, "in")),
        .of = PmuIntern(metrics->stage, OpprofFactText(OpprofFactMember(fact, "of"))),
        .sub_block = sub_block_of(fact),
        .who = who == NULL ? "" : who,
        .rows_name = OpprofFactText(OpprofFactMember(fact, "rows")),
    };
    if (table->name == NULL || table->shape == NULL || table->rows_name == NULL) {
        return bad(metrics, "a table lacks its name, shape or rows:", table->name, error);
    }
    const OpprofFact *shape = OpprofFactMember(OpprofFactMember(storage, "shapes"), table->shape);
    const OpprofFact *rows = OpprofFactMember(OpprofFactMember(storage, "rows"), table->rows_name);
    if (shape == NULL || OpprofFactGetKind(rows) != OPPROF_FACT_ARRAY) {
        return bad(metrics, "unknown shape or rows in table", table->name, error);
    }
    const OpprofStatus status = compile_columns(metrics, table, shape, error);
    return status == OPPROF_OK ? compile_rows(model, metrics, shape, rows, table, error) : status;
}

static OpprofStatus compile_unit(StorageModel *model, PmuMetrics *metrics, const OpprofFact *fact,
                                 StorageUnit *unit, OpprofError **error)
{
    /* In the formula of shares, "is" names what is divided. */
    const OpprofMetricScope scope = { .members = fact };
    const char *name = OpprofFactText(OpprofFactMember(fact, "name"));
    const char *cycle = OpprofFactText(OpprofFactMember(fact, "is"));
    const char *share = OpprofChipText(metrics->chip, "metrics.share.is");

    if (name == NULL || cycle == NULL || share == NULL) {
        return bad(metrics, "a unit lacks its name or formula:", name, error);
    }
    *unit = (StorageUnit){
        .name = PmuIntern(metrics->stage, name),
        .in = StorageTypes(&model->types, metrics->stage, OpprofFactMember(fact, "in")),
        .is_move = is_move(fact),
        .of = PmuIntern(metrics->stage, OpprofFactText(OpprofFactMember(fact, "of"))),
        .sub_block = sub_block_of(fact),
        .below = OpprofFactText(OpprofFactMember(fact, "below_20")),
    };
    OpprofStatus status =
        OpprofMetricsAdd(metrics->metrics, name, cycle, &scope, &unit->cycle, error);
    if (status == OPPROF_OK) {
        status = OpprofMetricsAdd(metrics->metrics, name, share, &scope, &unit->share, error);
    }
    return status == OPPROF_OK ? compile_number(metrics, fact, &unit->shown, error) : status;
}

OpprofStatus StorageModelCompile(StorageModel *model, PmuMetrics *metrics, OpprofError **error)
{
    const OpprofFact *tables = OpprofChipFact(metrics->chip, "metrics.storage.tables");
    const OpprofFact *units = OpprofChipFact(metrics->chip, "metrics.storage.map.units");
    OpprofStatus status = OPPROF_OK;

    *model = (StorageModel){ .table_count = 0 };
    model->tables = calloc(OpprofFactCount(tables) + 1, sizeof *model->tables);
    model->units = calloc(OpprofFactCount(units) + 1, sizeof *model->units);
    if (model->tables == NULL || model->units == NULL) {
        return no_memory(error);
    }
    for (size_t i = 0; status == OPPROF_OK && i < OpprofFactCount(tables); i++) {
        status = compile_table(model, metrics, OpprofFactAt(tables, i),
                               &model->tables[model->table_count++], error);
    }
    for (size_t i = 0; status == OPPROF_OK && i < OpprofFactCount(units); i++) {
        status = compile_unit(model, metrics, OpprofFactAt(units, i),
                              &model->units[model->unit_count++], error);
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
        const bool is_shown = table->busy != OPPROF_NA_U32 && (table->in & type) != 0 &&
                              StorageIsOf(view, at, table->of, table->sub_block);
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
