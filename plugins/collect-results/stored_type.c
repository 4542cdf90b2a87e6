/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes record types from a database's description of its tables.
 * Tested by tests/plugins/collect-results/test_show.sh.
 */
#include "stored_type.h"

#include <opprof/grow.h>
#include <stdlib.h>
#include <string.h>

#define BATCH_ROWS 256u
#define CELL_BYTES 8u
#define COLUMNS_MAX 1900u

static const struct {
    const char *name;
    uint32_t kind; /* of the cell, 8 bytes wide */
} kinds[] = {
    { "u32", OPPROF_FIELD_I64 },       { "i32", OPPROF_FIELD_I64 },
    { "u64", OPPROF_FIELD_I64 },       { "i64", OPPROF_FIELD_I64 },
    { "i16", OPPROF_FIELD_I64 },       { "tick", OPPROF_FIELD_TICK },
    { "hex", OPPROF_FIELD_HEX },       { "f64", OPPROF_FIELD_F64 },
    { "string", OPPROF_FIELD_STRING }, { "text", OPPROF_FIELD_TEXT },
    { "track", OPPROF_FIELD_TEXT },
};

/* A copy that lives as long as the type. *ret_text is NULL for NULL. False without memory. */
static bool keep(StoredType *stored, sqlite3_stmt *row, int at, char **ret_text)
{
    const char *text = (const char *) sqlite3_column_text(row, at);

    *ret_text = NULL;
    if (text == NULL) {
        return true;
    }
    if (!OpprofGrow(&stored->texts, &stored->text_capacity, stored->text_count + 1,
                    sizeof *stored->texts) ||
        (*ret_text = strdup(text)) == NULL) {
        return false;
    }
    stored->texts[stored->text_count++] = *ret_text;
    return true;
}

static const char *text_or(sqlite3_stmt *row, int at, const char *otherwise)
{
    const char *text = (const char *) sqlite3_column_text(row, at);
    return text == NULL ? otherwise : text;
}

static uint32_t kind_of(sqlite3_stmt *row, int at)
{
    const char *name = (const char *) sqlite3_column_text(row, at);

    for (size_t i = 0; name != NULL && i < OPPROF_COUNT(kinds); i++) {
        if (strcmp(name, kinds[i].name) == 0) {
            return kinds[i].kind;
        }
    }
    return 0;
}

static OpprofStatus no_memory(const StoredType *stored, OpprofError **error)
{
    return OpprofErrorNoMemory(error, "read the table '%s'",
                               stored->table == NULL ? "" : stored->table);
}

/* name, heading, kind, unit, meaning, absent, decimals, flags */
static OpprofStatus add_field(StoredType *stored, sqlite3_stmt *row, OpprofError **error)
{
    char *name, *heading, *unit, *meaning, *absent;
    const uint32_t at = stored->type.field_count;
    const sqlite3_int64 decimals = sqlite3_column_int64(row, 6);

    if (!OpprofGrow(&stored->fields, &stored->field_capacity, (size_t) at + 1,
                    sizeof *stored->fields)) {
        return no_memory(stored, error);
    }
    if (!keep(stored, row, 0, &name) || !keep(stored, row, 1, &heading) ||
        !keep(stored, row, 3, &unit) || !keep(stored, row, 4, &meaning) ||
        !keep(stored, row, 5, &absent)) {
        return no_memory(stored, error);
    }
    stored->fields[at] =
        (OpprofField){ .name = name,
                       .kind = kind_of(row, 2),
                       .offset = at * CELL_BYTES,
                       .unit = unit,
                       .meaning = meaning,
                       .absent = absent,
                       .heading = heading,
                       .decimals = decimals < 0 || decimals > 18 ? 0 : (uint32_t) decimals,
                       .flags = (uint32_t) sqlite3_column_int64(row, 7) };
    if (name == NULL || at >= COLUMNS_MAX) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "Column %u of the table '%s' %s", at + 1,
                              stored->table, name == NULL ? "has no name" : "is one too many");
    }
    if (stored->fields[at].kind == 0) {
        return OpprofErrorSet(error, OPPROF_E_DATA,
                              "Column '%s' of the table '%s' has the unknown kind '%s'", name,
                              stored->table, text_or(row, 2, ""));
    }
    stored->type.field_count++;
    return OPPROF_OK;
}

static OpprofStatus add_fields(StoredType *stored, sqlite3 *database, OpprofError **error)
{
    sqlite3_stmt *row = NULL;
    OpprofStatus status = OPPROF_OK;

    if (sqlite3_prepare_v2(
            database,
            "SELECT name, heading, kind, unit, meaning, absent, decimals, flags FROM "
            "opprof_columns WHERE table_name = ? ORDER BY position",
            -1, &row, NULL) != SQLITE_OK) {
        return OpprofErrorSet(error, OPPROF_E_DATA,
                              "The columns of the table '%s' cannot be read: %s", stored->table,
                              sqlite3_errmsg(database));
    }
    sqlite3_bind_text(row, 1, stored->table, -1, SQLITE_STATIC);
    int code = SQLITE_DONE;
    while (status == OPPROF_OK && (code = sqlite3_step(row)) == SQLITE_ROW) {
        status = add_field(stored, row, error);
    }
    if (status == OPPROF_OK && code != SQLITE_DONE) {
        status =
            OpprofErrorSet(error, OPPROF_E_DATA, "The columns of the table '%s' cannot be read: %s",
                           stored->table, sqlite3_errmsg(database));
    }
    sqlite3_finalize(row);
    if (status == OPPROF_OK && stored->type.field_count == 0) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "The table '%s' has no columns", stored->table);
    }
    return status;
}

