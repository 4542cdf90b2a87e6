/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a chip file may state in `dbi`, and the tables made of it. Tested by
 * tests/plugins/parse-dbi/test_rules and
 * tests/e2e/chip_mistakes.sh.
 */
#include "record.h"
#include "rules.h"

#include <string.h>

#define MAX_AREA_BYTES 0x1p40
#define QUOTED(enumerator, name) "'" name "',"
/* Fields of records, and names in the formulas of rules. */
#define FIELD DBI_FIELDS(QUOTED) "dbi.rules.*.fields"
#define NAMES                                                                                      \
    DBI_FIELDS(QUOTED)                                                                             \
    "'type_bits','type_bytes','global','registers','no_memory','nowhere',"                         \
    ".fields,.let,.loops.*.index,dbi.memories"
#define MEMORIES "dbi.memories"

#define WHOLE(text, ...)                                                                           \
    {                                                                                              \
        .name = (text), .type = OPPROF_FACT_IS_WHOLE, __VA_ARGS__                                  \
    }
#define COUNT(text, ...)                                                                           \
    {                                                                                              \
        .name = (text), .type = OPPROF_FACT_IS_COUNT, .from = NAMES, __VA_ARGS__                   \
    }
#define TEXT(text, ...)                                                                            \
    {                                                                                              \
        .name = (text), .type = OPPROF_FACT_IS_TEXT, __VA_ARGS__                                   \
    }
#define MEMORY(text, structure, member)                                                            \
    {                                                                                              \
        .name = (text), .type = OPPROF_FACT_IS_CHOICE, .from = MEMORIES, .otherwise = -1,          \
        OPPROF_FACT_IN(structure, member)                                                          \
    }
#define OBJECT(text, fields, ...)                                                                  \
    {                                                                                              \
        .name = (text), .type = OPPROF_FACT_IS_OBJECT, .of = (fields), __VA_ARGS__                 \
    }
#define OBJECTS(text, fields)                                                                      \
    {                                                                                              \
        .name = (text), .type = OPPROF_FACT_IS_MAP,                                                \
        .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_OBJECT, .of = (fields))                        \
    }
#define LIST(text, ...)                                                                            \
    {                                                                                              \
        .name = (text), .type = OPPROF_FACT_IS_LIST, .of = OPPROF_FACT_OF(__VA_ARGS__)             \
    }
#define END                                                                                        \
    {                                                                                              \
        .name = NULL                                                                               \
    }

/* ---- the record area ---- */

static const OpprofFactField area_fields[] = {
    WHOLE("slots", .flags = OPPROF_FACT_REQUIRED, .least = 1, .most = 65536,
          OPPROF_FACT_IN(DbiArea, slots)),
    WHOLE("header", .flags = OPPROF_FACT_REQUIRED, .least = 16, .most = 4096, .unit = "bytes",
          OPPROF_FACT_IN(DbiArea, header)),
    WHOLE("bytes", .flags = OPPROF_FACT_REQUIRED, .least = 16, .most = MAX_AREA_BYTES,
          .unit = "bytes", OPPROF_FACT_IN(DbiArea, bytes)),
    WHOLE("gap", .flags = OPPROF_FACT_REQUIRED, .most = MAX_AREA_BYTES, .unit = "bytes",
          OPPROF_FACT_IN(DbiArea, gap)),
    WHOLE("magic", .flags = OPPROF_FACT_REQUIRED, .most = UINT32_MAX,
          OPPROF_FACT_IN(DbiArea, magic)),
    END,
};

static bool check_area(const void *object, OpprofFactReport *report)
{
    const DbiArea *area = object;

    if (area->bytes < (uint64_t) area->header + DBI_RECORD_HEADER) {
        OpprofFactMistake(report, "bytes", "a slot has no room for its header and a record");
    }
    return true;
}

static const OpprofFactField warp_fields[] = {
    WHOLE("bytes", .flags = OPPROF_FACT_REQUIRED, .least = 16, .most = UINT32_MAX, .unit = "bytes"),
    WHOLE("gap", .flags = OPPROF_FACT_REQUIRED, .most = UINT32_MAX, .unit = "bytes"),
    END,
};
static const OpprofFactField tool_fields[] = {
    { "words", OPPROF_FACT_IS_LIST, OPPROF_FACT_REQUIRED,
      .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_TEXT) },
    { .name = "map", .type = OPPROF_FACT_IS_TEXT },
    END,
};
static const OpprofFactField live_fields[] = {
    WHOLE("slots_per_block", .flags = OPPROF_FACT_REQUIRED, .least = 1, .most = UINT32_MAX),
    WHOLE("length_at", .most = UINT32_MAX, .unit = "bytes"),
    WHOLE("counter_slots", .least = 1, .most = UINT32_MAX),
    LIST("always", .type = OPPROF_FACT_IS_CHOICE, .from = "'operands','warps'"),
    OBJECT("warps", warp_fields),
    OBJECTS("tools", tool_fields),
    END,
};

