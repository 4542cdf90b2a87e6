/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the viewer's blocks of the cells of views. Tested by
 * tests/plugins/parse-pmu/test_cases.sh.
 */
#include "view_encode.h"

#include <math.h>
#include <string.h>

#define ADVICE "advice"
#define NOT_AVAILABLE "NA"

static const char *or_na(const char *name)
{
    return name[0] == '\0' ? NOT_AVAILABLE : name;
}

/* The advice among the facts of a group, as an array of texts. */
static void put_advice(const ViewCells *view, size_t first, size_t end, JsonText *json)
{
    JsonTextRaw(json, "[", 1);
    const size_t start = json->length;
    for (size_t i = first; i < end; i++) {
        if (view->cells[i].table == OPPROF_NA_STRING &&
            ViewIsColumn(view, &view->cells[i], ADVICE)) {
            JsonTextComma(json, start);
            ViewPutText(view, &view->cells[i], json);
        }
    }
    JsonTextRaw(json, "]", 1);
}

/* Facts of a group other than its advice become members. */
static void put_facts(const ViewCells *view, size_t first, size_t end, JsonObject *object)
{
    for (size_t i = first; i < end; i++) {
        const ViewCell *cell = &view->cells[i];

        if (cell->table == OPPROF_NA_STRING && !ViewIsColumn(view, cell, ADVICE)) {
            ViewPutText(view, cell, JsonMember(object, ViewName(view, cell->column)));
        }
    }
}

/* ------------------------------------------------------------------ operator */

static size_t count_rows(const ViewCells *view, size_t first, size_t end)
{
    size_t rows = 0;

    for (size_t i = first; i < end; i = ViewRowEnd(view, i)) {
        rows++;
    }
    return rows;
}

static void put_size(JsonText *json, size_t rows, size_t columns)
{
    JsonTextLiteral(json, "\"size\":[");
    JsonTextInteger(json, rows);
    JsonTextRaw(json, ",", 1);
    JsonTextInteger(json, columns);
    JsonTextRaw(json, "]", 1);
}

static void put_values(const ViewCells *view, size_t first, size_t end, JsonText *json)
{
    JsonTextLiteral(json, "\"value\":[");
    const size_t start = json->length;
    for (size_t i = first; i < end; i++) {
        JsonTextComma(json, start);
        ViewPutText(view, &view->cells[i], json);
    }
    JsonTextRaw(json, "]", 1);
}

/* {"head_name":[…],"row":[{"value":[…]}],"size":[rows + 1,columns]} */
static void put_detail(const ViewCells *view, size_t first, size_t end, JsonText *json)
{
    const size_t head_end = ViewRowEnd(view, first);

    JsonTextLiteral(json, "{\"head_name\":[");
    const size_t heads = json->length;
    for (size_t i = first; i < head_end; i++) {
        const char *name = ViewName(view, view->cells[i].column);

        JsonTextComma(json, heads);
        JsonTextString(json, name, strlen(name));
    }
    JsonTextLiteral(json, "],\"row\":[");
    const size_t rows = json->length;
    for (size_t i = first; i < end; i = ViewRowEnd(view, i)) {
        JsonTextComma(json, rows);
        JsonTextRaw(json, "{", 1);
        put_values(view, i, ViewRowEnd(view, i), json);
        JsonTextRaw(json, "}", 1);
    }
    JsonTextLiteral(json, "],");
    put_size(json, count_rows(view, first, end) + 1, head_end - first);
    JsonTextRaw(json, "}", 1);
}

/* A fact that the data does not tell is an empty text here. */
static void put_operator_fact(const ViewCells *view, const ViewCell *cell, JsonObject *object)
{
    JsonText *value = JsonMember(object, ViewName(view, cell->column));

    if (cell->text == SIZE_MAX && cell->unit == OPPROF_NA_STRING) {
        JsonTextLiteral(value, "\"\"");
    } else {
        ViewPutNumber(view, cell, value);
    }
}

void EncodeOperator(const ViewCells *view, JsonText *json)
{
    JsonObject object = { .count = 0 };

    put_advice(view, 0, view->count, JsonMember(&object, ADVICE));
    for (size_t i = 0; i < view->count;) {
        const ViewCell *cell = &view->cells[i];

        if (cell->table != OPPROF_NA_STRING) {
            const size_t end = ViewTableEnd(view, i);

            put_detail(view, i, end, JsonMember(&object, ViewName(view, cell->table)));
            i = end;
            continue;
        }
        if (!ViewIsColumn(view, cell, ADVICE)) {
            put_operator_fact(view, cell, &object);
        }
        i++;
    }
    JsonObjectEnd(&object, json);
}

