/* SPDX-License-Identifier: Apache-2.0 */
/* Reads accesses that were decomposed already. Tested by tests/plugins/parse-dbi/test_slots. */
#include "chart.h"

enum { AT_SRC = 0, AT_DST = 8, AT_SRC_BYTES = 16, AT_DST_BYTES = 24, AT_PC = 32 };
enum { AT_SLOT = 48, AT_SUB_BLOCK = 50, AT_FROM = 52, AT_TO = 53 };

static uint64_t load_le(const unsigned char *at, unsigned bytes)
{
    uint64_t value = 0;

    for (unsigned i = bytes; i > 0; i--) {
        value = value << 8 | at[i - 1];
    }
    return value;
}

static uint8_t memory_of(const DbiTables *tables, unsigned char number)
{
    return number < tables->memory_count ? number : DBI_NO_MEMORY;
}

void DbiChartRead(const DbiTables *tables, const unsigned char *record, DbiChartAccess *ret_access)
{
    *ret_access = (DbiChartAccess){
        .run = { .src = load_le(record + AT_SRC, 8),
                 .dst = load_le(record + AT_DST, 8),
                 .src_bytes = load_le(record + AT_SRC_BYTES, 8),
                 .dst_bytes = load_le(record + AT_DST_BYTES, 8),
                 .count = 1,
                 .from = memory_of(tables, record[AT_FROM]),
                 .to = memory_of(tables, record[AT_TO]) },
        .pc = load_le(record + AT_PC, 8),
        .slot = (uint32_t) load_le(record + AT_SLOT, 2),
        .sub_block = (uint32_t) load_le(record + AT_SUB_BLOCK, 2),
    };
}