OpprofStatus StoredTypeMake(StoredType *stored, sqlite3 *database, sqlite3_stmt *row,
                            OpprofError **error)
{
    char *record, *title, *summary, *file;
    OpprofStatus status;

    *stored = (StoredType){ .type = { .struct_size = sizeof(OpprofRecordType) } };
    if (!keep(stored, row, 0, &stored->table) || !keep(stored, row, 1, &record) ||
        !keep(stored, row, 3, &title) || !keep(stored, row, 4, &summary) ||
        !keep(stored, row, 5, &file)) {
        return no_memory(stored, error);
    }
    if (stored->table == NULL || record == NULL) {
        return OpprofErrorSet(error, OPPROF_E_DATA, "A table has no name%s",
                              record == NULL ? " of its records" : "");
    }
    stored->type.name = record;
    stored->type.version = (uint32_t) sqlite3_column_int64(row, 2);
    stored->type.title = title;
    stored->type.summary = summary;
    stored->type.file_hint = file;
    stored->type.flags = (uint32_t) sqlite3_column_int64(row, 6) | OPPROF_RECORD_TABLE;
    status = add_fields(stored, database, error);
    stored->type.fields = stored->fields;
    stored->type.size = stored->type.field_count * CELL_BYTES;
    if (status == OPPROF_OK) {
        stored->pool = OpprofBatchPoolCreate(&stored->type, BATCH_ROWS, 0);
        status = stored->pool == NULL ? no_memory(stored, error) : OPPROF_OK;
    }
    return status;
}

void StoredTypeFree(StoredType *stored)
{
    OpprofBatchPoolDestroy(stored->pool);
    for (size_t i = 0; i < stored->text_count; i++) {
        free(stored->texts[i]);
    }
    free(stored->texts);
    free(stored->fields);
    *stored = (StoredType){ .text_count = 0 };
}

/* ---- rows ---- */

/* A quoted name without the table before it would be a text where there is no such column. */
char *StoredTypeQuery(const StoredType *stored)
{
    sqlite3_str *sql = sqlite3_str_new(NULL);

    sqlite3_str_appendall(sql, "SELECT ");
    for (uint32_t f = 0; f < stored->type.field_count; f++) {
        sqlite3_str_appendf(sql, "%st.\"%w\"", f == 0 ? "" : ",", stored->fields[f].name);
    }
    sqlite3_str_appendf(sql, " FROM \"%w\" t", stored->table);
    return sqlite3_str_finish(sql);
}

static bool put_text(OpprofBatch *batch, char *cell, sqlite3_stmt *row, int at)
{
    OpprofText text = { OPPROF_NA_U32, 0 };
    const char *bytes = (const char *) sqlite3_column_text(row, at);
    const int length = sqlite3_column_bytes(row, at);
    const bool is_good =
        bytes == NULL || OpprofBatchAppendText(batch, bytes, (size_t) length, &text) == OPPROF_OK;

    memcpy(cell, &text, sizeof text);
    return is_good;
}

static bool put_string(OpprofStage *stage, char *cell, sqlite3_stmt *row, int at)
{
    const char *bytes = (const char *) sqlite3_column_text(row, at);
    const uint32_t id =
        bytes == NULL ? OPPROF_NA_STRING
                      : OpprofStageIntern(stage, bytes, (size_t) sqlite3_column_bytes(row, at));

    memset(cell, 0, CELL_BYTES);
    memcpy(cell, &id, sizeof id);
    return bytes == NULL || id != OPPROF_NA_STRING;
}

static void put_number(char *cell, uint32_t kind, sqlite3_stmt *row, int at)
{
    const int type = sqlite3_column_type(row, at);
    const bool is_absent = type != SQLITE_INTEGER && type != SQLITE_FLOAT;
    const double real = is_absent ? OpprofNaF64() : sqlite3_column_double(row, at);
    const int64_t whole = is_absent ? OPPROF_NA_I64 : sqlite3_column_int64(row, at);
    const uint64_t natural = is_absent ? OPPROF_NA_U64 : (uint64_t) whole;

    if (kind == OPPROF_FIELD_F64) {
        memcpy(cell, &real, sizeof real);
    } else if (kind == OPPROF_FIELD_I64) {
        memcpy(cell, &whole, sizeof whole);
    } else {
        memcpy(cell, &natural, sizeof natural);
    }
}

bool StoredTypeAppend(const StoredType *stored, OpprofStage *stage, OpprofBatch *batch,
                      sqlite3_stmt *row)
{
    char *record = OpprofBatchAppend(batch);
    bool is_good = record != NULL;

    for (uint32_t f = 0; is_good && f < stored->type.field_count; f++) {
        const OpprofField *field = &stored->fields[f];

        if (field->kind == OPPROF_FIELD_TEXT) {
            is_good = put_text(batch, record + field->offset, row, (int) f);
        } else if (field->kind == OPPROF_FIELD_STRING) {
            is_good = put_string(stage, record + field->offset, row, (int) f);
        } else {
            put_number(record + field->offset, field->kind, row, (int) f);
        }
    }
    return is_good;
}
