/* SPDX-License-Identifier: Apache-2.0 */
/* Reads accesses that are decomposed already. Tested by tests/plugins/parse-dbi/test_slots. */
#include "chart.h"

static uint8_t memory_of(const DbiTables *tables, uint64_t number)
{
    return number < tables->memory_count ? (uint8_t) number : DBI_NO_MEMORY;
}

/* NULL, or the fault. */
const char *DbiChartLoad(const OpprofFact *chart, DbiChartLayout *ret_layout)
{
    const struct {
        const char *name;
        OpprofRecordBits *bits;
    } fields[] = {
        { "src", &ret_layout->src },
        { "dst", &ret_layout->dst },
        { "src_bytes", &ret_layout->src_bytes },
        { "dst_bytes", &ret_layout->dst_bytes },
        { "pc", &ret_layout->pc },
        { "slot", &ret_layout->slot },
        { "sub_block", &ret_layout->sub_block },
        { "from", &ret_layout->from },
        { "to", &ret_layout->to },
    };
    double size = 0;

    *ret_layout = (DbiChartLayout){ .size = 0 };
    if (chart == NULL) {
        return NULL; /* such chips leave none */
    }
    if (!OpprofFactNumber(OpprofFactMember(chart, "size"), &size) || size < 8 ||
        size > DBI_CHART_MAX || size != (double) (uint32_t) size) {
        return "a record has 8 to 256 bytes";
    }
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        const char *why = OpprofRecordBitsRead(chart, fields[i].name, fields[i].bits);
        if (why != NULL) {
            return why;
        }
    }
    ret_layout->size = (uint32_t) size;
    return NULL;
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
