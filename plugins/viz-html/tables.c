/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of any type as JSON: columns with their units and meanings, rows up to a limit. Tested by
 * tests/plugins/viz-html/test_html.
 */
#include "tables.h"

#include <opprof/grow.h>
#include <opprof/intern.h>
#include <opprof/print.h>

#include <stdlib.h>
#include <string.h>

#define TABLE_NONE UINT32_MAX
#define EXACT_DIGITS 15u /* of a number that a browser reads without loss */

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* One may have more columns at the end: they are empty in rows of the other. */
static bool has_same_columns(const OpprofRecordType *a, const OpprofRecordType *b)
{
    const uint32_t both = a->field_count < b->field_count ? a->field_count : b->field_count;

    if (!OpprofRecordTypeIsSame(a, b)) {
        return false;
    }
    for (uint32_t i = 0; i < both; i++) {
        if (!is_same_text(a->fields[i].unit, b->fields[i].unit)) {
            return false;
        }
    }
    return true;
}

/* The table of a type; TABLE_NONE: too many tables, or no memory. */
static uint32_t find_table(Tables *self, const OpprofRecordType *type, bool *ret_is_good)
{
    *ret_is_good = true;
    if (self->latest < self->count && self->types[self->latest] == type) {
        return self->latest;
    }
    for (uint32_t i = 0; i < self->count; i++) {
        if (self->types[i] == type || has_same_columns(self->types[i], type)) {
            self->latest = i;
            if (type->field_count > self->types[i]->field_count) {
                self->types[i] = type;
            }
            return i;
        }
    }
    if (self->count == PAGE_TABLES) {
        return TABLE_NONE;
    }
    if (!OpprofGrow32(&self->types, &self->capacity, self->count + 1, sizeof(*self->types))) {
        *ret_is_good = false;
        return TABLE_NONE;
    }
    if (GridFits(type)) {
        self->grids[self->count] = GridCreate(self->stage, type);
        *ret_is_good = self->grids[self->count] != NULL;
    }
    if (!*ret_is_good) {
        return TABLE_NONE;
    }
    self->latest = self->count;
    self->types[self->count++] = type;
    return self->latest;
}

/* NULL without memory. */
static TablePart *find_part(Tables *self, uint32_t table, const OpprofBatch *batch)
{
    const uint32_t key[3] = { table, OpprofStageLink(self->stage), batch->partition };
    const uint64_t hash = OpprofInternHash(0, key, sizeof key);
    const uint32_t place = OpprofMapFind(&self->places, hash);

    if (place != OPPROF_MAP_NONE) {
        return &self->parts[place];
    }
    if (!OpprofGrow32(&self->parts, &self->part_capacity, (size_t) self->part_count + 1,
                      sizeof *self->parts) ||
        !OpprofMapPut(&self->places, hash, self->part_count)) {
        return NULL;
    }
    self->parts[self->part_count] = (TablePart){ .table = table,
                                                 .link = key[1],
                                                 .partition = batch->partition,
                                                 .fields = batch->type->field_count };
    return &self->parts[self->part_count++];
}

bool TablesIsColumn(const OpprofField *field)
{
    return (field->flags & OPPROF_FIELD_HIDDEN) == 0 || field->kind == OPPROF_FIELD_STRING ||
           (field->flags & (OPPROF_FIELD_WEIGHT | OPPROF_FIELD_DETAIL | OPPROF_FIELD_RUN_TIME)) !=
               0;
}

/* A detail is hidden elsewhere, not on the page. */
static uint32_t flags_of(const OpprofField *field)
{
    return (field->flags & OPPROF_FIELD_DETAIL) == 0 ? field->flags
                                                     : field->flags & ~OPPROF_FIELD_HIDDEN;
}

bool TablesIsRow(const OpprofRecordType *type, const char *record)
{
    for (uint32_t i = 0; i < type->field_count; i++) {
        const OpprofField *field = &type->fields[i];

        if ((field->flags & OPPROF_FIELD_HIDDEN) == 0 &&
            !OpprofFieldIsNa(field, record + field->offset)) {
            return true;
        }
    }
    return false;
}