/* ---- accesses that are decomposed already ---- */

#define CHART(member)                                                                              \
    {                                                                                              \
#member, OPPROF_FACT_IS_BITS, OPPROF_FACT_IN(DbiChartLayout, member)                       \
    }
static const OpprofFactField chart_bits[] = {
    CHART(src),  CHART(dst),       CHART(src_bytes), CHART(dst_bytes), CHART(pc),
    CHART(slot), CHART(sub_block), CHART(from),      CHART(to),        END,
};
static const OpprofFactField chart_fields[] = {
    WHOLE("size", .flags = OPPROF_FACT_REQUIRED, .least = 8, .most = DBI_CHART_MAX, .unit = "bytes",
          OPPROF_FACT_IN(DbiChartLayout, size)),
    { "byte_order", OPPROF_FACT_IS_CHOICE, .from = "'little','big'" },
    OBJECT("fields", chart_bits, .flags = OPPROF_FACT_REQUIRED),
    END,
};

/* ---- rules ---- */

#define PART(enumerator, name, turns) COUNT(name, OPPROF_FACT_IN(DbiRunFacts, parts[enumerator])),
static const OpprofFactField run_fields[] = { DBI_RUN_PARTS(PART) END };
#undef PART
static const OpprofFactField loop_fields[] = {
    TEXT("index", .flags = OPPROF_FACT_REQUIRED, OPPROF_FACT_IN(DbiLoopFacts, index)),
    COUNT("count", .flags = OPPROF_FACT_REQUIRED, OPPROF_FACT_IN(DbiLoopFacts, count)),
    END,
};
static const OpprofFactField rule_fields[] = {
    { "fields", OPPROF_FACT_IS_LIST,
      .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_TEXT, .size = sizeof(const char *)),
      OPPROF_FACT_ARRAY(DbiRuleFacts, fields, field_count) },
    { "let", OPPROF_FACT_IS_MAP, .most = DBI_MAX_LETS,
      .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_COUNT, .from = NAMES,
                           OPPROF_FACT_IN(DbiLetFacts, is)),
      OPPROF_FACT_ARRAY(DbiRuleFacts, lets, let_count), OPPROF_FACT_KEY(DbiLetFacts, name) },
    { "loops", OPPROF_FACT_IS_LIST, OPPROF_FACT_IN_PLACE, .most = DBI_MAX_LOOPS,
      .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_OBJECT, .of = loop_fields),
      OPPROF_FACT_ARRAY(DbiRuleFacts, loops, loop_count) },
    COUNT("invalid", OPPROF_FACT_IN(DbiRuleFacts, invalid)),
    COUNT("rough", OPPROF_FACT_IN(DbiRuleFacts, rough)),
    { .name = "wraps", .type = OPPROF_FACT_IS_BOOL, OPPROF_FACT_IN(DbiRuleFacts, wraps) },
    { "runs", OPPROF_FACT_IS_LIST, OPPROF_FACT_REQUIRED | OPPROF_FACT_IN_PLACE, .least = 1,
      .most = DBI_MAX_RUNS, .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_OBJECT, .of = run_fields),
      OPPROF_FACT_ARRAY(DbiRuleFacts, runs, run_count) },
    END,
};

/* ---- records ---- */

