/* SPDX-License-Identifier: Apache-2.0 */
/* Which tables and columns the databases of a comparison describe. Tested by tests/plugins/export/test_diff.sh. */
#include "diff_tables.h"

#include <opprof/grow.h>
#include <opprof/record.h>
#include <opprof/text.h>

#include <stdio.h>
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

static bool add_key(DiffTable *table, const char *name, bool is_hex, bool is_member)
{
    for (uint32_t i = 0; i < table->key_count; i++) {
        if (strcmp(table->keys[i].name, name) == 0) {
            return true;
        }
    }
    if (!OpprofGrow32(&table->keys, &table->key_capacity, table->key_count + 1,
                      sizeof *table->keys)) {
        return false;
    }
    table->keys[table->key_count] =
        (DiffKey){ .name = strdup(name), .is_hex = is_hex, .is_member = is_member };
    return table->keys[table->key_count].name != NULL && ++table->key_count > 0;
}

static bool is_unit_of_time(const char *unit)
{
    static const char *const units[] = { "ns", "us", "ms", "s", "tick", "cycles", "cycle" };

    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(unit, units[i]) == 0) {
            return true;
        }
    }
    return false;
}

bool DiffColumnIs(const DiffColumn *column, const char *name, const char *unit)
{
    return strcmp(column->name, name) == 0 && strcmp(column->unit, unit) == 0;
}