static size_t count_digits(const char *text, size_t length)
{
    size_t digits = 0;

    for (size_t i = 0; i < length; i++) {
        digits += text[i] >= '0' && text[i] <= '9';
    }
    return digits;
}

/* Zeros at the end of a fraction say nothing: "9.500" is 9.5 for a browser, and is as long in each
 * of many rows. */
static size_t without_zeros(const OpprofField *field, const char *text, size_t length)
{
    if (field->kind != OPPROF_FIELD_F64 || memchr(text, '.', length) == NULL ||
        memchr(text, 'e', length) != NULL) {
        return length;
    }
    while (text[length - 1] == '0') {
        length--;
    }
    return length - (text[length - 1] == '.');
}

static void keep_cell(const Tables *self, OpprofJsonOut *rows, const OpprofBatch *batch,
                      const OpprofField *field, const char *record)
{
    char number[OPPROF_TEXT_NUMBER];
    size_t length = 0;
    const char *text;

    if (OpprofFieldIsNa(field, record + field->offset)) {
        OpprofJsonPutRaw(rows, "null");
        return;
    }
    if (field->kind == OPPROF_FIELD_STRING) {
        NamesMark(rows, "", OpprofLoadU32(record + field->offset), "");
        return;
    }
    text = OpprofFieldPrint(self->stage, batch, field, record, number, &length);
    if (text == NULL) {
        OpprofJsonPutRaw(rows, "null");
        return;
    }
    if (OpprofFieldIsText(field) || field->kind == OPPROF_FIELD_HEX ||
        (field->kind != OPPROF_FIELD_F64 && count_digits(text, length) > EXACT_DIGITS)) {
        TextJson(rows, text, length < PAGE_TEXT_BYTES ? length : PAGE_TEXT_BYTES);
        return;
    }
    OpprofJsonPutBytes(rows, text, without_zeros(field, text, length));
}

static void keep_row(Tables *self, TablePart *part, const OpprofBatch *batch, const char *record)
{
    const OpprofRecordType *type = batch->type;
    const size_t before = part->rows.length;
    const char *separator = "[";
    size_t names = 0;

    part->total++;
    if (self->least[part->table] > PAGE_TABLE_BYTES || self->held >= PAGE_HELD_BYTES) {
        return;
    }
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (TablesIsColumn(&type->fields[i])) {
            OpprofJsonPutRaw(&part->rows, separator);
            keep_cell(self, &part->rows, batch, &type->fields[i], record);
            names += type->fields[i].kind == OPPROF_FIELD_STRING;
            separator = ",";
        }
    }
    OpprofJsonPutRaw(&part->rows, "]\n");
    self->held += part->rows.length - before;
    self->least[part->table] += part->rows.length - before - names * NAMES_MARK_SAVES;
}

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "make a page");
}

/* Put the rows of a part into the spool once there are many: each row is whole in its piece. */
static OpprofStatus put_aside(Tables *self, TablePart *part, OpprofError **error)
{
    TablePiece *piece;
    OpprofStatus status;

    if (part->rows.is_short) {
        return no_memory(error);
    }
    if (part->rows.length < PAGE_PIECE_BYTES) {
        return OPPROF_OK;
    }
    if (!OpprofGrow32(&part->pieces, &part->piece_capacity, (size_t) part->piece_count + 1,
                      sizeof *part->pieces)) {
        return no_memory(error);
    }
    piece = &part->pieces[part->piece_count];
    *piece = (TablePiece){ .size = (uint32_t) part->rows.length };
    status = OpprofSpoolAppend(&self->spool, OpprofStageOutput(self->stage), part->rows.text,
                               part->rows.length, &piece->offset, error);
    part->piece_count += status == OPPROF_OK;
    OpprofJsonOutClear(&part->rows);
    return status;
}

static OpprofStatus take_row(Tables *self, TablePart *part, const OpprofBatch *batch,
                             const char *record, OpprofError **error)
{
    Grid *grid = self->grids[part->table];

    keep_row(self, part, batch, record);
    if (grid != NULL && !GridAdd(grid, part->link, record)) {
        return no_memory(error);
    }
    return put_aside(self, part, error);
}

