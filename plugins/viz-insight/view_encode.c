/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns the cells of views into the viewer's blocks.
 * Tested by tests/plugins/parse-pmu/test_cases.sh.
 */
#include "view_encode.h"

#include "map_looks.h"

#include <math.h>
#include <string.h>

#define ADVICE "advice"
#define NOT_AVAILABLE "NA"

static const char *or_na(const char *name)
{
    return name[0] == '\0' ? NOT_AVAILABLE : name;
}

/* The advice among the facts of a group, as an array of texts. */
static void put_advice(const ViewCells *view, size_t first, size_t end, OpprofJsonOut *json)
{
    OpprofJsonPutRaw(json, "[");
    for (size_t i = first; i < end; i++) {
        if (view->cells[i].table == OPPROF_NA_STRING &&
            ViewIsColumn(view, &view->cells[i], ADVICE)) {
            OpprofJsonPutComma(json);
            ViewPutText(view, &view->cells[i], json);
        }
    }
    OpprofJsonPutRaw(json, "]");
}

/* Facts of a group other than its advice become members. */
static void put_facts(const ViewCells *view, size_t first, size_t end, OpprofJsonMembers *object)
{
    for (size_t i = first; i < end; i++) {
        const ViewCell *cell = &view->cells[i];

        if (cell->table == OPPROF_NA_STRING && !ViewIsColumn(view, cell, ADVICE)) {
            ViewPutText(view, cell, OpprofJsonMember(object, ViewName(view, cell->column)));
        }
    }
}

/* ---- operator ---- */

static size_t count_rows(const ViewCells *view, size_t first, size_t end)
{
    size_t rows = 0;

    for (size_t i = first; i < end; i = ViewRowEnd(view, i)) {
        rows++;
    }
    return rows;
}

static void put_size(OpprofJsonOut *json, size_t rows, size_t columns)
{
    OpprofJsonPutRaw(json, "\"size\":[");
    OpprofJsonPutU64(json, rows);
    OpprofJsonPutRaw(json, ",");
    OpprofJsonPutU64(json, columns);
    OpprofJsonPutRaw(json, "]");
}

static void put_values(const ViewCells *view, size_t first, size_t end, OpprofJsonOut *json)
{
    OpprofJsonPutRaw(json, "\"value\":[");
    for (size_t i = first; i < end; i++) {
        OpprofJsonPutComma(json);
        ViewPutText(view, &view->cells[i], json);
    }
    OpprofJsonPutRaw(json, "]");
}

/* {"head_name":[…],"row":[{"value":[…]}],"size":[rows + 1,columns]} */
static void put_detail(const ViewCells *view, size_t first, size_t end, OpprofJsonOut *json)
{
    const size_t head_end = ViewRowEnd(view, first);

    OpprofJsonPutRaw(json, "{\"head_name\":[");
    for (size_t i = first; i < head_end; i++) {
        const char *name = ViewName(view, view->cells[i].column);

        OpprofJsonPutComma(json);
        OpprofJsonPutString(json, name, strlen(name));
    }
    OpprofJsonPutRaw(json, "],\"row\":[");
    for (size_t i = first; i < end; i = ViewRowEnd(view, i)) {
        OpprofJsonPutComma(json);
        OpprofJsonPutRaw(json, "{");
        put_values(view, i, ViewRowEnd(view, i), json);
        OpprofJsonPutRaw(json, "}");
    }
    OpprofJsonPutRaw(json, "],");
    put_size(json, count_rows(view, first, end) + 1, head_end - first);
    OpprofJsonPutRaw(json, "}");
}

/* A fact that the data does not state is an empty text here. */
static void put_operator_fact(const ViewCells *view, const ViewCell *cell,
                              OpprofJsonMembers *object)
{
    OpprofJsonOut *value = OpprofJsonMember(object, ViewName(view, cell->column));

    if (cell->text == SIZE_MAX && cell->unit == OPPROF_NA_STRING) {
        OpprofJsonPutRaw(value, "\"\"");
    } else {
        ViewPutNumber(view, cell, value);
    }
}

