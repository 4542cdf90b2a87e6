/* SPDX-License-Identifier: Apache-2.0 */
/* What a chip file may state in `metrics` and `peaks`. Tested by tests/e2e/chip_mistakes.sh. */
#include "analysis.h"
#include "storage.h"

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
#define TEXT(text) FIELD(text, TEXT, ALSO)
#define TEXTS(text) FIELD(text, LIST, OF(.type = OPPROF_FACT_IS_TEXT))
#define FORMULA(text) FIELD(text, FORMULA, ALSO)
#define NUMBER .type = OPPROF_FACT_IS_REAL, .least = -INFINITY
#define FORMULA_OR_NUMBER(text, flag) FIELD(text, FORMULA, flag, OR(NUMBER))
#define NAME(text, names, flag) FIELD(text, NAME, flag, .from = (names))
#define KIND(text) NAME(text, "pmu.kinds.*.name", ALSO)
#define CHOICE(text, names, flag) FIELD(text, CHOICE, flag, .from = (names))
#define OBJECT(text, fields) FIELD(text, OBJECT, .of = (fields))
#define OBJECTS(text, flag, fields)                                                                \
    FIELD(text, LIST, flag, OF(.type = OPPROF_FACT_IS_OBJECT, .of = (fields)))
#define MAP_OF(text, fields) FIELD(text, MAP, OF(.type = OPPROF_FACT_IS_OBJECT, .of = (fields)))
#define SUB FIELD("sub", WHOLE, .most = UINT32_MAX - 1)
#define CLASS CHOICE("class", "'compute','move','scalar'", ALSO)
/* What explains a number. */
#define EXPLAINED TEXT("unit"), TEXT("meaning"), TEXT("source")

/* ---- choices ---- */

#define VIEWS "'occupancy','roofline'"
#define VIEW(text)                                                                                 \
    CHOICE(text, VIEWS,                                                                            \
           OR(.type = OPPROF_FACT_IS_LIST, OF(.type = OPPROF_FACT_IS_CHOICE, .from = VIEWS)))
static const OpprofFactField choice_fields[] = {
    FIELD("groups", LIST, OF(.type = OPPROF_FACT_IS_TEXT),
          OR(.type = OPPROF_FACT_IS_CHOICE, .from = "'all'")),
    CHOICE("alone", "'all'", ALSO),
    VIEW("view_of_operands"),
    VIEW("view"),
    CHOICE("flag", "'kernel_scale','memory_detail','memory_detail_if_recorded','source','samples'",
           ALSO),
    NAME("excludes", "metrics.choices", ALSO),
    TEXT("refused"),
    TEXT("unmade"),
    END,
};

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
    FIELD("is", FORMULA, REQUIRED),
    EXPLAINED,
    END,
};
static const OpprofFactField operator_advice_fields[] = {
    FIELD("when", FORMULA, REQUIRED),
    FIELD("say", TEXT, REQUIRED),
    END,
};
static const OpprofFactField operator_fields[] = {
    OBJECT("core_time", core_time_fields),
    OBJECT("advice", operator_advice_fields),
    END,
};

static const OpprofFactField basic_column_fields[] = {
    FIELD("name", TEXT, REQUIRED),
    EXPLAINED,
    CHOICE("shows",
           "'name','soc','op_type','block_dim','mix_block_dim','device_id','pid','cur_freq',"
           "'rated_freq','duration'",
           REQUIRED),
    END,
};
static const OpprofFactField column_fields[] = {
    FIELD("name", TEXT, REQUIRED),
    FIELD("is", FORMULA, ONE_OF),
    CHOICE("shows", "'block','sub_block'", ONE_OF),
    EXPLAINED,
    KIND("of"),
    FORMULA("optional"),
    FORMULA("with"),
    FIELD("peak", BOOL, ALSO),
    END,
};
#define COLUMNS(fields)                                                                            \
    FIELD("columns", LIST, REQUIRED, .least = 1, .unique = "name",                                 \
          OF(.type = OPPROF_FACT_IS_OBJECT, .of = (fields)))
