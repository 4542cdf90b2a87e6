/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which tables and columns the results of a comparison describe. Tested by
 * tests/compare/test_diff.sh.
 */
#include "describe.h"

#include <opprof/grow.h>
#include <opprof/print.h>
#include <opprof/record.h>
#include <opprof/text.h>

#include <stdlib.h>
#include <string.h>

#define COLUMNS_MAX 1900 /* SQLite gives a row no more than 2000 */

static DiffTable *find_table(DiffData *data, const char *name, const char *by)
{
    for (uint32_t i = 0; i < data->table_count; i++) {
        DiffTable *table = &data->tables[i];

        if (strcmp(table->name, name) == 0 &&
            (by == NULL ? table->by == NULL : table->by != NULL && strcmp(table->by, by) == 0)) {
            return table;
        }
    }
    return NULL;
}

static DiffTable *add_table(DiffData *data, const char *name, const char *title, const char *by,
                            bool is_summary)
{
    DiffTable *table;

    if (!OpprofGrow32(&data->tables, &data->table_capacity, data->table_count + 1,
                      sizeof *data->tables)) {
        return NULL;
    }
    table = &data->tables[data->table_count++];
    *table = (DiffTable){ .name = strdup(name),
                          .title = strdup(title[0] != '\0' ? title : name),
                          .by = by == NULL ? NULL : strdup(by),
                          .is_summary = is_summary };
    return table->name == NULL || table->title == NULL || (by != NULL && table->by == NULL) ? NULL
                                                                                            : table;
}

static bool add_key(DiffTable *table, const char *name, bool is_hex, uint32_t flags)
{
    const bool is_member = (flags & OPPROF_FIELD_MEMBER) != 0;
    const bool is_label = (flags & OPPROF_FIELD_LABEL) != 0;
    const bool is_address = is_hex || (flags & OPPROF_FIELD_ADDRESS) != 0;

    for (uint32_t i = 0; i < table->key_count; i++) {
        DiffKey *key = &table->keys[i];

        if (strcmp(key->name, name) == 0) {
            key->is_member = key->is_member && is_member;
            key->is_label = key->is_label && is_label;
            key->is_address = key->is_address || is_address;
            return true;
        }
    }
    if (!OpprofGrow32(&table->keys, &table->key_capacity, table->key_count + 1,
                      sizeof *table->keys)) {
        return false;
    }
    table->keys[table->key_count] = (DiffKey){ .name = strdup(name),
                                               .is_hex = is_hex,
                                               .is_address = is_address,
                                               .is_member = is_member,
                                               .is_label = is_label };
    return table->keys[table->key_count].name != NULL && ++table->key_count > 0;
}

bool DiffColumnIs(const DiffColumn *column, const char *name, const char *unit)
{
    return strcmp(column->name, name) == 0 && strcmp(column->unit, unit) == 0;
}

/* How rows combine, if two runs say the same. */
static uint32_t common_rule(uint32_t one, uint32_t other)
{
    return one == other ? one : OPPROF_COMBINE_UNKNOWN;
}

/* A copy of a column, without its name, heading and unit, gets these. False without memory. */
static bool add_column(DiffTable *table, const char *name, const char *heading, const char *unit,
                       DiffColumn of)
{
    DiffColumn *column;

    for (uint32_t i = 0; i < table->column_count; i++) {
        if (DiffColumnIs(&table->columns[i], name, unit)) {
            table->columns[i].combine = common_rule(table->columns[i].combine, of.combine);
            return true;
        }
    }
    if (!OpprofGrow32(&table->columns, &table->column_capacity, table->column_count + 1,
                      sizeof *table->columns)) {
        return false;
    }
    column = &table->columns[table->column_count++];
    *column = (DiffColumn){ .name = strdup(name),
                            .heading = strdup(heading),
                            .unit = strdup(unit),
                            .flags = of.flags,
                            .combine = of.combine,
                            .is_time = OpprofUnitTime(unit) != 0 };
    return column->name != NULL && column->heading != NULL && column->unit != NULL;
}