OpprofStatus TablesTake(Tables *self, const OpprofBatch *batch, OpprofError **error)
{
    bool is_good;
    const uint32_t table = find_table(self, batch->type, &is_good);
    OpprofStatus status = OPPROF_OK;
    TablePart *part;

    if (table == TABLE_NONE) {
        self->left_out += is_good;
        return is_good ? OPPROF_OK : no_memory(error);
    }
    part = find_part(self, table, batch);
    if (part == NULL) {
        return no_memory(error);
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        const char *record = OpprofBatchRecord(batch, i);

        if (TablesIsRow(batch->type, record)) {
            status = take_row(self, part, batch, record, error);
        }
    }
    return status;
}

bool TablesAddTotal(Tables *self, const OpprofRecordType *type, uint64_t rows)
{
    bool is_good;
    const uint32_t table = find_table(self, type, &is_good);

    if (table != TABLE_NONE) {
        self->more[table] += rows;
    }
    return is_good;
}

/* ---- the page's part ---- */

static void put_field(const OpprofField *field, OpprofJsonOut *json)
{
    OpprofJsonPutBytes(json, "{", 1);
    TextMember(json, "name", field->name);
    TextMember(json, "heading", OpprofFieldHeading(field));
    TextMember(json, "kind", OpprofFieldKindName(field->kind));
    TextMember(json, "unit", field->unit);
    TextMember(json, "meaning", field->meaning);
    TextMember(json, "absent", field->absent);
    TextMemberNumber(json, "flags", flags_of(field));
    TextMemberNumber(json, "combine", field->combine);
    OpprofJsonPutBytes(json, "}", 1);
}

static void put_head(const OpprofRecordType *type, uint64_t total, OpprofJsonOut *json)
{
    const char *separator = "";

    OpprofJsonPutBytes(json, "{", 1);
    TextMember(json, "type", type->name);
    TextMember(json, "title", type->title == NULL ? type->name : type->title);
    TextMember(json, "summary", type->summary);
    TextMember(json, "file", type->file_hint);
    TextMemberNumber(json, "flags", type->flags);
    TextMemberNumber(json, "total", total);
    OpprofJsonPutRaw(json, ",\"fields\":[");
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (TablesIsColumn(&type->fields[i])) {
            OpprofJsonPutRaw(json, separator);
            put_field(&type->fields[i], json);
            separator = ",";
        }
    }
    OpprofJsonPutRaw(json, "],\"rows\":[");
}

/* The current size of a table's part, and of all tables, in the page. */
typedef struct Room {
    uint64_t table;
    uint64_t all;
    uint64_t rows;   /* of the table */
    uint32_t absent; /* last columns that rows of the part lack */
    bool is_full;    /* a row of the table did not fit: later rows are left out as well */
} Room;

static void put_row(Tables *self, const char *row, size_t length, Room *room, OpprofJsonOut *json)
{
    const size_t before = json->length;

    OpprofJsonPutRaw(json, room->table == 0 ? "" : ",\n");
    NamesResolve(self->names, row, length - 1, json);
    for (uint32_t i = 0; i < room->absent; i++) {
        OpprofJsonPutRaw(json, ",null");
    }
    OpprofJsonPutRaw(json, "]");
    const uint64_t bytes = json->length - before;
    room->is_full =
        room->table + bytes > PAGE_TABLE_LEAST_BYTES &&
        (room->table + bytes > PAGE_TABLE_BYTES || room->all + bytes > PAGE_TABLES_BYTES);
    if (room->is_full) {
        TextCut(json, before);
        return;
    }
    room->table += bytes;
    room->all += bytes;
    room->rows++;
}

static void put_rows(Tables *self, const char *at, size_t length, Room *room, OpprofJsonOut *json)
{
    const char *end = at + length;

    while (at < end && !room->is_full) {
        const char *stop = memchr(at, '\n', (size_t) (end - at));

        put_row(self, at, (size_t) (stop - at), room, json);
        at = stop + 1;
    }
}

