/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ANALYSE_PMU_METRIC_FACTS_H
#define ANALYSE_PMU_METRIC_FACTS_H

/*
 * What a chip file states in `metrics`, as the tables bind it (OpprofMetricsBind). All texts are
 * borrowed from the chip, the formulas from the metrics.
 */

#include <opprof/kit/metrics.h>

#define METRIC_SHAPE_COLUMNS 8u /* most columns of a shape */
#define METRIC_NO_CHOICE 255u

/* Types of operators: an entry with none is for all. */
typedef struct OperatorTypeNames {
    const char **list;
    uint32_t count;
} OperatorTypeNames;

/* ---- operators and tables (metrics.operator, metrics.tables, metrics.compute_load) ---- */

typedef struct OperatorFacts {
    OpprofFactFormula core_time;
} OperatorFacts;

typedef struct BasicColumnFacts {
    const char *name;
    const char *unit;
    uint8_t shows; /* its place in the table's list */
} BasicColumnFacts;

typedef struct BasicFacts {
    BasicColumnFacts *columns;
    uint32_t count;
} BasicFacts;

enum { METRIC_SHOWS_BLOCK, METRIC_SHOWS_SUB_BLOCK };

typedef struct ColumnFacts {
    const char *name;
    const char *unit;
    const char *meaning;
    const char *of; /* kind of core */
    OpprofFactFormula is;
    OpprofFactFormula optional;
    OpprofFactFormula with;
    uint8_t shows; /* METRIC_NO_CHOICE: the formula */
    bool is_peak;
} ColumnFacts;

typedef struct TableFacts {
    const char *name;
    ColumnFacts *columns;
    uint32_t count;
    uint8_t of; /* METRIC_NO_CHOICE: not of the whole operator */
} TableFacts;

typedef struct TablesFacts {
    BasicFacts basic;
    TableFacts *list;
    uint32_t count;
} TablesFacts;

typedef struct LoadFacts {
    const OpprofFact *fact;
    const char *name;
    const char *mix_name;
    const char *unit;
    const char *each; /* path of a list: an entry for each of its elements */
    OpprofFactFormula is;
    OpprofFactFormula optional;
    bool is_share;
} LoadFacts;

typedef struct KindLoadsFacts {
    const char *kind;
    LoadFacts *list;
    uint32_t count;
} KindLoadsFacts;

typedef struct LoadsFacts {
    KindLoadsFacts *kinds;
    uint32_t count;
} LoadsFacts;

/* ---- storage (metrics.storage) ---- */

typedef struct ShapeColumnFacts {
    const char *name;
    const char *is; /* for each row another formula */
    const char *unit;
} ShapeColumnFacts;

typedef struct ShapeFacts {
    const OpprofFact *fact;
    const char *name;
    ShapeColumnFacts columns[METRIC_SHAPE_COLUMNS];
    uint32_t count;
    const char *busy; /* name of a column, as the next one */
    const char *waits;
    const char *of_peak; /* for each row another formula, as the next one */
    const char *lost;
} ShapeFacts;

enum { METRIC_CLASS_COMPUTE, METRIC_CLASS_MOVE, METRIC_CLASS_SCALAR };

typedef struct RowFacts {
    const OpprofFact *fact;
    const char *name;
    OperatorTypeNames in;
    OpprofFactFormula optional;
    uint8_t class; /* METRIC_NO_CHOICE: none */
} RowFacts;

typedef struct RowSetFacts {
    const char *name;
    RowFacts *rows;
    uint32_t count;
} RowSetFacts;

typedef struct StorageTableFacts {
    const char *name;
    const char *shape;
    const char *rows;
    const char *of;
    const char *who;
    OperatorTypeNames in;
    uint32_t sub; /* OPPROF_NA_U32: any */
} StorageTableFacts;

typedef struct UnitFacts {
    const OpprofFact *fact;
    const char *name;
    const char *of;
    const char *below_20;
    OperatorTypeNames in;
    OpprofFactFormula is;
    OpprofFactFormula wait;
    OpprofFactFormula lost;
    uint32_t sub;
    uint8_t class;
} UnitFacts;

typedef struct PathFacts {
    const OpprofFact *fact;
    const char *name;
    const char *rows; /* a row instead of members of its own */
    const char *row;
    const char *of;
    const char *suffix;
    OperatorTypeNames in;
    uint32_t sub;
    bool is_optional;
} PathFacts;

typedef struct StorageFacts {
    ShapeFacts *shapes;
    uint32_t shape_count;
    RowSetFacts *sets;
    uint32_t set_count;
    StorageTableFacts *tables;
    uint32_t table_count;
    const char *layout;
    const char *cache_rows; /* NULL: the map has no cache */
    const char *cache_row;
    UnitFacts *units;
    uint32_t unit_count;
    PathFacts *paths;
    uint32_t path_count;
    bool advice_once;
} StorageFacts;

/* ---- views (metrics.occupancy, metrics.roofline) ---- */

typedef struct OccupancyFacts {
    const char *name;
    const char *of;
    OpprofFactFormula is;
    OpprofFactFormula when;
} OccupancyFacts;

typedef struct OccupanciesFacts {
    OccupancyFacts *list;
    uint32_t count;
} OccupanciesFacts;

typedef struct ShareFacts {
    const OpprofFact *fact;
    const char *name;
} ShareFacts;

typedef struct WorkFacts {
    const OpprofFact *fact;
    const char *id;
    const char *name;
    const char *of;
    const char *share; /* for each share another formula */
    const char *whole;
    OperatorTypeNames in;
    OpprofFactFormula ops;
    OpprofFactFormula theory;
    ShareFacts *shares;
    uint32_t share_count;
} WorkFacts;

typedef struct GroupFacts {
    const char **of;
    uint32_t count;
    const char *as;
} GroupFacts;

typedef struct LineFacts {
    const char *name;
    OpprofFactFormula bytes;
    OpprofFactFormula peak;
} LineFacts;

typedef struct GraphFacts {
    const char *title;
    OperatorTypeNames in;
    GroupFacts *groups;
    uint32_t group_count;
    LineFacts *lines;
    uint32_t line_count;
} GraphFacts;

typedef struct RooflineFacts {
    WorkFacts *works;
    uint32_t work_count;
    GraphFacts *graphs;
    uint32_t graph_count;
} RooflineFacts;

/* ---- tables: each at its path ---- */

extern const OpprofFactTable metric_operator_table;  /* OperatorFacts: metrics.operator */
extern const OpprofFactTable metric_basic_table;     /* BasicFacts: metrics.tables.OpBasicInfo */
extern const OpprofFactTable metric_tables_table;    /* TablesFacts: metrics.tables */
extern const OpprofFactTable metric_loads_table;     /* LoadsFacts: metrics.compute_load */
extern const OpprofFactTable metric_storage_table;   /* StorageFacts: metrics.storage */
extern const OpprofFactTable metric_occupancy_table; /* OccupanciesFacts: metrics.occupancy */
extern const OpprofFactTable metric_roofline_table;  /* RooflineFacts: metrics.roofline */

#endif