/* ------------------------------------------------------------------ compute load */

static unsigned unit_code(const char *unit)
{
    static const char *const units[] = { "us", "instructions", "bytes", "percent", "operations" };
    unsigned code = 0;

    while (code < sizeof units / sizeof units[0] - 1 && strcmp(units[code], unit) != 0) {
        code++;
    }
    return code;
}

static void put_load(const ViewCells *view, const ViewCell *cell, const ViewCell *origin,
                     JsonText *json)
{
    JsonObject object = { .count = 0 };

    JsonMemberString(&object, "block_id", or_na(ViewName(view, cell->group)));
    JsonMemberString(&object, "block_type", ViewName(view, cell->table));
    JsonMemberString(&object, "name", ViewName(view, cell->row));
    JsonTextInteger(JsonMember(&object, "unit"), unit_code(ViewName(view, cell->unit)));
    if (origin != NULL) {
        ViewPutNumber(view, origin, JsonMember(&object, "origin_value"));
        ViewPutNumber(view, cell, JsonMember(&object, "value"));
    } else {
        ViewPutText(view, cell, JsonMember(&object, "value"));
    }
    JsonObjectEnd(&object, json);
}

static void encode_load(const ViewCells *view, bool is_figure, JsonText *json)
{
    JsonTextLiteral(json, "{\"advice\":[],\"subblock_detail\":[");
    const size_t start = json->length;
    for (size_t i = 0; i < view->count; i++) {
        const ViewCell *cell = &view->cells[i];
        const ViewCell *next = i + 1 < view->count ? cell + 1 : NULL;
        const bool has_origin = next != NULL && ViewIsColumn(view, next, "origin_value");

        if (ViewIsColumn(view, cell, "value") && has_origin == is_figure) {
            JsonTextComma(json, start);
            put_load(view, cell, has_origin ? next : NULL, json);
        }
    }
    JsonTextLiteral(json, "]}");
}

void EncodeLoadFigure(const ViewCells *view, JsonText *json)
{
    encode_load(view, true, json);
}

void EncodeLoadTable(const ViewCells *view, JsonText *json)
{
    encode_load(view, false, json);
}

/* ------------------------------------------------------------------ storage */

static void put_path(const ViewCells *view, size_t first, size_t end, JsonText *json)
{
    const char *number = ViewName(view, view->cells[first].row);
    JsonObject object = { .count = 0 };

    JsonTextLiteral(JsonMember(&object, "display"), "1");
    JsonTextLiteral(JsonMember(&object, "memory_path"), number);
    for (size_t i = first; i < end; i++) {
        ViewPutText(view, &view->cells[i],
                    JsonMember(&object, ViewName(view, view->cells[i].column)));
    }
    JsonObjectEnd(&object, json);
}

static void put_paths(const ViewCells *view, size_t first, size_t end, JsonText *json)
{
    JsonTextRaw(json, "[", 1);
    const size_t start = json->length;
    for (size_t i = first; i < end; i = ViewRowEnd(view, i)) {
        JsonTextComma(json, start);
        put_path(view, i, ViewRowEnd(view, i), json);
    }
    JsonTextRaw(json, "]", 1);
}

/* The cache's numbers are texts to the viewer, those of the units are numbers. */
static void put_unit(const ViewCells *view, size_t first, size_t end, JsonText *json)
{
    const bool is_cache = strcmp(ViewName(view, view->cells[first].table), "L2cache") == 0;
    JsonObject object = { .count = 0 };

    for (size_t i = first; i < end; i++) {
        JsonText *value = JsonMember(&object, ViewName(view, view->cells[i].column));

        if (is_cache) {
            ViewPutText(view, &view->cells[i], value);
        } else {
            ViewPutNumber(view, &view->cells[i], value);
        }
    }
    JsonObjectEnd(&object, json);
}

static void put_block_map(const ViewCells *view, size_t first, size_t end, JsonText *json)
{
    JsonObject object = { .count = 0 };
    bool has_paths = false;

    JsonMemberString(&object, "core_no", or_na(ViewName(view, view->cells[first].group)));
    put_advice(view, first, end, JsonMember(&object, ADVICE));
    put_facts(view, first, end, &object);
    for (size_t i = first; i < end; i = ViewTableEnd(view, i)) {
        const char *table = ViewName(view, view->cells[i].table);

        if (view->cells[i].table == OPPROF_NA_STRING) {
            continue;
        }
        JsonText *value = JsonMember(&object, table);
        if (strcmp(table, "memory_unit") == 0) {
            put_paths(view, i, ViewTableEnd(view, i), value);
            has_paths = true;
        } else {
            put_unit(view, i, ViewTableEnd(view, i), value);
        }
    }
    if (!has_paths) { /* the viewer insists on it */
        JsonTextLiteral(JsonMember(&object, "memory_unit"), "[]");
    }
    JsonObjectEnd(&object, json);
}