static OpprofStatus put_piece(Tables *self, const TablePiece *piece, Room *room,
                              OpprofJsonOut *json, OpprofError **error)
{
    char *rows = malloc(piece->size);
    OpprofStatus status =
        rows == NULL ? no_memory(error)
                     : OpprofSpoolRead(&self->spool, piece->offset, piece->size, rows, error);

    if (status == OPPROF_OK) {
        put_rows(self, rows, piece->size, room, json);
    }
    free(rows);
    return status;
}

static OpprofStatus put_part(Tables *self, const TablePart *part, Room *room, OpprofJsonOut *json,
                             OpprofError **error)
{
    const OpprofRecordType *type = self->types[part->table];
    OpprofStatus status = OPPROF_OK;

    room->absent = 0;
    for (uint32_t i = part->fields; i < type->field_count; i++) {
        room->absent += TablesIsColumn(&type->fields[i]);
    }
    for (uint32_t i = 0; status == OPPROF_OK && !room->is_full && i < part->piece_count; i++) {
        status = put_piece(self, &part->pieces[i], room, json, error);
    }
    if (status == OPPROF_OK && part->rows.length > 0) {
        put_rows(self, part->rows.text, part->rows.length, room, json);
    }
    return status;
}

/* Tables by name; the parts of one by producer, then by the partition's name. */
static int compare_parts(const void *one, const void *other, void *context)
{
    const Tables *self = context;
    const TablePart *a = one;
    const TablePart *b = other;
    const int order = strcmp(self->types[a->table]->name, self->types[b->table]->name);

    if (order != 0) {
        return order;
    }
    if (a->link != b->link) {
        return a->link < b->link ? -1 : 1;
    }
    return strverscmp(OpprofStageString(self->stage, a->partition),
                      OpprofStageString(self->stage, b->partition));
}

static uint64_t total_of(const Tables *self, uint32_t table)
{
    uint64_t total = self->more[table];

    for (uint32_t i = 0; i < self->part_count; i++) {
        total += self->parts[i].table == table ? self->parts[i].total : 0;
    }
    return total;
}

static OpprofStatus put_table(Tables *self, uint32_t first, Room *room, OpprofJsonOut *json,
                              OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    const uint32_t table = self->parts[first].table;
    const uint64_t total = total_of(self, table);

    *room = (Room){ .all = room->all };
    put_head(self->types[table], total, json);
    for (uint32_t i = first; status == OPPROF_OK && i < self->part_count; i++) {
        if (self->parts[i].table == table) {
            status = put_part(self, &self->parts[i], room, json, error);
        }
    }
    OpprofJsonPutRaw(json, "]");
    if (self->grids[table] != NULL) {
        GridPut(self->grids[table], room->rows < total, self->names, json);
    }
    OpprofJsonPutRaw(json, "}");
    return status;
}

/* Tables of one name with different columns come in the order of their first parts. */
OpprofStatus TablesPut(Tables *self, OpprofJsonOut *json, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;
    bool is_put[PAGE_TABLES] = { false };
    const char *separator = "";
    Room room = { 0 };

    if (self->part_count > 0) {
        qsort_r(self->parts, self->part_count, sizeof *self->parts, compare_parts, self);
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < self->part_count; i++) {
        const uint32_t table = self->parts[i].table;

        if (!is_put[table] && total_of(self, table) > 0) {
            is_put[table] = true;
            OpprofJsonPutRaw(json, separator);
            status = put_table(self, i, &room, json, error);
            separator = ",\n";
        }
    }
    return status;
}

void TablesFinish(Tables *self)
{
    for (uint32_t i = 0; i < self->part_count; i++) {
        OpprofJsonOutFinish(&self->parts[i].rows);
        free(self->parts[i].pieces);
    }
    OpprofSpoolFinish(&self->spool);
    for (uint32_t i = 0; i < self->count; i++) {
        GridDestroy(self->grids[i]);
    }
    OpprofMapFinish(&self->places);
    free(self->parts);
    free(self->types);
}
