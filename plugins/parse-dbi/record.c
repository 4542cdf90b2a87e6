/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layouts of instrumentation records out of the chip file, and records read by them.
 * Tested by tests/plugins/parse-dbi/test_rules.
 */
#include "record.h"

#include "chart.h"
#include "rules.h"

#include <opprof/kit/bytes.h>

#include <string.h>

#define MAX_AREA_BYTES ((double) (UINT64_C(1) << 40))

static OpprofStatus bad(const OpprofChip *chip, const char *record, const char *what,
                        OpprofError **error)
{
    return OpprofErrorSet(error, OPPROF_E_DATA, "Chip '%s' at 'dbi.records.%s': %s",
                          OpprofChipSoc(chip), record, what);
}

static OpprofStatus bad_area(const OpprofChip *chip, const char *what, OpprofError **error)
{
    return OpprofErrorSet(error, OPPROF_E_DATA, "Chip '%s' at 'dbi.%s'", OpprofChipSoc(chip), what);
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

/* ------------------------------------------------------------------ loading */

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
        return bad_area(chip, "area': it needs slots, header, bytes, gap and magic", error);
    }
    if (header < 16 || area->bytes < header + DBI_RECORD_HEADER || slots == 0) {
        return bad_area(chip, "area': a slot has no room for its header and a record", error);
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
        return bad_area(chip, "memories' or 'dbi.type_bits': the list is too long", error);
    }
    for (size_t i = 0; i < OpprofFactCount(memories); i++) {
        tables->memories[i] = OpprofFactText(OpprofFactAt(memories, i));
        if (tables->memories[i] == NULL) {
            return bad_area(chip, "memories': a memory has a name", error);
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
            return bad_area(chip, "type_bits': a type has 1 to 1024 bits", error);
        }
        tables->type_bits[tables->type_count++] = (uint32_t) value;
    }
    return OPPROF_OK;
}

static DbiField field_of(const char *name)
{
#define NAME(enumerator, text) [enumerator] = (text),
    static const char *const names[DBI_FIELD_COUNT] = { DBI_FIELDS(NAME) };
#undef NAME
    unsigned i = 0;

    while (i < DBI_FIELD_COUNT && strcmp(names[i], name) != 0) {
        i++;
    }
    return (DbiField) i;
}

static const char *load_field(DbiLayout *layout, const char *name, const OpprofFact *fact)
{
    const DbiField field = field_of(name);
    uint64_t offset;
    uint64_t bytes;

    if (field == DBI_FIELD_COUNT) {
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

/* NULL, or what is wrong. */
static const char *load_layout(DbiTables *tables, DbiLayout *layout, const char *name,
                               const OpprofFact *fact)
{
    const OpprofFact *fields = OpprofFactMember(fact, "fields");
    OpprofFactWalk walk = { 0 };
    const char *field;
    const OpprofFact *place;
    uint64_t size;

    if (!whole(OpprofFactMember(fact, "size"), DBI_MAX_BODY, &size) || size == 0) {
        return "its size is not in 1..256 bytes";
    }
    *layout = (DbiLayout){
        .name = name,
        .size = (uint32_t) size,
        .rule = DbiRuleFind(OpprofFactText(OpprofFactMember(fact, "rule"))),
        .from = DbiMemoryOf(tables, OpprofFactText(OpprofFactMember(fact, "from"))),
        .to = DbiMemoryOf(tables, OpprofFactText(OpprofFactMember(fact, "to"))),
    };
    if (layout->rule == NULL) {
        return "its rule is not one that there is";
    }
    if (!load_aliases(tables, layout, OpprofFactMember(fact, "as"))) {
        return "'as' names a memory that there is not";
    }
    while (OpprofFactGetKind(fields) == OPPROF_FACT_OBJECT &&
           OpprofFactNext(fields, &walk, &field, &place)) {
        const char *why = layout->place_count == DBI_FIELD_COUNT ? "there are too many fields"
                                                                 : load_field(layout, field, place);
        if (why != NULL) {
            return why;
        }
    }
    return NULL;
}

OpprofStatus DbiTablesLoad(const OpprofChip *chip, DbiTables *tables, OpprofError **error)
{
    const OpprofFact *records = OpprofChipFact(chip, "dbi.records");
    OpprofFactWalk walk = { 0 };
    const char *name;
    const OpprofFact *fact;
    uint64_t type;

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
        status = OpprofErrorSet(error, OPPROF_E_DATA, "Chip '%s' at 'dbi.chart': %s",
                                OpprofChipSoc(chip), wrong);
    }
    while (status == OPPROF_OK && OpprofFactNext(records, &walk, &name, &fact)) {
        if (!whole(OpprofFactMember(fact, "type"), DBI_MAX_TYPES - 1, &type) || type == 0) {
            return bad(chip, name, "its type is not in 1..63", error);
        }
        const char *why = load_layout(tables, &tables->layouts[type], name, fact);
        status = why == NULL ? OPPROF_OK : bad(chip, name, why, error);
    }
    return status;
}

const DbiLayout *DbiLayoutOf(const DbiTables *tables, uint32_t type)
{
    return type < DBI_MAX_TYPES && tables->layouts[type].size > 0 ? &tables->layouts[type] : NULL;
}

/* ------------------------------------------------------------------ reading */

static uint8_t memory_of(const DbiLayout *layout, uint8_t fixed, uint64_t number)
{
    if (fixed != DBI_NO_MEMORY) {
        return fixed;
    }
    return number < DBI_MAX_MEMORIES ? layout->as[number] : DBI_NO_MEMORY;
}

void DbiRecordRead(const DbiTables *tables, const DbiLayout *layout, const unsigned char *body,
                   DbiRecord *ret_record)
{
    *ret_record = (DbiRecord){ .tables = tables, .layout = layout };
    for (uint32_t i = 0; i < layout->place_count; i++) {
        const DbiFieldPlace *place = &layout->places[i];
        ret_record->values[place->field] = OpprofLoadLe(body + place->offset, place->bytes);
    }
    ret_record->from = memory_of(layout, layout->from, ret_record->values[DBI_FROM]);
    ret_record->to = memory_of(layout, layout->to, ret_record->values[DBI_TO]);
}

uint32_t DbiTypeBits(const DbiRecord *record)
{
    const uint64_t type = record->values[DBI_TYPE];

    return type < record->tables->type_count ? record->tables->type_bits[type] : 1;
}

uint32_t DbiTypeBytes(const DbiRecord *record)
{
    const uint32_t bytes = DbiTypeBits(record) / 8;

    return bytes == 0 ? 1 : bytes;
}
