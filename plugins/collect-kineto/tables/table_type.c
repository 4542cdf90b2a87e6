/* SPDX-License-Identifier: Apache-2.0 */
/* Makes record types of tables. Tested by tests/plugins/collect-kineto/test_ascend_tables.sh. */
#include "collect-kineto/tables/table_type.h"

#include <ctype.h>
#include <opprof/grow.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool TableColumnFits(const TableColumn *column, const char *heading)
{
    const size_t length = strlen(heading);
    const char *at = column->headings;

    for (;;) {
        const size_t part = strcspn(at, "|");

        if (part == length && strncasecmp(at, heading, length) == 0) {
            return true;
        }
        if (at[part] == '\0') {
            return false;
        }
        at += part + 1;
    }
}

static bool is_taken(const TableType *table, const char *name)
{
    bool result = strcmp(name, "rank") == 0;

    for (uint32_t i = 0; i < table->kind->column_count; i++) {
        result = result || strcmp(table->kind->columns[i].name, name) == 0;
    }
    for (size_t i = 0; i < table->more_count; i++) {
        result = result || strcmp(table->more[i].name, name) == 0;
    }
    return result;
}

/* A name of the heading's letters and digits that no other column has. NULL without memory. */
static char *make_name(const TableType *table, const char *heading)
{
    const size_t room = strlen(heading) + 24;
    char *name = calloc(1, room);
    size_t length = 0;

    for (const char *at = heading; name != NULL && *at != '\0'; at++) {
        if (isalnum((unsigned char) *at)) {
            name[length++] = (char) tolower((unsigned char) *at);
        } else if (length > 0 && name[length - 1] != '_') {
            name[length++] = '_';
        }
    }
    while (length > 0 && name[length - 1] == '_') {
        name[--length] = '\0';
    }
    if (name != NULL && (length == 0 || isdigit((unsigned char) name[0]))) {
        memmove(name + 7, name, length + 1);
        memcpy(name, "column_", 7);
        length += 7;
    }
    for (unsigned number = 2; name != NULL && is_taken(table, name); number++) {
        snprintf(name + length, room - length, "_%u", number);
    }
    return name;
}

size_t TableTypeAdd(TableType *table, const char *heading)
{
    TableMore more = { .is_number = true };

    for (size_t i = 0; i < table->more_count; i++) {
        if (strcmp(table->more[i].heading, heading) == 0) {
            return i;
        }
    }
    if (table->more_count + table->kind->column_count + 1 == TABLE_COLUMNS ||
        !OpprofGrow(&table->more, &table->more_room, table->more_count + 1, sizeof *table->more)) {
        return SIZE_MAX;
    }
    more.heading = strdup(heading);
    more.name = make_name(table, heading);
    if (more.heading == NULL || more.name == NULL) {
        free(more.heading);
        free(more.name);
        return SIZE_MAX;
    }
    table->more[table->more_count] = more;
    return table->more_count++;
}

static uint32_t kind_of(const TableColumn *column)
{
    switch (column->kind) {
    case CELL_WORD:
    case CELL_RANK:
        return OPPROF_FIELD_STRING;
    case CELL_INTEGER:
    case CELL_TIME:
        return OPPROF_FIELD_I64;
    case CELL_NUMBER:
        return OPPROF_FIELD_F64;
    case CELL_TEXT:
    case CELL_SHAPES:
    default:
        return OPPROF_FIELD_TEXT;
    }
}

static OpprofField field_of(const TableColumn *column, uint32_t place)
{
    const uint32_t kind = kind_of(column);
    const bool is_number = kind != OPPROF_FIELD_STRING && kind != OPPROF_FIELD_TEXT;
    const bool is_alone = is_number && column->combine == 0 && column->flags == 0;

    return (OpprofField){
        .name = column->name,
        .kind = kind,
        .offset = place * TABLE_CELL,
        .unit = column->unit,
        .meaning = column->meaning,
        .absent = "the profiler's table does not say",
        .heading = column->heading,
        .flags = column->flags | (is_alone ? OPPROF_FIELD_ALONE : 0),
        .combine = column->combine,
    };
}

static OpprofField field_of_more(const TableMore *more, uint32_t place)
{
    return (OpprofField){
        .name = more->name,
        .kind = more->is_known && more->is_number ? OPPROF_FIELD_F64 : OPPROF_FIELD_TEXT,
        .offset = place * TABLE_CELL,
        .meaning = "As the profiler's table has it.",
        .absent = "the profiler's table does not say",
        .heading = more->heading,
        .flags = OPPROF_FIELD_ALONE,
    };
}

bool TableTypeMake(TableType *table)
{
    const uint32_t columns = table->kind->column_count;
    const uint32_t count = 1 + columns + (uint32_t) table->more_count;

    table->fields = calloc(count, sizeof *table->fields);
    if (table->fields == NULL) {
        return false;
    }
    table->fields[0] = (OpprofField){ .name = "rank",
                                      .kind = OPPROF_FIELD_STRING,
                                      .flags = OPPROF_FIELD_KEY | OPPROF_FIELD_MEMBER,
                                      .meaning = "Rank." };
    for (uint32_t i = 0; i < columns; i++) {
        table->fields[1 + i] = field_of(&table->kind->columns[i], 1 + i);
    }
    for (uint32_t i = 0; i < table->more_count; i++) {
        table->fields[1 + columns + i] = field_of_more(&table->more[i], 1 + columns + i);
    }
    table->type = (OpprofRecordType){
        .struct_size = sizeof(OpprofRecordType),
        .version = 1,
        .name = table->kind->type,
        .summary = table->kind->summary,
        .size = count * TABLE_CELL,
        .flags = OPPROF_RECORD_TABLE,
        .fields = table->fields,
        .field_count = count,
        .title = table->kind->title,
        .file_hint = table->kind->hint,
    };
    return true;
}

void TableTypeFinish(TableType *table)
{
    for (size_t i = 0; i < table->more_count; i++) {
        free(table->more[i].heading);
        free(table->more[i].name);
    }
    free(table->more);
    free(table->fields);
    *table = (TableType){ .kind = NULL };
}