static bool add_column(DiffTable *table, const char *name, const char *heading, const char *unit,
                       uint32_t flags)
{
    DiffColumn *column;

    for (uint32_t i = 0; i < table->column_count; i++) {
        if (DiffColumnIs(&table->columns[i], name, unit)) {
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
                            .flags = flags,
                            .is_time = is_unit_of_time(unit) };
    return column->name != NULL && column->heading != NULL && column->unit != NULL;
}

bool DiffIsAmount(const DiffColumn *column)
{
    return column->is_time && (column->flags & OPPROF_FIELD_ALONE) == 0;
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

void DiffTableFindWeight(DiffTable *table)
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

/* A column as the database describes it. */
typedef struct Described {
    char *name;
    char *heading;
    char *unit;
    bool is_text;
    bool is_hex;
    bool is_key;
    uint32_t flags;
} Described;

static bool take_description(DiffTable *table, const Described *column)
{
    const bool is_left_out = (column->flags & (OPPROF_FIELD_HIDDEN | OPPROF_FIELD_MOMENT)) != 0;
    const bool is_alone = (column->flags & OPPROF_FIELD_ALONE) != 0;

    if (column->name == NULL || column->heading == NULL || column->unit == NULL) {
        return false;
    }
    if (column->is_key) {
        table->has_key = true;
        return add_key(table, column->name, column->is_hex,
                       (column->flags & OPPROF_FIELD_MEMBER) != 0);
    }
    if (column->is_text) {
        return is_left_out || is_alone || column->is_hex ||
               add_text(table, column->name, column->heading);
    }
    return is_left_out ||
           add_column(table, column->name, column->heading, column->unit, column->flags);
}

static bool is_kind(const char *kind, const char *name)
{
    return kind != NULL && strcmp(kind, name) == 0;
}

bool DiffKindIsText(const char *kind)
{
    return is_kind(kind, "string") || is_kind(kind, "text") || is_kind(kind, "track") ||
           is_kind(kind, "hex");
}

/* Which table a column is described for. */
typedef struct Describing {
    const DiffFile *file;
    DiffData *data;
    const char *name; /* of the table */
    bool texts_are_keys;
    bool has_columns;
} Describing;

static OpprofStatus take_column(void *context, sqlite3_stmt *row, OpprofError **error)
{
    Describing *now = context;
    DiffTable *table = find_table(now->data, now->name, NULL);
    const char *kind = (const char *) sqlite.column_text(row, 3);
    const Described column = { .name = DiffFileTextCopy(row, 0),
                               .heading = DiffFileTextCopy(row, 1),
                               .unit = DiffFileTextCopy(row, 2),
                               .is_text = DiffKindIsText(kind),
                               .is_hex = is_kind(kind, "hex"),
                               .is_key = sqlite.column_int(row, 4) != 0,
                               .flags = (uint32_t) sqlite.column_int64(row, 5) };
    bool is_good = column.name != NULL;

    if (is_good && !now->texts_are_keys) {
        is_good = take_description(table, &column);
    } else if (is_good && column.is_text) {
        is_good = add_key(table, column.name, column.is_hex, false);
    }
    free(column.name);
    free(column.heading);
    free(column.unit);
    now->has_columns = true;
    if (!is_good) {
        return DiffNoMemory(error);
    }
    return table->key_count + table->column_count + table->text_count <= COLUMNS_MAX
               ? OPPROF_OK
               : DiffFileRefuse(now->file, "it describes too many columns", error);
}

/* Columns of a table: keys, numbers; without keys all texts are the key. Texts also add up rows (`sums`). */
static OpprofStatus describe_columns(Describing *now, OpprofError **error)
{
    return DiffFileQuery(now->file,
                         "SELECT name, heading, coalesce(unit, ''), kind, is_key, flags FROM "
                         "opprof_columns WHERE table_name = ? ORDER BY position",
                         now->name, take_column, now, error);
}

/* False without memory. */
static bool copy_member(const DiffTable *table, DiffTable *sums)
{
    for (uint32_t k = 0; k < table->key_count; k++) {
        if (table->keys[k].is_member) {
            sums->member.name = strdup(table->keys[k].name);
            return sums->member.name != NULL;
        }
    }
    return true;
}

static OpprofStatus take_sums(void *context, sqlite3_stmt *row, OpprofError **error)
{
    const Describing *now = context;
    const DiffTable before = *find_table(now->data, now->name, NULL);
    const bool is_for_sums =
        (sqlite.column_int64(row, 1) & (OPPROF_FIELD_HIDDEN | OPPROF_FIELD_ALONE)) == 0;
    char *by = DiffFileTextCopy(row, 0);
    bool is_good = by != NULL;

    if (is_good && is_for_sums && before.weight < before.column_count && !before.is_summary &&
        find_table(now->data, now->name, by) == NULL) {
        const DiffColumn *weight = &before.columns[before.weight];
        DiffTable *sums = add_table(now->data, now->name, before.title, by, false);

        is_good = sums != NULL && add_key(sums, by, false, false) && copy_member(&before, sums) &&
                  add_column(sums, weight->name, weight->heading, weight->unit, weight->flags);
    }
    free(by);
    return is_good ? OPPROF_OK : DiffNoMemory(error);
}

/* One more table for each text by which the weights of a table can be added up. */
static OpprofStatus describe_sums(Describing *now, OpprofError **error)
{
    return DiffFileQuery(now->file,
                         "SELECT name, flags FROM opprof_columns WHERE table_name = ? AND kind IN "
                         "('string', 'text', 'track') ORDER BY position",
                         now->name, take_sums, now, error);
}

static OpprofStatus describe_table(Describing *now, OpprofError **error)
{
    OpprofStatus status = describe_columns(now, error);

    if (status == OPPROF_OK && !now->has_columns) {
        char what[256];

        snprintf(what, sizeof what, "the table '%s' has no columns", now->name);
        return DiffFileRefuse(now->file, what, error);
    }
    if (status == OPPROF_OK && !find_table(now->data, now->name, NULL)->has_key) {
        now->texts_are_keys = true;
        status = describe_columns(now, error);
    }
    if (status == OPPROF_OK) {
        DiffTableFindWeight(find_table(now->data, now->name, NULL));
        status = describe_sums(now, error);
    }
    return status;
}

/* Where the tables of a database come in. */
typedef struct Listing {
    const DiffFile *file;
    DiffData *data;
} Listing;

static OpprofStatus take_table(void *context, sqlite3_stmt *row, OpprofError **error)
{
    const Listing *all = context;
    char *name = DiffFileTextCopy(row, 0);
    char *title = DiffFileTextCopy(row, 1);
    const bool is_summary = (sqlite.column_int64(row, 2) & OPPROF_RECORD_SUMMARY) != 0;
    OpprofStatus status = OPPROF_OK;

    if (name == NULL || title == NULL ||
        (find_table(all->data, name, NULL) == NULL &&
         add_table(all->data, name, title, NULL, is_summary) == NULL)) {
        status = DiffNoMemory(error);
    }
    if (status == OPPROF_OK) {
        status = describe_table(&(Describing){ .file = all->file, .data = all->data, .name = name },
                                error);
    }
    free(name);
    free(title);
    return status;
}

static OpprofStatus take_complete(void *context, sqlite3_stmt *row, OpprofError **error)
{
    (void) error;
    *(bool *) context = sqlite.column_int(row, 0) == 1;
    return OPPROF_OK;
}

/* What a run lacks has a line for each thing; the first one is enough for people. */
static OpprofStatus take_missing(void *context, sqlite3_stmt *row, OpprofError **error)
{
    DiffSide *side = context;
    const char *text = DiffFileText(row, 0);
    const char *end = text == NULL ? NULL : strchrnul(text, '\n');

    if (text != NULL && (side->missing != NULL || text[0] == '\0')) {
        side->has_more_missing = side->has_more_missing || side->missing != NULL;
        return OPPROF_OK;
    }
    side->missing = text == NULL ? NULL : strndup(text, (size_t) (end - text));
    if (side->missing == NULL) {
        return DiffNoMemory(error);
    }
    OpprofTextTame(side->missing, false);
    side->has_more_missing = end[0] != '\0' && end[1] != '\0';
    return OPPROF_OK;
}

OpprofStatus DiffTablesDescribe(DiffData *data, const DiffFile *file, DiffSide *side,
                                OpprofError **error)
{
    bool is_complete = false;
    OpprofStatus status = DiffFileCheck(file, "opprof_tables", error);

    if (status == OPPROF_OK) {
        status = DiffFileCheck(file, "opprof_columns", error);
    }
    if (status == OPPROF_OK) {
        status = DiffFileQuery(file, "SELECT value FROM opprof_run WHERE name = 'complete'", NULL,
                               take_complete, &is_complete, error);
    }
    side->is_complete = side->is_complete && is_complete;
    if (status == OPPROF_OK && !is_complete) {
        status = DiffFileQuery(file, "SELECT value FROM opprof_run WHERE name = 'missing'", NULL,
                               take_missing, side, error);
    }
    return status == OPPROF_OK
               ? DiffFileQuery(file,
                               "SELECT name, coalesce(title, ''), flags FROM opprof_tables WHERE "
                               "record IS NOT 'advice' ORDER BY name",
                               NULL, take_table, &(Listing){ file, data }, error)
               : status;
}