static const OpprofFactField bits = {
    .type = OPPROF_FACT_IS_BITS,
    OPPROF_FACT_IN(DbiFieldPlace, bits),
};
static const OpprofFactField fixed = {
    .type = OPPROF_FACT_IS_WHOLE,
    .most = MAX_AREA_BYTES,
    OPPROF_FACT_IN(DbiFixed, value),
};
static const OpprofFactField alias = {
    .type = OPPROF_FACT_IS_CHOICE,
    .from = MEMORIES,
    OPPROF_FACT_IN(DbiAlias, to),
};
static const OpprofFactField record_fields[] = {
    WHOLE("type", .flags = OPPROF_FACT_REQUIRED, .least = 1, .most = DBI_MAX_TYPES - 1,
          OPPROF_FACT_IN(DbiLayout, type)),
    WHOLE("size", .flags = OPPROF_FACT_REQUIRED, .least = 8, .most = DBI_MAX_BODY, .unit = "bytes",
          OPPROF_FACT_IN(DbiLayout, size)),
    { "rule", OPPROF_FACT_IS_NAME, OPPROF_FACT_REQUIRED, .from = "dbi.rules",
      OPPROF_FACT_IN(DbiLayout, rule_name) },
    MEMORY("from", DbiLayout, from),
    MEMORY("to", DbiLayout, to),
    { "as", OPPROF_FACT_IS_MAP, .from = MEMORIES, .of = &alias,
      OPPROF_FACT_ARRAY(DbiLayout, aliases, alias_count), OPPROF_FACT_KEY(DbiAlias, from) },
    { .name = "no_pc", .type = OPPROF_FACT_IS_BOOL },
    { "fixed", OPPROF_FACT_IS_MAP, .from = FIELD, .of = &fixed,
      OPPROF_FACT_ARRAY(DbiLayout, fixed, fixed_count), OPPROF_FACT_KEY(DbiFixed, name) },
    { "fields", OPPROF_FACT_IS_MAP, .from = FIELD, .of = &bits,
      OPPROF_FACT_ARRAY(DbiLayout, places, place_count), OPPROF_FACT_KEY(DbiFieldPlace, name) },
    END,
};
static const OpprofFactField record = { .type = OPPROF_FACT_IS_OBJECT, .of = record_fields };

/* No two records have the same type. */
static bool check_types(const void *object, OpprofFactReport *report)
{
    const DbiTables *tables = object;
    const char *owners[DBI_MAX_TYPES] = { NULL };
    char member[128];

    for (uint32_t i = 0; i < tables->layout_count; i++) {
        const DbiLayout *layout = &tables->layouts[i];

        if (owners[layout->type] != NULL) {
            snprintf(member, sizeof member, "records.%s.type", layout->name);
            OpprofFactMistake(report, member, "%u is the type of '%s'", layout->type,
                              owners[layout->type]);
        }
        owners[layout->type] = layout->name;
    }
    return true;
}

/* ---- instructions ---- */

static const OpprofFactField operand_instruction_fields[] = {
    { .type = OPPROF_FACT_IS_WHOLE },
    { .type = OPPROF_FACT_IS_CHOICE, .from = "'vector','cube','all'" },
    { .type = OPPROF_FACT_IS_TEXT },
    { .type = OPPROF_FACT_IS_WHOLE, .either = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_TEXT) },
    { .type = OPPROF_FACT_IS_CHOICE, .from = "'simt','simd'" },
    END,
};
static const OpprofFactField instruction_fields[] = {
    WHOLE("id", .flags = OPPROF_FACT_REQUIRED),
    TEXT("stub", .flags = 0),
    LIST("operands", .type = OPPROF_FACT_IS_WHOLE),
    { "record", OPPROF_FACT_IS_NAME, .from = "dbi.records" },
    WHOLE("record_id", .least = 0),
    { "path", OPPROF_FACT_IS_PAIR, .from = MEMORIES ",'*'" },
    TEXT("type", .flags = 0),
    { "cores", OPPROF_FACT_IS_TEXT,
      .either = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_LIST,
                               .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_TEXT)) },
    TEXT("sets", .flags = 0),
    END,
};

/* ---- all of it ---- */

static const OpprofFactField fields[] = {
    OBJECT("area", area_fields, .check = check_area, OPPROF_FACT_IN(DbiTables, area)),
    OBJECT("live", live_fields),
    OBJECT("chart", chart_fields, OPPROF_FACT_IN(DbiTables, chart)),
    { "memories", OPPROF_FACT_IS_LIST, OPPROF_FACT_IN_PLACE, .most = DBI_MAX_MEMORIES,
      .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_TEXT, .size = sizeof(const char *)),
      OPPROF_FACT_ARRAY(DbiTables, memories, memory_count) },
    MEMORY("global", DbiTables, global),
    MEMORY("registers", DbiTables, registers),
    { "type_bits", OPPROF_FACT_IS_LIST, OPPROF_FACT_IN_PLACE, .most = DBI_MAX_TYPES,
      .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_WHOLE, .least = 1, .most = 1024, .unit = "bits",
                           .size = sizeof(uint32_t)),
      OPPROF_FACT_ARRAY(DbiTables, type_bits, type_count) },
    { "rules", OPPROF_FACT_IS_MAP,
      .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_OBJECT, .of = rule_fields),
      OPPROF_FACT_ARRAY(DbiTables, rules, rule_count), OPPROF_FACT_KEY(DbiRuleFacts, name) },
    { "records", OPPROF_FACT_IS_MAP, .of = &record,
      OPPROF_FACT_ARRAY(DbiTables, layouts, layout_count), OPPROF_FACT_KEY(DbiLayout, name) },
    OBJECTS("instructions", instruction_fields),
    { "operand_instructions", OPPROF_FACT_IS_MAP,
      .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_TUPLE, .of = operand_instruction_fields) },
    { "instruction_ids", OPPROF_FACT_IS_MAP, .of = OPPROF_FACT_OF(.type = OPPROF_FACT_IS_WHOLE) },
    END,
};
const OpprofFactTable dbi_table = { .fields = fields,
                                    .size = sizeof(DbiTables),
                                    .check = check_types };

