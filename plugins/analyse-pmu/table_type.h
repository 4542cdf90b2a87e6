/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_PMU_TABLE_TYPE_H
#define ANALYSE_PMU_TABLE_TYPE_H

#include <opprof/batch.h>
#include <opprof/records/onboard.h>
#include <opprof/stage.h>

/*
 * Tables whose columns depend on the data. Types are made once for each set of columns and kept
 * until the plugin is destroyed.
 */

typedef struct TableColumn {
    const char *name;    /* borrowed from the caller until the type is made */
    uint32_t kind;       /* OPPROF_FIELD_STRING, _U64 or _F64 */
    const char *unit;    /* or NULL */
    const char *meaning; /* or NULL */
    const char *formula; /* that gives the value, or NULL */
    uint32_t flags;      /* OPPROF_FIELD_* */
} TableColumn;

typedef struct TableType TableType;

/*
 * The type of a table of these columns, written to <device>/<kernel>/<order>/<name>.csv, and its
 * batches. `flags` (OPPROF_RECORD_*) are added to those of all such tables. NULL without memory.
 */
TableType *TableTypeFind(TableType **list, const char *name, uint32_t flags,
                         const TableColumn *columns, uint32_t column_count);
void TableTypesFree(TableType *list);

/* Where the table's batches come from. */
OpprofBatchPool *TableTypePool(const TableType *type);

/* An empty batch for the table, or NULL without memory. */
OpprofBatch *TableNewBatch(TableType *type);

/* A new row for a launch with all values absent, or NULL when the batch is full. */
void *TableAppend(const TableType *type, OpprofBatch *batch, const OpprofPmuLaunch *launch);

void TableSetString(const TableType *type, void *row, uint32_t column, uint32_t value);
void TableSetCount(const TableType *type, void *row, uint32_t column, uint64_t value);
void TableSetReal(const TableType *type, void *row, uint32_t column, double value);

#endif
