/* SPDX-License-Identifier: Apache-2.0 */
/* What a chip file may state in `metrics` and `peaks`. Tested by tests/e2e/chip_mistakes.sh. */
#include "analysis.h"
#include "metric_facts.h"

#include <opprof/kit/facts.h>

#include <math.h>

#define REQUIRED .flags = OPPROF_FACT_REQUIRED
#define ONE_OF .flags = OPPROF_FACT_ONE_OF
#define ALSO .flags = 0
#define OF(...) .of = OPPROF_FACT_OF(__VA_ARGS__)
#define OR(...) .either = OPPROF_FACT_OF(__VA_ARGS__)
#define FIELD(text, kind, ...)                                                                     \
    {                                                                                              \
        .name = (text), .type = OPPROF_FACT_IS_##kind, __VA_ARGS__                                 \
    }
#define END                                                                                        \
    {                                                                                              \
        .name = NULL                                                                               \
    }
#define IN(structure, member) OPPROF_FACT_IN(structure, member)
#define ARRAY(structure, member, total) OPPROF_FACT_ARRAY(structure, member, total)
#define KEY(structure, member) OPPROF_FACT_KEY(structure, member)
#define SELF(structure) OPPROF_FACT_SELF(structure, fact)
#define TEXT(text) FIELD(text, TEXT, ALSO)
#define TEXT_IN(text, structure, member) FIELD(text, TEXT, IN(structure, member))
#define NAME_IN(structure) FIELD("name", TEXT, REQUIRED, IN(structure, name))
#define TEXTS(text) FIELD(text, LIST, OF(.type = OPPROF_FACT_IS_TEXT))
#define FORMULA(text) FIELD(text, FORMULA, ALSO)
#define FORMULA_IN(text, structure, member) FIELD(text, FORMULA, IN(structure, member))
#define NUMBER .type = OPPROF_FACT_IS_REAL, .least = -INFINITY
/* A formula, or a number in its place. */
#define RATE(text, flag, structure, member)                                                        \
    FIELD(text, FORMULA, flag, IN(structure, member),                                              \
          OR(.type = OPPROF_FACT_IS_CONSTANT, IN(structure, member)))
#define NAME(text, names, ...) FIELD(text, NAME, .from = (names), __VA_ARGS__)
#define KIND(structure) NAME("of", "pmu.kinds.*.name", IN(structure, of))
#define TYPES_IN(structure)                                                                        \
    FIELD("in", LIST, OF(.type = OPPROF_FACT_IS_TEXT, .size = sizeof(const char *)),               \
          ARRAY(structure, in.list, in.count))
#define CHOICE(text, names, flag) FIELD(text, CHOICE, flag, .from = (names))
#define OBJECT(text, fields) FIELD(text, OBJECT, .of = (fields))
#define MAP_OF(text, fields) FIELD(text, MAP, OF(.type = OPPROF_FACT_IS_OBJECT, .of = (fields)))
#define SUB(structure)                                                                             \
    FIELD("sub", WHOLE, .most = UINT32_MAX - 1, .otherwise = -1, IN(structure, sub))
#define CLASS(structure)                                                                           \
    FIELD("class", CHOICE, .from = "'compute','move','scalar'", .otherwise = -1,                   \
          IN(structure, class))
/* What explains a number. */
#define EXPLAINED TEXT("unit"), TEXT("meaning"), TEXT("source")

/* ---- names in formulas ---- */

static const OpprofFactField symbol_fields[] = { FIELD("is", TEXT, REQUIRED), EXPLAINED, END };
static const OpprofFactField fact_fields[] = {
    CHOICE("kind", "'count','real'", REQUIRED),
    EXPLAINED,
    TEXT("chip_file"),
    END,
};
static const OpprofFactField indexed_fields[] = { TEXT("keys"), TEXTS("values"), EXPLAINED, END };

/* ---- operators and tables ---- */

static const OpprofFactField core_time_fields[] = {
    FIELD("is", FORMULA, REQUIRED, IN(OperatorFacts, core_time)),
    EXPLAINED,
    END,
};
static const OpprofFactField operator_fields[] = {
    OBJECT("core_time", core_time_fields),
    END,
};
const OpprofFactTable metric_operator_table = { .fields = operator_fields,
                                                .size = sizeof(OperatorFacts) };