void EncodeOperator(const ViewCells *view, OpprofJsonOut *json)
{
    OpprofJsonMembers object = { .count = 0 };

    put_advice(view, 0, view->count, OpprofJsonMember(&object, ADVICE));
    for (size_t i = 0; i < view->count;) {
        const ViewCell *cell = &view->cells[i];

        if (cell->table != OPPROF_NA_STRING) {
            const size_t end = ViewTableEnd(view, i);

            put_detail(view, i, end, OpprofJsonMember(&object, ViewName(view, cell->table)));
            i = end;
            continue;
        }
        if (!ViewIsColumn(view, cell, ADVICE)) {
            put_operator_fact(view, cell, &object);
        }
        i++;
    }
    OpprofJsonMembersEnd(&object, json);
}

/* ---- compute load ---- */

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
                     OpprofJsonOut *json)
{
    OpprofJsonMembers object = { .count = 0 };

    OpprofJsonMemberString(&object, "block_id", or_na(ViewName(view, cell->group)));
    OpprofJsonMemberString(&object, "block_type", ViewName(view, cell->table));
    OpprofJsonMemberString(&object, "name", ViewName(view, cell->row));
    OpprofJsonPutU64(OpprofJsonMember(&object, "unit"), unit_code(ViewName(view, cell->unit)));
    if (origin != NULL) {
        ViewPutNumber(view, origin, OpprofJsonMember(&object, "origin_value"));
        ViewPutNumber(view, cell, OpprofJsonMember(&object, "value"));
    } else {
        ViewPutText(view, cell, OpprofJsonMember(&object, "value"));
    }
    OpprofJsonMembersEnd(&object, json);
}

static void encode_load(const ViewCells *view, bool is_figure, OpprofJsonOut *json)
{
    for (size_t i = 0; i < view->count; i++) {
        const ViewCell *cell = &view->cells[i];
        const ViewCell *next = i + 1 < view->count ? cell + 1 : NULL;
        const bool has_origin = next != NULL && ViewIsColumn(view, next, "origin_value");

        if (ViewIsColumn(view, cell, "value") && has_origin == is_figure) {
            OpprofJsonPutComma(json);
            put_load(view, cell, has_origin ? next : NULL, json);
        }
    }
}

void EncodeLoadFigure(const ViewCells *view, OpprofJsonOut *json)
{
    encode_load(view, true, json);
}

void EncodeLoadTable(const ViewCells *view, OpprofJsonOut *json)
{
    encode_load(view, false, json);
}

/* ---- storage ---- */

/* A path as the picture shows it, unless the picture has no path of that name. */
static void put_path(const ViewCells *view, size_t first, size_t end, const MapLook *look,
                     OpprofJsonOut *json)
{
    const int number = MapPathNumber(ViewName(view, view->cells[first].row));
    OpprofJsonMembers object = { .count = 0 };
    const ViewCell *suffix = NULL;

    if (number < 0) {
        return;
    }
    OpprofJsonPutComma(json);
    OpprofJsonPutRaw(OpprofJsonMember(&object, "display"), "1");
    OpprofJsonPutU64(OpprofJsonMember(&object, "memory_path"), (uint64_t) number);
    for (size_t i = first; i < end; i++) {
        const ViewCell *cell = &view->cells[i];
        const char *column = ViewName(view, cell->column);

        if (strcmp(column, "suffix") == 0) {
            suffix = cell;
        } else if (strcmp(column, "peak_ratio") == 0 && !look->has_peaks) {
            OpprofJsonMemberString(&object, column, NOT_AVAILABLE);
        } else {
            ViewPutText(view, cell, OpprofJsonMember(&object, column));
        }
    }
    for (size_t i = 0; i < MAP_SUFFIXES && look->suffixes[i] != NULL; i++) {
        OpprofJsonOut *value = OpprofJsonMember(&object, look->suffixes[i]);

        if (suffix != NULL) {
            ViewPutText(view, suffix, value);
        } else {
            OpprofJsonPutRaw(value, "\"\"");
        }
    }
    OpprofJsonMembersEnd(&object, json);
}

