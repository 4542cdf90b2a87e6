/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads layouts of instrumentation records from the chip file, and records by these layouts.
 * Tested by tests/plugins/parse-dbi/test_rules.
 */
#include "record.h"

#include "chart.h"
#include "rules.h"

#include <opprof/kit/bytes.h>

#include <stdio.h>
#include <string.h>

#define MAX_PLACE 256
#define MAX_AREA_BYTES ((double) (UINT64_C(1) << 40))

static OpprofStatus bad(const OpprofChip *chip, const char *record, const char *what,
                        OpprofError **error)
{
    char place[MAX_PLACE];

    snprintf(place, sizeof place, "dbi.records.%s", record);
    return OpprofChipRefuse(chip, place, error, "%s", what);
}

/* A whole number in [0, limit]. */
static bool whole(const OpprofFact *fact, double limit, uint64_t *ret_value)
{
    double value = 0;

    if (!OpprofFactNumber(fact, &value) || !(value >= 0 && value <= limit) ||
        value != (double) (uint64_t) value) {
        return false;
    }
    *ret_value = (uint64_t) value;
    return true;
}

uint8_t DbiMemoryOf(const DbiTables *tables, const char *name)
{
    for (uint32_t i = 0; name != NULL && i < tables->memory_count; i++) {
        if (strcmp(tables->memories[i], name) == 0) {
            return (uint8_t) i;
        }
    }
    return DBI_NO_MEMORY;
}

/* ---- loading ---- */

static OpprofStatus load_area(const OpprofChip *chip, DbiArea *area, OpprofError **error)
{
    const OpprofFact *fact = OpprofChipFact(chip, "dbi.area");
    uint64_t slots;
    uint64_t header;
    uint64_t magic;

    if (!whole(OpprofFactMember(fact, "slots"), 65536, &slots) ||
        !whole(OpprofFactMember(fact, "header"), 4096, &header) ||
        !whole(OpprofFactMember(fact, "bytes"), MAX_AREA_BYTES, &area->bytes) ||
        !whole(OpprofFactMember(fact, "gap"), MAX_AREA_BYTES, &area->gap) ||
        !whole(OpprofFactMember(fact, "magic"), UINT32_MAX, &magic)) {
        return OpprofChipRefuse(chip, "dbi.area", error,
                                "it needs slots, header, bytes, gap and magic");
    }
    if (header < 16 || area->bytes < header + DBI_RECORD_HEADER || slots == 0) {
        return OpprofChipRefuse(chip, "dbi.area", error,
                                "a slot has no room for its header and a record");
    }
    area->slots = (uint32_t) slots;
    area->header = (uint32_t) header;
    area->magic = (uint32_t) magic;
    return OPPROF_OK;
}

static OpprofStatus load_lists(const OpprofChip *chip, DbiTables *tables, OpprofError **error)
{
    const OpprofFact *memories = OpprofChipFact(chip, "dbi.memories");
    const OpprofFact *bits = OpprofChipFact(chip, "dbi.type_bits");
    uint64_t value;

    if (OpprofFactCount(memories) > DBI_MAX_MEMORIES || OpprofFactCount(bits) > DBI_MAX_TYPES) {
        return OpprofChipRefuse(chip, "dbi", error,
                                "the list 'memories' or 'type_bits' is too long");
    }
    for (size_t i = 0; i < OpprofFactCount(memories); i++) {
        tables->memories[i] = OpprofFactText(OpprofFactAt(memories, i));
        if (tables->memories[i] == NULL) {
            return OpprofChipRefuse(chip, "dbi.memories", error, "a memory has a name");
        }
        tables->memory_count++;
    }
    const char *global = OpprofChipText(chip, "dbi.global");
    const char *registers = OpprofChipText(chip, "dbi.registers");
    tables->global = DbiMemoryOf(tables, global == NULL ? "GM" : global);
    tables->registers = DbiMemoryOf(tables, registers == NULL ? "REG" : registers);
    tables->cores = OpprofBlockCoresOf(chip);
    for (size_t i = 0; i < OpprofFactCount(bits); i++) {
        if (!whole(OpprofFactAt(bits, i), 1024, &value) || value == 0) {
            return OpprofChipRefuse(chip, "dbi.type_bits", error, "a type has 1 to 1024 bits");
        }
        tables->type_bits[tables->type_count++] = (uint32_t) value;
    }
    return OPPROF_OK;
}

uint32_t DbiFieldOf(const DbiTables *tables, const char *name)
{
    uint32_t i = 0;

    while (i < tables->field_count &&
           (tables->fields[i] == NULL || strcmp(tables->fields[i], name) != 0)) {
        i++;
    }
    return i < tables->field_count ? i : DBI_NO_FIELD;
}

