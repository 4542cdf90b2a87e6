/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Record types of tables whose columns depend on the data.
 * Tested by tests/plugins/parse-pmu/test_cases.sh.
 */
#include "table_type.h"

#include <stdio.h>
#include <stdlib.h>

#define BATCH_ROWS 256u
#define FORMULA " Formula: "
#define FOLDER_FIELDS 3u
#define FIRST_COLUMN 16u /* bytes before the first cell: three parts of the folder */
#define COLUMN_BYTES 8u

struct TableType {
    TableType *next;
    OpprofRecordType type;
    OpprofField *fields;
    char *names; /* all texts */
    char *file_hint;
    char *title;
    OpprofBatchPool *pool;
};

static const char *const folder_names[FOLDER_FIELDS] = { "device", "kernel", "order" };

static bool has_columns(const TableType *table, const TableColumn *columns, uint32_t count)
{
    if (table->type.field_count != count + FOLDER_FIELDS) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const OpprofField *field = &table->fields[FOLDER_FIELDS + i];
        if (field->kind != columns[i].kind || strcmp(field->heading, columns[i].name) != 0) {
            return false;
        }
    }
    return true;
}

static void free_table(TableType *table)
{
    OpprofBatchPoolDestroy(table->pool);
    free(table->fields);
    free(table->names);
    free(table->file_hint);
    free(table->title);
    free(table);
}

static size_t length_of(const char *text)
{
    return text == NULL ? 0 : strlen(text);
}

/* The columns' texts one after another; NULL without memory. */
static char *copy_names(const TableColumn *columns, uint32_t count)
{
    size_t size = 1;

    for (uint32_t i = 0; i < count; i++) {
        size += strlen(columns[i].name) + 1 +
                (columns[i].unit == NULL ? 0 : strlen(columns[i].unit) + 1) +
                length_of(columns[i].meaning) + length_of(columns[i].formula) + sizeof FORMULA;
    }
    return calloc(size, 1);
}

static const char *keep(char **at, const char *text)
{
    const size_t size = text == NULL ? 0 : strlen(text) + 1;
    char *kept = *at;

    if (text == NULL) {
        return NULL;
    }
    memcpy(kept, text, size);
    *at += size;
    return kept;
}

/* Meaning and formula of a column; its name if neither is known. */
static const char *keep_meaning(char **at, const TableColumn *column, const char *name)
{
    char *kept = *at;

    if (column->meaning == NULL && column->formula == NULL) {
        return name;
    }
    *at += sprintf(*at, "%s%s%s", column->meaning == NULL ? "" : column->meaning,
                   column->formula == NULL   ? ""
                   : column->meaning == NULL ? &FORMULA[1]
                                             : FORMULA,
                   column->formula == NULL ? "" : column->formula) +
           1;
    return kept;
}

/* Blocks run side by side; amounts add up, all else is a share or a rate. */
static uint32_t combine_of(const TableColumn *column)
{
    static const char *const times[] = { "us", "cycles" };
    static const char *const amounts[] = { "KiB",        "bytes",        "count",
                                           "executions", "instructions", "ops" };

    if (column->kind == OPPROF_FIELD_STRING || (column->flags & OPPROF_FIELD_KEY) != 0) {
        return OPPROF_COMBINE_UNKNOWN;
    }
    for (size_t i = 0; column->unit != NULL && i < OPPROF_COUNT(times); i++) {
        if (strcmp(column->unit, times[i]) == 0) {
            return OPPROF_COMBINE_LONGEST;
        }
    }
    for (size_t i = 0; column->unit != NULL && i < OPPROF_COUNT(amounts); i++) {
        if (strcmp(column->unit, amounts[i]) == 0) {
            return OPPROF_COMBINE_SUM;
        }
    }
    return OPPROF_COMBINE_MEAN;
}

static void fill_fields(TableType *table, const TableColumn *columns, uint32_t count)
{
    char *at = table->names;

    for (uint32_t i = 0; i < FOLDER_FIELDS; i++) {
        table->fields[i] = (OpprofField){ .name = folder_names[i],
                                          .kind = OPPROF_FIELD_STRING,
                                          .offset = i * (uint32_t) sizeof(uint32_t),
                                          .meaning = "Part of the results' folder.",
                                          .absent = "it has no such part",
                                          .flags = OPPROF_FIELD_HIDDEN | OPPROF_FIELD_KEY };
    }
    for (uint32_t i = 0; i < count; i++) {
        const char *name = keep(&at, columns[i].name);
        const char *unit = keep(&at, columns[i].unit);
        const char *meaning = keep_meaning(&at, &columns[i], name);

        table->fields[FOLDER_FIELDS + i] =
            (OpprofField){ .name = name,
                           .kind = columns[i].kind,
                           .offset = FIRST_COLUMN + i * COLUMN_BYTES,
                           .unit = unit,
                           .meaning = meaning,
                           .absent = "the data does not say",
                           .heading = name,
                           .decimals = columns[i].kind == OPPROF_FIELD_F64 ? 7 : 0,
                           .flags = columns[i].flags,
                           .combine = combine_of(&columns[i]) };
    }
}