static const OpprofFactField basic_column_fields[] = {
    NAME_IN(BasicColumnFacts),
    TEXT_IN("unit", BasicColumnFacts, unit),
    TEXT("meaning"),
    TEXT("source"),
    FIELD("shows", CHOICE, REQUIRED,
          .from = "'name','soc','op_type','block_dim','mix_block_dim','device_id','pid','cur_freq',"
                  "'rated_freq','duration'",
          IN(BasicColumnFacts, shows)),
    END,
};
static const OpprofFactField column_fields[] = {
    NAME_IN(ColumnFacts),
    FIELD("is", FORMULA, ONE_OF, IN(ColumnFacts, is)),
    FIELD("shows", CHOICE, ONE_OF, .from = "'block','sub_block'", .otherwise = -1,
          IN(ColumnFacts, shows)),
    TEXT_IN("unit", ColumnFacts, unit),
    TEXT_IN("meaning", ColumnFacts, meaning),
    TEXT("source"),
    KIND(ColumnFacts),
    FORMULA_IN("optional", ColumnFacts, optional),
    FORMULA_IN("with", ColumnFacts, with),
    FIELD("peak", BOOL, IN(ColumnFacts, is_peak)),
    END,
};
#define COLUMNS(fields, structure)                                                                 \
    FIELD("columns", LIST, REQUIRED, .least = 1, .unique = "name",                                 \
          OF(.type = OPPROF_FACT_IS_OBJECT, .of = (fields)), ARRAY(structure, columns, count))
static const OpprofFactField basic_table_fields[] = {
    CHOICE("of", "'operator'", ALSO),
    COLUMNS(basic_column_fields, BasicFacts),
    END,
};
const OpprofFactTable metric_basic_table = { .fields = basic_table_fields,
                                             .size = sizeof(BasicFacts) };
static const OpprofFactField table_fields[] = {
    FIELD("of", CHOICE, .from = "'operator'", .otherwise = -1, IN(TableFacts, of)),
    COLUMNS(column_fields, TableFacts),
    END,
};
static const OpprofFactField tables_fields[] = {
    FIELD("OpBasicInfo", OBJECT, .of = basic_table_fields, IN(TablesFacts, basic)),
    FIELD("*", MAP, .from = "pmu.groups,metrics.choices,'OpBasicInfo'",
          OF(.type = OPPROF_FACT_IS_OBJECT, .of = table_fields), ARRAY(TablesFacts, list, count),
          KEY(TableFacts, name)),
    END,
};
const OpprofFactTable metric_tables_table = { .fields = tables_fields,
                                              .size = sizeof(TablesFacts) };

static const OpprofFactField load_fields[] = {
    NAME_IN(LoadFacts),
    TEXT_IN("mix_name", LoadFacts, mix_name),
    FIELD("is", FORMULA, .flags = OPPROF_FACT_REQUIRED | OPPROF_FACT_PATTERN, IN(LoadFacts, is)),
    FIELD("share", BOOL, IN(LoadFacts, is_share)),
    TEXT_IN("each", LoadFacts, each),
    FIELD("optional", FORMULA, .flags = OPPROF_FACT_PATTERN, IN(LoadFacts, optional)),
    TEXT_IN("unit", LoadFacts, unit),
    TEXT("meaning"),
    TEXT("source"),
    END,
};
static const OpprofFactField kind_loads = {
    .type = OPPROF_FACT_IS_LIST,
    OF(.type = OPPROF_FACT_IS_OBJECT, .of = load_fields, SELF(LoadFacts)),
    ARRAY(KindLoadsFacts, list, count),
};
#define LOADS                                                                                      \
    .type = OPPROF_FACT_IS_MAP, .from = "pmu.kinds.*.name", .of = &kind_loads,                     \
    ARRAY(LoadsFacts, kinds, count), KEY(KindLoadsFacts, kind)
static const OpprofFactField loads = { LOADS };
const OpprofFactTable metric_loads_table = { .root = &loads, .size = sizeof(LoadsFacts) };

/* ---- storage ---- */

