/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of a database, one for each record type. Tested by tests/plugins/export/test_sqlite.
 */
#include "table_set.h"

#include "schema.h"

#include <opprof/grow.h>
#include <opprof/print.h>
#include <opprof/text.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Names that tables of records may not have. */
static const char *const taken_names[] = { "spans", "counters" };

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "write tables to a database");
}

/* Text for SQL, with %Q and %w for names and values; NULL without memory. */
static char *make_sql(const char *format, ...)
{
    va_list list;
    char *sql;

    va_start(list, format);
    sql = sqlite.vmprintf(format, list);
    va_end(list);
    return sql;
}

/* Runs the text and frees it. */
static OpprofStatus run_sql(Database *database, char *sql, OpprofError **error)
{
    const OpprofStatus status = sql == NULL ? no_memory(error) : DatabaseRun(database, sql, error);

    sqlite.free(sql);
    return status;
}

/* ---- names ---- */

static bool is_word(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '_';
}

/* Names with these beginnings belong to SQLite, or to the tables that describe the others. */
static bool is_reserved(const char *name)
{
    return strncasecmp(name, "sqlite", 6) == 0 || strncasecmp(name, "opprof", 6) == 0;
}

/* "sim.core_summary" becomes sim_core_summary. */
char *OpprofResultsTableName(const OpprofRecordType *type)
{
    char *copy = NULL;

    if (asprintf(&copy, "%s%s", is_reserved(type->name) ? "table_" : "", type->name) < 0) {
        return NULL;
    }
    for (char *at = copy; at != NULL && *at != '\0'; at++) {
        *at = (char) (is_word(*at) ? *at : '_');
    }
    return copy;
}

static bool is_taken(const TableSet *set, const char *name)
{
    bool taken = false;

    for (size_t i = 0; i < OPPROF_COUNT(taken_names); i++) {
        taken = taken || sqlite.stricmp(name, taken_names[i]) == 0;
    }
    for (uint32_t i = 0; i < set->table_count; i++) {
        taken = taken || sqlite.stricmp(name, set->tables[i].name) == 0;
    }
    return taken;
}

/* A name that no other table has; NULL without memory. */
static char *table_name(const TableSet *set, const OpprofRecordType *type)
{
    char *plain = OpprofResultsTableName(type);
    char *name = plain;

    for (unsigned number = 2; name != NULL && is_taken(set, name); number++) {
        if (name != plain) {
            free(name);
        }
        if (asprintf(&name, "%s_%u", plain, number) < 0) {
            name = NULL;
        }
    }
    if (name != plain) {
        free(plain);
    }
    return name;
}