void EncodeStorageMap(const ViewCells *view, JsonText *json)
{
    JsonTextLiteral(json, "{\"core_memory_map\":[");
    const size_t start = json->length;
    for (size_t i = 0; i < view->count; i = ViewGroupEnd(view, i)) {
        JsonTextComma(json, start);
        put_block_map(view, i, ViewGroupEnd(view, i), json);
    }
    JsonTextLiteral(json, "]}");
}

static void put_table(const ViewCells *view, size_t first, size_t end, JsonText *json)
{
    const size_t head_end = ViewRowEnd(view, first);
    const char *table = ViewName(view, view->cells[first].table);

    JsonTextLiteral(json, "{\"header_name\":[\"\"");
    for (size_t i = first; i < head_end; i++) {
        const char *name = ViewName(view, view->cells[i].column);

        JsonTextRaw(json, ",", 1);
        JsonTextString(json, name, strlen(name));
    }
    JsonTextLiteral(json, "],\"row\":[");
    const size_t rows = json->length;
    for (size_t i = first; i < end; i = ViewRowEnd(view, i)) {
        const char *name = ViewName(view, view->cells[i].row);

        JsonTextComma(json, rows);
        JsonTextLiteral(json, "{\"name\":");
        JsonTextString(json, name, strlen(name));
        JsonTextRaw(json, ",", 1);
        put_values(view, i, ViewRowEnd(view, i), json);
        JsonTextRaw(json, "}", 1);
    }
    JsonTextLiteral(json, "],");
    put_size(json, count_rows(view, first, end), head_end - first);
    JsonTextLiteral(json, ",\"table_name\":");
    JsonTextString(json, table, strlen(table));
    JsonTextRaw(json, "}", 1);
}

static void put_block_tables(const ViewCells *view, size_t first, size_t end, JsonText *json)
{
    JsonObject object = { .count = 0 };

    JsonMemberString(&object, "block_id", or_na(ViewName(view, view->cells[first].group)));
    put_advice(view, first, end, JsonMember(&object, ADVICE));
    put_facts(view, first, end, &object);
    JsonText *tables = JsonMember(&object, "table_detail");
    JsonTextRaw(tables, "[", 1);
    const size_t start = tables->length;
    for (size_t i = first; i < end; i = ViewTableEnd(view, i)) {
        if (view->cells[i].table != OPPROF_NA_STRING) {
            JsonTextComma(tables, start);
            put_table(view, i, ViewTableEnd(view, i), tables);
        }
    }
    JsonTextRaw(tables, "]", 1);
    JsonObjectEnd(&object, json);
}

void EncodeStorageTable(const ViewCells *view, JsonText *json)
{
    JsonTextLiteral(json, "{\"table_per_block\":[");
    const size_t start = json->length;
    for (size_t i = 0; i < view->count; i = ViewGroupEnd(view, i)) {
        JsonTextComma(json, start);
        put_block_tables(view, i, ViewGroupEnd(view, i), json);
    }
    JsonTextLiteral(json, "]}");
}

/* ------------------------------------------------------------------ occupancy */

static bool is_simt(const ViewCells *view, const ViewCell *cell)
{
    return ViewIsColumn(view, cell, "instructions") ||
           ViewIsColumn(view, cell, "instruction_per_cycle");
}

static void put_sub_core(const ViewCells *view, size_t first, size_t end, JsonText *json)
{
    JsonObject object = { .count = 0 };
    JsonObject simt = { .count = 0 };
    bool has_simt = false;

    for (size_t i = first; i < end; i++) {
        const ViewCell *cell = &view->cells[i];
        const char *column = ViewName(view, cell->column);

        if (is_simt(view, cell)) {
            ViewPutNumber(view, cell, JsonMember(&simt, column));
            has_simt = true;
        } else {
            ViewPutText(view, cell, JsonMember(&object, column));
        }
    }
    if (has_simt) {
        JsonObjectEnd(&simt, JsonMember(&object, "simt_vf_instructions"));
    }
    JsonObjectEnd(&object, json);
}

static void put_core(const ViewCells *view, size_t first, size_t end, JsonText *json)
{
    JsonTextLiteral(json, "{\"core_detail\":[");
    const size_t start = json->length;
    for (size_t i = first; i < end; i = ViewRowEnd(view, i)) {
        JsonTextComma(json, start);
        put_sub_core(view, i, ViewRowEnd(view, i), json);
    }
    JsonTextLiteral(json, "],\"core_id\":");
    JsonTextLiteral(json, ViewName(view, view->cells[first].group));
    JsonTextRaw(json, "}", 1);
}