/* Fields that every record may have, and those that the rules state. */
static OpprofStatus load_fields(const OpprofChip *chip, DbiTables *tables, OpprofError **error)
{
#define NAME(enumerator, text) [enumerator] = (text),
    static const char *const names[DBI_FIELD_COUNT] = {
        DBI_FIELDS(NAME)[DBI_TYPE_BITS] = "type_bits", [DBI_TYPE_BYTES] = "type_bytes"
    };
#undef NAME
    OpprofFactWalk walk = { 0 };
    const char *rule;
    const OpprofFact *fact;
    const OpprofFact *rules = OpprofChipFact(chip, "dbi.rules");

    memcpy(tables->fields, names, sizeof names);
    tables->field_count = DBI_FIELD_COUNT;
    while (OpprofFactGetKind(rules) == OPPROF_FACT_OBJECT &&
           OpprofFactNext(rules, &walk, &rule, &fact)) {
        const OpprofFact *fields = OpprofFactMember(fact, "fields");
        for (size_t i = 0; i < OpprofFactCount(fields); i++) {
            const char *name = OpprofFactText(OpprofFactAt(fields, i));
            if (name == NULL || DbiFieldOf(tables, name) != DBI_NO_FIELD) {
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

static const char *load_field(const DbiTables *tables, DbiLayout *layout, const char *name,
                              const OpprofFact *fact)
{
    const uint32_t field = DbiFieldOf(tables, name);
    uint64_t offset;
    uint64_t bytes;

    if (field == DBI_NO_FIELD) {
        return "a field has a name that no rule knows";
    }
    if (!whole(OpprofFactAt(fact, 0), DBI_MAX_BODY, &offset) ||
        !whole(OpprofFactAt(fact, 1), 8, &bytes) || bytes == 0 || offset + bytes > layout->size) {
        return "a field is [offset, bytes] within the record";
    }
    layout->places[layout->place_count++] = (DbiFieldPlace){ .field = (uint16_t) field,
                                                             .offset = (uint16_t) offset,
                                                             .bytes = (uint16_t) bytes };
    layout->has_pc |= field == DBI_PC;
    return NULL;
}

/* NULL, or the fault. */
static const char *load_fixed(const DbiTables *tables, DbiLayout *layout, const OpprofFact *fixed)
{
    OpprofFactWalk walk = { 0 };
    const char *name;
    const OpprofFact *fact;

    while (OpprofFactGetKind(fixed) == OPPROF_FACT_OBJECT &&
           OpprofFactNext(fixed, &walk, &name, &fact)) {
        DbiFixed *value = &layout->fixed[layout->fixed_count];
        if (layout->fixed_count == DBI_MAX_FIXED) {
            return "'fixed' has more than 8 values";
        }
        value->field = DbiFieldOf(tables, name);
        if (value->field == DBI_NO_FIELD || !whole(fact, MAX_AREA_BYTES, &value->value)) {
            return "'fixed' has a name that no rule knows, or no whole number";
        }
        layout->fixed_count++;
    }
    return NULL;
}

static bool load_aliases(const DbiTables *tables, DbiLayout *layout, const OpprofFact *aliases)
{
    OpprofFactWalk walk = { 0 };
    const char *name;
    const OpprofFact *fact;

    for (uint32_t i = 0; i < DBI_MAX_MEMORIES; i++) {
        layout->as[i] = i < tables->memory_count ? (uint8_t) i : DBI_NO_MEMORY;
    }
    while (OpprofFactGetKind(aliases) == OPPROF_FACT_OBJECT &&
           OpprofFactNext(aliases, &walk, &name, &fact)) {
        const uint8_t from = DbiMemoryOf(tables, name);
        const uint8_t to = DbiMemoryOf(tables, OpprofFactText(fact));
        if (from == DBI_NO_MEMORY || to == DBI_NO_MEMORY) {
            return false;
        }
        layout->as[from] = to;
    }
    return true;
}

/* NULL, or the fault. */
static const char *load_places(const DbiTables *tables, DbiLayout *layout, const OpprofFact *fields)
{
    OpprofFactWalk walk = { 0 };
    const char *field;
    const OpprofFact *place;
    const char *why = NULL;

    while (why == NULL && OpprofFactGetKind(fields) == OPPROF_FACT_OBJECT &&
           OpprofFactNext(fields, &walk, &field, &place)) {
        why = layout->place_count == DBI_MAX_FIELDS ? "there are too many fields"
                                                    : load_field(tables, layout, field, place);
    }
    return why;
}

/* NULL, or the fault. */
static const char *load_layout(const DbiTables *tables, DbiLayout *layout, const char *name,
                               const OpprofFact *fact)
{
    uint64_t size;

    if (!whole(OpprofFactMember(fact, "size"), DBI_MAX_BODY, &size) || size == 0) {
        return "its size is not in 1..256 bytes";
    }
    *layout = (DbiLayout){
        .name = name,
        .size = (uint32_t) size,
        .from = DbiMemoryOf(tables, OpprofFactText(OpprofFactMember(fact, "from"))),
        .to = DbiMemoryOf(tables, OpprofFactText(OpprofFactMember(fact, "to"))),
    };
    if (!load_aliases(tables, layout, OpprofFactMember(fact, "as"))) {
        return "'as' names a memory that does not exist";
    }
    const char *why = load_places(tables, layout, OpprofFactMember(fact, "fields"));
    return why != NULL ? why : load_fixed(tables, layout, OpprofFactMember(fact, "fixed"));
}

static OpprofStatus load_record(const OpprofChip *chip, DbiTables *tables, const char *name,
                                const OpprofFact *fact, OpprofError **error)
{
    const char *rule = OpprofFactText(OpprofFactMember(fact, "rule"));
    uint64_t type;

    if (!whole(OpprofFactMember(fact, "type"), DBI_MAX_TYPES - 1, &type) || type == 0) {
        return bad(chip, name, "its type is not in 1..63", error);
    }
    DbiLayout *layout = &tables->layouts[type];
    if (layout->size > 0) {
        return bad(chip, name, "its type is that of another record", error);
    }
    const char *why = load_layout(tables, layout, name, fact);
    if (why != NULL) {
        return bad(chip, name, why, error);
    }
    const OpprofStatus status =
        DbiRuleMake(chip, tables, layout, rule == NULL ? "" : rule, &layout->rule, error);
    return status == OPPROF_OK && layout->rule == NULL
               ? bad(chip, name, "its rule is not one of 'dbi.rules'", error)
               : status;
}

OpprofStatus DbiTablesLoad(const OpprofChip *chip, DbiTables *tables, OpprofError **error)
{
    const OpprofFact *records = OpprofChipFact(chip, "dbi.records");
    OpprofFactWalk walk = { 0 };
    const char *name;
    const OpprofFact *fact;

    *tables = (DbiTables){ .memory_count = 0 };
    if (OpprofFactGetKind(records) != OPPROF_FACT_OBJECT) {
        return OpprofErrorSet(error, OPPROF_E_NOT_FOUND,
                              "Chip '%s' has no instrumentation records ('dbi')",
                              OpprofChipSoc(chip));
    }
    OpprofStatus status = load_area(chip, &tables->area, error);
    status = status == OPPROF_OK ? load_lists(chip, tables, error) : status;
    const char *wrong = DbiChartLoad(OpprofChipFact(chip, "dbi.chart"), &tables->chart);
    if (status == OPPROF_OK && wrong != NULL) {
        status = OpprofChipRefuse(chip, "dbi.chart", error, "%s", wrong);
    }
    status = status == OPPROF_OK ? load_fields(chip, tables, error) : status;
    while (status == OPPROF_OK && OpprofFactNext(records, &walk, &name, &fact)) {
        status = load_record(chip, tables, name, fact, error);
    }
    return status;
}

void DbiTablesFinish(DbiTables *tables)
{
    for (uint32_t i = 0; i < DBI_MAX_TYPES; i++) {
        DbiRuleFree(tables->layouts[i].rule);
        tables->layouts[i].rule = NULL;
    }
}

const DbiLayout *DbiLayoutOf(const DbiTables *tables, uint32_t type)
{
    return type < DBI_MAX_TYPES && tables->layouts[type].size > 0 ? &tables->layouts[type] : NULL;
}

/* ---- reading ---- */

static uint8_t memory_of(const DbiLayout *layout, uint8_t fixed, uint64_t number)
{
    if (fixed != DBI_NO_MEMORY) {
        return fixed;
    }
    return number < DBI_MAX_MEMORIES ? layout->as[number] : DBI_NO_MEMORY;
}

static uint32_t type_bits(const DbiTables *tables, uint64_t type)
{
    return type < tables->type_count ? tables->type_bits[type] : 1;
}

void DbiRecordRead(const DbiTables *tables, const DbiLayout *layout, const unsigned char *body,
                   DbiRecord *ret_record)
{
    uint64_t *values = ret_record->values;

    ret_record->tables = tables;
    ret_record->layout = layout;
    ret_record->refusal = NULL;
    memset(values, 0, tables->field_count * sizeof *values);
    for (uint32_t i = 0; i < layout->fixed_count; i++) {
        values[layout->fixed[i].field] = layout->fixed[i].value;
    }
    for (uint32_t i = 0; i < layout->place_count; i++) {
        const DbiFieldPlace *place = &layout->places[i];
        values[place->field] = OpprofLoadLe(body + place->offset, place->bytes);
    }
    ret_record->from = memory_of(layout, layout->from, values[DBI_FROM]);
    ret_record->to = memory_of(layout, layout->to, values[DBI_TO]);
    values[DBI_FROM] = ret_record->from;
    values[DBI_TO] = ret_record->to;
    values[DBI_MEMORY] = memory_of(layout, DBI_NO_MEMORY, values[DBI_MEMORY]);
    values[DBI_TYPE_BITS] = type_bits(tables, values[DBI_TYPE]);
    values[DBI_TYPE_BYTES] = values[DBI_TYPE_BITS] < 8 ? 1 : values[DBI_TYPE_BITS] / 8;
}
