/* SPDX-License-Identifier: Apache-2.0 */
/* Reads instrumentation records by their layouts. Tested by tests/plugins/parse-dbi/test_rules. */
#include "record.h"

#include <opprof/kit/bytes.h>

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

uint32_t DbiFieldOf(const DbiTables *tables, const char *name)
{
    uint32_t i = 0;

    while (i < tables->field_count &&
           (tables->fields[i] == NULL || strcmp(tables->fields[i], name) != 0)) {
        i++;
    }
    return i < tables->field_count ? i : DBI_NO_FIELD;
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