/* False without memory. */
static bool add_text(DiffTable *table, const char *name, const char *heading)
{
    DiffText *text;

    for (uint32_t i = 0; i < table->text_count; i++) {
        if (strcmp(table->texts[i].name, name) == 0) {
            return true;
        }
    }
    if (!OpprofGrow32(&table->texts, &table->text_capacity, table->text_count + 1,
                      sizeof *table->texts)) {
        return false;
    }
    text = &table->texts[table->text_count++];
    *text = (DiffText){ .name = strdup(name), .heading = strdup(heading) };
    return text->name != NULL && text->heading != NULL;
}

static void find_weight(DiffTable *table)
{
    table->weight = table->column_count;
    for (uint32_t c = table->column_count; c-- > 0;) {
        if ((table->columns[c].flags & OPPROF_FIELD_WEIGHT) != 0) {
            table->weight = c;
            return;
        }
        if (DiffIsAmount(&table->columns[c])) {
            table->weight = c;
        }
    }
}

void DiffTablesSettle(DiffData *data)
{
    for (uint32_t i = 0; i < data->table_count; i++) {
        find_weight(&data->tables[i]);
    }
    for (uint32_t i = 0; i < data->table_count; i++) {
        DiffTable *sums = &data->tables[i];
        const DiffTable *base = &data->tables[sums->base];

        for (uint32_t c = 0; sums->by != NULL && c < sums->column_count; c++) {
            sums->columns[c].combine = base->weight < base->column_count
                                           ? base->columns[base->weight].combine
                                           : OPPROF_COMBINE_UNKNOWN;
        }
    }
}

/* A column as the database describes it, with tame texts. */
typedef struct Described {
    char *name;
    char *heading;
    char *unit;
    bool is_text;
    bool is_hex;
    bool is_key;
    uint32_t flags;
    uint32_t combine;
} Described;

/* False without memory. */
static bool note_special(DiffSpecial *special, const char *name)
{
    if (special->name == NULL) {
        special->name = strdup(name);
    }
    return special->name != NULL;
}

static bool take_description(DiffTable *table, const Described *column)
{
    const bool is_left_out = (column->flags & (OPPROF_FIELD_HIDDEN | OPPROF_FIELD_MOMENT)) != 0;
    const bool is_alone = (column->flags & OPPROF_FIELD_ALONE) != 0;

    if (((column->flags & OPPROF_FIELD_PLACE) != 0 && !note_special(&table->place, column->name)) ||
        ((column->flags & OPPROF_FIELD_STALL) != 0 && !note_special(&table->stall, column->name)) ||
        ((column->flags & OPPROF_FIELD_LANE) != 0 && !note_special(&table->lane, column->name)) ||
        ((column->flags & OPPROF_FIELD_IS_LABEL) != 0 &&
         !note_special(&table->label, column->name))) {
        return false;
    }
    if (column->is_key) {
        table->has_key = true;
        return add_key(table, column->name, column->is_hex, column->flags);
    }
    if (column->is_text) {
        return is_left_out || is_alone || column->is_hex ||
               (column->flags & OPPROF_FIELD_LABEL) != 0 ||
               add_text(table, column->name, column->heading);
    }
    return is_left_out ||
           add_column(table, column->name, column->heading, column->unit,
                      (DiffColumn){ .flags = column->flags, .combine = column->combine });
}

bool DiffFieldIsText(const OpprofField *field)
{
    return field->kind == OPPROF_FIELD_STRING || field->kind == OPPROF_FIELD_TEXT ||
           field->kind == OPPROF_FIELD_HEX;
}

/* ---- columns ---- */

/*
 * A column of a table: a key, a number or a text. With `texts_are_keys` only texts count. False
 * without memory.
 */
