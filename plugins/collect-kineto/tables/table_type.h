/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECT_KINETO_TABLES_TABLE_TYPE_H
#define COLLECT_KINETO_TABLES_TABLE_TYPE_H

/*
 * The record type of a table: the rank, the columns of its kind, and those that files have beyond
 * these. Each field takes eight bytes.
 */

#include "collect-kineto/tables/table_kinds.h"

#include <opprof/map.h>
#include <stddef.h>

#define TABLE_CELL 8u
#define TABLE_COLUMNS 400u /* most columns of a table */

/* A column beyond those of the kind. */
typedef struct TableMore {
    char *heading;
    char *name;
    bool is_known;  /* a cell of it was seen */
    bool is_number; /* and all that were seen are numbers */
} TableMore;

typedef struct TableType {
    const TableKind *kind;
    TableMore *more;
    size_t more_count;
    size_t more_room;
    OpprofField *fields; /* NULL: not made yet */
    OpprofRecordType type;
} TableType;

/* Whether one of the headings of a column, whatever the case. */
bool TableColumnFits(const TableColumn *column, const char *heading);
/* The number of a further column; it is added if it is new. SIZE_MAX: without memory, or there are
 * too many. */
size_t TableTypeAdd(TableType *table, const char *heading);
/* All columns are known. False without memory. */
bool TableTypeMake(TableType *table);
void TableTypeFinish(TableType *table);

#endif
