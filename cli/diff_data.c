/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the databases of two results for their comparison. Tested by tests/plugins/export/test_diff.sh. */
#include "diff_data.h"
#include "sqlite_library.h"

#include <opprof/grow.h>
#include <opprof/record.h>
#include <opprof/text.h>

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILE_NAME "results.sqlite"
#define ROWS_MAX 1000000 /* of a table in a run; more are not compared */

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "compare results");
}

/* ---- finding databases ---- */

static bool is_file(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* Takes the path. */
static bool add_database(DiffSide *side, char *path)
{
    if (path == NULL ||
        !OpprofGrow32(&side->databases, &side->capacity, side->runs + 1, sizeof *side->databases)) {
        free(path);
        return false;
    }
    side->databases[side->runs++] = path;
    return true;
}

static int compare_paths(const void *a, const void *b)
{
    return strverscmp(*(char *const *) a, *(char *const *) b);
}

/* Folders of runs in a folder. */
static bool add_runs(DiffSide *side)
{
    DIR *folder = opendir(side->path);
    const struct dirent *entry;
    bool is_good = true;

    while (is_good && folder != NULL && side->runs < DIFF_RUNS_MAX &&
           (entry = readdir(folder)) != NULL) {
        char *path = NULL;

        if (entry->d_name[0] == '.') {
            continue;
        }
        is_good = asprintf(&path, "%s/%s/" FILE_NAME, side->path, entry->d_name) >= 0;
        if (is_good && is_file(path)) {
            is_good = add_database(side, path);
        } else if (is_good) {
            free(path);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    if (side->runs > 0) {
        qsort(side->databases, side->runs, sizeof *side->databases, compare_paths);
    }
    return is_good;
}

static OpprofStatus find_databases(DiffSide *side, OpprofError **error)
{
    char *inside = NULL;
    bool is_good = true;

    if (is_file(side->path)) {
        is_good = add_database(side, strdup(side->path));
    } else if (asprintf(&inside, "%s/" FILE_NAME, side->path) < 0) {
        return no_memory(error);
    } else if (is_file(inside)) {
        is_good = add_database(side, inside);
    } else {
        free(inside);
        is_good = add_runs(side);
    }
    if (!is_good) {
        return no_memory(error);
    }
    if (side->runs == 0) {
        OpprofErrorSet(error, OPPROF_E_NOT_FOUND, "There are no results in '%s'", side->path);
        OpprofErrorHint(error,
                        "Name a folder with a " FILE_NAME ", which the ready pipelines write, "
                        "or a folder of such folders");
        return OPPROF_E_NOT_FOUND;
    }
    return OPPROF_OK;
}

/* ---- one database ---- */

static OpprofStatus fail(sqlite3 *handle, const char *path, OpprofError **error)
{
    if (handle == NULL || sqlite.errcode(handle) == SQLITE_NOMEM) {
        return no_memory(error);
    }
    OpprofErrorSet(error, OPPROF_E_DATA, "Cannot read '%s': %s", path, sqlite.errmsg(handle));
    OpprofErrorHint(error, "Results come from the exporter 'sqlite' of this or an earlier release");
    return OPPROF_E_DATA;
}

/* A number that the database itself knows; -1 if it is not available. */
static int64_t pragma(sqlite3 *handle, const char *statement)
{
    sqlite3_stmt *row = NULL;
    int64_t number = -1;

    if (sqlite.prepare_v2(handle, statement, -1, &row, NULL) == SQLITE_OK &&
        sqlite.step(row) == SQLITE_ROW) {
        number = sqlite.column_int64(row, 0);
    }
    sqlite.finalize(row);
    return number;
}

/* Pages that were cut off may be those of tables that are not there then, without an error. */
static OpprofStatus check_size(sqlite3 *handle, const char *path, OpprofError **error)
{
    const int64_t pages = pragma(handle, "PRAGMA page_count");
    const int64_t page = pragma(handle, "PRAGMA page_size");
    struct stat info;

    if (pages < 0 || page < 0 || stat(path, &info) != 0) {
        return fail(handle, path, error);
    }
    if (info.st_size != pages * page) {
        OpprofErrorSet(error, OPPROF_E_DATA,
                       "Cannot read '%s': the file has %lld bytes, the database %lld", path,
                       (long long) info.st_size, (long long) (pages * page));
        OpprofErrorHint(error, "The file was cut or changed after the run; make the results again");
        return OPPROF_E_DATA;
    }
    return OPPROF_OK;
}

static OpprofStatus open_database(const char *path, sqlite3 **ret_handle, OpprofError **error)
{
    const int code = sqlite.open_v2(path, ret_handle, SQLITE_OPEN_READONLY, NULL);
    const OpprofStatus status =
        code == SQLITE_OK ? check_size(*ret_handle, path, error) : fail(*ret_handle, path, error);

    if (status != OPPROF_OK) {
        sqlite.close(*ret_handle);
        *ret_handle = NULL;
        return status;
    }
    sqlite.limit(*ret_handle, SQLITE_LIMIT_ATTACHED, 0);
    return OPPROF_OK;
}

/* A tame copy of a text column; "" for NULL; NULL without memory. */
static char *column_text(sqlite3_stmt *statement, int at)
{
    const char *text = (const char *) sqlite.column_text(statement, at);
    char *copy = strdup(text == NULL ? "" : text);

    if (copy != NULL) {
        OpprofTextTame(copy, false);
    }
    return copy;
}

/* ---- tables ---- */

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

static bool add_key(DiffTable *table, const char *name, bool is_hex)
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
    table->keys[table->key_count] = (DiffKey){ .name = strdup(name), .is_hex = is_hex };
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

static bool add_column(DiffTable *table, const char *name, const char *heading, const char *unit,
                       uint32_t flags)
{
    DiffColumn *column;

    for (uint32_t i = 0; i < table->column_count; i++) {
        if (strcmp(table->columns[i].name, name) == 0) {
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

/* What decides how heavy a row is: the column that says so, or else the first time that adds up. */
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

    if (column->name == NULL || column->heading == NULL || column->unit == NULL) {
        return false;
    }
    if (column->is_key) {
        table->has_key = true;
        return add_key(table, column->name, column->is_hex);
    }
    return column->is_text || is_left_out ||
           add_column(table, column->name, column->heading, column->unit, column->flags);
}

static bool is_kind(const char *kind, const char *name)
{
    return kind != NULL && strcmp(kind, name) == 0;
}

static bool is_kind_of_text(const char *kind)
{
    return is_kind(kind, "string") || is_kind(kind, "text") || is_kind(kind, "track") ||
           is_kind(kind, "hex");
}

/* Columns of a table: keys, numbers; without keys all texts are the key. Texts also add up rows (`sums`). */
static OpprofStatus describe_columns(DiffData *data, sqlite3 *handle, const char *path,
                                     const char *name, bool texts_are_keys, OpprofError **error)
{
    sqlite3_stmt *statement = NULL;
    bool is_good = true;

    if (sqlite.prepare_v2(handle,
                          "SELECT name, heading, coalesce(unit, ''), kind, is_key, flags FROM "
                          "opprof_columns WHERE table_name = ? ORDER BY position",
                          -1, &statement, NULL) != SQLITE_OK) {
        return fail(handle, path, error);
    }
    sqlite.bind_text(statement, 1, name, -1, SQLITE_STATIC);
    while (is_good && sqlite.step(statement) == SQLITE_ROW) {
        DiffTable *table = find_table(data, name, NULL);
        const char *kind = (const char *) sqlite.column_text(statement, 3);
        Described column = { .name = column_text(statement, 0),
                             .heading = column_text(statement, 1),
                             .unit = column_text(statement, 2),
                             .is_text = is_kind_of_text(kind),
                             .is_hex = is_kind(kind, "hex"),
                             .is_key = sqlite.column_int(statement, 4) != 0,
                             .flags = (uint32_t) sqlite.column_int64(statement, 5) };

        if (!texts_are_keys) {
            is_good = table != NULL && take_description(table, &column);
        } else if (column.is_text && column.name != NULL) {
            is_good = table != NULL && add_key(table, column.name, column.is_hex);
        }
        free(column.name);
        free(column.heading);
        free(column.unit);
    }
    sqlite.finalize(statement);
    return is_good ? OPPROF_OK : no_memory(error);
}

/* One more table for each text by which the weights of a table can be added up. */
static OpprofStatus describe_sums(DiffData *data, sqlite3 *handle, const char *path,
                                  const char *name, OpprofError **error)
{
    sqlite3_stmt *statement = NULL;
    bool is_good = true;

    if (sqlite.prepare_v2(handle,
                          "SELECT name FROM opprof_columns WHERE table_name = ? AND kind IN "
                          "('string', 'text', 'track') AND (flags & 1) = 0 ORDER BY position",
                          -1, &statement, NULL) != SQLITE_OK) {
        return fail(handle, path, error);
    }
    sqlite.bind_text(statement, 1, name, -1, SQLITE_STATIC);
    while (is_good && sqlite.step(statement) == SQLITE_ROW) {
        DiffTable *table = find_table(data, name, NULL);
        char *by = column_text(statement, 0);
        const DiffColumn *weight;

        if (table != NULL && by != NULL && table->weight < table->column_count &&
            find_table(data, name, by) == NULL && !table->is_summary) {
            const DiffTable before = *table;
            DiffTable *sums = add_table(data, name, before.title, by, false);

            weight = &before.columns[before.weight];
            is_good = sums != NULL && add_key(sums, by, false) &&
                      add_column(sums, weight->name, weight->heading, weight->unit, weight->flags);
        }
        is_good = is_good && by != NULL;
        free(by);
    }
    sqlite.finalize(statement);
    return is_good ? OPPROF_OK : no_memory(error);
}

static OpprofStatus describe_table(DiffData *data, sqlite3 *handle, const char *path,
                                   sqlite3_stmt *row, OpprofError **error)
{
    char *name = column_text(row, 0);
    char *title = column_text(row, 1);
    const bool is_summary = (sqlite.column_int64(row, 2) & OPPROF_RECORD_SUMMARY) != 0;
    DiffTable *table = name == NULL || title == NULL ? NULL : find_table(data, name, NULL);
    OpprofStatus status = OPPROF_OK;

    if (name == NULL || title == NULL ||
        (table == NULL && add_table(data, name, title, NULL, is_summary) == NULL)) {
        status = no_memory(error);
    }
    if (status == OPPROF_OK) {
        status = describe_columns(data, handle, path, name, false, error);
    }
    if (status == OPPROF_OK && !find_table(data, name, NULL)->has_key) {
        status = describe_columns(data, handle, path, name, true, error);
    }
    if (status == OPPROF_OK) {
        find_weight(find_table(data, name, NULL));
        status = describe_sums(data, handle, path, name, error);
    }
    free(name);
    free(title);
    return status;
}

static OpprofStatus describe(DiffData *data, sqlite3 *handle, const char *path, DiffSide *side,
                             OpprofError **error)
{
    sqlite3_stmt *statement = NULL;
    OpprofStatus status = OPPROF_OK;

    if (sqlite.prepare_v2(handle, "SELECT value FROM opprof_run WHERE name = 'complete'", -1,
                          &statement, NULL) != SQLITE_OK) {
        return fail(handle, path, error);
    }
    side->is_complete = side->is_complete && sqlite.step(statement) == SQLITE_ROW &&
                        sqlite.column_int(statement, 0) == 1;
    sqlite.finalize(statement);
    if (sqlite.prepare_v2(handle,
                          "SELECT name, coalesce(title, ''), flags FROM opprof_tables WHERE "
                          "record <> 'advice' ORDER BY name",
                          -1, &statement, NULL) != SQLITE_OK) {
        return fail(handle, path, error);
    }
    while (status == OPPROF_OK && sqlite.step(statement) == SQLITE_ROW) {
        status = describe_table(data, handle, path, statement, error);
    }
    sqlite.finalize(statement);
    return status;
}

/* ---- rows ---- */

/* Sums of times, means of others, by key. NULL without memory. */
static char *rows_sql(const DiffTable *table)
{
    sqlite3_str *sql = sqlite.str_new(NULL);

    sqlite.str_appendall(sql, "SELECT ");
    for (uint32_t k = 0; k < table->key_count; k++) {
        sqlite.str_appendf(sql,
                           table->keys[k].is_hex
                               ? "CASE typeof(\"%w\") WHEN 'integer' THEN printf('0x%%x',\"%w\") "
                                 "ELSE \"%w\" END,"
                               : "\"%w\",",
                           table->keys[k].name, table->keys[k].name, table->keys[k].name);
    }
    for (uint32_t c = 0; c < table->column_count; c++) {
        sqlite.str_appendf(sql, "%s(\"%w\"),",
                           table->columns[c].is_time || c == table->weight ? "sum" : "avg",
                           table->columns[c].name);
    }
    sqlite.str_appendf(sql, "count(*) FROM \"%w\"", table->name);
    for (uint32_t k = 0; k < table->key_count; k++) {
        sqlite.str_appendf(sql, "%s\"%w\"", k == 0 ? " GROUP BY " : ",", table->keys[k].name);
    }
    sqlite.str_appendf(sql, " LIMIT %d", ROWS_MAX);
    return sqlite.str_finish(sql);
}

/* "core0  0x10f8  MTE2"; NULL without memory. */
static char *row_key(const DiffTable *table, sqlite3_stmt *statement)
{
    char *key = NULL;
    size_t size;
    FILE *out = open_memstream(&key, &size);

    if (out == NULL) {
        return NULL;
    }
    for (uint32_t k = 0; k < table->key_count; k++) {
        const unsigned char *text = sqlite.column_text(statement, (int) k);

        if (text != NULL && text[0] != '\0') {
            fprintf(out, "%s%s", ftell(out) > 0 ? "  " : "", (const char *) text);
        }
    }
    if (fclose(out) != 0) {
        free(key);
        return NULL;
    }
    OpprofTextTame(key, false);
    return key;
}

/* NULL without memory. Takes the key. */
static DiffRow *find_row(DiffTable *table, char *key, uint32_t runs)
{
    const uint32_t at =
        key == NULL ? OPPROF_MAP_NONE : OpprofTextMapFind(&table->index, key, strlen(key));
    const size_t count = (size_t) runs * table->column_count;
    DiffRow row = { .key = key };

    if (at != OPPROF_MAP_NONE) {
        free(key);
        return &table->rows[at];
    }
    row.values = key == NULL ? NULL : calloc(count + 1, sizeof *row.values);
    if (row.values == NULL ||
        !OpprofGrow32(&table->rows, &table->row_capacity, table->row_count + 1,
                      sizeof *table->rows) ||
        !OpprofTextMapPut(&table->index, key, strlen(key), table->row_count, NULL)) {
        free(row.values);
        free(key);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        row.values[i] = (double) NAN;
    }
    table->rows[table->row_count] = row;
    return &table->rows[table->row_count++];
}

static bool take_row(DiffTable *table, sqlite3_stmt *statement, uint32_t run, uint32_t runs)
{
    const DiffRow *row = find_row(table, row_key(table, statement), runs);

    for (uint32_t c = 0; row != NULL && c < table->column_count; c++) {
        const int at = (int) (table->key_count + c);

        if (sqlite.column_type(statement, at) != SQLITE_NULL) {
            row->values[(size_t) run * table->column_count + c] =
                sqlite.column_double(statement, at);
        }
    }
    return row != NULL;
}

/* A table that a run does not have gives no rows. */
static OpprofStatus load_rows(DiffTable *table, sqlite3 *handle, uint32_t run, uint32_t runs,
                              OpprofError **error)
{
    char *sql = rows_sql(table);
    sqlite3_stmt *statement = NULL;
    bool is_good = sql != NULL;

    if (is_good && sqlite.prepare_v2(handle, sql, -1, &statement, NULL) == SQLITE_OK) {
        while (is_good && sqlite.step(statement) == SQLITE_ROW) {
            is_good = take_row(table, statement, run, runs);
        }
    }
    sqlite.finalize(statement);
    sqlite.free(sql);
    return is_good ? OPPROF_OK : no_memory(error);
}

/* All databases once for what tables there are, then once for the rows. */
static OpprofStatus visit(DiffData *data, bool for_rows, OpprofError **error)
{
    const uint32_t runs = data->sides[0].runs + data->sides[1].runs;
    OpprofStatus status = OPPROF_OK;

    for (uint32_t run = 0; status == OPPROF_OK && run < runs; run++) {
        DiffSide *side = &data->sides[run >= data->sides[0].runs];
        const char *path =
            side->databases[run >= data->sides[0].runs ? run - data->sides[0].runs : run];
        sqlite3 *handle = NULL;

        status = open_database(path, &handle, error);
        if (status == OPPROF_OK && !for_rows) {
            status = describe(data, handle, path, side, error);
        }
        for (uint32_t i = 0; for_rows && status == OPPROF_OK && i < data->table_count; i++) {
            status = load_rows(&data->tables[i], handle, run, runs, error);
        }
        sqlite.close(handle);
    }
    return status;
}

OpprofStatus DiffDataLoad(DiffData *data, const char *a, const char *b, OpprofError **error)
{
    OpprofStatus status;

    *data = (DiffData){ .sides = { { .path = a, .is_complete = true },
                                   { .path = b, .is_complete = true } } };
    status = find_databases(&data->sides[0], error);
    if (status == OPPROF_OK) {
        status = find_databases(&data->sides[1], error);
    }
    if (status == OPPROF_OK) {
        status = SqliteLibraryLoad(error);
    }
    if (status == OPPROF_OK) {
        status = visit(data, false, error);
    }
    for (uint32_t i = 0; i < data->table_count; i++) {
        find_weight(&data->tables[i]);
    }
    return status == OPPROF_OK ? visit(data, true, error) : status;
}

static void free_table(DiffTable *table)
{
    for (uint32_t i = 0; i < table->row_count; i++) {
        free(table->rows[i].key);
        free(table->rows[i].values);
    }
    for (uint32_t i = 0; i < table->column_count; i++) {
        free(table->columns[i].name);
        free(table->columns[i].heading);
        free(table->columns[i].unit);
    }
    for (uint32_t i = 0; i < table->key_count; i++) {
        free(table->keys[i].name);
    }
    free(table->rows);
    free(table->columns);
    free(table->keys);
    free(table->name);
    free(table->title);
    free(table->by);
    OpprofTextMapFinish(&table->index);
}

void DiffDataFree(DiffData *data)
{
    for (uint32_t i = 0; i < data->table_count; i++) {
        free_table(&data->tables[i]);
    }
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < data->sides[side].runs; i++) {
            free(data->sides[side].databases[i]);
        }
        free(data->sides[side].databases);
    }
    free(data->tables);
    *data = (DiffData){ .table_count = 0 };
}

uint32_t DiffValues(const DiffData *data, const DiffTable *table, const DiffRow *row,
                    uint32_t column, int side, double *out)
{
    const uint32_t first = side == 0 ? 0 : data->sides[0].runs;
    uint32_t count = 0;

    for (uint32_t run = first; run < first + data->sides[side].runs; run++) {
        const double value = row->values[(size_t) run * table->column_count + column];

        if (!isnan(value)) {
            out[count++] = value;
        }
    }
    return count;
}