static const OpprofFactField basic_table_fields[] = {
    CHOICE("of", "'operator'", ALSO),
    COLUMNS(basic_column_fields),
    END,
};
static const OpprofFactField table_fields[] = {
    CHOICE("of", "'operator'", ALSO),
    COLUMNS(column_fields),
    END,
};
static const OpprofFactField tables_fields[] = {
    OBJECT("OpBasicInfo", basic_table_fields),
    FIELD("*", MAP, .from = "pmu.groups,metrics.choices,'OpBasicInfo'",
          OF(.type = OPPROF_FACT_IS_OBJECT, .of = table_fields)),
    END,
};
static const OpprofFactField load_fields[] = {
    FIELD("name", TEXT, REQUIRED),
    TEXT("mix_name"),
    FIELD("is", FORMULA, REQUIRED),
    FIELD("share", BOOL, ALSO),
    TEXT("each"),
    FORMULA("optional"),
    EXPLAINED,
    END,
};

/* ---- storage ---- */

static const OpprofFactField shape_column_fields[] = {
    FIELD("name", TEXT, REQUIRED),
    FIELD("is", TEXT, REQUIRED),
    EXPLAINED,
    END,
};
static const OpprofFactField shape_advice_fields[] = { TEXT("when"), TEXT("say"), TEXT("gain"),
                                                       END };
static const OpprofFactField shape_fields[] = {
    FIELD("columns", LIST, REQUIRED, .least = 1, .most = STORAGE_MAX_COLUMNS,
          OF(.type = OPPROF_FACT_IS_OBJECT, .of = shape_column_fields)),
    FIELD("defaults", MAP, OF(.type = OPPROF_FACT_IS_TEXT, OR(NUMBER))),
    OBJECT("advice", shape_advice_fields),
    TEXT("busy"),
    END,
};
#define TYPES "pmu.operator.type,pmu.operator.mix,pmu.operator.none,pmu.kinds.*.name"
/* A table, and its column. */
static const OpprofFactField shown_fields[] = { FIELD(NULL, TEXT, ALSO), FIELD(NULL, TEXT, ALSO),
                                                END };
#define SHOWN FIELD("shown", TUPLE, .of = shown_fields)
static const OpprofFactField row_fields[] = {
    FIELD("name", TEXT, REQUIRED),
    FIELD("in", LIST, OF(.type = OPPROF_FACT_IS_NAME, .from = TYPES)),
    FORMULA("optional"),
    SHOWN,
    CLASS,
    FORMULA_OR_NUMBER("*", ALSO),
    END,
};
static const OpprofFactField storage_table_fields[] = {
    FIELD("name", TEXT, REQUIRED),
    NAME("shape", "metrics.storage.shapes", REQUIRED),
    NAME("rows", "metrics.storage.rows", REQUIRED),
    TEXTS("in"),
    KIND("of"),
    SUB,
    TEXT("who"),
    END,
};
static const OpprofFactField cache_fields[] = {
    NAME("rows", "metrics.storage.rows", REQUIRED),
    FIELD("row", TEXT, REQUIRED),
    END,
};
static const OpprofFactField unit_fields[] = {
    FIELD("name", TEXT, REQUIRED),
    FIELD("is", FORMULA, REQUIRED),
    KIND("of"),
    SUB,
    TEXTS("in"),
    CLASS,
    TEXT("below_20"),
    SHOWN,
    END,
};
static const OpprofFactField path_fields[] = {
    FIELD("path", WHOLE, REQUIRED, .most = UINT32_MAX, OR(.type = OPPROF_FACT_IS_TEXT)),
    NAME("rows", "metrics.storage.rows", ALSO),
    TEXT("row"),
    KIND("of"),
    SUB,
    TEXTS("in"),
    FIELD("optional", FORMULA, OR(.type = OPPROF_FACT_IS_BOOL)),
    TEXT("suffix"),
    FORMULA_OR_NUMBER("*", ALSO),
    END,
};
static const OpprofFactField map_fields[] = {
    TEXT("layout"),
    OBJECT("cache", cache_fields),
    OBJECTS("units", ALSO, unit_fields),
    OBJECTS("paths", ALSO, path_fields),
    END,
};
static const OpprofFactField storage_fields[] = {
    FIELD("advice_once", BOOL, ALSO),
    MAP_OF("shapes", shape_fields),
    FIELD("rows", MAP,
          OF(.type = OPPROF_FACT_IS_LIST, OF(.type = OPPROF_FACT_IS_OBJECT, .of = row_fields))),
    OBJECTS("tables", ALSO, storage_table_fields),
    OBJECT("map", map_fields),
    END,
};

