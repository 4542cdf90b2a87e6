/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads layouts of instrumentation records from the chip file, and records by these layouts.
 * Tested by tests/plugins/parse-dbi/test_rules.
 */
#include "record.h"

#include "rules.h"

#include <opprof/kit/bytes.h>

#include <stdio.h>
#include <string.h>

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
        status = DbiRuleMake(chip, tables, layout, layout->rule_name, &layout->rule, error);
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

const DbiLayout *DbiLayoutOf(const DbiTables *tables, uint32_t type)
{
    return type < DBI_MAX_TYPES ? tables->by_type[type] : NULL;
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
        values[place->field] = OpprofRecordBitsGetIn(&place->bits, body, false);
    }
    ret_record->from = memory_of(layout, layout->from, values[DBI_FROM]);
    ret_record->to = memory_of(layout, layout->to, values[DBI_TO]);
    values[DBI_FROM] = ret_record->from;
    values[DBI_TO] = ret_record->to;
    values[DBI_MEMORY] = memory_of(layout, DBI_NO_MEMORY, values[DBI_MEMORY]);
    values[DBI_TYPE_BITS] = type_bits(tables, values[DBI_TYPE]);
    values[DBI_TYPE_BYTES] = values[DBI_TYPE_BITS] < 8 ? 1 : values[DBI_TYPE_BITS] / 8;
}