static void put_paths(const ViewCells *view, size_t first, size_t end, const MapLook *look,
                      OpprofJsonOut *json)
{
    OpprofJsonPutRaw(json, "[");
    for (size_t i = first; i < end; i = ViewRowEnd(view, i)) {
        put_path(view, i, ViewRowEnd(view, i), look, json);
    }
    OpprofJsonPutRaw(json, "]");
}

/* The viewer expects texts for the cache's numbers, and numbers for those of the units. */
static void put_unit(const ViewCells *view, size_t first, size_t end, OpprofJsonOut *json)
{
    const bool is_cache = strcmp(ViewName(view, view->cells[first].table), "L2cache") == 0;
    OpprofJsonMembers object = { .count = 0 };

    for (size_t i = first; i < end; i++) {
        OpprofJsonOut *value = OpprofJsonMember(&object, ViewName(view, view->cells[i].column));

        if (is_cache) {
            ViewPutText(view, &view->cells[i], value);
        } else {
            ViewPutNumber(view, &view->cells[i], value);
        }
    }
    OpprofJsonMembersEnd(&object, json);
}

/* The picture of a block's memories. */
static MapLook look_of(const ViewCells *view, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        const ViewCell *cell = &view->cells[i];

        if (cell->table == OPPROF_NA_STRING && ViewIsColumn(view, cell, "layout")) {
            return MapLookOf(ViewText(view, cell));
        }
    }
    return MapLookOf("");
}

static void put_map_facts(const ViewCells *view, size_t first, size_t end, const MapLook *look,
                          OpprofJsonMembers *object)
{
    for (size_t i = first; i < end; i++) {
        const ViewCell *cell = &view->cells[i];
        const char *column = ViewName(view, cell->column);

        if (cell->table != OPPROF_NA_STRING || strcmp(column, ADVICE) == 0 ||
            (strcmp(column, "memory_detail") == 0 && !look->has_memory_detail)) {
            continue;
        }
        if (strcmp(column, "layout") == 0) {
            OpprofJsonMemberString(object, "soc", or_na(look->drawing));
        } else {
            ViewPutText(view, cell, OpprofJsonMember(object, column));
        }
    }
}

static void put_block_map(const ViewCells *view, size_t first, size_t end, OpprofJsonOut *json)
{
    const MapLook look = look_of(view, first, end);
    OpprofJsonMembers object = { .count = 0 };
    bool has_paths = false;

    OpprofJsonMemberString(&object, "core_no", or_na(ViewName(view, view->cells[first].group)));
    put_advice(view, first, end, OpprofJsonMember(&object, ADVICE));
    put_map_facts(view, first, end, &look, &object);
    for (size_t i = first; i < end; i = ViewTableEnd(view, i)) {
        const char *table = ViewName(view, view->cells[i].table);

        if (view->cells[i].table == OPPROF_NA_STRING) {
            continue;
        }
        OpprofJsonOut *value = OpprofJsonMember(&object, table);
        if (strcmp(table, "memory_unit") == 0) {
            put_paths(view, i, ViewTableEnd(view, i), &look, value);
            has_paths = true;
        } else {
            put_unit(view, i, ViewTableEnd(view, i), value);
        }
    }
    if (!has_paths) { /* required by the viewer */
        OpprofJsonPutRaw(OpprofJsonMember(&object, "memory_unit"), "[]");
    }
    OpprofJsonMembersEnd(&object, json);
}

void EncodeStorageMap(const ViewCells *view, OpprofJsonOut *json)
{
    OpprofJsonPutComma(json);
    put_block_map(view, 0, view->count, json);
}