static const OpprofFactField shape_column_fields[] = {
    NAME_IN(ShapeColumnFacts),
    FIELD("is", TEXT, REQUIRED, IN(ShapeColumnFacts, is)),
    TEXT_IN("unit", ShapeColumnFacts, unit),
    TEXT("meaning"),
    TEXT("source"),
    END,
};
static const OpprofFactField shape_fields[] = {
    FIELD("columns", LIST, .flags = OPPROF_FACT_REQUIRED | OPPROF_FACT_IN_PLACE, .least = 1,
          .most = METRIC_SHAPE_COLUMNS,
          OF(.type = OPPROF_FACT_IS_OBJECT, .of = shape_column_fields),
          ARRAY(ShapeFacts, columns, count)),
    FIELD("defaults", MAP, OF(.type = OPPROF_FACT_IS_TEXT, OR(NUMBER))),
    TEXT_IN("busy", ShapeFacts, busy),
    TEXT_IN("waits", ShapeFacts, waits),
    TEXT_IN("of_peak", ShapeFacts, of_peak),
    TEXT_IN("lost", ShapeFacts, lost),
    END,
};
#define TYPES "pmu.operator.type,pmu.operator.mix,pmu.operator.none,pmu.kinds.*.name"
static const OpprofFactField row_fields[] = {
    NAME_IN(RowFacts),
    FIELD("in", LIST, OF(.type = OPPROF_FACT_IS_NAME, .from = TYPES, .size = sizeof(const char *)),
          ARRAY(RowFacts, in.list, in.count)),
    FORMULA_IN("optional", RowFacts, optional),
    CLASS(RowFacts),
    FIELD("*", FORMULA, OR(NUMBER)),
    END,
};
static const OpprofFactField row_set = {
    .type = OPPROF_FACT_IS_LIST,
    OF(.type = OPPROF_FACT_IS_OBJECT, .of = row_fields, SELF(RowFacts)),
    ARRAY(RowSetFacts, rows, count),
};
static const OpprofFactField storage_table_fields[] = {
    NAME_IN(StorageTableFacts),
    NAME("shape", "metrics.storage.shapes", REQUIRED, IN(StorageTableFacts, shape)),
    NAME("rows", "metrics.storage.rows", REQUIRED, IN(StorageTableFacts, rows)),
    TYPES_IN(StorageTableFacts),
    KIND(StorageTableFacts),
    SUB(StorageTableFacts),
    TEXT_IN("who", StorageTableFacts, who),
    END,
};
static const OpprofFactField cache_fields[] = {
    NAME("rows", "metrics.storage.rows", REQUIRED, IN(StorageFacts, cache_rows)),
    FIELD("row", TEXT, REQUIRED, IN(StorageFacts, cache_row)),
    END,
};
static const OpprofFactField unit_fields[] = {
    NAME_IN(UnitFacts),
    FIELD("is", FORMULA, REQUIRED, IN(UnitFacts, is)),
    KIND(UnitFacts),
    SUB(UnitFacts),
    TYPES_IN(UnitFacts),
    CLASS(UnitFacts),
    TEXT_IN("below_20", UnitFacts, below_20),
    FORMULA_IN("wait", UnitFacts, wait),
    FORMULA_IN("lost", UnitFacts, lost),
    END,
};
static const OpprofFactField path_fields[] = {
    FIELD("path", WHOLE, REQUIRED, .most = UINT32_MAX,
          OR(.type = OPPROF_FACT_IS_TEXT, IN(PathFacts, name))),
    NAME("rows", "metrics.storage.rows", IN(PathFacts, rows)),
    TEXT_IN("row", PathFacts, row),
    KIND(PathFacts),
    SUB(PathFacts),
    TYPES_IN(PathFacts),
    FIELD("optional", FORMULA, OR(.type = OPPROF_FACT_IS_BOOL, IN(PathFacts, is_optional))),
    TEXT_IN("suffix", PathFacts, suffix),
    FIELD("*", FORMULA, OR(NUMBER)),
    END,
};
static const OpprofFactField map_fields[] = {
    TEXT_IN("layout", StorageFacts, layout),
    OBJECT("cache", cache_fields),
    FIELD("units", LIST, OF(.type = OPPROF_FACT_IS_OBJECT, .of = unit_fields, SELF(UnitFacts)),
          ARRAY(StorageFacts, units, unit_count)),
    FIELD("paths", LIST, OF(.type = OPPROF_FACT_IS_OBJECT, .of = path_fields, SELF(PathFacts)),
          ARRAY(StorageFacts, paths, path_count)),
    END,
};
static const OpprofFactField storage_fields[] = {
    FIELD("advice_once", BOOL, IN(StorageFacts, advice_once)),
    FIELD("shapes", MAP, OF(.type = OPPROF_FACT_IS_OBJECT, .of = shape_fields, SELF(ShapeFacts)),
          ARRAY(StorageFacts, shapes, shape_count), KEY(ShapeFacts, name)),
    FIELD("rows", MAP, .of = &row_set, ARRAY(StorageFacts, sets, set_count),
          KEY(RowSetFacts, name)),
    FIELD("tables", LIST, OF(.type = OPPROF_FACT_IS_OBJECT, .of = storage_table_fields),
          ARRAY(StorageFacts, tables, table_count)),
    OBJECT("map", map_fields),
    END,
};
const OpprofFactTable metric_storage_table = { .fields = storage_fields,
                                               .size = sizeof(StorageFacts) };

/* ---- views ---- */

static const OpprofFactField occupancy_fields[] = {
    FIELD("is", FORMULA, REQUIRED, IN(OccupancyFacts, is)),
    KIND(OccupancyFacts),
    FORMULA_IN("when", OccupancyFacts, when),
    EXPLAINED,
    END,
};
#define OCCUPANCIES                                                                                \
    .type = OPPROF_FACT_IS_MAP,                                                                    \
    .from = "'throughput','accesses','hit_rate','simt_instructions','simt_per_cycle'",             \
    OF(.type = OPPROF_FACT_IS_OBJECT, .of = occupancy_fields),                                     \
    ARRAY(OccupanciesFacts, list, count), KEY(OccupancyFacts, name)
