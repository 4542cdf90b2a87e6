/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the databases of two results for their comparison. Tested by tests/plugins/export/test_diff.sh. */
#include "diff_data.h"
#include "diff_file.h"

#include <opprof/grow.h>
#include <opprof/record.h>
#include <opprof/text.h>

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILE_NAME "results.sqlite"
#define COLUMNS_MAX 1900 /* SQLite gives a row no more than 2000 */

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

/* A run that left no database would be missing among the repetitions. Takes the path, where the database should be. */
static OpprofStatus add_run(DiffSide *side, const char *folder, char *path, OpprofError **error)
{
    char *record = NULL;

    if (is_file(path)) {
        return add_database(side, path) ? OPPROF_OK : no_memory(error);
    }
    free(path);
    if (asprintf(&record, "%s/%s/run.json", side->path, folder) < 0) {
        return no_memory(error);
    }
    const bool is_run = is_file(record);

    free(record);
    if (!is_run) {
        return OPPROF_OK;
    }
    OpprofErrorSet(error, OPPROF_E_NOT_FOUND, "The run in '%s/%s' has left no " FILE_NAME,
                   side->path, folder);
    OpprofErrorHint(error, "It was stopped, or its pipeline has no exporter 'sqlite'; to compare "
                           "the other runs, move it elsewhere");
    return OPPROF_E_NOT_FOUND;
}

static OpprofStatus read_folder(DiffSide *side, DIR *folder, OpprofError **error)
{
    const struct dirent *entry;
    OpprofStatus status = OPPROF_OK;

    for (errno = 0; status == OPPROF_OK && (entry = readdir(folder)) != NULL; errno = 0) {
        char *path = NULL;

        if (entry->d_name[0] == '.') {
            continue;
        }
        if (asprintf(&path, "%s/%s/" FILE_NAME, side->path, entry->d_name) < 0) {
            return no_memory(error);
        }
        status = add_run(side, entry->d_name, path, error);
        if (status == OPPROF_OK && side->runs > DIFF_RUNS_MAX) {
            status = OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                                    "'%s' has more than %u runs, the most that can be compared",
                                    side->path, DIFF_RUNS_MAX);
        }
    }
    return status == OPPROF_OK && errno != 0
               ? OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s': %m", side->path)
               : status;
}

/* Folders of runs in a folder. */
static OpprofStatus add_runs(DiffSide *side, OpprofError **error)
{
    DIR *folder = opendir(side->path);
    OpprofStatus status;

    if (folder == NULL) {
        return errno == ENOTDIR
                   ? OPPROF_OK
                   : OpprofErrorSet(error, OPPROF_E_IO, "Cannot read '%s': %m", side->path);
    }
    status = read_folder(side, folder, error);
    closedir(folder);
    if (side->runs > 0) {
        qsort(side->databases, side->runs, sizeof *side->databases, compare_paths);
    }
    return status;
}

static OpprofStatus find_databases(DiffSide *side, OpprofError **error)
{
    char *inside = NULL;
    OpprofStatus status = OPPROF_OK;

    if (is_file(side->path)) {
        status = add_database(side, strdup(side->path)) ? OPPROF_OK : no_memory(error);
    } else if (asprintf(&inside, "%s/" FILE_NAME, side->path) < 0) {
        return no_memory(error);
    } else if (is_file(inside)) {
        status = add_database(side, inside) ? OPPROF_OK : no_memory(error);
    } else {
        free(inside);
        status = add_runs(side, error);
    }
    if (status == OPPROF_OK && side->runs == 0) {
        OpprofErrorSet(error, OPPROF_E_NOT_FOUND, "There are no results in '%s'", side->path);
        OpprofErrorHint(error,
                        "Name a folder with a " FILE_NAME ", which the ready pipelines write, "
                        "or a folder of such folders");
        return OPPROF_E_NOT_FOUND;
    }
    return status;
}

/* ---- descriptions ---- */

/* Text of a column; "" for NULL; NULL without memory. */
static const char *text_of(sqlite3_stmt *statement, int at)
{
    const bool is_null = sqlite.column_type(statement, at) == SQLITE_NULL;

    return is_null ? "" : (const char *) sqlite.column_text(statement, at);
}

