/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_DBI_CHART_H
#define PARSE_DBI_CHART_H

#include "record.h"

/* Accesses that were decomposed where the kernel ran, one per record of `dbi.chart`. */

/* An access of the file. */
typedef struct DbiChartAccess {
    DbiRun run; /* of one access; memories may be DBI_NO_MEMORY */
    uint64_t pc;
    uint32_t slot;
    uint32_t sub_block;
} DbiChartAccess;

/* Read a record of the tables' layout. */
void DbiChartRead(const DbiTables *tables, const unsigned char *record, DbiChartAccess *ret_access);

#endif