static void put_table(const ViewCells *view, size_t first, size_t end, OpprofJsonOut *json)
{
    const size_t head_end = ViewRowEnd(view, first);
    const char *table = ViewName(view, view->cells[first].table);

    OpprofJsonPutRaw(json, "{\"header_name\":[\"\"");
    for (size_t i = first; i < head_end; i++) {
        const char *name = ViewName(view, view->cells[i].column);

        OpprofJsonPutRaw(json, ",");
        OpprofJsonPutString(json, name, strlen(name));
    }
    OpprofJsonPutRaw(json, "],\"row\":[");
    for (size_t i = first; i < end; i = ViewRowEnd(view, i)) {
        const char *name = ViewName(view, view->cells[i].row);

        OpprofJsonPutComma(json);
        OpprofJsonPutRaw(json, "{\"name\":");
        OpprofJsonPutString(json, name, strlen(name));
        OpprofJsonPutRaw(json, ",");
        put_values(view, i, ViewRowEnd(view, i), json);
        OpprofJsonPutRaw(json, "}");
    }
    OpprofJsonPutRaw(json, "],");
    put_size(json, count_rows(view, first, end), head_end - first);
    OpprofJsonPutRaw(json, ",\"table_name\":");
    OpprofJsonPutString(json, table, strlen(table));
    OpprofJsonPutRaw(json, "}");
}

static void put_block_tables(const ViewCells *view, size_t first, size_t end, OpprofJsonOut *json)
{
    OpprofJsonMembers object = { .count = 0 };

    OpprofJsonMemberString(&object, "block_id", or_na(ViewName(view, view->cells[first].group)));
    put_advice(view, first, end, OpprofJsonMember(&object, ADVICE));
    put_facts(view, first, end, &object);
    OpprofJsonOut *tables = OpprofJsonMember(&object, "table_detail");
    OpprofJsonPutRaw(tables, "[");
    for (size_t i = first; i < end; i = ViewTableEnd(view, i)) {
        if (view->cells[i].table != OPPROF_NA_STRING) {
            OpprofJsonPutComma(tables);
            put_table(view, i, ViewTableEnd(view, i), tables);
        }
    }
    OpprofJsonPutRaw(tables, "]");
    OpprofJsonMembersEnd(&object, json);
}

void EncodeStorageTable(const ViewCells *view, OpprofJsonOut *json)
{
    OpprofJsonPutComma(json);
    put_block_tables(view, 0, view->count, json);
}

/* ---- occupancy ---- */

static bool is_simt(const ViewCells *view, const ViewCell *cell)
{
    return ViewIsColumn(view, cell, "instructions") ||
           ViewIsColumn(view, cell, "instruction_per_cycle");
}

static void put_sub_core(const ViewCells *view, size_t first, size_t end, OpprofJsonOut *json)
{
    OpprofJsonMembers object = { .count = 0 };
    OpprofJsonMembers simt = { .count = 0 };
    bool has_simt = false;

    for (size_t i = first; i < end; i++) {
        const ViewCell *cell = &view->cells[i];
        const char *column = ViewName(view, cell->column);

        if (is_simt(view, cell)) {
            ViewPutNumber(view, cell, OpprofJsonMember(&simt, column));
            has_simt = true;
        } else {
            ViewPutText(view, cell, OpprofJsonMember(&object, column));
        }
    }
    if (has_simt) {
        OpprofJsonMembersEnd(&simt, OpprofJsonMember(&object, "simt_vf_instructions"));
    }
    OpprofJsonMembersEnd(&object, json);
}

static void put_core(const ViewCells *view, size_t first, size_t end, OpprofJsonOut *json)
{
    OpprofJsonPutRaw(json, "{\"core_detail\":[");
    for (size_t i = first; i < end; i = ViewRowEnd(view, i)) {
        OpprofJsonPutComma(json);
        put_sub_core(view, i, ViewRowEnd(view, i), json);
    }
    OpprofJsonPutRaw(json, "],\"core_id\":");
    OpprofJsonPutRaw(json, ViewName(view, view->cells[first].group));
    OpprofJsonPutRaw(json, "}");
}