/* A tame copy of it. */
static char *column_text(sqlite3_stmt *statement, int at)
{
    const char *text = text_of(statement, at);
    char *copy = text == NULL ? NULL : strdup(text);

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

/* Numbers of different units do not compare: these are two columns, and each side has one of them. */
static bool is_column(const DiffColumn *column, const char *name, const char *unit)
{
    return strcmp(column->name, name) == 0 && strcmp(column->unit, unit) == 0;
}

static bool add_column(DiffTable *table, const char *name, const char *heading, const char *unit,
                       uint32_t flags)
{
    DiffColumn *column;

    for (uint32_t i = 0; i < table->column_count; i++) {
        if (is_column(&table->columns[i], name, unit)) {
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

static bool is_kind_of_text(const char *kind)
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
    const Described column = { .name = column_text(row, 0),
                               .heading = column_text(row, 1),
                               .unit = column_text(row, 2),
                               .is_text = is_kind_of_text(kind),
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
        return no_memory(error);
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
    char *by = column_text(row, 0);
    bool is_good = by != NULL;

    if (is_good && is_for_sums && before.weight < before.column_count && !before.is_summary &&
        find_table(now->data, now->name, by) == NULL) {
        const DiffColumn *weight = &before.columns[before.weight];
        DiffTable *sums = add_table(now->data, now->name, before.title, by, false);

        is_good = sums != NULL && add_key(sums, by, false, false) && copy_member(&before, sums) &&
                  add_column(sums, weight->name, weight->heading, weight->unit, weight->flags);
    }
    free(by);
    return is_good ? OPPROF_OK : no_memory(error);
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
        find_weight(find_table(now->data, now->name, NULL));
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
    char *name = column_text(row, 0);
    char *title = column_text(row, 1);
    const bool is_summary = (sqlite.column_int64(row, 2) & OPPROF_RECORD_SUMMARY) != 0;
    OpprofStatus status = OPPROF_OK;

    if (name == NULL || title == NULL ||
        (find_table(all->data, name, NULL) == NULL &&
         add_table(all->data, name, title, NULL, is_summary) == NULL)) {
        status = no_memory(error);
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
    const char *text = text_of(row, 0);
    const char *end = text == NULL ? NULL : strchrnul(text, '\n');

    if (text != NULL && (side->missing != NULL || text[0] == '\0')) {
        side->has_more_missing = side->has_more_missing || side->missing != NULL;
        return OPPROF_OK;
    }
    side->missing = text == NULL ? NULL : strndup(text, (size_t) (end - text));
    if (side->missing == NULL) {
        return no_memory(error);
    }
    OpprofTextTame(side->missing, false);
    side->has_more_missing = end[0] != '\0' && end[1] != '\0';
    return OPPROF_OK;
}

static OpprofStatus describe(DiffData *data, const DiffFile *file, DiffSide *side,
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

/* ---- rows ---- */

/* Without a key all texts are the key. */
uint32_t DiffTextsOf(const DiffTable *table)
{
    return table->by == NULL && table->has_key ? table->text_count : 0;
}

/* A key of a row: NULL where the run has no such column. */
static void put_key(sqlite3_str *sql, const DiffKey *key)
{
    if (!key->is_here) {
        sqlite.str_appendall(sql, "NULL,");
    } else if (key->is_hex) {
        sqlite.str_appendf(sql,
                           "CASE typeof(t.\"%w\") WHEN 'integer' THEN printf('0x%%x',t.\"%w\") "
                           "ELSE t.\"%w\" END,",
                           key->name, key->name, key->name);
    } else {
        sqlite.str_appendf(sql, "t.\"%w\",", key->name);
    }
}

/*
 * Which rows are added up: those of the member that is all of them together, where there is one. By members it is left out.
 */
static void put_members(sqlite3_str *sql, const DiffTable *table)
{
    if (table->by == NULL || !table->member.is_here) {
        return;
    }
    if (strcmp(table->by, table->member.name) == 0) {
        sqlite.str_appendf(sql, " WHERE t.\"%w\" IS NOT 'all'", table->member.name);
    } else {
        sqlite.str_appendf(sql,
                           " WHERE t.\"%w\" = 'all' OR NOT EXISTS (SELECT 1 FROM \"%w\" a WHERE "
                           "a.\"%w\" = 'all')",
                           table->member.name, table->name, table->member.name);
    }
}

/* How many values of a sum are absent; texts, of several rows that which all of them have. */
static void put_texts(sqlite3_str *sql, const DiffTable *table)
{
    if (table->by != NULL && table->columns[0].is_here) {
        sqlite.str_appendf(sql, ",count(*)-count(t.\"%w\")", table->columns[0].name);
    } else if (table->by != NULL) {
        sqlite.str_appendall(sql, ",count(*)");
    }
    for (uint32_t i = 0; i < DiffTextsOf(table); i++) {
        if (table->texts[i].is_here) {
            sqlite.str_appendf(
                sql,
                ",CASE WHEN count(*)=count(t.\"%w\") AND min(t.\"%w\")=max(t.\"%w\") "
                "THEN min(t.\"%w\") END",
                table->texts[i].name, table->texts[i].name, table->texts[i].name,
                table->texts[i].name);
        } else {
            sqlite.str_appendall(sql, ",NULL");
        }
    }
}

static bool adds_up(const DiffTable *table, uint32_t column)
{
    return DiffIsAmount(&table->columns[column]) ||
           (column == table->weight && (table->columns[column].flags & OPPROF_FIELD_ALONE) == 0);
}

/*
 * Sums of times, means of others, by key. NULL without memory. A quoted name without the table before it would be a text
 * where there is no such column.
 */
static char *rows_sql(const DiffTable *table)
{
    sqlite3_str *sql = sqlite.str_new(NULL);
    const char *before = " GROUP BY ";

    sqlite.str_appendall(sql, "SELECT ");
    for (uint32_t k = 0; k < table->key_count; k++) {
        put_key(sql, &table->keys[k]);
    }
    for (uint32_t c = 0; c < table->column_count; c++) {
        const DiffColumn *column = &table->columns[c];

        if (column->is_here) {
            /* A sum of integers could be too large for one. */
            sqlite.str_appendf(sql, "%s(1.0*t.\"%w\"),", adds_up(table, c) ? "sum" : "avg",
                               column->name);
        } else {
            sqlite.str_appendall(sql, "NULL,");
        }
    }
    sqlite.str_appendall(sql, "count(*)");
    put_texts(sql, table);
    sqlite.str_appendf(sql, " FROM \"%w\" t", table->name);
    put_members(sql, table);
    for (uint32_t k = 0; k < table->key_count; k++) {
        if (table->keys[k].is_here) {
            sqlite.str_appendf(sql, "%st.\"%w\"", before, table->keys[k].name);
            before = ",";
        }
    }
    return sqlite.str_finish(sql);
}

/* Ends a text that was put together. NULL without memory: the stream may have no text then, and not say so. */
static char *finish_text(FILE *out, char **text, bool is_whole)
{
    if (fclose(out) != 0 || !is_whole) {
        free(*text);
        *text = NULL;
    }
    return *text;
}

/* What tells a row from all others of its table: "6:core0 -". An absent key is not an empty one. NULL without memory. */
static char *row_identity(const DiffTable *table, sqlite3_stmt *statement, size_t *ret_size)
{
    char *identity = NULL;
    FILE *out = open_memstream(&identity, ret_size);
    bool is_whole = out != NULL;

    for (uint32_t k = 0; is_whole && k < table->key_count; k++) {
        const bool is_absent = sqlite.column_type(statement, (int) k) == SQLITE_NULL;
        const char *text = text_of(statement, (int) k);
        const size_t size = text == NULL ? 0 : (size_t) sqlite.column_bytes(statement, (int) k);

        is_whole = text != NULL && (is_absent ? fputs("-", out) >= 0
                                              : fprintf(out, "%zu:", size) > 0 &&
                                                    fwrite(text, 1, size, out) == size);
    }
    return out == NULL ? NULL : finish_text(out, &identity, is_whole);
}

/* "core0  0x10f8  MTE2"; NULL without memory. */
static char *row_key(const DiffTable *table, sqlite3_stmt *statement)
{
    char *key = NULL;
    size_t size;
    FILE *out = open_memstream(&key, &size);
    bool is_whole = out != NULL;

    for (uint32_t k = 0; is_whole && k < table->key_count; k++) {
        const char *text = text_of(statement, (int) k);

        is_whole = text != NULL;
        if (text != NULL && text[0] != '\0') {
            is_whole = fprintf(out, "%s%s", ftell(out) > 0 ? "  " : "", text) >= 0;
        }
    }
    if (out != NULL && finish_text(out, &key, is_whole) != NULL) {
        OpprofTextTame(key, false);
    }
    return key;
}

static void free_row(DiffRow *row)
{
    free(row->key);
    free(row->values);
    free(row->is_in);
    free(row->texts);
    free(row->unknown);
}

/* A row that no run had before; NULL without memory. Takes the key. */
static DiffRow *add_row(DiffTable *table, char *key, uint32_t runs)
{
    const size_t count = (size_t) runs * table->column_count;
    DiffRow row = { .key = key,
                    .values = calloc(count + 1, sizeof *row.values),
                    .is_in = calloc((size_t) runs + 1, sizeof *row.is_in),
                    .texts = calloc((size_t) runs * DiffTextsOf(table) + 1, sizeof *row.texts),
                    .unknown = calloc((size_t) runs + 1, sizeof *row.unknown) };

    if (key == NULL || row.values == NULL || row.is_in == NULL || row.texts == NULL ||
        row.unknown == NULL ||
        !OpprofGrow32(&table->rows, &table->row_capacity, table->row_count + 1,
                      sizeof *table->rows)) {
        free_row(&row);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        row.values[i] = (double) NAN;
    }
    table->rows[table->row_count] = row;
    return &table->rows[table->row_count++];
}

/* NULL without memory. */
static DiffRow *find_row(DiffTable *table, sqlite3_stmt *statement, uint32_t runs)
{
    size_t size = 0;
    char *identity = row_identity(table, statement, &size);
    const uint32_t at =
        identity == NULL ? OPPROF_MAP_NONE : OpprofTextMapFind(&table->index, identity, size);
    DiffRow *row = at == OPPROF_MAP_NONE ? NULL : &table->rows[at];

    if (identity != NULL && row == NULL &&
        OpprofTextMapPut(&table->index, identity, size, table->row_count, NULL)) {
        row = add_row(table, row_key(table, statement), runs);
    }
    free(identity);
    return row;
}

/* Which run of how many a row is of. */
typedef struct Loading {
    DiffTable *table;
    uint32_t run;
    uint32_t runs;
} Loading;

static bool is_whole(const DiffTable *table, sqlite3_stmt *statement)
{
    for (uint32_t k = 0; k < table->key_count; k++) {
        const char *text = table->keys[k].is_member ? text_of(statement, (int) k) : NULL;

        if (text != NULL && strcmp(text, "all") == 0) {
            return true;
        }
    }
    return false;
}

/* The table's only copy of a text. NULL without memory. */
static const char *word_of(DiffTable *table, const char *text)
{
    const size_t length = strlen(text);
    const uint32_t at = OpprofTextMapFind(&table->word_index, text, length);
    const char *word;

    if (at != OPPROF_MAP_NONE) {
        return table->words[at];
    }
    if (!OpprofGrow32(&table->words, &table->word_capacity, table->word_count + 1,
                      sizeof *table->words) ||
        !OpprofTextMapPut(&table->word_index, text, length, table->word_count, &word)) {
        return NULL;
    }
    table->words[table->word_count++] = word;
    return word;
}

/* The texts of a row, from a column of the statement on. False without memory. */
static bool take_texts(DiffTable *table, DiffRow *row, uint32_t run, sqlite3_stmt *statement,
                       uint32_t at)
{
    const uint32_t count = DiffTextsOf(table);

    for (uint32_t i = 0; i < count; i++) {
        if (sqlite.column_type(statement, (int) (at + i)) != SQLITE_NULL) {
            char *text = column_text(statement, (int) (at + i));
            const char *word = text == NULL ? NULL : word_of(table, text);

            free(text);
            if (word == NULL) {
                return false;
            }
            row->texts[(size_t) run * count + i] = word;
        }
    }
    return true;
}

static OpprofStatus take_row(void *context, sqlite3_stmt *statement, OpprofError **error)
{
    const Loading *now = context;
    DiffTable *table = now->table;
    const uint32_t after = table->key_count + table->column_count;
    DiffRow *row;

    /* Without keys there is one line for all rows, and one as well if there are none. */
    if (sqlite.column_int64(statement, (int) after) == 0) {
        return OPPROF_OK;
    }
    row = find_row(table, statement, now->runs);
    if (row == NULL || !take_texts(table, row, now->run, statement, after + 1)) {
        return no_memory(error);
    }
    row->is_in[now->run] = true;
    row->is_whole = is_whole(table, statement);
    row->unknown[now->run] =
        table->by == NULL ? 0 : (uint32_t) sqlite.column_int64(statement, (int) after + 1);
    for (uint32_t c = 0; c < table->column_count; c++) {
        const int at = (int) (table->key_count + c);

        if (sqlite.column_type(statement, at) != SQLITE_NULL) {
            row->values[(size_t) now->run * table->column_count + c] =
                sqlite.column_double(statement, at);
        }
    }
    return OPPROF_OK;
}

/* A column of the run: a key, or a number in the same unit. */
static void note_presence(DiffTable *table, const char *name, const char *unit, const char *kind)
{
    for (uint32_t k = 0; k < table->key_count; k++) {
        table->keys[k].is_here = table->keys[k].is_here || strcmp(table->keys[k].name, name) == 0;
    }
    for (uint32_t c = 0; !is_kind_of_text(kind) && c < table->column_count; c++) {
        table->columns[c].is_here =
            table->columns[c].is_here || is_column(&table->columns[c], name, unit);
    }
    for (uint32_t i = 0; is_kind_of_text(kind) && i < table->text_count; i++) {
        table->texts[i].is_here =
            table->texts[i].is_here || strcmp(table->texts[i].name, name) == 0;
    }
    table->member.is_here = table->member.is_here ||
                            (table->member.name != NULL && strcmp(table->member.name, name) == 0);
    table->is_here = true;
}

static OpprofStatus take_presence(void *context, sqlite3_stmt *row, OpprofError **error)
{
    char *name = column_text(row, 0);
    char *unit = column_text(row, 1);
    const bool is_good = name != NULL && unit != NULL;

    if (is_good) {
        note_presence(context, name, unit, (const char *) sqlite.column_text(row, 2));
    }
    free(name);
    free(unit);
    return is_good ? OPPROF_OK : no_memory(error);
}

/* Which of the table's columns a run has, by what it says itself. */
static OpprofStatus find_columns(DiffTable *table, const DiffFile *file, OpprofError **error)
{
    table->is_here = false;
    table->member.is_here = false;
    for (uint32_t k = 0; k < table->key_count; k++) {
        table->keys[k].is_here = false;
    }
    for (uint32_t c = 0; c < table->column_count; c++) {
        table->columns[c].is_here = false;
    }
    for (uint32_t i = 0; i < table->text_count; i++) {
        table->texts[i].is_here = false;
    }
    return DiffFileQuery(file,
                         "SELECT c.name, coalesce(c.unit, ''), c.kind FROM opprof_tables t JOIN "
                         "opprof_columns c ON c.table_name = t.name WHERE t.name = ?",
                         table->name, take_presence, table, error);
}

/* A table that a run does not have gives no rows; one that it says it has must be there. */
static OpprofStatus load_rows(DiffTable *table, const DiffFile *file, uint32_t run, uint32_t runs,
                              OpprofError **error)
{
    OpprofStatus status = find_columns(table, file, error);
    char *sql;

    if (status != OPPROF_OK || !table->is_here) {
        return status;
    }
    sql = rows_sql(table);
    status = sql == NULL ? no_memory(error) : DiffFileCheck(file, table->name, error);
    if (status == OPPROF_OK) {
        status = DiffFileQuery(file, sql, NULL, take_row, &(Loading){ table, run, runs }, error);
    }
    sqlite.free(sql);
    return status;
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
        DiffFile file;

        status = DiffFileOpen(&file, path, error);
        if (status == OPPROF_OK && !for_rows) {
            status = describe(data, &file, side, error);
        }
        if (status == OPPROF_OK && for_rows) {
            status = DiffAdviceRead(&data->advice, &file, run >= data->sides[0].runs, run, error);
        }
        for (uint32_t i = 0; for_rows && status == OPPROF_OK && i < data->table_count; i++) {
            status = load_rows(&data->tables[i], &file, run, runs, error);
        }
        DiffFileClose(&file);
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
        free_row(&table->rows[i]);
    }
    for (uint32_t i = 0; i < table->column_count; i++) {
        free(table->columns[i].name);
        free(table->columns[i].heading);
        free(table->columns[i].unit);
    }
    for (uint32_t i = 0; i < table->key_count; i++) {
        free(table->keys[i].name);
    }
    for (uint32_t i = 0; i < table->text_count; i++) {
        free(table->texts[i].name);
        free(table->texts[i].heading);
    }
    free(table->rows);
    free(table->texts);
    free(table->columns);
    free(table->keys);
    free(table->name);
    free(table->title);
    free(table->by);
    free(table->member.name);
    OpprofTextMapFinish(&table->index);
    OpprofTextMapFinish(&table->word_index);
    free(table->words);
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
        free(data->sides[side].missing);
    }
    free(data->tables);
    DiffAdviceFree(&data->advice);
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

const char *DiffTextOf(const DiffData *data, const DiffTable *table, const DiffRow *row,
                       uint32_t text, int side)
{
    const uint32_t first = side == 0 ? 0 : data->sides[0].runs;
    const uint32_t count = DiffTextsOf(table);
    const char *found = NULL;

    for (uint32_t run = first; run < first + data->sides[side].runs; run++) {
        const char *other = row->texts[(size_t) run * count + text];

        if (row->is_in[run] && (other == NULL || (found != NULL && other != found))) {
            return NULL;
        }
        found = row->is_in[run] ? other : found;
    }
    return found;
}