static bool has_column(const DatabaseTable *table, const char *name)
{
    for (uint32_t i = 0; i < table->column_count; i++) {
        if (sqlite.stricmp(name, table->columns[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- columns ---- */

/* The field's name; if that is the source's spelling of an element ("parts[2]"), its heading. */
const char *OpprofResultsFieldName(const OpprofField *field)
{
    const bool is_element = strpbrk(field->name, "[.") != NULL && strchr(field->name, '(') == NULL;

    return is_element ? OpprofFieldHeading(field) : field->name;
}

static const char *column_kind(const OpprofField *field)
{
    if (OpprofFieldIsText(field)) {
        return "TEXT";
    }
    return field->kind == OPPROF_FIELD_F64 ? "REAL" : "INTEGER";
}

/* A row of opprof_columns. */
static OpprofStatus describe_column(TableSet *set, Database *database, const DatabaseTable *table,
                                    uint32_t position, const OpprofField *field,
                                    OpprofError **error)
{
    static const char *const rules[] = RESULTS_COMBINE;
    const char *const texts[] = { OpprofResultsFieldName(field),
                                  OpprofFieldHeading(field),
                                  OpprofFieldKindName(field->kind),
                                  field->unit,
                                  field->meaning,
                                  field->absent };
    OpprofStatus status = OPPROF_OK;

    if (set->describe == NULL) {
        status =
            DatabasePrepare(database, "INSERT INTO opprof_columns VALUES(?,?,?,?,?,?,?,?,?,?,?,?)",
                            &set->describe, error);
    }
    if (status != OPPROF_OK) {
        return status;
    }
    sqlite.bind_text(set->describe, 1, table->name, -1, SQLITE_STATIC);
    sqlite.bind_int64(set->describe, 2, position);
    for (int i = 0; i < (int) OPPROF_COUNT(texts); i++) { /* NULL becomes NULL */
        sqlite.bind_text(set->describe, 3 + i, texts[i], -1, SQLITE_STATIC);
    }
    sqlite.bind_int64(set->describe, 9, field->decimals);
    sqlite.bind_int64(set->describe, 10, (field->flags & OPPROF_FIELD_KEY) != 0);
    sqlite.bind_int64(set->describe, 11, field->flags);
    sqlite.bind_text(set->describe, 12,
                     field->combine < OPPROF_COUNT(rules) ? rules[field->combine] : NULL, -1,
                     SQLITE_STATIC);
    return DatabaseStep(database, set->describe, error);
}

static bool is_wanted(const TableSet *set, const DatabaseTable *table, const OpprofField *field)
{
    return set->wanted == NULL ||
           set->wanted(set->context, table->name, OpprofResultsFieldName(field));
}

/* Choose the fields that become columns: at least one, so that rows can be counted. False without
 * memory. */
static bool choose_fields(const TableSet *set, const DatabaseTable *table, TableRows *way)
{
    way->fields = calloc(way->type->field_count, sizeof *way->fields);
    for (uint32_t f = 0; way->fields != NULL && f < way->type->field_count; f++) {
        if (is_wanted(set, table, &way->type->fields[f])) {
            way->fields[way->field_count++] = f;
        }
    }
    way->field_count += way->field_count == 0; /* the first */
    return way->fields != NULL;
}

/* Collect the columns that the table lacks; false without memory. */
static bool note_columns(DatabaseTable *table, const TableRows *way)
{
    for (uint32_t f = 0; f < way->field_count; f++) {
        const char *name = OpprofResultsFieldName(&way->type->fields[way->fields[f]]);

        if (has_column(table, name)) {
            continue;
        }
        if (!OpprofGrow32(&table->columns, &table->column_capacity, table->column_count + 1,
                          sizeof *table->columns) ||
            (table->columns[table->column_count] = strdup(name)) == NULL) {
            return false;
        }
        table->column_count++;
    }
    return true;
}

/* The first field of that column. */
static const OpprofField *field_of(const OpprofRecordType *type, const char *column)
{
    uint32_t f = 0;

    while (sqlite.stricmp(OpprofResultsFieldName(&type->fields[f]), column) != 0) {
        f++;
    }
    return &type->fields[f];
}

/* Makes a new table with all columns: each column added later makes SQLite
 * read its schema again. */
static char *create_sql(const DatabaseTable *table, const OpprofRecordType *type)
{
    sqlite3_str *sql = sqlite.str_new(NULL);

    sqlite.str_appendf(sql, "CREATE TABLE \"%w\"(", table->name);
    for (uint32_t c = 0; c < table->column_count; c++) {
        sqlite.str_appendf(sql, "%s\"%w\" %s", c == 0 ? "" : ", ", table->columns[c],
                           column_kind(field_of(type, table->columns[c])));
    }
    sqlite.str_appendall(sql, ")");
    return sqlite.str_finish(sql);
}

static OpprofStatus add_columns(TableSet *set, Database *database, DatabaseTable *table,
                                const TableRows *way, OpprofError **error)
{
    const OpprofRecordType *type = way->type;
    const uint32_t first = table->column_count;
    OpprofStatus status = note_columns(table, way) ? OPPROF_OK : no_memory(error);

    if (status == OPPROF_OK && first == 0) {
        status = run_sql(database, create_sql(table, type), error);
    }
    for (uint32_t c = first; status == OPPROF_OK && c < table->column_count; c++) {
        const OpprofField *field = field_of(type, table->columns[c]);

        if (first > 0) {
            status = run_sql(database,
                             make_sql("ALTER TABLE \"%w\" ADD COLUMN \"%w\" %s", table->name,
                                      table->columns[c], column_kind(field)),
                             error);
        }
        if (status == OPPROF_OK && set->wanted == NULL) {
            status = describe_column(set, database, table, c + 1, field, error);
        }
    }
    return status;
}

/* ---- tables ---- */

static DatabaseTable *add_table(TableSet *set, const OpprofRecordType *type)
{
    DatabaseTable *table;
    char *name = table_name(set, type);

    if (name == NULL || !OpprofGrow32(&set->tables, &set->table_capacity, set->table_count + 1,
                                      sizeof *set->tables)) {
        free(name);
        return NULL;
    }
    table = &set->tables[set->table_count++];
    *table = (DatabaseTable){ .type = type, .name = name };
    return table;
}

/* Each instance of a stage may have made the type of its table, and columns may depend on the
 * launch. */
static DatabaseTable *find_table(TableSet *set, const OpprofRecordType *type)
{
    for (uint32_t i = 0; i < set->table_count; i++) {
        const OpprofRecordType *other = set->tables[i].type;

        if (other->version == type->version && strcmp(other->name, type->name) == 0) {
            return &set->tables[i];
        }
    }
    return add_table(set, type);
}

static char *insert_sql(const DatabaseTable *table, const TableRows *way)
{
    sqlite3_str *sql = sqlite.str_new(NULL);

    sqlite.str_appendf(sql, "INSERT INTO \"%w\"(", table->name);
    for (uint32_t f = 0; f < way->field_count; f++) {
        sqlite.str_appendf(sql, "%s\"%w\"", f == 0 ? "" : ",",
                           OpprofResultsFieldName(&way->type->fields[way->fields[f]]));
    }
    sqlite.str_appendall(sql, ") VALUES(");
    for (uint32_t f = 0; f < way->field_count; f++) {
        sqlite.str_appendall(sql, f == 0 ? "?" : ",?");
    }
    sqlite.str_appendall(sql, ")");
    return sqlite.str_finish(sql);
}

static OpprofStatus prepare_way(TableSet *set, Database *database, TableRows *way,
                                OpprofError **error)
{
    DatabaseTable *table = find_table(set, way->type);
    OpprofStatus status = table == NULL ? no_memory(error) : OPPROF_OK;
    char *sql;

    if (status == OPPROF_OK && !choose_fields(set, table, way)) {
        status = no_memory(error);
    }
    if (status == OPPROF_OK) {
        status = add_columns(set, database, table, way, error);
    }
    if (status != OPPROF_OK) {
        return status;
    }
    way->table = (uint32_t) (table - set->tables);
    sql = insert_sql(table, way);
    status = sql == NULL ? no_memory(error) : DatabasePrepare(database, sql, &way->insert, error);
    sqlite.free(sql);
    return status;
}

OpprofStatus TableSetFindWay(TableSet *set, Database *database, const OpprofRecordType *type,
                             TableRows **ret_way, OpprofError **error)
{
    const uint32_t at = OpprofMapFind(&set->by_type, (uint64_t) (uintptr_t) type);
    TableRows *way;

    *ret_way = at == OPPROF_MAP_NONE ? NULL : &set->ways[at];
    if (at != OPPROF_MAP_NONE || type->field_count == 0 ||
        type->field_count > RESULTS_COLUMNS_MAX) {
        return OPPROF_OK;
    }
    if (!OpprofGrow32(&set->ways, &set->way_capacity, set->way_count + 1, sizeof *set->ways) ||
        !OpprofMapPut(&set->by_type, (uint64_t) (uintptr_t) type, set->way_count)) {
        return no_memory(error);
    }
    way = &set->ways[set->way_count++];
    *way = (TableRows){ .type = type };
    *ret_way = way;
    return prepare_way(set, database, way, error);
}

/* ---- the end ---- */

static OpprofStatus describe_table(Database *database, const DatabaseTable *table,
                                   OpprofError **error)
{
    const OpprofRecordType *type = table->type;

    return run_sql(database,
                   make_sql("INSERT INTO opprof_tables VALUES(%Q,%Q,%u,%Q,%Q,%Q,%u,%llu)",
                            table->name, type->name, type->version, type->title, type->summary,
                            type->file_hint, type->flags, (unsigned long long) table->rows),
                   error);
}

/* The name of the column by which rows are looked up; NULL without memory,
 * "" if there is no key. */
static char *key_index_sql(const DatabaseTable *table)
{
    sqlite3_str *sql = sqlite.str_new(NULL);
    const char *before = "";

    for (uint32_t f = 0; f < table->type->field_count; f++) {
        const OpprofField *field = &table->type->fields[f];

        if ((field->flags & OPPROF_FIELD_KEY) != 0) {
            if (*before == '\0') {
                sqlite.str_appendf(sql, "CREATE INDEX \"%w_key\" ON \"%w\"(", table->name,
                                   table->name);
            }
            sqlite.str_appendf(sql, "%s\"%w\"", before, OpprofResultsFieldName(field));
            before = ",";
        }
    }
    sqlite.str_appendall(sql, *before == '\0' ? "" : ")");
    return sqlite.str_length(sql) == 0 && sqlite.str_errcode(sql) == SQLITE_OK
               ? (sqlite.free(sqlite.str_finish(sql)), sqlite.mprintf(""))
               : sqlite.str_finish(sql);
}

/*
 * Rows without a file are cells of pictures: very many, and their keys are places in the pictures,
 * which needs no index in a database.
 */
static OpprofStatus index_table(Database *database, const DatabaseTable *table, OpprofError **error)
{
    const bool has_file = table->type->file_hint == NULL || *table->type->file_hint != '\0';
    OpprofStatus status = has_file ? run_sql(database, key_index_sql(table), error) : OPPROF_OK;

    for (uint32_t f = 0; status == OPPROF_OK && f < table->type->field_count; f++) {
        const OpprofField *field = &table->type->fields[f];

        if (field->kind == OPPROF_FIELD_TICK) {
            status = run_sql(database,
                             make_sql("CREATE INDEX \"%w_%w\" ON \"%w\"(\"%w\")", table->name,
                                      OpprofResultsFieldName(field), table->name,
                                      OpprofResultsFieldName(field)),
                             error);
        }
    }
    return status;
}

OpprofStatus TableSetFinish(TableSet *set, Database *database, bool has_indices,
                            OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < set->table_count; i++) {
        status = describe_table(database, &set->tables[i], error);
        if (status == OPPROF_OK && has_indices) {
            status = index_table(database, &set->tables[i], error);
        }
    }
    if (set->left_out > 0) {
        OpprofStageIncomplete(database->stage, "%llu %s not in the database: more than %u columns",
                              (unsigned long long) set->left_out,
                              OPPROF_PLURAL(set->left_out, "row is", "rows are"),
                              RESULTS_COLUMNS_MAX);
    }
    return status;
}

void TableSetFree(TableSet *set)
{
    sqlite.finalize(set->describe);
    for (uint32_t i = 0; i < set->way_count; i++) {
        sqlite.finalize(set->ways[i].insert);
        free(set->ways[i].fields);
    }
    for (uint32_t i = 0; i < set->table_count; i++) {
        for (uint32_t c = 0; c < set->tables[i].column_count; c++) {
            free(set->tables[i].columns[c]);
        }
        free(set->tables[i].columns);
        free(set->tables[i].name);
    }
    free(set->tables);
    free(set->ways);
    OpprofMapFinish(&set->by_type);
    *set = (TableSet){ .wanted = set->wanted, .context = set->context };
}