static const OpprofFactField occupancies = { OCCUPANCIES };
const OpprofFactTable metric_occupancy_table = { .root = &occupancies,
                                                 .size = sizeof(OccupanciesFacts) };

static const OpprofFactField share_fields[] = {
    NAME_IN(ShareFacts),
    FIELD("is", FORMULA, REQUIRED),
    TEXT("meaning"),
    END,
};
static const OpprofFactField compute_fields[] = {
    TYPES_IN(WorkFacts),
    KIND(WorkFacts),
    TEXT_IN("name", WorkFacts, name),
    RATE("ops", REQUIRED, WorkFacts, ops),
    FORMULA("count"),
    RATE("theory", ALSO, WorkFacts, theory),
    TEXT_IN("share", WorkFacts, share),
    TEXT_IN("whole", WorkFacts, whole),
    FIELD("shares", LIST, OF(.type = OPPROF_FACT_IS_OBJECT, .of = share_fields, SELF(ShareFacts)),
          ARRAY(WorkFacts, shares, share_count)),
    TEXT("meaning"),
    TEXT("source"),
    END,
};
static const OpprofFactField graph_compute_fields[] = {
    FIELD("of", LIST, REQUIRED,
          OF(.type = OPPROF_FACT_IS_NAME, .from = "metrics.roofline.compute",
             .size = sizeof(const char *)),
          ARRAY(GroupFacts, of, count)),
    TEXT_IN("as", GroupFacts, as),
    END,
};
static const OpprofFactField line_fields[] = {
    NAME_IN(LineFacts),
    RATE("bytes", REQUIRED, LineFacts, bytes),
    RATE("peak", REQUIRED, LineFacts, peak),
    TEXT("meaning"),
    TEXT("source"),
    END,
};
static const OpprofFactField graph_fields[] = {
    FIELD("title", TEXT, REQUIRED, IN(GraphFacts, title)),
    TYPES_IN(GraphFacts),
    FIELD("compute", LIST, OF(.type = OPPROF_FACT_IS_OBJECT, .of = graph_compute_fields),
          ARRAY(GraphFacts, groups, group_count)),
    FIELD("lines", LIST, OF(.type = OPPROF_FACT_IS_OBJECT, .of = line_fields),
          ARRAY(GraphFacts, lines, line_count)),
    END,
};
static const OpprofFactField roofline_fields[] = {
    FIELD("compute", MAP, OF(.type = OPPROF_FACT_IS_OBJECT, .of = compute_fields, SELF(WorkFacts)),
          ARRAY(RooflineFacts, works, work_count), KEY(WorkFacts, id)),
    FIELD("graphs", LIST, OF(.type = OPPROF_FACT_IS_OBJECT, .of = graph_fields),
          ARRAY(RooflineFacts, graphs, graph_count)),
    END,
};
const OpprofFactTable metric_roofline_table = { .fields = roofline_fields,
                                                .size = sizeof(RooflineFacts) };

/* ---- all of it ---- */

static const OpprofFactField metric_fields[] = {
    { .name = "choices", .type = OPPROF_FACT_IS_ANY }, /* the table of parse-pmu */
    FIELD("symbols", MAP,
          OF(.type = OPPROF_FACT_IS_TEXT, OR(.type = OPPROF_FACT_IS_OBJECT, .of = symbol_fields))),
    MAP_OF("facts", fact_fields),
    MAP_OF("indexed", indexed_fields),
    OBJECT("share", symbol_fields),
    OBJECT("operator", operator_fields),
    OBJECT("tables", tables_fields),
    { .name = "compute_load", LOADS },
    OBJECT("storage", storage_fields),
    { .name = "occupancy", OCCUPANCIES },
    OBJECT("roofline", roofline_fields),
    END,
};
static const OpprofFactTable metrics = { .fields = metric_fields };

#define BANDWIDTHS(text, bandwidth)                                                                \
    FIELD(                                                                                         \
        text, MAP,                                                                                 \
        OF(.type = OPPROF_FACT_IS_MAP,                                                             \
           OF(.type = OPPROF_FACT_IS_MAP, OF(.type = OPPROF_FACT_IS_REAL, .unit = (bandwidth)))))
static const OpprofFactField peak_fields[] = {
    NAME("family", "peaks.families", ALSO),
    BANDWIDTHS("families", "GB/s"),
    NAME("memory", "peaks.memory_families", ALSO),
    BANDWIDTHS("memory_families", "TB/s"),
    END,
};
static const OpprofFactTable peaks = { .fields = peak_fields };

const OpprofChipTable pmu_chip_tables[] = {
    { .path = "metrics", .table = &metrics },
    { .path = "peaks", .table = &peaks },
    { .path = NULL },
};
