/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_PMU_STORAGE_H
#define ANALYSE_PMU_STORAGE_H

#include "analysis.h"
#include "metric_facts.h"

/*
 * The tables of memory traffic of a block (`metrics.storage`): a table is a set of rows in a shape;
 * the shape defines the columns of the rows and how they are computed from the members of a row.
 */

typedef struct StorageColumn {
    uint32_t name; /* interned */
    uint32_t unit; /* interned */
} StorageColumn;

typedef struct StorageRow {
    uint32_t name; /* interned */
    uint64_t in;   /* bit t: operators of type t of the model have it */
    bool is_move;  /* a pipe that moves data */
    const OpprofFormula *values[METRIC_SHAPE_COLUMNS];
    const OpprofFormula *option;  /* shown only if this is not zero; NULL: always */
    const OpprofFormula *of_peak; /* share of its peak that a pipe reached while busy; NULL: none */
    const OpprofFormula *lost;    /* percent that it lost by fetching instructions; NULL: none */
} StorageRow;

typedef struct StorageTable {
    const StorageTableFacts *facts; /* its name has {n} for the sub block */
    uint64_t in;                    /* as in StorageRow */
    uint32_t of;                    /* interned kind of core; absent: whole block */
    uint32_t sub_block;             /* only of this sub block; OPPROF_NA_U32: of any */
    const char *who;                /* first part of sentences about its rows; borrowed */
    uint32_t busy;                  /* column with the busy share of a pipe; OPPROF_NA_U32: none */
    uint32_t waits;                 /* column with the cycles of its waits; OPPROF_NA_U32: none */
    StorageColumn columns[METRIC_SHAPE_COLUMNS];
    uint32_t column_count;
    StorageRow *rows;
    uint32_t row_count;
    bool shares_rows; /* they belong to an earlier table */
} StorageTable;

/* A compute unit beside the paths, and how busy it was. */
typedef struct StorageUnit {
    uint32_t name; /* interned */
    uint64_t in;
    bool is_move;       /* it moves data */
    uint32_t of;        /* interned; absent: any kind */
    uint32_t sub_block; /* OPPROF_NA_U32: any */
    const char *below;  /* sentence when it was busy for less than a fifth; NULL: none. Borrowed */
    const OpprofFormula *cycle;
    const OpprofFormula *share; /* in percent */
    const OpprofFormula *wait;  /* cycles in which it waited for flags; NULL: not counted */
    const OpprofFormula *lost;  /* cycles that it lost by bank conflicts; NULL: not counted */
} StorageUnit;

/* The types of operators that the chip file names, as bits. */
typedef struct OperatorTypes {
    uint32_t names[64]; /* interned */
    uint32_t count;
} OperatorTypes;

typedef struct StorageModel {
    StorageFacts facts;
    OperatorTypes types;
    StorageTable *tables;
    uint32_t table_count;
    StorageUnit *units;
    uint32_t unit_count;
} StorageModel;

/* Call StorageModelFinish also after a failure. */
OpprofStatus StorageModelCompile(StorageModel *model, PmuMetrics *metrics, OpprofError **error);
void StorageModelFinish(StorageModel *model);

/* The formulas of a shape's first `count` columns for the members of a row. */
OpprofStatus StorageShapeCompile(PmuMetrics *metrics, const ShapeFacts *shape,
                                 const OpprofFact *row, const OpprofFormula **values, size_t count,
                                 OpprofError **error);
/* A shape, a row of a set; NULL: none has that name. */
const ShapeFacts *StorageShapeFind(const StorageFacts *facts, const char *name);
const RowFacts *StorageRowFind(const StorageFacts *facts, const char *set, const char *name);

/* Bits for the "in" of a member: the list's types; of an empty list all. */
uint64_t StorageTypes(OperatorTypes *types, OpprofStage *stage, const OperatorTypeNames *names);
/* The bit of an operator's type; 0 for one that no list names. */
uint64_t StorageTypeBit(const OperatorTypes *types, uint32_t op_type);

/* True if a table or unit of this kind and sub block stands for a key. */
bool StorageIsOf(const LaunchView *view, const OpprofPmuKey *key, uint32_t of, uint32_t sub_block);

/* Whether a table is of a core of an operator of that type, and a row of the table there. */
bool StorageHasTable(const LaunchView *view, const StorageTable *table, const OpprofPmuKey *key,
                     uint64_t type);
bool StorageHasRow(const PmuMetrics *metrics, const StorageRow *row, uint64_t type);

/* The pipe or unit that was busy for the largest share of its core's cycles. */
typedef struct StorageBusiest {
    const char *name; /* NULL: none so far */
    double percent;
    bool is_move;     /* it moves data */
    bool has_unknown; /* another one was not counted, and may have been busier */
} StorageBusiest;

/* Check a key's pipes and units for the busiest so far; sets the row of the metrics. */
void StorageBusiestLook(const StorageModel *model, PmuMetrics *metrics, const LaunchView *view,
                        OpprofStage *stage, uint32_t key, StorageBusiest *busiest);

/* The text with {n} replaced; free with free(). NULL without memory. */
char *StorageText(const char *text, uint32_t sub_block);

#endif