/* ---- views ---- */

static const OpprofFactField occupancy_fields[] = {
    FIELD("is", FORMULA, REQUIRED), KIND("of"), FORMULA("when"), EXPLAINED, END,
};
static const OpprofFactField share_fields[] = {
    FIELD("name", TEXT, REQUIRED),
    FIELD("is", FORMULA, REQUIRED),
    TEXT("meaning"),
    END,
};
static const OpprofFactField compute_fields[] = {
    TEXTS("in"),
    KIND("of"),
    TEXT("name"),
    FORMULA_OR_NUMBER("ops", REQUIRED),
    FORMULA("count"),
    FORMULA_OR_NUMBER("theory", ALSO),
    TEXT("share"),
    TEXT("whole"),
    OBJECTS("shares", ALSO, share_fields),
    TEXT("meaning"),
    TEXT("source"),
    END,
};
static const OpprofFactField graph_compute_fields[] = {
    FIELD("of", LIST, REQUIRED,
          OF(.type = OPPROF_FACT_IS_NAME, .from = "metrics.roofline.compute")),
    TEXT("as"),
    END,
};
static const OpprofFactField line_fields[] = {
    FIELD("name", TEXT, REQUIRED),
    FORMULA_OR_NUMBER("bytes", REQUIRED),
    FORMULA_OR_NUMBER("peak", REQUIRED),
    TEXT("meaning"),
    TEXT("source"),
    END,
};
static const OpprofFactField graph_fields[] = {
    FIELD("title", TEXT, REQUIRED),
    TEXTS("in"),
    OBJECTS("compute", ALSO, graph_compute_fields),
    OBJECTS("lines", ALSO, line_fields),
    END,
};
static const OpprofFactField roofline_fields[] = {
    MAP_OF("compute", compute_fields),
    OBJECTS("graphs", ALSO, graph_fields),
    END,
};

/* ---- all of it ---- */

static const OpprofFactField metric_fields[] = {
    FIELD("choices", MAP,
          OF(.type = OPPROF_FACT_IS_NULL, OR(.type = OPPROF_FACT_IS_OBJECT, .of = choice_fields))),
    FIELD("symbols", MAP,
          OF(.type = OPPROF_FACT_IS_TEXT, OR(.type = OPPROF_FACT_IS_OBJECT, .of = symbol_fields))),
    MAP_OF("facts", fact_fields),
    MAP_OF("indexed", indexed_fields),
    OBJECT("share", symbol_fields),
    OBJECT("operator", operator_fields),
    OBJECT("tables", tables_fields),
    FIELD("compute_load", MAP, .from = "pmu.kinds.*.name",
          OF(.type = OPPROF_FACT_IS_LIST, OF(.type = OPPROF_FACT_IS_OBJECT, .of = load_fields))),
    OBJECT("storage", storage_fields),
    FIELD("occupancy", MAP,
          .from = "'throughput','accesses','hit_rate','simt_instructions','simt_per_cycle'",
          OF(.type = OPPROF_FACT_IS_OBJECT, .of = occupancy_fields)),
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