static TableType *make(const char *name, uint32_t flags, const TableColumn *columns, uint32_t count)
{
    TableType *table = calloc(1, sizeof *table);

    if (table == NULL) {
        return NULL;
    }
    table->fields = calloc((size_t) count + FOLDER_FIELDS, sizeof *table->fields);
    table->names = copy_names(columns, count);
    table->title = strdup(name);
    if (asprintf(&table->file_hint, "<device>/<kernel>/<order>/%s", name) < 0) {
        table->file_hint = NULL;
    }
    if (table->fields == NULL || table->names == NULL || table->title == NULL ||
        table->file_hint == NULL) {
        free_table(table);
        return NULL;
    }
    fill_fields(table, columns, count);
    table->type =
        (OpprofRecordType){ .struct_size = sizeof(OpprofRecordType),
                            .version = 1,
                            .name = table->title,
                            .summary = "Metrics of a launch.",
                            .size = FIRST_COLUMN + count * COLUMN_BYTES,
                            .flags = OPPROF_RECORD_TABLE | OPPROF_RECORD_END_COMMA | flags,
                            .fields = table->fields,
                            .field_count = count + FOLDER_FIELDS,
                            .title = table->title,
                            .file_hint = table->file_hint };
    table->pool = OpprofBatchPoolCreate(&table->type, BATCH_ROWS, 0);
    if (table->pool == NULL) {
        free_table(table);
        return NULL;
    }
    return table;
}

TableType *TableTypeFind(TableType **list, const char *name, uint32_t flags,
                         const TableColumn *columns, uint32_t column_count)
{
    for (TableType *at = *list; at != NULL; at = at->next) {
        if (strcmp(at->title, name) == 0 && has_columns(at, columns, column_count)) {
            return at;
        }
    }
    TableType *made = make(name, flags, columns, column_count);
    if (made != NULL) {
        made->next = *list;
        *list = made;
    }
    return made;
}

void TableTypesFree(TableType *list)
{
    while (list != NULL) {
        TableType *next = list->next;
        free_table(list);
        list = next;
    }
}

OpprofBatchPool *TableTypePool(const TableType *type)
{
    return type->pool;
}

OpprofBatch *TableNewBatch(TableType *type)
{
    return OpprofBatchPoolTake(type->pool);
}

/* ---- rows ---- */

static void *field_at(const TableType *type, void *row, uint32_t column)
{
    return (char *) row + type->fields[FOLDER_FIELDS + column].offset;
}

void TableSetString(const TableType *type, void *row, uint32_t column, uint32_t value)
{
    const uint64_t wide = 0;

    memcpy(field_at(type, row, column), &wide, sizeof wide);
    memcpy(field_at(type, row, column), &value, sizeof value);
}

void TableSetCount(const TableType *type, void *row, uint32_t column, uint64_t value)
{
    memcpy(field_at(type, row, column), &value, sizeof value);
}

void TableSetReal(const TableType *type, void *row, uint32_t column, double value)
{
    memcpy(field_at(type, row, column), &value, sizeof value);
}

void *TableAppend(const TableType *type, OpprofBatch *batch, const OpprofPmuLaunch *launch)
{
    const uint32_t folder[4] = { launch->device, launch->kernel, launch->order, 0 };
    void *row = OpprofBatchAppend(batch);

    if (row == NULL) {
        return NULL;
    }
    memcpy(row, folder, sizeof folder);
    for (uint32_t i = 0; i + FOLDER_FIELDS < type->type.field_count; i++) {
        switch (type->fields[FOLDER_FIELDS + i].kind) {
        case OPPROF_FIELD_STRING:
            TableSetString(type, row, i, OPPROF_NA_STRING);
            break;
        case OPPROF_FIELD_F64:
            TableSetReal(type, row, i, OpprofNaF64());
            break;
        default:
            TableSetCount(type, row, i, OPPROF_NA_U64);
            break;
        }
    }
    return row;
}