static bool add_field(DiffTable *table, const OpprofField *field, bool texts_are_keys)
{
    const Described column = { .name = DiffTame(field->name),
                               .heading = DiffTame(field->heading),
                               .unit = DiffTame(field->unit),
                               .is_text = DiffFieldIsText(field),
                               .is_hex = field->kind == OPPROF_FIELD_HEX,
                               .is_key = (field->flags & OPPROF_FIELD_KEY) != 0,
                               .flags = field->flags,
                               .combine = field->combine };
    bool is_good = column.name != NULL && column.heading != NULL && column.unit != NULL;

    if (is_good && !texts_are_keys) {
        is_good = take_description(table, &column);
    } else if (is_good && column.is_text) {
        is_good = add_key(table, column.name, column.is_hex, 0);
    }
    free(column.name);
    free(column.heading);
    free(column.unit);
    return is_good;
}

static OpprofStatus add_fields(DiffTable *table, const OpprofResults *results,
                               const OpprofRecordType *type, bool texts_are_keys,
                               OpprofError **error)
{
    for (uint32_t f = 0; f < type->field_count; f++) {
        if (!add_field(table, &type->fields[f], texts_are_keys)) {
            return DiffNoMemory(error);
        }
    }
    return table->key_count + table->column_count + table->text_count <= COLUMNS_MAX
               ? OPPROF_OK
               : OpprofErrorSet(error, OPPROF_E_DATA, "Cannot read '%s': %s",
                                OpprofResultsAbout(results)->path, "it describes too many columns");
}

/* ---- sums by a text ---- */

/* The same of the time of waiting in the weights, which may be all of it. False without memory. */
static bool add_stall(DiffTable *sums, const DiffTable *of)
{
    const DiffColumn *weight = &sums->columns[0];

    return of->stall.name == NULL || strcmp(of->stall.name, weight->name) == 0 ||
           add_column(sums, of->stall.name, of->stall.name, weight->unit,
                      (DiffColumn){ .flags = OPPROF_FIELD_STALL, .combine = weight->combine });
}

/* One more table, in which the weights of a table are added up by a text. */
static bool add_sums(DiffData *data, uint32_t base, const char *by, uint32_t flags)
{
    const DiffTable of = data->tables[base]; /* adding a table may move all */
    const DiffColumn *weight = &of.columns[of.weight];
    DiffTable *sums = add_table(data, of.name, of.title, by, false);

    if (sums == NULL || !add_key(sums, by, false, flags & OPPROF_FIELD_LABEL) ||
        !add_column(sums, weight->name, weight->heading, weight->unit,
                    (DiffColumn){ .flags = weight->flags, .combine = weight->combine })) {
        return false;
    }
    sums->base = base;
    return add_stall(sums, &of);
}

/* Sums for each text by which the weights of a table can be added up. */
static OpprofStatus describe_sums(DiffData *data, const char *name, const OpprofRecordType *type,
                                  OpprofError **error)
{
    for (uint32_t f = 0; f < type->field_count; f++) {
        const OpprofField *field = &type->fields[f];
        const DiffTable *table = find_table(data, name, NULL);
        char *by;
        bool is_good = true;

        if (!DiffFieldIsText(field) || field->kind == OPPROF_FIELD_HEX || table->is_summary ||
            table->weight == table->column_count || !DiffHasTotal(&table->columns[table->weight]) ||
            (field->flags & (OPPROF_FIELD_HIDDEN | OPPROF_FIELD_ALONE | OPPROF_FIELD_MEMBER)) !=
                0) {
            continue;
        }
        by = DiffTame(field->name);
        if (by == NULL || find_table(data, name, by) == NULL) {
            is_good =
                by != NULL && add_sums(data, (uint32_t) (table - data->tables), by, field->flags);
        }
        free(by);
        if (!is_good) {
            return DiffNoMemory(error);
        }
    }
    return OPPROF_OK;
}

/* ---- tables ---- */

/* Does the type have the rule by which rows combine for any number? */
static bool has_combine_rules(const OpprofRecordType *type)
{
    for (uint32_t f = 0; f < type->field_count; f++) {
        if (type->fields[f].combine != OPPROF_COMBINE_UNKNOWN) {
            return true;
        }
    }
    return false;
}