void EncodeOccupancy(const ViewCells *view, OpprofJsonOut *json)
{
    OpprofJsonMembers object = { .count = 0 };
    size_t facts = 0;

    while (facts < view->count && view->cells[facts].group == OPPROF_NA_STRING) {
        ViewPutText(view, &view->cells[facts],
                    OpprofJsonMember(&object, ViewName(view, view->cells[facts].column)));
        facts++;
    }
    OpprofJsonOut *detail = OpprofJsonMember(&object, "op_detail");
    OpprofJsonPutRaw(detail, "[");
    for (size_t i = facts; i < view->count; i = ViewGroupEnd(view, i)) {
        OpprofJsonPutComma(detail);
        put_core(view, i, ViewGroupEnd(view, i), detail);
    }
    OpprofJsonPutRaw(detail, "]");
    OpprofJsonMembersEnd(&object, json);
}

/* ---- roofline ---- */

static void put_line(const ViewCells *view, size_t first, size_t end, OpprofJsonOut *json)
{
    OpprofJsonMembers object = { .count = 0 };
    const ViewCell *point[2] = { NULL, NULL };

    for (size_t i = first; i < end; i++) {
        const ViewCell *cell = &view->cells[i];

        if (ViewIsColumn(view, cell, "x") || ViewIsColumn(view, cell, "y")) {
            point[ViewIsColumn(view, cell, "y")] = cell;
        } else if (ViewIsColumn(view, cell, "ratio")) {
            ViewPutText(view, cell, OpprofJsonMember(&object, "ratio"));
        } else {
            ViewPutNumber(view, cell, OpprofJsonMember(&object, ViewName(view, cell->column)));
        }
    }
    if (point[0] != NULL && point[1] != NULL) {
        OpprofJsonOut *value = OpprofJsonMember(&object, "point");

        OpprofJsonPutRaw(value, "[");
        ViewPutNumber(view, point[0], value);
        OpprofJsonPutRaw(value, ",");
        ViewPutNumber(view, point[1], value);
        OpprofJsonPutRaw(value, "]");
    }
    OpprofJsonMembersEnd(&object, json);
}

/* The viewer can only draw lines with both roof and point. */
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

static void put_graph(const ViewCells *view, size_t first, size_t end, OpprofJsonOut *json)
{
    const char *title = ViewName(view, view->cells[first].table);

    OpprofJsonPutRaw(json, "{\"rooflines\":[");
    for (size_t i = first; i < end; i = ViewRowEnd(view, i)) {
        if (is_drawable(view, i, ViewRowEnd(view, i))) {
            OpprofJsonPutComma(json);
            put_line(view, i, ViewRowEnd(view, i), json);
        }
    }
    OpprofJsonPutRaw(json, "],\"title\":");
    OpprofJsonPutString(json, title, strlen(title));
    OpprofJsonPutRaw(json, "}");
}

void EncodeRoofline(const ViewCells *view, OpprofJsonOut *json)
{
    OpprofJsonMembers object = { .count = 0 };
    OpprofJsonOut *graphs = OpprofJsonMember(&object, "multiple_rooflines");

    OpprofJsonPutRaw(graphs, "[");
    for (size_t i = 0; i < view->count; i = ViewTableEnd(view, i)) {
        if (view->cells[i].table != OPPROF_NA_STRING && has_lines(view, i, ViewTableEnd(view, i))) {
            OpprofJsonPutComma(graphs);
            put_graph(view, i, ViewTableEnd(view, i), graphs);
        }
    }
    OpprofJsonPutRaw(graphs, "]");
    put_facts(view, 0, view->count, &object);
    for (size_t i = 0; i < view->count; i++) {
        if (ViewIsColumn(view, &view->cells[i], ADVICE)) {
            ViewPutText(view, &view->cells[i], OpprofJsonMember(&object, ADVICE));
        }
    }
    OpprofJsonMembersEnd(&object, json);
}
