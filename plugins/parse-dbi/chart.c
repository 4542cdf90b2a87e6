/* SPDX-License-Identifier: Apache-2.0 */
/* Reads accesses that were decomposed already. Tested by tests/plugins/parse-dbi/test_slots. */
#include "chart.h"

#include <opprof/kit/bytes.h>

enum { AT_SRC = 0, AT_DST = 8, AT_SRC_BYTES = 16, AT_DST_BYTES = 24, AT_PC = 32 };
enum { AT_SLOT = 48, AT_SUB_BLOCK = 50, AT_FROM = 52, AT_TO = 53 };

static uint8_t memory_of(const DbiTables *tables, unsigned char number)
{
    return number < tables->memory_count ? number : DBI_NO_MEMORY;
}

void DbiChartRead(const DbiTables *tables, const unsigned char *record, DbiChartAccess *ret_access)
{
    *ret_access = (DbiChartAccess){
        .run = { .src = OpprofLoadLe(record + AT_SRC, 8),
                 .dst = OpprofLoadLe(record + AT_DST, 8),
                 .src_bytes = OpprofLoadLe(record + AT_SRC_BYTES, 8),
                 .dst_bytes = OpprofLoadLe(record + AT_DST_BYTES, 8),
                 .count = 1,
                 .from = memory_of(tables, record[AT_FROM]),
                 .to = memory_of(tables, record[AT_TO]) },
        .pc = OpprofLoadLe(record + AT_PC, 8),
        .slot = (uint32_t) OpprofLoadLe(record + AT_SLOT, 2),
        .sub_block = (uint32_t) OpprofLoadLe(record + AT_SUB_BLOCK, 2),
    };
}