void EncodeOccupancy(const ViewCells *view, JsonText *json)
{
    JsonObject object = { .count = 0 };
    size_t facts = 0;

    while (facts < view->count && view->cells[facts].group == OPPROF_NA_STRING) {
        ViewPutText(view, &view->cells[facts],
                    JsonMember(&object, ViewName(view, view->cells[facts].column)));
        facts++;
    }
    JsonText *detail = JsonMember(&object, "op_detail");
    JsonTextRaw(detail, "[", 1);
    const size_t start = detail->length;
    for (size_t i = facts; i < view->count; i = ViewGroupEnd(view, i)) {
        JsonTextComma(detail, start);
        put_core(view, i, ViewGroupEnd(view, i), detail);
    }
    JsonTextRaw(detail, "]", 1);
    JsonObjectEnd(&object, json);
}

/* ------------------------------------------------------------------ roofline */

static void put_line(const ViewCells *view, size_t first, size_t end, JsonText *json)
{
    JsonObject object = { .count = 0 };
    const ViewCell *point[2] = { NULL, NULL };

    for (size_t i = first; i < end; i++) {
        const ViewCell *cell = &view->cells[i];

        if (ViewIsColumn(view, cell, "x") || ViewIsColumn(view, cell, "y")) {
            point[ViewIsColumn(view, cell, "y")] = cell;
        } else if (ViewIsColumn(view, cell, "ratio")) {
            ViewPutText(view, cell, JsonMember(&object, "ratio"));
        } else {
            ViewPutNumber(view, cell, JsonMember(&object, ViewName(view, cell->column)));
        }
    }
    if (point[0] != NULL && point[1] != NULL) {
        JsonText *value = JsonMember(&object, "point");

        JsonTextRaw(value, "[", 1);
        ViewPutNumber(view, point[0], value);
        JsonTextRaw(value, ",", 1);
        ViewPutNumber(view, point[1], value);
        JsonTextRaw(value, "]", 1);
    }
    JsonObjectEnd(&object, json);
}

/* The viewer can only draw a line of which it knows the roof and the point. */
static bool is_drawable(const ViewCells *view, size_t first, size_t end)
{
    static const char *const needed[] = { "bw", "computility", "x", "y" };

    for (size_t i = first; i < end; i++) {
        for (size_t k = 0; k < sizeof needed / sizeof needed[0]; k++) {
            if (ViewIsColumn(view, &view->cells[i], needed[k]) && !isfinite(view->cells[i].real)) {
                return false;
            }
        }
    }
    return true;
}

static bool has_lines(const ViewCells *view, size_t first, size_t end)
{
    for (size_t i = first; i < end; i = ViewRowEnd(view, i)) {
        if (is_drawable(view, i, ViewRowEnd(view, i))) {
            return true;
        }
    }
    return false;
}

static void put_graph(const ViewCells *view, size_t first, size_t end, JsonText *json)
{
    const char *title = ViewName(view, view->cells[first].table);

    JsonTextLiteral(json, "{\"rooflines\":[");
    const size_t start = json->length;
    for (size_t i = first; i < end; i = ViewRowEnd(view, i)) {
        if (is_drawable(view, i, ViewRowEnd(view, i))) {
            JsonTextComma(json, start);
            put_line(view, i, ViewRowEnd(view, i), json);
        }
    }
    JsonTextLiteral(json, "],\"title\":");
    JsonTextString(json, title, strlen(title));
    JsonTextRaw(json, "}", 1);
}

void EncodeRoofline(const ViewCells *view, JsonText *json)
{
    JsonObject object = { .count = 0 };
    JsonText *graphs = JsonMember(&object, "multiple_rooflines");

    JsonTextRaw(graphs, "[", 1);
    const size_t start = graphs->length;
    for (size_t i = 0; i < view->count; i = ViewTableEnd(view, i)) {
        if (view->cells[i].table != OPPROF_NA_STRING && has_lines(view, i, ViewTableEnd(view, i))) {
            JsonTextComma(graphs, start);
            put_graph(view, i, ViewTableEnd(view, i), graphs);
        }
    }
    JsonTextRaw(graphs, "]", 1);
    put_facts(view, 0, view->count, &object);
    for (size_t i = 0; i < view->count; i++) {
        if (ViewIsColumn(view, &view->cells[i], ADVICE)) {
            ViewPutText(view, &view->cells[i], JsonMember(&object, ADVICE));
        }
    }
    JsonObjectEnd(&object, json);
}