/* Keys and numbers; without keys all texts are the key. */
static OpprofStatus describe_columns(DiffData *data, const char *name, const OpprofResults *results,
                                     const OpprofRecordType *type, OpprofError **error)
{
    DiffTable *table = find_table(data, name, NULL);
    OpprofStatus status = add_fields(table, results, type, false, error);

    if (status == OPPROF_OK && !table->has_key) {
        status = add_fields(table, results, type, true, error);
    }
    find_weight(table);
    return status;
}

/* False without memory. */
static bool begin_table(DiffData *data, const char *name, const char *title,
                        const OpprofRecordType *type)
{
    const bool is_summary = (type->flags & OPPROF_RECORD_SUMMARY) != 0;
    DiffTable *table = find_table(data, name, NULL);

    if (table == NULL) {
        table = add_table(data, name, title, NULL, is_summary);
        if (table != NULL) {
            table->combines = true;
        }
    }
    if (table != NULL) {
        table->all_repeats = table->all_repeats || (type->flags & OPPROF_RECORD_ALL_REPEATS) != 0;
        table->combines = table->combines && has_combine_rules(type);
    }
    return table != NULL;
}

static OpprofStatus describe_table(DiffData *data, const OpprofResults *results,
                                   const OpprofResultsTable *stored, OpprofError **error)
{
    char *name = DiffTame(stored->name);
    char *title = DiffTame(stored->type->title);
    OpprofStatus status = OPPROF_OK;

    if (name == NULL || title == NULL || !begin_table(data, name, title, stored->type)) {
        status = DiffNoMemory(error);
    }
    if (status == OPPROF_OK) {
        status = describe_columns(data, name, results, stored->type, error);
    }
    if (status == OPPROF_OK) {
        status = describe_sums(data, name, stored->type, error);
    }
    free(name);
    free(title);
    return status;
}

/* `missing` has a line for each loss; the first one is enough for people. */
static OpprofStatus take_missing(DiffSide *side, const char *text, OpprofError **error)
{
    const char *end;

    if (side->missing != NULL || text == NULL || text[0] == '\0') {
        side->has_more_missing = side->has_more_missing || side->missing != NULL;
        return OPPROF_OK;
    }
    end = strchrnul(text, '\n');
    side->missing = strndup(text, (size_t) (end - text));
    if (side->missing == NULL) {
        return DiffNoMemory(error);
    }
    OpprofTextTame(side->missing, false);
    side->has_more_missing = end[0] != '\0' && end[1] != '\0';
    return OPPROF_OK;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp((*(const OpprofResultsTable *const *) a)->name,
                  (*(const OpprofResultsTable *const *) b)->name);
}

/* Tables in the order of their names: the runs may have made them in different orders. */
static OpprofStatus describe_tables(DiffData *data, const OpprofResults *results,
                                    OpprofError **error)
{
    const OpprofResultsInfo *info = OpprofResultsAbout(results);
    const OpprofResultsTable **tables = calloc((size_t) info->table_count + 1, sizeof *tables);
    OpprofStatus status = tables == NULL ? DiffNoMemory(error) : OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < info->table_count; i++) {
        tables[i] = &info->tables[i];
    }
    if (status == OPPROF_OK && info->table_count > 0) {
        qsort(tables, info->table_count, sizeof *tables, compare_names);
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < info->table_count; i++) {
        status = describe_table(data, results, tables[i], error);
    }
    free(tables);
    return status;
}

/* Are there tables, but none that says how its rows combine? */
static bool is_silent(const OpprofResultsInfo *info)
{
    for (uint32_t i = 0; i < info->table_count; i++) {
        if (has_combine_rules(info->tables[i].type)) {
            return false;
        }
    }
    return info->table_count > 0;
}

OpprofStatus DiffDescribe(DiffData *data, OpprofResults *results, DiffSide *side,
                          OpprofError **error)
{
    const OpprofResultsInfo *info = OpprofResultsAbout(results);
    OpprofStatus status = OPPROF_OK;

    side->is_complete = side->is_complete && info->is_complete;
    side->is_silent = side->is_silent || is_silent(info);
    if (!info->is_complete) {
        status = take_missing(side, info->missing, error);
    }
    return status == OPPROF_OK ? describe_tables(data, results, error) : status;
}
