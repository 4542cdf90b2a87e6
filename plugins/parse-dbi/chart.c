/* SPDX-License-Identifier: Apache-2.0 */
/* Reads accesses that are decomposed already. Tested by tests/plugins/parse-dbi/test_slots. */
#include "chart.h"

static uint8_t memory_of(const DbiTables *tables, uint64_t number)
{
    return number < tables->memory_count ? (uint8_t) number : DBI_NO_MEMORY;
}

void DbiChartRead(const DbiTables *tables, const unsigned char *record, DbiChartAccess *ret_access)
{
    const DbiChartLayout *layout = &tables->chart;

    *ret_access = (DbiChartAccess){
        .run = { .src = OpprofRecordBitsGet(&layout->src, record),
                 .dst = OpprofRecordBitsGet(&layout->dst, record),
                 .src_bytes = OpprofRecordBitsGet(&layout->src_bytes, record),
                 .dst_bytes = OpprofRecordBitsGet(&layout->dst_bytes, record),
                 .count = 1,
                 .from = memory_of(tables, OpprofRecordBitsGet(&layout->from, record)),
                 .to = memory_of(tables, OpprofRecordBitsGet(&layout->to, record)) },
        .pc = OpprofRecordBitsGet(&layout->pc, record),
        .slot = (uint32_t) OpprofRecordBitsGet(&layout->slot, record),
        .sub_block = (uint32_t) OpprofRecordBitsGet(&layout->sub_block, record),
    };
}