const OpprofChipTable dbi_chip_tables[] = {
    { .path = "dbi", .table = &dbi_table },
    { .path = NULL },
};

/* ---- loading it ---- */

/* Fields that every record may have, and those that the rules state. */
static OpprofStatus load_fields(const OpprofChip *chip, DbiTables *tables, OpprofError **error)
{
#define NAME(enumerator, text) [enumerator] = (text),
    static const char *const names[DBI_FIELD_COUNT] = {
        DBI_FIELDS(NAME)[DBI_TYPE_BITS] = "type_bits", [DBI_TYPE_BYTES] = "type_bytes"
    };
#undef NAME

    memcpy(tables->fields, names, sizeof names);
    tables->field_count = DBI_FIELD_COUNT;
    for (uint32_t r = 0; r < tables->rule_count; r++) {
        for (uint32_t i = 0; i < tables->rules[r].field_count; i++) {
            const char *name = tables->rules[r].fields[i];
            if (DbiFieldOf(tables, name) != DBI_NO_FIELD) {
                continue;
            }
            if (tables->field_count == DBI_MAX_FIELDS) {
                return OpprofChipRefuse(chip, "dbi.rules", error, "they have more than 128 fields");
            }
            tables->fields[tables->field_count++] = name;
        }
    }
    return OPPROF_OK;
}

/* The names of a layout become numbers. */
static void resolve_names(const DbiTables *tables, DbiLayout *layout)
{
    for (uint32_t i = 0; i < layout->place_count; i++) {
        layout->places[i].field = DbiFieldOf(tables, layout->places[i].name);
        layout->has_pc |= layout->places[i].field == DBI_PC;
    }
    for (uint32_t i = 0; i < layout->fixed_count; i++) {
        layout->fixed[i].field = DbiFieldOf(tables, layout->fixed[i].name);
    }
    for (uint32_t i = 0; i < DBI_MAX_MEMORIES; i++) {
        layout->as[i] = i < tables->memory_count ? (uint8_t) i : DBI_NO_MEMORY;
    }
    for (uint32_t i = 0; i < layout->alias_count; i++) {
        layout->as[DbiMemoryOf(tables, layout->aliases[i].from)] = layout->aliases[i].to;
    }
}

OpprofStatus DbiTablesLoad(const OpprofChip *chip, DbiTables *tables, OpprofError **error)
{
    OpprofStatus status = OpprofFactsBind(chip, "dbi", &dbi_table, tables, error);

    if (status != OPPROF_OK) {
        return status;
    }
    if (OpprofChipFact(chip, "dbi.records") == NULL) {
        return OpprofErrorSet(error, OPPROF_E_NOT_FOUND,
                              "Chip '%s' has no instrumentation records ('dbi')",
                              OpprofChipSoc(chip));
    }
    if (tables->area.slots == 0) {
        return OpprofChipRefuse(chip, "dbi.area", error, "the record area is not described");
    }
    if (OpprofChipFact(chip, "dbi.global") == NULL) {
        tables->global = DbiMemoryOf(tables, "GM");
    }
    if (OpprofChipFact(chip, "dbi.registers") == NULL) {
        tables->registers = DbiMemoryOf(tables, "REG");
    }
    tables->cores = OpprofBlockCoresOf(chip);
    status = load_fields(chip, tables, error);
    for (uint32_t i = 0; status == OPPROF_OK && i < tables->layout_count; i++) {
        DbiLayout *layout = &tables->layouts[i];

        resolve_names(tables, layout);
        tables->by_type[layout->type] = layout;
        status = DbiRuleMake(chip, tables, layout, &layout->rule, error);
    }
    return status;
}

void DbiTablesFinish(DbiTables *tables)
{
    for (uint32_t i = 0; i < tables->layout_count; i++) {
        DbiRuleFree(tables->layouts[i].rule);
    }
    OpprofFactsFree(&dbi_table, tables);
}
