/* SPDX-License-Identifier: Apache-2.0 */
/* Records of any type as rows of a database. Tested by tests/plugins/export/test_sqlite. */
#include "table_rows.h"

#include <opprof/print.h>
#include <string.h>

static bool bind_text(Database *database, sqlite3_stmt *statement, int at, const OpprofBatch *batch,
                      const OpprofField *field, const char *value)
{
    const char *text;
    size_t length;
    OpprofText place;

    switch (field->kind) {
    case OPPROF_FIELD_STRING:
        text = OpprofStageStringLength(database->stage, OpprofLoadU32(value), &length);
        break;
    case OPPROF_FIELD_TRACK:
        text = OpprofStageTrackLabel(database->stage, OpprofLoadU32(value));
        length = text == NULL ? 0 : strlen(text);
        break;
    default:
        memcpy(&place, value, sizeof place);
        text = OpprofBatchText(batch, place);
        length = place.length;
        break;
    }
    return DatabaseBindText(database, statement, at, text, length);
}

/* A value above the range of SQLite's integers: an address keeps its bits, a number its size. */
static bool bind_wide(sqlite3_stmt *statement, int at, const OpprofField *field, uint64_t value)
{
    if (value > INT64_MAX && field->kind == OPPROF_FIELD_U64) {
        return sqlite.bind_double(statement, at, (double) value) == SQLITE_OK;
    }
    return sqlite.bind_int64(statement, at, (sqlite3_int64) value) == SQLITE_OK;
}

static bool bind_value(Database *database, sqlite3_stmt *statement, int at,
                       const OpprofBatch *batch, const OpprofField *field, const char *value)
{
    if (OpprofFieldIsNa(field, value)) {
        return sqlite.bind_null(statement, at) == SQLITE_OK;
    }
    switch (field->kind) {
    case OPPROF_FIELD_I16:
        return sqlite.bind_int(statement, at, OpprofLoadI16(value)) == SQLITE_OK;
    case OPPROF_FIELD_I32:
        return sqlite.bind_int(statement, at, (int32_t) OpprofLoadU32(value)) == SQLITE_OK;
    case OPPROF_FIELD_U32:
        return sqlite.bind_int64(statement, at, OpprofLoadU32(value)) == SQLITE_OK;
    case OPPROF_FIELD_F64: /* SQLite turns a NaN into NULL */
        return sqlite.bind_double(statement, at, OpprofLoadF64(value)) == SQLITE_OK;
    case OPPROF_FIELD_U64:
    case OPPROF_FIELD_I64:
    case OPPROF_FIELD_HEX:
    case OPPROF_FIELD_TICK:
        return bind_wide(statement, at, field, OpprofLoadU64(value));
    default:
        return bind_text(database, statement, at, batch, field, value);
    }
}

/* A record whose visible fields are all absent only creates the table. */
static bool is_row(const OpprofRecordType *type, const char *record)
{
    for (uint32_t f = 0; f < type->field_count; f++) {
        if ((type->fields[f].flags & OPPROF_FIELD_HIDDEN) == 0 &&
            !OpprofFieldIsNa(&type->fields[f], record + type->fields[f].offset)) {
            return true;
        }
    }
    return false;
}

static OpprofStatus add_row(Database *database, const TableRows *way, const OpprofBatch *batch,
                            const char *record, OpprofError **error)
{
    for (uint32_t f = 0; f < way->field_count; f++) {
        const OpprofField *field = &way->type->fields[way->fields[f]];

        if (!bind_value(database, way->insert, (int) f + 1, batch, field, record + field->offset)) {
            return DatabaseFail(database, error);
        }
    }
    return DatabaseStep(database, way->insert, error);
}

OpprofStatus TableRowsTake(TableSet *set, Database *database, const OpprofBatch *batch,
                           OpprofError **error)
{
    TableRows *way;
    OpprofStatus status = TableSetFindWay(set, database, batch->type, &way, error);

    if (status == OPPROF_OK && way == NULL) {
        set->left_out += batch->count;
        return OPPROF_OK;
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        const char *record = OpprofBatchRecord(batch, i);

        if (is_row(batch->type, record)) {
            status = add_row(database, way, batch, record, error);
            set->tables[way->table].rows++;
        }
    }
    return status;
}
